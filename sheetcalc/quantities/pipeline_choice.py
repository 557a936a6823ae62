"""Stages or tensor parallelism alone: what a layout delivers, prefills and holds, and which format forces the second node.

Source: calculators B (c).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, first, fraction, if_, last, least, most, same, when


@quantity("Output rate", "tok/s")
def layout_rate(batch, layout_tpot):
    return batch / layout_tpot


@quantity("Output rate of a GPU", "tok/s")
def layout_rate_of_gpu(layout_rate, layout_gpus):
    return layout_rate / layout_gpus


@quantity("Memory for KV cache", "GB")
def layout_kv_room(layout_gpus, usable_memory, layout_weights):
    """Bytes of the whole replica; negative when the weights do not fit."""
    return layout_gpus * (usable_memory - layout_weights)


@check("The weights fit the layout", "weights do not fit this layout: {layout_weights} on each GPU, {usable_memory} usable")
def layout_fits(layout_kv_room):
    return layout_kv_room > 0


@quantity("Context tokens that fit", "tok")
def layout_kv_tokens(layout_fits, layout_kv_room, kv_per_token, stage_gpus, kv_heads):
    """KV heads do not split below one: wider sharing stores them twice."""
    return when(layout_fits, layout_kv_room * least(stage_gpus, kv_heads) / (kv_per_token * stage_gpus))


@quantity("Sequences that fit, exactly", "")
def layout_sequences(layout_kv_tokens, decode_context):
    return layout_kv_tokens / decode_context


@quantity("Chunks of the prompt", "")
def prompt_chunks(prompt_tokens, prefill_chunk):
    """Whole chunks."""
    return ceil(prompt_tokens / prefill_chunk)


@quantity("Tokens of a chunk", "tok")
def chunk_tokens(prompt_tokens, prompt_chunks):
    """The prompt in equal parts."""
    return prompt_tokens / prompt_chunks


@quantity("Compute of a prompt token, one GPU", "µs")
def gpu_prompt_token_time(
    flops_per_param, params, layout_peak, flops_per_pair, kv_layers, query_heads, head_size, prompt_tokens, attention_peak, gemm_mfu
):
    """Seconds of one GPU; a prompt token sees half the prompt on average."""
    return (
        flops_per_param * params / layout_peak + flops_per_pair * kv_layers * query_heads * head_size * prompt_tokens / 2 / attention_peak
    ) / gemm_mfu


@quantity("A chunk in one stage", "ms")
def chunk_slot(
    stages_split,
    chunk_tokens,
    gpu_prompt_token_time,
    layout_gpus,
    all_reduces_per_step,
    stages,
    group_reduce_start,
    group_reduce_per_token,
    hop_start,
    hop_per_token,
):
    """Seconds: a stage's share of the layers, then the hand-over."""
    return when(
        stages_split,
        chunk_tokens * gpu_prompt_token_time / layout_gpus
        + all_reduces_per_step / stages * (group_reduce_start + chunk_tokens * group_reduce_per_token)
        + hop_start
        + chunk_tokens * hop_per_token,
    )


@quantity("Prefill of the prompt", "s")
def layout_ttft(prompt_chunks, stages, chunk_slot):
    """Seconds: the last chunk leaves the last stage."""
    return (prompt_chunks + stages - 1) * chunk_slot


@quantity("Bubble", "%")
def prefill_bubble(stages, prompt_chunks):
    """Fraction of a lone prefill in which a stage idles."""
    return (stages - 1) / (prompt_chunks + stages - 1)


@quantity("Prefill rate, stages full", "tok/s")
def layout_prefill_rate(chunk_tokens, chunk_slot):
    return chunk_tokens / chunk_slot


@quantity("TPOT of tensor parallelism alone", "ms")
def tensor_tpot(layout_tpot, layout, tensor_layout):
    """Seconds."""
    return at(layout_tpot, layout, tensor_layout)


@quantity("TPOT in stages", "ms")
def staged_tpot(layout_tpot, layout, staged_layout):
    """Seconds."""
    return at(layout_tpot, layout, staged_layout)


@quantity("TPOT in stages over TPOT of tensor parallelism", "x")
def staged_tpot_ratio(staged_tpot, tensor_tpot):
    return staged_tpot / tensor_tpot


@quantity("Output rate of tensor parallelism alone", "tok/s")
def tensor_rate(batch, tensor_tpot):
    return batch / tensor_tpot


@quantity("Output rate in stages", "tok/s")
def staged_rate(batch, staged_tpot):
    return batch / staged_tpot


@quantity("Weights read more for a token in stages", "ms")
def staged_extra_weights(layout_weight_time, layout, staged_layout, tensor_layout):
    """Seconds: each stage waits while the others read theirs."""
    return at(layout_weight_time, layout, staged_layout) - at(layout_weight_time, layout, tensor_layout)


@quantity("Prefill of the prompt, tensor parallelism alone", "s")
def tensor_ttft(layout_ttft, layout, tensor_layout):
    """Seconds."""
    return at(layout_ttft, layout, tensor_layout)


@quantity("Prefill of the prompt, in stages", "s")
def staged_ttft(layout_ttft, layout, staged_layout):
    """Seconds."""
    return at(layout_ttft, layout, staged_layout)


@quantity("TPOT in stages with one micro-batch", "ms")
def lone_batch_tpot(layout_tpot, layout, lone_batch_layout):
    """Seconds: half the stages idle."""
    return at(layout_tpot, layout, lone_batch_layout)


@quantity("Gain in prefill rate from stages", "%")
def staged_prefill_gain(layout_prefill_rate, layout, staged_layout, tensor_layout):
    """Fraction."""
    return at(layout_prefill_rate, layout, staged_layout) / at(layout_prefill_rate, layout, tensor_layout) - 1


@quantity("Time before the first sequence, memory sets the pace", "ms")
def layout_memory_start(layout_weight_time, layout_fixed_time):
    """Seconds."""
    return layout_weight_time + layout_fixed_time


@quantity("Time of each sequence, memory sets the pace", "µs")
def layout_memory_slope(layout_kv_time, layout_talk_time):
    """Seconds."""
    return layout_kv_time + layout_talk_time


@quantity("Time that stages save with each sequence", "µs")
def staged_slope_saving(layout_memory_slope, layout, tensor_layout, staged_layout):
    """Seconds."""
    return at(layout_memory_slope, layout, tensor_layout) - at(layout_memory_slope, layout, staged_layout)


@check("Stages overtake at some batch", "stages overtake at no batch: they save nothing with a sequence", "alert")
def stages_overtake(staged_slope_saving):
    return staged_slope_saving > 0


@quantity("Batch from which stages decode faster, memory setting the pace", "")
def staged_crossover(stages_overtake, layout_memory_start, layout, staged_layout, tensor_layout, staged_slope_saving):
    return when(
        stages_overtake,
        most(0, at(layout_memory_start, layout, staged_layout) - at(layout_memory_start, layout, tensor_layout)) / staged_slope_saving,
    )


@quantity("Stages decode more than tensor parallelism alone", "")
def staged_ahead(staged_rate, tensor_rate):
    return staged_rate > tensor_rate


@quantity("First batch of the table at which stages decode more", "")
def staged_ahead_from(curve_staged_ahead, curve_batch):
    """Whether it fits or not."""
    return first(curve_staged_ahead, curve_batch)


@quantity("Stages of the staged layout", "")
def staged_stages(stages, layout, staged_layout):
    return at(stages, layout, staged_layout)


@check("The staged layout has stages", "{staged_layout} has one stage and is no pipeline; give it two or more")
def is_staged(staged_stages):
    return staged_stages > 1


@check("The weights fit the node", "the weights do not fit the node in {tensor_layout}: use more GPUs or fewer bytes a weight")
def tensor_layout_fits(layout_kv_room, layout, tensor_layout):
    return at(layout_kv_room, layout, tensor_layout) > 0


@quantity("Sequences that fit in the node", "")
def tensor_sequences(tensor_layout_fits, layout_sequences, layout, tensor_layout):
    return when(tensor_layout_fits, at(layout_sequences, layout, tensor_layout))


@check("The batch fits", "a batch of {batch} does not fit; {tensor_sequences:0} sequences do")
def layout_batch_fits(batch, tensor_sequences):
    return batch <= tensor_sequences


@check(
    "The crossover can be reached",
    "stages would decode faster from {staged_crossover:0} sequences on, and {tensor_sequences:0} fit",
    "alert",
)
def crossover_fits(staged_crossover, tensor_sequences):
    return staged_crossover <= tensor_sequences


@quantity("TPOT over two nodes, tensor parallelism", "ms")
def wide_node_tpot(layout_tpot, layout, wide_node_layout):
    """Seconds."""
    return at(layout_tpot, layout, wide_node_layout)


@quantity("TPOT over two nodes, a stage in each", "ms")
def staged_node_tpot(layout_tpot, layout, staged_node_layout):
    """Seconds."""
    return at(layout_tpot, layout, staged_node_layout)


@quantity("Network latency of an all-reduce at which both are equal", "µs")
def network_reduce_breakeven(network_reduce_latency, staged_node_tpot, wide_node_tpot, all_reduces_per_step):
    """Seconds; below it tensor parallelism over both nodes decodes faster."""
    return network_reduce_latency + (staged_node_tpot - wide_node_tpot) / all_reduces_per_step


@quantity("Context tokens that fit, tensor parallelism over two nodes", "tok")
def wide_node_tokens(layout_kv_tokens, layout, wide_node_layout):
    return at(layout_kv_tokens, layout, wide_node_layout)


@quantity("Context tokens that fit, a stage in each node", "tok")
def staged_node_tokens(layout_kv_tokens, layout, staged_node_layout):
    return at(layout_kv_tokens, layout, staged_node_layout)


@quantity("Weights in this format", "GB")
def format_weights(params, format_bytes):
    """Bytes."""
    return params * format_bytes


@quantity("Left in one node", "GB")
def format_room(gpus_per_node, usable_memory, format_weights):
    """Bytes; negative when the weights do not fit."""
    return gpus_per_node * usable_memory - format_weights


@quantity("Above the node's memory", "GB")
def format_over(format_weights, gpus_per_node, hbm):
    """Bytes above everything the node has, negative when below."""
    return format_weights - gpus_per_node * hbm


@quantity("Nodes", "")
def format_nodes(format_weights, usable_memory, gpus_per_node):
    """Whole nodes that the weights need."""
    return ceil(format_weights / usable_memory / gpus_per_node)


@quantity("Cost of a replica", "$/h")
def format_cost(format_nodes, gpus_per_node, gpu_hour_price):
    """Dollars per hour."""
    return format_nodes * gpus_per_node * gpu_hour_price


@quantity("Nodes in the plain format", "")
def plain_format_nodes(format_nodes, weight_format_name, plain_format):
    return at(format_nodes, weight_format_name, plain_format)


@quantity("Nodes in the chosen format", "")
def chosen_format_nodes(format_nodes, weight_format_name, chosen_format):
    return at(format_nodes, weight_format_name, chosen_format)


@check("The plain format needs more nodes", "{plain_format} needs no more nodes than {chosen_format}: it forces nothing", "alert")
def format_forces(plain_format_nodes, chosen_format_nodes):
    return plain_format_nodes > chosen_format_nodes


@quantity("Price of not quantizing, each replica", "$/h")
def plain_format_price(format_cost, weight_format_name, plain_format, chosen_format):
    """Dollars per hour."""
    return at(format_cost, weight_format_name, plain_format) - at(format_cost, weight_format_name, chosen_format)


@quantity("Price of not quantizing, each replica and month", "$/month")
def plain_format_price_month(plain_format_price, hours_per_month):
    """Dollars per month."""
    return plain_format_price * hours_per_month


@quantity("Columns of the feed-forward block on a GPU", "")
def shard_columns(ffn_width, shard_width):
    return ffn_width / shard_width


@quantity("The shards are whole quantization blocks", "")
def shard_whole(shard_columns, quant_block):
    """1 when they are: a block format refuses the layout otherwise."""
    return if_(same(fraction(shard_columns / quant_block), 0), 1, 0)


@quantity("Widest layout that the blocks allow", "")
def widest_whole_shard(shard_whole, shard_width):
    return last(shard_whole, shard_width)
