"""What the charts of the finance study show."""

from sheetcalc.model import quantity
from sheetcalc.operations import ceil, given, highest, least, most


@quantity("Month, up to the horizon", "")
def shown_month(month, horizon):
    """Rows beyond the horizon stand on its last month."""
    return least(month, horizon)


@quantity("Points of the chart", "")
def view_points(view):
    """How many."""
    return highest(view, view)


@quantity("Output tokens a day", "Mtok/day")
def view_volume(view, view_points, start_volume, breakeven_lasting):
    """Up to twice today's volume, and half beyond the lasting break-even."""
    return view / view_points * most(2 * start_volume, (1 + 1 / 2) * given(breakeven_lasting, start_volume))


@quantity("Own nodes", "$/month")
def view_build_cost(build_fixed_cost, node_cost, min_nodes, view_volume, node_volume, spare_nodes):
    """Fixed cost and whole nodes, the spare ones included."""
    return build_fixed_cost + node_cost * most(min_nodes, ceil(view_volume / node_volume) + spare_nodes)


@quantity("API", "$/month")
def view_api_cost(api_fixed, api_slope, view_volume):
    """At today's list price."""
    return api_fixed + api_slope * view_volume
