"""What one user feels: time per output token and time to the first."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import given, most


@quantity("Time per output token, worst case", "ms")
def tpot_worst(step_time, batch, own_prefill, output_tokens, prefill_request_time):
    """A step, and the prompts of the others that share the replica, none of it hidden (decision 13; 46 ms in file 000)."""
    return step_time + (batch - own_prefill) / output_tokens * prefill_request_time


@quantity("Time per output token at the promised percentile", "ms")
def tpot_promised(tpot_worst, tpot_tail):
    """Worst case of the mean times the ratio of the promised percentile to the mean."""
    return tpot_worst * tpot_tail


@check(
    "TPOT meets its target",
    "time per output token is {tpot_promised} against a target of {tpot_target}; use more GPUs a replica, a smaller batch where it "
    "is above one, or a later target",
)
def tpot_meets_target(tpot_promised, tpot_target):
    return tpot_promised <= tpot_target


@quantity("Sequences running beside a new prompt", "")
def ttft_batch(running_batch, batch):
    """The running batch that agrees with Little's law; the planned one where none does (decision 14)."""
    return given(running_batch, batch)


@quantity("Time to first token", "ms")
def ttft(
    ttft_offset,
    ttft_layer_overhead,
    layers,
    ttft_prefill_factor,
    ttft_compute,
    ttft_queue_slope,
    ttft_batch,
    step_time,
    queue_wait,
    ttft_tail,
):
    """Offset, launch of each layer, prefill stretched by the prompts before it, one step and the wait, at the promised percentile
    (decision 14)."""
    return (
        ttft_offset
        + ttft_layer_overhead * layers
        + ttft_prefill_factor * ttft_compute * (1 + ttft_queue_slope * most(0, ttft_batch - 1) / 2)
        + step_time
        + queue_wait
    ) * ttft_tail


@check(
    "TTFT meets its target",
    "time to first token is {ttft} against a target of {ttft_target}; use more GPUs a replica, cache prefixes or lower the utilization cap",
)
def ttft_meets_target(ttft, ttft_target):
    return ttft <= ttft_target
