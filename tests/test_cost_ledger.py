"""Cost ledger: every worked value and flag, the decision, and the limits."""

import pytest
from golden_c import INPUTS, RESULTS, close

from sheetcalc.studies.cost_ledger import STUDY

GOLD = RESULTS["g"]
FLAGS = [
    "flag_gpu_price",
    "flag_headline_rate",
    "flag_drafted",
    "flag_headline_cost",
    "flag_verbose",
    "flag_ungated",
    "flag_small_sample",
    "flag_infrastructure",
]
COLUMNS = {
    "attempts": ("task_attempts", 1),
    "success": ("task_success", 1),
    "replicas": ("option_replicas", 1),
    "gpus": ("option_gpus", 1),
    "infra": ("option_infrastructure", 1),
    "failed_cost": ("option_failures", 1),
    "total": ("option_total", 1),
    "cost_per_success": ("success_cost", 1),
    "wilson": ("quality_bound", 1),
    "ni_lower": ("quality_gap_bound", 1),
    "headline_per_M": ("option_headline_cost", 1e6),
    "slo_per_M": ("option_slo_cost", 1e6),
    "idle_share": ("option_idle", 1),
    "pass_": ("passes_all", 1),
    "pareto": ("efficient", 1),
}
GATES = {"quality": "passes_quality", "noninferior": "passes_gap", "ttft": "passes_ttft", "tpot": "passes_tpot", "err": "passes_errors"}


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


def test_the_inputs_are_those_of_the_worked_example(result):
    names = {
        "gpu_h": ("option_gpu_price", 1),
        "gpus": ("option_replica_gpus", 1),
        "headline": ("option_headline_rate", 1),
        "slo": ("option_slo_rate", 1),
        "accept": ("option_accepted_share", 1),
        "tok": ("option_task_tokens", 1),
        "q": ("option_pass_rate", 1),
        "n": ("option_sample", 1),
        "ttft": ("option_ttft", 1000),
        "tpot": ("option_tpot", 1000),
        "err": ("option_error_rate", 1),
        "egress": ("option_egress", 1),
        "staff": ("option_staff", 1),
        "lic": ("option_license", 1),
        "oneoff": ("option_one_off", 1),
    }
    for key, (name, factor) in names.items():
        assert close([v * factor for v in result.value(name)], [row[key] for row in INPUTS["G_ROWS"]]), key


@pytest.mark.parametrize("key", COLUMNS)
def test_every_row(result, key):
    name, factor = COLUMNS[key]
    assert close([v * factor for v in result.value(name)], [float(row[key]) for row in GOLD["rows"]])


def test_gates_and_flags(result):
    for key, name in GATES.items():
        assert result.value(name) == [float(row["gates"][key]) for row in GOLD["rows"]], key
    for i, name in enumerate(FLAGS, 1):
        assert result.value(name) == [float(any(f.startswith(f"M{i} ") for f in row["flags"])) for row in GOLD["rows"]], name


def test_the_decision(result):
    assert result.value("chosen_name") == GOLD["chosen"] and result.value("naive_name") == GOLD["naive_pick"]
    assert close(result.value("rollout_saving"), GOLD["saving_month"])
    assert close(result.value("rollout_payback"), GOLD["payback_months"])
    assert result.value("canary_size") == GOLD["canary_n_per_arm"]
    assert close(result.value("canary_time"), GOLD["canary_days_at_5pct"])


def test_typed_from_the_specification(result):
    """Baseline .0037098 (10), affinity .0030634 (7) chosen, smaller model .0028494 with Wilson .878;
    $19,316.67 a month, 1.168 months, 6,977 an arm."""
    assert result.value("baseline_success_cost") == pytest.approx(0.0037098, abs=5e-8)
    assert result.value("chosen_success_cost") == pytest.approx(0.0030634, abs=5e-8)
    assert result.value("naive_success_cost") == pytest.approx(0.0028494, abs=5e-8)
    assert result.value("naive_quality") == pytest.approx(0.878, abs=5e-4)
    assert result.value("rollout_saving") == pytest.approx(19_316.67, abs=0.005)
    assert result.value("rollout_payback") == pytest.approx(1.168, abs=5e-4)
    assert result.value("canary_size") == 6_977
    assert "Roll out Prefix affinity" in result.says("decision")


def test_nothing_passes_means_hold():
    hold = STUDY.evaluate({"quality_gate": 0.99})
    assert hold.status == "infeasible" and not hold.exists("chosen_option")
    assert hold.says("decision").startswith("Hold")


def test_the_baseline_stays_when_nothing_saves():
    alone = STUDY.evaluate({"option_slo_rate": [9000.0, 720.0, 1490.0, 1350.0, 2300.0, 2660.0, 2500.0]})
    assert alone.value("chosen_name") == "H100 baseline" and not alone.exists("rollout_payback")
    assert "Stay with" in alone.says("decision")


def test_any_number_of_options():
    two = {name: STUDY.model.inputs[name].value[:2] for name in STUDY.grids[0].typed} | {"option": [1.0, 2.0], "rival": [1.0, 2.0]}
    pair = STUDY.evaluate(two)
    assert pair.value("passing_options") == 2 and len(pair.value("success_cost")) == 2


def test_retries_only_help_while_failures_are_independent(result):
    assert STUDY.evaluate({"retries": 3.0}).value("task_success")[0] > result.value("task_success")[0]
    assert any("independent" in words for words in STUDY.story.not_counted)


def test_a_pass_rate_of_one_has_no_failures():
    sure = STUDY.evaluate({"option_pass_rate": [1.0] * 7, "option_error_rate": [0.0] * 7})
    assert sure.value("task_attempts") == [1.0] * 7 and sure.value("option_failures") == [0.0] * 7
