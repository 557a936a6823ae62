"""What a duration taken from an empty or a full replica makes of Little's law. Source: calculators A (c), the trap in numbers."""

from sheetcalc.model import quantity


@quantity("Sequences, duration of an empty replica", "")
def naive_empty(replica_token_rate, step_floor):
    """λ o α: the step before any sequence is in it."""
    return replica_token_rate * step_floor


@quantity("Sequences, duration measured at batch 1", "")
def naive_single(replica_token_rate, step_floor, resident_rise):
    return replica_token_rate * (step_floor + resident_rise)


@quantity("Sequences, duration of a full replica without prompts", "")
def naive_full(replica_token_rate, step_floor, resident_rise, resident_sequences):
    return replica_token_rate * (step_floor + resident_rise * resident_sequences)


@quantity("Sequences after so many repetitions", "")
def repeated_guess(running_batch, naive_empty, chain_slope, repetition):
    """Each repetition B ← x (α + β B) / (1 − φ) leaves the share b of the error: near saturation it crawls."""
    return running_batch - (running_batch - naive_empty) * chain_slope**repetition


@quantity("Answer over the empty replica's", "x")
def naive_error(running_batch, naive_empty):
    return running_batch / naive_empty
