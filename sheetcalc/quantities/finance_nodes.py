"""Whole nodes for a volume, how they are paid for, and which of them are worth a reservation."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, either, floor, if_, least, lowest_at, most, same, total


@quantity("Output tokens a node carries in a day", "Mtok/day")
def node_volume(node_rate, utilization_cap, active_hours, seconds_per_hour, peak_factor):
    """Rate × utilization cap over the active hours, less the peak: the node must carry the busiest hour (calculators C, i.2)."""
    return node_rate * utilization_cap * active_hours * seconds_per_hour / peak_factor


@quantity("Nodes that the volume of the start would fill", "")
def start_nodes(start_volume, node_volume):
    """Before rounding."""
    return start_volume / node_volume


@quantity("Busy nodes below which the least fleet holds", "")
def idle_floor(min_nodes, spare_nodes):
    """The least fleet less its spare nodes."""
    return min_nodes - spare_nodes


@quantity("Nodes", "")
def build_nodes(in_build, min_nodes, daily_volume, node_volume, spare_nodes):
    """Whole nodes for the volume, and the spare ones; never fewer than the least fleet (calculators C, i.2)."""
    return in_build * most(min_nodes, ceil(daily_volume / node_volume) + spare_nodes)


# how the nodes are paid for


@quantity("How nodes are paid for", "")
def chosen_mode(build_mode, cheapest_mode):
    """As asked, or the mode with the lowest present value."""
    return if_(same(build_mode, "cheapest"), cheapest_mode, build_mode)


@quantity("Price of a GPU reserved for a year, usual", "$/h")
def reserved_one_year_usual(gpu_hour_price, one_year_share):
    """Share of the on-demand price; a quote of your own goes in its place."""
    return gpu_hour_price * one_year_share


@quantity("Price of a GPU reserved for three years, usual", "$/h")
def reserved_three_years_usual(gpu_hour_price, three_years_share):
    """Share of the on-demand price; a quote of your own goes in its place."""
    return gpu_hour_price * three_years_share


@quantity("Price of a spot GPU, usual", "$/h")
def spot_price_usual(gpu_hour_price, spot_share):
    """Share of the on-demand price; a quote of your own goes in its place."""
    return gpu_hour_price * spot_share


@quantity("Lowest reserved price that is scanned", "$/h")
def reserved_scan_low(gpu_hour_price, scan_low_share):
    """Share of the on-demand price."""
    return gpu_hour_price * scan_low_share


@quantity("Highest reserved price that is scanned", "$/h")
def reserved_scan_high(gpu_hour_price, scan_high_share):
    """Share of the on-demand price; beyond it nothing is reserved."""
    return gpu_hour_price * scan_high_share


@quantity("Nodes are owned", "")
def owning(chosen_mode):
    """1 where nodes are bought, else 0."""
    return if_(same(chosen_mode, "owned"), 1, 0)


@quantity("Price of a spot GPU, lost work counted", "$/h")
def spot_hour_price(spot_price, spot_lost_share):
    """Hours that end in an interruption are paid and done again."""
    return spot_price / (1 - spot_lost_share)


@quantity("Price of a GPU that is not reserved", "$/h")
def unreserved_price(chosen_mode, spot_hour_price, gpu_hour_price, owning):
    """Spot in the spot mode, nothing for owned nodes, else on demand."""
    return if_(same(chosen_mode, "spot"), spot_hour_price, gpu_hour_price) * (1 - owning)


@quantity("Price of a reserved GPU", "$/h")
def reserved_price(chosen_mode, reserved_price_one_year, reserved_price_three_years):
    """By the length of the reservation; modes without one do not use it."""
    return if_(same(chosen_mode, "reserved 1 year"), reserved_price_one_year, reserved_price_three_years)


@quantity("Reserved price over on-demand price", "%")
def reserve_share(reserved_price, gpu_hour_price):
    """Share of its term that a node must be needed for a reservation to pay (calculators C, i.2)."""
    return reserved_price / gpu_hour_price


@quantity("Reservations are in use", "")
def reserving(chosen_mode, reserve_share):
    """1 in the two reserved modes, unless on demand is cheaper; else 0."""
    return if_(either(same(chosen_mode, "reserved 1 year"), same(chosen_mode, "reserved 3 years")), 1, 0) * if_(reserve_share <= 1, 1, 0)


@quantity("Length of a reservation in months", "")
def lease_months(chosen_mode, annual_steps, long_lease_months):
    """A year or three; terms follow each other from the first month of service."""
    return if_(same(chosen_mode, "reserved 1 year"), annual_steps, long_lease_months)


@quantity("Month in which the term of this month begins", "")
def term_start(month, build_lead, lease_months):
    """Terms are counted from the first month of service."""
    return floor((month - 1 - build_lead) / lease_months) * lease_months + 1 + build_lead


@quantity("Months of the term within the horizon", "")
def term_months(lease_months, horizon, term_start):
    """The last term is cut at the horizon."""
    return most(0, least(lease_months, horizon - term_start + 1))


@quantity("Volume shrinks", "")
def shrinking(growth):
    """1 where the volume falls from month to month, else 0."""
    return if_(growth < 0, 1, 0)


@quantity("Months of the term a node must be needed to be reserved", "")
def term_needed(term_months, reserve_share):
    """As in the table of terms."""
    return ceil(term_months * reserve_share)


@quantity("Month whose fleet the term reserves", "")
def fleet_month(term_start, shrinking, term_months, term_needed):
    """As in the table of terms."""
    return term_start + (1 - shrinking) * (term_months - term_needed) + shrinking * (term_needed - 1)


@quantity("Month whose fleet is held", "")
def held_month(shrinking, month, build_lead):
    """Nodes once bought stay: where the volume shrinks, those of the first month of service."""
    return (1 - shrinking) * month + shrinking * (build_lead + 1)


# one row for each term of the reservation


@quantity("First month of the term", "")
def lease_start(term, build_lead, lease_months):
    """Terms follow each other from the first month of service."""
    return build_lead + 1 + (term - 1) * lease_months


@quantity("Months of the term that count", "")
def lease_length(lease_months, horizon, lease_start):
    """The last term is cut at the horizon."""
    return most(0, least(lease_months, horizon - lease_start + 1))


@quantity("Months a node must be needed to be reserved", "")
def lease_needed(lease_length, reserve_share):
    """A node is worth reserving when its share of busy months is at least the price ratio (calculators C, i.2)."""
    return ceil(lease_length * reserve_share)


@quantity("Month whose fleet is reserved", "")
def lease_month(lease_start, shrinking, lease_length, lease_needed):
    """The month with the lowest volume among the busiest that are needed; volume moves one way, so no sorting is needed."""
    return lease_start + (1 - shrinking) * (lease_length - lease_needed) + shrinking * (lease_needed - 1)


@quantity("Nodes reserved in the term", "")
def lease_nodes(reserving, min_nodes, start_nodes, growth, lease_month, spare_nodes):
    """The fleet of that month: every node in it is needed long enough (0 of 200 differ from trying all counts: calculators C, i.2)."""
    return reserving * most(min_nodes, ceil(start_nodes * (1 + growth) ** (lease_month - 1)) + spare_nodes)


@quantity("Term of the month", "")
def term_number(month, build_lead, lease_months):
    """The first term also stands for the months before it."""
    return most(1, floor((month - 1 - build_lead) / lease_months) + 1)


@quantity("Reserved nodes", "")
def reserved_nodes(in_build, lease_nodes, term, term_number):
    """Of the term that the month lies in."""
    return in_build * at(lease_nodes, term, term_number)


@quantity("Nodes beyond the reserved ones", "")
def unreserved_nodes(build_nodes, reserved_nodes):
    """Rented by the hour."""
    return most(0, build_nodes - reserved_nodes)


@quantity("GPU rent", "$/month")
def rent_bill(hours_per_month, gpus_per_node, reserved_price, reserved_nodes, unreserved_price, unreserved_nodes):
    """All hours of the month: reserved nodes and the others at their prices (calculators C, i.2)."""
    return hours_per_month * gpus_per_node * (reserved_price * reserved_nodes + unreserved_price * unreserved_nodes)


# the modes side by side


@quantity("Present values of all modes together", "$")
def mode_sum(mode_direct_npv_build, sourcing):
    """More than any of them."""
    return total(mode_direct_npv_build, sourcing)


@quantity("Present value, for the choice of the cheapest", "$")
def mode_ranking(mode_direct_npv_build, mode_firm, mode_sum):
    """A mode whose nodes may be taken away at any time (spot) comes behind all others; it is used only when asked for."""
    return mode_direct_npv_build + (1 - mode_firm) * mode_sum


@quantity("Cheapest firm way to pay for nodes", "")
def cheapest_mode(mode_ranking, sourcing):
    """Lowest present value."""
    return lowest_at(mode_ranking, sourcing)


@quantity("Saving by the cheapest firm way to pay", "$")
def cheaper_mode_saving(mode_direct_npv_build, sourcing, chosen_mode, cheapest_mode):
    """Present value of the chosen mode less that of the cheapest firm one."""
    return at(mode_direct_npv_build, sourcing, chosen_mode) - at(mode_direct_npv_build, sourcing, cheapest_mode)


@check(
    "No cheaper firm way to pay is left aside",
    "nodes are paid as {chosen_mode}; {cheapest_mode} would cost {cheaper_mode_saving} less in present value",
    "alert",
)
def mode_is_cheapest(cheaper_mode_saving):
    return cheaper_mode_saving <= 0
