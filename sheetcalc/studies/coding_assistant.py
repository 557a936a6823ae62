"""A coding assistant: cold and warm prompts of 32K tokens, 70B on 8 H100s, FP8 weights and KV cache. Source: calculators B (e).

| symbol | name | symbol | name |
|---|---|---|---|
| S, new, O | prompt_tokens, turn_tokens, output_tokens | lin, att | cold_gemm, cold_attention |
| lam | request_rate | t_cold, t_warm | cold_time, warm_time |
| turns, sessions | turns_per_session, live_sessions | f | cold_share |
| h_route, h_res | routing_hit_share, residency_share | c | servers, cold_replicas |
| shared | shared_prefix_tokens | cv2 | cold_spread, warm_spread, squared |
| eps | 1 less ttft_percentile | rho_w | utilization_cap |
| xi | exposed_reduce_share | cap, host | warm_kv_room, host_kv_memory |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import (
    assistant_fleet,
    cold_pool,
    cold_prompts,
    collectives,
    decode,
    memory,
    prefill,
    prompt_work,
    queueing,
    step_model,
    waiting,
    warm_pool,
)
from sheetcalc.studies.worked_inputs import FP8_CACHE, H100, OVERLAP, PLAN_KNOWS, PRICE, STEP_INPUTS
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (e)"
ASSUMED = "assumed: worked example"
OWN = ("request_rate", "prompt_tokens", "output_tokens", "gpus_per_replica", "bytes_per_kv")  # another workload than the plan's

INPUTS = (
    STEP_INPUTS
    | OVERLAP
    | FP8_CACHE
    | PRICE
    | {
        "request_rate": Input(40.0, "req/s", "Turns at the peak", ASSUMED, **POSITIVE),
        "prompt_tokens": Input(32768.0, "tok", "Prompt", ASSUMED, **POSITIVE),
        "turn_tokens": Input(600.0, "tok", "New tokens of a turn", ASSUMED, **POSITIVE),
        "output_tokens": Input(250.0, "tok", "Answer", ASSUMED, **POSITIVE),
        "shared_prefix_tokens": Input(0.0, "tok", "Prefix that all sessions share", ASSUMED, **AT_LEAST_0),
        "turns_per_session": Input(40.0, "", "Turns of a session", ASSUMED, low=1.0),
        "live_sessions": Input(3000.0, "", "Sessions open at the peak", ASSUMED, **POSITIVE),
        "routing_hit_share": Input(0.99, "%", "Turns that reach the replica of their session", ASSUMED, **SHARE),
        "residency_share": Input(0.99, "%", "Sessions that are still in memory", ASSUMED, **SHARE),
        "cold_ttft_target": Input(3.0, "s", "TTFT target of a cold prompt", "chosen: worked example", **POSITIVE),
        "warm_ttft_target": Input(1.0, "ms", "TTFT target of a warm turn", "chosen: worked example", **POSITIVE),
        "ttft_percentile": Input(0.95, "%", "Percentile of the targets", "chosen: worked example", low=0.5, high=0.9999),
        "cold_spread": Input(0.5, "", "Spread of cold prompts (standard deviation over mean)", ASSUMED, **AT_LEAST_0),
        "warm_spread": Input(1.0, "", "Spread of warm prompts (standard deviation over mean)", ASSUMED, **AT_LEAST_0),
        "utilization_cap": Input(0.65, "%", "Utilization cap of the warm pool", "chosen: worked example", **SHARE),
        "batch": Input(64.0, "", "Planned decode batch", "chosen: worked example", **COUNT),
        "gpus_per_replica": Input(8.0, "", "GPUs per replica", "chosen: worked example", **COUNT),
        "mfu": Input(0.50, "%", "Share of peak compute reached in prefill, communication inside", ASSUMED, **SHARE),
        "exposed_reduce_share": Input(0.0, "%", "All-reduces of a prefill that nothing hides", f"{ASSUMED}: all overlapped", **FRACTION),
        "host_kv_memory": Input(1.5e12, "GB", "Host memory for KV cache, each replica", ASSUMED, **AT_LEAST_0),
        "host_bandwidth": Input(50e9, "GB/s", "PCIe of a GPU, as reached", f"{ASSUMED}: gen 5", **POSITIVE),
        "nic_bandwidth": Input(50e9, "GB/s", "Network link of a GPU, one direction", f"{H100}: 400 Gb/s", **POSITIVE),
        "nic_share": Input(0.80, "%", "Share of the network link reached", ASSUMED, **SHARE),
        "hit_point": Input(0.01, "%", "One point", "defined", **SHARE),
    }
)

STUDY = Study(
    name="coding_assistant",
    title="Coding assistant: cold and warm prompts",
    purpose="What a cold long prompt costs, how to make it rare, and how many replicas cold prompts and warm turns take.",
    functions=quantities(collectives, step_model, prompt_work, cold_prompts, cold_pool, warm_pool, assistant_fleet)
    | some(waiting, "pool_wait", "all_cold_wait", "warm_wait")
    | some(queueing, "late_share")
    | some(prefill, "transfer_per_token")
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
            "pools",
            "How many replicas cold prompts take",
            rows={"servers": Input([float(n + 1) for n in range(200)], "", "Replicas", "chosen: up to 200", **COUNT)},
            show=["pool_load", "pool_wait", "pool_meets", "all_cold_load", "all_cold_wait", "all_cold_meets"],
        ),
        Grid(
            "hits",
            "What the hit rate is worth",
            rows={"routing_hit_share": [0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 1.0]},
            columns="servers",
            show=["cold_share", "cold_gpus", "warm_gpus", "assistant_gpus", "assistant_cost"],
        ),
    ],
    claims=[
        Claim("cold_gemm", 0.584078423446185, SPEC),
        Claim("cold_attention", 0.35575704842095046, SPEC),
        Claim("cold_compute", 0.9398354718671355, SPEC),
        Claim("cold_reduces", 0.39452354342483664, SPEC),
        Claim("warm_time", 0.023603730728336103, SPEC),
        Claim("cold_over_warm", 39.817242565763976, SPEC),
        Claim("session_kv", 5368709120.0, SPEC),
        Claim("session_handover", 0.016777216, SPEC),
        Claim("cold_share", 0.044402500000000025, SPEC),
        Claim("all_cold_work", 37.59341887468542, SPEC),
        Claim("cold_work", 1.6692417815832201, SPEC),
        Claim("cold_replicas", 3.0, SPEC),
        Claim("cold_load", 0.5564139271944067, SPEC),
        Claim("cold_ttft", 1.8057919870304424, SPEC),
        Claim("planned_step", 0.02345714244276656, SPEC),
        Claim("warm_replicas_work", 8.0, SPEC),
        Claim("warm_replicas_sessions", 10.0, SPEC),
        Claim("warm_replicas_no_host", 65.0, SPEC),
        Claim("warm_tpot", 0.00878236938771372, SPEC),
        Claim("warm_ttft", 0.06112182090670887, SPEC),
        Claim("assistant_gpus", 104.0, SPEC),
        Claim("all_cold_gpus", 360.0, SPEC),
        Claim("hit_point_value", 11.567205807595514, SPEC),
        Claim("cold_compute", 0.762, SPEC, rel=1e-3, changes={"attention_peak": 1979e12}, note="FP8 attention, printed to three digits"),
    ],
    sayings={
        "headline": Saying(
            (
                "warm_loses",
                "Let prompts be cold: {all_cold_gpus} GPUs, {all_cold_cost}, against {assistant_gpus} GPUs, {assistant_cost}, to keep "
                "them warm",
            ),
            (
                "all_cold_unserved",
                "Keeping prompts warm takes {assistant_gpus} GPUs, {assistant_cost}; cold, no pool of the table meets the target",
            ),
            ("", "Keeping prompts warm takes {assistant_gpus} GPUs instead of {all_cold_gpus} and saves {warm_saving_month}"),
        ),
        "decision": Saying(
            (
                "warm_loses",
                "Hold no sessions: with every prompt cold the fleet is {all_cold_gpus} GPUs, {all_cold_cost}; keeping prompts warm takes "
                "{assistant_gpus} GPUs, {assistant_cost}.",
            ),
            (
                "all_cold_unserved",
                "Fund {assistant_gpus} GPUs, {assistant_cost}, and what keeps prompts warm: with every prompt cold no pool of the table "
                "meets the target.",
            ),
            (
                "work_binds",
                "Fund {assistant_gpus} GPUs, {assistant_cost}, and the cache that keeps prompts warm: with "
                "every prompt cold "
                "it would be {all_cold_gpus} GPUs, {warm_saving_month} more.",
            ),
            (
                "",
                "Fund {assistant_gpus} GPUs, {assistant_cost}, and host memory for their sessions: with every prompt "
                "cold it would "
                "be {all_cold_gpus} GPUs, {warm_saving_month} more, and without host memory {host_memory_gpus} GPUs "
                "more.",
            ),
        ),
        "cold": Saying(
            (
                "",
                "A cold prompt of {prompt_tokens:0} takes {cold_time:2}, {cold_gemm:2} of it matrix work and "
                "{cold_attention:2} attention, "
                "{cold_over_warm:0} a warm turn; all-reduces that nothing hides would add {cold_reduces:2}.",
            )
        ),
        "pools": Saying(
            (
                "",
                "A pool of {cold_replicas} takes the {cold_share:1} of prompts that are cold, first token in {cold_ttft:2} "
                "at the "
                "percentile; a pool of {warm_replicas} takes the rest at {warm_tpot:1} a token.",
            )
        ),
        "binding": Saying(
            (
                "work_binds",
                "Work sets the warm pool: {warm_replicas_work} replicas, and the sessions would fit in {warm_replicas_sessions}.",
            ),
            (
                "",
                "Sessions set the warm pool, not work: {warm_replicas_sessions} replicas hold them and "
                "{warm_replicas_work} could do "
                "the work, so memory is the purchase.",
            ),
        ),
        "point": Saying(("", "One point of hit rate is worth {hit_point_value}, {hit_point_value_month}.")),
        "ratio": Saying(("", "A cold prompt costs {cold_over_warm:0} a warm turn")),
        "by_hits": Saying(("", "Every point of hit rate that routing loses costs {hit_point_value_month}, in GPUs for cold prompts")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("warm_saving_month", "assistant_gpus", "cold_time", "cold_over_warm", "hit_point_value"),
        argument=("cold", "pools", "binding", "point"),
        derivation=(
            "cold_gemm",
            "cold_attention",
            "cold_time",
            "warm_time",
            "cold_share",
            "cold_work",
            "cold_replicas",
            "cold_ttft",
            "warm_replicas_work",
            "warm_replicas_sessions",
            "warm_tpot",
            "assistant_gpus",
            "all_cold_gpus",
            "warm_saving_month",
        ),
        not_counted=(
            "The price of host memory, and replicas held for failures.",
            "One central queue is assumed for cold prompts: without it their target takes more replicas.",
        ),
    ),
    charts=[
        Chart("cold_and_warm", "bars", title="ratio", ys=("cold_time", "warm_time"), y_label="prefill time"),
        Chart(
            "gpus_by_hits",
            "line",
            title="by_hits",
            x="hits_routing_hit_share",
            ys=("hits_assistant_gpus", "hits_cold_gpus"),
            x_label="turns that reach their session's replica, %",
            y_label="GPUs",
        ),
    ],
    links={n: n for n in (*PLAN_KNOWS, "mfu", "utilization_cap") if n in INPUTS and n not in OWN},
    core=("assistant_gpus", "assistant_cost", "all_cold_gpus", "hit_point_value"),
)
