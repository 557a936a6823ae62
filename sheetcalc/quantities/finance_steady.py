"""Every volume at which the two bills of a steady month cross: one row for each number of busy nodes, roots and jumps, exact.

Own nodes come whole, so their bill is a staircase and the API line may cross it many times (calculators C, i.3). A steady month has today's
list price, no commitment, and nodes for good.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, before, both, ceil, first, given, highest, if_, most, same, when


@quantity("Cost of a GPU kept for good, an hour", "$/h")
def steady_price(reserving, reserved_price, unreserved_price):
    """Reserved where that pays."""
    return if_(same(reserving, 1), reserved_price, unreserved_price)


@quantity("Staff, licences and network of a node, a month", "$/month")
def node_overhead(staff_per_node, staff_cost, months_per_year, licence_price, gpus_per_node, node_extras):
    """What each node brings with it, however it is paid for (calculators C, i.2)."""
    return staff_per_node * staff_cost / months_per_year + licence_price * gpus_per_node / months_per_year + node_extras


@quantity("Write-off of an owned node, a month", "$/month")
def node_writeoff(owning, node_purchase, node_life, one_month):
    """Price over life; 0 for rented nodes."""
    return owning * node_purchase / node_life / one_month


@quantity("A node kept for good, a month", "$/month")
def node_cost(steady_price, hours_per_month, gpus_per_node, node_overhead, node_writeoff, node_site_cost, node_maintenance):
    """Rent or write-off, and all that comes with the node (calculators C, i.7: $9,392.67)."""
    return steady_price * hours_per_month * gpus_per_node + node_overhead + node_writeoff + node_site_cost + node_maintenance


@quantity("Fixed cost of building, a month", "$/month")
def build_fixed_cost(staff_fixed, staff_cost, months_per_year, storage_cost):
    """People and storage that do not depend on nodes (calculators C, i.7: $18,833.33)."""
    return staff_fixed * staff_cost / months_per_year + storage_cost


@quantity("API bill for a million tokens a day, a month", "$·day/Mtok/month")
def api_slope(api_unit_price, days_per_month):
    """Price times days: what the monthly bill rises by with the daily volume."""
    return api_unit_price * days_per_month


@quantity("API bill for what a node carries, a month", "$/month")
def full_node_value(api_slope, node_volume):
    """What a full node saves."""
    return api_slope * node_volume


@check(
    "A full node costs less than the API",
    "a node costs {node_cost} and carries at most {full_node_value} of API usage: no volume makes building cheaper for good",
    "sensitivity",
)
def node_pays_when_full(full_node_value, node_cost):
    return full_node_value > node_cost


@quantity("Busy nodes beyond which building always wins", "")
def settled_nodes(node_pays_when_full, build_fixed_cost, node_cost, spare_nodes, full_node_value, api_fixed, idle_floor):
    """No crossing lies beyond this row and the next (calculators C, i.3)."""
    return when(
        node_pays_when_full,
        most(
            1,
            ceil((build_fixed_cost + node_cost * spare_nodes + full_node_value - api_fixed) / (full_node_value - node_cost)),
            idle_floor + 1,
        ),
    )


@check(
    "The table of crossings is long enough",
    "bills cross beyond {segments_listed} nodes: the lasting break-even is not in the table",
    "sensitivity",
)
def crossings_complete(settled_nodes, segments_listed):
    return settled_nodes < segments_listed


@quantity("Rows of the table of crossings", "")
def segments_listed(segment):
    """Numbers of busy nodes that are looked at."""
    return highest(segment, segment)


# one row for each number of busy nodes


@quantity("From", "Mtok/day")
def segment_from(segment, node_volume):
    """Volume that the nodes of the row before carry."""
    return (segment - 1) * node_volume


@quantity("To", "Mtok/day")
def segment_to(segment, node_volume):
    """Volume that these nodes carry."""
    return segment * node_volume


@quantity("Building, a month", "$/month")
def segment_cost(build_fixed_cost, node_cost, min_nodes, segment, spare_nodes):
    """Fixed cost and whole nodes, the spare ones included."""
    return build_fixed_cost + node_cost * most(min_nodes, segment + spare_nodes)


@quantity("API at the start of the row, a month", "$/month")
def segment_api_from(api_fixed, api_slope, segment_from):
    """Just above the volume where the row begins."""
    return api_fixed + api_slope * segment_from


@quantity("API at the end of the row, a month", "$/month")
def segment_api_to(api_fixed, api_slope, segment_to):
    """Where these nodes are full."""
    return api_fixed + api_slope * segment_to


@quantity("Building is cheaper at the start of the row", "")
def build_wins_from(segment_api_from, segment_cost):
    """1 when it is, or costs the same."""
    return if_(segment_api_from >= segment_cost, 1, 0)


@quantity("Building is cheaper at the end of the row", "")
def build_wins_to(segment_api_to, segment_cost):
    """1 when it is, or costs the same."""
    return if_(segment_api_to >= segment_cost, 1, 0)


@quantity("A new node turns the answer", "")
def jump_crossing(build_wins_to, segment, build_wins_from):
    """1 where the answer at the start differs from that at the end of the row before."""
    return if_(same(before(build_wins_to, segment, 0), build_wins_from), 0, 1)


@quantity("Volume of equal bills with these nodes", "Mtok/day")
def equal_volume(segment_cost, api_fixed, api_slope):
    """Where the API line meets this step."""
    return (segment_cost - api_fixed) / api_slope


@quantity("The bills meet within the row", "")
def root_crossing(build_wins_from, build_wins_to):
    """1 where the API is cheaper at the start and building at the end; the line rises and the step is flat, so that is the only way."""
    return if_(both(same(build_wins_from, 0), same(build_wins_to, 1)), 1, 0)


@quantity("Any crossing in the row", "")
def has_crossing(jump_crossing, root_crossing):
    """A jump at its start, a root within, or both."""
    return jump_crossing + root_crossing > 0


@quantity("First crossing of the row", "Mtok/day")
def row_first_crossing(jump_crossing, segment_from, equal_volume):
    """The jump comes before the root."""
    return if_(same(jump_crossing, 1), segment_from, equal_volume)


@quantity("Last crossing of the row", "Mtok/day")
def row_last_crossing(root_crossing, equal_volume, segment_from):
    """The root comes after the jump."""
    return if_(same(root_crossing, 1), equal_volume, segment_from)


@quantity("Number of the row, where it has a crossing", "")
def crossing_row(has_crossing, segment):
    """0 elsewhere."""
    return if_(has_crossing, segment, 0)


@quantity("First row with a crossing", "")
def first_crossing_row(has_crossing, segment):
    """Missing where the bills never cross."""
    return first(has_crossing, segment)


@quantity("Last row with a crossing", "")
def last_crossing_row(crossing_row, segment):
    """0 where the bills never cross."""
    return highest(crossing_row, segment)


@quantity("First break-even of the monthly bills", "Mtok/day")
def breakeven_first(row_first_crossing, segment, first_crossing_row):
    """A new node may turn the answer back: quote the lasting one (calculators C, i.3)."""
    return at(row_first_crossing, segment, first_crossing_row)


@quantity("Row of the lasting break-even", "")
def lasting_row(crossings_complete, last_crossing_row):
    """There is one only where a full node pays, and the table reaches it."""
    return when(crossings_complete, most(1, last_crossing_row))


@quantity("Lasting break-even of the monthly bills", "Mtok/day")
def breakeven_lasting(row_last_crossing, segment, lasting_row):
    """From here on building stays cheaper: the figure to quote (calculators C, i.3)."""
    return at(row_last_crossing, segment, lasting_row)


@quantity("There is a lasting break-even", "")
def breakeven_found(breakeven_lasting):
    """1 when there is one."""
    return given(if_(breakeven_lasting >= 0, 1, 0), 0)


# how busy the nodes are


@quantity("Nodes in the first month of service", "")
def first_nodes(min_nodes, start_nodes, spare_nodes):
    """For the volume of the start."""
    return most(min_nodes, ceil(start_nodes) + spare_nodes)


@quantity("What a node gives when never idle", "Mtok/day")
def node_full_day(node_rate, seconds_per_hour, hours_per_day):
    """Rate times the seconds of a day."""
    return node_rate * seconds_per_hour * hours_per_day


@quantity("Utilization of all nodes over the day", "%")
def build_utilization(start_volume, first_nodes, node_full_day):
    """Tokens over what the nodes could give (6.31% in calculators C, i.7)."""
    return start_volume / (first_nodes * node_full_day)


@quantity("Utilization at which the bills are equal", "%")
def breakeven_utilization(build_fixed_cost, first_nodes, node_cost, api_slope, node_full_day):
    """(F / n + c) over the API value of a full node: the '30% rule' is this ratio and no constant (calculators C, i.3)."""
    return (build_fixed_cost / first_nodes + node_cost) / (api_slope * node_full_day)
