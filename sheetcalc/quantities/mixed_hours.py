"""Batch inside the chat replicas, hour by hour: what binds, and an upper bound of what it carries. Source: calculators C, section c."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import count, floor, highest, if_, least, most, same, total


@quantity("TPOT that batch leaves chat", "ms")
def mixed_target(tpot_target, tpot_margin):
    """The target times the margin."""
    return tpot_target * tpot_margin


@quantity("Chat output of a replica", "tok/s")
def chat_rate(output_load, peak_share, carrying_replicas):
    """At this hour."""
    return output_load * peak_share / carrying_replicas


@quantity("Share of time in chat prefill", "%")
def chat_prefill_duty(prefill_demand, peak_share, carrying_replicas):
    """At this hour."""
    return prefill_demand * peak_share / carrying_replicas


@quantity("Chat sequences in a step", "")
def chat_sequences(chat_rate, mixed_target):
    """Little's law at the target."""
    return chat_rate * mixed_target


@quantity("Batch sequences that memory allows", "")
def mixed_by_memory(kv_room, kv_kept_for_chat, chat_sequences, kv_per_sequence, batch_kv):
    """Whole sequences beside chat and its bursts."""
    return most(0, floor((kv_room * (1 - kv_kept_for_chat) - chat_sequences * kv_per_sequence) / batch_kv))


@quantity("Step with chat alone", "ms")
def chat_step(weights_per_gpu, chat_sequences, kv_per_sequence_gpu, reached_bandwidth):
    """Weights once and the chat sequences' cache."""
    return (weights_per_gpu + chat_sequences * kv_per_sequence_gpu) / reached_bandwidth


@quantity("Step added by a batch sequence", "µs")
def mixed_slope(batch_kv, kv_shards, reached_bandwidth):
    """Its cache."""
    return batch_kv / (kv_shards * reached_bandwidth)


@quantity("Batch sequences that TPOT allows", "")
def mixed_by_tpot(mixed_target, chat_prefill_duty, chat_step, mixed_slope, filler_prefill):
    """Whole sequences until the chat target is met exactly."""
    return most(0, floor((mixed_target * (1 - chat_prefill_duty) - chat_step) / (mixed_slope + filler_prefill)))


@quantity("Batch sequences beside chat", "")
def mixed_sequences(max_batch, mixed_by_memory, mixed_by_tpot):
    """Whichever is least."""
    return least(max_batch, mixed_by_memory, mixed_by_tpot)


@quantity("What binds", "")
def mixed_binding(mixed_sequences, mixed_by_memory, mixed_by_tpot):
    """`KV`, `TPOT` or `batch limit`."""
    return if_(same(mixed_sequences, mixed_by_memory), "KV", if_(same(mixed_sequences, mixed_by_tpot), "TPOT", "batch limit"))


@quantity("Batch output of a replica", "tok/s")
def mixed_rate(mixed_sequences, chat_prefill_duty, chat_step, mixed_slope, filler_prefill):
    """Closed form: the time in prefill is linear in the rate."""
    return mixed_sequences * (1 - chat_prefill_duty) / (chat_step + mixed_sequences * (mixed_slope + filler_prefill))


@quantity("TPOT of chat", "ms")
def mixed_tpot(chat_step, mixed_sequences, mixed_slope, filler_prefill, chat_prefill_duty):
    """Sequences over rate: with batch beside chat, or the step alone."""
    return (chat_step + mixed_sequences * (mixed_slope + filler_prefill)) / (1 - chat_prefill_duty)


@quantity("Use of the peak arithmetic", "%")
def mixed_compute_use(chat_prefill_duty, chat_rate, mixed_rate, batch_prompt_tokens, batch_output_tokens, prefill_time):
    """Of what is reached: chat and batch, prompts and output."""
    return chat_prefill_duty + (chat_rate + mixed_rate * (batch_prompt_tokens / batch_output_tokens + 1)) * prefill_time


@quantity("Highest use of the arithmetic", "%")
def mixed_highest_use(mixed_compute_use, hour):
    """Over the day."""
    return highest(mixed_compute_use, hour)


@quantity("Hours bound by KV cache", "")
def hours_bound_by_kv(mixed_sequences, mixed_by_memory, hour):
    """Memory allows the least."""
    return count(same(mixed_sequences, mixed_by_memory), hour)


@quantity("Hours bound by TPOT", "")
def hours_bound_by_tpot(mixed_by_tpot, mixed_by_memory, mixed_sequences, hour):
    """The target allows the least, and memory more."""
    return total(same(mixed_sequences, mixed_by_tpot) * (mixed_by_tpot < mixed_by_memory), hour)


@quantity("Hours bound by the batch limit", "")
def hours_bound_by_limit(hours_in_curve, hours_bound_by_kv, hours_bound_by_tpot):
    """The rest."""
    return hours_in_curve - hours_bound_by_kv - hours_bound_by_tpot


@quantity("Batch capacity beside chat", "Mtok/day")
def mixed_capacity(mixed_rate, hour, carrying_replicas, curve_step, curve_days, seconds_per_hour):
    """An upper bound: it needs priorities at every step."""
    return total(mixed_rate, hour) * carrying_replicas * curve_step * seconds_per_hour / curve_days


@check(
    "Memory or TPOT binds, not arithmetic",
    "batch beside chat would use {mixed_highest_use} of the arithmetic: it is bound by compute",
    "sensitivity",
)
def arithmetic_has_room(mixed_highest_use):
    return mixed_highest_use < 1


@quantity("Extra time to first token", "ms")
def mixed_ttft_step(chat_step, mixed_sequences, mixed_slope):
    """A prompt waits for one step more at most."""
    return chat_step + mixed_sequences * mixed_slope


@quantity("Longest extra time to first token", "ms")
def mixed_ttft_longest(mixed_ttft_step, hour):
    """Over the day."""
    return highest(mixed_ttft_step, hour)
