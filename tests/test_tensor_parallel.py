"""Tensor parallelism against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

from itertools import pairwise

import pytest
from golden_b import PER_MILLION, RESULTS, missing, near

from sheetcalc.errors import InputError
from sheetcalc.studies.tensor_parallel import STUDY, WIDTHS

GOLDEN = RESULTS["b_tp_scaling"]
RESULT = STUDY.evaluate()
BY_WIDTH = {
    "kv_capacity_bytes": "replica_kv_room",
    "kv_capacity_node": "node_kv_room",
    "fixed_AR_s": "all_reduce_slab",
    "T": "user_step",
    "weights_s": "weight_read_time",
    "comm_share": "user_step_reduce_share",
    "tok_s_user": "user_rate",
    "tok_s_gpu_lat": "user_rate_per_gpu",
    "doubling_gain": "doubling_gain",
}
BY_WORKLOAD = {
    "B_mem": "memory_batch",
    "B_slo": "target_batch",
    "B": "layout_batch",
    "T": "layout_step",
    "comm_share": "layout_reduce_share",
    "tok_s_gpu": "layout_rate_per_gpu",
    "prefill_s": "split_prefill_time",
    "prefill_comm_share": "split_prefill_reduce_share",
    "gpu_s_req": "layout_gpu_seconds",
}


@pytest.mark.parametrize("place", range(len(WIDTHS)))
@pytest.mark.parametrize("symbol, name", BY_WIDTH.items())
def test_golden_by_width(place, symbol, name):
    want, found = GOLDEN["rows"][place][symbol], RESULT.value(name)[place]
    assert missing(found) if want is None else found == near(want)


@pytest.mark.parametrize("place", range(len(WIDTHS)))
@pytest.mark.parametrize("row, workload", [(0, "chat"), (1, "long")])
def test_golden_by_workload(place, row, workload):
    want = GOLDEN["rows"][place][workload]
    for symbol, name in BY_WORKLOAD.items():
        found = RESULT.value(name)[row][place]
        if want[symbol] is None:
            assert missing(found) or name.startswith("split_prefill"), name
        else:
            assert found == near(want[symbol]), name
    cost = RESULT.value("layout_cost_per_output")[row][place]
    assert missing(cost) if want["usd_per_M_out"] is None else cost * PER_MILLION == near(want["usd_per_M_out"])


@pytest.mark.parametrize(
    "name, symbol",
    [
        ("short_tp", "winner_chat_cost"),
        ("short_fast_tp", "winner_chat_decode"),
        ("long_tp", "winner_long_cost"),
        ("full_memory_sweep", "full_HBM_sweep_s"),
        ("crossover_context", "crossover_ctx_tp8_vs_tp4"),
    ],
)
def test_golden_scalars(name, symbol):
    assert RESULT.value(name) == near(GOLDEN[symbol])
    assert RESULT.value("fastest_tp")[1] == GOLDEN["winner_long_decode"]


def test_all_reduces_are_two_a_layer():
    assert RESULT.value("all_reduces_per_step") == GOLDEN["rows"][3]["AR_count"] == 160


def test_typed_from_the_text():
    """Premiums, crossover, doublings, the batch of chat on eight, one user on eight."""
    assert RESULT.value("wide_short_premium") == pytest.approx(0.246, abs=5e-4)
    assert RESULT.value("narrow_long_premium") == pytest.approx(0.206, abs=5e-4)
    assert RESULT.value("crossover_context") == near(2226.9471756231746)
    assert RESULT.value("doubling_gain")[1:] == [near(1.8350778499835765), near(1.787085571346313), near(1.5779613842193676)]
    assert RESULT.value("layout_batch") == [[0, 100, 300, 701], [0, 1, 4, 11]]
    assert RESULT.value("user_rate")[3] == near(179.30806087913518)


def test_one_gpu_talks_to_nobody_and_holds_no_sequence():
    assert RESULT.value("all_reduce_slab")[0] == RESULT.value("all_reduce_per_sequence")[0] == 0
    assert RESULT.value("memory_batch")[0][0] == 0
    assert missing(RESULT.value("layout_step")[0][0])


def test_without_communication_the_step_is_memory_alone():
    found = STUDY.evaluate({"all_reduce_base": 0.0, "all_reduce_hop": 0.0, "link_bandwidth": 1e30, "step_overhead": 0.0})
    for step, weights, kv in zip(found.value("user_step"), found.value("weight_read_time"), found.value("kv_read_time")[0], strict=True):
        assert step == pytest.approx(weights + kv, rel=1e-9)


def test_a_doubling_buys_less_than_two_and_less_each_time():
    gains = RESULT.value("doubling_gain")[1:]
    assert all(2 > a > b for a, b in pairwise(gains))


def full_rate(result, place):
    """Decode rate of a GPU when its memory is full, from the parts, without whole sequences."""
    context, room = result.value("decode_context")[0], result.value("kv_room_per_gpu")[place]
    width = WIDTHS[place]
    batch = width * room / (context * result.value("kv_per_token"))
    step = (
        result.value("weight_read_time")[place]
        + batch * result.value("kv_read_time")[0][place]
        + result.value("all_reduce_slab")[place]
        + batch * result.value("all_reduce_per_sequence")[place]
        + result.value("step_overhead")
    )
    return batch / step / width


@pytest.mark.parametrize("factor, sign", [(0.5, -1), (1.0, 0), (2.0, 1)])
def test_the_crossover_by_brute_force(factor, sign):
    context = RESULT.value("crossover_context") * factor
    found = STUDY.evaluate({"decode_context": [context, 131072.0]})
    gap = full_rate(found, 3) / full_rate(found, 2) - 1
    assert abs(gap) < 1e-9 if sign == 0 else gap * sign > 1e-4


def test_more_heads_than_gpus_are_stored_twice():
    """Sixteen GPUs and eight KV heads: each GPU stores a whole head, so the batch is half of what the bytes would hold."""
    found = STUDY.evaluate({"gpus_per_replica": [2.0, 4.0, 8.0, 16.0], "gpus_per_node": 16.0})
    room, context = found.value("replica_kv_room")[3], 2150 * found.value("kv_per_token")
    assert found.value("memory_batch")[0][3] == int(room / context / 2)


def test_a_target_below_a_step_serves_nothing_in_words():
    found = STUDY.evaluate({"tpot_target": 0.001})
    assert found.status == "infeasible"
    assert "no layout of the table serves chat: nothing fits or meets the target" in found.problems
    assert missing(found.value("short_tp"))


def test_a_width_that_does_not_divide_the_node_is_said():
    found = STUDY.evaluate({"gpus_per_replica": [1.0, 2.0, 3.0, 4.0]})
    assert "a width does not divide a node of 8 GPUs; use 1, 2, 4 … GPUs a replica" in found.problems


def test_a_model_too_large_serves_nothing():
    assert STUDY.evaluate({"params": 700e9}).status == "infeasible"


@pytest.mark.parametrize(
    "name, value",
    [
        ("tpot_target", 0.0),
        ("tpot_target", float("nan")),
        ("lone_batch", 0.0),
        ("lone_batch", 1.5),
        ("short_workload", "mail"),
        ("gpus_per_replica", [0.0, 2.0]),
        ("decode_context", [0.0, 1.0]),
        ("output_tokens", [-1.0, 5.0]),
        ("link_share", 1.1),
        ("hbm", float("inf")),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
