"""KV-cache tiers: what a cached token is worth where, and how long a drive lives under it. Source: calculators A (b).

| symbol | name | symbol | name |
|---|---|---|---|
| a | prefill_time | BW* | breakeven_bandwidth |
| b | attention_curve | n* | tier_minimum_prefix |
| n | prefix_tokens | v | tier_value |
| σ | stall_share | hold | tier_hold |
| κ, κ/g | kv_per_token, kv_per_token_gpu | TBW | drive_endurance |
| f, t0 | tier_fetch, tier_latency | WAF_rel | write_amplification |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import kv_drives, kv_tiers, memory, prefill
from sheetcalc.studies import worked_replica
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators A (b)"
WORKED = "worked fleet answer (200 req/s, 70B on 4 H100)"
FP8, BF16 = 1979e12, 989e12
KERNEL = some(prefill, "replica_compute", "replica_attention_compute", "transfer_per_token", "transfer_time", "prefill_time") | some(
    memory, "kv_per_token_layer", "kv_per_token", "kv_shards"
)
FLAT_OUT = 4 * FP8 * 0.50 / (2 * 70.55e9)
FLAT_OUT_8B = FP8 * 0.50 / (2 * 8.03e9)
NVME = "local NVMe"
NAMES = ("GPU memory", "DRAM over PCIe 5", "DRAM over NVLink-C2C", NVME, "remote store")

REPLICA = (
    "active_params",
    "experts",
    "flops_per_param",
    "flops_per_pair",
    "layers",
    "hidden",
    "kv_layers",
    "query_heads",
    "query_head_size",
    "kv_heads",
    "head_size",
    "kv_tensors",
    "bytes_per_kv",
    "attention_parallelism",
    "gpus_per_replica",
    "peak_compute",
    "mfu",
    "moe_mfu_factor",
    "tp_cost_on",
    "link_share",
    "link_bandwidth",
    "reduces_per_layer",
    "bytes_per_activation",
    "hbm",
    "gpu_hour_price",
)
INPUTS = {name: worked_replica.REPLICA[name] for name in REPLICA} | {
    "attention_peak": Input(
        FP8, "TFLOP/s", "Peak compute in the attention format", f"quoted: {SPEC} takes the FP8 peak for attention too", **POSITIVE
    ),
    "utilization_cap": Input(0.65, "%", "Utilization cap", f"quoted: {WORKED}", **SHARE),
    "prompt_load": Input(400_000.0, "tok/s", "Prompt tokens of the fleet", f"quoted: {WORKED}", **POSITIVE),
    "replica_tokens": Input(
        200 * 2300 / 34, "tok/s", "Prompt and output tokens of a replica", f"quoted: {WORKED}, 200 × 2,300 over 34 replicas", **POSITIVE
    ),
    "replica_prompt_tokens": Input(200 * 2000 / 34, "tok/s", "Prompt tokens of a replica", f"quoted: {WORKED}", **POSITIVE),
    "prefix_tokens": Input(2000.0, "tok", "Cached prefix", f"quoted: {SPEC}", **POSITIVE),
    "stall_share": Input(
        1.0, "%", "Share of the fetch that the GPU waits for", "chosen: all of it, the careful end; 0 is perfect overlap", **FRACTION
    ),
    "tier_endurance": Input(
        7.008e15, "TB", "Endurance of the drive in the table of tiers", "quoted: 3.84 TB × 1 write a day × 5 years", **POSITIVE
    ),
    "drive_tier": Input(NVME, "", "Tier that the drives are", "chosen", choices=NAMES),
    "drives": Input(4.0, "", "Drives a replica", f"quoted: {SPEC}, one a GPU", **COUNT),
    "drive_capacity": Input(3.84e12, "TB", "Capacity of a drive", f"assumed: {SPEC}", **POSITIVE),
    "drive_writes_per_day": Input(1.0, "1/day", "Drive writes a day (DWPD)", f"assumed: {SPEC}", **POSITIVE),
    "drive_years": Input(5.0, "year", "Years of that rating", f"assumed: {SPEC}", **POSITIVE),
    "drive_endurance_rated": Input(None, "TB", "Endurance as rated (TBW)", "blank: from capacity, writes a day and years", **POSITIVE),
    "drive_price": Input(600.0, "$", "Price of a drive", f"assumed: {SPEC}, illustrative", **AT_LEAST_0),
    "drive_write_bandwidth": Input(6e9, "GB/s", "Write bandwidth of a drive", f"assumed: {SPEC}", **POSITIVE),
    "write_amplification": Input(
        1.0, "x", "Wear against the vendor's rating workload", "chosen: 1; large sequential writes wear less", **POSITIVE
    ),
    "write_share": Input(1.0, "%", "Share of the KV cache that is written", "chosen: write-through", **FRACTION),
    "asset_years": Input(5.0, "year", "Asset life", f"quoted: {SPEC}", **POSITIVE),
    "drive_hit_share": Input(0.10, "%", "Share of prompt tokens that hit on the drive", f"quoted: {SPEC}", **FRACTION),
    "seconds_per_hour": Input(3600.0, "s/h", "Seconds an hour", "defined", **POSITIVE),
    "seconds_per_day": Input(86400.0, "s/day", "Seconds a day", "defined", **POSITIVE),
    "days_per_year": Input(365.0, "day/year", "Days a year", "defined", **POSITIVE),
    "hours_per_month": Input(730.0, "h/month", "Hours a month", "defined: 8,760 / 12", **POSITIVE),
    "hours_per_year": Input(8760.0, "h/year", "Hours a year", "defined", **POSITIVE),
}
TIERS = Grid(
    "tiers",
    "What a cached token is worth in each tier",
    rows={},
    columns={"tier": Input(list(NAMES), "", "Tier", f"quoted: {SPEC}")},
    typed={
        "tier_bandwidth": Input(
            [3.35e12, 50e9, 360e9, 6.5e9, 5e9], "GB/s", "Bandwidth per GPU", f"assumed: {SPEC}, illustrative", **POSITIVE
        ),
        "tier_latency": Input([0.0, 50e-6, 20e-6, 0.5e-3, 2e-3], "µs", "Latency", f"assumed: {SPEC}, illustrative", **AT_LEAST_0),
        "tier_price": Input(
            [0.0, 0.15e-9, 0.15e-9, 0.004e-9, 0.01e-9], "$/GB/month", "Price", f"assumed: {SPEC}, illustrative", **AT_LEAST_0
        ),
        "tier_on_gpu": Input([1.0, 0.0, 0.0, 0.0, 0.0], "", "Read in place (1 yes, 0 no)", "defined", low=0.0, high=1.0, whole=True),
        "tier_is_drive": Input(
            [0.0, 0.0, 0.0, 1.0, 0.0], "", "Wears out by writing (1 yes, 0 no)", "defined", low=0.0, high=1.0, whole=True
        ),
        "tier_hit_share": Input([0.20, 0.15, 0.0, 0.10, 0.05], "%", "Share of prompt tokens that hit here", f"assumed: {SPEC}", **FRACTION),
    },
    show=[
        "tier_fetch",
        "tier_net",
        "tier_net_linear",
        "tier_minimum_prefix",
        "tier_ttft_saved",
        "tier_value",
        "tier_hold",
        "tier_write",
        "tier_hits_per_write",
        "tier_idle_limit",
        "tier_verdict",
        "tier_saved",
        "tier_gpus_saved",
        "tier_money_saved",
    ],
)
IN_EACH_TIER = ["tier_net", "tier_minimum_prefix", "tier_hits_per_write", "tier_verdict"]
MODELS = Grid(
    "models",
    "Other models",
    rows={},
    columns={
        "model_case": Input(
            ["70B FP8 on 4", "70B BF16 on 4", "8B FP8 on 1", "8B BF16 on 1", "3B FP8 on 1", "1B BF16 on 1"], "", "Model", f"quoted: {SPEC}"
        )
    },
    typed={
        "active_params": [70.55e9, 70.55e9, 8.03e9, 8.03e9, 3.21e9, 1.236e9],
        "kv_layers": [80.0, 80.0, 32.0, 32.0, 28.0, 16.0],
        "query_heads": [64.0, 64.0, 32.0, 32.0, 24.0, 32.0],
        "kv_heads": [8.0] * 6,
        "head_size": [128.0] * 5 + [64.0],
        "query_head_size": [128.0] * 5 + [64.0],
        "gpus_per_replica": [4.0, 4.0, 1.0, 1.0, 1.0, 1.0],
        "peak_compute": [FP8, BF16, FP8, BF16, FP8, BF16],
        "attention_peak": [FP8, BF16, FP8, BF16, FP8, BF16],
    },
    show=["breakeven_bandwidth", "recompute_per_token", "recompute_cost", "losing_tiers", *IN_EACH_TIER],
)
DRIVES = Grid(
    "cases",
    "How long drives live",
    rows={},
    columns={
        "drive_case": Input(
            [
                "one 4 TB client, 2,400 TBW",
                "one 1.92 TB, 1 DWPD",
                "one 3.84 TB, 1 DWPD",
                "the same, prefill flat out",
                "the same, 8B flat out",
                "four 3.84 TB, 1 DWPD",
                "four 3.84 TB, 3 DWPD",
                "four 3.84 TB, 4% written",
            ],
            "",
            "Drives of a replica",
            f"quoted: {SPEC}",
        )
    },
    typed={
        "drives": [1.0, 1.0, 1.0, 1.0, 1.0, 4.0, 4.0, 4.0],
        "drive_capacity": [4e12, 1.92e12] + [3.84e12] * 6,
        "drive_writes_per_day": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 1.0],
        "drive_endurance_rated": [2.4e15] + [None] * 7,
        "drive_price": [350.0, 350.0] + [600.0] * 6,
        "replica_tokens": [None, None, None, FLAT_OUT, FLAT_OUT_8B, None, None, None],
        "kv_layers": [None, None, None, None, 32.0, None, None, None],
        "write_share": [1.0] * 7 + [0.04],
    },
    show=[
        "kv_made",
        "write_rate",
        "write_dropped",
        "written_per_day",
        "drive_life",
        "drive_life_unlimited",
        "needed_writes_per_day",
        "lasting_write_share",
        "lasting_drives",
        "wear_cost",
    ],
)
FILTERED, OFTEN, CLIENT = {"write_share": 0.04}, {"drive_hit_share": 0.50}, {"drives": 1.0, "drive_endurance_rated": 2.4e15}
EIGHT = {"active_params": 8.03e9, "kv_layers": 32.0, "query_heads": 32.0, "gpus_per_replica": 1.0}

STUDY = Study(
    name="kv_tiers",
    title="KV-cache tiers: value a token, and drives that wear out",
    purpose="What a cached token is worth in each tier, which tier should not exist, and which share of writes makes drives an asset.",
    functions=KERNEL | quantities(kv_tiers, kv_drives),
    inputs=INPUTS,
    grids=[
        TIERS,
        MODELS,
        Grid("by_model", "Each model in each tier", rows="model_case", columns="tier", show=[f"models_{n}" for n in IN_EACH_TIER]),
        DRIVES,
    ],
    claims=[
        Claim("breakeven_bandwidth", 2297940184.2664776, SPEC),
        Claim("breakeven_bandwidth", 8075700124.533001, SPEC, changes=EIGHT),
        Claim("recompute_per_token", 3.631163213744316e-05, SPEC),
        Claim("recompute_cost", 0.100865644826231e-6, SPEC),
        Claim("drive_net", 2.3458555214366234e-05, SPEC),
        Claim("drive_net", -3.654652233062542e-06, SPEC, changes=EIGHT),
        Claim("losing_tiers", 0.0, SPEC),
        Claim("losing_tiers", 2.0, SPEC, changes=EIGHT),
        Claim("portfolio_saved", 6.300719350565554, SPEC),
        Claim("portfolio_gpus", 38.773657541941866, SPEC),
        Claim("portfolio_money", 96.93414385485468, SPEC),
        Claim("written_per_day", 383.03864470588223e12, SPEC),
        Claim("drive_life", 73.18321633454109, SPEC),
        Claim("drive_life", 6.265686330012079, SPEC, changes=CLIENT),
        Claim("drive_life", 18.29580408363527, SPEC, changes={"drives": 1.0}),
        Claim("drive_life", 13.518518518518519, SPEC, changes={"drives": 1.0, "replica_tokens": FLAT_OUT}),
        Claim("lasting_write_share", 0.0401003925120773, SPEC),
        Claim("drive_value", 3719.4016955266643, SPEC),
        Claim("wear_cost", 11969.957647058825, SPEC),
        Claim("drive_result", -8250.555951532162, SPEC),
        Claim("breakeven_hit_share", 0.32182481557329856, SPEC),
        Claim("drive_result", 3239.4016955266643, SPEC, changes=FILTERED, note="drives are replaced after five years in any case"),
        Claim("drive_result", 6627.050830574495, SPEC, changes=OFTEN),
    ],
    sayings={
        "headline": Saying(
            ("drives_idle", "Nothing is written to the drives: hits of {drive_hit_share:0} would be worth {drive_value:0} a replica"),
            ("drives_earn", "Buy the drives: they make {drive_result:0} a replica and live {drive_life:0}"),
            (
                "rule_earns",
                "Admit {lasting_write_share:1} of the cache to the drives: that makes {lasting_result:0} a replica, writing "
                "{write_share:0} makes {drive_result:0}",
            ),
            (
                "drive_pays",
                "Buy no drives yet: hits of {drive_hit_share:0} are worth {drive_value:0}, and the drives age by {ageing_cost:0}",
            ),
            ("", "Buy no drives: recomputing is faster than fetching from {drive_tier}"),
        ),
        "decision": Saying(
            ("drives_idle", "Buy no drives while nothing is written to them: they would age by {ageing_cost:0}."),
            (
                "drives_earn",
                "Write {write_share:0} of the cache: value {drive_value:0}, drives {wear_cost:0} by wear and {ageing_cost:0} by age.",
            ),
            (
                "rule_earns",
                "Buy the drives only with an admission rule, worth {lasting_result:0} a replica: writing {write_share:0} wears them out in "
                "{drive_life:0}, "
                "writing {lasting_write_share:1} lasts the asset life of {asset_years:0}.",
            ),
            ("hits_can_pay", "The drives pay from a hit share of {breakeven_hit_share:1}; measure the hit share before any are bought."),
            ("drive_pays", "No hit share pays for the drives: if every prompt token hit, that would be worth {full_hit_value:0}."),
            ("", "A tier below {breakeven_bandwidth:1} a GPU loses time on every hit of this model."),
        ),
        "portfolio": Saying(("", "All tiers together save {portfolio_gpus:1} GPUs, {portfolio_money_per_month:0}.")),
        "bandwidth": Saying(("", "A tier must give each GPU {breakeven_bandwidth:1}; a GPU flat out makes KV cache at that rate too.")),
        "losing": Saying(
            ("some_tier_loses", "{losing_tiers} tiers should not exist for this model."),
            ("", "Every tier pays for this model; {losing_models} of the models in the table have a tier that should not exist."),
        ),
        "fetch": Saying(("", "Recomputing a token takes {recompute_per_token:1}: a tier that fetches more slowly should not exist")),
        "break_even": Saying(("", "Writing {write_share:0} of the cache, the drives pay from a hit share of {breakeven_hit_share:1}.")),
        "life": Saying(
            ("", "At {written_per_day:0} the weakest drives live {shortest_life:0}, the best under an admission rule {longest_life:0}")
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("drive_result", "lasting_result", "lasting_write_share", "drive_life", "portfolio_money_per_month"),
        argument=("break_even", "losing", "bandwidth", "portfolio"),
        derivation=(
            "prefill_time",
            "attention_curve",
            "recompute_per_token",
            "kv_per_token_gpu",
            "breakeven_bandwidth",
            "kv_made",
            "write_rate",
            "drive_endurance",
            "drive_life",
            "lasting_write_share",
            "drive_value",
            "wear_cost",
            "drive_result",
        ),
        not_counted=(
            "Overlap of the fetch with arithmetic: all of the fetch is taken as waiting, the careful end.",
            "Prices and bandwidths of the tiers are illustrative.",
        ),
    ),
    charts=[
        Chart("life", "bars", title="life", x="drive_case", ys=("cases_drive_life",), y_label="days"),
        Chart("tiers", "bars", title="fetch", x="tier", ys=("tier_fetch",), y_label="fetching a token, µs", marks=("recompute_per_token",)),
    ],
    links={
        name: name
        for name in (
            *(n for n in REPLICA if not n.startswith("flops")),
            "attention_peak",
            "utilization_cap",
            "prompt_load",
            "replica_tokens",
            "replica_prompt_tokens",
            "hours_per_month",
        )
    },
    core=("drive_result", "lasting_write_share", "drive_life", "portfolio_gpus", "breakeven_bandwidth"),
)
