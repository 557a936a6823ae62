"""Routing by the number of GPUs against routing by capacity units: what each pool then sees, and what counting GPUs gets wrong.

Source: calculators B (g); TPOT is the mean at the batch that the load itself makes, the TTFT a bound.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, ceil, given, if_, lowest, most, when


def _tpot(rate, start, work, compute_start, compute_work):
    """Seconds at a request rate per replica, whichever of memory and compute sets the pace."""
    return most(start / (1 - rate * work), compute_start / (1 - rate * compute_work))


@quantity("Demand", "req/s")
def unit_demand(own_demand, load_share, fleet_units):
    """What was entered, else a share of the fleet's capacity."""
    return given(own_demand, load_share * fleet_units)


@quantity("Share of GPUs", "%")
def gpu_routed_share(pool_gpus, fleet_gpus):
    """Fraction."""
    return pool_gpus / fleet_gpus


@quantity("Share of capacity", "%")
def unit_routed_share(fleet_serves, pool_units, fleet_units):
    """Fraction."""
    return when(fleet_serves, pool_units / fleet_units)


@quantity("Load over capacity, routed by GPUs", "%")
def gpu_routed_use(pool_serves, unit_demand, gpu_routed_share, pool_units):
    """Fraction."""
    return when(pool_serves, unit_demand * gpu_routed_share / pool_units)


@quantity("Requests of a replica, routed by GPUs", "req/s")
def gpu_routed_rate(unit_demand, gpu_routed_share, pool_replicas):
    return unit_demand * gpu_routed_share / pool_replicas


@quantity("Requests of a replica, routed by capacity", "req/s")
def unit_routed_rate(unit_demand, unit_routed_share, pool_replicas):
    return unit_demand * unit_routed_share / pool_replicas


@check("Routed by GPUs the queue is stable", "overloaded: the queue grows without bound", "alert")
def gpu_routed_stable(gpu_routed_rate, pool_request_work, pool_compute_work):
    return gpu_routed_rate * most(pool_request_work, pool_compute_work) < 1


@check("Routed by capacity the queue is stable", "overloaded: the queue grows without bound", "alert")
def unit_routed_stable(unit_routed_rate, pool_request_work, pool_compute_work):
    return unit_routed_rate * most(pool_request_work, pool_compute_work) < 1


@quantity("TPOT, routed by GPUs", "ms")
def gpu_routed_tpot(gpu_routed_stable, gpu_routed_rate, step_start, pool_request_work, compute_step_start, pool_compute_work):
    """Seconds, mean."""
    return when(gpu_routed_stable, _tpot(gpu_routed_rate, step_start, pool_request_work, compute_step_start, pool_compute_work))


@quantity("TPOT, routed by capacity", "ms")
def unit_routed_tpot(unit_routed_stable, unit_routed_rate, step_start, pool_request_work, compute_step_start, pool_compute_work):
    """Seconds, mean."""
    return when(unit_routed_stable, _tpot(unit_routed_rate, step_start, pool_request_work, compute_step_start, pool_compute_work))


@quantity("TTFT at the percentile, routed by GPUs", "ms")
def gpu_routed_ttft(gpu_routed_wait, pool_prefill_time, tpot_target):
    """Seconds: the wait, its prefill, one step at its target."""
    return gpu_routed_wait + pool_prefill_time + tpot_target


@quantity("TTFT at the percentile, routed by capacity", "ms")
def unit_routed_ttft(unit_routed_wait, pool_prefill_time, tpot_target):
    """Seconds: the wait, its prefill, one step at its target."""
    return unit_routed_wait + pool_prefill_time + tpot_target


@quantity("Routed by GPUs the pool holds its targets", "")
def gpu_routed_holds(gpu_routed_tpot, tpot_target, gpu_routed_ttft, ttft_target, gpu_routed_rate, output_tokens, pool_kv_batch):
    """1 when TPOT, TTFT and memory hold, all after rounding to nine digits as whole machines are; 0 also when its queue has no end."""
    return given(
        if_(
            both(
                ceil(gpu_routed_tpot / tpot_target) <= 1,
                ceil(gpu_routed_ttft / ttft_target) <= 1,
                ceil(gpu_routed_rate * output_tokens * gpu_routed_tpot - pool_kv_batch) <= 0,
            ),
            1,
            0,
        ),
        0,
    )


@quantity("Routed by capacity the pool holds its targets", "")
def unit_routed_holds(unit_routed_tpot, tpot_target, unit_routed_ttft, ttft_target, unit_routed_rate, output_tokens, pool_kv_batch):
    """1 when TPOT, TTFT and memory hold, all after rounding to nine digits as whole machines are; 0 also when its queue has no end."""
    return given(
        if_(
            both(
                ceil(unit_routed_tpot / tpot_target) <= 1,
                ceil(unit_routed_ttft / ttft_target) <= 1,
                ceil(unit_routed_rate * output_tokens * unit_routed_tpot - pool_kv_batch) <= 0,
            ),
            1,
            0,
        ),
        0,
    )


@quantity("Worst pool, routed by GPUs", "")
def gpu_routing_holds(gpu_routed_holds, pool):
    """1 when every pool holds its targets."""
    return lowest(gpu_routed_holds, pool)


@quantity("Worst pool, routed by capacity", "")
def unit_routing_holds(unit_routed_holds, pool):
    """1 when every pool holds its targets."""
    return lowest(unit_routed_holds, pool)


@check("Routing by GPUs holds the targets", "routed by the number of GPUs, {first_pool} gets {first_pool_use:0} of its capacity", "alert")
def gpu_routing_works(gpu_routing_holds):
    return gpu_routing_holds > 0


@check(
    "Routing by capacity holds the targets",
    "even routed by capacity a pool misses its targets: the demand is {unit_demand:0} of {fleet_units:0}",
)
def unit_routing_works(unit_routing_holds):
    return unit_routing_holds > 0


@quantity("Load over capacity of the first pool, routed by GPUs", "%")
def first_pool_use(gpu_routed_use, pool, first_pool):
    """Fraction."""
    return at(gpu_routed_use, pool, first_pool)


@quantity("Demand at which the pool is full, routed by GPUs", "req/s")
def gpu_routed_capacity(pool_units, gpu_routed_share):
    return pool_units / gpu_routed_share


@quantity("Largest demand, routed by GPUs", "req/s")
def gpu_routing_capacity(gpu_routed_capacity, pool):
    """The slower pool breaks first."""
    return lowest(gpu_routed_capacity, pool)


@quantity("Capacity that routing by GPUs strands", "%")
def stranded_share(fleet_serves, gpu_routing_capacity, fleet_units):
    """Fraction of the fleet's capacity."""
    return when(fleet_serves, 1 - gpu_routing_capacity / fleet_units)


@quantity("What the stranded capacity costs", "$/month")
def stranded_cost(stranded_share, fleet_cost, hours_per_month):
    """Dollars per month."""
    return stranded_share * fleet_cost * hours_per_month


@quantity("All GPUs counted as the first kind", "req/s")
def counted_as_first(unit_per_gpu, pool, first_pool, fleet_gpus):
    return at(unit_per_gpu, pool, first_pool) * fleet_gpus


@quantity("All GPUs counted as the last kind", "req/s")
def counted_as_last(unit_per_gpu, pool, last_pool, fleet_gpus):
    return at(unit_per_gpu, pool, last_pool) * fleet_gpus


@quantity("Error of counting all as the first kind", "%")
def counting_error_first(fleet_serves, counted_as_first, fleet_units):
    """Fraction."""
    return when(fleet_serves, counted_as_first / fleet_units - 1)


@quantity("Error of counting all as the last kind", "%")
def counting_error_last(fleet_serves, counted_as_last, fleet_units):
    """Fraction."""
    return when(fleet_serves, counted_as_last / fleet_units - 1)


@check("The first pool serves the mix", "{first_pool} cannot serve this mix", "alert")
def first_pool_serves(replica_unit, pool, first_pool):
    return at(replica_unit, pool, first_pool) > 0


@quantity("Capacity of a GPU, last kind over first", "x")
def unit_ratio(first_pool_serves, unit_per_gpu, pool, last_pool, first_pool):
    return when(first_pool_serves, at(unit_per_gpu, pool, last_pool) / at(unit_per_gpu, pool, first_pool))


@quantity("Growth in the first kind", "$/h")
def growth_cost_first(growth_cost, pool, first_pool):
    """Dollars per hour."""
    return at(growth_cost, pool, first_pool)


@quantity("Growth in the last kind", "$/h")
def growth_cost_last(growth_cost, pool, last_pool):
    """Dollars per hour."""
    return at(growth_cost, pool, last_pool)


@quantity("Growth in the cheapest kind", "$/h")
def growth_cost_cheapest(growth_cost, pool, cheapest_growth):
    """Dollars per hour."""
    return at(growth_cost, pool, cheapest_growth)


@quantity("GPUs of the growth in the cheapest kind", "")
def growth_gpus_cheapest(growth_gpus, pool, cheapest_growth):
    return at(growth_gpus, pool, cheapest_growth)


@quantity("TTFT of the first pool, routed by GPUs", "ms")
def first_pool_gpu_routed_ttft(gpu_routed_ttft, pool, first_pool):
    """Seconds."""
    return at(gpu_routed_ttft, pool, first_pool)


@quantity("TTFT of the first pool, routed by capacity", "ms")
def first_pool_unit_routed_ttft(unit_routed_ttft, pool, first_pool):
    """Seconds."""
    return at(unit_routed_ttft, pool, first_pool)
