"""Decode: priced by bytes."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, if_, least, most, negate, when


@quantity("Bandwidth of a GPU, as reached", "TB/s")
def reached_bandwidth(bandwidth, mbu):
    """Data-sheet bandwidth times the share reached."""
    return bandwidth * mbu


@quantity("Share of the experts that a step reads", "%")
def expert_coverage(experts_per_token, experts, batch):
    """1 − (1 − k/E)^B: the chance that at least one of B tokens visits an expert (1 in a dense model)."""
    return if_(experts_per_token < experts, 1 - (1 - experts_per_token / most(experts, 1)) ** batch, 1)


@quantity("Weights that a step reads, per GPU", "GB")
def weights_read(params, expert_params, expert_coverage, bytes_per_weight, gpus_per_replica):
    """Dense weights once, and the experts that the batch visits."""
    return (params - expert_params * (1 - expert_coverage)) * bytes_per_weight / gpus_per_replica


@quantity("Time to read the weights", "ms")
def weight_read_time(weights_read, reached_bandwidth):
    """The floor of a step."""
    return weights_read / reached_bandwidth


@quantity("Memory time of a step", "ms")
def memory_time(batch_fits, weights_read, batch, kv_per_sequence_gpu, reached_bandwidth):
    """Weights once, and the KV cache of every running sequence (file 000)."""
    return when(batch_fits, (weights_read + batch * kv_per_sequence_gpu) / reached_bandwidth)


@quantity("Arithmetic time of one sequence in a step", "µs")
def sequence_compute_time(
    flops_per_param,
    active_params,
    replica_compute,
    attention_on,
    flops_per_pair,
    kv_layers,
    query_heads,
    query_head_size,
    decode_context,
    replica_attention_compute,
):
    """2 × active parameters, and attention over the context: 4·L·Hq·dh·context."""
    return (
        flops_per_param * active_params / replica_compute
        + attention_on * flops_per_pair * kv_layers * query_heads * query_head_size * decode_context / replica_attention_compute
    )


@quantity("Arithmetic time of a step", "ms")
def compute_time(batch, sequence_compute_time):
    """Every running sequence."""
    return batch * sequence_compute_time


@quantity("All-reduce time of a step", "ms")
def all_reduce_time(all_reduce_on, reduces_per_layer, layers, all_reduce_latency, batch, transfer_per_token, all_reduce_bandwidth):
    """Measured kernels: latency of each all-reduce, and its bytes over the bus rate (decision 6)."""
    return all_reduce_on * (reduces_per_layer * layers * all_reduce_latency + batch * transfer_per_token / all_reduce_bandwidth)


@quantity("Per-layer cost of tensor parallelism in a step", "ms")
def per_layer_tp_cost(tp_cost_on, gpus_per_replica, reduces_per_layer, layers, tp_layer_cost, batch, transfer_time):
    """Fitted: everything that does not shrink with tensor parallelism (launch gaps, norms, synchronization), not an all-reduce latency."""
    return if_(gpus_per_replica > 1, tp_cost_on * reduces_per_layer * layers * tp_layer_cost + batch * transfer_time, 0)


@check("Communication is counted once", "all_reduce_on and tp_cost_on both count communication between GPUs; set one of them to 0")
def communication_once(all_reduce_on, tp_cost_on):
    return negate(both(all_reduce_on > 0, tp_cost_on > 0))


@quantity("Overhead of a step", "ms")
def overhead(step_overhead, sequence_overhead, batch, layer_overhead, layers, experts, moe_layer_overhead):
    """Per step, per sequence and per layer (decision 5), and for routing to experts in each layer of a mixture."""
    return step_overhead + sequence_overhead * batch + (layer_overhead + if_(experts > 0, moe_layer_overhead, 0)) * layers


@quantity("Decode step", "ms")
def step_time(memory_time, compute_time, step_overlap, all_reduce_time, per_layer_tp_cost, overhead):
    """The longer of memory and arithmetic, what of the shorter is not hidden, communication, overhead (decision 5)."""
    return (
        most(memory_time, compute_time)
        + (1 - step_overlap) * least(memory_time, compute_time)
        + all_reduce_time
        + per_layer_tp_cost
        + overhead
    )


@quantity("Output tokens per second of a replica that only decodes", "tok/s")
def decode_rate(batch, step_time):
    """One token a sequence and step."""
    return batch / step_time


@quantity("Decode demand", "replica·s/s")
def decode_demand(output_load, decode_rate):
    """Replica-seconds of decode that arrive each second (file 000)."""
    return output_load / decode_rate
