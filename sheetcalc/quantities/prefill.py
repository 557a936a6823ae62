"""Prefill: priced by arithmetic."""

from sheetcalc.model import quantity
from sheetcalc.operations import if_, most


@quantity("Arithmetic of a replica", "TFLOP/s")
def replica_compute(gpus_per_replica, peak_compute, mfu, experts, moe_mfu_factor):
    """Peak of its GPUs times the share reached; experts reach a smaller share."""
    return gpus_per_replica * peak_compute * mfu * if_(experts > 0, moe_mfu_factor, 1)


@quantity("Attention arithmetic of a replica", "TFLOP/s")
def replica_attention_compute(gpus_per_replica, attention_peak, mfu):
    """Peak of the format that attention runs in (decision 4) times the share reached."""
    return gpus_per_replica * attention_peak * mfu


@quantity("Bytes moved between GPUs per token", "kB")
def transfer_per_token(gpus_per_replica, reduces_per_layer, layers, hidden, bytes_per_activation):
    """Two all-reduces a layer, each GPU sending 2(g−1)/g of the activations of one token (ring all-reduce)."""
    return reduces_per_layer * layers * hidden * bytes_per_activation * 2 * (gpus_per_replica - 1) / gpus_per_replica


@quantity("Transfer time per token", "µs")
def transfer_time(tp_cost_on, transfer_per_token, link_share, link_bandwidth):
    """Bytes over the share of the link that is reached; switched off in the textbook profile."""
    return tp_cost_on * transfer_per_token / (link_share * link_bandwidth)


@quantity("Prefill time per prompt token", "µs")
def prefill_time(flops_per_param, active_params, replica_compute, transfer_time):
    """2 × active parameters over the arithmetic of a replica (file 000), and the transfers between its GPUs."""
    return flops_per_param * active_params / replica_compute + transfer_time


@quantity("Attention arithmetic of a prompt", "TFLOP")
def prefill_attention_flops(attention_on, flops_per_pair, kv_layers, query_heads, query_head_size, uncached_tokens, cached_tokens):
    """4·L·Hq·dh·u·(past + u/2), u uncached tokens after `past` cached ones (decision 4)."""
    return (
        attention_on * flops_per_pair * kv_layers * query_heads * query_head_size * uncached_tokens * (cached_tokens + uncached_tokens / 2)
    )


@quantity("Prefill time of a request", "ms")
def prefill_request_time(uncached_tokens, prefill_time, prefill_attention_flops, replica_attention_compute):
    """All uncached tokens, and their attention."""
    return uncached_tokens * prefill_time + prefill_attention_flops / replica_attention_compute


@quantity("Prefill demand", "replica·s/s")
def prefill_demand(request_rate, prefill_request_time):
    """Replica-seconds of prefill that arrive each second (file 000)."""
    return request_rate * prefill_request_time


@quantity("Compute time to the first token", "ms")
def ttft_compute(prefill_request_time, weight_read_time):
    """Prefill of the prompt, and at least one read of the weights (decision 5)."""
    return most(prefill_request_time, weight_read_time)
