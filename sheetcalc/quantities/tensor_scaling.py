"""What a doubling of tensor parallelism buys, workload by workload.

Each layout runs at its own best batch (traffic is unlimited); at one given concurrency the wide layout wins more often, because fewer
replicas read the weights. Source: `step_model` solved for the batch, every term being linear in it.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, before, floor, given, highest, highest_at, least, most, when


@quantity("Memory for KV cache on a GPU", "GB")
def kv_room_per_gpu(usable_memory, weights_per_gpu):
    """Bytes; negative when the weights alone do not fit."""
    return usable_memory - weights_per_gpu


@quantity("Memory for KV cache in a replica", "GB")
def replica_kv_room(gpus_per_replica, kv_room_per_gpu):
    """Bytes."""
    return gpus_per_replica * kv_room_per_gpu


@quantity("Memory for KV cache in a node", "GB")
def node_kv_room(gpus_per_node, kv_room_per_gpu):
    """Bytes."""
    return gpus_per_node * kv_room_per_gpu


@quantity("Step of one user", "ms")
def lone_step(
    weight_read_time, lone_batch, kv_read_time, token_compute_time, step_overlap, all_reduce_slab, all_reduce_per_sequence, step_overhead
):
    """Seconds; whether a sequence fits beside the weights is not asked here."""
    return (
        most(weight_read_time + lone_batch * kv_read_time, lone_batch * token_compute_time)
        + (1 - step_overlap) * least(weight_read_time + lone_batch * kv_read_time, lone_batch * token_compute_time)
        + all_reduce_slab
        + lone_batch * all_reduce_per_sequence
        + step_overhead
    )


@quantity("Step of one user", "ms")
def user_step(lone_step, workload, short_workload):
    """Seconds, at the context of the workload that the lone user has."""
    return at(lone_step, workload, short_workload)


@quantity("KV cache, messages and overhead", "ms")
def user_step_rest(user_step, weight_read_time, all_reduce_slab):
    """Seconds: what is left of the step."""
    return user_step - weight_read_time - all_reduce_slab


@quantity("Share of all-reduces in it", "%")
def user_step_reduce_share(all_reduce_slab, lone_batch, all_reduce_per_sequence, user_step):
    """Fraction."""
    return (all_reduce_slab + lone_batch * all_reduce_per_sequence) / user_step


@quantity("Output rate of one user", "tok/s")
def user_rate(lone_batch, user_step):
    return lone_batch / user_step


@quantity("Output rate of one user, each GPU", "tok/s")
def user_rate_per_gpu(user_rate, gpus_per_replica):
    return user_rate / gpus_per_replica


@check("There is a narrower layout to compare with", "the narrowest layout has none to compare with", "alert")
def has_narrower(gpus_per_replica):
    return gpus_per_replica > 1


@quantity("Gain over the layout before", "x")
def doubling_gain(has_narrower, user_step, gpus_per_replica):
    """Below 2, and smaller with each doubling: the all-reduces do not shrink."""
    return when(has_narrower, before(user_step, gpus_per_replica, 0) / user_step)


@quantity("Batch that fits in memory", "")
def memory_batch(replica_kv_room, decode_context, kv_per_token, gpus_per_replica, kv_shards):
    """Whole sequences; KV heads do not split below one, so that a wider layout stores duplicates."""
    return most(floor(replica_kv_room * kv_shards / (gpus_per_replica * decode_context * kv_per_token)), 0)


@quantity("Batch that the TPOT target allows", "")
def target_batch(tpot_target, step_start, step_slope, compute_step_start, compute_step_slope):
    """Whole sequences: the step is linear in the batch, whether memory or compute sets the pace."""
    return most(floor(least((tpot_target - step_start) / step_slope, (tpot_target - compute_step_start) / compute_step_slope)), 0)


@quantity("Batch of this layout", "")
def layout_batch(memory_batch, target_batch):
    return least(memory_batch, target_batch)


@check("The layout can serve the workload", "not one sequence fits: memory allows {memory_batch}, the TPOT target {target_batch}")
def layout_serves(layout_batch):
    return layout_batch >= 1


@quantity("Step at its batch", "ms")
def layout_step(
    layout_serves, weight_read_time, layout_batch, kv_read_time, token_compute_time, all_reduce_slab, all_reduce_per_sequence, step_overhead
):
    """Seconds."""
    return when(
        layout_serves,
        most(weight_read_time + layout_batch * kv_read_time, layout_batch * token_compute_time)
        + all_reduce_slab
        + layout_batch * all_reduce_per_sequence
        + step_overhead,
    )


@quantity("Share of all-reduces in it", "%")
def layout_reduce_share(all_reduce_slab, layout_batch, all_reduce_per_sequence, layout_step):
    """Fraction."""
    return (all_reduce_slab + layout_batch * all_reduce_per_sequence) / layout_step


@quantity("Decode rate of a GPU", "tok/s")
def layout_rate_per_gpu(layout_batch, layout_step, gpus_per_replica):
    return layout_batch / layout_step / gpus_per_replica


@quantity("Prefill of a request, all-reduces counted apart", "ms")
def split_prefill_time(uncached_tokens, token_gemm_time, context_attention_time, cached_tokens, all_reduce_slab, all_reduce_per_sequence):
    """Seconds: matrix work, causal attention over cached and own tokens, all-reduces."""
    return (
        uncached_tokens * token_gemm_time
        + context_attention_time * uncached_tokens * (cached_tokens + uncached_tokens / 2)
        + all_reduce_slab
        + uncached_tokens * all_reduce_per_sequence
    )


@quantity("Share of all-reduces in the prefill", "%")
def split_prefill_reduce_share(all_reduce_slab, uncached_tokens, all_reduce_per_sequence, split_prefill_time):
    """Fraction."""
    return (all_reduce_slab + uncached_tokens * all_reduce_per_sequence) / split_prefill_time


@quantity("GPU time of a request", "s")
def layout_gpu_seconds(gpus_per_replica, split_prefill_time, output_tokens, layout_step, layout_batch):
    """Seconds of one GPU, everything busy."""
    return gpus_per_replica * (split_prefill_time + output_tokens * layout_step / layout_batch)


@quantity("Cost of output tokens, everything busy", "$/M tok")
def layout_cost_per_output(layout_gpu_seconds, gpu_hour_price, seconds_per_hour, output_tokens):
    """Dollars per token, the prompt's prefill included."""
    return layout_gpu_seconds * gpu_hour_price / seconds_per_hour / output_tokens


@quantity("Requests in a GPU-second", "req/s")
def layout_requests_per_gpu_second(layout_gpu_seconds):
    """1/s; 0 where the layout cannot serve the workload."""
    return given(1 / layout_gpu_seconds, 0)


@quantity("Decode rate of a GPU, 0 where nothing fits", "tok/s")
def layout_rate_or_none(layout_rate_per_gpu):
    return given(layout_rate_per_gpu, 0)


@quantity("Cheapest tensor parallelism", "")
def cheapest_tp(layout_requests_per_gpu_second, gpus_per_replica):
    """GPUs per replica; the narrower of two that cost the same."""
    return highest_at(layout_requests_per_gpu_second, gpus_per_replica)


@quantity("Tensor parallelism with the best decode rate", "")
def fastest_tp(layout_rate_or_none, gpus_per_replica):
    return highest_at(layout_rate_or_none, gpus_per_replica)


@quantity("Requests in a GPU-second at the cheapest", "req/s")
def best_requests_per_gpu_second(layout_requests_per_gpu_second, gpus_per_replica):
    """1/s."""
    return highest(layout_requests_per_gpu_second, gpus_per_replica)


@quantity("Cost above the cheapest layout", "%")
def layout_premium(best_requests_per_gpu_second, layout_gpu_seconds):
    """Fraction."""
    return best_requests_per_gpu_second * layout_gpu_seconds - 1


@quantity("Cost of the load, everything busy", "$/h")
def layout_cost_per_hour(request_rate, layout_gpu_seconds, gpu_hour_price):
    """Dollars per hour: GPU-seconds per second are GPUs."""
    return request_rate * layout_gpu_seconds * gpu_hour_price


@quantity("Reading a full memory", "ms")
def full_memory_sweep(usable_memory, reached_bandwidth):
    """Seconds, the same for every layout: only the share that is KV cache differs."""
    return usable_memory / reached_bandwidth


@quantity("All-reduces of a full batch, times its context", "ms·tok")
def full_batch_reduce_slope(all_reduce_per_sequence, replica_kv_room, kv_per_token):
    """Seconds × tokens: the batch that fills memory is this over the context."""
    return all_reduce_per_sequence * replica_kv_room / kv_per_token


@quantity("KV room of a GPU, narrow layout", "GB")
def narrow_kv_room(kv_room_per_gpu, gpus_per_replica, narrow_tp):
    return at(kv_room_per_gpu, gpus_per_replica, narrow_tp)


@quantity("KV room of a GPU, wide layout", "GB")
def wide_kv_room(kv_room_per_gpu, gpus_per_replica, wide_tp):
    return at(kv_room_per_gpu, gpus_per_replica, wide_tp)


@quantity("Fixed step, narrow layout", "ms")
def narrow_fixed(full_memory_sweep, compute_step_start, gpus_per_replica, narrow_tp):
    """Seconds."""
    return full_memory_sweep + at(compute_step_start, gpus_per_replica, narrow_tp)


@quantity("Fixed step, wide layout", "ms")
def wide_fixed(full_memory_sweep, compute_step_start, gpus_per_replica, wide_tp):
    """Seconds."""
    return full_memory_sweep + at(compute_step_start, gpus_per_replica, wide_tp)


@quantity("All-reduces of a full batch times context, narrow layout", "ms·tok")
def narrow_reduce_slope(full_batch_reduce_slope, gpus_per_replica, narrow_tp):
    return at(full_batch_reduce_slope, gpus_per_replica, narrow_tp)


@quantity("All-reduces of a full batch times context, wide layout", "ms·tok")
def wide_reduce_slope(full_batch_reduce_slope, gpus_per_replica, wide_tp):
    return at(full_batch_reduce_slope, gpus_per_replica, wide_tp)


@quantity("What the wide layout gains at long contexts", "GB·ms")
def wide_advantage(wide_kv_room, narrow_fixed, narrow_kv_room, wide_fixed):
    """Bytes × seconds."""
    return wide_kv_room * narrow_fixed - narrow_kv_room * wide_fixed


@check("The wide layout overtakes at some context", "the wide layout overtakes the narrow one at no context", "alert")
def wide_overtakes(wide_advantage):
    return wide_advantage > 0


@quantity("Context from which the wide layout decodes more per GPU", "tok")
def crossover_context(wide_overtakes, narrow_kv_room, wide_reduce_slope, wide_kv_room, narrow_reduce_slope, wide_advantage):
    """Tokens, both memories full and both steps paced by memory; whole batches make the real crossover lumpy."""
    return when(wide_overtakes, (narrow_kv_room * wide_reduce_slope - wide_kv_room * narrow_reduce_slope) / wide_advantage)
