"""Regions: every worked value, the closed form against exhaustive search, and the limits."""

import random
from itertools import product

import pytest
from golden_c import INPUTS, RESULTS, close

from sheetcalc.quantities import regional_alternatives as alternatives
from sheetcalc.quantities import regional_fleet as fleet
from sheetcalc.spare_search import best_placement, moved_work_distance, smallest_spare
from sheetcalc.studies.regions import STUDY

GOLD = RESULTS["d"]
NAMES = INPUTS["D_DEF"]["names"]


VALUES = [
    ("coincident_peak", "coincident_peak_work"),
    ("coincident_peak_hour", "peak_hour_utc"),
    ("sum_of_peaks", "sum_of_peaks_work"),
    ("must_remain", "T"),
    ("regional_fleet", "total"),
    ("binding_term", "binding"),
    ("regional_spare", "spare"),
    ("local_total", "baseline_N0"),
    ("mirrored_fleet", "mirrored"),
    ("fleet_if_peaks_meet", "total_if_peaks_coincide"),
    ("fleet_at_normal_cap", "total_if_failover_keeps_rho_n"),
    ("partner_fleet", "partner_total"),
    ("regional_gpus", "gpus"),
    ("insurance_per_year", "resilience_cost_year"),
    ("insurance_share", "resilience_pct"),
    ("lost_per_year_autoscaled", "expected_lost_requests_year_autoscale_ok"),
    ("lost_per_year", "expected_lost_requests_year_no_capacity"),
    ("breakeven_request_value", "breakeven_value_per_lost_request"),
    ("local_need", "local_need"),
    ("region_capacity", "capacity"),
    ("partner_capacity", "partner_capacity"),
]


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("name,key", VALUES)
def test_worked_values(result, name, key):
    value = result.value(name)
    assert value == GOLD[key] if isinstance(GOLD[key], (str, list)) else close(value, GOLD[key])


def test_worked_values_of_each_region(result):
    assert close(result.value("worst_shortfall"), [s["worst_shortfall"] for s in GOLD["n0_shortfalls"]])
    assert close(result.value("lost_while_starting"), [s["lost_requests_6min"] for s in GOLD["n0_shortfalls"]])
    assert result.value("neighbor_spare_need") == GOLD["adjacency"]["need_spare"]
    assert result.value("neighbor_fleet") == GOLD["adjacency"]["total"]
    assert result.value("neighbor_bound") == GOLD["adjacency"]["lower_bound"]
    near = result.value("near_between")
    assert [[i for i, flag in enumerate(row) if flag] for row in near] == GOLD["adjacency"]["neighbours"]
    risk = result.value("region_risk")
    assert [NAMES[i] for i in sorted(range(4), key=lambda i: -risk[i])] == GOLD["placement_order"]
    assert [NAMES[int(p) - 1] for p in result.value("region_partner")] == GOLD["partner"]


def test_typed_from_the_specification(result):
    """102 replicas (largest region), 11 spare in us-west, 963,600 $/yr, 33.366 $ a lost request, 23,185.3 requests, 111 under
    the distance limit."""
    assert result.value("regional_fleet") == 102 and result.value("binding_term") == "largest region"
    assert result.value("region_capacity") == [40, 33, 19, 10]
    assert result.value("insurance_per_year") == pytest.approx(963_600)
    assert result.value("breakeven_request_value") == pytest.approx(33.366, abs=5e-4)
    assert result.value("worst_lost_while_starting") == pytest.approx(23_185.3, abs=0.05)
    assert result.value("neighbor_fleet") == 111
    assert "$33.37" in result.says("claim")


def test_closed_form_equals_exhaustive_search():
    """The smallest ΣC with C ≥ P and ΣC − max C ≥ T, in 400 random cases of 2 to 4 regions."""
    rng = random.Random(20)
    for _ in range(400):
        needs = [rng.randint(0, 4) for _ in range(rng.randint(2, 4))]
        remain, n = rng.randint(1, 6), len(needs)
        top = max(needs) + remain
        brute = min(sum(c) for c in product(*(range(p, top + 1) for p in needs)) if sum(c) - max(c) >= remain)
        even = fleet.even_spread(True, n, remain)
        assert fleet.regional_fleet(sum(needs), remain, max(needs), even) == brute, (needs, remain)


def test_adjacency_search_equals_exhaustive_search():
    rng = random.Random(21)
    for _ in range(40):
        n = rng.randint(2, 4)
        near = [[r for r in range(n) if r != k and rng.random() < 0.7] or [(k + 1) % n] for k in range(n)]
        need = [rng.randint(0, 5) for _ in range(n)]
        brute = min(sum(s) for s in product(range(6), repeat=n) if all(sum(s[r] for r in near[k]) >= need[k] for k in range(n)))
        plan = smallest_spare(near, need)
        assert sum(plan) == brute
        assert all(sum(plan[r] for r in near[k]) >= need[k] for k in range(n))
    assert smallest_spare(GOLD["adjacency"]["neighbours"], GOLD["adjacency"]["need_spare"]) == [0, 20, 0, 0]


def test_placement_matches_the_exhaustive_optimum_of_the_worked_example(result):
    given = INPUTS["D_DEF"]
    work = result.value("region_work")
    best = best_placement(
        GOLD["local_need"], GOLD["spare"], [int(r) for r in result.value("spare_room")], work, given["fail"], given["rtt"], given["rho_f"]
    )
    assert best == GOLD["brute_best_capacity"] == result.value("region_capacity")
    assert close(moved_work_distance(best, work, given["fail"], given["rtt"], given["rho_f"]), GOLD["greedy_latency"])
    assert close(GOLD["brute_best_latency"], GOLD["greedy_latency"])


def test_partner_need_is_exact():
    """Held for a partner: nothing less than the need of the pair, and the own need where nobody leans on it."""
    assert alternatives.held_for_partner(2.0, 2.0, 55.0) == 55.0
    assert alternatives.held_for_partner(1.0, 2.0, 55.0) == 0


def test_every_loss_is_survived_after_placement(result):
    capacity = result.value("region_capacity")
    assert all(sum(capacity) - c >= result.value("must_remain") for c in capacity)


def test_one_region_cannot_survive():
    one = {
        "region": [1.0],
        "region_name": ["a"],
        "region_peak": [10.0],
        "utc_offset": [0.0],
        "failures_per_year": [0.1],
        "region_partner": [1.0],
        "spare_plan": [0.0],
        "other_region": [1.0],
        "pair": [1.0],
        "pair_round_trip": [0.0],
        "outage": [float(i) for i in range(1, 25)],
    }
    lone = STUDY.evaluate(one)
    assert lone.status == "infeasible" and "takes two" in lone.problems[0]
    assert not lone.exists("regional_fleet")


def test_a_region_without_neighbor_is_said():
    far = STUDY.evaluate({"max_round_trip": 0.070})
    assert far.value("lonely_regions") == 2
    assert any("no other region" in c["says"] for c in far.checks if c["ok"] is False)
    with pytest.raises(Exception, match="no neighbor"):
        smallest_spare([[1], [0], []], [3, 0, 2])


def test_a_spare_plan_that_is_too_small_is_said():
    short = STUDY.evaluate({"spare_plan": [0.0, 19.0, 0.0, 0.0]})
    assert short.value("losses_not_covered") == 1
    assert "uncovered" in short.says("others")


def test_time_zones_can_pay_for_the_spare():
    """Many equal regions with one short busy spell each: local peaks already survive any loss, and the insurance is free."""
    curve = [1.0] * 4 + [0.01] * 20
    spread = STUDY.evaluate({"day_curve": curve, "region_peak": [10.0, 10.0, 10.0, 10.0], "utc_offset": [0.0, 6.0, -6.0, 12.0]})
    assert spread.value("binding_term") == "local peaks" and spread.value("regional_spare") == 0
    assert spread.value("lost_per_year") == 0
    assert not spread.exists("breakeven_request_value")
    assert "Buy no spare" in spread.says("decision")


def test_shedding_lowers_what_must_remain(result):
    assert STUDY.evaluate({"shed_share": 0.2}).value("must_remain") < result.value("must_remain")


def test_ranges_are_refused_in_words():
    with pytest.raises(Exception, match="outside"):
        STUDY.evaluate({"failover_cap": 1.2})
