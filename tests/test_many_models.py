"""Many models: every worked value, the tiers, the pooled wait, and the limits."""

import math
from itertools import product

import pytest
from golden_c import RESULTS, close

from sheetcalc.quantities.model_charges import _waiting
from sheetcalc.quantities.model_tiers import weight_replicas
from sheetcalc.special import poisson_at_most, poisson_exactly
from sheetcalc.studies.many_models import STUDY

GOLD = RESULTS["e"]
TIERS = {"A dedicated": "own fleet", "B1 multi-LoRA": "shared base", "B2 shared weights": "shared memory", "C serverless/API": "API"}
WAITS = {"pwait_top_before": "busiest_wait", "pwait_top_after": "busiest_wait_after", "pwait_B1": "adapter_wait", "pwait_B2": "weight_wait"}


VALUES = [
    ("separate_fleet", "fleet_before"),
    ("separate_use", "utilisation_before"),
    ("separate_idle", "idle_before"),
    ("models_per_replica", "models_per_replica"),
    ("own_replicas", "replicas_A"),
    ("adapter_replicas", "replicas_B1"),
    ("weight_replicas", "replicas_B2"),
    ("tiered_fleet", "fleet_after"),
    ("tiered_gpus", "fleet_after"),
    ("replicas_saved", "gpus_saved"),
    ("tiered_use", "utilisation_after"),
    ("tier_api_cost", "api_month"),
    ("sharing_saving", "saving_month"),
    ("own_fleet_threshold", "dedicate_threshold_work"),
    ("tail_separate", "replicas_tail_separate_for_pwait"),
    ("tail_pooled", "replicas_tail_pooled_for_pwait"),
]


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("name,key", VALUES)
def test_worked_values(result, name, key):
    assert close(result.value(name), GOLD[key])


def test_break_even_volume(result):
    assert close(result.value("own_fleet_breakeven") / 1e6, GOLD["breakeven_dedicated_vs_api_Mtok_day"])


@pytest.mark.parametrize("key", WAITS)
def test_chance_to_wait(result, key):
    assert close(result.value(WAITS[key]), GOLD[key], rel=1e-6)


def test_every_row(result):
    columns = {
        "work": ("model_work", 1),
        "dedicated": ("dedicated_replicas", 1),
        "util_of_plan": ("model_use", 1),
        "tok_M_month": ("model_month_tokens", 1e-6),
        "api_month": ("model_api_cost", 1),
        "shared_month": ("model_shared_cost", 1),
        "dedicated_month": ("model_dedicated_cost", 1),
    }
    for key, (name, factor) in columns.items():
        assert close([v * factor for v in result.value(name)], [row[key] for row in GOLD["rows"]]), key
    assert result.value("model_tier") == [TIERS[row["tier"]] for row in GOLD["rows"]]


def test_typed_from_the_specification(result):
    """40 replicas, 91.25% idle, 11 after, $52,486.07 a month, $438.93 API, 200 M tok/day, tail 17 against 3."""
    assert result.value("separate_fleet") == 40 and result.value("separate_idle") == pytest.approx(0.9125)
    assert result.value("tiered_fleet") == 11
    assert result.value("sharing_saving") == pytest.approx(52_486.07, abs=0.005)
    assert result.value("tier_api_cost") == pytest.approx(438.93, abs=0.005)
    assert (result.value("tail_separate"), result.value("tail_pooled")) == (17, 3)
    assert [result.value(n) for n in ("own_models", "adapter_models", "weight_models", "api_models")] == [3, 12, 4, 1]


def test_savings_by_tier_add_up_to_the_whole(result):
    parts = sum(result.value(n) for n in ("adapter_saving", "weight_saving", "api_saving"))
    assert close(parts, result.value("sharing_saving"))
    assert "add up to the whole" in result.says("parts")


def test_erlang_c_against_the_sum():
    """Erlang C from its definition: a^c/c! · c/(c − a) over the sum of the states."""
    for slots, load in [(1, 0.5), (2, 1.3), (24, 20.0), (48, 26.3)]:
        last = load**slots / math.factorial(slots) * slots / (slots - load)
        direct = last / (sum(load**k / math.factorial(k) for k in range(slots)) + last)
        assert _waiting(slots, load, poisson_at_most(slots, load), poisson_exactly(slots, load)) == pytest.approx(direct, rel=1e-9)


def test_an_overloaded_pool_always_waits():
    assert _waiting(2, 2, poisson_at_most(2, 2), poisson_exactly(2, 2)) == 1
    assert _waiting(2, 5, poisson_at_most(2, 5), poisson_exactly(2, 5)) == 1


def test_weights_that_do_not_fit_are_said():
    big = STUDY.evaluate({"model_weights": 60e9})
    assert big.status == "infeasible" and "do not fit" in big.problems[0]
    assert not big.exists("tiered_fleet")


def test_busy_models_keep_their_fleets():
    busy = STUDY.evaluate({"all_models_work": 400.0})
    assert busy.value("own_models") == 20 and busy.value("sharing_saving") == 0
    assert "Leave each model" in busy.says("decision")


def test_an_empty_tier_takes_no_replicas():
    none = STUDY.evaluate({"model_has_adapter": [0.0] * 20})
    assert none.value("adapter_replicas") == 0 and not none.exists("adapter_wait")


def test_typed_work_replaces_the_split(result):
    typed = STUDY.evaluate({"own_model_work": [2.0] + [None] * 19})
    assert typed.value("model_work")[0] == 2.0
    assert typed.value("model_work")[1:] == result.value("model_work")[1:]


def test_copies_in_shared_memory_against_exhaustive_search():
    """Fewest replicas for `copies` of each model on different replicas, `places` models a replica: placed where most room is left."""
    for count, copies, places in product(range(1, 7), range(1, 4), range(1, 4)):

        def fits(replicas, count=count, copies=copies, places=places):
            room = [places] * replicas
            for _ in range(count):
                chosen = sorted(range(replicas), key=lambda r: -room[r])[:copies]
                if len(chosen) < copies or any(room[r] == 0 for r in chosen):
                    return False
                for r in chosen:
                    room[r] -= 1
            return True

        brute = next(r for r in range(1, 40) if fits(r))
        assert weight_replicas(True, count, copies, 0.01, 0.55, places) == brute, (count, copies, places)
