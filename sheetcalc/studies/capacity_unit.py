"""One capacity unit for two generations of GPUs: 64 H100s and 32 B200s, 70B, FP8 weights, BF16 KV cache. Source: calculators B (g).

| symbol | name | symbol | name |
|---|---|---|---|
| S, O | prompt_tokens, output_tokens | t_p | pool_prefill_time |
| a, b | step_start, step_slope | a2, b2 | compute_step_start, compute_step_slope |
| TTFT, TPOT | ttft_target, tpot_target | Bm | pool_kv_batch |
| l1, l1c, l2, l3 | unit_by_tpot, unit_by_compute, unit_by_ttft, unit_by_memory | rho | unit_prompt_load |
| x | gpu_routed_rate, unit_routed_rate | cv2, eps | prompt_spread squared, 1 less ttft_percentile |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import (
    capacity_units,
    collectives,
    decode,
    memory,
    prefill,
    prompt_work,
    queueing,
    step_model,
    unit_routing,
    waiting,
)
from sheetcalc.studies.worked_inputs import ARITHMETIC, BF16_CACHE, EFFICIENCY, MODEL, PLAN_KNOWS, PRICE, REDUCE
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (g)"
ASSUMED = "assumed: worked example"
SHEETS = "quoted: NVIDIA data sheets (H100 SXM; B200 in the round figures of the worked example)"
POOLS = ["H100", "B200"]
MIXES = ["500 in, 800 out", "2,000 in, 300 out", "3,000 in, 300 out"]

INPUTS = (
    EFFICIENCY
    | REDUCE
    | ARITHMETIC
    | MODEL
    | BF16_CACHE
    | {n: PRICE[n] for n in ("hours_per_month",)}
    | {
        "prompt_tokens": Input(2000.0, "tok", "Prompt", ASSUMED, **POSITIVE),
        "output_tokens": Input(300.0, "tok", "Answer", ASSUMED, **POSITIVE),
        "ttft_target": Input(0.60, "ms", "TTFT target", "chosen: worked example", **POSITIVE),
        "tpot_target": Input(0.040, "ms", "TPOT target, mean", "chosen: worked example; divide a target at p95 by about 1.4", **POSITIVE),
        "ttft_percentile": Input(0.95, "%", "Percentile of the TTFT target", "chosen: worked example", low=0.5, high=0.9999),
        "prompt_spread": Input(1.0, "", "Spread of prompts (standard deviation over mean)", ASSUMED, **AT_LEAST_0),
        "mfu": Input(0.50, "%", "Share of peak compute reached in prefill, communication inside", ASSUMED, **SHARE),
        "own_demand": Input(None, "req/s", "Demand", "chosen: blank, then a share of the fleet's capacity", **POSITIVE),
        "load_share": Input(0.90, "%", "Share of the fleet's capacity that is asked for", "chosen: worked example", **POSITIVE),
        "growth_rate": Input(50.0, "req/s", "Growth to buy for", ASSUMED, **POSITIVE),
        "one_request_rate": Input(1.0, "req/s", "One request a second", "defined", **POSITIVE),
        "first_pool": Input("H100", "", "Slower kind", "chosen", choices=tuple(POOLS)),
        "last_pool": Input("B200", "", "Faster kind", "chosen", choices=tuple(POOLS)),
    }
)

STUDY = Study(
    name="capacity_unit",
    title="Capacity unit: what a GPU of each kind is worth",
    purpose="What a GPU of each generation is worth at the service targets, so that planning, routing and buying use one unit.",
    functions=quantities(collectives, step_model, prompt_work, capacity_units, unit_routing)
    | some(queueing, "late_share")
    | some(waiting, "gpu_routed_wait", "unit_routed_wait")
    | some(prefill, "transfer_per_token")
    | some(decode, "reached_bandwidth", "weights_read", "weight_read_time")
    | some(memory, "usable_memory", "weights", "weights_per_gpu", "kv_per_token_layer", "kv_per_token", "kv_shards", "decode_context"),
    inputs=INPUTS,
    grids=[
        Grid(
            "pools",
            "Both pools",
            rows={},
            columns={"pool": Input(POOLS, "", "Pool", "chosen")},
            typed={
                "pool_gpus": Input([64.0, 32.0], "", "GPUs", ASSUMED, **COUNT),
                "gpus_per_replica": Input([4.0, 4.0], "", "GPUs per replica", "chosen: worked example", **COUNT),
                "hbm": Input([80e9, 180e9], "GB", "Memory of a GPU", SHEETS, **POSITIVE),
                "bandwidth": Input([3.35e12, 8e12], "TB/s", "Memory bandwidth of a GPU", SHEETS, **POSITIVE),
                "peak_compute": Input([1979e12, 4500e12], "TFLOP/s", "FP8 peak, dense", SHEETS, **POSITIVE),
                "attention_peak": Input([989e12, 2250e12], "TFLOP/s", "BF16 peak, dense", SHEETS, **POSITIVE),
                "link_bandwidth": Input([450e9, 900e9], "GB/s", "NVLink of a GPU, one direction", SHEETS, **POSITIVE),
                "gpu_hour_price": Input([2.50, 5.00], "$/h", "Price of a GPU", "assumed: illustrative", **AT_LEAST_0),
            },
            show=[
                "replica_unit",
                "unit_binding",
                "unit_per_gpu",
                "pool_units",
                "unit_cost",
                "unit_by_tpot",
                "unit_by_compute",
                "unit_by_ttft",
                "unit_by_memory",
                "gpu_routed_share",
                "unit_routed_share",
                "gpu_routed_use",
                "gpu_routed_tpot",
                "gpu_routed_ttft",
                "gpu_routed_holds",
                "unit_routed_tpot",
                "unit_routed_ttft",
                "unit_routed_holds",
                "growth_gpus",
                "growth_cost",
            ],
        ),
        Grid(
            "mixes",
            "The unit depends on the mix",
            rows={"mix": Input(MIXES, "", "Mix", "chosen")},
            columns="pool",
            typed={"prompt_tokens": [500.0, 2000.0, 3000.0], "output_tokens": [800.0, 300.0, 300.0]},
            show=["unit_per_gpu", "unit_ratio"],
        ),
        Grid(
            "loads",
            "What the slower pool sees",
            rows={"load_share": [0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0]},
            columns="pool",
            show=["unit_demand", "first_pool_gpu_routed_ttft", "first_pool_unit_routed_ttft"],
        ),
    ],
    claims=[
        Claim("fleet_units", 282.71941558359765, SPEC),
        Claim("unit_demand", 254.44747402523788, SPEC),
        Claim("counted_as_first", 176.62503582058108, SPEC),
        Claim("counting_error_first", -0.37526386203088835, SPEC),
        Claim("counting_error_last", 0.7505277240617765, SPEC),
        Claim("gpu_routing_capacity", 176.6250358205811, SPEC),
        Claim("stranded_share", 0.37526386203088824, SPEC),
        Claim("first_pool_use", 1.440608194886427, SPEC),
        Claim("unit_ratio", 2.802027316288091, SPEC),
        Claim("growth_cost_first", 70.0, SPEC),
        Claim("growth_cost_last", 60.0, SPEC),
        Claim("cheapest_growth", "B200", SPEC),
        Claim("fleet_unit_cost", 1.131864252546811, SPEC),
        Claim("gpu_routing_holds", 0.0, SPEC),
        Claim("unit_routing_holds", 1.0, SPEC),
        Claim("unit_ratio", 2.4350798490558168, SPEC, changes={"prompt_tokens": 500.0, "output_tokens": 800.0}),
        Claim("unit_ratio", 6.3969058991368595, SPEC, changes={"prompt_tokens": 3000.0}),
    ],
    sayings={
        "headline": Saying(
            (
                "first_pool_serves",
                "One {last_pool} does {unit_ratio:2} the work of one {first_pool}: routing by GPU count strands {stranded_cost}",
            ),
            ("", "At these targets only {last_pool} serves: routing by GPU count strands {stranded_cost}"),
        ),
        "decision": Saying(
            (
                "",
                "Grow by {growth_rate:0} with {growth_gpus_cheapest} {cheapest_growth} at {growth_cost_cheapest}, and "
                "route by capacity: "
                "routing by the number of GPUs strands {stranded_share:0} of what the fleet can do, {stranded_cost}.",
            )
        ),
        "routing": Saying(
            ("gpu_routing_works", "Routed by the number of GPUs both kinds still hold their targets at {unit_demand:0}."),
            (
                "",
                "Routed by the number of GPUs, {first_pool} gets {first_pool_use:0} of its capacity at {unit_demand:0} "
                "and breaks; "
                "such routing carries {gpu_routing_capacity:0} of {fleet_units:0}.",
            ),
        ),
        "counting": Saying(
            (
                "",
                "Counting all {fleet_gpus:0} GPUs as {first_pool} misses capacity by {counting_error_first:0}, counting "
                "them as "
                "{last_pool} by {counting_error_last:0}.",
            )
        ),
        "growth": Saying(
            ("first_pool_serves", "The same growth costs {growth_cost_first} in {first_pool} and {growth_cost_last} in {last_pool}."),
            ("", "The growth costs {growth_cost_last} in {last_pool}; {first_pool} cannot serve it."),
        ),
        "mix": Saying(("", "The unit belongs to the mix: with another prompt or answer measure it again.")),
        "slow_pool": Saying(
            ("gpu_routing_works", "The slower kind waits longer when routed by the number of GPUs"),
            ("", "Routed by the number of GPUs, the slower kind misses its target long before the fleet is full"),
        ),
        "units": Saying(("", "A GPU of the faster kind carries more requests: one unit costs {fleet_unit_cost} across the fleet")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("growth_cost_cheapest", "unit_ratio", "stranded_share", "fleet_units", "fleet_unit_cost"),
        argument=("routing", "counting", "growth", "mix"),
        derivation=(
            "fleet_units",
            "fleet_unit_cost",
            "unit_ratio",
            "counted_as_first",
            "counting_error_first",
            "gpu_routing_capacity",
            "stranded_share",
            "stranded_cost",
            "growth_cost_cheapest",
        ),
        not_counted=(
            "TPOT is a mean over requests: at p95 it is a fifth to two fifths longer.",
            "The TTFT is a bound, about twice the simulated one when all prompts have one length.",
        ),
    ),
    charts=[
        Chart("capacity", "bars", title="units", x="pool", ys=("unit_per_gpu",), y_label="requests a second for each GPU"),
        Chart(
            "slower_pool",
            "line",
            title="slow_pool",
            x="loads_unit_demand",
            ys=("loads_first_pool_gpu_routed_ttft", "loads_first_pool_unit_routed_ttft"),
            x_label="demand, req/s",
            y_label="TTFT of the slower kind, ms",
            marks=("gpu_routing_capacity",),
        ),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS} | {"mfu": "mfu"},
    core=("unit_ratio", "fleet_units", "stranded_share", "growth_cost_cheapest"),
)
