"""Tensor parallelism alone, or in stages: the same GPUs in two layouts.

A layout is a row: its GPUs, stages, micro-batches and format. A stage holds a share of the layers, and every token passes all stages,
so the weights are read `stages` times a token. Times are those of a whole token (all stages). Source: `step_model` with layers shared
out.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, count, fraction, if_, least, most, same, when


@check("Layers and GPUs split into the stages", "layers or GPUs of a layout do not split evenly into its stages; use a divisor of both")
def stages_split(layers, layout_gpus, stages, layout):
    return both(same(count(fraction(layers / stages) > 0, layout), 0), same(count(fraction(layout_gpus / stages) > 0, layout), 0))


@check(
    "The batch splits into the micro-batches", "a batch of {batch} does not split evenly into the micro-batches of a layout; use a multiple"
)
def batch_splits(batch, micro_batches, layout):
    return same(count(fraction(batch / micro_batches) > 0, layout), 0)


@quantity("GPUs that share a layer", "")
def stage_gpus(layout_gpus, stages):
    return layout_gpus / stages


@quantity("GPUs of it in one node", "")
def reduce_group(stage_gpus, gpus_per_node):
    return least(stage_gpus, gpus_per_node)


@quantity("Weights of a GPU", "GB")
def layout_weights(params, layout_weight_bytes, layout_gpus):
    """Bytes."""
    return params * layout_weight_bytes / layout_gpus


@quantity("Weights read for a token, all stages", "ms")
def layout_weight_time(stages_split, stages, layout_weights, reached_bandwidth):
    """Seconds."""
    return when(stages_split, stages * layout_weights / reached_bandwidth)


@quantity("KV read, each sequence", "µs")
def layout_kv_time(decode_context, kv_per_token, micro_batches, stage_gpus, kv_heads, reached_bandwidth):
    """Seconds: a stage reads its layers' cache of one micro-batch."""
    return decode_context * kv_per_token / (micro_batches * least(stage_gpus, kv_heads) * reached_bandwidth)


@quantity("Compute of a token, one GPU", "µs")
def gpu_token_time(
    flops_per_param, params, layout_peak, flops_per_pair, kv_layers, query_heads, head_size, decode_context, attention_peak, gemm_mfu
):
    """Seconds of one GPU."""
    return (
        flops_per_param * params / layout_peak + flops_per_pair * kv_layers * query_heads * head_size * decode_context / attention_peak
    ) / gemm_mfu


@quantity("Compute, each sequence", "µs")
def layout_compute_time(gpu_token_time, micro_batches, stage_gpus):
    """Seconds."""
    return gpu_token_time / (micro_batches * stage_gpus)


@quantity("One all-reduce of an empty message", "µs")
def group_reduce_start(reduce_group, all_reduce_base, all_reduce_hop, stage_gpus, gpus_per_node, network_reduce_latency):
    """Seconds: within the node, then between nodes if the layer is shared beyond one."""
    return if_(same(reduce_group, 1), 0, all_reduce_base + all_reduce_hop * (reduce_group - 1)) + if_(
        stage_gpus > gpus_per_node, network_reduce_latency, 0
    )


@quantity("One all-reduce, each token", "µs")
def group_reduce_per_token(
    reduce_group, hidden, bytes_per_activation, link_bandwidth, link_share, stage_gpus, gpus_per_node, nic_bandwidth, nic_share
):
    """Seconds per token: a ring in the node, and the node's share of the message over each GPU's network link."""
    return 2 * (reduce_group - 1) / reduce_group * hidden * bytes_per_activation / (link_bandwidth * link_share) + if_(
        stage_gpus > gpus_per_node, hidden * bytes_per_activation / gpus_per_node / (nic_bandwidth * nic_share), 0
    )


@quantity("Bandwidth of a hand-over, as reached", "GB/s")
def hop_bandwidth(layout_gpus, gpus_per_node, nic_bandwidth, nic_share, link_bandwidth, link_share):
    """Bytes per second of a GPU: over the network when the layout spans nodes."""
    return if_(layout_gpus > gpus_per_node, nic_bandwidth * nic_share, link_bandwidth * link_share)


@quantity("Hand-over between stages, each token", "µs")
def hop_per_token(stages, hidden, bytes_per_activation, stage_gpus, hop_bandwidth):
    """Seconds per token; each GPU of a stage sends its part."""
    return if_(same(stages, 1), 0, hidden * bytes_per_activation / stage_gpus / hop_bandwidth)


@quantity("Hand-over between stages, empty", "µs")
def hop_start(stages, layout_gpus, gpus_per_node, network_hop_latency, link_hop_latency):
    """Seconds."""
    return if_(same(stages, 1), 0, if_(layout_gpus > gpus_per_node, network_hop_latency, link_hop_latency))


@quantity("Communication and overhead that no batch changes", "ms")
def layout_fixed_time(all_reduces_per_step, group_reduce_start, stages, hop_start, step_overhead):
    """Seconds a token."""
    return all_reduces_per_step * group_reduce_start + stages * hop_start + step_overhead


@quantity("Communication, each sequence", "µs")
def layout_talk_time(all_reduces_per_step, group_reduce_per_token, stages, hop_per_token, micro_batches):
    """Seconds a token and sequence."""
    return (all_reduces_per_step * group_reduce_per_token + stages * hop_per_token) / micro_batches


@quantity("TPOT", "ms")
def layout_tpot(
    batch_splits, layout_weight_time, batch, layout_kv_time, layout_compute_time, step_overlap, layout_fixed_time, layout_talk_time
):
    """Seconds."""
    return when(
        batch_splits,
        most(layout_weight_time + batch * layout_kv_time, batch * layout_compute_time)
        + (1 - step_overlap) * least(layout_weight_time + batch * layout_kv_time, batch * layout_compute_time)
        + layout_fixed_time
        + batch * layout_talk_time,
    )
