"""The coding assistant against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

import pytest
from golden_b import RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.coding_assistant import STUDY

GOLDEN = RESULTS["e_coding_assistant"]
RESULT = STUDY.evaluate()
SCALARS = {
    "cold_linear_s": "cold_gemm",
    "cold_attention_s": "cold_attention",
    "cold_compute_s": "cold_compute",
    "cold_s": "cold_time",
    "cold_comm_s_if_exposed": "cold_reduces",
    "max_cold_per_s_per_replica": "cold_rate_of_replica",
    "warm_s": "warm_time",
    "warm_fetch_s": "session_fetch",
    "cold_over_warm": "cold_over_warm",
    "kv_session_bytes": "session_kv",
    "kv_transfer_s": "session_handover",
    "f_cold": "cold_share",
    "warm_share": "warm_share",
    "tpot_warm": "warm_tpot",
    "concurrency_warm": "warm_batch",
    "ttft_warm_p": "warm_ttft",
    "lam_cold": "cold_rate",
    "work_cold": "cold_work",
    "work_all_cold": "all_cold_work",
    "slack_cold": "cold_slack",
    "c_cold": "cold_replicas",
    "cold_wait_p": "cold_wait",
    "cold_util": "cold_load",
    "ttft_cold_p": "cold_ttft",
    "step_s": "planned_step",
    "B_mem": "warm_residents",
    "work_warm": "warm_work",
    "work_decode": "turn_decode_work",
    "c_warm_compute": "warm_replicas_work",
    "c_warm_residency": "warm_replicas_sessions",
    "c_warm_residency_hbm_only": "warm_replicas_no_host",
    "c_warm": "warm_replicas",
    "hbm_sessions_per_replica": "sessions_per_replica",
    "gpus_cold": "cold_gpus",
    "gpus_warm": "warm_gpus",
    "gpus": "assistant_gpus",
    "gpus_all_cold": "all_cold_gpus",
    "usd_h": "assistant_cost",
    "usd_h_all_cold": "all_cold_cost",
    "usd_per_point_of_hit": "hit_point_value",
}


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


def test_golden_verdicts():
    assert GOLDEN["cold_feasible"] and RESULT.value("cold_possible")
    assert GOLDEN["ttft_warm_ok"] and RESULT.value("warm_meets_target")
    assert GOLDEN["B_fits"] and RESULT.value("planned_batch_fits")
    assert GOLDEN["warm_binding"] == "residency" and not RESULT.value("work_binds")
    assert STUDY.evaluate({"attention_peak": 1979e12}).value("cold_time") == near(GOLDEN["cold_s_all_fp8_attention"])


def test_typed_from_the_text():
    """0.940 s, 40 to 1, 3 and 10 replicas, 104 against 360 GPUs, $260 against $900, $11.57 a point, 65 replicas without host memory."""
    assert RESULT.value("cold_compute") == pytest.approx(0.940, abs=5e-4)
    assert RESULT.value("cold_over_warm") == near(39.817242565763976)
    assert (RESULT.value("cold_replicas"), RESULT.value("warm_replicas")) == (3, 10)
    assert (RESULT.value("assistant_gpus"), RESULT.value("all_cold_gpus")) == (104, 360)
    assert (RESULT.value("assistant_cost"), RESULT.value("all_cold_cost")) == (260, 900)
    assert RESULT.value("hit_point_value") == near(11.567205807595514)
    assert RESULT.value("warm_replicas_no_host") == 65


def test_one_turn_is_always_cold():
    assert STUDY.evaluate({"turns_per_session": 1.0}).value("cold_share") == 1


def test_endless_sessions_with_perfect_hits_are_never_cold():
    found = STUDY.evaluate({"turns_per_session": 1e12, "routing_hit_share": 1.0, "residency_share": 1.0})
    assert found.value("cold_share") == pytest.approx(0, abs=1e-11)
    assert found.value("cold_replicas") == 1


def test_a_prompt_twice_as_long_doubles_matrix_work_and_quadruples_attention():
    found = STUDY.evaluate({"prompt_tokens": 65536.0})
    assert found.value("cold_gemm") == near(2 * RESULT.value("cold_gemm"))
    assert found.value("cold_attention") == near(4 * RESULT.value("cold_attention"))


def test_a_shared_prefix_is_attended_to_and_not_worked_out():
    found = STUDY.evaluate({"shared_prefix_tokens": 8192.0})
    assert found.value("cold_gemm") == near(RESULT.value("cold_gemm") * 0.75)
    assert found.value("cold_attention") == near(RESULT.value("cold_attention") * (1 - 0.25**2))


def test_a_warm_turn_is_never_faster_than_one_read_of_the_weights():
    assert STUDY.evaluate({"turn_tokens": 1.0}).value("warm_time") == RESULT.value("weight_read_time")


def test_the_smallest_pool_is_the_smallest():
    replicas = int(RESULT.value("cold_replicas"))
    assert RESULT.value("pool_wait")[replicas - 1] <= RESULT.value("cold_slack")
    assert not RESULT.value("pool_wait")[replicas - 2] <= RESULT.value("cold_slack")
    assert RESULT.value("pool_wait")[0] != RESULT.value("pool_wait")[0]


def test_more_hits_never_take_more_gpus():
    gpus = RESULT.value("hits_assistant_gpus")
    assert sorted(gpus, reverse=True) == gpus
    assert gpus[5] == 104


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"cold_ttft_target": 0.5}, "a cold request cannot meet its target of 0.5 s at any size: it takes 0.94 s by itself"),
        ({"cold_ttft_target": 0.95}, "a cold request cannot meet its target of 0.95 s at any size: it takes 0.94 s by itself"),
        ({"request_rate": 10_000.0}, "no pool of the table meets the target of cold prompts; lengthen the table or shorten the prompts"),
        ({"batch": 92.0}, "a batch of 92 does not fit: 91 sequences at most"),
        ({"turn_tokens": 40_000.0}, "a turn adds 40,000 tok to a prompt of 32,768 tok; enter fewer"),
        ({"warm_ttft_target": 0.05}, "a warm turn takes 61 ms at the percentile, its target is 50 ms"),
        ({"params": 900e9}, "weights do not fit: 112.5 GB a GPU on 70.6 GB; use more GPUs a replica or a narrower format"),
    ],
)
def test_what_does_not_hold_is_said(changes, words):
    found = STUDY.evaluate(changes)
    assert found.status == "infeasible" and words in found.problems


@pytest.mark.parametrize(
    "name, value",
    [
        ("turns_per_session", 0.5),
        ("routing_hit_share", 0.0),
        ("residency_share", 1.2),
        ("turn_tokens", 0.0),
        ("prompt_tokens", -1.0),
        ("exposed_reduce_share", 1.5),
        ("utilization_cap", float("nan")),
        ("live_sessions", float("inf")),
        ("batch", 0.0),
        ("host_kv_memory", -1.0),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
