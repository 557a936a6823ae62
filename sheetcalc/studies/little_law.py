"""Little's law with a duration that depends on the answer. Source: calculators A (c).

| symbol | name | symbol | name |
|---|---|---|---|
| λ per replica | replica_rate | φ | prompt_wall_share |
| s, o | prompt_tokens, output_tokens | x | replica_token_rate |
| s r | prefill_request_time | B | running_batch (unlimited_batch without a memory limit) |
| α, β, γ | step_floor, step_rise, sequence_compute_time | N_mem | resident_sequences |
| λ_sat, λ_mem, λ_slo | saturation_rate, memory_rate, target_rate | b, a/b + 1 | chain_slope, chain_shape |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, Grid, Input, quantities
from sheetcalc.quantities import little, little_chances, little_table, little_trap, tpot_promise
from sheetcalc.study import Chart, Claim, Saying, Story, Study

WORKED = "worked fleet answer (200 req/s, 70B on 4 H100)"
SPEC = "calculators A (c)"
FLEET = (  # what the queueing studies take from the plan
    "request_rate",
    "replica_rate",
    "prompt_tokens",
    "output_tokens",
    "prefill_request_time",
    "step_floor",
    "step_rise",
    "sequence_compute_time",
    "resident_sequences",
    "kv_per_sequence",
    "kv_per_token",
    "batch",
    "output_cv",
    "own_prefill",
    "gpus_per_replica",
    "gpu_hour_price",
    "hours_per_month",
)
RATES = [0.5, 1.0, 2.0, 4.0, 200 / 34, 8.0, 9.0, 9.1927, 9.31, 10.0, 10.5, 10.8, 10.831]

INPUTS = {
    "request_rate": Input(200.0, "req/s", "Requests at the peak", f"quoted: {WORKED}", **POSITIVE),
    "replica_rate": Input(200 / 34, "req/s", "Requests that a replica gets", f"quoted: {WORKED}, 200 over 34 replicas", **POSITIVE),
    "prompt_tokens": Input(2000.0, "tok", "Prompt", f"quoted: {WORKED}", **POSITIVE),
    "output_tokens": Input(300.0, "tok", "Answer", f"quoted: {WORKED}", **POSITIVE),
    "prefill_request_time": Input(
        2000 * 3.5649317837291564e-05,
        "ms",
        "Prefill time of a request",
        "quoted: 2,000 tokens at 2 × 70.55e9 / (4 × 1979e12 × 0.50) s",
        **POSITIVE,
    ),
    "step_floor": Input(
        7.019900497512437e-03,
        "ms",
        "Step before the first sequence",
        "quoted: weights read once, 17.6375 GB at 3.35 TB/s × 0.75",
        **POSITIVE,
    ),
    "step_rise": Input(
        7.010069651741293e-05, "µs", "Step, each sequence more", "quoted: KV of 2,150 tokens, 176.128 MB at 3.35 TB/s × 0.75", **POSITIVE
    ),
    "sequence_compute_time": Input(
        3.707329358261748e-05, "µs", "Compute of one sequence in a step", "quoted: calculators A, section 0", **AT_LEAST_0
    ),
    "resident_sequences": Input(300.0, "", "Sequences that fit in memory", f"quoted: {WORKED}, 300.7", **COUNT),
    "kv_per_sequence": Input(704512000.0, "MB", "KV cache of a sequence at the mean context", f"quoted: {WORKED}", **POSITIVE),
    "kv_per_token": Input(327680.0, "kB", "KV cache of a token", f"quoted: {WORKED}", **POSITIVE),
    "batch": Input(128.0, "", "Planned batch", f"quoted: {WORKED}", low=1.0),
    "tpot_target": Input(0.050, "ms", "TPOT target", "chosen: calculators A, section 0", **POSITIVE),
    "output_cv": Input(
        0.0, "", "Spread of answer lengths (standard deviation over mean)", "chosen: 0, answers of one length", **AT_LEAST_0
    ),
    "own_prefill": Input(
        0.0,
        "",
        "A sequence does not wait for its own prefill (0 no, 1 yes)",
        "chosen: 0 in the textbook profile",
        low=0.0,
        high=1.0,
        whole=True,
    ),
    "batch_percentile": Input(0.99, "%", "Percentile of the number of sequences", "chosen", low=0.5, high=0.9999),
    "gpus_per_replica": Input(4.0, "", "GPUs a replica", f"quoted: {WORKED}", **COUNT),
    "gpu_hour_price": Input(2.50, "$/h", "Price of a GPU", "assumed: illustrative", **AT_LEAST_0),
    "hours_per_month": Input(730.0, "h/month", "Hours a month", "defined: 8,760 / 12", **POSITIVE),
}

STUDY = Study(
    name="little_law",
    title="Little's law: how many sequences really run",
    purpose="How many sequences a replica runs, how fast each gets its tokens, and how many replicas a promised TPOT takes.",
    functions=quantities(little, little_chances, little_table, little_trap, tpot_promise),
    inputs=INPUTS,
    grids=[
        Grid(
            "targets",
            "What a promised TPOT costs",
            rows={"tpot_target": [0.050, 0.030, 0.020, 0.015]},
            show=["target_rate", "tpot_replicas_exact", "tpot_replicas", "tpot_cost_per_month"],
        ),
        Grid(
            "rates",
            "What a replica does at each rate",
            rows={"replica_rate": RATES},
            show=[
                "running_batch",
                "running_tpot",
                "naive_empty",
                "mean_sequences",
                "chance_over_memory",
                "gpu_busy",
                "unlimited_batch",
                "unlimited_tpot",
                "saturation_load",
            ],
        ),
        Grid(
            "guesses",
            "Guessing again and again",
            rows={"repetition": Input([float(n) for n in range(7)], "", "Repetition", "chosen")},
            show=["repeated_guess"],
        ),
        Grid(
            "chances",
            "How many sequences at once",
            rows={"sequences": Input([float(n) for n in range(401)], "", "Sequences", "chosen: up to 400")},
            show=["chance_at_most", "sequences_enough"],
        ),
    ],
    claims=[
        Claim("prompt_wall_share", 0.4194037392622537, SPEC),
        Claim("running_batch", 27.113928448937642, SPEC),
        Claim("running_tpot", 0.015364559454397993, SPEC),
        Claim("stay_duration", 4.68066647199398, SPEC),
        Claim("resident_now", 27.533332188199896, SPEC),
        Claim("running_kv", 19102087959.417957, SPEC),
        Claim("running_kv_with_prompts", 19376948393.98087, f"{SPEC}, correction"),
        Claim("saturation_rate", 10.830851442033152, SPEC),
        Claim("memory_rate", 10.065552400470278, SPEC),
        Claim("target_rate", 9.310221453504916, SPEC),
        Claim("sequences_high", 42.0, SPEC),
        Claim("planned_batch_rate", 9.19271959523819, SPEC),
        Claim("naive_empty", 12.388059701492537, SPEC),
        Claim("naive_full", 49.500193151887615, SPEC),
        Claim("tpot_replicas", 22.0, SPEC),
        Claim("tpot_replicas", 29.0, SPEC, changes={"tpot_target": 0.020}),
        Claim("tpot_replicas", 35.0, SPEC, changes={"tpot_target": 0.015}),
        Claim("running_batch", 128.0, SPEC, changes={"replica_rate": 9.19271959523819}, rel=1e-9),
    ],
    sayings={
        "headline": Saying(
            (
                "",
                "A TPOT of {tpot_target:0} takes {tpot_replicas} replicas, {tpot_cost_per_month}; of the planned batch of "
                "{batch} a "
                "replica runs {running_batch:0}",
            )
        ),
        "decision": Saying(
            (
                "tightest_known",
                "Fund {tpot_replicas} replicas for a TPOT of {tpot_target:0} at {request_rate:0}, before queueing and failure "
                "reserve; {tightest_target:0} would take {tightest_replicas}, {tightest_cost}.",
            ),
            ("", "Fund {tpot_replicas} replicas for a TPOT of {tpot_target:0} at {request_rate:0}, before queueing and failure reserve."),
        ),
        "running": Saying(("", "At {replica_rate:2} a replica runs {running_batch:1} sequences at {running_tpot:1} a token")),
        "drift": Saying(
            (
                "",
                "An empty replica's duration says {naive_empty:1} sequences where {running_batch:1} run, and falls behind further "
                "with the load",
            )
        ),
        "trap": Saying(
            (
                "",
                "A duration measured on an empty replica gives {naive_empty:1} sequences, one measured on a full replica "
                "{naive_full:1}; the answer is {running_batch:1}, because the duration depends on it.",
            )
        ),
        "full_load": Saying(("", "The planned batch of {batch} really runs at {planned_batch_rate:2} a replica and not below.")),
        "caps": Saying(
            (
                "",
                "A replica may take {replica_rate_limit:2}: its TPOT target allows {target_rate:2}, memory {memory_rate:2}, "
                "and nothing runs above {saturation_rate:2}.",
            )
        ),
        "spread": Saying(
            (
                "",
                "For {batch_percentile:0} of the time at most {sequences_high} sequences run; the chance that more run than fit "
                "is "
                "{chance_over_memory:1}.",
            )
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("tpot_replicas", "tpot_cost_per_month", "running_batch", "running_tpot", "replica_rate_limit"),
        argument=("running", "trap", "full_load", "caps", "spread"),
        derivation=(
            "prompt_wall_share",
            "replica_token_rate",
            "batch_with_prompts",
            "unlimited_tpot",
            "saturation_rate",
            "memory_rate",
            "target_rate",
            "replica_rate_limit",
            "tpot_replicas",
        ),
        not_counted=(
            "A step-level engine runs four to eight per cent more sequences than the formula: add a tenth to the batch.",
            "Time in the queue before the first token, and replicas held for failures.",
        ),
    ),
    charts=[
        Chart(
            "batch_by_rate",
            "line",
            title="drift",
            x="rates_replica_rate",
            ys=("rates_running_batch", "rates_naive_empty"),
            marks=("target_rate", "memory_rate", "saturation_rate"),
            x_label="requests a replica, req/s",
            y_label="sequences",
        ),
        Chart(
            "tpot_by_rate",
            "line",
            title="caps",
            x="rates_replica_rate",
            ys=("rates_running_tpot",),
            marks=("target_rate", "memory_rate", "saturation_rate"),
            x_label="requests a replica, req/s",
            y_label="TPOT, ms",
        ),
    ],
    links={name: name for name in (*FLEET, "tpot_target")},
    core=("tpot_replicas", "running_batch", "running_tpot", "replica_rate_limit"),
)
