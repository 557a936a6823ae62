"""The capacity unit: requests per second of a stated mix at which TTFT at the percentile and TPOT both hold, by pool of GPUs.

Every limit in closed form, plugged back it gives exactly its target. Source: calculators B (g).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, count, fraction, given, highest_at, if_, least, ln, most, same, total, when


@quantity("Prefill of a request", "ms")
def pool_prefill_time(prompt_tokens, prompt_gemm_time, prompt_pair_time):
    """Seconds, communication inside the utilization; a prompt token sees half the prompt on average."""
    return prompt_tokens * prompt_gemm_time + prompt_tokens * prompt_tokens / 2 * prompt_pair_time


@quantity("Work of a request at a large batch, memory sets the pace", "ms")
def pool_request_work(pool_prefill_time, step_slope, output_tokens):
    """Replica-seconds: its prefill, and its own part of each step."""
    return pool_prefill_time + step_slope * output_tokens


@quantity("Work of a request at a large batch, compute sets the pace", "ms")
def pool_compute_work(pool_prefill_time, compute_step_slope, output_tokens):
    """Replica-seconds."""
    return pool_prefill_time + compute_step_slope * output_tokens


@quantity("Sequences that fit, exactly", "")
def pool_kv_batch(usable_memory, weights_per_gpu, kv_shards, decode_context, kv_per_token):
    """0 when the weights leave nothing."""
    return most(usable_memory - weights_per_gpu, 0) * kv_shards / (decode_context * kv_per_token)


@quantity("Limit by TPOT", "req/s")
def unit_by_tpot(step_start, tpot_target, pool_request_work):
    """0 when an empty step already takes the target."""
    return most(1 - step_start / tpot_target, 0) / pool_request_work


@quantity("Limit by TPOT, compute sets the pace", "req/s")
def unit_by_compute(compute_step_start, tpot_target, pool_compute_work):
    return most(1 - compute_step_start / tpot_target, 0) / pool_compute_work


@quantity("Time that a request may wait", "ms")
def unit_slack(ttft_target, pool_prefill_time, tpot_target):
    """Seconds: the target less prefill and one step at its target."""
    return ttft_target - pool_prefill_time - tpot_target


@check("The TTFT target leaves time to wait", "prefill and one step take the whole TTFT target", "alert")
def unit_has_slack(unit_slack):
    return unit_slack > 0


@quantity("Load of prompts that the TTFT target allows", "%")
def unit_prompt_load(unit_has_slack, late_share, pool_prefill_time, prompt_spread, unit_slack):
    """Fraction, conservative: everybody is taken to wait."""
    return when(
        unit_has_slack, most(0, 1 - ln(1 / late_share) * pool_prefill_time * (1 + prompt_spread * prompt_spread) / (2 * unit_slack))
    )


@quantity("Limit by TTFT", "req/s")
def unit_by_ttft(unit_prompt_load, pool_prefill_time):
    """0 when no time is left to wait."""
    return given(unit_prompt_load / pool_prefill_time, 0)


@quantity("Limit by KV cache", "req/s")
def unit_by_memory(pool_kv_batch, output_tokens, step_start, pool_request_work):
    """Little's law at a full memory."""
    return pool_kv_batch / (output_tokens * step_start + pool_kv_batch * pool_request_work)


@quantity("Capacity unit of a replica", "req/s")
def replica_unit(unit_by_tpot, unit_by_compute, unit_by_ttft, unit_by_memory):
    return least(unit_by_tpot, unit_by_compute, unit_by_ttft, unit_by_memory)


@quantity("What binds", "")
def unit_binding(replica_unit, unit_by_tpot, unit_by_compute, unit_by_ttft):
    """The first limit that is as low as the unit."""
    return if_(
        same(replica_unit, unit_by_tpot),
        "TPOT",
        if_(same(replica_unit, unit_by_compute), "TPOT, compute", if_(same(replica_unit, unit_by_ttft), "TTFT", "KV cache")),
    )


@check("The pool serves the mix", "the pool cannot serve this mix: one of its limits is 0", "alert")
def pool_serves(replica_unit):
    return replica_unit > 0


@check("GPUs are whole replicas", "a pool's GPUs are not a multiple of its GPUs per replica; change one of them")
def pools_are_whole(pool_gpus, gpus_per_replica, pool):
    return same(count(fraction(pool_gpus / gpus_per_replica) > 0, pool), 0)


@quantity("Replicas", "")
def pool_replicas(pool_gpus, gpus_per_replica):
    return pool_gpus / gpus_per_replica


@quantity("Capacity of a GPU", "req/s")
def unit_per_gpu(replica_unit, gpus_per_replica):
    return replica_unit / gpus_per_replica


@quantity("Capacity of the pool", "req/s")
def pool_units(pool_replicas, replica_unit):
    return pool_replicas * replica_unit


@quantity("Cost of one request a second", "$/h")
def unit_cost(pool_serves, one_request_rate, gpus_per_replica, gpu_hour_price, replica_unit):
    """Dollars per hour for one request per second."""
    return when(pool_serves, one_request_rate * gpus_per_replica * gpu_hour_price / replica_unit)


@quantity("Capacity of the fleet", "req/s")
def fleet_units(pool_units, pool):
    return total(pool_units, pool)


@check("A pool serves the mix", "no pool can serve this mix within TTFT and TPOT; loosen a target or use more GPUs a replica")
def fleet_serves(fleet_units):
    return fleet_units > 0


@quantity("GPUs of the fleet", "")
def fleet_gpus(pool_gpus, pool):
    return total(pool_gpus, pool)


@quantity("Cost of a pool", "$/h")
def pool_cost(pool_gpus, gpu_hour_price):
    """Dollars per hour."""
    return pool_gpus * gpu_hour_price


@quantity("Cost of the fleet", "$/h")
def fleet_cost(pool_cost, pool):
    """Dollars per hour."""
    return total(pool_cost, pool)


@quantity("Cost of one request a second, whole fleet", "$/h")
def fleet_unit_cost(fleet_serves, one_request_rate, fleet_cost, fleet_units):
    """Dollars per hour for one request per second."""
    return when(fleet_serves, one_request_rate * fleet_cost / fleet_units)


@quantity("GPUs for the growth", "")
def growth_gpus(pool_serves, growth_rate, replica_unit, gpus_per_replica):
    """Whole replicas."""
    return when(pool_serves, ceil(growth_rate / replica_unit) * gpus_per_replica)


@quantity("Growth in this generation", "$/h")
def growth_cost(growth_gpus, gpu_hour_price):
    """Dollars per hour."""
    return growth_gpus * gpu_hour_price


@quantity("Hours of the growth for a dollar", "h/$")
def growth_hours_per_dollar(growth_cost):
    """0 where the pool cannot serve."""
    return given(1 / growth_cost, 0)


@quantity("Cheapest growth", "")
def cheapest_growth(growth_hours_per_dollar, pool):
    return highest_at(growth_hours_per_dollar, pool)
