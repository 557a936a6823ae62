"""Thresholds are where both options cost the same: linear ones exactly, scanned ones by bisection on the plain reference, start volumes
piece by piece."""

import finance_reference as reference
import numpy as np
import pytest
from finance_reference import LINEAR

from sheetcalc import thresholds
from sheetcalc.run import run
from sheetcalc.studies.finance import STUDY
from sheetcalc.studies.finance_inputs import SCAN_RANGES

SYMBOL = {name: symbol for symbol, (name, _) in reference.NAMES.items()}


def advantage(p, symbol, x):
    return reference.advantage(p | {symbol: x})


def bisected(f, low, high):
    """The root or jump between two values of different sign."""
    start = f(low) > 0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) > 0) == start else (low, middle)
    return high


def test_linear_thresholds_bring_the_advantage_to_zero():
    rng = np.random.default_rng(4)
    names = [f"threshold_{name}" for name in LINEAR.values()] + [f"decides_{name}" for name in LINEAR.values()]
    steps, seen = STUDY.model.upstream(names), 0
    for _ in range(25):
        p = reference.random_case(rng)
        found = run(STUDY.model, reference.changes(p), steps)
        for symbol, name in LINEAR.items():
            x = found[f"threshold_{name}"] / reference.NAMES[symbol][1]
            if x == x and abs(x) < 1e6 * max(1, abs(p[symbol])):
                assert advantage(p, symbol, float(x)) == pytest.approx(0, abs=1e-7 * (reference.npv_api(p) + reference.npv_build(p))), (
                    symbol,
                    p,
                )
                inside = 0 <= x <= 1 if symbol in ("cache_share", "batch_share") else x >= 0
                assert found[f"decides_{name}"] == inside
                seen += 1
            elif x != x:
                assert advantage(p, symbol, p[symbol] * 1.1 + 0.01) == pytest.approx(advantage(p, symbol, p[symbol]), abs=1e-6), symbol
    assert seen > 200


def test_scanned_thresholds_agree_with_bisection():
    rng, seen = np.random.default_rng(5), 0
    for start in (130.0, 160.0, 180.0, 260.0, 420.0):  # around the crossing of the worked case, where inputs turn the answer
        p = reference.DEFAULT | {"V0": start, "mode": str(rng.choice(list(reference.MODES)))}
        result = STUDY.evaluate(reference.changes(p))
        for name, (low, high) in (SCAN_RANGES | {"reserved_price_three_years": (0.5, 3.0)}).items():
            symbol, points = SYMBOL[name], np.linspace(low, high, 101)
            worth = [advantage(p, symbol, float(x)) for x in points]
            turns = [i for i in range(100) if (worth[i] > 0) != (worth[i + 1] > 0)]
            exact = thresholds.crossings(result, name, low, high)
            for x, i in zip(exact, turns, strict=True):  # a step may hold three crossings: any of them is one
                assert points[i] <= x <= points[i + 1], name
                assert (advantage(p, symbol, x * (1 - 1e-9)) > 0) != (advantage(p, symbol, x * (1 + 1e-9)) > 0), name
            shown = [result.value(f"{which}_threshold_{name}") for which in ("first", "last")]
            if not turns:
                assert all(x != x for x in shown)
                continue
            step = (high - low) / 100
            for x, i in zip(shown, (turns[0], turns[-1]), strict=False):
                assert x == pytest.approx(points[i] - worth[i] * step / (worth[i + 1] - worth[i]), rel=1e-9, abs=1e-12)
            seen += len(turns)
    assert seen >= 8, seen


def test_start_volumes_agree_with_a_scan_of_the_plain_reference():
    rng, seen = np.random.default_rng(6), 0
    for _ in range(10):
        price = 10 ** float(rng.uniform(0.5, 1.3))  # dear enough that nodes pay within reach in most cases
        p = reference.random_case(rng, months=int(rng.integers(6, 30)), V0=float(rng.uniform(20, 150)), p_out=price)
        result, reach = STUDY.evaluate(reference.changes(p)), p["V0"] * 6
        found = [x / 1e6 for x in thresholds.start_volumes(result, reach * 1e6)]
        points = np.linspace(reach / 2000, reach, 2000)
        worth = np.array([advantage(p, "V0", float(v)) for v in points])
        steps = [i + 1 for i in np.flatnonzero((worth[1:] > 0) != (worth[:-1] > 0))]
        behind = [int(np.searchsorted(points, v * (1 + 1e-10))) for v in found if v > points[0]]
        odd = [i for i, n in zip(*np.unique(behind, return_counts=True), strict=False) if n % 2]
        assert odd == pytest.approx(steps, abs=1), (p, found)
        seen += len(steps)
    assert seen >= 8, seen


def test_the_last_start_volume_of_the_workbook_is_the_exact_one():
    rng, seen, missed = np.random.default_rng(7), 0, 0
    steps = STUDY.model.upstream(["start_crossing"])
    for _ in range(80):
        price = 10 ** float(rng.uniform(0.5, 1.3))
        p = reference.random_case(rng, V0=10 ** float(rng.uniform(0.5, 2.3)), reach=float(rng.uniform(2, 6)), p_out=price)
        result = STUDY.evaluate(reference.changes(p))
        shown = run(STUDY.model, result._cells.changes, steps)["start_crossing"]
        exact = thresholds.start_volumes(result, p["V0"] * p["reach"] * 1e6)
        worth = thresholds.values(result, "start_volume", "direct_advantage", np.array([p["V0"] * p["reach"] * 1e6] * 2))[0]
        if shown != shown:
            assert worth <= 0  # building does not win at the end of the reach
            continue
        seen += 1
        if not exact:
            assert shown <= 0  # it wins from the first token on
        elif shown != pytest.approx(exact[-1], rel=1e-9):
            missed += 1  # a window narrower than a step of the table
            step = p["V0"] * p["reach"] * 1e6 / 1000
            assert len(exact) > 1 and exact[-1] - exact[-2] < step, (p, shown, exact)
    assert seen > 8 and missed <= 1, (seen, missed)


def test_the_hybrid_clears_where_a_bisection_says_so():
    rng, seen = np.random.default_rng(8), 0
    steps = STUDY.model.upstream(["hybrid_start"])
    for _ in range(40):
        p = reference.random_case(rng, months=int(rng.integers(6, 25)))

        def gap(volume, p=p):
            q = p | {"V0": float(volume)}
            return reference.npv_hybrid(q) - (1 - p["mat"]) * reference.npv_api(q)

        points = p["V0"] * p["reach"] * np.arange(0, 25) / 24
        clears = next((i for i in range(1, 25) if gap(points[i]) <= 0), None)
        shown = run(STUDY.model, reference.changes(p), steps)["hybrid_start"] / 1e6
        if clears is None:
            assert shown != shown
            continue
        low = max(points[clears - 1], points[clears] * 1e-9)
        if gap(low) <= 0:
            continue  # it clears from the first token on
        exact = bisected(lambda v: -gap(v), low, points[clears])
        assert shown == pytest.approx(exact, rel=1e-9), p
        seen += 1
    assert seen > 10


def test_json_carries_the_exact_thresholds(capsys):
    import json

    from sheetcalc.__main__ import main

    main(["evaluate", "--study", "finance", "--set", "start_volume=180"])
    found = json.loads(capsys.readouterr().out)["scenarios"][0]["outputs"]
    golden = reference.RESULTS["i_V0_180"]["thresholds"]
    for symbol, name in (
        ("g", "growth"),
        ("api_decline", "api_price_decline"),
        ("T", "node_rate"),
        ("rho", "utilization_cap"),
        ("pf", "peak_factor"),
        ("r", "discount_rate"),
        ("p_r3", "reserved_price_three_years"),
    ):
        assert found[f"threshold_{name}_exact"]["value"] == pytest.approx([r["x"] for r in golden[symbol]["roots"]], rel=1e-9)
