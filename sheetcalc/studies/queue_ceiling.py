"""How far a replica may be loaded before its p99 TTFT is missed. Source: calculators A (d).

| symbol | name | symbol | name |
|---|---|---|---|
| S | ttft_compute | ρ | queue_ceiling, utilization_cap (a load to try) |
| T | ttft_target | K | queue_slack |
| q | late_share = 1 − ttft_percentile | S' | engine_service |
| C²s, C²a | prompt_cv², arrival_cv² | ρ' | engine_load |
| c | replicas | W99 | wait_high, central_wait_high, ttft_wait |
"""

from math import sqrt

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, Grid, Input, quantities
from sheetcalc.quantities import little, little_chances, queue_engine, queue_fleet, queue_price, queue_strict, queueing
from sheetcalc.studies import little_law
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators A (d)"
WORKED_000 = {"ttft_compute": 0.0712986, "ttft_target": 0.5}
SPREADS = [0.0, sqrt(0.5), sqrt(0.8), 1.0, sqrt(2.0), 2.0]

INPUTS = {name: little_law.INPUTS[name] for name in little_law.FLEET} | {
    "ttft_compute": Input(0.125, "ms", "Prefill time of a mean prompt", f"quoted: {SPEC}", **POSITIVE),
    "ttft_target": Input(1.0, "s", "TTFT target", f"quoted: {SPEC}", **POSITIVE),
    "ttft_percentile": Input(0.99, "%", "Percentile of the TTFT target", f"quoted: {SPEC}", low=0.5, high=0.9999),
    "prompt_cv": Input(
        0.0, "", "Spread of prompt lengths (standard deviation over mean)", f"quoted: {SPEC}, prompts of one length", **AT_LEAST_0
    ),
    "arrival_cv": Input(1.0, "", "Spread of the gaps between arrivals", "quoted: 1, random arrivals; bursts and retries more", **POSITIVE),
    "utilization_cap": Input(0.70, "%", "Utilization to try", "quoted: the rule of thumb of 70 per cent", low=0.01, high=0.995),
    "replicas": Input(34.0, "", "Replicas behind one queue", "quoted: worked fleet answer (200 req/s, 70B on 4 H100)", **COUNT),
    "total_demand": Input(
        21.756347284170356, "replica·s/s", "Work that arrives", "quoted: worked fleet answer (200 req/s, 70B on 4 H100)", **POSITIVE
    ),
    "least_work_ratio": Input(
        0.0134 / 0.125,
        "x",
        "p99 wait with least-work routing over the prefill time",
        "measured: simulation of 34 replicas at 70%, lognormal prompts with C²s 0.79; no formula is known",
        **AT_LEAST_0,
    ),
}

STUDY = Study(
    name="queue_ceiling",
    title="Queue ceiling: the utilization that a TTFT target allows",
    purpose="The highest utilization at which the slow tail of the queue still meets a TTFT target, and what prompt lengths and routing "
    "make of it.",
    functions=quantities(little, little_chances, queueing, queue_strict, queue_fleet, queue_engine, queue_price),
    inputs=INPUTS,
    grids=[
        Grid(
            "price",
            "What a tighter target costs",
            rows={"ttft_target": [0.5, 0.75, 1.0, 2.0, 4.0]},
            show=["queue_ceiling", "ceiling_replicas", "ceiling_cost_per_month"],
        ),
        Grid(
            "spread",
            "Ceiling by target and spread of prompt lengths",
            rows={"ttft_target": [0.125 * ratio for ratio in (2, 4, 7, 8, 10, 15, 20, 40)]},
            columns={"prompt_cv": SPREADS},
            show=["queue_ceiling", "cautious_ceiling"],
        ),
        Grid(
            "pool",
            "One central queue, by replicas",
            rows={"replicas": [1.0, 2.0, 4.0, 8.0, 34.0]},
            show=["all_busy", "central_wait_mean", "central_wait_sakasegawa", "central_wait_high", "central_ttft_high"],
        ),
        Grid(
            "load",
            "One central queue, by load",
            rows={"utilization_cap": [n / 200 for n in range(1, 200)]},
            show=["central_ttft_high", "central_meets"],
        ),
        Grid("feed", "An engine, by rate", rows={"replica_rate": [n / 10 for n in range(1, 110)]}, show=["engine_ttft", "engine_meets"]),
    ],
    claims=[
        Claim("queue_ceiling", 0.6968574449801912, SPEC),
        Claim("cautious_ceiling", 0.671059272429422, SPEC),
        Claim("exponential_ceiling", 0.4243537267514885, SPEC),
        Claim("queue_ceiling", 0.49985659237332636, SPEC, changes={"prompt_cv": sqrt(0.79)}),
        Claim("strict_ceiling", 0.44447925163928587, SPEC, rel=1e-6, changes={"prompt_cv": sqrt(0.79)}),
        Claim("strict_ceiling", 0.5, SPEC, rel=1e-6, changes={"prompt_cv": sqrt(0.6217031596234751)}),
        Claim("allowed_spread", 0.7893555304473203, SPEC, changes={"utilization_cap": 0.5}),
        Claim("needed_target_ratio", 8.080825403415599, SPEC),
        Claim("needed_target_ratio", 15.161650806831195, SPEC, changes={"prompt_cv": 1.0}),
        Claim("queue_ceiling", 0.6525473848189862, SPEC, changes=WORKED_000),
        Claim("ttft_high", 1.0101031754269498, SPEC),
        Claim("engine_service", 0.08021924144168939, SPEC),
        Claim("engine_load", 0.47187789083346704, SPEC),
        Claim("engine_ttft", 0.372931658742496, SPEC),
        Claim("engine_rate", 7.3, SPEC, changes=WORKED_000),
        Claim("all_busy", 0.0329677934762674, SPEC, rel=1e-6),
        Claim("central_wait_high", 0.007309718361846702, SPEC, rel=1e-6),
        Claim("central_ceiling", 0.99, SPEC),
        Claim("wait_high", 1.58433468401424, SPEC, changes={"prompt_cv": sqrt(0.79)}),
    ],
    sayings={
        "headline": Saying(
            (
                "",
                "A TTFT of {ttft_target:2} for {ttft_percentile:0} of requests takes {ceiling_replicas} replicas, "
                "{ceiling_cost_per_month}: it allows {queue_ceiling:1} utilization",
            )
        ),
        "decision": Saying(
            (
                "tight_known",
                "Fund {ceiling_replicas} replicas and load each to {queue_ceiling:1} at most; a target of "
                "{tight_ttft_target:2} would take {tight_ceiling_replicas}, {tight_ceiling_cost}.",
            ),
            ("", "Fund {ceiling_replicas} replicas and load each to {queue_ceiling:1} at most; not every target of the table can be met."),
        ),
        "ceilings": Saying(
            (
                "",
                "The ceiling falls with a tighter target and with more uneven prompts: {queue_ceiling:1} here, "
                "{cautious_ceiling:1} on "
                "the careful side",
            )
        ),
        "cap": Saying(
            ("cap_below_ceiling", "A cap of {utilization_cap:0} keeps the target: the slow tail waits {wait_high:0}."),
            ("", "A cap of {utilization_cap:0} is above the ceiling: {ttft_percentile:0} of requests start within {ttft_high:0} only."),
        ),
        "lengths": Saying(
            (
                "equal_prompts_meet",
                "There is no universal cap: with these prompts a cap of {utilization_cap:0} needs a target of "
                "{needed_target_ratio:1} prefill times, and at this target it stands a squared spread of {allowed_spread:2}.",
            ),
            (
                "",
                "There is no universal cap: a cap of {utilization_cap:0} needs a target of {needed_target_ratio:1} "
                "prefill times; "
                "this one is {target_ratio:1}, and even equal prompts miss it.",
            ),
        ),
        "routing": Saying(
            (
                "",
                "The ceiling is one of random or sticky routing: its slow tail waits {wait_high:0}, one central queue for "
                "{replicas} replicas {central_wait_high:1}, and least-work routing {least_work_wait:1} (simulated).",
            )
        ),
        "engine": Saying(
            (
                "",
                "An engine takes prompts in beside its decode steps: at {replica_rate:2} a replica the TTFT is {engine_ttft:0}, "
                "and "
                "the target holds up to {engine_rate:1}.",
            )
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("queue_ceiling", "ceiling_replicas", "ceiling_cost_per_month", "central_ceiling", "engine_rate"),
        argument=("cap", "lengths", "routing", "engine"),
        derivation=(
            "late_share",
            "queue_spread",
            "queue_slack",
            "ceiling_log",
            "queue_ceiling",
            "cautious_ceiling",
            "wait_high",
            "engine_service",
            "engine_load",
            "ttft_wait",
            "ceiling_replicas",
        ),
        not_counted=(
            "The tail is taken as exponential: exact for exponential work, careful for equal prompts, six to eight per cent "
            "short for "
            "lognormal ones; squared spreads above two are outside what was checked.",
            "Bursts and retries, unless they are in the spread of arrivals.",
        ),
    ),
    charts=[
        Chart(
            "ceiling_by_target",
            "line",
            title="ceilings",
            x="spread_ttft_target",
            ys=("ceiling_equal", "ceiling_mixed", "ceiling_wild"),
            marks=("ttft_target",),
            x_label="TTFT target, s",
            y_label="highest utilization",
            log_x=True,
        ),
        Chart(
            "ttft_by_rate",
            "line",
            title="engine",
            x="feed_replica_rate",
            ys=("feed_engine_ttft",),
            marks=("engine_rate", "replica_rate"),
            x_label="requests a replica, req/s",
            y_label="TTFT, ms",
            log_y=True,
        ),
    ],
    links={
        name: name
        for name in (
            *little_law.FLEET,
            "ttft_compute",
            "ttft_target",
            "ttft_percentile",
            "prompt_cv",
            "arrival_cv",
            "utilization_cap",
            "replicas",
            "total_demand",
        )
    },
    core=("queue_ceiling", "strict_ceiling", "ceiling_replicas", "engine_ttft"),
)
