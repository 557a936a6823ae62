"""The replica that the worked examples of calculators C share: Llama 3.3 70B in FP8 on four H100, and what they use of the kernel."""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Input, needs_of, quantities, some
from sheetcalc.quantities import decode, demand, fleet, memory, prefill
from sheetcalc.studies import plan

SPEC = "calculators C, section 0.1"
WORKED = "assumed: worked fleet, file 000"
CARD = "quoted: Llama 3.3 70B configuration"
SHEET = "quoted: NVIDIA H100 SXM data sheet"
FLAG = {"low": 0.0, "high": 1.0, "whole": True}

MODEL = {
    "params": Input(70.55e9, "Gparam", "Parameters", CARD, **POSITIVE),
    "active_params": Input(70.55e9, "Gparam", "Active parameters per token", f"{CARD}: dense", **POSITIVE),
    "experts": Input(0.0, "", "Experts per layer (0 in a dense model)", f"{CARD}: dense", low=0.0, whole=True),
    "bytes_per_weight": Input(1.0, "B", "Bytes per weight, scales included", "chosen: FP8", low=0.1, high=8.0),
    "bytes_per_kv": Input(2.0, "B", "Bytes per KV element", "chosen: BF16", low=0.1, high=8.0),
    "layers": Input(80.0, "", "Layers", CARD, **COUNT),
    "kv_layers": Input(80.0, "", "Layers that keep the whole context", CARD, **COUNT),
    "window_layers": Input(0.0, "", "Layers that keep a window", CARD, low=0.0, whole=True),
    "window": Input(0.0, "tok", "Window", CARD, **AT_LEAST_0),
    "kv_heads": Input(8.0, "", "KV heads", CARD, **COUNT),
    "query_heads": Input(64.0, "", "Query heads", CARD, **COUNT),
    "query_head_size": Input(128.0, "", "Size of a query head", CARD, **COUNT),
    "head_size": Input(128.0, "", "Size of a KV head", CARD, **COUNT),
    "kv_tensors": Input(2.0, "", "Tensors kept per token", "defined: keys and values", low=1.0, high=2.0, whole=True),
    "hidden": Input(8192.0, "", "Width of the model", CARD, **COUNT),
    "attention_parallelism": Input("tensor", "", "Attention over the GPUs of a replica", "chosen", choices=("tensor", "data")),
}
GPU = {
    "gpus_per_replica": Input(4.0, "", "GPUs per replica", WORKED, low=1.0, high=1024.0, whole=True),
    "hbm": Input(80e9, "GB", "Memory of a GPU", SHEET, low=1e9, high=2e12),
    "bandwidth": Input(3.35e12, "TB/s", "Memory bandwidth of a GPU", SHEET, low=1e10, high=1e14),
    "peak_compute": Input(1979e12, "TFLOP/s", "Peak compute of a GPU, dense", f"{SHEET}, FP8", low=1e13, high=1e17),
    "attention_peak": Input(989e12, "TFLOP/s", "Peak compute in the attention format", f"{SHEET}, BF16", low=1e13, high=1e17),
    "link_bandwidth": Input(450e9, "GB/s", "Link between GPUs, one direction", SHEET, low=1e8, high=1e13),
    "memory_fraction": Input(0.92, "%", "Share of memory that the engine may use", WORKED, **SHARE),
    "memory_reserve": Input(3e9, "GB", "Reserve per GPU", WORKED, low=0.0, high=1e12),
    "gpu_hour_price": Input(2.50, "$/h", "Price of a GPU-hour", WORKED, **POSITIVE),
}
ENGINE = {
    "mfu": Input(0.50, "%", "Compute utilization", WORKED, **SHARE),
    "mbu": Input(0.75, "%", "Bandwidth utilization", WORKED, **SHARE),
    "moe_mfu_factor": Input(1.0, "x", "Compute utilization of experts over that of dense layers", "assumed: dense", **SHARE),
    "attention_on": Input(
        0.0,
        "",
        "Count attention arithmetic (1) or not (0)",
        f"chosen: {SPEC}, left out; it adds 3.7% at 4,000 tokens and 30% at 32,000",
        **FLAG,
    ),
    "tp_cost_on": Input(0.0, "", "Count transfers between GPUs (1) or not (0)", f"chosen: {SPEC}, left out", **FLAG),
    "link_share": Input(1.0, "%", "Share of the link bandwidth that is reached", "assumed", **SHARE),
    "flops_per_param": Input(2.0, "FLOP", "Arithmetic per parameter and token", "defined: one multiplication and one addition", **POSITIVE),
    "flops_per_pair": Input(
        4.0, "FLOP", "Attention arithmetic per query element and key", "defined: two products, two operations each", **POSITIVE
    ),
    "reduces_per_layer": Input(2.0, "", "All-reduces per layer", "defined: after attention and after the feed-forward part", **POSITIVE),
    "bytes_per_activation": Input(2.0, "B", "Bytes per activation", "chosen: BF16", **POSITIVE),
    "long_prompt": Input(8000.0, "tok", "Prompt above which attention should be counted", f"chosen: {SPEC}", **POSITIVE),
}
TIME = {
    "seconds_per_hour": Input(3600.0, "s/h", "Seconds in an hour", "defined", **POSITIVE),
    "hours_per_day": Input(24.0, "h/day", "Hours in a day", "defined", **POSITIVE),
    "hours_per_month": Input(730.0, "h/month", "Hours in a month", "defined: 8,760 / 12", **POSITIVE),
}
REPLICA = MODEL | GPU | ENGINE
OWN = (
    "flops_per_param",
    "flops_per_pair",
    "long_prompt",
    "max_batch",
)  # never taken from the plan, which may leave its largest batch blank
OFFLINE = {
    "max_batch": Input(1024.0, "", "Largest batch that the engine runs", f"chosen: {SPEC}", **COUNT),
    "offline_utilization": Input(0.95, "%", "Share of time that offline replicas work", f"assumed: {SPEC}", **SHARE),
    "duplicate_share": Input(0.0, "%", "Duplicates that are dropped", "chosen: none", low=0.0, high=0.99),
    "prompt_trim": Input(0.0, "%", "Share trimmed off the part of the prompt that is not shared", "chosen: none", **FRACTION),
    "output_scale": Input(1.0, "x", "Output over one answer", "chosen: one answer", **POSITIVE),
    "shared_prefix_hit_share": Input(0.0, "%", "Share of the shared prefix served from cache", "chosen: no cache", **FRACTION),
    "prefix_kv_shared": Input(1.0, "", "Sequences share one copy of the prefix in memory (1) or each keep their own (0)", "chosen", **FLAG),
    "resident_prefixes": Input(1.0, "", "Prefixes in memory at once", "chosen: sorted by prefix", **COUNT),
    "phase_overlap": Input(0.0, "%", "Decode hidden under prefill", "assumed: one after the other; to be measured", **FRACTION),
    "draft_length": Input(0.0, "tok", "Drafted tokens per step (speculation)", "chosen: off", low=0.0, high=16.0, whole=True),
    "acceptance": Input(0.70, "%", "Chance that a drafted token is accepted", "assumed", low=0.0, high=0.999),
    "draft_cost": Input(0.05, "x", "Cost of a drafted token over a step", "assumed", **AT_LEAST_0),
    "price_multiplier": Input(1.0, "x", "Price paid over the list price", "chosen: on demand", **POSITIVE),
    "preemption_rate": Input(0.0, "1/h", "Preemptions of a replica", "chosen: on demand has none", **AT_LEAST_0),
    "restart_time": Input(0.10, "h", "Time to restart after a preemption", "assumed", **AT_LEAST_0),
    "lost_work": Input(0.01, "h", "Work repeated after a preemption", "assumed", **AT_LEAST_0),
}
SERVING = {name: given._replace(value=plan.TEXTBOOK.get(name, given.value), otherwise=()) for name, given in plan.ENGINE.items()} | {
    "batch": Input(128.0, "", "Planned decode batch", WORKED, low=1.0, high=65536.0, whole=True),
    "utilization_cap": Input(0.65, "%", "Utilization cap", WORKED, **SHARE),
    "expert_params": Input(0.0, "Gparam", "Parameters in experts", f"{CARD}: dense", low=0.0, high=1e14),
    "experts_per_token": Input(0.0, "", "Experts per token (0 in a dense model)", f"{CARD}: dense", low=0.0, whole=True),
}


def needed(functions, *candidates: dict[str, Input]) -> dict[str, Input]:
    """Of all candidates, later ones first, the inputs that the functions ask for."""
    asked = {name for fn in functions.values() for name in needs_of(fn)}
    merged = {name: given for more in candidates for name, given in more.items()}
    return {name: given for name, given in merged.items() if name in asked and name not in functions}


def links(inputs) -> dict[str, str]:
    """What the plan knows of a study's inputs: the replica and the calendar, under the same names."""
    return {name: name for name in (*SERVING, *REPLICA, *TIME) if name in inputs and name not in OWN}


ARITHMETIC = (
    some(
        prefill,
        "replica_compute",
        "replica_attention_compute",
        "transfer_per_token",
        "transfer_time",
        "prefill_time",
        "prefill_attention_flops",
        "prefill_request_time",
    )
    | some(demand, "uncached_tokens", "cached_tokens")
    | some(decode, "reached_bandwidth", "sequence_compute_time")
)
CACHE = some(
    memory,
    "weights",
    "weights_per_gpu",
    "usable_memory",
    "weights_fit",
    "kv_budget",
    "kv_per_token_layer",
    "kv_per_token",
    "kv_per_window_token",
    "decode_context",
    "kv_shards",
    "kv_per_sequence",
    "kv_per_sequence_gpu",
)
CHAT = (
    CACHE
    | ARITHMETIC
    | quantities(decode)
    | some(
        memory,
        "resident_context",
        "kv_held_per_sequence",
        "resident_sequences_exact",
        "resident_sequences",
        "one_sequence_fits",
        "batch_fits",
    )
    | some(prefill, "prefill_demand")
    | some(demand, "output_load")
    | some(fleet, "total_demand", "prefill_share", "replicas_exact", "carrying_replicas")
)
