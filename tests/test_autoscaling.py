"""Autoscaler headroom and burst absorbers: worked values, limits, and the busy counter against a simulated engine."""

import math

import numpy
import pytest
from golden_a import GIVEN, STATISTICAL, WORKED, assert_all, near

from sheetcalc.errors import InputError
from sheetcalc.studies.autoscaling import STUDY

CASES = {
    "e_default": {},
    "e_short_burst_120s": {"burst_length": 120.0},
    "e_slo_safe_burst_0.79": {"burst_utilization": 0.79},
    "e_load_30s": {"load_time": 30.0},
}
NAMES = {
    "T": "scale_delay",
    "headroom_linear": "ramp_headroom",
    "headroom_exp": "ramp_headroom_compounding",
    "trigger_util": "scale_trigger",
    "replicas_no_headroom": "lean_replicas",
    "replicas_with_headroom": "ready_replicas",
    "spare_replicas": "ramp_replicas",
    "spare_usd_month": "ramp_cost_per_month",
    "usd_month_per_load_minute": "load_minute_value",
    "capacity_req_s": "fleet_rate",
    "burst_req_s": "burst_rate",
    "excess_req_s": "burst_excess",
    "exposure_s": "burst_exposure",
    "excess_requests": "excess_requests",
    "burst_usd": "burst_cost",
    "shed_frac": "shed_share",
    "queue_covers_s": "queue_seconds",
    "max_burst_no_excess": "covered_factor",
    "full_cover_replicas": "cover_replicas",
    "full_cover_usd_month": "cover_cost_per_month",
    "burst_usd_month": "burst_cost_per_month",
    "break_even_bursts_month": "breakeven_bursts",
    "cap_slack_replicas": "idle_replicas",
    "cap_slack_usd_month": "idle_cost_per_month",
}
TRAP = {
    "lam_eq_closed": "settling_rate_near",
    "lam_eq_table": "settling_rate",
    "replicas_wanted_closed": "busy_replicas_near",
    "replicas_wanted_table": "busy_replicas",
    "over_provision_x": "busy_excess",
    "max_step_up": "busy_growth",
    "periods_to_catch_burst": "busy_periods",
    "seconds_to_catch_burst": "busy_catch_time",
    "busy_at_plan": "gpu_busy",
    "busy_at_10pct_of_plan": "light_busy",
}


def inputs():
    e = GIVEN["e autoscale"]
    return {
        "request_rate": e["lam0"],
        "replica_seconds_per_request": e["w"],
        "replicas": float(e["N"]),
        "gpus_per_replica": float(e["g"]),
        "gpu_hour_price": e["price"],
        "utilization_cap": e["util_cap"],
        "ramp": e["ramp_per_min"],
        "detect_time": e["t_detect"],
        "load_time": e["t_load"],
        "burst_factor": e["burst_mult"],
        "burst_length": e["burst_s"],
        "ttft_target": e["ttft_slo"],
        "ttft_compute": e["prefill_s"],
        "batch_replicas": e["batch_replicas"],
        "output_tokens": e["o"],
        "prompt_tokens": e["s"],
        "overflow_limit": e["api_req_s"],
        "overflow_price": e["usd_req_api"],
        "shed_price": e["usd_req_shed"],
        "bursts_per_month": e["bursts_per_month"],
        "burst_utilization": e["util_burst"],
        "busy_target": e["target_metric"],
        "step_floor": e["alpha"],
        "step_rise": e["beta"],
        "prefill_request_time": e["s"] * e["r_tok"],
        "replica_rate": e["lam0"] / e["N"],
    }


@pytest.mark.parametrize("case", CASES)
def test_worked_values(case):
    row, result = WORKED[case], STUDY.evaluate(inputs() | CASES[case])
    assert_all(result, [(name, row[key]) for key, name in NAMES.items()])
    assert_all(
        result, [(name, row["gpu_util_trap"][key]) for key, name in TRAP.items() if key not in ("lam_eq_closed", "busy_at_10pct_of_plan")]
    )
    assert_all(
        result, [(TRAP[key], row["gpu_util_trap"][key]) for key in ("lam_eq_closed", "busy_at_10pct_of_plan")], 1e-7
    )  # prefill rounded there
    headroom, queue, batch, overflow, shed = row["absorbers"]
    assert_all(
        result,
        [
            ("headroom_rate", headroom["rate"]),
            ("headroom_requests", headroom["requests"]),
            ("queue_requests", queue["requests"]),
            ("queue_seconds", queue["seconds"]),
            ("batch_rate", batch["rate"]),
            ("batch_requests", batch["requests"]),
            ("overflow_requests", overflow["requests"]),
            ("overflow_cost", overflow["usd"]),
            ("shed_requests", shed["requests"]),
            ("shed_seconds", shed["seconds"]),
            ("shed_cost", shed["usd"]),
        ],
        floor=1e-8,
    )


def test_figures_of_the_specification():
    """Typed from the document, section (e), without the study's claims."""
    result = STUDY.evaluate()
    assert near(result.value("ramp_headroom"), 0.25) and near(result.value("scale_trigger"), 0.52)
    assert result.value("ready_replicas") == 42 and near(result.value("ramp_cost_per_month"), 58_400)
    assert f"{result.value('load_minute_value'):,.0f}" == "12,217"
    assert STUDY.evaluate({"load_time": 30.0}).value("ready_replicas") == 36
    assert f"{result.value('covered_factor'):.3f}" == "1.563" and f"{result.value('burst_excess'):.1f}" == "87.4"
    assert f"{result.value('queue_requests'):.0f}" == "134" and f"{result.value('queue_seconds'):.1f}" == "1.5"
    assert f"{result.value('burst_cost'):.2f}" == "120.55" and f"{result.value('breakeven_bursts'):.0f}" == "606"
    safe = STUDY.evaluate({"burst_utilization": 0.79})
    assert f"{safe.value('shed_requests'):,.0f}" == "19,105" and f"{safe.value('shed_share'):.1%}" == "15.9%"
    assert safe.value("cover_replicas") == 22
    assert f"{result.value('light_busy'):.0%}" == "74%" and f"{result.value('gpu_busy'):.1%}" == "100.0%"
    assert result.value("busy_replicas") == 381 and result.value("busy_catch_time") == 600


def test_decision_names_the_money():
    assert STUDY.evaluate().says("decision") == (
        "Fund the headroom of 25%, $58,400/month, or faster loading: 1 min less is worth $12,217/month."
    )
    assert STUDY.evaluate().says("headline").startswith("Let a burst overflow: $2,411/month instead of $73,000/month")
    often = STUDY.evaluate({"bursts_per_month": 1000.0})
    assert often.says("headline").startswith("Cover the burst with replicas: $73,000/month instead of $120,552/month")


def test_limits():
    over = STUDY.evaluate({"replicas": 33.0})
    assert over.problems == ["already overloaded: 21.76 replica·s/s of work arrive and 33 replicas under the cap do 21.45 replica·s/s"]
    assert not any(map(over.exists, ("fleet_rate", "burst_excess", "burst_cost", "breakeven_bursts", "covered_factor")))
    still = STUDY.evaluate({"ramp": 0.0})
    assert still.value("ramp_headroom") == 0 and still.value("ramp_cost_per_month") == 0
    assert still.value("ready_replicas") == still.value("lean_replicas")
    small = STUDY.evaluate({"burst_factor": 1.5})
    assert small.value("burst_excess") == 0 and small.value("burst_cost") == 0 and small.status == "ok"
    assert small.absent("queue_seconds") == "the burst stays inside the fleet: nothing is in excess"
    assert small.absent("breakeven_bursts").startswith("the burst stays inside the fleet")
    for name, value in (("burst_factor", 0.9), ("utilization_cap", 1.0), ("busy_target", 1.0), ("burst_utilization", 0.0), ("ramp", -0.1)):
        with pytest.raises(InputError, match=name):
            STUDY.evaluate({name: value})


def test_every_request_of_a_burst_is_somewhere():
    """Headroom, queue, batch work, API and shed add up to the whole burst, whoever fills up."""
    rng = numpy.random.default_rng(3)
    for _ in range(50):
        result = STUDY.evaluate(
            {
                "burst_factor": float(rng.uniform(1, 6)),
                "overflow_limit": float(rng.uniform(0, 300)),
                "batch_replicas": float(rng.uniform(0, 20)),
                "load_time": float(rng.uniform(0, 900)),
            }
        )
        whole = (result.value("burst_rate") - result.value("request_rate")) * result.value("burst_exposure")
        parts = [result.value(f"{n}_requests") for n in ("headroom", "queue", "batch", "overflow", "shed")]
        assert near(sum(parts), whole, floor=1e-6) and min(parts) >= -1e-9


def test_picture_agrees_with_the_sums():
    result = STUDY.evaluate()
    arriving, serving = result.value("arriving_rate"), result.value("serving_rate")
    assert arriving[0] == 200 and arriving[2] == 400 and near(serving[0], result.value("fleet_rate"))
    gaps = [sum(parts) for parts in zip(*(result.value(n) for n in ("gap_batch", "gap_overflow", "gap_shed")), strict=True)]
    assert near(max(gaps), result.value("burst_excess")) and gaps[0] == 0 and gaps[-1] == 0
    assert gaps.count(max(gaps)) == 10  # 300 s in rows of 30 s


def test_wanted_replicas_follow_work_and_backlog():
    assert STUDY.evaluate().value("wanted_replicas") == 34
    assert STUDY.evaluate({"backlog_work": 120.0, "drain_time": 60.0}).value("wanted_replicas") == math.ceil(
        (21.756347284170356 + 2) / 0.65
    )


def simulated_busy(rate, answers, seed):
    """Share of time in which an engine has a prompt or an answer to work on: the chain of section (c), prompts apart."""
    rng = numpy.random.default_rng(seed)
    alpha, beta, phi = 7.019900497512437e-03, 7.010069651741293e-05, rate * 0.07129863567458312
    n, idle, total = 0, 0.0, 0.0
    for _ in range(answers):
        leave = n * (1 - phi) / (alpha + beta * n) / 300
        held = rng.exponential(1 / (rate + leave))
        idle, total = idle + held * (n == 0), total + held
        n += 1 if rng.random() < rate / (rate + leave) else -1
    return 1 - (1 - phi) * idle / total


def test_busy_counter_against_simulation():
    """At a tenth of the plan's load the counter reads 74 per cent."""
    found = simulated_busy(20 / 34, 200_000, 5)
    assert near(found, STUDY.evaluate().value("light_busy"), 0.01)
    assert near(STUDY.evaluate({"replica_rate": 20 / 34}).value("gpu_busy"), STUDY.evaluate().value("light_busy"), STATISTICAL)
