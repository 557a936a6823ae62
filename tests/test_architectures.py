"""Other architectures against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

from itertools import pairwise

import pytest
from golden_b import RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.architectures import KINDS, STUDY, TOKENS

GOLDEN = RESULTS["h_roofline_general"]
RESULT = STUDY.evaluate()
SCALARS = {
    "ridge_flop_per_byte": "ridge_intensity",
    "ridge_batch_dense": "dense_ridge_batch",
    "ridge_batch_moe": "moe_ridge_batch",
    "tokens_for_90pct_coverage": "coverage_tokens",
    "total_over_active": "total_over_active",
}
COLUMNS = {
    "coverage": "token_coverage",
    "experts": "distinct_experts",
    "weight_bytes_fp8": "step_weight_bytes",
    "bytes_per_token": "token_weight_bytes",
    "tokens_per_expert": "tokens_per_expert",
    "flops_per_byte": "step_intensity",
}
PARAMS = {
    "experts": "moe_expert_params",
    "shared": "shared_expert_params",
    "attn": "latent_attention_params",
    "dense": "dense_layer_params",
    "emb": "embedding_params",
    "router": "router_params",
    "total": "moe_total_params",
    "active": "moe_active_params",
    "non_expert_gemm": "backbone_params",
}


@pytest.mark.parametrize("symbol, name", [*SCALARS.items()])
def test_golden_scalars(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


@pytest.mark.parametrize("symbol, name", PARAMS.items())
def test_golden_parameters(symbol, name):
    assert RESULT.value(name) == GOLDEN["params"][symbol]


def test_golden_attention():
    assert RESULT.value("sequence_memory") == [near(x) for x in GOLDEN["kv_bytes_per_sequence"].values()]


@pytest.mark.parametrize("row", range(len(TOKENS)))
@pytest.mark.parametrize("symbol, name", COLUMNS.items())
def test_golden_coverage(row, symbol, name):
    assert GOLDEN["coverage"][row]["B"] == TOKENS[row]
    assert RESULT.value(name)[row] == near(GOLDEN["coverage"][row][symbol])


def test_typed_from_the_text():
    """375 FLOP for a byte, 187.5 and 6,074 tokens, 109 for 90 %, 32.4 times, 5.37 GB for a sequence of Llama 70B, 1.15 of MLA."""
    assert RESULT.value("ridge_intensity") == 375
    assert RESULT.value("dense_ridge_batch") == 187.5
    assert RESULT.value("moe_ridge_batch") == near(6073.6902289804775)
    assert RESULT.value("coverage_tokens") == near(109.3687521748789)
    assert RESULT.value("sequence_memory")[1] == 5368709120
    assert RESULT.value("sequence_memory")[3] == 1151336448
    assert RESULT.value("token_coverage")[8] == near(0.9954365335353852)


def test_many_heads_keep_as_often_more_as_they_are_more():
    kept = RESULT.value("sequence_memory")
    assert kept[0] / kept[1] == 8


def test_a_latent_has_no_second_tensor():
    assert RESULT.value("kv_per_token")[3] == 61 * 576


def test_a_window_grows_until_it_is_full_and_a_linear_state_never():
    short, full = STUDY.evaluate({"decode_context": 512.0}), STUDY.evaluate({"decode_context": 1024.0})
    assert full.value("sequence_memory")[4] == 2 * short.value("sequence_memory")[4]
    twice = STUDY.evaluate({"decode_context": 2048.0})
    assert twice.value("sequence_memory")[4] - full.value("sequence_memory")[4] == 1024 * RESULT.value("kv_per_token")[4]
    assert short.value("linear_state") == RESULT.value("linear_state")


def test_coverage_is_k_over_e_at_one_token_and_whole_at_many():
    found = STUDY.evaluate({"step_tokens": [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 100_000.0]})
    assert found.value("token_coverage")[0] == near(8 / 384)
    assert found.value("token_coverage")[-1] == 1
    assert all(b > a for a, b in pairwise(found.value("token_coverage")))


def test_a_step_of_one_token_reads_the_active_parameters():
    assert RESULT.value("step_weight_bytes")[0] == near(RESULT.value("moe_active_params"))


def test_every_expert_makes_the_model_dense():
    found = STUDY.evaluate({"experts_per_token": 384.0})
    assert found.value("coverage_tokens") != found.value("coverage_tokens")
    assert "a token visits every expert: the model is dense" in [c["says"] for c in found.checks]


def test_more_experts_than_there_are_is_said():
    found = STUDY.evaluate({"experts_per_token": 400.0})
    assert found.problems == ["a token cannot visit 400 of 384 experts; enter fewer"]
    assert found.value("moe_total_params") > 0 and found.value("token_coverage")[0] != found.value("token_coverage")[0]


def test_the_lean_and_the_wide():
    assert RESULT.value("leanest_attention") == KINDS[5] and RESULT.value("widest_attention") == KINDS[0]
    assert RESULT.value("leanest_cost") == min(RESULT.value("sequence_cost"))


@pytest.mark.parametrize(
    "name, value",
    [
        ("wanted_coverage", 1.0),
        ("wanted_coverage", 0.0),
        ("decode_context", 0.0),
        ("experts", 0.0),
        ("experts_per_token", 1.5),
        ("kv_layers", [0.0] * 6),
        ("window", [-1.0] * 6),
        ("hbm", float("nan")),
        ("bandwidth", float("inf")),
        ("chosen_attention", "other"),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
