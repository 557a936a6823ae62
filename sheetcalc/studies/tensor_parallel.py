"""What a doubling of tensor parallelism buys, 70B on H100s, FP8 weights, BF16 KV cache. Source: calculators B (b).

| symbol | name | symbol | name |
|---|---|---|---|
| tp | gpus_per_replica (an axis) | T | user_step, layout_step |
| B_lat | lone_batch | Bm, Bs, B | memory_batch, target_batch, layout_batch |
| ctx | decode_context (by workload) | S | uncached_tokens |
| past | cached_tokens | O | output_tokens |
| slo | tpot_target | ovh | step_overhead |
| al, be | all_reduce_slab, all_reduce_per_sequence | tw, tkv, ct | weight_read_time, kv_read_time, token_compute_time |
| Tm | full_memory_sweep | ctx* | crossover_context |
| c_n / n, A_n, D_n | kv_room_per_gpu, compute_step_start, full_batch_reduce_slope | | |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, Grid, Input, quantities, some
from sheetcalc.quantities import collectives, decode, memory, prefill, step_model, tensor_choice, tensor_scaling
from sheetcalc.studies.worked_inputs import BF16_CACHE, OVERLAP, PLAN_KNOWS, PRICE, STEP_INPUTS
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (b)"
WIDTHS = [1.0, 2.0, 4.0, 8.0]
WORKLOADS = ["chat", "cached 128K"]

INPUTS = (
    STEP_INPUTS
    | OVERLAP
    | BF16_CACHE
    | PRICE
    | {
        "tpot_target": Input(0.050, "ms", "TPOT target", "chosen: worked example", **POSITIVE),
        "request_rate": Input(200.0, "req/s", "Requests at the peak", "quoted: worked fleet answer (200 req/s, 70B on 4 H100)", **POSITIVE),
        "gpus_per_node": Input(8.0, "", "GPUs in a node", "quoted: HGX H100", **COUNT),
        "lone_batch": Input(1.0, "", "Sequences of a lone user", "chosen: worked example", **COUNT),
        "short_workload": Input("chat", "", "Short workload", "chosen", choices=tuple(WORKLOADS)),
        "long_workload": Input("cached 128K", "", "Long workload", "chosen", choices=tuple(WORKLOADS)),
        "narrow_tp": Input(4.0, "", "Narrow layout", "chosen: one of the widths", **COUNT),
        "wide_tp": Input(8.0, "", "Wide layout", "chosen: one of the widths", **COUNT),
    }
)

STUDY = Study(
    name="tensor_parallel",
    title="Tensor parallelism: what each doubling buys",
    purpose="How wide a replica should be for each workload, and what the all-reduces that do not shrink cost.",
    functions=quantities(collectives, step_model, tensor_scaling, tensor_choice)
    | some(prefill, "transfer_per_token")
    | some(memory, "usable_memory", "weights", "weights_per_gpu", "kv_per_token_layer", "kv_per_token", "kv_shards")
    | some(decode, "reached_bandwidth", "weights_read", "weight_read_time"),
    inputs=INPUTS,
    grids=[
        Grid(
            "widths",
            "Layouts, one user, traffic without limit",
            rows={"gpus_per_replica": Input(WIDTHS, "", "GPUs per replica", "chosen: powers of two", **COUNT)},
            show=[
                "user_step",
                "doubling_gain",
                "all_reduce_slab",
                "user_step_reduce_share",
                "user_rate",
                "user_rate_per_gpu",
                "node_kv_room",
                "short_output_cost",
                "long_output_cost",
                "short_premium",
                "long_premium",
            ],
        ),
        Grid(
            "workloads",
            "Each layout at its own batch",
            rows={"workload": Input(WORKLOADS, "", "Workload", "chosen")},
            columns="gpus_per_replica",
            typed={
                "decode_context": Input([2150.0, 131072.0], "tok", "Context while decoding", SPEC, **POSITIVE),
                "uncached_tokens": Input([2000.0, 500.0], "tok", "Prompt tokens to work out", SPEC, **POSITIVE),
                "cached_tokens": Input(
                    [0.0, 130322.0], "tok", "Prompt tokens from cache", f"{SPEC}: context less own tokens and half the answer", **AT_LEAST_0
                ),
                "output_tokens": Input([300.0, 500.0], "tok", "Answer", SPEC, **POSITIVE),
            },
            show=[
                "cheapest_tp",
                "fastest_tp",
                "layout_batch",
                "layout_step",
                "layout_rate_per_gpu",
                "layout_gpu_seconds",
                "layout_cost_per_output",
                "layout_premium",
            ],
        ),
    ],
    claims=[
        Claim("full_memory_sweep", 0.02809950248756219, SPEC),
        Claim("crossover_context", 2226.9471756231746, SPEC),
        Claim("short_tp", 2.0, SPEC),
        Claim("short_fast_tp", 4.0, SPEC),
        Claim("long_tp", 8.0, SPEC),
        Claim("last_doubling", 1.5779613842193676, SPEC),
        Claim("wide_slab", 0.00152, SPEC),
        Claim("wide_reduce_share", 0.27469878669430964, SPEC),
        Claim("wide_short_premium", 0.246, SPEC, rel=2e-3, note="printed to three digits"),
        Claim("narrow_long_premium", 0.206, SPEC, rel=3e-3, note="printed to three digits"),
    ],
    sayings={
        "headline": Saying(
            (
                "wide_is_cheapest",
                "{short_tp} GPUs a replica are cheapest for {short_workload}, at {short_cheapest_cost}, and {long_tp} for {long_workload}",
            ),
            (
                "",
                "{short_tp} GPUs a replica are cheapest for {short_workload}, {long_tp} for {long_workload}: {wide_tp} for "
                "{short_workload} would cost {wide_short_waste} more",
            ),
        ),
        "premium": Saying(
            ("wide_is_cheapest", "{wide_tp} GPUs a replica are the cheapest on {short_workload}"),
            (
                "narrow_serves_long",
                "The cheapest width differs: {wide_tp} GPUs cost {wide_short_premium:1} more on {short_workload}, {narrow_tp} cost "
                "{narrow_long_premium:1} more on {long_workload}",
            ),
            (
                "",
                "{wide_tp} GPUs cost {wide_short_premium:1} more on {short_workload}, and {narrow_tp} cannot serve {long_workload}",
            ),
        ),
        "decision": Saying(
            (
                "wide_is_cheapest",
                "Buy replicas of {short_tp} GPUs for {short_workload}, {short_cheapest_cost} at {request_rate:0}, and of {long_tp} for "
                "{long_workload}.",
            ),
            (
                "narrow_serves_long",
                "Buy replicas of {short_tp} GPUs for {short_workload} and of {long_tp} for {long_workload}: {wide_tp} GPUs a replica "
                "cost {wide_short_premium:1} more a {short_workload} request than the cheapest layout, {wide_short_waste} at "
                "{request_rate:0}; {narrow_tp} cost {narrow_long_premium:1} more on {long_workload}.",
            ),
            (
                "",
                "Buy replicas of {short_tp} GPUs for {short_workload} and of {long_tp} for {long_workload}: {wide_tp} GPUs a replica "
                "cost {wide_short_premium:1} more a {short_workload} request than the cheapest layout, {wide_short_waste} at "
                "{request_rate:0}; {narrow_tp} cannot serve {long_workload}.",
            ),
        ),
        "doubling": Saying(
            (
                "",
                "Each doubling buys less: the last one makes a lone user {last_doubling:2} as fast, because {wide_slab:2} of "
                "all-reduces do not shrink; they are {wide_reduce_share:0} of that step.",
            )
        ),
        "crossover": Saying(
            (
                "wide_overtakes",
                "On decode alone {wide_tp} GPUs overtake {narrow_tp} from {crossover_context:0} of context on: every "
                "layout reads a full memory in {full_memory_sweep:1}, and only the share that is KV cache differs.",
            ),
            ("", "On decode alone {wide_tp} GPUs never overtake {narrow_tp}."),
        ),
        "basis": Saying(
            (
                "",
                "Every layout runs at its own batch, the largest that memory and a TPOT of {tpot_target:0} allow. At one given "
                "concurrency the wide layout wins more often, because fewer replicas read the weights.",
            )
        ),
        "one_user": Saying(("", "The step of one user falls with each doubling, the all-reduces in it do not")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("short_tp", "long_tp", "wide_short_waste", "crossover_context", "last_doubling"),
        argument=("doubling", "crossover", "basis"),
        derivation=(
            "usable_memory",
            "full_memory_sweep",
            "wide_advantage",
            "crossover_context",
            "wide_short_premium",
            "short_cheapest_cost",
            "wide_short_waste",
        ),
        not_counted=(
            "Requests that wait: every figure is at full load, so a real fleet divides by its utilization cap.",
            "Whole batches make the real crossover lumpy, and the formula takes both steps as paced by memory.",
        ),
    ),
    charts=[
        Chart(
            "one_user",
            "stacked",
            title="one_user",
            x="gpus_per_replica",
            ys=("weight_read_time", "all_reduce_slab", "user_step_rest"),
            x_label="GPUs per replica",
            y_label="step of one user, ms",
        ),
        Chart(
            "premium",
            "bars",
            title="premium",
            x="gpus_per_replica",
            ys=("short_premium", "long_premium"),
            x_label="GPUs per replica",
            y_label="cost of a request above the cheapest layout",
        ),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS},
    core=("short_tp", "long_tp", "wide_short_waste", "crossover_context"),
)
