"""A pool for warm turns and decode: sized by work and by the sessions it must hold. Source: calculators B (e)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, floor, least, most, when


@quantity("Step at the planned batch", "ms")
def planned_step(
    weight_read_time, batch, kv_read_time, token_compute_time, step_overlap, all_reduce_slab, all_reduce_per_sequence, step_overhead
):
    """Seconds."""
    return (
        most(weight_read_time + batch * kv_read_time, batch * token_compute_time)
        + (1 - step_overlap) * least(weight_read_time + batch * kv_read_time, batch * token_compute_time)
        + all_reduce_slab
        + batch * all_reduce_per_sequence
        + step_overhead
    )


@quantity("Memory for KV cache in a replica", "GB")
def warm_kv_room(gpus_per_replica, usable_memory, weights_per_gpu):
    """Bytes."""
    return gpus_per_replica * (usable_memory - weights_per_gpu)


@quantity("Sequences that fit while decoding", "")
def warm_residents(warm_kv_room, decode_context, kv_per_token):
    """Whole sequences."""
    return floor(warm_kv_room / (decode_context * kv_per_token))


@check("The batch fits in memory", "a batch of {batch:0} does not fit: {warm_residents:0} sequences at most")
def planned_batch_fits(batch, warm_residents):
    return batch <= warm_residents


@quantity("Prefill work of the warm prompts", "replica·s/s")
def warm_work(request_rate, warm_share, warm_time):
    return request_rate * warm_share * warm_time


@quantity("Decode work", "replica·s/s")
def turn_decode_work(request_rate, output_tokens, planned_step, batch):
    return request_rate * output_tokens * planned_step / batch


@quantity("Replicas that the work needs", "")
def warm_replicas_work(warm_work, turn_decode_work, utilization_cap):
    return ceil((warm_work + turn_decode_work) / utilization_cap)


@quantity("Sessions in the memory of a replica's GPUs", "")
def sessions_per_replica(warm_kv_room, session_kv):
    return warm_kv_room / session_kv


@quantity("Replicas that the sessions need", "")
def warm_replicas_sessions(residency_share, live_sessions, session_kv, warm_kv_room, host_kv_memory):
    """Half of the GPU memory is left to running sequences; host memory holds sessions too."""
    return ceil(residency_share * live_sessions * session_kv / (warm_kv_room / 2 + host_kv_memory))


@quantity("Replicas that the sessions would need without host memory", "")
def warm_replicas_no_host(residency_share, live_sessions, session_kv, warm_kv_room):
    return ceil(residency_share * live_sessions * session_kv / (warm_kv_room / 2))


@quantity("Replicas for warm turns and decode", "")
def warm_replicas(warm_replicas_work, warm_replicas_sessions):
    return most(warm_replicas_work, warm_replicas_sessions)


@check(
    "Work sets the warm pool",
    "sessions to be held set the size of the warm pool, {warm_replicas_sessions} replicas; its work needs {warm_replicas_work}",
    "alert",
)
def work_binds(warm_replicas_work, warm_replicas_sessions):
    return warm_replicas_work >= warm_replicas_sessions


@quantity("Turns that a warm replica gets", "req/s")
def turn_rate(request_rate, warm_replicas):
    """1/s."""
    return request_rate / warm_replicas


@quantity("Share of a warm replica's time that grows with its load", "%")
def warm_saturation(turn_rate, warm_share, warm_time, step_slope, output_tokens):
    """Fraction: prompts and the sequences' own part of each step."""
    return turn_rate * (warm_share * warm_time + step_slope * output_tokens)


@check("A warm replica keeps up", "overloaded: the warm pool saturates at this rate")
def warm_stable(warm_saturation):
    return warm_saturation < 1


@quantity("TPOT of the warm pool", "ms")
def warm_tpot(warm_stable, step_start, warm_saturation):
    """Seconds, mean, at the batch that the load itself makes."""
    return when(warm_stable, step_start / (1 - warm_saturation))


@quantity("Sequences running in a warm replica", "")
def warm_batch(turn_rate, output_tokens, warm_tpot):
    """Little's law."""
    return turn_rate * output_tokens * warm_tpot


@quantity("Load of a warm replica by prompts", "%")
def warm_prompt_load(turn_rate, warm_share, warm_time):
    """Fraction; sessions stay with their replica, so that each has a queue of its own."""
    return turn_rate * warm_share * warm_time


@quantity("TTFT of a warm turn at the percentile", "ms")
def warm_ttft(warm_wait, warm_time, session_fetch, warm_tpot):
    """Seconds: the wait, its prefill, the session from host memory, one step."""
    return warm_wait + warm_time + session_fetch + warm_tpot


@check("Warm turns meet their target", "a warm turn takes {warm_ttft:0} at the percentile, its target is {warm_ttft_target:0}")
def warm_meets_target(warm_ttft, warm_ttft_target):
    return warm_ttft <= warm_ttft_target
