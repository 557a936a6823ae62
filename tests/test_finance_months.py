"""Bills, present values, paybacks and rates of return on random cases, against plain loops."""

import math

import finance_reference as reference
import numpy as np
import pytest

from sheetcalc.run import run
from sheetcalc.studies.finance import STUDY

MONEY = [
    "npv_api",
    "npv_build",
    "npv_hybrid",
    "direct_npv_api",
    "direct_npv_build",
    "direct_agrees",
    "hybrid_nodes",
    "first_payback_month",
    "durable_payback_month",
    "discounted_payback_month",
    "build_irr",
    "rate_exists",
    "build_total",
    "year_api",
    "year_opex",
    "year_capex",
    "year_expense",
    "residual_worth",
    "depreciation",
    "purchases",
    "highest_gpu_price",
]


def worked_out(changes, names):
    return run(STUDY.model, changes, STUDY.model.upstream(names))


@pytest.fixture(scope="module")
def cases():
    rng = np.random.default_rng(36)
    found = []
    for i in range(200):
        p = reference.random_case(rng)
        if i % 5 == 0:
            p |= {"commit": float(rng.uniform(1e3, 3e5)), "commit_disc": float(rng.uniform(0, 0.3))}
        found.append((p, worked_out(reference.changes(p), MONEY)))
    return found


def paybacks(cumulative):
    first = next((m for m, x in enumerate(cumulative, 1) if x >= 0), math.nan)
    durable = next((m for m in range(1, len(cumulative) + 1) if min(cumulative[m - 1 :]) >= 0), math.nan)
    return first, durable


def same(x, y):
    return x == y or (x != x and y != y)


def test_present_values(cases):
    for p, found in cases:
        assert found["npv_api"] == pytest.approx(reference.npv_api(p), rel=1e-9)
        assert found["npv_build"] == pytest.approx(reference.npv_build(p), rel=1e-9)
        if not p["commit"]:
            chosen, _bills = reference.hybrid_months(p)
            assert found["npv_hybrid"] == pytest.approx(reference.npv_hybrid(p), rel=1e-9)
            assert np.ravel(found["hybrid_nodes"])[: p["months"]].tolist() == chosen


def test_the_direct_formulas_are_the_table_of_months(cases):
    for _, found in cases:
        assert found["direct_npv_api"] == pytest.approx(found["npv_api"], rel=1e-11)
        assert found["direct_npv_build"] == pytest.approx(found["npv_build"], rel=1e-11)
        assert found["direct_agrees"]


def test_paybacks(cases):
    seen = undone = 0
    for p, found in cases:
        flows = np.array([0.0, *reference.api_bills(p)]) - reference.build_flows(p)
        first, durable = paybacks(np.cumsum(flows)[1:])
        discounted = paybacks(np.cumsum(flows / (1 + p["r"]) ** (np.arange(len(flows)) / 12))[1:])[1]
        assert (
            same(found["first_payback_month"], first)
            and same(found["durable_payback_month"], durable)
            and same(found["discounted_payback_month"], discounted)
        )
        seen += durable == durable
        undone += first == first and durable != durable
    assert seen > 20 and undone > 0


def test_rate_of_return_makes_the_savings_worth_the_outlay(cases):
    seen = 0
    for p, found in cases:
        if not found["rate_exists"]:
            continue
        flows = np.array([0.0, *reference.api_bills(p)]) - reference.build_flows(p)
        low, high = (sum(f / (1 + found["build_irr"] * way) ** (m / 12) for m, f in enumerate(flows)) for way in (0.999, 1.001))
        low, high = sorted([low, high])
        assert low <= 1e-6 * abs(flows).sum() and high >= -1e-6 * abs(flows).sum()
        seen += 1
    assert seen > 20


def test_owned_nodes_are_cash_when_bought_and_expense_over_their_life():
    p = reference.DEFAULT | {"V0": 150.0, "g": 0.05, "months": 60, "mode": "owned"}
    found = worked_out(reference.changes(p), [*MONEY, "owned_nodes", "node_purchase"])
    needed, price = reference.nodes(p), p["capex"] * (1 + p["capex_nw"])
    held = np.maximum.accumulate(needed)
    written = np.ravel(found["depreciation"])[:60]
    for month in range(1, 61):
        ages = [month - first for first in range(1, month + 1) for _ in range(int(held[first - 1] - (held[first - 2] if first > 1 else 0)))]
        assert written[month - 1] == pytest.approx(sum(price / p["life"] for age in ages if age < p["life"]))
    bought = np.ravel(found["purchases"]).sum() + needed[0] * price
    assert bought == pytest.approx(held[-1] * price)
    assert np.ravel(found["year_capex"]).sum() == pytest.approx(bought + p["setup"])


def test_years_and_quarters_add_up_to_the_horizon():
    for begin in (1.0, 4.0, 12.0):
        names = [
            "year_api",
            "quarter_api",
            "api_total",
            "year_opex",
            "year_capex",
            "residual_worth",
            "build_total",
            "year_hybrid",
            "hybrid_total",
            "year_expense",
            *(f"quarter_{n}" for n in ("opex", "capex", "expense", "hybrid")),
        ]
        found = worked_out({"fiscal_month": begin, "horizon": 84.0, "build_mode": "owned"}, names)
        assert np.ravel(found["year_api"]).sum() == pytest.approx(found["api_total"])
        assert np.ravel(found["quarter_api"]).sum() == pytest.approx(found["api_total"])
        assert np.ravel(found["year_hybrid"]).sum() == pytest.approx(found["hybrid_total"])
        for kind in ("api", "opex", "capex", "expense", "hybrid"):
            years, quarters = np.ravel(found[f"year_{kind}"]), np.ravel(found[f"quarter_{kind}"])
            assert quarters.reshape(8, 4).sum(1) == pytest.approx(years), (kind, begin)
        assert np.ravel(found["year_opex"]).sum() + np.ravel(found["year_capex"]).sum() - found["residual_worth"] == pytest.approx(
            found["build_total"]
        )


def test_lead_time_keeps_the_api_and_moves_the_nodes():
    names = [
        "api_bill",
        "build_bill",
        "build_nodes",
        "first_outlay",
        "purchases",
        "npv_build",
        "direct_npv_build",
        "reserved_nodes",
        "staff_bill",
        "other_bill",
    ]
    for mode in ("on demand", "reserved 1 year", "reserved 3 years", "owned"):
        found = worked_out({"build_lead": 4.0, "build_overlap": 2.0, "build_mode": mode, "start_volume": 300e6}, names)
        api, build, nodes = (np.ravel(found[n])[:36] for n in ("api_bill", "build_bill", "build_nodes"))
        assert (nodes[:4] == 0).all() and (nodes[4:] > 0).all()
        assert build[:3] == pytest.approx(api[:3] + np.ravel(found["staff_bill"])[:3] + np.ravel(found["other_bill"])[:3])
        assert (build[4:6] > api[4:6]).all()
        assert found["direct_npv_build"] == pytest.approx(found["npv_build"], rel=1e-11)
        if mode == "owned":
            assert found["first_outlay"] == 60000 and np.ravel(found["purchases"])[3] == nodes[4] * 280000 * 1.15


def test_reserved_nodes_are_those_needed_long_enough():
    rng = np.random.default_rng(3)
    for _ in range(100):
        p = reference.random_case(rng, mode=str(rng.choice(["reserved1", "reserved3"])))
        needed, term = reference.nodes(p), 12 if p["mode"] == "reserved1" else 36
        ratio = (p["p_r1"] if term == 12 else p["p_r3"]) / p["p_od"]
        found = np.ravel(worked_out(reference.changes(p), ["reserved_nodes"])["reserved_nodes"])[: p["months"]]
        assert found.tolist() == reference.reserved(needed, term, ratio).tolist()


def test_highest_gpu_price_is_where_both_cost_the_same():
    for mode in ("on demand", "owned"):
        changes = {"start_volume": 250e6, "build_mode": mode}
        price = worked_out(changes, ["highest_gpu_price"])["highest_gpu_price"]
        assert worked_out(changes | {"build_mode": "on demand", "gpu_hour_price": float(price)}, ["build_advantage"])[
            "build_advantage"
        ] == pytest.approx(0, abs=1e-3)


def test_actuals_give_the_real_utilization():
    result = STUDY.evaluate(
        {"actual_volume": [2e9] + [None] * 83, "actual_nodes": [2.0] + [None] * 83, "actual_bill": [30000.0] + [None] * 83}
    )
    found = result.value("actual_utilization")
    assert found[0] == pytest.approx(2e9 / (2 * 5500 * 86400 * 365 / 12)) and all(x != x for x in found[1:])
    assert result.value("actual_unit_cost")[0] == pytest.approx(30000 / 2e9)


def test_the_hybrid_is_worked_out_without_a_commitment_and_says_so():
    committed = STUDY.evaluate({"start_volume": 180e6, "api_commit": 30000.0, "api_commit_discount": 0.2})
    plain = STUDY.evaluate({"start_volume": 180e6})
    assert committed.value("npv_hybrid") == plain.value("npv_hybrid") and committed.value("npv_api") < plain.value("npv_api")
    assert "$30,000/month" in committed.says("structure") and "20%" in committed.says("structure")
    assert "commitment" not in plain.says("structure")


def test_steps_of_the_hybrid_are_named():
    result = STUDY.evaluate({"start_volume": 60e6})
    assert result.value("trial_step") == 25e6 == result.value("trial_volume")[1] - result.value("trial_volume")[0]
    assert "25 Mtok/day" in result.says("steps")
