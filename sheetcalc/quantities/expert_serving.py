"""Prefill and decode of an instance of a mixture of experts: compute, exchange of tokens between experts, coverage of the experts.

Expert imbalance is not modeled (coverage is uniform), nor a higher compute rate of 4-bit experts. Latency and link share of the
exchange are fitted to the published low-latency table of DeepEP. Source: calculators B (d).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, count, floor, if_, last, most, when


@quantity("Other nodes that a token reaches", "")
def remote_nodes(instance_nodes, experts_per_token):
    """Mean number of distinct remote nodes among the experts of a token."""
    return (instance_nodes - 1) * (1 - (1 - 1 / instance_nodes) ** experts_per_token)


@quantity("Compute of a prompt token", "µs")
def moe_prefill_compute(
    flops_per_param,
    moe_active_params,
    peak_compute,
    layers,
    query_heads,
    plain_head_size,
    rotary_size,
    value_head_size,
    prompt_tokens,
    attention_peak,
    instance_gpus,
    mfu,
):
    """Seconds on the whole instance; a prompt token sees half the prompt on average."""
    return (
        flops_per_param * moe_active_params / peak_compute
        + flops_per_param * layers * query_heads * (plain_head_size + rotary_size + value_head_size) * prompt_tokens / 2 / attention_peak
    ) / (instance_gpus * mfu)


@quantity("Exchange of a prompt token", "µs")
def moe_prefill_exchange(
    moe_layers,
    hidden,
    exchange_bytes,
    instance_nodes,
    experts_per_token,
    instance_gpus,
    link_bandwidth,
    exchange_link_share,
    remote_nodes,
    nic_bandwidth,
    exchange_nic_share,
):
    """Seconds on the whole instance: one copy for every remote node, over NVLink within one node."""
    return (
        moe_layers
        * hidden
        * exchange_bytes
        / instance_gpus
        * if_(
            instance_nodes > 1,
            remote_nodes / (nic_bandwidth * exchange_nic_share),
            experts_per_token * (instance_gpus - 1) / instance_gpus / (link_bandwidth * exchange_link_share),
        )
    )


@quantity("Prefill of a prompt token", "µs")
def moe_prefill_time(moe_prefill_compute, moe_prefill_exchange):
    """Seconds: the exchange hides behind compute, or the other way."""
    return most(moe_prefill_compute, moe_prefill_exchange)


@quantity("Share of the experts that a step reads", "%")
def instance_coverage(routing_possible, experts_per_token, experts, gpu_batch, instance_gpus):
    """Fraction of distinct experts hit by the instance's batch."""
    return when(routing_possible, 1 - (1 - experts_per_token / experts) ** (gpu_batch * instance_gpus))


@quantity("Memory time of a step", "ms")
def moe_memory_time(
    instance_coverage,
    expert_bytes,
    instance_gpus,
    replicated_bytes,
    embedding_params,
    table_weight_bytes,
    gpu_batch,
    decode_context,
    latent_kv_per_token,
    reached_bandwidth,
):
    """Seconds; of the input table only a few rows are read."""
    return (
        instance_coverage * expert_bytes / instance_gpus
        + replicated_bytes
        - embedding_params * table_weight_bytes
        + gpu_batch * decode_context * latent_kv_per_token
    ) / reached_bandwidth


@quantity("Compute time of a step", "ms")
def moe_compute_time(
    gpu_batch,
    flops_per_param,
    moe_active_params,
    peak_compute,
    layers,
    query_heads,
    latent_rank,
    rotary_size,
    decode_context,
    attention_peak,
    mfu,
):
    """Seconds; decode attends in the latent: scores over rank and rotary part, values over the rank."""
    return (
        gpu_batch
        * flops_per_param
        * (moe_active_params / peak_compute + layers * query_heads * (2 * latent_rank + rotary_size) * decode_context / attention_peak)
        / mfu
    )


@quantity("Exchange time of a step", "ms")
def moe_exchange_time(
    moe_layers,
    instance_nodes,
    node_exchange_latency,
    link_exchange_latency,
    gpu_batch,
    hidden,
    exchange_bytes,
    experts_per_token,
    nic_bandwidth,
    exchange_nic_share,
    instance_gpus,
    link_bandwidth,
    exchange_link_share,
):
    """Seconds: dispatch and combine in each layer, one copy for every expert elsewhere."""
    return moe_layers * if_(
        instance_nodes > 1,
        2 * node_exchange_latency
        + gpu_batch
        * hidden
        * exchange_bytes
        * experts_per_token
        * (instance_nodes - 1)
        / instance_nodes
        / (nic_bandwidth * exchange_nic_share),
        2 * link_exchange_latency
        + gpu_batch
        * hidden
        * exchange_bytes
        * experts_per_token
        * (instance_gpus - 1)
        / instance_gpus
        / (link_bandwidth * exchange_link_share),
    )


@quantity("Step", "ms")
def moe_step(moe_memory_time, moe_compute_time, moe_exchange_time, step_overhead):
    """Seconds."""
    return most(moe_memory_time, moe_compute_time) + moe_exchange_time + step_overhead


@quantity("Sequences that a GPU holds", "")
def gpu_batch_room(instance_kv_room, decode_context, latent_kv_per_token):
    """Whole sequences."""
    return floor(instance_kv_room / (decode_context * latent_kv_per_token))


@quantity("The batch meets target and memory", "")
def gpu_batch_serves(moe_step, tpot_target, gpu_batch, gpu_batch_room):
    return both(moe_step <= tpot_target, gpu_batch <= gpu_batch_room)


@quantity("Batches that meet target and memory", "")
def serving_batches(gpu_batch_serves, gpu_batch):
    return count(gpu_batch_serves, gpu_batch)


@check(
    "The build decodes at this target",
    "this build cannot decode at the TPOT target: one sequence on each GPU already takes longer",
    "alert",
)
def build_decodes(serving_batches):
    return serving_batches > 0


@quantity("Sequences on a GPU", "")
def best_gpu_batch(build_decodes, gpu_batch_serves, gpu_batch):
    """The largest of the table."""
    return when(build_decodes, last(gpu_batch_serves, gpu_batch))


@quantity("Step at that batch", "ms")
def best_moe_step(moe_step, gpu_batch, best_gpu_batch):
    """Seconds."""
    return at(moe_step, gpu_batch, best_gpu_batch)


@quantity("Sequences of an instance", "")
def instance_batch(best_gpu_batch, instance_gpus):
    return best_gpu_batch * instance_gpus


@quantity("Output rate of an instance", "tok/s")
def instance_rate(instance_batch, best_moe_step):
    return instance_batch / best_moe_step


@quantity("Output rate of a GPU", "tok/s")
def instance_rate_of_gpu(instance_rate, instance_gpus):
    return instance_rate / instance_gpus
