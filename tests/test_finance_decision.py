"""The decision on 1,000 random cases against the rules of calculators C, i.6, evaluated directly."""

import math

import finance_reference as reference
import numpy as np
import pytest

from sheetcalc.many import chunks
from sheetcalc.studies.finance import STUDY

CASES, DRAWS, HORIZON = 1000, 15, 18  # short horizon and few draws: rules are what is tried here
KEEP = [
    "decision",
    "rule_override",
    "rule_build",
    "rule_hybrid",
    "rule_revisit",
    "rule_buy",
    "npv_api",
    "npv_build",
    "npv_hybrid",
    "build_probability",
    "turns_ahead",
    "nearest_turn",
    "revisit_at",
    "mandate_premium",
    "start_crossing",
    "hybrid_start",
]


@pytest.fixture(scope="module")
def cases():
    rng = np.random.default_rng(19)
    return [
        reference.random_case(
            rng,
            months=int(rng.integers(6, HORIZON + 1)),
            V0=10 ** float(rng.uniform(1.0, 2.9)),
            p_out=10 ** float(rng.uniform(0.2, 1.6)),
            fte=float(rng.uniform(0, 2)),
            allow_hybrid=bool(rng.random() < 0.5),
            hyb_fixed=float(rng.choice([5000.0, 60000.0])),
            p_win=float(rng.uniform(0.2, 0.7)),
        )
        for _ in range(CASES)
    ]


@pytest.fixture(scope="module")
def decided(cases):
    rows = [reference.changes(p) for p in cases]
    axes = {
        "month": [float(m) for m in range(1, HORIZON + 1)],
        "draw": [float(i) for i in range(1, DRAWS + 1)],
        "draws": float(DRAWS),
        **{f"actual_{n}": [None] * HORIZON for n in ("volume", "nodes", "bill")},
    }
    columns = {n: [row[n] for row in rows] for n in rows[0]}
    parts = [found for _, found in shortened(columns, axes)]
    return {n: np.concatenate([part[n] for part in parts]) for n in KEEP}


def shortened(columns, axes):
    """The study with shorter axes, 20 scenarios at a time."""
    inputs = STUDY.model.inputs
    before = {n: inputs[n] for n in axes}
    inputs |= {n: inputs[n]._replace(value=value) for n, value in axes.items()}
    try:
        yield from chunks(STUDY.model, columns, KEEP, 20)
    finally:
        inputs |= before


def directly(p, api, build, hybrid, probability, x):
    """The rules in their order, in words of the specification."""
    if p["residency"] or p["no_api_equiv"]:
        return "override", "build"
    allowed = p["allow_hybrid"]
    if (build <= hybrid or not allowed) and build <= (1 - p["mat"]) * api and probability >= p["p_win"]:
        return "build", "build"
    if allowed and hybrid < build and hybrid <= (1 - p["mat"]) * api:
        return "hybrid", "hybrid"
    if p["V0"] < x <= p["reach"] * p["V0"] * (1 + 1e-12):
        return "revisit", "api"
    return "buy", "api"


def test_values_are_those_of_the_plain_reference(cases, decided):
    for i, p in enumerate(cases):
        assert decided["npv_api"][i] == pytest.approx(reference.npv_api(p), rel=1e-9)
        assert decided["npv_build"][i] == pytest.approx(reference.npv_build(p), rel=1e-9)
        assert decided["npv_hybrid"][i] == pytest.approx(reference.npv_hybrid(p), rel=1e-9)
    for i in range(0, CASES, 10):
        wins = np.mean([reference.advantage(q) > 0 for q in reference.draw_cases(cases[i], DRAWS)])
        assert decided["build_probability"][i] == pytest.approx(wins, abs=1e-12)


def test_rules(cases, decided):
    counts = dict.fromkeys(("override", "build", "hybrid", "revisit", "buy"), 0)
    for i, p in enumerate(cases):
        at = {n: decided[n][i] for n in KEEP}
        thresholds = [at["start_crossing"] / 1e6] + ([at["hybrid_start"] / 1e6] if p["allow_hybrid"] else [])
        x = min((t for t in thresholds if t == t), default=math.inf)
        rule, choice = directly(p, at["npv_api"], at["npv_build"], at["npv_hybrid"], at["build_probability"], x)
        assert at["decision"] == choice and at[f"rule_{rule}"] == 1, (p, at)
        assert sum(at[f"rule_{n}"] for n in counts) == 1
        assert (at["revisit_at"] == pytest.approx(x * 1e6)) if rule == "revisit" else math.isnan(at["revisit_at"])
        premium = max(0.0, at["npv_build"] - at["npv_api"]) if rule == "override" else 0.0
        assert at["mandate_premium"] == pytest.approx(premium, rel=1e-9, abs=1e-9)
        counts[rule] += 1
    assert all(n >= 20 for n in counts.values()), counts


def test_the_volume_to_look_again_at_is_where_a_fresh_plan_turns(cases, decided):
    """At it the hybrid begins to clear, or building begins to cost less than the API for good; whichever comes first."""
    seen = {"hybrid": 0, "build": 0}
    for i, p in enumerate(cases):
        if decided["rule_revisit"][i] != 1:
            continue
        x = decided["revisit_at"][i] / 1e6
        below, above = (p | {"V0": x * way} for way in (1 - 1e-7, 1 + 1e-7))
        if decided["revisit_at"][i] == decided["start_crossing"][i]:
            assert reference.advantage(below) < 0 < reference.advantage(above), p
            seen["build"] += 1
        else:
            low, high = (reference.npv_hybrid(q) - (1 - p["mat"]) * reference.npv_api(q) for q in (below, above))
            assert p["allow_hybrid"] and low > 0 > high, p
            seen["hybrid"] += 1
    assert min(seen.values()) >= 30, seen
