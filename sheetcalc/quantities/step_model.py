"""One decode step taken apart: what it costs to start and what each sequence adds (communication counted apart: `gemm_mfu`).

Every term is linear in the batch, so that what a target allows comes out in closed form. Attention runs at the peak of its own format.
Source: calculators B, section 0, S4.
"""

from sheetcalc.model import quantity


@quantity("KV cache read of one sequence", "µs")
def kv_read_time(decode_context, kv_per_token, kv_shards, reached_bandwidth):
    """Seconds per step and sequence at the mean context."""
    return decode_context * kv_per_token / (kv_shards * reached_bandwidth)


@quantity("Matrix work of one token", "µs")
def token_gemm_time(flops_per_param, active_params, peak_compute, gpus_per_replica, gemm_mfu):
    """Seconds per token on the whole replica."""
    return flops_per_param * active_params / (peak_compute * gpus_per_replica * gemm_mfu)


@quantity("Attention of one token over one token of context", "µs")
def context_attention_time(flops_per_pair, kv_layers, query_heads, head_size, attention_peak, gpus_per_replica, gemm_mfu):
    """Seconds per token and token of context."""
    return flops_per_pair * kv_layers * query_heads * head_size / (attention_peak * gpus_per_replica * gemm_mfu)


@quantity("Compute of one token", "µs")
def token_compute_time(token_gemm_time, context_attention_time, decode_context):
    """Seconds per token decoded at the mean context."""
    return token_gemm_time + context_attention_time * decode_context


@quantity("Step before the first sequence", "ms")
def step_start(weight_read_time, all_reduce_slab, step_overhead):
    """Seconds: weights read once, empty all-reduces, launch."""
    return weight_read_time + all_reduce_slab + step_overhead


@quantity("Step, each sequence more, memory sets the pace", "µs")
def step_slope(kv_read_time, all_reduce_per_sequence):
    """Seconds per step and sequence."""
    return kv_read_time + all_reduce_per_sequence


@quantity("Step before the first sequence, compute sets the pace", "ms")
def compute_step_start(all_reduce_slab, step_overhead):
    """Seconds: empty all-reduces and launch."""
    return all_reduce_slab + step_overhead


@quantity("Step, each sequence more, compute sets the pace", "µs")
def compute_step_slope(token_compute_time, all_reduce_per_sequence):
    """Seconds per step and sequence."""
    return token_compute_time + all_reduce_per_sequence
