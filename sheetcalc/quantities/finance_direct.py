"""Both present values in a few cells, worked out from the inputs without the table of months.

Draws, tornado, thresholds and start volumes need hundreds of present values; a table of months for each would be a workbook that nobody can
open. These say the same as the table of months (a check compares them in every plan) and are what those tables repeat with other inputs.
Formulas hold no IF or MAX over a column, because SUMPRODUCT in Excel 2016 takes neither: max(a, b) is b + (a − b)·(a > b).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, ceil, if_, most, same, total


def _busy(start_nodes, growth, month, idle_floor):
    """Nodes that the volume of a month fills, at least the idle floor."""
    nodes = ceil(start_nodes * (1 + growth) ** (month - 1))
    return idle_floor + (nodes - idle_floor) * (nodes > idle_floor)


@quantity("Discount factor of one month", "")
def discount_step(discount_rate, annual_steps):
    """Twelfth root of one plus the yearly rate."""
    return (1 + discount_rate) ** (1 / annual_steps)


@quantity("Months, discounted", "")
def discounted_months(in_horizon, discount_step, month):
    """Present value of a dollar a month."""
    return total(in_horizon / discount_step**month, month)


@quantity("Months with own nodes, discounted", "")
def discounted_build_months(in_build, discount_step, month):
    """Present value of a dollar in each month of service."""
    return total(in_build / discount_step**month, month)


# the API


@quantity("API usage of the first month at list price", "$/month")
def first_list_bill(start_volume, days_per_month, api_unit_price):
    """Before growth and price decline."""
    return start_volume * days_per_month * api_unit_price


@quantity("API usage from month to month", "")
def list_bill_step(growth, api_price_decline, annual_steps):
    """Growth and price decline together."""
    return (1 + growth) * (1 - api_price_decline) ** (1 / annual_steps)


@quantity("API usage or commitment, discounted", "$/month")
def discounted_usage(in_horizon, first_list_bill, list_bill_step, month, api_commit, discount_step):
    """Present value of what is billed before the commitment's discount."""
    return total(
        in_horizon
        * (
            api_commit
            + (first_list_bill * list_bill_step ** (month - 1) - api_commit)
            * (first_list_bill * list_bill_step ** (month - 1) > api_commit)
        )
        / discount_step**month,
        month,
    )


@quantity("Present value of the API, directly", "$")
def direct_npv_api(discounted_usage, api_discount_used, api_fixed, discounted_months, one_month):
    """As in the table of months."""
    return (discounted_usage * (1 - api_discount_used) + api_fixed * discounted_months) * one_month


# nodes


@quantity("Node-months, discounted", "")
def discounted_nodes(in_build, start_nodes, growth, month, idle_floor, spare_nodes, discount_step):
    """Whole nodes of each month, spare ones included."""
    return total(in_build * (spare_nodes + _busy(start_nodes, growth, month, idle_floor)) / discount_step**month, month)


@quantity("Node-months at or beyond the reservation, discounted", "")
def discounted_peak(in_build, start_nodes, growth, month, idle_floor, spare_nodes, fleet_month, shrinking, discount_step):
    """Nodes in the months in which the fleet is at least the reserved one."""
    return total(
        in_build
        * (spare_nodes + _busy(start_nodes, growth, month, idle_floor))
        * ((month - fleet_month) * (1 - 2 * shrinking) >= 0)
        / discount_step**month,
        month,
    )


@quantity("Reserved node-months, discounted", "")
def discounted_reserved(in_build, start_nodes, growth, idle_floor, spare_nodes, fleet_month, shrinking, discount_step, month):
    """Reserved nodes of each month."""
    return total(
        in_build * (spare_nodes + _busy(start_nodes, growth, fleet_month, idle_floor)) / discount_step**month,
        month,
    )


@quantity("Reserved node-months in the months of the peak, discounted", "")
def discounted_reserved_peak(in_build, start_nodes, growth, idle_floor, spare_nodes, fleet_month, shrinking, discount_step, month):
    """What of the peak the reservation carries."""
    return total(
        in_build
        * (spare_nodes + _busy(start_nodes, growth, fleet_month, idle_floor))
        * ((month - fleet_month) * (1 - 2 * shrinking) >= 0)
        / discount_step**month,
        month,
    )


@quantity("GPU rent, discounted", "$/month")
def discounted_rent(
    hours_per_month,
    gpus_per_node,
    reserving,
    reserved_price,
    discounted_reserved,
    unreserved_price,
    discounted_peak,
    discounted_reserved_peak,
    discounted_nodes,
):
    """Reserved nodes and those beyond them; all of them by the hour where nothing is reserved."""
    return (
        hours_per_month
        * gpus_per_node
        * if_(
            same(reserving, 1),
            reserved_price * discounted_reserved + unreserved_price * (discounted_peak - discounted_reserved_peak),
            unreserved_price * discounted_nodes,
        )
    )


# owned nodes


@quantity("Node-months owned, discounted", "")
def discounted_owned(in_build, start_nodes, growth, held_month, month, idle_floor, spare_nodes, discount_step):
    """Nodes once bought stay: where the volume shrinks, those of the first month of service."""
    return total(
        in_build * (spare_nodes + _busy(start_nodes, growth, held_month, idle_floor)) / discount_step**month,
        month,
    )


@quantity("Worth lost by owning a node in the month, of its price", "%")
def worth_lost(month, horizon, worth_share, residual_share, residual_months):
    """Rise of the share that a purchase keeps, by buying it a month later; 0 beyond the horizon."""
    return if_(
        month < horizon,
        worth_share - most(0, 1 - (1 - residual_share) * (horizon - month + 1) / residual_months),
        if_(same(month, horizon), 0 - most(0, 1 - (1 - residual_share) / residual_months), 0),
    )


@quantity("Price of owning a node in each month, discounted", "")
def discounted_purchases(in_build, start_nodes, growth, held_month, month, idle_floor, spare_nodes, discount_step, horizon, worth_lost):
    """Purchases less their worth at the horizon, in node prices: each month a node is held costs the delay of its purchase by a month."""
    return total(
        in_build
        * (spare_nodes + _busy(start_nodes, growth, held_month, idle_floor))
        * (discount_step ** (1 - month) - discount_step ** (0 - month) * (month < horizon) + worth_lost * discount_step ** (0 - horizon)),
        month,
    )


@quantity("Present value of owning", "$")
def direct_ownership(owning, node_purchase, discounted_purchases, node_maintenance, discounted_owned, one_month):
    """Purchases, worth at the horizon, maintenance; 0 for rented nodes."""
    return owning * (node_purchase * discounted_purchases + node_maintenance * discounted_owned * one_month)


# the API while the nodes are being built


@quantity("API months beside the build, discounted", "")
def discounted_bridge_months(in_bridge, discount_step, month):
    """Present value of a dollar in each of them."""
    return total(in_bridge / discount_step**month, month)


@quantity("API usage or commitment beside the build, discounted", "$/month")
def discounted_bridge(in_bridge, first_list_bill, list_bill_step, month, api_commit, discount_step):
    """Present value of the API through lead time and overlap."""
    return total(
        in_bridge
        * (
            api_commit
            + (first_list_bill * list_bill_step ** (month - 1) - api_commit)
            * (first_list_bill * list_bill_step ** (month - 1) > api_commit)
        )
        / discount_step**month,
        month,
    )


@quantity("Present value of building, directly", "$")
def direct_npv_build(
    setup_cost,
    discounted_rent,
    node_overhead,
    node_site_cost,
    discounted_nodes,
    build_fixed_cost,
    discounted_months,
    discounted_bridge,
    api_discount_used,
    api_fixed,
    discounted_bridge_months,
    one_month,
    direct_ownership,
):
    """As in the table of months."""
    return (
        setup_cost
        + direct_ownership
        + one_month
        * (
            discounted_rent
            + (node_overhead + node_site_cost) * discounted_nodes
            + build_fixed_cost * discounted_months
            + discounted_bridge * (1 - api_discount_used)
            + api_fixed * discounted_bridge_months
        )
    )


@quantity("Advantage of building over the API, directly", "$")
def direct_advantage(direct_npv_api, direct_npv_build):
    """Present values; above 0 building is cheaper."""
    return direct_npv_api - direct_npv_build


@check(
    "The direct formulas agree with the table of months",
    "the direct formulas give {direct_npv_api} and {direct_npv_build}, the table of months "
    "{npv_api} and {npv_build}: a formula was changed",
)
def direct_agrees(npv_api, direct_npv_api, npv_build, direct_npv_build, tolerance):
    return both(
        npv_api - direct_npv_api < tolerance * (npv_api + npv_build),
        direct_npv_api - npv_api < tolerance * (npv_api + npv_build),
        npv_build - direct_npv_build < tolerance * (npv_api + npv_build),
        direct_npv_build - npv_build < tolerance * (npv_api + npv_build),
    )
