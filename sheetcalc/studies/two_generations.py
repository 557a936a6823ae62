"""A one-trillion-parameter mixture of experts on H100s and B200s: fit, roles, pools, and the price of different weights. Source:
calculators B (d).

| symbol | name | symbol | name |
|---|---|---|---|
| lam, S, O | request_rate, prompt_tokens, output_tokens | rho_p, rho_d | prefill_cap, decode_cap |
| N | instance_gpus | E, R | expert_bytes, replicated_bytes |
| w(N) | fit_weights | kv | latent_kv_per_token |
| n | instance_nodes | k | experts_per_token |
| comp, a2a (prefill) | moe_prefill_compute, moe_prefill_exchange | tok | moe_prefill_time |
| cov | instance_coverage | T | moe_step |
| b | gpu_batch | B | instance_batch |
| lat | link_exchange_latency, node_exchange_latency | ctx | decode_context |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import decode, expert_fit, expert_pools, expert_serving, expert_targets, memory, moe_model
from sheetcalc.studies.moe_inputs import MOE
from sheetcalc.studies.worked_inputs import EFFICIENCY, PRICE
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (d)"
SHEETS = "quoted: NVIDIA data sheets (H100 SXM; B200 in the round figures of the worked example)"
BUILDS = ["H100, FP8", "B200, FP8", "B200, 4-bit experts", "H100, 4-bit experts"]
BATCHES = [
    float(n)
    for n in (*range(1, 13), *range(14, 33, 2), 36, 40, 44, 48, 56, 64, 72, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512)
]
NODES = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0]
TARGETS = [0.012, 0.015, 0.018, 0.020, 0.025, 0.030, 0.035, 0.040, 0.050, 0.080]
OPTIONS = {
    "FP8: H100 prefills, B200 decodes": (0, 1),
    "FP8 on H100, 4-bit experts on B200": (0, 2),
    "B200 alone, FP8": (1, 1),
    "H100 alone, FP8": (0, 0),
    "FP8: B200 prefills, H100 decodes": (1, 0),
    "4-bit experts on both": (3, 2),
    "B200 alone, 4-bit experts decode": (1, 2),
}
NAMES = list(OPTIONS)

INPUTS = (
    {n: EFFICIENCY[n] for n in ("memory_fraction", "memory_reserve", "mbu")}
    | {n: PRICE[n] for n in ("seconds_per_hour", "hours_per_month")}
    | MOE
    | {
        "request_rate": Input(100.0, "req/s", "Requests at the peak", "assumed: worked example", **POSITIVE),
        "prompt_tokens": Input(4000.0, "tok", "Prompt", "assumed: worked example", **POSITIVE),
        "output_tokens": Input(500.0, "tok", "Answer", "assumed: worked example", **POSITIVE),
        "longest_context": Input(131072.0, "tok", "Longest sequence that must fit a GPU", "chosen: worked example", **POSITIVE),
        "tpot_target": Input(0.020, "ms", "TPOT target", "chosen: worked example", **POSITIVE),
        "prefill_cap": Input(0.65, "%", "Utilization cap of the prefill pool", "chosen: worked example", **SHARE),
        "decode_cap": Input(0.75, "%", "Utilization cap of the decode pool", "chosen: worked example", **SHARE),
        "mfu": Input(0.40, "%", "Share of peak compute reached, communication inside", "assumed: worked example", **SHARE),
        "step_overhead": Input(0.002, "ms", "Overhead of a step", "assumed: worked example", **AT_LEAST_0),
        "nic_bandwidth": Input(50e9, "GB/s", "Network link of a GPU, one direction", SHEETS, **POSITIVE),
        "exchange_link_share": Input(0.70, "%", "Share of NVLink reached by the exchange", "assumed: worked example", **SHARE),
        "exchange_nic_share": Input(
            0.95, "%", "Share of the network link reached", "measured: fitted to DeepEP's low-latency table", **SHARE
        ),
        "link_exchange_latency": Input(20e-6, "µs", "One exchange in a node, empty", "assumed: worked example", **AT_LEAST_0),
        "node_exchange_latency": Input(
            40e-6, "µs", "One exchange over the network, empty", "measured: fitted to DeepEP's low-latency table", **AT_LEAST_0
        ),
        "exchange_bytes": Input(3.0, "B", "Bytes of an exchanged element", "quoted: FP8 there, BF16 back", **POSITIVE),
        "gpus_per_node": Input(8.0, "", "GPUs in a node", "quoted: HGX", **COUNT),
        "power_of_two_only": Input(
            1.0, "", "Only node counts that halve evenly (1 yes, 0 no)", "chosen: worked example", low=0.0, high=1.0, whole=True
        ),
        "quality_cost": Input(
            0.0, "$/h", "What different weights in the two pools cost in quality", "assumed: 0; enter what an evaluation says", **AT_LEAST_0
        ),
        "old_build": Input(BUILDS[0], "", "Old generation", "chosen", choices=tuple(BUILDS)),
        "new_build": Input(BUILDS[1], "", "New generation", "chosen", choices=tuple(BUILDS)),
        "narrow_build": Input(BUILDS[2], "", "New generation with narrow experts", "chosen", choices=tuple(BUILDS)),
        "roles_option": Input(NAMES[0], "", "Plan in one format", "chosen", choices=tuple(NAMES)),
        "mixed_option": Input(NAMES[1], "", "Plan with mixed weights", "chosen", choices=tuple(NAMES)),
        "agreed_option": Input(NAMES[5], "", "Plan with narrow experts on both", "chosen", choices=tuple(NAMES)),
    }
)


STUDY = Study(
    name="two_generations",
    title="Two generations: roles of two kinds of GPU",
    purpose="Which generation prefills and which decodes, how large both pools are, and what different weights in them cost.",
    functions=quantities(moe_model, expert_fit, expert_serving, expert_pools, expert_targets)
    | some(memory, "usable_memory", "decode_context")
    | some(decode, "reached_bandwidth"),
    inputs=INPUTS,
    grids=[
        Grid(
            "builds",
            "Four builds",
            rows={},
            columns={"build": Input(BUILDS, "", "Build", "chosen")},
            typed={
                "hbm": Input([80e9, 180e9, 180e9, 80e9], "GB", "Memory of a GPU", SHEETS, **POSITIVE),
                "bandwidth": Input([3.35e12, 8e12, 8e12, 3.35e12], "TB/s", "Memory bandwidth of a GPU", SHEETS, **POSITIVE),
                "peak_compute": Input([1979e12, 4500e12, 4500e12, 1979e12], "TFLOP/s", "FP8 peak, dense", SHEETS, **POSITIVE),
                "attention_peak": Input([989e12, 2250e12, 2250e12, 989e12], "TFLOP/s", "BF16 peak, dense", SHEETS, **POSITIVE),
                "link_bandwidth": Input([450e9, 900e9, 900e9, 450e9], "GB/s", "NVLink of a GPU, one direction", SHEETS, **POSITIVE),
                "gpu_hour_price": Input([2.50, 5.00, 5.00, 2.50], "$/h", "Price of a GPU", "assumed: illustrative", **AT_LEAST_0),
                "expert_weight_bytes": Input(
                    [1.0, 1.0, 0.5625, 0.5625],
                    "B",
                    "Bytes of an expert weight, scales included",
                    "defined: FP8 1, FP4 with its scales 0.5625",
                    **POSITIVE,
                ),
            },
            show=[
                "moe_weight_bytes",
                "nodes_raw",
                "nodes_usable",
                "nodes_longest",
                "instance_nodes",
                "nodes_tensor",
                "best_gpu_batch",
                "best_moe_step",
                "instance_batch",
                "pool_prefill_gpus",
                "pool_decode_gpus",
                "prompt_token_cost",
                "output_token_cost",
            ],
        ),
        Grid(
            "fit",
            "What fits how many nodes",
            rows={"node_count": Input(NODES, "", "Nodes", "chosen", **COUNT)},
            columns="build",
            typed={
                "halves_evenly": Input(
                    [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0], "", "Halves evenly (1 yes, 0 no)", "defined: powers of two", **FRACTION
                )
            },
            show=["fit_weights", "fit_kv_room", "fit_tokens", "fit_tensor_tokens"],
        ),
        Grid(
            "steps",
            "Decode by sequences on a GPU",
            rows={"gpu_batch": Input(BATCHES, "", "Sequences on a GPU", "chosen", **COUNT)},
            columns="build",
            typed={"batch_place": Input([float(n + 1) for n in range(len(BATCHES))], "", "Place in the table", "defined", **COUNT)},
            show=["instance_coverage", "moe_step"],
        ),
        Grid(
            "targets",
            "Cheapest decoder by TPOT target",
            rows={"target": Input(TARGETS, "ms", "TPOT target", "chosen", **POSITIVE)},
            columns="build",
            show=["old_target_cost", "new_target_cost", "narrow_target_cost", "old_decodes", "old_decodes_narrow"],
        ),
        Grid(
            "options",
            "Whole plans",
            rows={"option": Input(NAMES, "", "Plan", "chosen")},
            typed={
                "prefill_build": Input([BUILDS[p] for p, _ in OPTIONS.values()], "", "Prefills", "chosen", choices=tuple(BUILDS)),
                "decode_build": Input([BUILDS[d] for _, d in OPTIONS.values()], "", "Decodes", "chosen", choices=tuple(BUILDS)),
            },
            show=["option_cost"],
        ),
    ],
    claims=[
        Claim("moe_total_params", 1026407202816.0, SPEC),
        Claim("moe_active_params", 31686066176.0, SPEC),
        Claim("latent_kv_per_token", 70272.0, SPEC),
        Claim("pool_kv_rate", 28108800000.0, SPEC),
        Claim("prefill_link_use", 0.009246315789473684, SPEC),
        Claim("pool_handover_time", 0.005917642105263158, SPEC),
        Claim("prefill_cost_ratio", 1.137016147650673, SPEC),
        Claim("decode_cost_ratio", 2.401887714374483, SPEC),
        Claim("old_prefills", 1.0, SPEC),
        Claim("roles_prefill_gpus", 64.0, SPEC),
        Claim("roles_decode_gpus", 256.0, SPEC),
        Claim("mixed_decode_gpus", 48.0, SPEC),
        Claim("roles_cost", 1440.0, SPEC),
        Claim("mixed_cost", 400.0, SPEC),
        Claim("agreed_cost", 400.0, SPEC),
        Claim("mixed_saving", 1040.0, SPEC),
        Claim("foreign_context_share", 0.9411764705882353, SPEC),
        Claim("reply_prefill_cost", 17.82451924332818, SPEC),
        Claim("old_breakeven_price", 2.20, SPEC, rel=1e-3, note="printed to two decimals"),
        Claim("mixed_saving", 0.0, SPEC, changes={"expert_weight_bytes": [1.0, 1.0, 1.0, 1.0]}),
    ],
    sayings={
        "headline": Saying(
            (
                "old_prefills",
                "Prefill on the old generation and decode on the new: {roles_cost} in FP8, {agreed_cost} with 4-bit experts on both",
            ),
            ("", "At a TPOT of {tpot_target:0} the roles turn: decode on the old generation, {roles_cost} in FP8, {agreed_cost} in 4 bits"),
        ),
        "decision": Saying(
            (
                "old_prefills",
                "Keep the old GPUs for prefill while they cost less than {old_breakeven_price:2}, and load "
                "the same narrow "
                "experts on both generations: {agreed_cost} instead of {roles_cost}, {agreed_saving_month} "
                "less at "
                "{request_rate:0}, with one set of expert weights.",
            ),
            (
                "",
                "Let the old GPUs decode and load the same narrow experts on both generations: {agreed_cost} instead of "
                "{roles_cost}, {agreed_saving_month} less at {request_rate:0}.",
            ),
        ),
        "advantage": Saying(
            (
                "old_can_decode",
                "The roles follow comparative advantage: a decoded token costs {decode_cost_ratio:2} as "
                "much on the old "
                "generation, a prompt token {prefill_cost_ratio:2}; the new one may be cheaper at both.",
            ),
            (
                "",
                "The old generation cannot decode at a TPOT of {tpot_target:0}, so it prefills; a prompt token costs "
                "{prefill_cost_ratio:2} as much on it.",
            ),
        ),
        "turn": Saying(
            (
                "",
                "With one format on both, the new generation decodes at every target of the table up to {roles_hold_to:0}; "
                "at looser ones "
                "the wider sharding of the old instances makes them the decoders.",
            )
        ),
        "mismatch": Saying(
            (
                "",
                "Different weights in the two pools save {mixed_saving} before a loss of quality, but then the other "
                "weights wrote "
                "{foreign_context_share:0} of the context that a decoder reads; a cache keyed by weights costs "
                "{reply_prefill_cost} more.",
            )
        ),
        "network": Saying(
            (
                "",
                "The network is no obstacle: the KV cache uses {prefill_link_use:1} of the prefill pool's links, and its "
                "hand-over "
                "takes {pool_handover_time:1} of a request.",
            )
        ),
        "plans": Saying(("", "The cheapest plan is {cheapest_option}, {cheapest_option_cost}")),
        "by_target": Saying(
            (
                "old_can_decode",
                "At {tpot_target:0} the old generation costs {decode_cost_ratio:2} as much as a decoder; the tighter the target, the more",
            ),
            ("", "The tighter the target, the more the old generation costs as a decoder; at {tpot_target:0} it cannot decode"),
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("agreed_saving_month", "roles_cost", "agreed_cost", "decode_cost_ratio", "old_breakeven_price"),
        argument=("advantage", "turn", "mismatch", "network"),
        derivation=(
            "latent_kv_per_token",
            "prefill_cost_ratio",
            "decode_cost_ratio",
            "old_breakeven_price",
            "roles_cost",
            "agreed_cost",
            "agreed_saving_month",
        ),
        not_counted=(
            "Experts that are busier than others, and spare copies of them.",
            "What expanding 4-bit experts in the old generation's kernels takes, and the quality of the narrow weights.",
        ),
    ),
    charts=[
        Chart(
            "decoders",
            "line",
            title="by_target",
            x="target",
            ys=("old_target_cost", "new_target_cost", "narrow_target_cost"),
            x_label="TPOT target, ms",
            y_label="$ per million output tokens, everything busy",
            log_y=True,
        ),
        Chart("plans", "bars", title="plans", x="option", ys=("option_cost",), y_label="cost of the plan, $/h"),
    ],
    links={
        n: n
        for n in (
            "request_rate",
            "prompt_tokens",
            "output_tokens",
            "tpot_target",
            "memory_fraction",
            "memory_reserve",
            "mbu",
            "hours_per_month",
        )
    },
    core=("agreed_saving_month", "roles_cost", "agreed_cost", "decode_cost_ratio"),
)
