"""The time to the first audible clause, line by line, and what is left of it for the language model. Source: calculators B (f)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import least, most, when


@quantity("Lines that no model answers for, end-pointing aside", "ms")
def fixed_lines(uplink_time, recognition_time, orchestration_time, synthesis_time, downlink_time):
    """Seconds."""
    return uplink_time + recognition_time + orchestration_time + synthesis_time + downlink_time


@quantity("Everything but the language model", "ms")
def outside_time(fixed_lines, endpointing_time):
    """Seconds."""
    return fixed_lines + endpointing_time


@quantity("Left for the language model", "ms")
def voice_budget(first_audio_target, outside_time):
    """Seconds."""
    return first_audio_target - outside_time


@check(
    "Time is left for the language model",
    "no time left for the language model: the other lines take {outside_time:0} of {first_audio_target:0}",
)
def voice_time_left(voice_budget):
    return voice_budget > 0


@check("End-pointing is the largest line", "another line is larger than end-pointing, {endpointing_time:0}", "alert")
def endpointing_largest(endpointing_time, uplink_time, recognition_time, orchestration_time, synthesis_time, downlink_time):
    return endpointing_time >= most(uplink_time, recognition_time, orchestration_time, synthesis_time, downlink_time)


@quantity("Time allowed in the queue", "ms")
def queue_allowance(voice_time_left, queue_share, voice_budget):
    """Seconds."""
    return when(voice_time_left, queue_share * voice_budget)


@quantity("Prefill of what was said", "ms")
def increment_time(increment_tokens, compute_step_slope):
    """Seconds; it rides in the first of the clause's steps."""
    return increment_tokens * compute_step_slope


@quantity("Longest step allowed", "ms")
def step_budget(voice_budget, queue_allowance, increment_time, clause_tokens):
    """Seconds: what queue and prefill leave, over the tokens of the first clause."""
    return (voice_budget - queue_allowance - increment_time) / clause_tokens


@quantity("Step of a lone call", "ms")
def lone_call_step(weight_read_time, kv_read_time, token_compute_time, step_overlap, compute_step_start, all_reduce_per_sequence):
    """Seconds."""
    return (
        most(weight_read_time + kv_read_time, token_compute_time)
        + (1 - step_overlap) * least(weight_read_time + kv_read_time, token_compute_time)
        + compute_step_start
        + all_reduce_per_sequence
    )


@check("A step is fast enough", "one decode step is slower than the clause budget allows: {lone_call_step:2} against {step_budget:2}")
def step_fast_enough(lone_call_step, step_budget):
    return lone_call_step <= step_budget


@quantity("What a lone call leaves for end-pointing", "ms")
def endpointing_left(first_audio_target, fixed_lines, queue_allowance, increment_time, clause_tokens, lone_call_step):
    """Seconds: with a replica all to itself and the present allowance for the queue."""
    return first_audio_target - fixed_lines - (queue_allowance + increment_time + clause_tokens * lone_call_step)


@check("Some end-pointing can be afforded", "no end-pointing can be afforded: even a lone call uses the whole target", "alert")
def endpointing_affordable(endpointing_left):
    return endpointing_left > 0


@quantity("Longest end-pointing that the stack can afford", "ms")
def longest_endpointing(endpointing_affordable, endpointing_left):
    """Seconds."""
    return when(endpointing_affordable, endpointing_left)
