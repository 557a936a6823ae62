"""Prefill and decode together or in two pools: 200 req/s, 70B on 4 H100s, FP8 weights, BF16 KV cache. Source: calculators B (h).

| symbol | name | symbol | name |
|---|---|---|---|
| lam, S, O, B | request_rate, prompt_tokens, output_tokens, batch | t_p | request_gemm_time |
| a, b | weight_read_time, kv_read_time | T | memory_step |
| wp, wd | split_prefill_work, split_decode_work | rho, rho_p | utilization_cap, prefill_cap |
| TPOT | tpot_target | MIN(rho, 1 - a/TPOT) | decode_load_allowed |
"""

from sheetcalc.model import COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import decode, demand, memory, prompt_work, split_phases, step_model
from sheetcalc.studies.worked_inputs import ARITHMETIC, BF16_CACHE, EFFICIENCY, GPU, H100, MODEL, PLAN_KNOWS, PRICE, WORKED
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (h)"
TARGETS = [0.010, 0.012, 0.014, 0.016, 0.018, 0.020, 0.022, 0.025, 0.030, 0.040, 0.050, 0.060]

INPUTS = (
    {n: EFFICIENCY[n] for n in ("memory_fraction", "memory_reserve", "mbu")}
    | BF16_CACHE
    | PRICE
    | {
        n: (ARITHMETIC | GPU | MODEL)[n]
        for n in (
            "flops_per_param",
            "hbm",
            "bandwidth",
            "peak_compute",
            "params",
            "active_params",
            "expert_params",
            "expert_coverage",
            "bytes_per_weight",
            "kv_layers",
            "kv_heads",
            "head_size",
            "kv_tensors",
            "attention_parallelism",
        )
    }
    | {
        "request_rate": Input(200.0, "req/s", "Requests at the peak", f"quoted: {WORKED}", **POSITIVE),
        "prompt_tokens": Input(2000.0, "tok", "Prompt", f"quoted: {WORKED}", **POSITIVE),
        "output_tokens": Input(300.0, "tok", "Answer", f"quoted: {WORKED}", **POSITIVE),
        "prefix_hit_share": Input(0.0, "%", "Prompt tokens served from cache", f"chosen: {WORKED}", low=0.0, high=0.99),
        "batch": Input(128.0, "", "Planned batch", f"quoted: {WORKED}", **COUNT),
        "tpot_target": Input(0.050, "ms", "TPOT target", "chosen: worked example", **POSITIVE),
        "tight_target": Input(0.015, "ms", "A tight TPOT target to compare with", "chosen", **POSITIVE),
        "utilization_cap": Input(0.65, "%", "Utilization cap, together and of the decode pool", f"quoted: {WORKED}", **SHARE),
        "prefill_cap": Input(0.65, "%", "Utilization cap of a prefill pool", "chosen: worked example", low=0.0, high=0.99, above=True),
        "mfu": Input(0.50, "%", "Share of peak compute reached in prefill, communication inside", f"quoted: {WORKED}", **SHARE),
        "gpus_per_replica": Input(4.0, "", "GPUs per replica", f"quoted: {WORKED}", **COUNT),
        "nic_bandwidth": Input(50e9, "GB/s", "Network link of a GPU, one direction", f"{H100}: 400 Gb/s", **POSITIVE),
        "nic_share": Input(0.80, "%", "Share of the network link reached", "assumed: worked example", **SHARE),
    }
)

STUDY = Study(
    name="disaggregation",
    title="Disaggregation: prefill and decode in two pools",
    purpose="At which TPOT target a second pool pays, and what it saves.",
    functions=quantities(split_phases)
    | some(prompt_work, "prompt_gemm_time")
    | some(step_model, "kv_read_time")
    | some(demand, "uncached_tokens")
    | some(decode, "reached_bandwidth", "weights_read", "weight_read_time")
    | some(
        memory,
        "usable_memory",
        "weights",
        "weights_per_gpu",
        "weights_fit",
        "kv_per_token_layer",
        "kv_per_token",
        "kv_shards",
        "decode_context",
    ),
    inputs=INPUTS,
    grids=[
        Grid(
            "batches",
            "Three batches",
            rows={"batch": [64.0, 128.0, 192.0]},
            show=["memory_step", "together_replicas", "together_gpus", "together_output_cost", "together_tpot_worst"],
        ),
        Grid(
            "targets",
            "Both layouts by TPOT target",
            rows={"tpot_target": TARGETS},
            show=["decode_load_allowed", "together_exact", "split_exact", "split_saving"],
        ),
        Grid(
            "hits",
            "What prefix hits do",
            rows={"prefix_hit_share": [0.0, 0.25, 0.5, 0.75]},
            show=["prefill_work_share", "together_gpus", "split_gpus", "together_tpot_worst"],
        ),
    ],
    claims=[
        Claim("request_gemm_time", 0.07129863567458312, SPEC),
        Claim("memory_step", 0.015992789651741293, SPEC),
        Claim("split_prefill_work", 14.259727134916625, SPEC),
        Claim("split_decode_work", 7.496620149253731, SPEC),
        Claim("prefill_work_share", 0.6554283652794889, SPEC),
        Claim("together_replicas", 34.0, SPEC),
        Claim("together_gpus", 136.0, SPEC),
        Claim("split_prefill_gpus", 88.0, SPEC),
        Claim("split_decode_gpus", 48.0, SPEC),
        Claim("together_output_cost", 1.5740740740740742e-6, SPEC),
        Claim("together_token_cost", 0.20531400966183574e-6, SPEC),
        Claim("together_gpus", 92.0, SPEC, changes={"prefix_hit_share": 0.5}),
        Claim("together_gpus", 156.0, SPEC, changes={"batch": 64.0}),
        Claim("together_gpus", 128.0, SPEC, changes={"batch": 192.0}),
        Claim("together_tpot_worst", 0.04641354087289676, SPEC),
        Claim("reversal_tpot", 0.02005685856432125, SPEC),
        Claim("together_batch", 27.113928448937642, SPEC),
        Claim("together_tpot", 0.015364559454397997, SPEC),
        Claim("split_kv_rate", 131072000000.0, SPEC),
        Claim("split_link_use", 0.03723636363636364, SPEC),
        Claim("split_handover", 0.004096, SPEC),
    ],
    sayings={
        "headline": Saying(
            ("split_wins", "At a TPOT of {tpot_target:0} two pools save {split_saving}"),
            ("reversal_exists", "Keep one pool for {together_cost_month}: a second pays only below a TPOT of {reversal_tpot:1}"),
            ("", "Two pools win at every TPOT"),
        ),
        "decision": Saying(
            ("split_wins", "Buy two pools: at a TPOT of {tpot_target:0} they save {split_saving} of {together_cost_month}."),
            (
                "tight_pays",
                "Keep both phases together for {together_cost_month}: at a TPOT of {tpot_target:0} two pools take "
                "{split_gpus} GPUs, one "
                "pool {together_gpus}; promise {tight_target:0} instead, and two pools save {tight_saving}.",
            ),
            (
                "",
                "Keep both phases together for {together_cost_month}: at a TPOT of {tpot_target:0} two pools take {split_gpus} GPUs, one "
                "pool {together_gpus}, and at {tight_target:0} they save nothing either.",
            ),
        ),
        "why": Saying(
            (
                "",
                "A replica that decodes may be loaded to {decode_load_allowed:0}; together that limit holds prefill too, "
                "which could "
                "go to {prefill_cap:0} by itself. Longer prompts enlarge the difference and do not turn it.",
            )
        ),
        "bound": Saying(
            (
                "",
                "The {together_tpot_worst:1} of the planned batch of {batch:0} are a bound at full load: at the planned "
                "{together_replicas} replicas {together_batch:0} sequences run, at {together_tpot:1} a token.",
            )
        ),
        "network": Saying(
            ("", "The hand-over would use {split_link_use:1} of the prefill pool's links and take {split_handover:1} of a request.")
        ),
        "curves": Saying(
            ("tight_pays", "The two layouts cross at {reversal_tpot:1}: at {tight_target:0} two pools save {tight_saving}"),
            ("reversal_exists", "The two layouts cross at {reversal_tpot:1}"),
            ("", "The two layouts never cross"),
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("reversal_tpot", "together_cost_month", "together_gpus", "split_gpus", "tight_saving"),
        argument=("why", "bound", "network"),
        derivation=(
            "request_gemm_time",
            "memory_step",
            "split_prefill_work",
            "split_decode_work",
            "together_replicas",
            "split_prefill_gpus",
            "split_decode_gpus",
            "together_tpot_worst",
            "decode_load_allowed",
            "reversal_tpot",
            "tight_saving",
            "split_link_use",
        ),
        not_counted=(
            "Attention, all-reduces and overhead: the worked fleet answer leaves them out.",
            "Whole replicas, and the network of a second pool, come on top of the closed form.",
        ),
    ),
    charts=[
        Chart(
            "replicas_by_target",
            "line",
            title="curves",
            x="targets_tpot_target",
            ys=("targets_together_exact", "targets_split_exact"),
            x_label="TPOT target, ms",
            y_label="replicas, before whole ones are counted",
            marks=("reversal_tpot",),
        ),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS} | {n: n for n in ("mfu", "batch", "utilization_cap", "prefix_hit_share")},
    core=("reversal_tpot", "together_gpus", "split_gpus", "tight_saving"),
)
