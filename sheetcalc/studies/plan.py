"""The base study: demand → fleet → cost → API → recommendation.

Sources: "file 000" is the worked fleet plan for 200 requests per second, "file 004" the worked build-or-API plan for 2,000 employees.
"""

from sheetcalc import catalogue, decision
from sheetcalc.catalogue import fitted
from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import (
    api,
    batching,
    chips,
    choice,
    cost,
    decode,
    demand,
    finance_kernel,
    fleet,
    geometry,
    latency,
    little,
    memory,
    prefill,
    queue_engine,
    queueing,
    replica_line,
    what_if,
)
from sheetcalc.quantities import fitted as fitted_constants
from sheetcalc.studies.day_curve import OFFICE_DAY
from sheetcalc.study import Chart, Saying, Story, Study

CHOSEN, ASSUMED, DEFINED = "chosen by the planner", "assumed", "defined"
WORKED = "file 000, assumed there"
BY_NAME = "catalogue, by name"
PRICE_ROWS = tuple(catalogue.read("prices").rows)
MEMORY_BOUND = {"low": 1e9, "high": 2e12}


def _catalogued(label, unit, otherwise, note="", **bounds):
    return Input(None, unit, label, BY_NAME, otherwise=otherwise, note=note, **bounds)


LOAD = {
    "profile": Input("measured", "", "Profile: which set of defaults", CHOSEN, choices=("textbook", "measured")),
    "request_rate": Input(
        None,
        "req/s",
        "Requests per second at the peak",
        CHOSEN,
        otherwise="request_rate_from_people",
        note="blank: from people and their requests",
        low=0.0,
        high=1e6,
        above=True,
    ),
    "people": Input(None, "", "People", CHOSEN, **POSITIVE),
    "requests_per_person_day": Input(None, "req/day", "Requests per person and day", CHOSEN, **POSITIVE),
    "active_hours": Input(24.0, "h/day", "Hours of the day with traffic", ASSUMED, low=0.0, high=24.0, above=True),
    "peak_factor": Input(
        24 / 11.05, "x", "Peak over the mean of the active hours", "day curve of the worked example: mean 11.05 of 24", low=1.0, high=100.0
    ),
    "load_shape": Input(
        "hours", "", "Shape of the day: active hours and peak factor, or the 24-hour curve", CHOSEN, choices=("hours", "curve")
    ),
    "mean_to_peak": Input(
        None, "%", "Mean load over peak load", ASSUMED, otherwise="shape_mean_to_peak", note="blank: from the shape of the day", **SHARE
    ),
    "prompt_tokens": Input(2000.0, "tok", "Prompt tokens per request", "file 000", low=0.0, high=1e7),
    "output_tokens": Input(300.0, "tok", "Output tokens per request", "file 000", low=1.0, high=1e6),
    "prefix_hit_share": Input(0.0, "%", "Share of the prompt served from cache", ASSUMED, **FRACTION),
}
HARDWARE = {
    "model": Input("Llama 3.3 70B", "", "Model", CHOSEN, choices=tuple(catalogue.read("models").rows)),
    "gpu": Input("H100 SXM", "", "GPU", CHOSEN, choices=tuple(catalogue.read("gpus").rows)),
    "gpus_per_replica": Input(4.0, "", "GPUs per replica", "file 000", low=1.0, high=1024.0, whole=True),
    "gpus_per_node": Input(8.0, "", "GPUs per node", DEFINED, **COUNT),
    "engine": Input("vllm", "", "Serving engine", CHOSEN, choices=tuple(fitted.engines())),
    "attention_parallelism": Input(
        "tensor",
        "",
        "How a replica shares attention: tensor (KV heads dealt out, MLA's latent copied on every GPU) or data (each sequence lives once)",
        CHOSEN,
        choices=("tensor", "data"),
    ),
    "weight_format": Input("FP8", "", "Format of the weights", "file 000", choices=tuple(catalogue.read("formats").rows)),
    "kv_format": Input("BF16", "", "Format of the KV cache", "file 000", choices=tuple(catalogue.read("formats").rows)),
    "attention_format": Input("BF16", "", "Format that attention runs in", ASSUMED, choices=("BF16", "FP8")),
    "compute_format": _catalogued("Format of the matrix products", "", "compute_format_catalogue", choices=("BF16", "FP8", "FP4")),
    "hbm": _catalogued("Memory of a GPU", "GB", "hbm_catalogue", **MEMORY_BOUND),
    "bandwidth": _catalogued("Memory bandwidth of a GPU", "TB/s", "bandwidth_catalogue", low=1e10, high=1e14),
    "peak_compute": _catalogued("Peak compute of a GPU, dense, in that format", "TFLOP/s", "peak_of_format", low=1e13, high=1e17),
    "attention_peak": _catalogued("Peak compute in the attention format", "TFLOP/s", "attention_peak_catalogue", low=1e13, high=1e17),
    "link_bandwidth": _catalogued("Link between GPUs, one direction", "GB/s", "link_bandwidth_catalogue", low=1e8, high=1e13),
    "params": _catalogued("Parameters", "Gparam", "params_catalogue", low=1e6, high=1e14),
    "active_params": _catalogued("Active parameters per token", "Gparam", "active_params_catalogue", low=1e6, high=1e14),
    "expert_params": _catalogued("Parameters in experts", "Gparam", "expert_params_catalogue", low=0.0, high=1e14),
    "experts": _catalogued("Experts per layer (0 in a dense model)", "", "experts_catalogue", low=0.0, whole=True),
    "experts_per_token": _catalogued("Experts per token (0 in a dense model)", "", "experts_per_token_catalogue", low=0.0, whole=True),
    "layers": _catalogued("Layers", "", "layers_catalogue", **COUNT),
    "kv_layers": _catalogued("Layers that keep the whole context", "", "kv_layers_catalogue", low=0.0, whole=True),
    "window_layers": _catalogued("Layers that keep a window", "", "window_layers_catalogue", low=0.0, whole=True),
    "window": _catalogued("Window", "tok", "window_catalogue", **AT_LEAST_0),
    "kv_heads": _catalogued("KV heads", "", "kv_heads_catalogue", **COUNT),
    "query_heads": _catalogued("Query heads", "", "query_heads_catalogue", **COUNT),
    "query_head_size": _catalogued("Size of a query head", "", "query_head_size_catalogue", **COUNT),
    "head_size": _catalogued("Size of a KV head (MLA: latent and rope part)", "", "head_size_catalogue", **COUNT),
    "kv_tensors": _catalogued(
        "Tensors kept per token (keys and values 2, MLA 1)", "", "kv_tensors_catalogue", low=1.0, high=2.0, whole=True
    ),
    "hidden": _catalogued("Width of the model", "", "hidden_catalogue", **COUNT),
    "bytes_per_weight": _catalogued("Bytes per weight, scales included", "B", "bytes_per_weight_catalogue", low=0.1, high=8.0),
    "bytes_per_kv": _catalogued("Bytes per KV element", "B", "bytes_per_kv_catalogue", low=0.1, high=8.0),
}
ENGINE = {
    "memory_fraction": Input(None, "%", "Share of memory that the engine may use", WORKED, **SHARE),
    "memory_reserve": Input(None, "GB", "Reserve per GPU for activations and graphs", WORKED, low=0.0, high=1e12),
    "residency_rule": Input(
        "", "", "Residency: mean (prompt and half the output) or reserved (prompt and all of it)", ASSUMED, choices=("mean", "reserved")
    ),
    "kv_allocator": Input(
        "exact",
        "",
        "Pages of window layers: exact (no more than the window) or uniform pages (as for full layers)",
        ASSUMED,
        choices=("exact", "uniform pages"),
    ),
    "mfu": Input(None, "%", "Compute utilization, communication inside", WORKED, **SHARE),
    "mbu": Input(None, "%", "Bandwidth utilization", WORKED, **SHARE),
    "moe_mfu_factor": Input(None, "x", "Compute utilization of experts over that of dense layers", ASSUMED, **SHARE),
    "attention_on": Input(None, "", "Count attention arithmetic (1) or not (0)", "file 000 leaves it out", low=0.0, high=1.0, whole=True),
    "step_overlap": Input(None, "%", "How far memory and arithmetic of a step hide each other", "roofline: the longer one", **FRACTION),
    "all_reduce_on": Input(
        None, "", "Count all-reduces from kernel figures (1) or not (0)", "file 000 leaves it out", low=0.0, high=1.0, whole=True
    ),
    "all_reduce_latency": Input(8e-6, "µs", "Latency of an all-reduce", "calculators A, placeholder to be measured", **AT_LEAST_0),
    "all_reduce_bandwidth": Input(350e9, "GB/s", "Bus rate of an all-reduce", "calculators A, placeholder to be measured", **POSITIVE),
    "tp_cost_on": Input(
        None,
        "",
        "Count the fitted per-layer cost of tensor parallelism (1) or not (0)",
        "file 000 leaves it out",
        low=0.0,
        high=1.0,
        whole=True,
    ),
    "tp_layer_cost": Input(None, "µs", "Per-layer cost of tensor parallelism: all that does not shrink with it", ASSUMED, **AT_LEAST_0),
    "link_share": Input(None, "%", "Share of the link bandwidth that is reached", ASSUMED, **SHARE),
    "step_overhead": Input(None, "ms", "Overhead per step", ASSUMED, **AT_LEAST_0),
    "sequence_overhead": Input(None, "µs", "Overhead per sequence in a step", ASSUMED, **AT_LEAST_0),
    "layer_overhead": Input(None, "µs", "Overhead per layer in a step", ASSUMED, **AT_LEAST_0),
    "moe_layer_overhead": Input(None, "µs", "Overhead per layer of a mixture of experts in a step", ASSUMED, **AT_LEAST_0),
    "own_prefill": Input(
        None,
        "",
        "Sequences of the batch whose own prompt does not delay them",
        "file 000: all of the batch is delayed",
        low=0.0,
        high=1.0,
        whole=True,
    ),
    "max_batch": Input(None, "", "Largest batch that the engine runs", ASSUMED, note="blank: no limit but memory", **COUNT),
    "batch": Input(
        None,
        "",
        "Planned decode batch",
        CHOSEN,
        otherwise="suggested_batch",
        note="blank: the largest that memory and TPOT allow",
        low=1.0,
        high=65536.0,
        whole=True,
    ),
    "expert_mfu_share": Input(
        fitted.constants()["moe_mfu_factor"],
        "x",
        "Compute utilization of experts over that of dense layers, fitted",
        fitted.SOURCE,
        **SHARE,
    ),
    "tpot_tail": Input(None, "x", "TPOT at the promised percentile over its mean", ASSUMED, low=1.0, high=10.0),
    "ttft_offset": Input(None, "ms", "Fixed time before the first token", ASSUMED, **AT_LEAST_0),
    "ttft_layer_overhead": Input(None, "ms", "Time to launch a layer before the first token", ASSUMED, **AT_LEAST_0),
    "ttft_prefill_factor": Input(None, "x", "Prefill time to first token over its compute time", ASSUMED, **POSITIVE),
    "ttft_queue_slope": Input(None, "", "Growth of TTFT per running sequence", ASSUMED, **AT_LEAST_0),
    "queue_wait": Input(
        None, "ms", "Wait for the first token in the queue, at the percentile", ASSUMED, otherwise="ttft_wait", **AT_LEAST_0
    ),
    "chance_over_memory": Input(
        0.0,
        "%",
        "Share of requests that are preempted and prefilled again",
        "the engine's correction 1 only, calculators A (d)",
        **FRACTION,
    ),
    "output_cv": Input(0.0, "x", "Spread of output length (standard deviation over mean)", ASSUMED, low=0.0, high=10.0),
    "prompt_cv": Input(0.0, "x", "Spread of prompt length (standard deviation over mean)", ASSUMED, low=0.0, high=10.0),
    "arrival_cv": Input(1.0, "x", "Spread of arrivals (1: random)", "Poisson arrivals", low=0.0, high=10.0, above=True),
    "ttft_percentile": Input(0.95, "%", "Percentile of TTFT that is promised", "decision of the product: p95", low=0.5, high=0.999),
    "speed_low": Input(
        None, "x", "Measured over predicted speed, slowest tenth", fitted.SOURCE, otherwise="fitted_speed_low", low=0.05, high=2.0
    ),
    "speed_high": Input(
        None, "x", "Measured over predicted speed, fastest tenth", fitted.SOURCE, otherwise="fitted_speed_high", low=0.5, high=20.0
    ),
    "ttft_tail": Input(None, "x", "TTFT at the promised percentile over its median", ASSUMED, low=1.0, high=100.0),
}
TARGETS = {
    "utilization_cap": Input(0.65, "%", "Utilization cap", WORKED, **SHARE),
    "failure_reserve": Input(0.0, "", "Replicas that stand by for a failure", ASSUMED, low=0.0, high=10000.0, whole=True),
    "min_replicas": Input(1.0, "", "Fewest replicas that are run", ASSUMED, **COUNT),
    "ttft_target": Input(2.0, "ms", "Target for the time to first token", CHOSEN, low=1e-3, high=3600.0),
    "tpot_target": Input(0.050, "ms", "Target for the time per output token", "file 000", low=1e-4, high=60.0),
}
WHAT_IF = {
    "long_share": Input(0.01, "%", "Share of requests with long prompts", "file 000, asked next: the 99th percentile", low=0.0, high=0.99),
    "long_prompt": Input(16000.0, "tok", "Prompt tokens of a long request", "file 000, asked next: 16K", low=1.0, high=1e7),
    "host_memory": Input(64e9, "GB", "Host memory per GPU for idle conversations", ASSUMED, low=0.0, high=1e13),
    "seconds_between_requests": Input(60.0, "s", "Pause between two requests of a person", ASSUMED, **POSITIVE),
}
MONEY = {
    "gpu_hour_price": Input(
        None,
        "$/h",
        "Price of a GPU hour",
        "catalogue, low end of published rental prices",
        otherwise="gpu_hour_price_catalogue",
        **AT_LEAST_0,
    ),
    "fixed_cost_per_month": Input(
        0.0, "$/month", "Staff, licences and other fixed cost of self-hosting", "not counted until given", **AT_LEAST_0
    ),
    "api_price_row": Input(
        "",
        "",
        "API price row",
        CHOSEN,
        choices=PRICE_ROWS,
        otherwise=("api_row_catalogue", "usual_api_row"),
        note="blank: the first row of the price list that serves the model",
    ),
    "usual_api_row": Input(
        "DeepInfra Llama 3.3 70B", "", "API price row where none of the list serves the model", CHOSEN, choices=PRICE_ROWS
    ),
    "api_input_price": Input(None, "$/M tok", "API price, input", BY_NAME, otherwise="api_input_price_catalogue", **AT_LEAST_0),
    "api_cached_input_price": Input(
        None, "$/M tok", "API price, cached input", BY_NAME, otherwise="api_cached_input_price_catalogue", **AT_LEAST_0
    ),
    "api_output_price": Input(None, "$/M tok", "API price, output", BY_NAME, otherwise="api_output_price_catalogue", **POSITIVE),
    "api_cached_share": Input(
        None, "%", "Share of the prompt that the API bills as cached", ASSUMED, otherwise="prefix_hit_share", **FRACTION
    ),
    "materiality": Input(0.05, "%", "Saving below which the simpler option wins", "calculators C, i.1", **FRACTION),
    "data_must_stay": Input("no", "", "Data may not leave (residency, air gap)", CHOSEN, choices=("no", "yes")),
    "no_equivalent_api": Input("no", "", "Fine-tuned model without an equivalent API", CHOSEN, choices=("no", "yes")),
}
CONSTANTS = {
    "flops_per_param": Input(2.0, "FLOP", "Arithmetic per parameter and token", "defined: one multiplication and one addition", **POSITIVE),
    "flops_per_pair": Input(
        4.0, "FLOP", "Attention arithmetic per query element and key", "defined: two products, two operations each", **POSITIVE
    ),
    "reduces_per_layer": Input(2.0, "", "All-reduces per layer", "defined: after attention and after the feed-forward part", **POSITIVE),
    "bytes_per_activation": Input(2.0, "B", "Bytes per activation", "defined: BF16", **POSITIVE),
    "seconds_per_hour": Input(3600.0, "s/h", "Seconds per hour", DEFINED, **POSITIVE),
    "hours_per_day": Input(24.0, "h/day", "Hours per day", DEFINED, **POSITIVE),
    "hour_count": Input(24.0, "", "Hours in the day curve", DEFINED, **POSITIVE),
    "curve_tolerance": Input(
        0.01,
        "%",
        "How far two ways to say the same load may differ",
        "chosen: peak factors are typed rounded",
        **FRACTION,
    ),
    "hours_per_month": Input(730.0, "h/month", "Hours per month that are billed", "defined: 8,760 / 12; another choice is 720", **POSITIVE),
    "days_per_month": Input(
        365 / 12, "day/month", "Days per month that are billed", "defined: 365 / 12; other choices are 30 and 22 workdays", **POSITIVE
    ),
}

TEXTBOOK_SOURCE = {"mfu": WORKED, "mbu": WORKED}
TEXTBOOK = {  # file 000 exactly: no attention, no all-reduce, no overhead
    "memory_fraction": 0.92,
    "memory_reserve": 3e9,
    "residency_rule": "mean",
    "mfu": 0.50,
    "mbu": 0.75,
    "moe_mfu_factor": 1.0,
    "attention_on": 0.0,
    "step_overlap": 1.0,
    "all_reduce_on": 0.0,
    "tp_cost_on": 0.0,
    "tp_layer_cost": 0.0,
    "link_share": 1.0,
    "step_overhead": 0.0,
    "sequence_overhead": 0.0,
    "layer_overhead": 0.0,
    "moe_layer_overhead": 0.0,
    "own_prefill": 0.0,
    "max_batch": None,
    "tpot_tail": 1.0,
    "ttft_offset": 0.0,
    "ttft_layer_overhead": 0.0,
    "ttft_prefill_factor": 1.0,
    "ttft_queue_slope": 0.0,
    "ttft_tail": 1.0,
    "queue_wait": None,
    "speed_low": 1.0,
    "speed_high": 1.0,
}
MEASURED = fitted.profile() | {"queue_wait": 0.0}
ENGINE |= {name: ENGINE[name]._replace(otherwise=found) for name, found in fitted.lookups().items()}
ENGINE |= {
    name: ENGINE[name]._replace(source=f"{fitted.SOURCE}; textbook: {TEXTBOOK_SOURCE.get(name, ASSUMED)}")
    for name in (*fitted.lookups(), *fitted.SHARED)
    if name in TEXTBOOK and not name.startswith("speed_")
}
GROUPS = {
    "Load": LOAD,
    "Model, GPU and number formats": HARDWARE,
    "Engine and speed": ENGINE,
    "Targets and reserves": TARGETS,
    "What may be asked next": WHAT_IF,
    "Money": MONEY,
    "Constants": CONSTANTS,
}


def _with_fitted(gpus: Grid) -> Grid:
    """The GPU catalogue with what was fitted for each GPU beside it."""
    return gpus._replace(typed={**gpus.typed, **fitted.gpu_columns(gpus.rows["gpu_name"].value)})


GRIDS = [
    _with_fitted(catalogue.gpus()),
    fitted.engine_grid(),
    catalogue.models(),
    catalogue.prices(),
    catalogue.formats(),
    Grid(
        "day",
        "Load through the day",
        rows={"hour": Input([float(h) for h in range(24)], "", "Hour of the day")},
        typed={
            "day_curve": Input(
                OFFICE_DAY, "%", "Load of the hour over the highest hour", "illustrative office curve of the worked examples", **FRACTION
            )
        },
        show=["planned_load"],
    ),
    Grid(
        "sweep",
        "What the batch does",
        rows={"batch": [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 192.0, 256.0, 384.0, 512.0]},
        show=["step_time", "tpot_worst", "decode_rate", "total_demand", "replicas", "gpus", "cost_per_hour", "cost_per_million_output"],
    ),
    Grid(
        "stress",
        "What if: the same plan under stress",
        rows={
            "stress_case": Input(
                ["As planned", "Ten times the users", "Three calls an interaction", "Twice the retrieved text"], "", "Case"
            )
        },
        typed={
            "stress_rate_factor": Input([1.0, 10.0, 3.0, 1.0], "x", "Requests over plan", ASSUMED, **POSITIVE),
            "stress_prompt_factor": Input([1.0, 1.0, 1.0, 2.0], "x", "Prompt over plan", ASSUMED, **POSITIVE),
            "request_rate": "stress_rate",
            "prompt_tokens": "stress_prompt",
        },
        show=["replicas", "gpus", "cost_per_hour", "tpot_promised"],
    ),
    Grid(
        "pools",
        "Long prompts in a pool of their own",
        rows={"pool": Input(["All together", "Short prompts", "Long prompts"], "", "Pool")},
        typed={
            "pool_all": Input([1.0, 0.0, 0.0], "", "All requests", DEFINED, **FRACTION),
            "pool_long": Input([0.0, 0.0, 1.0], "", "Long ones", DEFINED, **FRACTION),
            "request_rate": "pool_rate_of",
            "prompt_tokens": "pool_prompt_of",
        },
        show=["replicas", "gpus", "cost_per_hour", "ttft"],
    ),
    Grid(
        "levers",
        "Levers on memory, each alone",
        rows={
            "lever": Input(
                ["As planned", "Half the prompt", "FP8 KV cache", "FP8 weights", "Pages by mean fill", "Idle conversations in host memory"],
                "",
                "Lever",
            )
        },
        typed={
            "lever_prompt_factor": Input([1.0, 0.5, 1.0, 1.0, 1.0, 1.0], "x", "Prompt over plan", ASSUMED, **POSITIVE),
            "lever_host": Input([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "x", "Host memory used", DEFINED, **AT_LEAST_0),
            "prompt_tokens": "lever_prompt",
            "hbm": "lever_memory",
            "bytes_per_kv": [None, None, 1.0, None, None, None],
            "bytes_per_weight": [None, None, None, 1.0, None, None],
            "residency_rule": ["", "", "", "", "mean", ""],
        },
        show=["resident_sequences", "replicas", "gpus", "cost_per_hour"],
    ),
    Grid(
        "by_profile",
        "The same plan with each set of defaults",
        rows={"profile": ["measured", "textbook"]},
        show=["tpot_worst", "ttft", "replicas", "gpus", "cost_per_hour", "cost_per_million_output"],
    ),
]
SAYINGS = {
    "headline": Saying(
        ("must_build_here", "Build: {gpus} GPUs in {replicas} replicas, because the data or the model leave no choice"),
        (
            "says_build",
            "Build: {gpus} GPUs in {replicas} replicas for {build_cost_per_month} instead of {api_cost_per_month} through the API",
        ),
        ("says_api_forced", "Use the API: the fleet cannot be built as asked"),
        ("says_revisit", "Use the API now, and look again at {breakeven_volume} of output"),
        ("says_api", "Use the API: no volume makes self-hosting cheaper at these prices"),
        ("", "No option meets what is asked"),
    ),
    "decision": Saying(
        ("must_build_here", "Self-hosting costs {build_cost_per_month}; the obligation decides, not the price."),
        ("says_build", "Self-hosting costs {build_cost_per_month} against {api_cost_per_month} through the API."),
        (
            "says_api_forced",
            "The API costs {api_cost_per_month} for {output_tokens_per_day} of output; there is no fleet to compare it with.",
        ),
        (
            "says_revisit",
            "At {output_tokens_per_day} of output the API costs {api_cost_per_month}; self-hosting stays cheaper from "
            "{breakeven_volume} on.",
        ),
        ("says_api", "The API costs {api_cost_per_month} for {output_tokens_per_day} of output."),
        ("", "The fleet cannot be built as asked, and the API is no option."),
    ),
}
STORY = Story(
    claim="headline",
    decision="decision",
    figures=("gpus", "cost_per_hour", "build_cost_per_month", "api_cost_per_month", "cost_per_million_output_used"),
    derivation=(
        "prompt_load",
        "output_load",
        "weights_per_gpu",
        "kv_per_token",
        "kv_per_sequence_gpu",
        "resident_sequences",
        "prefill_time",
        "prefill_request_time",
        "prefill_demand",
        "memory_time",
        "step_time",
        "decode_rate",
        "decode_demand",
        "total_demand",
        "carrying_replicas",
        "replicas",
        "gpus",
        "cost_per_hour",
        "tpot_worst",
        "tpot_promised",
        "ttft",
        "output_tokens_per_day",
        "cost_per_million_output_used",
        "api_price_per_output",
        "api_cost_per_month",
        "breakeven_volume",
    ),
    not_counted=("tax", "inflation", "service credits", "exchange rates"),
)
CORE = (
    "prompt_load",
    "output_load",
    "weights_per_gpu",
    "kv_per_token",
    "kv_per_sequence",
    "resident_sequences",
    "prefill_time",
    "prefill_demand",
    "decode_demand",
    "total_demand",
    "step_time",
    "tpot_worst",
    "ttft_compute",
    "replicas",
    "gpus",
    "cost_per_hour",
    "cost_per_million_output",
    "cost_per_million_total",
    "prefill_share",
    "flop_floor_use",
    "byte_floor_use",
)

STUDY = Study(
    name="plan",
    title="Capacity plan",
    purpose="What a load costs on GPUs of your own, and whether the API is cheaper.",
    functions=quantities(
        demand,
        chips,
        geometry,
        memory,
        prefill,
        decode,
        batching,
        latency,
        fleet,
        cost,
        api,
        choice,
        replica_line,
        fitted_constants,
        finance_kernel,
        what_if,
    )
    | some(
        little,
        "prompt_wall_share",
        "replica_token_rate",
        "resident_bias",
        "resident_rise",
        "saturation_rate",
        "steady",
        "batch_with_prompts",
        "batch_without_prompts",
        "unlimited_batch",
        "running_fits",
        "running_batch",
        "memory_rate",
        "unlimited_tpot",
    )
    | some(
        queueing,
        "late_share",
        "queue_spread",
        "target_above_prefill",
        "queue_slack",
        "ceiling_log",
        "ceiling_guess",
        "ceiling_step_one",
        "ceiling_step_two",
        "ceiling_step_three",
        "ceiling_step_four",
        "ceiling_step_five",
        "queue_ceiling",
        "cap_below_ceiling",
    )
    | some(queue_engine, "running_step", "engine_service", "engine_load", "engine_keeps_up", "ttft_wait"),
    alerts=("steady", "running_fits", "target_above_prefill", "engine_keeps_up"),
    inputs={name: given for group in GROUPS.values() for name, given in group.items()},
    headings={next(iter(group)): heading for heading, group in GROUPS.items()},
    grids=GRIDS,
    profiles={"textbook": TEXTBOOK, "measured": MEASURED},
    sayings=SAYINGS,
    story=STORY,
    core=CORE,
    decide=decision.by_monthly_bills,
    charts=[
        Chart(
            "batch",
            "line",
            title="headline",
            x="sweep_batch",
            ys=("sweep_cost_per_million_output",),
            x_label="Decode batch",
            y_label="$ per million output tokens",
            log_x=True,
        )
    ],
)
