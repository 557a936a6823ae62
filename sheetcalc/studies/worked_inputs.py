"""Inputs that the worked examples of calculators B share: house figures, an H100, Llama 3.3 70B. Each study keeps its own values."""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Input

WORKED = "worked fleet answer (200 req/s, 70B on 4 H100)"
HOUSE = "house figure"
H100 = "quoted: NVIDIA H100 SXM data sheet"
LLAMA = "quoted: Llama 3.3 70B configuration"

EFFICIENCY = {
    "memory_fraction": Input(0.92, "%", "Share of memory that the engine may use", f"assumed: {WORKED}", **SHARE),
    "memory_reserve": Input(3e9, "GB", "Reserve of each GPU", f"assumed: {WORKED}", **AT_LEAST_0),
    "mbu": Input(0.75, "%", "Share of bandwidth reached in decode", f"assumed: {WORKED}", **SHARE),
    "gemm_mfu": Input(0.50, "%", "Share of peak compute reached, communication counted apart", f"assumed: {HOUSE}", **SHARE),
    "step_overhead": Input(0.5e-3, "ms", "Overhead of a step", f"assumed: {HOUSE}", **AT_LEAST_0),
}
OVERLAP = {
    "step_overlap": Input(
        1.0,
        "%",
        "Memory and compute hide behind each other (100% all, 0% none)",
        f"assumed: {HOUSE}: the roofline's maximum",
        low=0.0,
        high=1.0,
    ),
}
REDUCE = {
    "reduces_per_layer": Input(2.0, "", "All-reduces in a layer", "defined: after attention and after the feed-forward block", **COUNT),
    "bytes_per_activation": Input(2.0, "B", "Bytes of an activation", "defined: BF16", **POSITIVE),
    "all_reduce_base": Input(6e-6, "µs", "All-reduce of two GPUs less one hop, empty", f"assumed: {HOUSE}", **AT_LEAST_0),
    "all_reduce_hop": Input(0.5e-6, "µs", "All-reduce, each GPU after the first", f"assumed: {HOUSE}", **AT_LEAST_0),
    "link_share": Input(0.85, "%", "Share of the link reached", f"assumed: {HOUSE}", **SHARE),
}
ARITHMETIC = {
    "flops_per_param": Input(2.0, "FLOP", "Work of a parameter and token", "defined: one multiplication and one addition", **POSITIVE),
    "flops_per_pair": Input(4.0, "FLOP", "Attention work of a pair of tokens, each head element", "defined: scores and values", **POSITIVE),
}
GPU = {
    "hbm": Input(80e9, "GB", "Memory of a GPU", H100, **POSITIVE),
    "bandwidth": Input(3.35e12, "TB/s", "Memory bandwidth of a GPU", H100, **POSITIVE),
    "peak_compute": Input(1979e12, "TFLOP/s", "Peak of the weights' format", f"{H100}, FP8 dense", **POSITIVE),
    "attention_peak": Input(989e12, "TFLOP/s", "Peak of the attention's format", f"{H100}, BF16 dense", **POSITIVE),
    "link_bandwidth": Input(450e9, "GB/s", "NVLink of a GPU, one direction", H100, **POSITIVE),
}
PRICE = {
    "gpu_hour_price": Input(2.50, "$/h", "Price of a GPU", "assumed: illustrative", **AT_LEAST_0),
    "seconds_per_hour": Input(3600.0, "s/h", "Seconds in an hour", "defined", **POSITIVE),
    "hours_per_month": Input(730.0, "h/month", "Hours in a month", "defined: 8,760 / 12", **POSITIVE),
}
MODEL = {
    "params": Input(70.55e9, "Gparam", "Parameters", LLAMA, **POSITIVE),
    "active_params": Input(70.55e9, "Gparam", "Active parameters of a token", f"{LLAMA}: dense", **POSITIVE),
    "expert_params": Input(0.0, "Gparam", "Parameters that sit in experts", "defined: none in a dense model", **AT_LEAST_0),
    "expert_coverage": Input(1.0, "%", "Share of the experts that a step reads", "defined: a dense model reads everything", **SHARE),
    "bytes_per_weight": Input(1.0, "B", "Bytes of a weight", "chosen: FP8", **POSITIVE),
    "layers": Input(80.0, "", "Layers", LLAMA, **COUNT),
    "kv_layers": Input(80.0, "", "Layers with full attention", LLAMA, **COUNT),
    "hidden": Input(8192.0, "", "Width of the model", LLAMA, **COUNT),
    "query_heads": Input(64.0, "", "Query heads", LLAMA, **COUNT),
    "kv_heads": Input(8.0, "", "KV heads", LLAMA, **COUNT),
    "head_size": Input(128.0, "", "Elements of a head", LLAMA, **COUNT),
    "kv_tensors": Input(2.0, "", "Tensors kept of a token", "defined: keys and values", **COUNT),
    "attention_parallelism": Input(
        "tensor",
        "",
        "Attention over the GPUs: heads dealt out (tensor) or whole sequences (data)",
        "chosen: tensor",
        choices=("tensor", "data"),
    ),
}
BF16_CACHE = {"bytes_per_kv": Input(2.0, "B", "Bytes of a KV element", "chosen: BF16, as in the worked fleet answer", **POSITIVE)}
FP8_CACHE = {"bytes_per_kv": Input(1.0, "B", "Bytes of a KV element", "chosen: FP8, unlike the worked fleet answer", **POSITIVE)}

STEP_INPUTS = EFFICIENCY | REDUCE | ARITHMETIC | GPU | MODEL  # what a decode step of one replica is made of
PLAN_KNOWS = (
    "memory_fraction",
    "memory_reserve",
    "hbm",
    "bandwidth",
    "peak_compute",
    "attention_peak",
    "link_bandwidth",
    "gpu_hour_price",
    "params",
    "active_params",
    "expert_params",
    "expert_coverage",
    "bytes_per_weight",
    "layers",
    "kv_layers",
    "hidden",
    "query_heads",
    "kv_heads",
    "head_size",
    "kv_tensors",
    "attention_parallelism",
    "bytes_per_kv",
    "mbu",
    "step_overhead",
    "gpus_per_replica",
    "request_rate",
    "prompt_tokens",
    "output_tokens",
    "tpot_target",
    "ttft_target",
    "hours_per_month",
)
