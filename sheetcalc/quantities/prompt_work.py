"""Prefill of one prompt on a replica, communication inside the share of compute that is reached (`mfu`). Source: calculators B,
section 0."""

from sheetcalc.model import quantity


@quantity("Matrix work of a prompt token", "µs")
def prompt_gemm_time(flops_per_param, active_params, gpus_per_replica, peak_compute, mfu):
    """Seconds per token on the whole replica."""
    return flops_per_param * active_params / (gpus_per_replica * peak_compute * mfu)


@quantity("Attention of a prompt token over one token of context", "µs")
def prompt_pair_time(flops_per_pair, kv_layers, query_heads, head_size, gpus_per_replica, attention_peak, mfu):
    """Seconds per token and token of context on the whole replica."""
    return flops_per_pair * kv_layers * query_heads * head_size / (gpus_per_replica * attention_peak * mfu)
