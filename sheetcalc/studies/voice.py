"""Voice: 300 ms to the first audible clause, 70B on 8 H100s, FP8 weights, BF16 KV cache. Source: calculators B (f).

| symbol | name | symbol | name |
|---|---|---|---|
| target, lines | first_audio_target, the six times | LLM | voice_budget |
| new, O, ctx | increment_tokens, output_tokens, decode_context | pf, q, Tmax | increment_time, queue_allowance, step_budget |
| clause | clause_tokens | rho | queue_load |
| a, b | step_start, step_slope | ct + be | compute_step_slope |
| calls, cycle | live_calls, turn_cycle | B | call_batch |
| cv2, eps | prompt_spread squared, 1 less ttft_percentile | rho_cap | utilization_cap |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import collectives, decode, memory, prefill, queueing, step_model, voice_budget, voice_fleet
from sheetcalc.studies.worked_inputs import BF16_CACHE, OVERLAP, PLAN_KNOWS, PRICE, STEP_INPUTS
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (f)"
ASSUMED = "assumed: worked example"

INPUTS = (
    STEP_INPUTS
    | OVERLAP
    | BF16_CACHE
    | PRICE
    | {
        "first_audio_target": Input(0.300, "ms", "Target to the first audible clause", "chosen: worked example", **POSITIVE),
        "endpointing_time": Input(
            0.100, "ms", "End-pointing: silence that ends a turn", f"{ASSUMED}; silence timers are 300 to 800 ms", **AT_LEAST_0
        ),
        "synthesis_time": Input(0.040, "ms", "Speech synthesis, first audio", ASSUMED, **AT_LEAST_0),
        "downlink_time": Input(0.035, "ms", "Downlink, jitter buffer and playout", ASSUMED, **AT_LEAST_0),
        "uplink_time": Input(0.020, "ms", "Uplink", ASSUMED, **AT_LEAST_0),
        "recognition_time": Input(0.020, "ms", "Speech recognition, last words", ASSUMED, **AT_LEAST_0),
        "orchestration_time": Input(0.005, "ms", "Orchestration", ASSUMED, **AT_LEAST_0),
        "clause_tokens": Input(8.0, "tok", "Tokens of the first clause", "chosen: worked example", **COUNT),
        "increment_tokens": Input(150.0, "tok", "Prompt tokens that a turn adds", ASSUMED, **POSITIVE),
        "decode_context": Input(3000.0, "tok", "Context of a call", ASSUMED, **POSITIVE),
        "output_tokens": Input(45.0, "tok", "Reply", ASSUMED, **POSITIVE),
        "queue_share": Input(0.30, "%", "Share of the model's time for the queue", "chosen: worked example", low=0.0, high=0.99),
        "live_calls": Input(2000.0, "", "Calls at once", ASSUMED, **POSITIVE),
        "turn_cycle": Input(12.0, "s", "Time from turn to turn", ASSUMED, **POSITIVE),
        "ttft_percentile": Input(0.95, "%", "Percentile of the wait", "chosen: worked example", low=0.5, high=0.9999),
        "prompt_spread": Input(1.0, "", "Spread of the increments (standard deviation over mean)", ASSUMED, **AT_LEAST_0),
        "utilization_cap": Input(0.80, "%", "Utilization cap", "chosen: worked example", **SHARE),
        "kv_offload": Input(0.0, "", "Idle calls leave GPU memory (1 yes, 0 no)", "chosen: worked example", low=0.0, high=1.0, whole=True),
        "speech_rate": Input(3.5, "tok/s", "Speech", ASSUMED, **POSITIVE),
        "host_bandwidth": Input(50e9, "GB/s", "PCIe of a GPU, as reached", f"{ASSUMED}: gen 5", **POSITIVE),
        "one_millisecond": Input(1e-3, "ms", "One millisecond", "defined", **POSITIVE),
        "gpus_per_replica": Input(8.0, "", "GPUs per replica", "chosen: worked example", **COUNT),
    }
)

STUDY = Study(
    name="voice",
    title="Voice: the time to the first audible clause",
    purpose="What the latency budget leaves for the language model, and how many replicas that takes.",
    functions=quantities(collectives, step_model, voice_budget, voice_fleet)
    | some(queueing, "late_share")
    | some(prefill, "transfer_per_token")
    | some(decode, "reached_bandwidth", "weights_read", "weight_read_time")
    | some(memory, "usable_memory", "weights", "weights_per_gpu", "weights_fit", "kv_per_token_layer", "kv_per_token", "kv_shards"),
    inputs=INPUTS,
    grids=[
        Grid(
            "waits",
            "What waiting for silence costs",
            rows={"endpointing_time": [0.0, 0.02, 0.04, 0.06, 0.08, 0.09, 0.1, 0.102, 0.104, 0.105, 0.106]},
            show=["voice_budget", "step_budget", "call_replicas", "call_gpus", "call_hour_cost"],
        ),
    ],
    claims=[
        Claim("voice_budget", 0.08, SPEC),
        Claim("increment_time", 0.0047709184020229625, SPEC),
        Claim("step_budget", 0.006403635199747126, SPEC),
        Claim("lone_call_step", 0.005590851227782655, SPEC),
        Claim("call_batch", 14.0, SPEC),
        Claim("queue_load", 0.18776438237814663, SPEC),
        Claim("turns_by_step", 18.163677024918353, SPEC),
        Claim("turns_by_queue", 39.35602468039086, SPEC),
        Claim("turns_by_batch", 39.54710255798305, SPEC),
        Claim("turns_by_compute", 110.3729070320466, SPEC),
        Claim("call_replicas_speed", 10.0, SPEC),
        Claim("call_replicas_residency", 4.0, SPEC),
        Claim("call_gpus", 80.0, SPEC),
        Claim("call_tpot", 0.006321323291989637, SPEC),
        Claim("calls_in_step", 4.740992468992227, SPEC),
        Claim("first_audio", 0.2993415047379401, SPEC),
        Claim("longest_endpointing", 0.10650227177571578, SPEC),
        Claim("call_hour_cost", 0.1, SPEC),
        Claim("call_prefill_full", 0.09541836804045925, SPEC),
        Claim("call_prefill", 0.0924, SPEC, rel=5e-4, note="printed to three digits"),
        Claim("call_replicas_residency", 0.0, SPEC, changes={"kv_offload": 1.0}),
    ],
    sayings={
        "headline": Saying(
            (
                "endpointing_largest",
                "{live_calls:0} calls cost {call_cost_month}: of {first_audio_target:0}, waiting for silence takes "
                "{endpointing_time:0} and the model gets {voice_budget:0}",
            ),
            ("", "{live_calls:0} calls cost {call_cost_month}: the model gets {voice_budget:0} of {first_audio_target:0}"),
        ),
        "decision": Saying(
            (
                "",
                "Fund {call_gpus} GPUs for {live_calls:0} calls, {call_cost_month} or {call_hour_cost} a call, and turn "
                "detection that waits at most {longest_endpointing:0} for silence: beyond that no number of GPUs helps.",
            )
        ),
        "millisecond": Saying(
            ("step_budget_binds", "One more millisecond on any line costs {millisecond_cost} in replicas."),
            ("", "The step budget does not set the replicas here, so a millisecond more or less changes little."),
        ),
        "speed": Saying(
            (
                "speed_binds",
                "The tier is bought for speed: a replica runs {calls_in_step:1} sequences on average at "
                "{call_tpot:2} a token, "
                "and {call_replicas_residency} replicas would hold all calls.",
            ),
            (
                "",
                "The tier is bought for memory: {call_replicas_residency} replicas hold all calls, and "
                "{call_replicas_speed} would be "
                "fast enough.",
            ),
        ),
        "later": Saying(
            ("", "After the first clause the reply runs {speech_margin:0} as fast as speech, so later tokens can yield to first ones.")
        ),
        "losing": Saying(("", "Losing a call's cache costs {call_prefill:0} of prefill, fetching it from host memory {call_fetch:1}.")),
        "limits": Saying(
            (
                "",
                "A replica may take {turns_of_replica:1}: the step budget allows {turns_by_step:1}, the queue "
                "{turns_by_queue:1}, "
                "the batch {turns_by_batch:1}, compute {turns_by_compute:1}.",
            )
        ),
        "budget": Saying(
            (
                "endpointing_largest",
                "Waiting for silence is the largest part of the {first_audio_target:0}: {endpointing_time:0}; the model has "
                "{voice_budget:0}",
            ),
            ("", "{voice_budget:0} of the {first_audio_target:0} are left for the language model"),
        ),
        "waiting": Saying(("", "Near {longest_endpointing:0} of waiting for silence the replicas rise without limit")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("call_cost_month", "call_gpus", "call_hour_cost", "first_audio", "longest_endpointing"),
        argument=("millisecond", "limits", "speed", "later", "losing"),
        derivation=(
            "voice_budget",
            "step_budget",
            "turns_by_step",
            "turns_by_queue",
            "turns_by_batch",
            "call_replicas_speed",
            "call_replicas_residency",
            "first_audio",
            "call_hour_cost",
            "millisecond_cost",
        ),
        not_counted=(
            "Speech recognition, speech synthesis and turn detection: their machines are not in the price.",
            "A fixed silence timer of half a second uses the whole budget by itself; so short a wait needs semantic turn detection.",
        ),
    ),
    charts=[
        Chart(
            "lines",
            "waterfall",
            title="budget",
            ys=(
                "first_audio_target",
                "uplink_time",
                "endpointing_time",
                "recognition_time",
                "orchestration_time",
                "synthesis_time",
                "downlink_time",
                "voice_budget",
            ),
            y_label="ms of the target, and what each line takes",
        ),
        Chart(
            "replicas_by_wait",
            "line",
            title="waiting",
            x="waits_endpointing_time",
            ys=("waits_call_replicas",),
            x_label="end-pointing, ms",
            y_label="replicas",
            marks=("longest_endpointing",),
        ),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS and n not in ("output_tokens", "gpus_per_replica")},
    core=("call_cost_month", "call_gpus", "call_hour_cost", "first_audio"),
)
