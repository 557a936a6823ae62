"""The roofline in twenty lines: step, throughput, replica time and cost of a request from a data sheet. Source: calculators A (a)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, most, when


@quantity("Arithmetic of a token", "GFLOP")
def token_flops(flops_per_param, active_params):
    return flops_per_param * active_params


@quantity("Prefill, matrix products", "ms")
def prefill_linear_time(uncached_tokens, prefill_time):
    return uncached_tokens * prefill_time


@quantity("Prefill, attention", "ms")
def prefill_attention_time(prefill_attention_flops, replica_attention_compute):
    return prefill_attention_flops / replica_attention_compute


@quantity("Step by the roofline", "ms")
def line_step(memory_time, compute_time):
    """The longer of memory and arithmetic, and nothing else."""
    return most(memory_time, compute_time)


@quantity("Tokens a second by the roofline", "tok/s")
def line_rate(batch, line_step):
    return batch / line_step


@quantity("Replica time of a request by the roofline", "ms")
def line_work(ttft_compute, output_tokens, line_step, batch):
    """Its prefill, and its share of each of its steps."""
    return ttft_compute + output_tokens * line_step / batch


@quantity("Requests a second by the roofline", "req/s")
def line_request_rate(line_work):
    return 1 / line_work


@quantity("Cost by the roofline", "$/M tok")
def line_cost(gpus_per_replica, gpu_hour_price, seconds_per_hour, line_work, output_tokens):
    """Of output tokens, prompts included, on a replica that is busy all the time."""
    return gpus_per_replica * gpu_hour_price / seconds_per_hour * line_work / output_tokens


@check(
    "Arithmetic can bind",
    "never bound by arithmetic at this context: a sequence's KV cache takes longer to read than its token to work out",
    kind="sensitivity",
)
def arithmetic_can_bind(sequence_compute_time, kv_read_time):
    return sequence_compute_time > kv_read_time


@quantity("Batch from which arithmetic binds", "")
def ridge_batch(arithmetic_can_bind, weight_read_time, sequence_compute_time, kv_read_time):
    """B* = α / (γ − β)."""
    return when(arithmetic_can_bind, weight_read_time / (sequence_compute_time - kv_read_time))


@quantity("Chunk of a prompt from which arithmetic binds", "tok")
def ridge_chunk(bytes_per_weight, peak_compute, mfu, flops_per_param, reached_bandwidth):
    """Weights are read once a chunk: bytes × F·mfu / (2 · BW·mbu)."""
    return bytes_per_weight * peak_compute * mfu / (flops_per_param * reached_bandwidth)


@quantity("Replicas by the roofline", "")
def line_replicas(request_rate, line_work, utilization_cap):
    return ceil(request_rate * line_work / utilization_cap)


@quantity("Step with host time, all-reduces and real contexts", "ms")
def corrected_step(
    weights_read, batch, kv_per_sequence_gpu, context_bias, reached_bandwidth, compute_time, clock_ratio, all_reduce_time, overhead
):
    """B01, B02, B10 and B15; interference (B08) lengthens TPOT but is no more work."""
    return (
        most((weights_read + batch * kv_per_sequence_gpu * context_bias) / reached_bandwidth, compute_time / clock_ratio)
        + all_reduce_time
        + overhead
    )


@quantity("TPOT with interference", "ms")
def corrected_tpot(corrected_step, interference):
    return corrected_step * interference


@quantity("Replica time of a request, corrected", "ms")
def corrected_work(prefill_request_time, clock_ratio, weight_read_time, output_tokens, corrected_step, batch):
    return most(prefill_request_time / clock_ratio, weight_read_time) + output_tokens * corrected_step / batch


@quantity("Requests a second, corrected", "req/s")
def corrected_request_rate(corrected_work):
    return 1 / corrected_work


@quantity("Optimism of the roofline", "x")
def optimism(corrected_work, line_work):
    return corrected_work / line_work


@quantity("Optimism of the roofline over one", "%")
def contingency_share(optimism):
    """What to hold in reserve until the breaks are measured."""
    return optimism - 1


@quantity("Replicas, corrected", "")
def corrected_replicas(request_rate, corrected_work, utilization_cap):
    return ceil(request_rate * corrected_work / utilization_cap)


@quantity("GPUs to hold in reserve", "")
def contingency_gpus(corrected_replicas, line_replicas, gpus_per_replica):
    return (corrected_replicas - line_replicas) * gpus_per_replica


@quantity("Reserve an hour", "$/h")
def contingency_per_hour(contingency_gpus, gpu_hour_price):
    return contingency_gpus * gpu_hour_price


@quantity("Reserve a month", "$/month")
def contingency_per_month(contingency_per_hour, hours_per_month):
    return contingency_per_hour * hours_per_month
