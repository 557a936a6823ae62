"""Which width each workload should have, and what the wrong one costs. Source: calculators B (b)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, count, fraction, given, if_, same, when


@check("The widths divide the node", "a width does not divide a node of {gpus_per_node} GPUs; use 1, 2, 4 … GPUs a replica")
def widths_divide_node(gpus_per_node, gpus_per_replica):
    return same(count(fraction(gpus_per_node / gpus_per_replica) > 0, gpus_per_replica), 0)


@check("The widths asked about are in the table", "{narrow_tp} or {wide_tp} GPUs a replica is not in the table; choose widths of it")
def widths_in_table(gpus_per_replica, narrow_tp, wide_tp):
    return count(same(gpus_per_replica, narrow_tp), gpus_per_replica) + count(same(gpus_per_replica, wide_tp), gpus_per_replica) >= 2


@check("A layout serves the short workload", "no layout of the table serves {short_workload}: nothing fits or meets the target")
def short_served(best_requests_per_gpu_second, workload, short_workload):
    return at(best_requests_per_gpu_second, workload, short_workload) > 0


@check("A layout serves the long workload", "no layout of the table serves {long_workload}: nothing fits or meets the target")
def long_served(best_requests_per_gpu_second, workload, long_workload):
    return at(best_requests_per_gpu_second, workload, long_workload) > 0


@quantity("Cheapest tensor parallelism, short workload", "")
def short_tp(short_served, cheapest_tp, workload, short_workload):
    """GPUs per replica."""
    return when(short_served, at(cheapest_tp, workload, short_workload))


@quantity("Cheapest tensor parallelism, long workload", "")
def long_tp(long_served, cheapest_tp, workload, long_workload):
    """GPUs per replica."""
    return when(long_served, at(cheapest_tp, workload, long_workload))


@quantity("Width with the best decode rate of a GPU, short workload", "")
def short_fast_tp(short_served, fastest_tp, workload, short_workload):
    """GPUs per replica."""
    return when(short_served, at(fastest_tp, workload, short_workload))


@quantity("Premium over the cheapest, short workload", "%")
def short_premium(layout_premium, workload, short_workload):
    """Fraction."""
    return at(layout_premium, workload, short_workload)


@quantity("Premium over the cheapest, long workload", "%")
def long_premium(layout_premium, workload, long_workload):
    """Fraction."""
    return at(layout_premium, workload, long_workload)


@quantity("Cost of the load, short workload", "$/h")
def short_cost(layout_cost_per_hour, workload, short_workload):
    """Dollars per hour, everything busy."""
    return at(layout_cost_per_hour, workload, short_workload)


@quantity("Output tokens, short workload", "$/M tok")
def short_output_cost(layout_cost_per_output, workload, short_workload):
    """Dollars per token."""
    return at(layout_cost_per_output, workload, short_workload)


@quantity("Output tokens, long workload", "$/M tok")
def long_output_cost(layout_cost_per_output, workload, long_workload):
    """Dollars per token."""
    return at(layout_cost_per_output, workload, long_workload)


@quantity("Premium of the wide layout on the short workload", "%")
def wide_short_premium(short_premium, gpus_per_replica, wide_tp):
    """Fraction."""
    return at(short_premium, gpus_per_replica, wide_tp)


@quantity("Premium of the narrow layout on the long workload", "%")
def narrow_long_premium(long_premium, gpus_per_replica, narrow_tp):
    """Fraction."""
    return at(long_premium, gpus_per_replica, narrow_tp)


@quantity("The narrow layout serves the long workload", "")
def narrow_serves_long(narrow_long_premium):
    return given(if_(narrow_long_premium >= 0, 1, 0), 0)


@quantity("The wide layout is the cheapest for the short workload", "")
def wide_is_cheapest(short_tp, wide_tp):
    return same(short_tp, wide_tp)


@quantity("Cost of the short workload at its cheapest", "$/h")
def short_cheapest_cost(short_cost, gpus_per_replica, short_tp):
    """Dollars per hour."""
    return at(short_cost, gpus_per_replica, short_tp)


@quantity("What the wide layout costs more, short workload", "$/month")
def wide_short_waste(short_cheapest_cost, wide_short_premium, hours_per_month):
    """Dollars per month at the request rate, everything busy."""
    return short_cheapest_cost * wide_short_premium * hours_per_month


@quantity("Gain of the last doubling for one user", "x")
def last_doubling(doubling_gain, gpus_per_replica, wide_tp):
    return at(doubling_gain, gpus_per_replica, wide_tp)


@quantity("Fixed all-reduces of the wide layout", "ms")
def wide_slab(all_reduce_slab, gpus_per_replica, wide_tp):
    """Seconds."""
    return at(all_reduce_slab, gpus_per_replica, wide_tp)


@quantity("Share of all-reduces in a lone user's step, wide layout", "%")
def wide_reduce_share(user_step_reduce_share, gpus_per_replica, wide_tp):
    """Fraction."""
    return at(user_step_reduce_share, gpus_per_replica, wide_tp)
