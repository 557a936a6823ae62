"""Offline batch: every worked value, each lever, the stack, the sign of speculation, and the limits."""

import numpy as np
import pytest
from golden_c import INPUTS, RESULTS, close

from sheetcalc.quantities import offline_levers
from sheetcalc.studies.offline_batch import LEVER_KINDS, LEVERS, STUDY

GOLD = RESULTS["a"]
ROWS = {
    "Prefix cache + sort by prefix (h .99)": 1,
    "Prefix cache, arrival order (h .60)": 2,
    "Spot price (half, 1 preemption per 20 h)": 3,
    "Trim prompt 20% (unique part)": 4,
    "Overlap prefill with decode (phi .5)": 5,
    "FP8 KV cache": 6,
    "Trim output 25%": 7,
    "FP4 weights on B200": 8,
    "TP=2 with MFU .55 (fewer all-reduces)": 9,
    "Speculation on (gamma 3)": 10,
    "Deadline 24h -> 72h": 11,
}
BASE = {
    "B": ("offline_batch", 1),
    "t_pf_us": ("prefill_time", 1e6),
    "t_step_ms": ("offline_step", 1e3),
    "prefill_s": ("prefill_request_time", 1),
    "decode_s": ("offline_decode", 1),
    "w_s": ("offline_request", 1),
    "prefill_share": ("offline_prefill_share", 1),
    "replica_hours": ("offline_replica_hours", 1),
    "replicas": ("offline_replicas", 1),
    "gpus": ("offline_gpus", 1),
    "finish_h": ("offline_finish", 1),
    "gpu_hours": ("offline_gpu_hours", 1),
    "cost": ("offline_cost", 1),
    "cost_per_1k": ("cost_per_thousand", 1),
    "prefill_cost": ("offline_prefill_cost", 1),
    "spec_E": ("expected_tokens", 1),
    "loss": ("preemption_loss", 1),
}


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("key", BASE)
def test_worked_values(result, key):
    name, factor = BASE[key]
    assert close(result.value(name) * factor, GOLD["baseline"][key])


@pytest.mark.parametrize("key", BASE)
def test_worked_values_with_chat_knobs(key):
    name, factor = BASE[key]
    chat = STUDY.evaluate({"max_batch": 64.0, "offline_utilization": 0.65})
    assert close(chat.value(name) * factor, GOLD["chat_knobs"][key])


def test_knobs(result):
    assert close(result.value("knob_saving")[1], GOLD["knob_util_saving"])
    assert close(result.value("knob_saving")[2], GOLD["knob_batch_saving"])
    assert close(result.value("chat_knob_excess"), GOLD["chat_vs_offline_saving"])
    assert result.value("knob_saving")[4] == pytest.approx(0)  # the deadline sets the fleet, not the bill


@pytest.mark.parametrize("row", GOLD["levers"], ids=lambda row: row["lever"])
def test_each_lever_alone(result, row):
    i = ROWS[row["lever"]] - 1
    columns = {
        "cost": "levers_offline_cost",
        "saved": "lever_saving",
        "saved_pct": "lever_saving_share",
        "B": "levers_offline_batch",
        "prefill_share": "levers_offline_prefill_share",
        "replicas": "levers_offline_replicas",
        "gpus": "levers_offline_gpus",
    }
    for key, name in columns.items():
        assert result.value(name)[i] == pytest.approx(row[key], rel=1e-9, abs=1e-9), key


def test_the_ranking(result):
    order = [ROWS[row["lever"]] for row in sorted(GOLD["levers"], key=lambda row: -row["saved"])]
    assert result.value("ranked_lever") == order
    assert close(result.value("ranked_saving"), sorted((row["saved"] for row in GOLD["levers"]), reverse=True))


def test_the_stack(result):
    """Each stacked bill in the order of the waterfall; levers that change what a better one changed are passed over."""
    stacked = [bill for bill, counts in zip(result.value("stacked_bill"), result.value("ranked_stacks"), strict=True) if counts]
    assert close([result.value("offline_cost"), *stacked], [bill for _, bill in GOLD["waterfall"]])
    assert close(result.value("stacked_cost"), GOLD["stacked"]["cost"])
    last = int(result.value("last_counting_place")) - 1
    assert result.value("stack_offline_batch")[last] == GOLD["stacked"]["B"]
    assert result.value("stack_offline_gpus")[last] == GOLD["stacked"]["gpus"]
    assert close(result.value("stack_offline_request")[last], GOLD["stacked"]["w_s"])


def test_speculation_is_decided_by_its_sign(result):
    assert close(result.value("serial_speculation_saving"), GOLD["spec_saving_if_serial"])
    assert close(result.value("hidden_speculation_saving"), GOLD["spec_saving_if_overlapped"])
    assert close(result.value("speculation_turning_overlap"), GOLD["spec_phi_star"])
    assert result.value("lever_stacks")[ROWS["Speculation on (gamma 3)"] - 1] == 0
    overlapped = STUDY.evaluate({"phase_overlap": 1.0})
    assert overlapped.value("speculation_saves") == 0
    assert overlapped.value("lever_saving")[9] == pytest.approx(GOLD["spec_saving_if_overlapped"], rel=1e-9)
    at_turn = STUDY.evaluate({"phase_overlap": GOLD["spec_phi_star"]})
    assert at_turn.value("lever_saving")[9] == pytest.approx(0, abs=1e-6)


def test_typed_from_the_specification(result):
    """B 156, $5,513.83, 23 replicas, 75.61913% prefill; chat knobs $8,766.36; stack $371.36; MFU left at 0.50 makes
    two GPUs cost $673.67 more."""
    assert result.value("offline_batch") == 156 and result.value("offline_replicas") == 23
    assert result.value("offline_cost") == pytest.approx(5_513.83, abs=0.005)
    assert result.value("offline_prefill_share") == pytest.approx(0.7561913, abs=5e-8)
    assert result.value("chat_knob_cost") == pytest.approx(8_766.36, abs=0.005)
    assert result.value("stacked_cost") == pytest.approx(371.36, abs=0.005)
    two = STUDY.evaluate({"gpus_per_replica": 2.0})
    assert result.value("offline_cost") - two.value("offline_cost") == pytest.approx(-673.67, abs=0.005)


def test_ratio_of_the_phases_in_closed_form():
    """Prefill over decode tends to (t_pf / κ) / O · S / (S + O/2) when the pool is full."""
    r = STUDY.evaluate({"max_batch": 1e6})
    limit = r.value("prefill_time") / r.value("context_decode_time") / 256 * 4000 / 4128
    assert close(limit, GOLD["limit_prefill_to_decode_ratio"])
    assert r.value("prefill_request_time") / r.value("offline_decode") == pytest.approx(limit, rel=0.01)


def test_the_deadline_sets_the_fleet_not_the_bill(result):
    slow = STUDY.evaluate({"deadline": 72.0})
    assert slow.value("offline_replicas") == 8 and slow.value("offline_cost") == result.value("offline_cost")


def test_spot_saves_its_closed_form(result):
    spot = STUDY.evaluate({"price_multiplier": 0.5, "preemption_rate": 0.05})
    assert result.value("offline_cost") - spot.value("offline_cost") == pytest.approx(
        result.value("offline_cost") * (1 - 0.5 * 1.0055), rel=1e-12
    )


def test_levers_that_share_an_input_are_of_one_kind():
    """Else a stack could change one input twice."""
    for values in LEVERS.values():
        assert len({LEVER_KINDS[i] for i, v in enumerate(values) if v is not None}) == 1


def test_savings_are_not_added(result):
    assert result.value("stack_total_saving") < result.value("sum_of_single_savings")
    assert sum(result.value("stacked_saving")) == pytest.approx(result.value("stack_total_saving"), rel=1e-12)
    assert "Savings do not add" in result.says("stack") and "the same saving" in result.says("stack")


def test_the_stack_stops_where_it_no_longer_saves():
    """A second hit share that a fuller cache beats alone raises the bill on top of it: it and all below it no longer count."""
    kinds = list(LEVER_KINDS)
    kinds[1] = "another kind by mistake"
    r = STUDY.evaluate({"lever_kind": kinds, "levers_shared_prefix_hit_share": [0.99, 0.01] + [None] * 9})
    assert r.value("step_counts") == [1.0] * int(r.value("last_counting_place")) + [0.0] * (11 - int(r.value("last_counting_place")))
    bills = [r.value("offline_cost"), *r.value("stack_offline_cost")]
    assert all(b <= a for a, b, counts in zip(bills, bills[1:], r.value("step_counts"), strict=False) if counts)
    assert r.value("stacked_cost") == bills[int(r.value("last_counting_place"))]


def test_a_first_lever_that_stops_the_stack_leaves_the_bill():
    assert offline_levers.stacked_cost(0, np.array([7.0, 6.0]), np.array([1.0, 2.0]), 5.0) == 5.0


def test_weights_that_do_not_fit_are_said():
    small = STUDY.evaluate({"gpus_per_replica": 1.0, "bytes_per_weight": 2.0})
    assert small.status == "infeasible" and "weights do not fit" in small.problems[0] and not small.exists("offline_cost")


def test_no_sequence_fits():
    long = STUDY.evaluate({"sent_prompt_tokens": 2e6})
    assert long.status == "infeasible" and "not one sequence fits" in " ".join(long.problems)


def test_a_long_prompt_is_warned_about():
    long = STUDY.evaluate({"sent_prompt_tokens": 32_000.0})
    says = next(c["says"] for c in long.checks if c["name"] == "attention_negligible")
    assert "attention adds" in says and long.value("attention_share") == pytest.approx(0.297, abs=5e-3)


def test_a_prefix_longer_than_the_prompt_is_refused():
    assert "longer than the prompt" in " ".join(STUDY.evaluate({"shared_prefix_tokens": 5000.0}).problems)


def test_the_inputs_are_those_of_the_worked_example():
    given = INPUTS["A_DEF"]
    names = {
        "P": "params",
        "N": "items",
        "S": "sent_prompt_tokens",
        "Sp": "shared_prefix_tokens",
        "O": "answer_tokens",
        "D": "deadline",
        "MFU": "mfu",
        "BW": "bandwidth",
        "F": "peak_compute",
        "util": "offline_utilization",
        "Bcap": "max_batch",
        "t_restart_h": "restart_time",
        "t_lost_h": "lost_work",
    }
    for key, name in names.items():
        assert STUDY.inputs[name].value == given[key], name
