"""How long requests wait for a server: the wait that a given share of them exceeds.

Source: Sakasegawa's chance to wait, ρ^(√(2(c + 1)) − 1), with an exponential tail of the mean wait (calculators B, section 0, S5).
Against a seeded simulation of three servers: 0.849 s where 0.816 s were simulated. A bound: about twice the simulated wait when all
prompts are alike.
"""

from sheetcalc.model import quantity
from sheetcalc.operations import ln, most, sqrt, when


def _tail_wait(load, servers, service, spread, late):
    """Seconds; load below 1, `spread` the coefficient of variation of the service time, `late` the share that may wait longer.

    The chance to wait is never taken below `late`, so that nobody waits where fewer would than may.
    """
    return ln(most(load ** (sqrt(2 * (servers + 1)) - 1), late) / late) * service * (1 + spread * spread) / (2 * servers * (1 - load))


@quantity("Wait at the percentile", "s")
def pool_wait(pool_stable, pool_load, servers, cold_time, cold_spread, late_share):
    """Seconds, cold prompts in one central queue."""
    return when(pool_stable, _tail_wait(pool_load, servers, cold_time, cold_spread, late_share))


@quantity("Wait at the percentile if every prompt were cold", "s")
def all_cold_wait(all_cold_stable, all_cold_load, servers, cold_time, cold_spread, late_share):
    """Seconds."""
    return when(all_cold_stable, _tail_wait(all_cold_load, servers, cold_time, cold_spread, late_share))


@quantity("Wait of a warm turn at the percentile", "ms")
def warm_wait(warm_stable, warm_prompt_load, warm_time, warm_spread, late_share):
    """Seconds; a session stays with its replica, so that each has a queue of its own."""
    return when(warm_stable, _tail_wait(warm_prompt_load, 1, warm_time, warm_spread, late_share))


@quantity("Wait at the percentile, routed by GPUs", "ms")
def gpu_routed_wait(gpu_routed_stable, gpu_routed_rate, pool_prefill_time, prompt_spread, late_share):
    """Seconds; each replica has a queue of its own."""
    return when(gpu_routed_stable, _tail_wait(gpu_routed_rate * pool_prefill_time, 1, pool_prefill_time, prompt_spread, late_share))


@quantity("Wait at the percentile, routed by capacity", "ms")
def unit_routed_wait(unit_routed_stable, unit_routed_rate, pool_prefill_time, prompt_spread, late_share):
    """Seconds; each replica has a queue of its own."""
    return when(unit_routed_stable, _tail_wait(unit_routed_rate * pool_prefill_time, 1, pool_prefill_time, prompt_spread, late_share))
