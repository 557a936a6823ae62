"""Chat plus batch: every worked value and hour, the crossing, and the limits."""

import pytest
from golden_c import RESULTS, close

from sheetcalc.studies.chat_plus_batch import STUDY

GOLD = RESULTS["c"]
SCALARS = [
    ("carrying_replicas", "replicas", 1),
    ("total_demand", "work_peak", 1),
    ("unneeded_share", "idle_share_need", 1),
    ("physical_idle", "idle_share_physical", 1),
    ("idle_replica_hours", "idle_replica_hours", 1),
    ("released_hours", "released_replica_hours", 1),
    ("switches", "flips", 1),
    ("batch_hours", "net_replica_hours", 1),
    ("filler_sequences", "batch_n", 1),
    ("filler_memory_time", "batch_t_mem_ms", 1e3),
    ("filler_rate", "batch_tok_s", 1),
    ("filler_compute_limit", "batch_flops_limit_tok_s", 1),
    ("filler_compute_share", "flop_fraction", 1),
    ("filler_equal_output", "O_star", 1),
    ("filler_capacity", "segregated_Mtok_day", 1e-6),
    ("mixed_capacity", "mixed_Mtok_day", 1e-6),
    ("mixed_highest_use", "max_flop_util", 1),
    ("filler_served", "served_Mtok", 1e-6),
    ("extra_replicas", "extra_replicas", 1),
    ("avoided_replicas", "dedicated_replicas_avoided", 1),
    ("filler_revenue", "batch_value_day", 1),
    ("breakeven_batch_price", "breakeven_batch_price", 1e6),
    ("release_saving", "release_value_day", 1),
    ("chat_only_cost", "chat_only_cost_per_M", 1e6),
    ("blended_cost", "blended_cost_per_M", 1e6),
]
HOURS = {
    "need": ("hour_need", 1),
    "keep": ("kept_replicas", 1),
    "released": ("released_replicas", 1),
    "nb_kv": ("mixed_by_memory", 1),
    "nb_tpot": ("mixed_by_tpot", 1),
    "nb": ("mixed_sequences", 1),
    "batch_tok_s_per_replica": ("mixed_rate", 1),
    "chat_tpot_ms": ("mixed_tpot", 1e3),
    "flop_util": ("mixed_compute_use", 1),
}


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("name,key,factor", SCALARS)
def test_worked_values(result, name, key, factor):
    assert close(result.value(name) * factor, GOLD[key])


def test_elasticities(result):
    for name, key in [("compute_elasticity", "flops"), ("bandwidth_elasticity", "bandwidth"), ("room_elasticity", "kv_room")]:
        assert close(result.value(name), GOLD["elasticity"][key])


@pytest.mark.parametrize("key", HOURS)
def test_every_hour(result, key):
    name, factor = HOURS[key]
    assert close([v * factor for v in result.value(name)], [row[key] for row in GOLD["hours"]])


def test_what_binds_each_hour(result):
    assert result.value("mixed_binding") == [row["bind"] for row in GOLD["hours"]]
    assert (result.value("hours_bound_by_kv"), result.value("hours_bound_by_tpot"), result.value("hours_bound_by_limit")) == (16, 8, 0)


def test_typed_from_the_specification(result):
    """R 34; 54.7% and 70.5% idle; 358 released, 356.5 net; 9,420.467 tok/s; O* 624.94;
    $.29487; $3.4188 to $1.2776; $4,000 against $3,580."""
    assert result.value("carrying_replicas") == 34
    assert result.value("unneeded_share") == pytest.approx(0.5467427649, abs=5e-11)
    assert result.value("batch_hours") == 356.5
    assert result.value("filler_rate") == pytest.approx(9_420.467, abs=5e-4)
    assert result.value("filler_equal_output") == pytest.approx(624.94, abs=0.005)
    assert result.value("breakeven_batch_price") * 1e6 == pytest.approx(0.29487, abs=5e-6)
    assert result.value("blended_cost") * 1e6 == pytest.approx(1.2776, abs=5e-5)
    assert (result.value("filler_revenue"), result.value("release_saving")) == (pytest.approx(4_000), pytest.approx(3_580))


def test_elasticities_against_a_nudge(result):
    """One part in a thousand more of each, in its own place."""
    rate = result.value("filler_rate")
    more = STUDY.evaluate({"mbu": 0.75 * 1.001}).value("filler_rate")
    assert (more / rate - 1) * 1000 == pytest.approx(result.value("bandwidth_elasticity"), rel=2e-3)
    more = STUDY.evaluate({"mfu": 0.50 * 1.001}).value("filler_rate")
    assert (more / rate - 1) * 1000 == pytest.approx(result.value("compute_elasticity"), rel=2e-3)


def test_short_output_is_bound_by_compute():
    """The calculator is free to answer compute: 4,000 in and 300 out, and 500 in and 500 out at the arithmetic ceiling."""
    long_prompt = STUDY.evaluate({"batch_prompt_tokens": 4000.0, "batch_output_tokens": 300.0})
    assert long_prompt.value("filler_binding") == "compute"
    assert long_prompt.value("compute_elasticity") == pytest.approx(0.72, abs=0.005)
    short = STUDY.evaluate({"batch_prompt_tokens": 500.0, "batch_output_tokens": 500.0})
    assert short.value("compute_binds") == 1 and short.value("filler_compute_share") == pytest.approx(1)
    assert "arithmetic binds" in short.says("binds")


def test_the_crossing_is_where_the_halves_meet():
    star = STUDY.evaluate().value("filler_equal_output")
    r = STUDY.evaluate({"batch_output_tokens": star, "max_batch": 1e6})
    assert r.value("compute_elasticity") == pytest.approx(0.5, abs=0.002)


def test_a_tight_margin_binds_tpot_all_day():
    tight = STUDY.evaluate({"tpot_margin": 0.8})
    assert tight.value("hours_bound_by_tpot") == 24


def test_more_batch_than_idle_hours_needs_replicas():
    much = STUDY.evaluate({"batch_demand": 20_000e6})
    assert much.value("idle_hours_suffice") == 0 and much.value("extra_replicas") == 10
    assert "have to be added" in much.says("meet")


def test_cheap_batch_is_not_worth_the_hours():
    cheap = STUDY.evaluate({"batch_price": 0.2e-6})
    assert cheap.value("filler_pays") == 0 and cheap.says("decision").startswith("Release")
    assert cheap.value("idle_value") == cheap.value("release_saving")


def test_a_flat_day_leaves_nothing():
    flat = STUDY.evaluate({"day_curve": [1.0] * 24})
    assert flat.value("batch_hours") == 0 and flat.value("something_is_left") == 0


def test_the_curve_may_be_counts(result):
    counts = STUDY.evaluate({"day_curve": [v * 1234 for v in STUDY.model.inputs["day_curve"].value]})
    assert counts.value("filler_capacity") == pytest.approx(result.value("filler_capacity"), rel=1e-12)


def test_one_of_the_two_is_booked(result):
    assert "never both" in result.says("once")
    assert result.value("idle_value") == max(result.value("filler_revenue"), result.value("release_saving"))


def test_no_batch_sequence_fits():
    assert "not one batch sequence fits" in " ".join(STUDY.evaluate({"batch_prompt_tokens": 2e6}).problems)
