"""Tensor parallelism over eight GPUs, or over four in two stages: 405B on H100s. Source: calculators B (c).

| symbol | name | symbol | name |
|---|---|---|---|
| tp | stage_gpus | pp | stages |
| B | batch | T8, TPOT | layout_tpot |
| ctx, S, chunk | decode_context, prompt_tokens, prefill_chunk | Tw | layout_weight_time |
| p2p | hop_start, hop_per_token | a_n, b_n | group_reduce_start, group_reduce_per_token |
| B* | staged_crossover | n, slot | prompt_chunks, chunk_slot |
| alpha_x | network_reduce_latency | AR_x | group_reduce_start, group_reduce_per_token of a layout wider than a node |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import collectives, decode, memory, pipeline, pipeline_choice
from sheetcalc.studies.worked_inputs import ARITHMETIC, BF16_CACHE, EFFICIENCY, GPU, H100, OVERLAP, PLAN_KNOWS, PRICE, REDUCE
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (c)"
LLAMA = "quoted: Llama 3.1 405B model card and configuration"
LAYOUTS = ["FP8, TP 8", "FP8, TP 4 in 2 stages", "FP8, TP 4 in 2 stages, one batch", "BF16, TP 8 in 2 stages", "BF16, TP 16"]
FORMATS = ["BF16", "FP8", "FP4"]
BATCHES = [2.0**n for n in range(1, 13)]

INPUTS = (
    EFFICIENCY
    | REDUCE
    | ARITHMETIC
    | GPU
    | OVERLAP
    | BF16_CACHE
    | PRICE
    | {
        "params": Input(405.85e9, "Gparam", "Parameters", LLAMA, **POSITIVE),
        "layers": Input(126.0, "", "Layers", LLAMA, **COUNT),
        "kv_layers": Input(126.0, "", "Layers with full attention", LLAMA, **COUNT),
        "hidden": Input(16384.0, "", "Width of the model", LLAMA, **COUNT),
        "query_heads": Input(128.0, "", "Query heads", LLAMA, **COUNT),
        "kv_heads": Input(8.0, "", "KV heads", LLAMA, **COUNT),
        "head_size": Input(128.0, "", "Elements of a head", LLAMA, **COUNT),
        "kv_tensors": Input(2.0, "", "Tensors kept of a token", "defined: keys and values", **COUNT),
        "ffn_width": Input(53248.0, "", "Width of the feed-forward block", LLAMA, **COUNT),
        "batch": Input(64.0, "", "Batch", "chosen: worked example", **COUNT),
        "decode_context": Input(2150.0, "tok", "Context while decoding", "assumed: worked example", **POSITIVE),
        "prompt_tokens": Input(8192.0, "tok", "Prompt to prefill", "assumed: worked example", **POSITIVE),
        "prefill_chunk": Input(1024.0, "tok", "Chunk of a prompt", "chosen: worked example", **POSITIVE),
        "gpus_per_node": Input(8.0, "", "GPUs in a node", "quoted: HGX H100", **COUNT),
        "nic_bandwidth": Input(50e9, "GB/s", "Network link of a GPU, one direction", f"{H100}: 400 Gb/s", **POSITIVE),
        "nic_share": Input(0.85, "%", "Share of the network link reached", "assumed: worked example", **SHARE),
        "link_hop_latency": Input(10e-6, "µs", "Hand-over between stages in a node, empty", "assumed: worked example", **AT_LEAST_0),
        "network_hop_latency": Input(
            30e-6,
            "µs",
            "Hand-over between stages over the network, empty",
            "assumed: worked example, half of an all-reduce between nodes",
            **AT_LEAST_0,
        ),
        "network_reduce_latency": Input(
            60e-6, "µs", "All-reduce between nodes, empty", "assumed: worked example; tuned libraries report less", **AT_LEAST_0
        ),
        "quant_block": Input(128.0, "", "Block of a block-quantized checkpoint", "quoted: FP8 block scaling", **COUNT),
        "tensor_layout": Input(LAYOUTS[0], "", "Tensor parallelism alone", "chosen", choices=tuple(LAYOUTS)),
        "staged_layout": Input(LAYOUTS[1], "", "In stages", "chosen", choices=tuple(LAYOUTS)),
        "lone_batch_layout": Input(LAYOUTS[2], "", "In stages with one micro-batch", "chosen", choices=tuple(LAYOUTS)),
        "staged_node_layout": Input(LAYOUTS[3], "", "A stage in each node", "chosen", choices=tuple(LAYOUTS)),
        "wide_node_layout": Input(LAYOUTS[4], "", "Tensor parallelism over both nodes", "chosen", choices=tuple(LAYOUTS)),
        "plain_format": Input("BF16", "", "Format without quantization", "chosen", choices=tuple(FORMATS)),
        "chosen_format": Input("FP8", "", "Format in one node", "chosen", choices=tuple(FORMATS)),
    }
)

STUDY = Study(
    name="tp_or_pp",
    title="TP or pipeline: two layouts of the same GPUs",
    purpose="Which layout the same GPUs should have, and which weight format makes the choice for you.",
    functions=quantities(pipeline, pipeline_choice)
    | some(collectives, "all_reduces_per_step")
    | some(memory, "usable_memory", "kv_per_token_layer", "kv_per_token")
    | some(decode, "reached_bandwidth"),
    inputs=INPUTS,
    grids=[
        Grid(
            "layouts",
            "The same model in five layouts",
            rows={},
            columns={"layout": Input(LAYOUTS, "", "Layout", "chosen")},
            typed={
                "layout_gpus": Input([8.0, 8.0, 8.0, 16.0, 16.0], "", "GPUs", SPEC, **COUNT),
                "stages": Input([1.0, 2.0, 2.0, 2.0, 1.0], "", "Stages", SPEC, **COUNT),
                "micro_batches": Input([1.0, 2.0, 1.0, 2.0, 1.0], "", "Micro-batches", SPEC, **COUNT),
                "layout_weight_bytes": Input([1.0, 1.0, 1.0, 2.0, 2.0], "B", "Bytes of a weight", SPEC, **POSITIVE),
                "layout_peak": Input(
                    [1979e12, 1979e12, 1979e12, 989e12, 989e12], "TFLOP/s", "Peak of the format", f"{H100}, dense", **POSITIVE
                ),
            },
            show=[
                "layout_tpot",
                "layout_rate",
                "layout_weights",
                "layout_kv_tokens",
                "layout_sequences",
                "layout_ttft",
                "prefill_bubble",
                "layout_prefill_rate",
                "layout_memory_start",
                "layout_memory_slope",
            ],
        ),
        Grid(
            "formats",
            "What fits a node",
            rows={"weight_format_name": Input(FORMATS, "", "Format", "chosen")},
            typed={"format_bytes": Input([2.0, 1.0, 0.5], "B", "Bytes of a weight", f"{SPEC}: scales of FP4 left out", **POSITIVE)},
            show=["format_weights", "format_room", "format_over", "format_nodes", "format_cost"],
        ),
        Grid(
            "curve",
            "Both layouts by batch",
            rows={"batch": BATCHES},
            columns="layout",
            show=["tensor_tpot", "staged_tpot", "tensor_rate", "staged_rate", "staged_ahead"],
        ),
        Grid(
            "shards",
            "Quantization blocks in a shard",
            rows={"shard_width": Input([1.0, 2.0, 4.0, 8.0, 16.0], "", "GPUs that share a layer", "chosen", **COUNT)},
            show=["shard_columns", "shard_whole"],
        ),
    ],
    claims=[
        Claim("all_reduces_per_step", 252.0, SPEC),
        Claim("tensor_sequences", 143.24899351698042, SPEC),
        Claim("tensor_tpot", 0.029036510287152473, SPEC),
        Claim("staged_tpot", 0.04736377018093845, SPEC),
        Claim("lone_batch_tpot", 0.05193445578476247, SPEC),
        Claim("tensor_rate", 2204.1216167880034, SPEC),
        Claim("staged_rate", 1351.2437830752924, SPEC),
        Claim("staged_crossover", 913.785984118632, SPEC),
        Claim("staged_ahead_from", 1024.0, SPEC),
        Claim("tensor_ttft", 1.2386827678440695, SPEC),
        Claim("staged_ttft", 1.181806448977519, SPEC),
        Claim("staged_prefill_gain", 0.1791424179739658, SPEC),
        Claim("staged_node_tpot", 0.04631873667052971, SPEC),
        Claim("wide_node_tpot", 0.045710870004799536, SPEC),
        Claim("network_reduce_breakeven", 6.241216930845305e-05, SPEC),
        Claim("staged_node_tokens", 615970.6721230159, SPEC),
        Claim("wide_node_tokens", 307985.33606150793, SPEC),
        Claim("plain_format_nodes", 2.0, SPEC),
        Claim("plain_format_price", 20.0, SPEC),
        Claim("widest_whole_shard", 16.0, SPEC),
    ],
    sayings={
        "headline": Saying(
            ("format_forces", "{plain_format} forces a second node: {plain_format_price} more for every replica"),
            ("", "{plain_format} needs no more nodes than {chosen_format}: the weight format forces nothing"),
        ),
        "decision": Saying(
            (
                "format_forces",
                "Quantize to {chosen_format} and run tensor parallelism alone on one node: {plain_format} "
                "takes "
                "{plain_format_nodes} nodes, {plain_format_price_month} more for every replica.",
            ),
            ("", "Choose the layout by its rates: {plain_format} costs no more nodes than {chosen_format}."),
        ),
        "decode": Saying(
            (
                "",
                "On one node at a batch of {batch} tensor parallelism alone gives {tensor_tpot:1} a token and two stages "
                "{staged_tpot:1}: a staged token reads the weights once more, {staged_extra_weights:1}.",
            )
        ),
        "reach": Saying(
            ("crossover_fits", "From {staged_crossover:0} sequences on stages decode more, and {tensor_sequences:0} fit."),
            ("stages_overtake", "Stages would decode more from {staged_crossover:0} sequences on, and only {tensor_sequences:0} fit."),
            ("", "Stages overtake at no batch."),
        ),
        "prefill": Saying(
            (
                "",
                "Stages talk less, and their prefill rate is {staged_prefill_gain:0} above that of tensor parallelism; a "
                "prompt of "
                "{prompt_tokens:0} is ready in {staged_ttft:2} instead of {tensor_ttft:2}.",
            )
        ),
        "two_nodes": Saying(
            (
                "",
                "Over two nodes in {plain_format} a token takes {wide_node_tpot:1} with tensor parallelism and "
                "{staged_node_tpot:1} in stages, the same at {network_reduce_breakeven:0} for an all-reduce between "
                "nodes. Memory "
                "decides: a KV head does not split, so the first holds {wide_node_tokens:0} of context, the second "
                "{staged_node_tokens:0}.",
            )
        ),
        "curves": Saying(
            ("crossover_fits", "Stages give the shorter step from {staged_crossover:0} sequences on"),
            ("", "Tensor parallelism alone gives the shorter step at every batch that fits"),
        ),
        "memory": Saying(
            ("", "The weights decide the nodes: {plain_format} needs {plain_format_nodes}, {chosen_format} {chosen_format_nodes}")
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("plain_format_price_month", "tensor_tpot", "staged_tpot", "staged_crossover", "tensor_sequences"),
        argument=("decode", "reach", "prefill", "two_nodes"),
        derivation=(
            "all_reduces_per_step",
            "tensor_tpot",
            "staged_tpot",
            "staged_slope_saving",
            "staged_crossover",
            "tensor_sequences",
            "network_reduce_breakeven",
            "plain_format_price",
            "plain_format_price_month",
        ),
        not_counted=(
            "Quality lost by quantizing.",
            "Block-quantized checkpoints whose shards are no whole blocks refuse a layout: see the table of shards.",
        ),
    ),
    charts=[
        Chart(
            "tpot_by_batch",
            "line",
            title="curves",
            x="curve_batch",
            ys=("curve_tensor_tpot", "curve_staged_tpot"),
            x_label="batch",
            y_label="TPOT, ms",
            log_x=True,
            log_y=True,
            marks=("tensor_sequences", "staged_crossover"),
        ),
        Chart("weights_by_format", "bars", title="memory", x="weight_format_name", ys=("format_weights",), y_label="weights, GB"),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS and n not in ("bytes_per_weight", "peak_compute")}
    | {"decode_context": "decode_context"},
    core=("plain_format_price_month", "tensor_tpot", "staged_tpot", "staged_crossover"),
)
