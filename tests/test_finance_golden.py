"""The worked examples of calculators C, section i, come out of the study; figures are the specification's, not the study's own claims."""

import finance_reference as reference
import numpy as np
import pytest
from finance_reference import LINEAR, RESULTS

from sheetcalc.cells import missing
from sheetcalc.studies.finance import EMPLOYEES, SPARE, STUDY, THREE

CASES = ["i", "i_V0_180", "i_V0_400_no_hybrid", "i_buy", "i_residency"]
SCANNED = {
    "g": "growth",
    "api_decline": "api_price_decline",
    "T": "node_rate",
    "rho": "utilization_cap",
    "pf": "peak_factor",
    "r": "discount_rate",
    "p_r3": "reserved_price_three_years",
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    golden = RESULTS[request.param]
    return golden, STUDY.evaluate(reference.changes(golden["inputs"]))


def months(result, name, golden):
    return result.value(name)[: golden["inputs"]["months"]]


def test_present_values_and_unit_figures(case):
    golden, result = case
    for name, want in {
        "npv_api": golden["npv_api"],
        "npv_build": golden["npv_build"],
        "npv_hybrid": golden["npv_hybrid"],
        "build_advantage": golden["delta_npv"],
        "api_unit_price": golden["unit_api_per_M_out"] / 1e6,
        "node_volume": golden["v1_Mtok_day"] * 1e6,
        "node_cost": golden["node_month"],
        "build_fixed_cost": golden["fixed_month"],
        "build_utilization": golden["utilisation"],
        "breakeven_utilization": golden["breakeven_utilisation"],
    }.items():
        assert result.value(name) == pytest.approx(want, rel=1e-9), name


def test_every_month(case):
    golden, result = case
    assert months(result, "build_nodes", golden) == golden["nodes"]
    assert months(result, "hybrid_nodes", golden) == golden["hybrid_nodes"]
    assert months(result, "reserved_nodes", golden) == golden["modes"]["reserved3"]["nres"]
    assert months(result, "api_bill", golden) == pytest.approx(golden["api_flows"][1:], abs=0.005)
    assert months(result, "build_bill", golden) == pytest.approx(golden["build_flows"][1:], abs=0.005)
    assert months(result, "cumulative_saving", golden) == pytest.approx(golden["cum"][1:], abs=0.005)
    assert result.value("first_outlay") == golden["build_flows"][0]


def test_paybacks(case):
    golden, result = case
    for name, want in {
        "first_payback_month": golden["payback_first"],
        "durable_payback_month": golden["payback_durable"],
        "discounted_payback_month": golden["payback_discounted"],
    }.items():
        assert missing(result.value(name)) if want is None else result.value(name) == want, name


def test_modes(case):
    golden, result = case
    found = dict(zip(result.value("sourcing"), result.value("mode_direct_npv_build"), strict=False))
    for key, name in reference.MODES.items():
        assert found[name] == pytest.approx(golden["modes"][key]["npv"], rel=1e-9), name
    assert result.value("cheapest_mode") == reference.MODES[golden["best_mode"]]


def test_crossings_of_a_steady_month(case):
    golden, result = case
    first, lasting = golden["steady"]["first"], golden["steady"]["permanent"]
    if first is None:
        assert missing(result.value("breakeven_first")) and missing(result.value("breakeven_lasting"))
    else:
        assert result.value("breakeven_first") == pytest.approx(first * 1e6, rel=1e-9)
        assert result.value("breakeven_lasting") == pytest.approx(lasting * 1e6, rel=1e-9)
    rows = zip(*(result.value(n) for n in ("jump_crossing", "segment_from", "root_crossing", "equal_volume")), strict=False)
    found = [x for jump, start, root, equal in rows for x, there in ((start, jump), (equal, root)) if there]
    assert found == pytest.approx([c["V"] * 1e6 for c in golden["steady"]["crossings"]], rel=1e-9)


def test_thresholds(case):
    golden, result = case
    for symbol, name in LINEAR.items():
        want, found = golden["thresholds"][symbol], result.value(f"threshold_{name}")
        if want["threshold"] is None:
            assert missing(found), name
        else:
            assert found == pytest.approx(want["threshold"] * reference.NAMES[symbol][1], rel=1e-9), name
    for symbol, name in SCANNED.items():
        roots, found = golden["thresholds"][symbol]["roots"], result.value(f"first_threshold_{name}")
        assert missing(found) if not roots else found == pytest.approx(roots[0]["interp"], rel=1e-9), name


def test_start_volumes_and_decision(case):
    golden, result = case
    want, state = golden["decision"], golden["decision"]["state"]
    crossing, hybrid = golden["v0_crossings"], golden["v0_hybrid_material"]
    assert (
        missing(result.value("start_crossing"))
        if not crossing
        else result.value("start_crossing") == pytest.approx(crossing[-1]["V0"] * 1e6, rel=1e-9)
    )
    assert (
        missing(result.value("hybrid_start")) if hybrid is None else result.value("hybrid_start") == pytest.approx(hybrid * 1e6, rel=1e-9)
    )
    assert result.value("decision") == {"BUY NOW, REVISIT AT x": "api", "BUY": "api", "HYBRID": "hybrid", "BUILD": "build"}[state]
    assert result.value("rule_revisit") == (state == "BUY NOW, REVISIT AT x")
    assert result.value("mandate_premium") == pytest.approx(want["mandate_premium"], rel=1e-9)
    if state == "BUY NOW, REVISIT AT x":
        assert result.value("revisit_at") == pytest.approx(want["revisit_at_Mtok_day"] * 1e6, rel=1e-9)
    else:
        assert missing(result.value("revisit_at"))
    if want["month_reached"] is not None:
        assert result.value("turning_month") == pytest.approx(want["month_reached"], rel=1e-9)


def test_draws(case):
    golden, _ = case
    drawn = golden["mc"]
    result = STUDY.evaluate(reference.changes(golden["inputs"]) | {"draws": float(drawn["n"])})
    for name, key in {"advantage_mean": "mean", "advantage_low": "p10", "advantage_middle": "p50", "advantage_high": "p90"}.items():
        assert result.value(name) == pytest.approx(drawn[key], rel=1e-6), name
    assert result.value("build_probability") == pytest.approx(drawn["p_build_wins"], abs=1e-12)
    assert result.value("build_probability_error") == pytest.approx(drawn["se"], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("name", ["i", "i_V0_180", "i_V0_400_no_hybrid"])
def test_tornado(name):
    """With the ranges of the specification, which are fixed numbers and not shares of the value."""
    golden = RESULTS[name]
    p, ends = golden["inputs"], {t["input"]: t for t in golden["tornado"]}
    base = STUDY.evaluate()
    labels, low, high = (list(base.value(n)) for n in ("driver", "driver_low_factor", "driver_high_factor"))
    from sheetcalc.quantities.finance_drivers import DRIVERS

    rows = {symbol: labels.index(DRIVERS[reference.NAMES[symbol][0]][0]) for symbol in ends}
    for symbol, row in rows.items():
        low[row], high[row] = ends[symbol]["low"] / p[symbol], ends[symbol]["high"] / p[symbol]
    result = STUDY.evaluate(reference.changes(p) | {"driver_low_factor": low, "driver_high_factor": high})
    swings = result.value("driver_swing")
    for symbol, row in rows.items():
        assert result.value("low_direct_advantage")[row] == pytest.approx(ends[symbol]["d_low"], abs=0.005), symbol
        assert result.value("high_direct_advantage")[row] == pytest.approx(ends[symbol]["d_high"], abs=0.005), symbol
        assert swings[row] == pytest.approx(ends[symbol]["swing"], abs=0.01), symbol


def test_the_plan_of_two_thousand_employees():
    golden = RESULTS["i_file004"]
    as_written, spare, three = (STUDY.evaluate(c) for c in (EMPLOYEES, SPARE, THREE))
    assert as_written.value("node_cost") == golden["node_month"] and as_written.value("node_volume") == pytest.approx(golden["v1"] * 1e6)
    assert as_written.value("first_build_bill") == golden["build_16M"]
    assert as_written.value("first_api_bill") == pytest.approx(golden["api10"]) and three.value("first_api_bill") == pytest.approx(
        golden["api3"]
    )
    assert as_written.value("build_utilization") == pytest.approx(golden["util_two_nodes"], rel=1e-12)
    assert as_written.value("build_utilization") * 2 == pytest.approx(golden["util"], rel=1e-12)
    for price, want in golden["breakeven_util"].items():
        found = STUDY.evaluate(EMPLOYEES | {"api_output_price": float(price[1:]) / 1e6}).value("breakeven_utilization")
        assert found == pytest.approx(want, rel=1e-12)
    for result, key in ((as_written, "as_written_$10"), (spare, "N+1_$10")):
        assert result.value("breakeven_first") == pytest.approx(golden["crossings"][key]["first"] * 1e6, rel=1e-9)
        assert result.value("breakeven_lasting") == pytest.approx(golden["crossings"][key]["permanent"] * 1e6, rel=1e-9)
    assert as_written.value("hybrid_first_volume") == pytest.approx(golden["crossings"]["hybrid_first_$10"] * 1e6, rel=1e-9)
    for name in ("breakeven_first", "breakeven_lasting", "hybrid_first_volume"):
        assert missing(three.value(name)), name


def test_the_reference_of_these_tests_gives_the_golden_values():
    for name in CASES[:4]:
        golden = RESULTS[name]
        p = golden["inputs"]
        assert reference.npv_api(p) == pytest.approx(golden["npv_api"], rel=1e-12)
        assert reference.npv_hybrid(p) == pytest.approx(golden["npv_hybrid"], rel=1e-12)
        for mode, found in golden["modes"].items():
            assert reference.npv_build(p | {"mode": mode}) == pytest.approx(found["npv"], rel=1e-12)
        few = [reference.advantage(q) for q in reference.draw_cases(p, golden["mc"]["n"])]
        assert np.percentile(few, [10, 50, 90]) == pytest.approx([golden["mc"][k] for k in ("p10", "p50", "p90")], rel=1e-9)
