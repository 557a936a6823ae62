"""Headroom for a slow scale-out, and who absorbs a burst. Source: calculators A (e).

| symbol | name | symbol | name |
|---|---|---|---|
| λ0, w, N | request_rate, replica_seconds_per_request, replicas | u_b | burst_utilization |
| T = t_detect + t_load | scale_delay | m | burst_factor |
| h | ramp_headroom | λ_eq | settling_rate |
| cap/(1 + h) | scale_trigger | P(0) | chance_idle |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import autoscaling, burst_minutes, bursts, busy_signal, cost, little, little_chances
from sheetcalc.studies import little_law
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators A (e)"
SHORT, QUICK, SAFE = {"burst_length": 120.0}, {"load_time": 30.0}, {"burst_utilization": 0.79}

INPUTS = {name: little_law.INPUTS[name] for name in little_law.FLEET} | {
    "ttft_compute": Input(0.0712986, "ms", "Prefill time of a mean prompt", f"quoted: {SPEC}, rounded there", **POSITIVE),
    "ttft_target": Input(0.5, "s", "TTFT target", f"quoted: {SPEC}", **POSITIVE),
    "replica_seconds_per_request": Input(
        0.10878173642085178,
        "s",
        "Replica time of a request",
        "quoted: worked fleet answer, 21.756 replica-seconds a second at 200 req/s",
        **POSITIVE,
    ),
    "replicas": Input(34.0, "", "Replicas", "quoted: worked fleet answer (200 req/s, 70B on 4 H100)", **COUNT),
    "utilization_cap": Input(0.65, "%", "Utilization cap", "quoted: worked fleet answer", low=0.01, high=0.999),
    "ramp": Input(0.05, "1/min", "Growth of the load, share a minute", f"assumed: {SPEC}", **AT_LEAST_0),
    "detect_time": Input(60.0, "s", "Time to notice", f"assumed: {SPEC}", **AT_LEAST_0),
    "load_time": Input(240.0, "s", "Time to start and load a replica", f"assumed: {SPEC}", **AT_LEAST_0),
    "minutes_saved": Input(1.0, "min", "Load time saved", "chosen: a minute", **AT_LEAST_0),
    "burst_factor": Input(2.0, "x", "Burst over the load", f"quoted: {SPEC}, traffic doubles", low=1.0),
    "burst_length": Input(3600.0, "s", "Length of the burst", f"quoted: {SPEC}, for an hour", **POSITIVE),
    "burst_start": Input(60.0, "s", "Start of the burst in the picture", "chosen", **AT_LEAST_0),
    "burst_utilization": Input(
        1.0, "%", "Utilization that is allowed in a burst", f"chosen: {SPEC}: 100% gives up the TTFT promise", **SHARE
    ),
    "batch_replicas": Input(4.0, "", "Batch replicas that hold the same model, besides the fleet", f"assumed: {SPEC}", **AT_LEAST_0),
    "overflow_limit": Input(60.0, "req/s", "Rate limit of the API", f"assumed: {SPEC}", **AT_LEAST_0),
    "overflow_price": Input(0.008, "$", "API price of a request", f"assumed: {SPEC}", **AT_LEAST_0),
    "shed_price": Input(0.02, "$", "Cost of a request turned away", f"assumed: {SPEC}", **AT_LEAST_0),
    "bursts_per_month": Input(20.0, "bursts/month", "Bursts a month", f"assumed: {SPEC}", **AT_LEAST_0),
    "busy_target": Input(0.70, "%", "Busy time that a scaler would hold", f"quoted: {SPEC}", low=0.01, high=0.99),
    "light_load": Input(0.1, "%", "A light load, share of the plan's", f"quoted: {SPEC}, one tenth", **SHARE),
    "backlog_work": Input(0.0, "replica·s", "Work that waits in the queue", "chosen: none", **AT_LEAST_0),
    "drain_time": Input(60.0, "s", "Time in which the queue should be gone", "chosen: a minute", **POSITIVE),
    "seconds_per_minute": Input(60.0, "s/min", "Seconds a minute", "defined", **POSITIVE),
}

STUDY = Study(
    name="autoscaling",
    title="Autoscaling: headroom and burst absorbers",
    purpose="How much spare fleet a slow scale-out needs, who absorbs a burst meanwhile and at what cost, and which signal to scale on.",
    functions=quantities(autoscaling, bursts, burst_minutes, busy_signal, little, little_chances) | some(cost, "replica_cost_per_month"),
    inputs=INPUTS,
    grids=[
        Grid(
            "speed",
            "What load time costs",
            rows={"load_time": [30.0, 60.0, 120.0, 240.0, 480.0, 900.0]},
            show=["scale_delay", "ramp_headroom", "scale_trigger", "ready_replicas", "ramp_cost_per_month"],
        ),
        Grid(
            "seconds",
            "The burst, second by second",
            rows={"second": Input([float(30 * n) for n in range(21)], "s", "Second", "chosen: ten minutes")},
            show=["arriving_rate", "serving_rate", "gap_batch", "gap_overflow", "gap_shed"],
        ),
        Grid(
            "counter",
            "What a busy counter reads",
            rows={"replica_rate": [n / 200 for n in range(1, 201)]},
            show=["gpu_busy", "reads_target"],
        ),
    ],
    claims=[
        Claim("scale_delay", 300.0, SPEC),
        Claim("ramp_headroom", 0.25, SPEC),
        Claim("ramp_headroom_compounding", 0.2840254166877414, SPEC),
        Claim("scale_trigger", 0.52, SPEC),
        Claim("ready_replicas", 42.0, SPEC),
        Claim("ramp_cost_per_month", 58400.0, SPEC),
        Claim("load_minute_value", 12217.025782649509, SPEC),
        Claim("ready_replicas", 36.0, SPEC, changes=QUICK),
        Claim("ramp_cost_per_month", 14600.0, SPEC, changes=QUICK),
        Claim("idle_cost_per_month", 89378.66482555639, SPEC),
        Claim("covered_factor", 1.5627623311904921, SPEC),
        Claim("burst_excess", 87.44753376190158, SPEC),
        Claim("headroom_requests", 33765.73987142953, SPEC),
        Claim("queue_requests", 133.99167984972553, SPEC),
        Claim("queue_seconds", 1.5322522441233433, SPEC),
        Claim("batch_requests", 11031.263514285827, SPEC),
        Claim("overflow_requests", 15069.00493443492, SPEC),
        Claim("burst_cost", 120.55203947547938, SPEC),
        Claim("breakeven_bursts", 605.5476151015131, SPEC),
        Claim("overflow_requests", 5947.206965864135, SPEC, changes=SHORT),
        Claim("shed_requests", 19104.513898203593, SPEC, changes=SAFE),
        Claim("burst_cost", 526.0902779640719, SPEC, changes=SAFE),
        Claim("cover_replicas", 22.0, SPEC, changes=SAFE),
        Claim("light_busy", 0.7426449370395134, SPEC),
        Claim("settling_rate_near", 0.5529738967738776, SPEC),
        Claim("settling_rate", 0.525, SPEC),
        Claim("busy_replicas", 381.0, SPEC),
        Claim("busy_catch_time", 600.0, SPEC),
    ],
    sayings={
        "headline": Saying(
            (
                "overflow_beats_cover",
                "Let a burst overflow: {burst_cost_per_month:0} instead of {cover_cost_per_month:0} of spare replicas",
            ),
            ("burst_costs", "Cover the burst with replicas: {cover_cost_per_month:0} instead of {burst_cost_per_month:0} of overflow"),
            ("", "A burst to {burst_factor:1} the load stays inside the fleet and costs nothing"),
        ),
        "decision": Saying(
            (
                "",
                "Fund the headroom of {ramp_headroom:0}, {ramp_cost_per_month}, or faster loading: {minutes_saved:0} less is "
                "worth "
                "{faster_loading_value:0}.",
            )
        ),
        "burst": Saying(
            (
                "burst_costs",
                "A burst to {burst_factor:1} the load exceeds the fleet by {burst_excess:1} for {burst_exposure:0} and costs "
                "{burst_cost}; full cover "
                "pays from {breakeven_bursts:0} on.",
            ),
            ("", "A burst to {burst_factor:1} the load costs nothing: the fleet, the queue and stopped batch work take it."),
        ),
        "order": Saying(
            (
                "",
                "In order: headroom takes {headroom_requests:0} requests, the queue {queue_requests:0} ({queue_seconds:1} of "
                "excess), batch "
                "work {batch_requests:0}, the API {overflow_requests:0}, and {shed_requests:0} are turned away.",
            )
        ),
        "gap": Saying(
            ("burst_costs", "Until new replicas serve after {scale_delay:0}, batch work and the API take the gap for {burst_cost} a burst"),
            ("", "Until new replicas serve after {scale_delay:0}, headroom, the queue and batch work take the gap"),
        ),
        "trigger": Saying(("", "Ask for the next replica at {scale_trigger:0} utilization, not at the cap of {utilization_cap:0}.")),
        "busy": Saying(
            (
                "",
                "Do not scale on GPU busy time: it reads {light_busy:0} at {light_load:0} of the load, and holding it at "
                "{busy_target:0} asks for "
                "{busy_replicas} replicas where {replicas} do.",
            )
        ),
        "signal": Saying(("", "Scale on arriving work and queued prefill: now {wanted_replicas} replicas.")),
        "cover": Saying(
            (
                "",
                "The headroom of today's fleet covers a burst to {covered_factor:2} the load; full cover takes {cover_replicas} "
                "more replicas, "
                "{cover_cost_per_month}.",
            )
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("ramp_cost_per_month", "faster_loading_value", "burst_cost", "cover_cost_per_month", "breakeven_bursts"),
        argument=("burst", "order", "cover", "trigger", "busy", "signal"),
        derivation=(
            "scale_delay",
            "ramp_headroom",
            "scale_trigger",
            "ready_replicas",
            "load_minute_value",
            "fleet_rate",
            "burst_excess",
            "overflow_requests",
            "burst_cost",
            "cover_replicas",
            "breakeven_bursts",
        ),
        not_counted=(
            "Prices of overflow and of requests turned away are assumptions of this example.",
            "New replicas are assumed to arrive on time; if none can be had, set the load time to the length of the burst.",
        ),
    ),
    charts=[
        Chart(
            "gap",
            "stacked",
            title="gap",
            x="second",
            ys=("gap_batch", "gap_overflow", "gap_shed"),
            x_label="seconds since the burst began",
            y_label="requests a second above what the fleet serves",
        ),
        Chart(
            "counter",
            "line",
            title="busy",
            x="counter_replica_rate",
            ys=("counter_gpu_busy",),
            marks=("settling_rate",),
            x_label="requests a replica, req/s",
            y_label="GPU busy time",
        ),
    ],
    links={
        name: name
        for name in (*little_law.FLEET, "ttft_compute", "ttft_target", "replica_seconds_per_request", "replicas", "utilization_cap")
    },
    core=("ready_replicas", "ramp_cost_per_month", "faster_loading_value", "burst_cost", "cover_cost_per_month"),
)
