"""Voice against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

from itertools import pairwise

import pytest
from golden_b import RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.voice import STUDY

GOLDEN = RESULTS["f_voice"]
RESULT = STUDY.evaluate()
SCALARS = {
    "llm_budget_s": "voice_budget",
    "queue_allowance_s": "queue_allowance",
    "prefill_s": "increment_time",
    "T_max": "step_budget",
    "step_B1": "lone_call_step",
    "B_cap": "call_batch",
    "B_step_limit": "step_budget_batch",
    "rho_queue": "queue_load",
    "rho_used": "queue_load",
    "turns_per_s": "call_turns",
    "lam_tpot": "turns_by_step",
    "lam_queue": "turns_by_queue",
    "lam_batch": "turns_by_batch",
    "lam_compute": "turns_by_compute",
    "turns_per_s_replica": "turns_of_replica",
    "replicas_speed": "call_replicas_speed",
    "replicas_residency": "call_replicas_residency",
    "replicas": "call_replicas",
    "gpus": "call_gpus",
    "usd_h": "call_cost",
    "usd_per_call_hour": "call_hour_cost",
    "tpot": "call_tpot",
    "concurrency_replica": "calls_in_step",
    "first_audio_s": "first_audio",
    "playback_tpot": "speech_tpot",
    "speed_margin": "speech_margin",
    "refetch_s": "call_fetch",
    "reprefill_s": "call_prefill_full",
    "endpoint_max_s": "longest_endpointing",
}


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


def test_golden_lines_and_verdicts():
    lines = GOLDEN["lines"]
    names = {
        "uplink": "uplink_time",
        "endpoint": "endpointing_time",
        "asr": "recognition_time",
        "orch": "orchestration_time",
        "tts": "synthesis_time",
        "downlink": "downlink_time",
    }
    assert {k: RESULT.value(n) for k, n in names.items()} == lines
    assert GOLDEN["largest"] == max(lines, key=lines.get) == "endpoint" and RESULT.value("endpointing_largest")
    assert GOLDEN["feasible"] and RESULT.status == "ok"
    assert GOLDEN["binding"] == "speed" and RESULT.value("speed_binds")


def test_typed_from_the_text():
    """80 ms left, 10 replicas by speed and 4 by residency, 80 GPUs, ten cents a call-hour, 106.5 ms of silence at most."""
    assert RESULT.value("voice_budget") == near(0.08)
    assert (RESULT.value("call_replicas_speed"), RESULT.value("call_replicas_residency")) == (10, 4)
    assert (RESULT.value("call_gpus"), RESULT.value("call_hour_cost")) == (80, near(0.10))
    assert RESULT.value("longest_endpointing") == near(0.10650227177571578)
    assert RESULT.value("calls_in_step") == pytest.approx(4.7, abs=0.05)
    assert RESULT.value("speech_margin") == pytest.approx(45, abs=0.5)
    assert RESULT.value("call_prefill") == pytest.approx(0.0924, abs=5e-5)


def test_a_silence_timer_of_half_a_second_is_infeasible():
    found = STUDY.evaluate({"endpointing_time": 0.5})
    assert found.problems == ["no time left for the language model: the other lines take 620 ms of 300 ms"]
    assert found.value("call_replicas") != found.value("call_replicas")


def test_a_step_slower_than_the_budget_is_said():
    found = STUDY.evaluate({"endpointing_time": 0.11})
    assert "one decode step is slower than the clause budget allows: 5.59 ms against 5.53 ms" in found.problems
    assert found.absent("call_gpus") == "one decode step is slower than the clause budget allows: 5.59 ms against 5.53 ms"


@pytest.mark.parametrize(
    "share, words",
    [
        (0.0, "queue allowance too small for this prefill: 0 ms allowed, the running step alone takes 9.4 ms"),
        (0.2, "queue allowance too small for this prefill: 16 ms allowed, no load keeps within it"),
    ],
)
def test_a_queue_allowance_that_is_too_small_is_said(share, words):
    assert words in STUDY.evaluate({"queue_share": share}).problems


def test_a_reply_shorter_than_its_clause_is_said():
    assert (
        "a reply of 5 tok is shorter than its first clause of 8 tok; enter a longer reply"
        in STUDY.evaluate({"output_tokens": 5.0}).problems
    )


def test_first_audio_meets_its_target():
    for wait in (0.05, 0.08, 0.09, 0.1, 0.104):
        assert STUDY.evaluate({"endpointing_time": wait}).value("first_audio") <= 0.3 + 1e-12


def test_residency_never_falls_when_calls_rise():
    found = [STUDY.evaluate({"live_calls": calls}).value("call_replicas_residency") for calls in (100.0, 500.0, 2000.0, 9000.0)]
    assert all(b >= a for a, b in pairwise(found))


def test_offload_never_adds_replicas():
    for wait in (0.0, 0.05, 0.1):
        with_offload = STUDY.evaluate({"endpointing_time": wait, "kv_offload": 1.0})
        assert with_offload.value("call_replicas") <= STUDY.evaluate({"endpointing_time": wait}).value("call_replicas")
        assert with_offload.value("call_replicas_residency") == 0


def test_the_price_of_a_millisecond_is_the_slope():
    """Against the replicas before rounding with a millisecond more on one line."""
    step = 1e-7

    def exact(extra):
        found = STUDY.evaluate({"uplink_time": 0.020 + extra})
        return found.value("call_turns") / found.value("turns_of_replica")

    slope = (exact(step) - exact(-step)) / (2 * step) * 1e-3 * 8 * 2.5
    assert RESULT.value("millisecond_cost") == pytest.approx(slope, rel=1e-4)


@pytest.mark.parametrize(
    "name, value",
    [
        ("uplink_time", -0.01),
        ("clause_tokens", 7.5),
        ("clause_tokens", 0.0),
        ("queue_share", 1.0),
        ("kv_offload", 0.5),
        ("live_calls", 0.0),
        ("speech_rate", 0.0),
        ("first_audio_target", float("nan")),
        ("turn_cycle", float("inf")),
        ("utilization_cap", 1.5),
        ("output_tokens", -4.0),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
