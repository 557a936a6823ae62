"""One queue for the whole fleet against one queue a replica: what routing is worth. Source: calculators A (d), fleet and routing."""

from sheetcalc.model import quantity
from sheetcalc.operations import last, ln, most, poisson_at_most, poisson_exactly, sqrt, when


@quantity("Chance that every replica is busy", "%")
def all_busy(replicas, utilization_cap):
    """Erlang's C written with Poisson chances, which do not overflow."""
    return poisson_exactly(replicas, replicas * utilization_cap) / (
        poisson_exactly(replicas, replicas * utilization_cap)
        + (1 - utilization_cap) * poisson_at_most(replicas - 1, replicas * utilization_cap)
    )


@quantity("Mean wait with one central queue", "ms")
def central_wait_mean(queue_spread, all_busy, ttft_compute, replicas, utilization_cap):
    """Allen and Cunneen; 0.94 to 1.10 of simulation at 4 and 34 replicas."""
    return queue_spread / 2 * all_busy * ttft_compute / (replicas * (1 - utilization_cap))


@quantity("Mean wait with one central queue, by Sakasegawa", "ms")
def central_wait_sakasegawa(queue_spread, utilization_cap, replicas, ttft_compute):
    """The same with ρ^(√(2(c+1)) − 1) in place of Erlang's C."""
    return queue_spread / 2 * utilization_cap ** (sqrt(2 * (replicas + 1)) - 1) * ttft_compute / (replicas * (1 - utilization_cap))


@quantity("Wait at the percentile with one central queue", "ms")
def central_wait_high(ttft_compute, queue_spread, replicas, utilization_cap, all_busy, late_share):
    return ttft_compute * queue_spread / (2 * replicas * (1 - utilization_cap)) * ln(most(all_busy, late_share) / late_share)


@quantity("TTFT at the percentile with one central queue", "ms")
def central_ttft_high(ttft_compute, central_wait_high):
    return ttft_compute + central_wait_high


@quantity("The central queue meets the target", "")
def central_meets(central_ttft_high, ttft_target):
    return central_ttft_high <= ttft_target


@quantity("Highest utilization with one central queue", "%")
def central_ceiling(target_above_prefill, load_central_meets, load_utilization_cap):
    """The last row of a table of loads in half per cents."""
    return when(target_above_prefill, last(load_central_meets, load_utilization_cap))


@quantity("Wait at the percentile with least-work routing, simulated", "ms")
def least_work_wait(ttft_compute, least_work_ratio):
    """A ratio to the prefill time taken from simulation, since no formula is known."""
    return ttft_compute * least_work_ratio
