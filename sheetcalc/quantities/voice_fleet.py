"""Replicas for voice calls: by speed, with four limits on the turns that one may take, and by residency. Source: calculators B (f)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, floor, if_, least, ln, most, same, when


@quantity("Memory for KV cache in a replica", "GB")
def call_kv_room(gpus_per_replica, usable_memory, weights_per_gpu):
    """Bytes."""
    return gpus_per_replica * (usable_memory - weights_per_gpu)


@quantity("KV cache of a call", "GB")
def call_kv(decode_context, kv_per_token):
    """Bytes."""
    return decode_context * kv_per_token


@quantity("Calls in step that the step budget allows", "")
def step_budget_batch(step_budget, step_start, step_slope, compute_step_start, compute_step_slope):
    return least((step_budget - step_start) / step_slope, (step_budget - compute_step_start) / compute_step_slope)


@quantity("Calls in step at most", "")
def call_batch(step_fast_enough, step_budget_batch, call_kv_room, call_kv):
    """Whole sequences, by step budget and memory."""
    return when(step_fast_enough, floor(least(step_budget_batch, call_kv_room / call_kv)))


@quantity("Queue allowance less the step already running", "ms")
def queue_room(queue_allowance, step_budget):
    """Seconds."""
    return queue_allowance - step_budget


@check(
    "The queue allowance outlasts a step",
    "queue allowance too small for this prefill: {queue_allowance:1} allowed, the running step alone takes {step_budget:1}",
)
def queue_outlasts_step(queue_room):
    return queue_room > 0


@quantity("Load that the queue allows", "%")
def queue_load(queue_outlasts_step, queue_room, late_share, increment_time, prompt_spread, utilization_cap):
    """Fraction, conservative: everybody is taken to wait."""
    return when(
        queue_outlasts_step,
        most(0, least(utilization_cap, 1 - ln(1 / late_share) * increment_time * (1 + prompt_spread * prompt_spread) / (2 * queue_room))),
    )


@check(
    "The queue allowance leaves room for a turn",
    "queue allowance too small for this prefill: {queue_allowance:1} allowed, no load keeps within it",
)
def queue_leaves_room(queue_load):
    return queue_load > 0


@check(
    "The reply holds a clause", "a reply of {output_tokens:0} is shorter than its first clause of {clause_tokens:0}; enter a longer reply"
)
def reply_holds_clause(output_tokens, clause_tokens):
    return output_tokens >= clause_tokens


@quantity("Turns by step budget", "req/s")
def turns_by_step(step_fast_enough, step_start, step_budget, increment_time, step_slope, output_tokens):
    """1/s for each replica."""
    return when(step_fast_enough, (1 - step_start / step_budget) / (increment_time + step_slope * output_tokens))


@quantity("Turns by queue", "req/s")
def turns_by_queue(queue_leaves_room, queue_load, increment_time):
    """1/s for each replica."""
    return when(queue_leaves_room, queue_load / increment_time)


@quantity("Turns by batch", "req/s")
def turns_by_batch(call_batch, output_tokens, step_start, increment_time, step_slope):
    """1/s for each replica, Little's law at the largest batch."""
    return call_batch / (output_tokens * step_start + call_batch * (increment_time + step_slope * output_tokens))


@quantity("Turns by compute", "req/s")
def turns_by_compute(step_fast_enough, compute_step_start, step_budget, increment_time, compute_step_slope, output_tokens):
    """1/s for each replica."""
    return when(step_fast_enough, (1 - compute_step_start / step_budget) / (increment_time + compute_step_slope * output_tokens))


@quantity("Turns that a replica may take", "req/s")
def turns_of_replica(turns_by_step, turns_by_queue, turns_by_batch, turns_by_compute):
    """1/s."""
    return least(turns_by_step, turns_by_queue, turns_by_batch, turns_by_compute)


@quantity("Turns of all calls", "req/s")
def call_turns(live_calls, turn_cycle):
    """1/s."""
    return live_calls / turn_cycle


@quantity("Replicas by speed", "")
def call_replicas_speed(call_turns, turns_of_replica):
    return ceil(call_turns / turns_of_replica)


@quantity("Replicas by residency", "")
def call_replicas_residency(live_calls, call_kv, call_kv_room, kv_offload):
    """None when idle calls leave GPU memory."""
    return if_(same(kv_offload, 1), 0, ceil(live_calls * call_kv / call_kv_room))


@quantity("Replicas", "")
def call_replicas(call_replicas_speed, call_replicas_residency):
    return most(call_replicas_speed, call_replicas_residency)


@check("Speed sets the number of replicas", "memory for idle calls sets the number of replicas, {call_replicas_residency}", "alert")
def speed_binds(call_replicas_speed, call_replicas_residency):
    return call_replicas_speed >= call_replicas_residency


@quantity("GPUs", "")
def call_gpus(call_replicas, gpus_per_replica):
    return call_replicas * gpus_per_replica


@quantity("Cost", "$/h")
def call_cost(call_gpus, gpu_hour_price):
    """Dollars per hour."""
    return call_gpus * gpu_hour_price


@quantity("Cost in a month", "$/month")
def call_cost_month(call_cost, hours_per_month):
    """Dollars per month."""
    return call_cost * hours_per_month


@quantity("Cost of a call for an hour", "$/h")
def call_hour_cost(call_cost, live_calls):
    """Dollars per call-hour."""
    return call_cost / live_calls


@quantity("Turns that a replica gets", "req/s")
def replica_turns(call_turns, call_replicas):
    """1/s."""
    return call_turns / call_replicas


@quantity("TPOT", "ms")
def call_tpot(step_start, replica_turns, increment_time, step_slope, output_tokens):
    """Seconds, mean, at the batch that the load itself makes."""
    return step_start / (1 - replica_turns * (increment_time + step_slope * output_tokens))


@quantity("Sequences running in a replica", "")
def calls_in_step(replica_turns, output_tokens, call_tpot):
    """Little's law."""
    return replica_turns * output_tokens * call_tpot


@quantity("First audible clause", "ms")
def first_audio(outside_time, queue_allowance, increment_time, clause_tokens, call_tpot):
    """Seconds."""
    return outside_time + queue_allowance + increment_time + clause_tokens * call_tpot


@quantity("Time to speak a token", "ms")
def speech_tpot(speech_rate):
    """Seconds."""
    return 1 / speech_rate


@quantity("Reply against speech", "x")
def speech_margin(speech_tpot, call_tpot):
    """How much faster than speech the reply runs: later tokens can yield."""
    return speech_tpot / call_tpot


@quantity("Fetch of a call from host memory", "ms")
def call_fetch(call_kv, gpus_per_replica, host_bandwidth):
    """Seconds."""
    return call_kv / (gpus_per_replica * host_bandwidth)


@quantity("Losing a call: prefill again, every token over the whole context", "ms")
def call_prefill_full(decode_context, compute_step_slope):
    """Seconds; an upper bound."""
    return decode_context * compute_step_slope


@quantity("Losing a call: prefill again", "ms")
def call_prefill(decode_context, token_gemm_time, context_attention_time, all_reduce_per_sequence):
    """Seconds: a token sees half the context on average."""
    return decode_context * (token_gemm_time + context_attention_time * decode_context / 2 + all_reduce_per_sequence)


@check("The step budget sets the speed", "the step budget does not set the speed of a replica here", "alert")
def step_budget_binds(turns_by_step, turns_of_replica):
    return turns_by_step <= turns_of_replica


@quantity("One more millisecond, anywhere", "$/h")
def millisecond_cost(
    step_budget_binds,
    call_turns,
    increment_time,
    step_slope,
    output_tokens,
    step_start,
    step_budget,
    queue_share,
    clause_tokens,
    one_millisecond,
    gpus_per_replica,
    gpu_hour_price,
):
    """Dollars per hour, before whole replicas are counted: the slope of the replicas by step budget."""
    return when(
        step_budget_binds,
        call_turns
        * (increment_time + step_slope * output_tokens)
        * step_start
        / (step_budget - step_start) ** 2
        * (1 - queue_share)
        / clause_tokens
        * one_millisecond
        * gpus_per_replica
        * gpu_hour_price,
    )
