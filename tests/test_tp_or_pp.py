"""Tensor parallelism against stages: values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

import pytest
from golden_b import RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.tp_or_pp import BATCHES, FORMATS, LAYOUTS, STUDY

GOLDEN = RESULTS["c_tp_vs_pp"]
RESULT = STUDY.evaluate()
TENSOR, STAGED, LONE, STAGED_NODES, WIDE_NODES = range(len(LAYOUTS))
SCALARS = {
    "all_reduces": "all_reduces_per_step",
    "kv_bytes_token": "kv_per_token",
    "tp_tpot": "tensor_tpot",
    "tp_tok_s": "tensor_rate",
    "pp_tpot": "staged_tpot",
    "pp_tok_s": "staged_rate",
    "pp_one_microbatch_tpot": "lone_batch_tpot",
    "pp_extra_weight_s": "staged_extra_weights",
    "tpot_ratio": "staged_tpot_ratio",
    "B_cross_memory_bound": "staged_crossover",
    "B_cross_grid": "staged_ahead_from",
    "prefill_chunks": "prompt_chunks",
    "ttft_tp": "tensor_ttft",
    "ttft_pp": "staged_ttft",
    "prefill_gain_pp": "staged_prefill_gain",
    "bf16_two_nodes_tpot_tp8pp2": "staged_node_tpot",
    "bf16_two_nodes_tpot_tp16": "wide_node_tpot",
    "bf16_kv_tokens_tp8pp2": "staged_node_tokens",
    "bf16_kv_tokens_tp16": "wide_node_tokens",
    "bf16_cross_node_alpha_breakeven": "network_reduce_breakeven",
}
BY_LAYOUT = {
    "weights_per_gpu": ("layout_weights", TENSOR),
    "kv_capacity_bytes": ("layout_kv_room", TENSOR),
    "weight_read_s": ("layout_weight_time", TENSOR),
    "pp_one_microbatch_tok_s": ("layout_rate", LONE),
    "bubble": ("prefill_bubble", STAGED),
    "prefill_tok_s_tp": ("layout_prefill_rate", TENSOR),
    "prefill_tok_s_pp": ("layout_prefill_rate", STAGED),
    "bf16_two_nodes_tok_s_tp8pp2": ("layout_rate", STAGED_NODES),
    "bf16_two_nodes_tok_s_tp16": ("layout_rate", WIDE_NODES),
}


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden_scalars(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


@pytest.mark.parametrize("symbol, place", BY_LAYOUT.items())
def test_golden_by_layout(symbol, place):
    assert RESULT.value(place[0])[place[1]] == near(GOLDEN[symbol])


def test_golden_communication():
    start, token = RESULT.value("group_reduce_start"), RESULT.value("group_reduce_per_token")
    assert 252 * start[TENSOR] == near(GOLDEN["AR_fixed_tp_s"])
    assert 252 * start[STAGED] == near(GOLDEN["AR_fixed_pp_s"])
    assert 252 * (start[TENSOR] + 64 * token[TENSOR]) == near(GOLDEN["tp_comm"])
    assert start[WIDE_NODES] + 64 * token[WIDE_NODES] == near(GOLDEN["bf16_ar_cross_s"])


def test_golden_stage():
    assert RESULT.value("layout_tpot")[STAGED] / 2 == near(GOLDEN["pp_stage"])


@pytest.mark.parametrize("place", range(len(BATCHES)))
def test_golden_curve(place):
    want = GOLDEN["grid"][place]
    assert BATCHES[place] == want["B"]
    assert RESULT.value("curve_tensor_tpot")[place] == near(want["tp_T"])
    assert RESULT.value("curve_staged_tpot")[place] == near(want["pp_T"])
    assert RESULT.value("curve_tensor_rate")[place] == near(want["tp_tok_s"])
    assert RESULT.value("curve_staged_rate")[place] == near(want["pp_tok_s"])
    assert (BATCHES[place] <= RESULT.value("tensor_sequences")) == want["fits"]


@pytest.mark.parametrize("place", range(len(FORMATS)))
def test_golden_formats(place):
    want = GOLDEN["precision_fit"][place]
    assert want["precision"] == FORMATS[place]
    assert RESULT.value("format_weights")[place] == near(want["weight_bytes"])
    assert RESULT.value("format_over")[place] == near(want["raw_over"])
    assert RESULT.value("format_nodes")[place] == want["nodes_min"]
    assert (RESULT.value("format_room")[place] > 0) == want["fits_one_node"]
    assert max(RESULT.value("format_room")[place], 0) == near(want["kv_left_one_node"])


def test_golden_shards():
    assert RESULT.value("shard_columns") == [row["cols"] for row in GOLDEN["block_shards"]]
    assert RESULT.value("shard_whole") == [row["ok"] for row in GOLDEN["block_shards"]]


def test_winners():
    assert RESULT.value("tensor_tpot") < RESULT.value("staged_tpot") and GOLDEN["winner_decode"] == "TP"
    assert RESULT.value("staged_prefill_gain") > 0 and GOLDEN["winner_prefill_rate"] == "PP"
    assert int(RESULT.value("tensor_sequences")) == GOLDEN["B_max"]


def test_typed_from_the_text():
    """252 all-reduces, 29 against 47 ms, 914 sequences, 62 µs, 308K against 616K tokens, $20 an hour."""
    assert RESULT.value("all_reduces_per_step") == 252
    assert RESULT.value("tensor_tpot") == near(0.029036510287152473)
    assert RESULT.value("staged_tpot") == near(0.04736377018093845)
    assert RESULT.value("staged_crossover") == pytest.approx(914, abs=0.5)
    assert RESULT.value("network_reduce_breakeven") == pytest.approx(62e-6, abs=5e-7)
    assert RESULT.value("staged_node_tokens") == pytest.approx(616e3, abs=500)
    assert RESULT.value("plain_format_price") == 20
    assert RESULT.value("format_nodes") == [2, 1, 1]


def test_one_chunk_and_ever_finer_chunks():
    """The bubble of one chunk is (p - 1)/p, and it vanishes with small chunks."""
    assert STUDY.evaluate({"prefill_chunk": 8192.0}).value("prefill_bubble")[STAGED] == 1 / 2
    assert STUDY.evaluate({"prefill_chunk": 1.0}).value("prefill_bubble")[STAGED] < 2e-4


def test_order_of_the_layouts():
    tpot = RESULT.value("layout_tpot")
    assert tpot[TENSOR] < tpot[STAGED] < tpot[LONE]


def test_the_crossover_is_where_both_are_equal():
    batch = 2 * round(RESULT.value("staged_crossover") / 2)
    found = STUDY.evaluate({"batch": float(batch), "peak_compute": 1e30, "layout_peak": [1e30] * 5, "attention_peak": 1e30})
    assert found.value("tensor_tpot") == pytest.approx(found.value("staged_tpot"), rel=1e-3)


def test_at_the_break_even_latency_both_nodes_are_equal():
    found = STUDY.evaluate({"network_reduce_latency": RESULT.value("network_reduce_breakeven")})
    assert found.value("wide_node_tpot") == pytest.approx(found.value("staged_node_tpot"), rel=1e-12)


def test_shards_of_a_narrow_expert_refuse_eight():
    """Qwen3-235B: experts of 1,536 columns give 192 a rank on eight GPUs, no multiple of 128 (vLLM issue 17569)."""
    found = STUDY.evaluate({"ffn_width": 1536.0})
    assert found.value("shard_columns")[3] == 192
    assert found.value("shard_whole") == [1, 1, 1, 0, 0]
    assert found.value("widest_whole_shard") == 4


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"batch": 63.0}, "a batch of 63 does not split evenly into the micro-batches of a layout; use a multiple"),
        ({"layers": 125.0}, "layers or GPUs of a layout do not split evenly into its stages; use a divisor of both"),
        ({"stages": [1.0, 1.0, 2.0, 2.0, 1.0]}, "FP8, TP 4 in 2 stages has one stage and is no pipeline; give it two or more"),
        ({"batch": 256.0}, "a batch of 256 does not fit; 143 sequences do"),
    ],
)
def test_what_does_not_hold_is_said(changes, words):
    found = STUDY.evaluate(changes)
    assert found.status == "infeasible" and words in found.problems


def test_a_batch_that_does_not_split_has_no_tpot():
    assert STUDY.evaluate({"batch": 63.0}).value("staged_tpot") != STUDY.evaluate({"batch": 63.0}).value("staged_tpot")


@pytest.mark.parametrize(
    "name, value",
    [
        ("batch", 0.0),
        ("batch", 2.5),
        ("prefill_chunk", 0.0),
        ("nic_share", 0.0),
        ("tensor_layout", "TP 9"),
        ("layers", -1.0),
        ("quant_block", 0.0),
        ("network_reduce_latency", -1e-6),
        ("params", float("nan")),
        ("link_hop_latency", float("inf")),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
