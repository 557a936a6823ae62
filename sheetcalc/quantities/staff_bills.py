"""Build or API for a company's staff: demand, bills, every break-even. Source: calculators A, f.2, and C, i.7 (file 004)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, either, first, highest, if_, most, same, when


@quantity("Output tokens of the staff per day", "Mtok/day")
def staff_tokens(staff, interactions, interaction_tokens):
    """16M a day."""
    return staff * interactions * interaction_tokens


@quantity("Mean rate of the workday", "tok/s")
def staff_mean_rate(staff_tokens, workday_hours, seconds_per_hour):
    """556 tok/s."""
    return staff_tokens / (workday_hours * seconds_per_hour)


@quantity("Peak rate of the workday", "tok/s")
def staff_peak_rate(staff_mean_rate, workday_peak):
    """1,667 tok/s; printed 1,700."""
    return staff_mean_rate * workday_peak


@quantity("Tokens that a node could make in a day", "Mtok/day")
def node_day(node_rate, hours_per_day, seconds_per_hour):
    """311M at the printed 3,600 tok/s."""
    return node_rate * hours_per_day * seconds_per_hour


@quantity("Utilization of one node", "%")
def node_use(staff_tokens, node_day):
    """The text's 5 percent is one node."""
    return staff_tokens / node_day


@quantity("Utilization of the fleet", "%")
def staff_fleet_use(staff_tokens, staff_nodes, node_day):
    """Two nodes run at 2.6%."""
    return staff_tokens / (staff_nodes * node_day)


@quantity("A node's day over the staff's day", "x")
def day_cover(node_day, staff_tokens):
    """19.4, not ten."""
    return node_day / staff_tokens


@quantity("A node over the workday's mean", "x")
def mean_cover(node_rate, staff_mean_rate):
    """6.5."""
    return node_rate / staff_mean_rate


@quantity("A node over the workday's peak", "x")
def peak_cover(node_rate, staff_peak_rate):
    """2.2."""
    return node_rate / staff_peak_rate


@quantity("A node per month", "$/month")
def staff_node_cost(node_cards, card_hour_price, hours_per_day, billed_days):
    """$7,200."""
    return node_cards * card_hour_price * hours_per_day * billed_days


@quantity("Self-hosting per month", "$/month")
def staff_build_cost(staff_nodes, staff_node_cost):
    """$14,400 for two nodes."""
    return staff_nodes * staff_node_cost


@quantity("API bill at the high price", "$/month")
def staff_api_high(staff_tokens, billed_days, api_high):
    """$4,800 over 30 days."""
    return staff_tokens * billed_days * api_high


@quantity("API bill at the low price", "$/month")
def staff_api_low(staff_tokens, billed_days, api_low):
    """$1,440 over 30 days."""
    return staff_tokens * billed_days * api_low


@quantity("API bill at the high price, workdays only", "$/month")
def staff_api_workdays(staff_tokens, workdays, api_high):
    """$3,520 over 22 workdays: demand is per workday."""
    return staff_tokens * workdays * api_high


@quantity("Self-hosting over the API at the high price", "x")
def staff_ratio_high(staff_build_cost, staff_api_high):
    """3 times."""
    return staff_build_cost / staff_api_high


@quantity("Self-hosting over the API at the low price", "x")
def staff_ratio_low(staff_build_cost, staff_api_low):
    """10 times."""
    return staff_build_cost / staff_api_low


@quantity("Volume at which this fleet's bill equals the API's", "Mtok/day")
def fixed_fleet_breakeven(staff_build_cost, api_high, billed_days):
    """48M a day: only the first crossing, with the second node as capacity."""
    return staff_build_cost / api_high / billed_days


@quantity("Employees at that volume", "")
def breakeven_staff(fixed_fleet_breakeven, interactions, interaction_tokens):
    """6,000."""
    return fixed_fleet_breakeven / (interactions * interaction_tokens)


@quantity("That volume over today's", "x")
def breakeven_growth(fixed_fleet_breakeven, staff_tokens):
    """Triples."""
    return fixed_fleet_breakeven / staff_tokens


@quantity("Peak rate at that volume", "tok/s")
def breakeven_peak(fixed_fleet_breakeven, workday_hours, seconds_per_hour, workday_peak):
    """5,000 tok/s: above one node, so that the spare is gone."""
    return fixed_fleet_breakeven / (workday_hours * seconds_per_hour) * workday_peak


@quantity("Utilization at break-even with the high price", "%")
def breakeven_use_high(fixed_fleet_breakeven, staff_nodes, node_day):
    """7.7%, not about 30."""
    return fixed_fleet_breakeven / (staff_nodes * node_day)


@quantity("Utilization at break-even with the low price", "%")
def breakeven_use_low(staff_build_cost, api_low, billed_days, staff_nodes, node_day):
    """25.7%."""
    return staff_build_cost / api_low / billed_days / (staff_nodes * node_day)


@quantity("API price at which the stated utilization breaks even", "$/M tok")
def stated_use_price(node_cards, card_hour_price, node_rate, seconds_per_hour, stated_use):
    """The 30% rule is an API at $2.57 a million: fleet $/h over the tokens of an hour at that use (two nodes over two nodes)."""
    return node_cards * card_hour_price / (node_rate * seconds_per_hour * stated_use)


# every break-even, in whole nodes: one row a number of nodes that carry


@quantity("Volume that a node carries at the workday's shape", "Mtok/day")
def node_volume_shaped(node_rate, workday_hours, seconds_per_hour, workday_peak):
    """34.56M a day."""
    return node_rate * workday_hours * seconds_per_hour / workday_peak


@quantity("Price of a volume per month", "$·day/month/tok")
def staff_api_slope(billed_days, api_high):
    """What a token a day costs in a month."""
    return billed_days * api_high


@quantity("Bill of this many nodes", "$/month")
def row_bill(staff_node_cost, carrying_nodes, spare_policy, least_nodes):
    """Nodes that carry and those that stand by, no fewer than the least."""
    return staff_node_cost * most(least_nodes, carrying_nodes + spare_policy)


@quantity("Volume from which they are needed", "Mtok/day")
def row_from(carrying_nodes, node_volume_shaped):
    """All but one of them full."""
    return (carrying_nodes - 1) * node_volume_shaped


@quantity("Volume that they carry", "Mtok/day")
def row_to(carrying_nodes, node_volume_shaped):
    """All of them full."""
    return carrying_nodes * node_volume_shaped


@quantity("API bill of the volume that they carry", "$/month")
def row_api_bill(staff_api_slope, row_to):
    """The straight line beside the staircase."""
    return staff_api_slope * row_to


@quantity("The API is cheaper where they begin", "")
def row_starts_api(staff_api_slope, row_from, row_bill):
    """1 when a further node turns the answer back to the API."""
    return staff_api_slope * row_from < row_bill


@quantity("Building is cheaper where they are full", "")
def row_ends_build(staff_api_slope, row_to, row_bill):
    """1 when the bills have crossed by then."""
    return staff_api_slope * row_to >= row_bill


@quantity("Volume of equal bills", "Mtok/day")
def row_equal(row_bill, staff_api_slope, row_from):
    """Where the API line meets the bill of these nodes."""
    return most(row_bill / staff_api_slope, row_from)


@quantity("Nodes at the first crossing", "")
def first_crossing_nodes(row_ends_build, carrying_nodes):
    """The first row whose bill the API reaches."""
    return first(row_ends_build, carrying_nodes)


@quantity("First break-even", "Mtok/day")
def staff_breakeven_first(row_equal, carrying_nodes, first_crossing_nodes):
    """Of the plan's policy."""
    return at(row_equal, carrying_nodes, first_crossing_nodes)


@check(
    "A full node costs less than the API",
    "a node costs {staff_node_cost} and replaces {node_api_value} of API when full: no volume makes building cheaper for good",
    "sensitivity",
)
def node_pays(staff_node_cost, node_api_value):
    return staff_node_cost < node_api_value


@quantity("API bill that a full node replaces", "$/month")
def node_api_value(node_volume_shaped, staff_api_slope):
    """At the workday's shape."""
    return node_volume_shaped * staff_api_slope


@quantity("Nodes, where they begin in the API's favor", "")
def row_open(row_starts_api, carrying_nodes):
    """0 elsewhere."""
    return if_(row_starts_api, carrying_nodes, 0)


@quantity("Nodes at the lasting crossing", "")
def lasting_crossing_nodes(row_open, carrying_nodes):
    """The last row that begins in the API's favor."""
    return highest(row_open, carrying_nodes)


@quantity("Lasting break-even", "Mtok/day")
def staff_breakeven_lasting(node_pays, row_equal, carrying_nodes, lasting_crossing_nodes):
    """Of the plan's policy; the headline (decision 18)."""
    return when(node_pays, at(row_equal, carrying_nodes, lasting_crossing_nodes))


@quantity("Employees at the first break-even", "")
def staff_at_first(staff_breakeven_first, interactions, interaction_tokens):
    """Volume over tokens of an employee."""
    return staff_breakeven_first / (interactions * interaction_tokens)


@quantity("Break-even of one node with the API as its spare", "Mtok/day")
def hybrid_breakeven(staff_node_cost, staff_api_slope):
    """24M a day: half the quoted figure."""
    return staff_node_cost / staff_api_slope


@quantity("Recommendation", "")
def staff_choice(staff_must_stay, staff_build_cost, staff_api_high):
    """Data that must stay decides; else the lower bill."""
    return if_(either(same(staff_must_stay, "yes"), staff_build_cost < staff_api_high), "build", "api")


@quantity("Says: build", "")
def staff_says_build(staff_choice):
    """1 when building is recommended."""
    return if_(same(staff_choice, "build"), 1, 0)
