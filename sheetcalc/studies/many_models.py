"""Twenty models that are mostly idle, in tiers. Source: calculators C, section e.

| specification | here |
|---|---|
| work, Zipf, a_i | all_models_work, model_zipf, model_work |
| ded_i, util0, m | dedicated_replicas, separate_use, models_per_replica |
| api_i, shared_i | model_api_cost, model_shared_cost |
| tiers A, B1, B2, C | own fleet, shared base, shared memory, API |
| rho, rho_pool, u_min, HA | utilization_cap, pool_cap, least_own_use, available_copies |
| P(wait) | busiest_wait, adapter_wait, weight_wait |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities
from sheetcalc.quantities import model_charges, model_tiers
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section e"
ASSUMED = "assumed: worked example of " + SPEC
ADAPTERS = [0.0] * 8 + [1.0] * 12
EQUIVALENTS = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0] + [0.0] * 12
FLAG = {"low": 0.0, "high": 1.0, "whole": True}


def numbers(count: int) -> list[float]:
    """Labels of an axis."""
    return [float(i) for i in range(1, count + 1)]


STUDY = Study(
    name="many_models",
    title="Many models: mostly idle",
    purpose="Which models keep a fleet of their own, which share one and which go to an API; what sharing saves, and what each model is "
    "charged.",
    functions=quantities(model_tiers, model_charges),
    inputs={
        "all_models_work": Input(
            3.5, "replica·s/s", "Work of all models", ASSUMED, **POSITIVE, note="Split over the models where their own work is blank."
        ),
        "model_zipf": Input(1.1, "", "Steepness of the split (Zipf)", ASSUMED, low=0.0, high=3.0),
        "replicas_each": Input(2.0, "", "Fewest replicas of a model by itself", "chosen: one may fail", **COUNT),
        "utilization_cap": Input(0.65, "%", "Utilization cap", "assumed: worked fleet, file 000", **SHARE),
        "pool_cap": Input(0.55, "%", "Utilization cap of a shared fleet", ASSUMED, **SHARE),
        "least_own_use": Input(0.50, "%", "Least use that keeps a fleet of its own", "chosen", **FRACTION),
        "revenue_ranks_kept": Input(3.0, "", "Best-earning models that keep a fleet in any case", "chosen", low=0.0, whole=True),
        "model_weights": Input(16.06e9, "GB", "Weights of one model", "defined: 8.03 billion parameters in BF16", **POSITIVE),
        "pool_kv_memory": Input(20e9, "GB", "KV cache that a shared replica keeps", ASSUMED, **AT_LEAST_0),
        "hbm": Input(80e9, "GB", "Memory of a GPU", "quoted: NVIDIA H100 SXM data sheet", **POSITIVE),
        "memory_fraction": Input(0.92, "%", "Share of memory the engine may use", "assumed: worked fleet, file 000", **SHARE),
        "memory_reserve": Input(3e9, "GB", "Reserve on each GPU", "assumed: worked fleet, file 000", **AT_LEAST_0),
        "gpus_per_replica": Input(1.0, "", "GPUs per replica", ASSUMED, **COUNT),
        "gpu_hour_price": Input(2.50, "$/h", "Price of a GPU-hour", "assumed: worked fleet, file 000", **POSITIVE),
        "adapter_tax": Input(0.10, "%", "Work added by adapters on a shared base", ASSUMED, **AT_LEAST_0),
        "available_copies": Input(2.0, "", "Copies that must be up in a shared fleet", "chosen: one may fail", **COUNT),
        "full_replica_rate": Input(2500.0, "tok/s", "Output of a full replica", ASSUMED, **POSITIVE),
        "api_output_price": Input(0.60e-6, "$/M tok", "API price, output", ASSUMED, **POSITIVE),
        "slots_per_replica": Input(24.0, "", "Sequences at once on a replica", ASSUMED, **COUNT),
        "waiting_target": Input(0.05, "%", "Chance to wait that is allowed", "chosen", **SHARE),
        "hours_per_month": Input(730.0, "h/month", "Hours in a month", "defined: 8,760 / 12", **POSITIVE),
        "days_per_month": Input(365 / 12, "day/month", "Days in a month", "defined: 365 / 12", **POSITIVE),
        "seconds_per_hour": Input(3600.0, "s/h", "Seconds in an hour", "defined", **POSITIVE),
    },
    grids=[
        Grid(
            "models",
            "Models",
            rows={"served_model": Input(numbers(20), "", "Number", "order of the table", **COUNT)},
            typed={
                "model_name": Input([f"Model {i}" for i in range(1, 21)], "", "Model", ASSUMED),
                "own_model_work": Input([None] * 20, "replica·s/s", "Work, if known", "blank: split by popularity", **AT_LEAST_0),
                "model_revenue_rank": Input(numbers(20), "", "Place by revenue", ASSUMED, **COUNT),
                "model_has_adapter": Input(ADAPTERS, "", "Adapter of the shared base (1 = yes)", ASSUMED, **FLAG),
                "model_has_api": Input(EQUIVALENTS, "", "API with an equivalent (1 = yes)", ASSUMED, **FLAG),
            },
            show=["model_work", "dedicated_replicas", "model_tier", "model_charge"],
        ),
        Grid(
            "pools",
            "Replicas tried for the wait",
            rows={"tried_pool": Input(numbers(12), "", "Replicas", "table", **COUNT)},
            show=["tail_wait"],
        ),
        Grid("waits", "Chance to wait by itself", rows="served_model", columns="tried_pool", show=["separate_wait"]),
    ],
    claims=[
        Claim("separate_fleet", 40, SPEC),
        Claim("separate_use", 0.0875, SPEC),
        Claim("separate_idle", 0.9125, SPEC),
        Claim("models_per_replica", 3, SPEC),
        Claim("own_models", 3, SPEC),
        Claim("own_replicas", 6, SPEC),
        Claim("adapter_models", 12, SPEC),
        Claim("adapter_replicas", 2, SPEC),
        Claim("weight_models", 4, SPEC),
        Claim("weight_replicas", 3, SPEC),
        Claim("api_models", 1, SPEC),
        Claim("tiered_fleet", 11, SPEC),
        Claim("replicas_saved", 29, SPEC),
        Claim("tiered_use", 0.3080593452860347, SPEC),
        Claim("tier_api_cost", 438.9306697069623, SPEC),
        Claim("sharing_saving", 52486.06933029304, SPEC),
        Claim("own_fleet_threshold", 0.65, SPEC),
        Claim("own_fleet_breakeven", 200e6, SPEC),
        Claim("tail_separate", 17, SPEC),
        Claim("tail_pooled", 3, SPEC),
        Claim("busiest_wait", 9.872938702124816e-05, SPEC, rel=1e-6),
        Claim("busiest_wait_after", 9.872938702124816e-05, SPEC, rel=1e-6),
        Claim("adapter_wait", 5.071269456277085e-08, SPEC, rel=1e-6),
    ],
    sayings={
        "claim": Saying(
            ("sharing_saves", "Sharing takes {tiered_fleet} replicas instead of {separate_fleet} and saves {sharing_saving}"),
            ("", "Sharing saves nothing here: keep the {separate_fleet} replicas"),
        ),
        "decision": Saying(
            (
                "sharing_saves",
                "Keep {own_models} models on fleets of their own, put {adapter_models} on a shared base and {weight_models} in shared "
                "memory, send {api_models} to an API: {tiered_month_cost} instead of {separate_month_cost}, a saving of "
                "{sharing_saving}.",
            ),
            ("", "Leave each model on its own fleet at {separate_month_cost}."),
        ),
        "heading": Saying(("", "{separate_idle} of today's fleet waits")),
        "idle": Saying(
            (
                "",
                "Each model holds {replicas_each} replicas so that one may fail, {separate_fleet} together, and all of them need the "
                "work of {served_work:1}. A fleet of its own is filled from {own_fleet_threshold:2} on.",
            ),
        ),
        "parts": Saying(
            (
                "",
                "The saving comes from the shared base ({adapter_saving}), shared memory ({weight_saving}) and the API "
                "({api_saving}). Each model is in one tier, so these add up to the whole and nothing is counted twice.",
            ),
        ),
        "waits": Saying(
            (
                "",
                "Pooling is not paid for with waiting: the chance to wait for {busiest_model_name} stays at {busiest_wait}; for at "
                "most {waiting_target} waiting the tail needs {tail_pooled} replicas pooled and {tail_separate} apart.",
            ),
        ),
        "charges": Saying(
            (
                "charges_cover",
                "Each model is charged its own fleet, its API bill or its share of the pool; together {charged_total}, which covers "
                "the bill.",
            ),
            (
                "",
                "Each model is charged its own fleet, its API bill or its share of the pool, together {charged_total}; {uncharged} "
                "for whole replicas and spare copies is covered by no share.",
            ),
        ),
        "api": Saying(
            (
                "",
                "A fleet of its own costs as much as the API at {own_fleet_breakeven} of output; below that the API is cheaper where "
                "an equivalent exists.",
            ),
        ),
        "savings": Saying(("", "Sharing brings the bill from {separate_month_cost} to {tiered_month_cost}: each tier saves its own part")),
        "ranked": Saying(("", "Most models work far less than the {replicas_each} replicas they hold")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("separate_idle", "separate_fleet", "tiered_fleet", "sharing_saving", "tiered_use"),
        argument=("heading", "idle", "parts", "waits", "charges", "api"),
        derivation=("models_per_replica", "adapter_replicas", "weight_replicas", "tiered_fleet", "sharing_saving"),
        not_counted=(
            "Cold starts: a model may be unloaded only where its users tolerate the time to load it.",
            "Mixed peak hours, which would need less, and weights of different size.",
        ),
    ),
    charts=[
        Chart(
            "ranked",
            "bars",
            title="ranked",
            x="served_model",
            ys=("dedicated_replicas", "model_work"),
            x_label="Model, by place in the table",
            y_label="Replicas held and replica-seconds used",
        ),
        Chart(
            "savings",
            "waterfall",
            title="savings",
            ys=("separate_month_cost", "adapter_saving", "weight_saving", "api_saving", "tiered_month_cost"),
            y_label="$ a month",
        ),
    ],
    links={
        "utilization_cap": "utilization_cap",
        "gpu_hour_price": "gpu_hour_price",
        "memory_fraction": "memory_fraction",
        "memory_reserve": "memory_reserve",
        "hbm": "hbm",
    },
    core=("separate_fleet", "tiered_fleet", "separate_idle", "sharing_saving"),
)
