"""Batch on released replicas: what binds its rate, where it meets the demand, what it must fetch. Source: calculators C, section c."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, floor, if_, least, most, sqrt, when


@quantity("KV cache of a batch sequence", "MB")
def batch_kv(kv_per_token, batch_prompt_tokens, batch_output_tokens, kv_per_window_token, window):
    """At its mean context."""
    return kv_per_token * (batch_prompt_tokens + batch_output_tokens / 2) + kv_per_window_token * least(
        batch_prompt_tokens + batch_output_tokens / 2, window
    )


@quantity("Batch sequences on a released replica", "")
def filler_sequences(kv_room, batch_kv, max_batch):
    """Whole sequences."""
    return least(max_batch, floor(kv_room / batch_kv))


@check("A batch sequence fits", "not one batch sequence fits: {batch_kv} each on {kv_room}; use more GPUs a replica")
def filler_fits(filler_sequences):
    return filler_sequences >= 1


@quantity("Prefill for each batch output token", "µs")
def filler_prefill(batch_prompt_tokens, batch_output_tokens, prefill_time):
    """Its share of the prompt."""
    return batch_prompt_tokens / batch_output_tokens * prefill_time


@quantity("Step of a released replica, memory", "ms")
def filler_memory_time(weights_per_gpu, filler_sequences, batch_kv, kv_shards, reached_bandwidth):
    """Weights once and the whole cache."""
    return (weights_per_gpu + filler_sequences * batch_kv / kv_shards) / reached_bandwidth


@quantity("Step of a released replica, arithmetic", "ms")
def filler_compute_time(filler_sequences, prefill_time):
    """A token of each sequence costs what a prompt token costs."""
    return filler_sequences * prefill_time


@quantity("Step and prefill", "ms")
def filler_step(filler_memory_time, filler_compute_time, filler_sequences, filler_prefill):
    """The longer of memory and arithmetic, and the prompts that refill the batch."""
    return most(filler_memory_time, filler_compute_time) + filler_sequences * filler_prefill


@quantity("Batch output of a released replica", "tok/s")
def filler_rate(filler_fits, offline_utilization, filler_sequences, filler_step):
    """Tokens per second."""
    return when(filler_fits, offline_utilization * filler_sequences / filler_step)


@quantity("Its limit by arithmetic", "tok/s")
def filler_compute_limit(offline_utilization, batch_prompt_tokens, batch_output_tokens, prefill_time):
    """If only the peak bound it."""
    return offline_utilization / ((batch_prompt_tokens / batch_output_tokens + 1) * prefill_time)


@quantity("Share of the limit by arithmetic", "%")
def filler_compute_share(filler_rate, filler_compute_limit):
    """Below 100% something else binds."""
    return filler_rate / filler_compute_limit


@quantity("Arithmetic binds", "")
def compute_binds(filler_compute_time, filler_memory_time):
    """1 when a step is bound by arithmetic."""
    return if_(filler_compute_time > filler_memory_time, 1, 0)


@quantity("Gain of 1% more arithmetic", "%")
def compute_elasticity(compute_binds, filler_sequences, filler_prefill, filler_memory_time):
    """In percent of the rate; with bandwidth it makes 100%."""
    return if_(compute_binds > 0, 1, filler_sequences * filler_prefill / (filler_memory_time + filler_sequences * filler_prefill))


@quantity("Gain of 1% more bandwidth", "%")
def bandwidth_elasticity(compute_elasticity):
    """The rest."""
    return 1 - compute_elasticity


@quantity("Gain of 1% more room for KV cache", "%")
def room_elasticity(compute_binds, weights_per_gpu, reached_bandwidth, filler_memory_time, filler_sequences, filler_prefill):
    """A larger batch spreads the weights."""
    return if_(compute_binds > 0, 0, weights_per_gpu / reached_bandwidth / (filler_memory_time + filler_sequences * filler_prefill))


@quantity("Output above which memory binds", "tok")
def filler_equal_output(batch_prompt_tokens, prefill_time, context_decode_time):
    """Where memory takes the larger half; below it arithmetic does."""
    return -batch_prompt_tokens + sqrt(batch_prompt_tokens**2 + 2 * batch_prompt_tokens * prefill_time / context_decode_time)


@quantity("What takes the larger half of batch work", "")
def filler_binding(batch_output_tokens, filler_equal_output):
    """`memory` or `compute`."""
    return if_(batch_output_tokens > filler_equal_output, "memory", "compute")


@quantity("Batch capacity of released replicas", "Mtok/day")
def filler_capacity(batch_hours, seconds_per_hour, filler_rate):
    """Output tokens a day."""
    return batch_hours * seconds_per_hour * filler_rate


@quantity("Served from idle hours", "Mtok/day")
def filler_served(batch_demand, filler_capacity):
    """No hardware is bought for it."""
    return least(batch_demand, filler_capacity)


@quantity("Output of a replica around the clock", "Mtok/day")
def filler_day(seconds_per_hour, hours_per_day, filler_rate):
    """A dedicated replica."""
    return seconds_per_hour * hours_per_day * filler_rate


@quantity("Replicas to add for the rest", "")
def extra_replicas(batch_demand, filler_served, filler_day):
    """Whole replicas."""
    return ceil((batch_demand - filler_served) / filler_day)


@quantity("Dedicated replicas that are not needed", "")
def avoided_replicas(filler_served, filler_day):
    """What the idle hours stand in for."""
    return filler_served / filler_day


@check("Idle hours carry the batch", "idle hours serve {filler_served} of {batch_demand}: add {extra_replicas} replicas", "alert")
def idle_hours_suffice(batch_demand, filler_capacity):
    """The queue empties every day, so that a job ends within 24 hours."""
    return batch_demand <= filler_capacity
