"""Corpus passes: every worked value, each cut, the crossing against a scan, and the limits."""

import pytest
from golden_c import RESULTS, close

from sheetcalc.studies.corpus_passes import STUDY

GOLD = RESULTS["f"]
PASS = {
    "B": ("offline_batch", 1),
    "t_pf_us": ("prefill_time", 1e6),
    "ratio": ("output_to_input", 1),
    "prefill_gpu_h": ("prefill_gpu_hours", 1),
    "decode_gpu_h": ("decode_gpu_hours", 1),
    "gpu_h": ("offline_gpu_hours", 1),
    "cost": ("offline_cost", 1),
    "prefill_share": ("offline_prefill_share", 1),
    "w": ("offline_request", 1),
}
SMALL = {"params": 8.03e9, "active_params": 8.03e9, "layers": 32.0, "kv_layers": 32.0, "gpus_per_replica": 1.0}
CUTS = {
    "Cascade small->big": 1,
    "Truncate documents": 2,
    "Prefix cache on instructions": 3,
    "Deduplicate corpus": 4,
    "Halve the output": 5,
    "FP8 KV cache": 6,
}


VALUES = [
    ("chat_ratio", "price_ratio_chat"),
    ("output_to_input", "price_ratio_offline"),
    ("equal_output", "O_star"),
    ("equal_output_memory", "O_star_memory"),
    ("equal_output_limit", "O_star_limit_long_prompt"),
    ("cascade_limit", "escalation_breakeven"),
    ("cascade_accuracy", "cascade_accuracy"),
    ("batch_api_cost", "batch_api_cost"),
    ("make_saving", "self_host_saves"),
]


@pytest.fixture(scope="module")
def result():
    return STUDY.evaluate()


@pytest.mark.parametrize("key", PASS)
@pytest.mark.parametrize("case,changes", [("offline", {}), ("chat", {"max_batch": 16.0}), ("small", SMALL)])
def test_worked_passes(case, changes, key):
    name, factor = PASS[key]
    assert close(STUDY.evaluate(changes).value(name) * factor, GOLD[case][key])


def test_decode_time_of_a_token(result):
    assert close(result.value("offline_decode") / 60 * 1e6, GOLD["offline"]["t_dc_us"])


@pytest.mark.parametrize("name,key", VALUES)
def test_worked_values(result, name, key):
    assert close(result.value(name), GOLD[key])


def test_labels(result):
    multi = GOLD["multi_label"]
    for name, key in [
        ("separate_labels_cost", "separate"),
        ("one_pass_cost", "one_pass"),
        ("one_pass_saving", "saved"),
        ("one_pass_share", "saved_pct"),
    ]:
        assert close(result.value(name), multi[key])


@pytest.mark.parametrize("row", GOLD["cuts"], ids=lambda row: row["cut"])
def test_each_cut_alone(result, row):
    i = CUTS[row["cut"]] - 1
    assert close(result.value("cut_cost")[i], row["cost"]) and close(result.value("cut_saving")[i], row["saved"])


def test_the_ranking(result):
    assert result.value("ranked_cut") == [CUTS[row["cut"]] for row in sorted(GOLD["cuts"], key=lambda row: -row["saved"])]


def test_typed_from_the_specification(result):
    """B 525, ratio 1.50004 (chat 13.43218), prefill 93.02%, $6,723.35, O* 646.22, e* .8705, $8,268.10 for four
    labels, batch API $19,800."""
    assert result.value("offline_batch") == 525
    assert result.value("output_to_input") == pytest.approx(1.50004, abs=5e-6)
    assert result.value("chat_ratio") == pytest.approx(13.43218, abs=5e-6)
    assert result.value("offline_prefill_share") == pytest.approx(0.9302, abs=5e-5)
    assert result.value("offline_cost") == pytest.approx(6_723.35, abs=0.005)
    assert result.value("equal_output") == pytest.approx(646.22, abs=0.005)
    assert result.value("cascade_limit") == pytest.approx(0.8705, abs=5e-5)
    assert result.value("one_pass_cost") == pytest.approx(8_268.10, abs=0.005)
    assert result.value("batch_api_cost") == pytest.approx(19_800)


def test_the_crossing_against_a_scan():
    """The first output at which decode costs at least as much as prefill; whole batches move it by less than 1%."""
    star = STUDY.evaluate().value("equal_output")
    costs = {o: STUDY.evaluate({"answer_tokens": float(o)}) for o in range(int(star * 0.98), int(star * 1.02))}
    found = next(o for o, r in costs.items() if r.value("decode_gpu_hours") >= r.value("prefill_gpu_hours"))
    assert found == pytest.approx(star, rel=0.01)


def test_the_closed_form_is_the_root():
    r = STUDY.evaluate()
    o, s = r.value("equal_output_memory"), 1200
    assert o * r.value("context_decode_time") * (s + o / 2) == pytest.approx(s * r.value("prefill_time"), rel=1e-12)


def test_an_output_token_never_costs_less_than_an_input_token():
    assert STUDY.evaluate({"bytes_per_kv": 0.1, "max_batch": 100_000.0}).value("output_to_input") == pytest.approx(1)
    assert STUDY.evaluate({"bytes_per_kv": 0.1}).value("equal_output") == 1200


def test_the_cascade_pays_up_to_its_limit(result):
    limit = result.value("cascade_limit")
    assert STUDY.evaluate({"escalated_share": limit}).value("cascade_cost") == pytest.approx(result.value("offline_cost"), rel=1e-12)
    above = STUDY.evaluate({"escalated_share": 0.9})
    assert above.value("cascade_pays") == 0 and "does not pay" in above.says("cascade")


def test_the_batch_api_can_win():
    cheap = STUDY.evaluate({"batch_input_price": 0.05e-6, "batch_output_price": 0.1e-6})
    assert "Buy it at the batch API" in cheap.says("decision")
    assert cheap.value("corpus_bill") == cheap.value("batch_api_cost")


def test_savings_are_not_added(result):
    assert "not added" in result.says("once")
    both = STUDY.evaluate({"duplicate_share": 0.08, "prompt_trim": 0.25})
    alone = result.value("cut_saving")[1] + result.value("cut_saving")[3]
    assert result.value("offline_cost") - both.value("offline_cost") < alone * 0.99


def test_long_output_turns_the_bill():
    assert "Decode is the bill" in STUDY.evaluate({"answer_tokens": 1000.0}).says("passes")
