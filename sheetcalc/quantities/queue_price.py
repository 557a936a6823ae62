"""What a TTFT target costs in replicas, and how fast an engine may really be fed. Source: calculators A (d)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at_or_below, ceil, given, highest, known, last, lowest, when


@quantity("Replicas that the ceiling needs, exact", "")
def ceiling_replicas_exact(total_demand, queue_ceiling):
    """Work over the highest utilization."""
    return total_demand / queue_ceiling


@quantity("Replicas that the ceiling needs", "")
def ceiling_replicas(ceiling_replicas_exact):
    return ceil(ceiling_replicas_exact)


@quantity("Cost of the replicas that the ceiling needs", "$/month")
def ceiling_cost_per_month(ceiling_replicas, gpus_per_replica, gpu_hour_price, hours_per_month):
    return ceiling_replicas * gpus_per_replica * gpu_hour_price * hours_per_month


@quantity("Tightest target of the table", "s")
def tight_ttft_target(price_ttft_target):
    return lowest(price_ttft_target, price_ttft_target)


@quantity("Replicas at the tightest target", "")
def tight_ceiling_replicas(price_ceiling_replicas, price_ttft_target):
    return highest(price_ceiling_replicas, price_ttft_target)


@quantity("Cost at the tightest target", "$/month")
def tight_ceiling_cost(price_ceiling_cost_per_month, price_ttft_target):
    return highest(price_ceiling_cost_per_month, price_ttft_target)


@quantity("The engine meets the target", "")
def engine_meets(engine_ttft, ttft_target):
    """An engine that does not keep up counts as twice the target."""
    return given(engine_ttft, 2 * ttft_target) <= ttft_target


@quantity("One prompt and a step on an empty engine", "s")
def least_service(prefill_request_time, step_floor):
    return prefill_request_time + step_floor


@check(
    "The engine meets the target at some rate",
    "the TTFT target of {ttft_target:2} holds at no rate: one prompt and its step take {least_service:2}",
)
def engine_meets_somewhere(ttft_target, least_service):
    return least_service < ttft_target


@quantity("Rate at which an engine meets the target", "req/s")
def engine_rate(engine_meets_somewhere, feed_engine_meets, feed_replica_rate):
    """The last row of a table in steps of 0.1 req/s."""
    return when(engine_meets_somewhere, last(feed_engine_meets, feed_replica_rate))


@quantity("Share of a replica's work at that rate", "%")
def engine_share(engine_rate, total_demand, request_rate):
    """Its rate times the replica-seconds of a request at the planned batch."""
    return engine_rate * total_demand / request_rate


@quantity("The tightest target of the table can be met", "")
def tight_known(tight_ceiling_replicas):
    return known(tight_ceiling_replicas)


@quantity("Prompts of one length", "%")
def ceiling_equal(spread_queue_ceiling, spread_prompt_cv):
    """The ceiling by target, out of the table of targets and spreads."""
    return at_or_below(spread_queue_ceiling, spread_prompt_cv, 0)


@quantity("Spread as wide as the mean", "%")
def ceiling_mixed(spread_queue_ceiling, spread_prompt_cv):
    return at_or_below(spread_queue_ceiling, spread_prompt_cv, 1)


@quantity("Spread twice the mean", "%")
def ceiling_wild(spread_queue_ceiling, spread_prompt_cv):
    return at_or_below(spread_queue_ceiling, spread_prompt_cv, 2)
