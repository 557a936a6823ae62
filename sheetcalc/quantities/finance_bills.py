"""The build side month by month, both sides together, and when the outlay is paid back."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, first, given, highest, if_, lowest_ahead, running, same, total, when


@quantity("People", "$/month")
def staff_bill(in_horizon, staff_fixed, staff_per_node, build_nodes, staff_cost, months_per_year):
    """Fixed staff from the first month, and a share of a person for each node (calculators C, i.2)."""
    return in_horizon * (staff_fixed + staff_per_node * build_nodes) * staff_cost / months_per_year


@quantity("Licences, network and storage", "$/month")
def other_bill(in_horizon, licence_price, gpus_per_node, months_per_year, node_extras, build_nodes, storage_cost):
    """Per GPU, per node, and fixed (calculators C, i.2)."""
    return in_horizon * ((licence_price * gpus_per_node / months_per_year + node_extras) * build_nodes + storage_cost)


@quantity("API while the nodes are being built", "$/month")
def bridge_bill(in_bridge, api_bill):
    """The API carries the load through the lead time, and runs beside the nodes in the overlap."""
    return in_bridge * api_bill


@quantity("Running cost of building", "$/month")
def running_bill(rent_bill, site_bill, maintenance_bill, staff_bill, other_bill, bridge_bill):
    """Operating cash of the month; purchases are apart."""
    return rent_bill + site_bill + maintenance_bill + staff_bill + other_bill + bridge_bill


@quantity("Cash paid for building", "$/month")
def build_bill(running_bill, purchases, residual_income):
    """Running cost and purchases, less what the nodes are worth at the end."""
    return running_bill + purchases - residual_income


@quantity("Cost of building in the P&L", "$/month")
def build_expense(running_bill, depreciation):
    """Running cost and depreciation: what the income statement shows instead of purchases."""
    return running_bill + depreciation


@quantity("Saving by building", "$/month")
def build_saving(api_bill, build_bill):
    """API bill less cash paid for building."""
    return api_bill - build_bill


@quantity("Present value of building", "$")
def npv_build(first_outlay, build_bill, month_discount, month, one_month):
    """Outlay before the first month, and month-end cash over its discount factors (calculators C, i.2)."""
    return first_outlay + total(build_bill / month_discount, month) * one_month


@quantity("Advantage of building over the API", "$")
def build_advantage(npv_api, npv_build):
    """Present values; above 0 building is cheaper."""
    return npv_api - npv_build


@quantity("Building over the horizon, not discounted", "$")
def build_total(first_outlay, build_bill, month, one_month):
    """Sum of the cash paid."""
    return first_outlay + total(build_bill, month) * one_month


@quantity("Cumulative saving", "$")
def cumulative_saving(build_saving, month, one_month, first_outlay):
    """Savings up to this month less the outlay."""
    return running(build_saving, month) * one_month - first_outlay


@quantity("Lowest cumulative saving from here on", "$")
def lowest_saving_ahead(cumulative_saving, month):
    """A payback that a later node or a price cut undoes is none."""
    return lowest_ahead(cumulative_saving, month)


@quantity("Paid back so far", "")
def paid_back(cumulative_saving):
    """Cumulative saving is not negative."""
    return cumulative_saving >= 0


@quantity("Paid back for good", "")
def stays_paid_back(lowest_saving_ahead):
    """Cumulative saving is not negative here and in no later month."""
    return lowest_saving_ahead >= 0


@check("Building pays back in some month", "building does not pay back within {horizon} months", "sensitivity")
def payback_comes(cumulative_saving, month):
    return highest(cumulative_saving, month) >= 0


@check("Building is paid back at the horizon", "building is not paid back at the end of {horizon} months", "sensitivity")
def payback_lasts(cumulative_saving, month, horizon):
    return at(cumulative_saving, month, horizon) >= 0


@quantity("First month in which building has paid back", "")
def first_payback_month(payback_comes, paid_back, month):
    """May be undone later: see the durable payback (calculators C, i.2)."""
    return when(payback_comes, first(paid_back, month))


@quantity("Month from which building stays paid back", "")
def durable_payback_month(payback_lasts, stays_paid_back, month):
    """The payback to quote (calculators C, i.2)."""
    return when(payback_lasts, first(stays_paid_back, month))


@quantity("Present value of the month's saving", "$/month")
def discounted_saving(build_saving, month_discount):
    """Saving over the discount factor."""
    return build_saving / month_discount


@quantity("Cumulative discounted saving", "$")
def cumulative_discounted(discounted_saving, month, one_month, first_outlay):
    """Discounted savings up to this month less the outlay."""
    return running(discounted_saving, month) * one_month - first_outlay


@quantity("Lowest cumulative discounted saving from here on", "$")
def lowest_discounted_ahead(cumulative_discounted, month):
    """The same test as for the durable payback, discounted."""
    return lowest_ahead(cumulative_discounted, month)


@quantity("Paid back for good, discounted", "")
def stays_paid_discounted(lowest_discounted_ahead):
    """Not negative here and in no later month."""
    return lowest_discounted_ahead >= 0


@check(
    "Building is paid back at the horizon, discounted",
    "building is not paid back at the end of {horizon} months, interest counted",
    "sensitivity",
)
def discounted_payback_lasts(cumulative_discounted, month, horizon):
    return at(cumulative_discounted, month, horizon) >= 0


@quantity("Month from which building stays paid back, discounted", "")
def discounted_payback_month(discounted_payback_lasts, stays_paid_discounted, month):
    """Durable payback after interest (calculators C, i.2)."""
    return when(discounted_payback_lasts, first(stays_paid_discounted, month))


@quantity("Building pays back in some month", "")
def first_payback_found(first_payback_month):
    """1 when it does, even if not for good."""
    return given(if_(first_payback_month > 0, 1, 0), 0)


@quantity("Building pays back for good", "")
def durable_payback_found(durable_payback_month):
    """1 when it does within the horizon."""
    return given(if_(durable_payback_month > 0, 1, 0), 0)


@quantity("Payback is undone later", "")
def payback_undone(first_payback_found, durable_payback_found):
    """1 where building pays back and then loses it again."""
    return if_(both(same(first_payback_found, 1), same(durable_payback_found, 0)), 1, 0)


# a million tokens, and how busy the nodes are


@quantity("Building, per million output tokens", "$/M tok")
def build_unit_cost(running_bill, depreciation, daily_volume, days_per_month):
    """P&L cost of the month over its output tokens."""
    return (running_bill + depreciation) / (daily_volume * days_per_month)


@quantity("API, per million output tokens", "$/M tok")
def api_unit_cost(api_bill, daily_volume, days_per_month):
    """Bill of the month over its output tokens."""
    return api_bill / (daily_volume * days_per_month)
