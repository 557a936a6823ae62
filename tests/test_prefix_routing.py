"""Prefix routing: every worked value, the closed sum, the spill rule against the comparison it stands for, and the limits."""

import random

import pytest
from golden_c import RESULTS, close

from sheetcalc.quantities.prefix_homes import _mass
from sheetcalc.studies.prefix_routing import STUDY

GOLD = RESULTS["b"]


VALUES = [
    ("step_time", "t_step_ms", 1e3),
    ("prefix_slots", "prefix_slots_per_replica", 1),
    ("affinity_hit_share", "h_affinity", 1),
    ("total_demand", "work_no_cache", 1),
    ("prefill_demand", "prefill_work", 1),
    ("decode_demand", "decode_work", 1),
    ("carrying_replicas", "replicas_no_cache", 1),
    ("random_fleet", "replicas_random", 1),
    ("affinity_fleet", "replicas_affinity", 1),
    ("settled_fleet", "replicas_affinity_after_spill", 1),
    ("affinity_ratio", "ratio_affinity_to_random", 1),
    ("spill_tokens", "spill_threshold_tokens", 1),
    ("spill_gpu_time", "spill_threshold_gpu_ms", 1e3),
    ("spill_wall_time", "spill_threshold_wall_ms", 1e3),
    ("hit_work", "work_hit_ms", 1e3),
    ("home_share", "p_star", 1),
    ("hot_load", "hot_load", 1),
    ("hot_homes", "hot_homes", 1),
    ("first_spill", "ms_until_first_spill", 1e3),
    ("hot_spilled", "steady_spill_fraction_single_home", 1),
    ("everyday_spill", "p_wait_exceeds_threshold", 1),
    ("settled_hit_share", "h_effective", 1),
    ("worst_fleet", "replicas_if_spills_always_miss", 1),
    ("isolated_fleet", "replicas_hot_isolated", 1),
    ("hot_copies", "hot_copies_gb", 1e-9),
    ("router_saving", "monthly_saving", 1),
]


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("name,key,factor", VALUES)
def test_worked_values(result, name, key, factor):
    assert close(result.value(name) * factor, GOLD[key])


def test_random_hit_share_within_the_error_of_the_closed_sum(result):
    assert result.value("random_hit_share") == pytest.approx(GOLD["h_random"], rel=1e-6)


def test_typed_from_the_specification(result):
    """K 281; replicas 41, 38, 19, 20, 24; 71.29864 ms GPU, 128.70731 ms on the clock; p* 5.3988%; 5 homes; $131,400 a month."""
    assert result.value("prefix_slots") == 281
    assert [result.value(n) for n in ("carrying_replicas", "random_fleet", "affinity_fleet", "settled_fleet", "worst_fleet")] == [
        41,
        38,
        19,
        20,
        24,
    ]
    assert result.value("spill_gpu_time") == pytest.approx(0.07129864, abs=5e-9)
    assert result.value("spill_wall_time") == pytest.approx(0.12870731, abs=5e-9)
    assert result.value("home_share") == pytest.approx(0.053988, abs=5e-7)
    assert result.value("hot_homes") == 5
    assert result.value("router_saving") == pytest.approx(131_400)
    assert "$131,400" in result.says("claim")


@pytest.mark.parametrize("zipf", [0.0, 0.3, 0.7, 1.0, 1.3, 2.0])
@pytest.mark.parametrize("n", [10, 37, 281, 4000])
def test_closed_sum_against_the_sum(zipf, n):
    head = sum(k**-zipf for k in range(1, 10))
    exact = sum(k**-zipf for k in range(1, n + 1))
    assert _mass(n, head, zipf, 1 if zipf == 1 else 1 - zipf, 10, 12) == pytest.approx(exact, abs=9e-7)


def test_spill_rule_is_the_comparison_it_stands_for(result):
    """Home if its wait and the rest of the prompt take no longer than the other's wait and the whole prompt: 1,000 random cases."""
    rng, threshold, t = random.Random(7), result.value("spill_gpu_time"), result.value("prefill_time")
    for _ in range(1000):
        home, other = rng.uniform(0, 0.4), rng.uniform(0, 0.4)
        assert (home + 500 * t <= other + 2500 * t) == (home - other <= threshold)


def test_affinity_fleet_is_the_smallest_that_holds(result):
    need = result.value("tried_need")
    fleet = int(result.value("affinity_fleet"))
    assert need[fleet - 1] <= fleet and all(n > i for i, n in enumerate(need[: fleet - 1], 1))


def test_steep_popularity_breaks_the_claim():
    steep = STUDY.evaluate({"prefix_zipf": 2.0})
    assert steep.value("random_hit_share") > 0.99
    assert steep.value("affinity_saves") == 0 and "Do not build the router" in steep.says("decision")


def test_everything_fits_everywhere():
    few = STUDY.evaluate({"prefixes": 100.0})
    assert few.value("random_hit_share") == pytest.approx(1) and few.value("router_saving") <= 0


def test_no_prefix_fits():
    full = STUDY.evaluate(
        {
            "shared_prefix_tokens": 2400.0,
            "prompt_tokens": 2500.0,
            "batch": 240.0,
            "bytes_per_kv": 2.0,
            "output_tokens": 300.0,
            "memory_reserve": 4e9,
            "hbm": 60e9,
        }
    )
    assert full.status == "infeasible"


def test_a_small_customer_never_overflows():
    small = STUDY.evaluate({"hot_share": 0.05})
    assert small.value("hot_homes") == 1 and not small.exists("first_spill")
    assert "fits one home" in small.says("hot") and "nothing is ever spilled" in small.absent("first_spill")


def test_saving_is_counted_once(result):
    assert "count it once" in result.says("once")


def test_a_fleet_beyond_the_table_does_not_come_out():
    huge = STUDY.evaluate({"request_rate": 20_000.0})
    assert not huge.exists("affinity_fleet") and "plan several fleets" in huge.absent("affinity_fleet")


def test_a_real_cache_hits_less_than_the_bound(result):
    """Least recently used over 281 places: .083 in the specification's simulation, against .154 for the perfect cache."""
    rng, count, slots = random.Random(5), 4000, int(result.value("prefix_slots"))
    weights = [k**-0.3 for k in range(1, count + 1)]
    cache, hits, asked = dict.fromkeys(range(slots)), 0, rng.choices(range(count), weights, k=60_000)
    for i, prefix in enumerate(asked):
        hit = prefix in cache
        hits += hit and i >= 10_000
        cache.pop(prefix) if hit else cache.pop(next(iter(cache)))
        cache[prefix] = None
    assert hits / 50_000 == pytest.approx(0.083, abs=0.005)
    assert hits / 50_000 < result.value("random_hit_share")


def test_a_prompt_that_is_all_prefix_never_waits():
    """Everything is cached at home: one token is worked out, and nothing is spilled."""
    whole = STUDY.evaluate({"prompt_tokens": 2000.0})
    assert whole.status == "ok" and whole.value("everyday_spill") == pytest.approx(0, abs=1e-9)
