"""Own nodes for the base load, the API for peaks and failures: the best number of nodes in each month, in closed form.

A node more is kept while what it serves is worth more at the API than it costs; that worth never rises with the number of nodes, so the
first
failure is the best (calculators C, i.6). With theta = node cost over the worth of an hour of a full node, and the k-th busiest hour, k =
theta
rounded up: nodes that are full in the k busiest hours pay, and at most one more.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, ceil, floor, highest, if_, least, most, nth_highest, total, when


@quantity("Share of the day's tokens in the hour", "%")
def hour_share(day_curve, curve_total):
    """The curve over its sum."""
    return day_curve / curve_total


@quantity("Highest hour of the curve over its mean", "x")
def curve_peak_factor(hour_share, hour, curve_hours):
    """What the hybrid's nodes see."""
    return highest(hour_share, hour) * curve_hours


@quantity("Peak over the mean of the day, for which nodes are sized", "x")
def sized_peak_factor(peak_factor, hours_per_day, active_hours):
    """Peak factor of the active hours, over the whole day."""
    return peak_factor * hours_per_day / active_hours


@check(
    "Building and the hybrid serve the same day",
    "the day curve peaks at {curve_peak_factor:2} its mean and the nodes of building are sized for {sized_peak_factor:2}: the hybrid "
    "is worked out for another day; make the curve and the peak factor agree",
    "alert",
)
def same_day(curve_peak_factor, sized_peak_factor, curve_tolerance):
    return both(
        curve_peak_factor - sized_peak_factor <= curve_tolerance * sized_peak_factor,
        sized_peak_factor - curve_peak_factor <= curve_tolerance * sized_peak_factor,
    )


@quantity("Output tokens a node gives in an hour, a day", "Mtok/day")
def node_hour(node_rate, utilization_cap, seconds_per_hour, one_hour_daily):
    """Rate × utilization cap, one hour of each day."""
    return node_rate * utilization_cap * seconds_per_hour * one_hour_daily


@quantity("API price of a million tokens a day, a month", "$·day/Mtok/month")
def hybrid_price(api_slope, api_price_path):
    """At the price of the month."""
    return api_slope * api_price_path


@quantity("Full hours a day in which a node earns its cost", "")
def paying_hours(node_cost, hybrid_price, node_hour):
    """Node cost over the API value of one hour a day."""
    return node_cost / (hybrid_price * node_hour)


@quantity("Hours in a curve", "")
def curve_hours(hour):
    """24."""
    return highest(hour, hour) + 1


@quantity("Such hours, whole", "")
def paying_rank(paying_hours, curve_hours):
    """Rounded up, at least one and no more than the day has."""
    return most(1, least(curve_hours, ceil(paying_hours)))


@quantity("A node can pay at all", "")
def node_can_pay(paying_hours, curve_hours):
    """0 where a node that is full all day still costs more than the API."""
    return if_(paying_hours <= curve_hours, 1, 0)


@quantity("Share of tokens in the hour that decides", "%")
def deciding_share(hour_share, hour, paying_rank):
    """The k-th busiest hour."""
    return nth_highest(hour_share, hour, paying_rank)


@quantity("Node-hours of the month's daily tokens", "")
def hybrid_load(start_volume, node_hour, growth, month):
    """Daily volume over what a node gives in an hour."""
    return start_volume / node_hour * (1 + growth) ** (month - 1)


@quantity("Nodes that are full in that hour", "")
def full_nodes(hybrid_load, deciding_share):
    """They pay."""
    return floor(hybrid_load * deciding_share)


@quantity("Busy hours of one node more", "")
def next_node_hours(hybrid_load, hour_share, full_nodes, hour):
    """Hours above the full nodes, each counted by how much of the next node it fills."""
    return total((hybrid_load * hour_share - full_nodes) * (hybrid_load * hour_share > full_nodes), hour) - total(
        (hybrid_load * hour_share - full_nodes - 1) * (hybrid_load * hour_share > full_nodes + 1), hour
    )


@quantity("Nodes that pay", "")
def paying_nodes(node_can_pay, full_nodes, next_node_hours, paying_hours):
    """The full ones, and one more where it is busy enough."""
    return node_can_pay * (full_nodes + if_(next_node_hours >= paying_hours, 1, 0))


@quantity("Node-hours that those nodes serve", "")
def served_load(hybrid_load, hour_share, paying_nodes, hour):
    """The load of each hour, but no more than the nodes give."""
    return total(
        hybrid_load * hour_share * (hybrid_load * hour_share <= paying_nodes) + paying_nodes * (hybrid_load * hour_share > paying_nodes),
        hour,
    )


@quantity("Saving of the nodes before fixed cost", "$/month")
def hybrid_node_saving(hybrid_price, node_hour, served_load, node_cost, paying_nodes):
    """API value of what they serve less what they cost."""
    return hybrid_price * node_hour * served_load - node_cost * paying_nodes


@quantity("Own nodes are used in the month", "")
def hybrid_on(in_build, hybrid_node_saving, build_fixed_cost, hybrid_fixed):
    """1 where the saving carries the fixed cost of building and of running both; else all goes to the API (calculators C, i.6)."""
    return if_(hybrid_node_saving > build_fixed_cost + hybrid_fixed, in_build, 0)


@quantity("Hybrid: own nodes", "")
def hybrid_nodes(hybrid_on, paying_nodes):
    """Without spare ones: the API is the spare."""
    return hybrid_on * paying_nodes


@quantity("Hybrid bill", "$/month")
def hybrid_bill(in_horizon, api_fixed, hybrid_price, node_hour, hybrid_load, hybrid_on, hybrid_node_saving, build_fixed_cost, hybrid_fixed):
    """The whole load at the API less what the nodes save, at list price without a commitment."""
    return in_horizon * (api_fixed + hybrid_price * node_hour * hybrid_load) - hybrid_on * (
        hybrid_node_saving - build_fixed_cost - hybrid_fixed
    )


@quantity("Hybrid uses own nodes in some month", "")
def hybrid_used(hybrid_on, month):
    """1 when it does; then the setup is paid."""
    return highest(hybrid_on, month)


@quantity("Present value of the hybrid", "$")
def npv_hybrid(hybrid_used, setup_cost, hybrid_bill, month_discount, month, one_month):
    """Setup where nodes are used, and month-end bills over their discount factors."""
    return hybrid_used * setup_cost + total(hybrid_bill / month_discount, month) * one_month


@quantity("Hybrid over the horizon, not discounted", "$")
def hybrid_total(hybrid_used, setup_cost, hybrid_bill, month, one_month):
    """Sum of the monthly bills."""
    return hybrid_used * setup_cost + total(hybrid_bill, month) * one_month


# the least volume at which own nodes beside the API pay, in a steady month


@quantity("Fewest own nodes that pay beside the API", "")
def beside_nodes(node_pays_when_full, build_fixed_cost, hybrid_fixed, full_node_value, node_cost):
    """Each full node earns its worth less its cost; together they must carry people and the cost of running both."""
    return when(node_pays_when_full, most(1, ceil((build_fixed_cost + hybrid_fixed) / (full_node_value - node_cost))))


@quantity("Least volume at which own nodes beside the API pay", "Mtok/day")
def hybrid_first_volume(build_fixed_cost, hybrid_fixed, node_cost, beside_nodes, api_slope):
    """Their cost over the API value of a daily token, no node above what it is planned to carry (24M a day in calculators C, i.7,
    correction 5)."""
    return (build_fixed_cost + hybrid_fixed + node_cost * beside_nodes) / api_slope
