"""Disaggregation against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

import pytest
from golden_b import PER_MILLION, RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.disaggregation import STUDY

GOLDEN = RESULTS["h_disagg_vs_colocated"]
RESULT = STUDY.evaluate()
SCALARS = {
    "t_prefill": "request_gemm_time",
    "step": "memory_step",
    "tpot_floor": "memory_step",
    "work_prefill": "split_prefill_work",
    "work_decode": "split_decode_work",
    "prefill_share": "prefill_work_share",
    "colocated_replicas": "together_replicas",
    "colocated_gpus": "together_gpus",
    "disagg_prefill_gpus": "split_prefill_gpus",
    "disagg_decode_gpus": "split_decode_gpus",
    "disagg_gpus": "split_gpus",
    "usd_h": "together_cost",
    "tpot_worst": "together_tpot_worst",
    "tpot_worst_file000": "together_tpot_worst",
    "reversal_tpot": "reversal_tpot",
    "replicas_colocated_little": "together_exact",
    "replicas_disagg_little": "split_exact",
    "B_little_at_plan": "together_batch",
    "tpot_little_at_plan": "together_tpot",
    "kv_bytes_request": "prompt_kv",
    "kv_rate_Bps": "split_kv_rate",
    "kv_nic_util": "split_link_use",
    "kv_transfer_s": "split_handover",
}


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


def test_golden_costs_and_prefix_hits():
    assert RESULT.value("together_output_cost") * PER_MILLION == near(GOLDEN["usd_per_M_out"])
    assert RESULT.value("together_token_cost") * PER_MILLION == near(GOLDEN["usd_per_M_total"])
    assert RESULT.value("hits_together_gpus")[2] == GOLDEN["gpus_half_prefix"]
    assert RESULT.value("split_wins") == GOLDEN["disagg_wins"]


@pytest.mark.parametrize("row", range(3))
def test_golden_batches(row):
    want = GOLDEN["table"][row]
    for symbol, name in {
        "B": "batch",
        "step": "memory_step",
        "replicas": "together_replicas",
        "gpus": "together_gpus",
        "tpot_worst": "together_tpot_worst",
    }.items():
        assert RESULT.value(f"batches_{name}")[row] == near(want[symbol])
    assert RESULT.value("batches_together_output_cost")[row] * PER_MILLION == near(want["usd_per_M_out"])


def test_typed_from_the_text():
    """34 replicas, 136 GPUs, $1.57 and $0.21, 156, 136 and 128 GPUs, 20.1 ms, 46.4 ms, 27.1 sequences."""
    assert (RESULT.value("together_replicas"), RESULT.value("together_gpus")) == (34, 136)
    assert (RESULT.value("split_prefill_gpus"), RESULT.value("split_decode_gpus")) == (88, 48)
    assert RESULT.value("together_output_cost") * PER_MILLION == pytest.approx(1.57, abs=5e-3)
    assert RESULT.value("together_token_cost") * PER_MILLION == pytest.approx(0.21, abs=5e-3)
    assert RESULT.value("batches_together_gpus") == [156, 136, 128]
    assert RESULT.value("reversal_tpot") == near(0.02005685856432125)
    assert RESULT.value("together_tpot_worst") == pytest.approx(0.0464, abs=5e-5)
    assert RESULT.value("together_batch") == pytest.approx(27.1, abs=0.05)


def test_at_the_reversal_both_layouts_are_equal():
    found = STUDY.evaluate({"tpot_target": RESULT.value("reversal_tpot")})
    assert found.value("together_exact") == pytest.approx(found.value("split_exact"), rel=1e-6)


@pytest.mark.parametrize("prompt", [500.0, 2000.0, 30_000.0])
def test_longer_prompts_enlarge_the_difference_and_do_not_turn_it(prompt):
    below, above = 0.9 * RESULT.value("reversal_tpot"), 1.1 * RESULT.value("reversal_tpot")
    decode_alone = {"output_tokens": 1.0, "prompt_tokens": prompt}
    assert STUDY.evaluate({"tpot_target": below} | decode_alone).value("split_saving") > 0
    assert STUDY.evaluate({"tpot_target": above} | decode_alone).value("split_saving") == pytest.approx(0, abs=1e-6)


def test_a_saving_at_the_tight_target_is_the_difference_of_the_layouts():
    found = STUDY.evaluate({"tpot_target": 0.015})
    assert found.value("split_wins") == 1
    assert found.value("split_saving") == near(RESULT.value("tight_saving"))


def test_a_target_below_an_empty_step_is_said():
    found = STUDY.evaluate({"tpot_target": 0.007})
    assert "no batch meets this TPOT on either layout: an empty step takes 7 ms" in found.problems
    assert found.value("split_exact") != found.value("split_exact")


def test_a_looser_cap_of_prefill_has_no_reversal():
    found = STUDY.evaluate({"prefill_cap": 0.8})
    assert found.value("reversal_tpot") != found.value("reversal_tpot")
    assert found.value("split_wins") == 1 and "two pools save" in found.says("headline")


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"batch": 301.0}, "a batch of 301 does not fit: 300 sequences at most"),
        ({"params": 400e9}, "weights do not fit: 100 GB a GPU on 70.6 GB; use more GPUs a replica or a narrower format"),
        ({"nic_bandwidth": 1e9}, "the prefill pool's network links would be used 186%; keep both phases together"),
    ],
)
def test_what_does_not_hold_is_said(changes, words):
    assert words in STUDY.evaluate(changes).problems


@pytest.mark.parametrize(
    "name, value",
    [
        ("utilization_cap", 0.0),
        ("prefill_cap", 1.0),
        ("request_rate", 0.0),
        ("batch", 12.5),
        ("mbu", 1.2),
        ("tpot_target", -1.0),
        ("prefix_hit_share", 1.0),
        ("output_tokens", float("nan")),
        ("gpu_hour_price", float("inf")),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
