"""Speculative decoding: a small drafter proposes tokens, the model verifies them in one step.

KV reads are shared by all tokens of a verification, matrix work is not: that is why context moves the whole table. Source: expected
accepted tokens of a geometric series with acceptance `acceptance` × `acceptance_kept`^(i − 1) at position i; the step is that of
`step_model`.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, at_or_below, given, highest, highest_at, if_, least, most, running, same, when


@quantity("Drafter weights", "GB")
def drafter_weights(drafter_params, drafter_weight_bytes):
    """Bytes."""
    return drafter_params * drafter_weight_bytes


@quantity("Memory for KV cache beside the drafter", "GB")
def draft_kv_room(gpus_per_replica, usable_memory, weights_per_gpu, drafter_weights):
    """Bytes of the whole replica."""
    return gpus_per_replica * (usable_memory - weights_per_gpu) - drafter_weights


@check("The drafter fits beside the weights", "weights and drafter do not fit: {draft_kv_room} are left for the KV cache")
def drafter_fits(draft_kv_room):
    return draft_kv_room > 0


@quantity("KV cache of the batch", "GB")
def bucket_kv(bucket, decode_context, kv_per_token):
    """Bytes."""
    return bucket * decode_context * kv_per_token


@check("The batch fits in memory", "a batch of {bucket} does not fit: its KV cache is {bucket_kv} of {draft_kv_room}")
def bucket_fits(bucket_kv, draft_kv_room):
    return bucket_kv <= draft_kv_room


@quantity("Drafter pass, memory", "µs")
def drafter_memory_time(drafter_weights, bucket_kv, drafter_layers, layers, gpus_per_replica, reached_bandwidth):
    """Seconds: the drafter's weights and its layers' share of the KV cache."""
    return (drafter_weights + bucket_kv * drafter_layers / layers) / (gpus_per_replica * reached_bandwidth)


@quantity("Drafter pass, compute", "µs")
def drafter_compute_time(
    bucket,
    flops_per_param,
    drafter_params,
    flops_per_pair,
    drafter_layers,
    query_heads,
    head_size,
    decode_context,
    gpus_per_replica,
    attention_peak,
    gemm_mfu,
):
    """Seconds; the drafter runs in the attention's format."""
    return (
        bucket
        * (flops_per_param * drafter_params + flops_per_pair * drafter_layers * query_heads * head_size * decode_context)
        / (gpus_per_replica * attention_peak * gemm_mfu)
    )


@quantity("Drafter pass", "µs")
def drafter_pass(
    drafter_memory_time,
    drafter_compute_time,
    step_overlap,
    drafter_layers,
    layers,
    all_reduce_slab,
    bucket,
    all_reduce_per_sequence,
    drafter_launch,
):
    """Seconds for one drafted token of every sequence."""
    return (
        most(drafter_memory_time, drafter_compute_time)
        + (1 - step_overlap) * least(drafter_memory_time, drafter_compute_time)
        + drafter_layers / layers * (all_reduce_slab + bucket * all_reduce_per_sequence)
        + drafter_launch
    )


@quantity("Verification, memory", "ms")
def verify_memory_time(weight_read_time, bucket, kv_read_time):
    """Seconds: weights once, the KV cache once, whatever the draft."""
    return weight_read_time + bucket * kv_read_time


@quantity("Verification, compute", "ms")
def verify_compute_time(bucket, draft, token_compute_time):
    """Seconds: every drafted token and the one after it."""
    return bucket * (draft + 1) * token_compute_time


@quantity("Verification, all-reduces", "ms")
def verify_all_reduce_time(all_reduce_slab, bucket, draft, all_reduce_per_sequence):
    """Seconds."""
    return all_reduce_slab + bucket * (draft + 1) * all_reduce_per_sequence


@quantity("Step with this draft", "ms")
def draft_step(verify_memory_time, verify_compute_time, step_overlap, verify_all_reduce_time, step_overhead, draft, drafter_pass):
    """Seconds: one verification and the drafter's passes."""
    return (
        most(verify_memory_time, verify_compute_time)
        + (1 - step_overlap) * least(verify_memory_time, verify_compute_time)
        + verify_all_reduce_time
        + step_overhead
        + draft * drafter_pass
    )


@quantity("Share of drafts accepted up to this position", "%")
def draft_survival(measured_survival, draft, acceptance, acceptance_kept):
    """Fraction: the measured one if there is one, else independent acceptances that decay by position."""
    return given(measured_survival, if_(same(draft, 0), 1, acceptance**draft * acceptance_kept ** (draft * (draft - 1) / 2)))


@quantity("Tokens a verification yields", "tok")
def tokens_per_verification(draft_survival, draft):
    """The token that the model itself adds is draft 0."""
    return running(draft_survival, draft)


@quantity("Step without a draft", "ms")
def plain_step(draft_step, draft):
    """Seconds."""
    return at(draft_step, draft, 0)


@quantity("Gain over no draft", "x")
def draft_gain(bucket_fits, tokens_per_verification, plain_step, draft_step):
    """Tokens per second against no draft at all."""
    return when(bucket_fits, tokens_per_verification * plain_step / draft_step)


@quantity("Best draft length", "tok")
def best_draft(draft_gain, draft):
    """The shorter of two that gain the same."""
    return highest_at(draft_gain, draft)


@quantity("Gain at the best length", "x")
def best_gain(draft_gain, draft):
    return highest(draft_gain, draft)


@quantity("Gain at the fixed length", "x")
def fixed_gain(draft_gain, draft, fixed_draft):
    return at_or_below(draft_gain, draft, fixed_draft)


@quantity("TPOT at the best length", "ms")
def best_draft_tpot(plain_step, best_gain):
    """Seconds per token of one user."""
    return plain_step / best_gain


@quantity("Output rate at the best length", "tok/s")
def best_draft_rate(bucket, best_draft_tpot):
    """Tokens per second of a replica."""
    return bucket / best_draft_tpot


@quantity("Output rate without a draft", "tok/s")
def plain_rate(bucket, best_gain, best_draft_rate):
    """Tokens per second of a replica; missing where the batch does not fit."""
    return best_draft_rate / best_gain


@quantity("What drafting leaves when compute sets the pace", "%")
def compute_bound_gain(tokens_per_verification, draft):
    """Below 1 for every draft: there speculation can only lose."""
    return tokens_per_verification / (draft + 1)


@quantity("Compute less KV reads, each sequence", "µs")
def verify_turning_slope(draft, token_compute_time, kv_read_time):
    """Seconds per sequence; negative when no batch is large enough for compute to set the pace."""
    return (draft + 1) * token_compute_time - kv_read_time


@check("A batch exists at which compute sets the pace", "never: at this context KV reads grow faster than compute", "alert")
def turns_compute_bound(verify_turning_slope):
    return verify_turning_slope > 0


@quantity("Batch at which compute sets the pace", "")
def compute_bound_batch(turns_compute_bound, weight_read_time, verify_turning_slope):
    return when(turns_compute_bound, weight_read_time / verify_turning_slope)


@quantity("KV cache read of one token of context", "µs")
def kv_token_read_time(kv_per_token, kv_shards, reached_bandwidth):
    """Seconds."""
    return kv_per_token / kv_shards / reached_bandwidth


@quantity("KV reads less attention, each context token", "µs")
def verify_context_slope(kv_token_read_time, draft, context_attention_time):
    """Seconds per context token."""
    return kv_token_read_time - (draft + 1) * context_attention_time


@check(
    "A context exists above which compute never sets the pace", "none: attention over the context grows faster than its KV reads", "alert"
)
def context_outgrows_compute(verify_context_slope):
    return verify_context_slope > 0


@quantity("Context above which compute never sets the pace", "tok")
def compute_free_context(context_outgrows_compute, draft, token_gemm_time, verify_context_slope):
    return when(context_outgrows_compute, (draft + 1) * token_gemm_time / verify_context_slope)
