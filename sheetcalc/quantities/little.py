"""Little's law with a duration that depends on the answer: how many sequences really run, without iteration. Source: calculators A (c).

A sequence holds its place for o steps; a step takes α + β B and the replica spends a share φ of its time on prompts, so that
B = λ o (α + β B) / (1 − φ), which is linear in B.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import most, when


@quantity("Share of a replica's time spent on prompts", "%")
def prompt_wall_share(replica_rate, prefill_request_time):
    """φ = λ s r."""
    return replica_rate * prefill_request_time


@quantity("Output tokens that a replica must make", "tok/s")
def replica_token_rate(replica_rate, output_tokens):
    return replica_rate * output_tokens


@quantity("Context of the residents over the mean context", "x")
def resident_bias(prompt_tokens, output_tokens, output_cv):
    """Long answers stay longer, so a look at a running replica sees s + (o/2)(1 + C²o), not s + o/2."""
    return (prompt_tokens + output_tokens / 2 * (1 + output_cv * output_cv)) / (prompt_tokens + output_tokens / 2)


@quantity("Step, each sequence more, at the residents' context", "µs")
def resident_rise(step_rise, resident_bias):
    return step_rise * resident_bias


@quantity("Replica time of a request at a large batch", "ms")
def request_work(prefill_request_time, output_tokens, resident_rise):
    """s r + o β: the read of the weights is shared by so many that it no longer counts."""
    return prefill_request_time + output_tokens * resident_rise


@quantity("Rate at which a replica saturates", "req/s")
def saturation_rate(prefill_request_time, output_tokens, resident_rise, sequence_compute_time):
    """1 / (s r + o max(β, γ)); above it no batch keeps up."""
    return 1 / (prefill_request_time + output_tokens * most(resident_rise, sequence_compute_time))


@quantity("Load against saturation", "%")
def saturation_load(replica_rate, saturation_rate):
    return replica_rate / saturation_rate


@check(
    "There is a steady state",
    "no steady state: {replica_rate} arrive at a replica that saturates at {saturation_rate}; the batch would grow without end",
)
def steady(replica_rate, saturation_rate):
    return replica_rate < saturation_rate


@quantity("Sequences running, prompts in the way", "")
def batch_with_prompts(
    steady, replica_token_rate, step_floor, own_prefill, prefill_request_time, output_tokens, prompt_wall_share, resident_rise
):
    """x (α − own s r / o) / (1 − φ − x β); with `own_prefill` 1 a sequence is held up by the prompts of others only."""
    return when(
        steady,
        replica_token_rate
        * (step_floor - own_prefill * prefill_request_time / output_tokens)
        / (1 - prompt_wall_share - replica_token_rate * resident_rise),
    )


@quantity("Sequences running, no prompt in the way", "")
def batch_without_prompts(steady, replica_token_rate, step_floor, resident_rise):
    """x α / (1 − x β): the least that can run."""
    return when(steady, replica_token_rate * step_floor / (1 - replica_token_rate * resident_rise))


@quantity("Sequences running if memory had no limit", "")
def unlimited_batch(batch_with_prompts, batch_without_prompts):
    return most(batch_with_prompts, batch_without_prompts)


@quantity("TPOT if memory had no limit", "ms")
def unlimited_tpot(unlimited_batch, replica_token_rate):
    """Little's law read backwards: B / (λ o), which is α / (1 − ρ) where `own_prefill` is 0."""
    return unlimited_batch / replica_token_rate


@check(
    "The running sequences fit in memory",
    "memory limited: {unlimited_batch:1} sequences would run and {resident_sequences} fit; the engine queues or preempts above "
    "{memory_rate:2}",
)
def running_fits(unlimited_batch, resident_sequences):
    return unlimited_batch <= resident_sequences


@quantity("Sequences running", "")
def running_batch(running_fits, unlimited_batch):
    """The fixed point; a step-level engine runs 4 to 8 per cent more."""
    return when(running_fits, unlimited_batch)


@quantity("TPOT at the running batch", "ms")
def running_tpot(running_fits, unlimited_tpot):
    return when(running_fits, unlimited_tpot)


@quantity("Time to decode an answer", "s")
def decode_duration(output_tokens, running_tpot):
    return output_tokens * running_tpot


@quantity("Time that a request stays", "s")
def stay_duration(prefill_request_time, decode_duration):
    return prefill_request_time + decode_duration


@quantity("Sequences resident, prompts in prefill included", "")
def resident_now(replica_rate, stay_duration):
    """Little's law, with the duration that the answer itself made."""
    return replica_rate * stay_duration


@quantity("KV cache in use by running sequences", "GB")
def running_kv(running_batch, kv_per_sequence):
    return running_batch * kv_per_sequence


@quantity("KV cache in use, prompts in prefill included", "GB")
def running_kv_with_prompts(running_kv, prompt_wall_share, kv_per_token, prompt_tokens):
    """Each prompt in prefill counts as if it were whole."""
    return running_kv + prompt_wall_share * kv_per_token * prompt_tokens


@quantity("Rate at the memory limit", "req/s")
def memory_rate(resident_sequences, output_tokens, step_floor, resident_rise, sequence_compute_time, prefill_request_time):
    """N / (o step(N) + N s r)."""
    return resident_sequences / (
        output_tokens * most(step_floor + resident_rise * resident_sequences, sequence_compute_time * resident_sequences)
        + resident_sequences * prefill_request_time
    )


@quantity("Rate at which the planned batch would really run", "req/s")
def planned_batch_rate(batch, output_tokens, step_floor, resident_rise, sequence_compute_time, prefill_request_time):
    """Below it fewer sequences run than planned."""
    return batch / (output_tokens * most(step_floor + resident_rise * batch, sequence_compute_time * batch) + batch * prefill_request_time)
