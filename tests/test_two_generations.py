"""Two generations against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

from itertools import pairwise

import pytest
from golden_b import PER_MILLION, RESULTS, missing, near

from sheetcalc.errors import InputError
from sheetcalc.studies.two_generations import BUILDS, NAMES, NODES, STUDY, TARGETS

GOLDEN = RESULTS["d_two_generations"]
RESULT = STUDY.evaluate()
OLD, NEW, NARROW, OLD_NARROW = range(4)
FITS = {OLD: "fit_H100", NEW: "fit_B200", NARROW: "fit_B200_fp4", OLD_NARROW: "fit_H100_4bit"}
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
SCALARS = {
    "kv_bytes_token": "latent_kv_per_token",
    "per_dollar_flops_ratio": "compute_per_dollar_ratio",
    "per_dollar_bw_ratio": "bandwidth_per_dollar_ratio",
    "per_dollar_mem_ratio": "memory_per_dollar_ratio",
    "prefill_s_request": "pool_prefill_request_time",
    "kv_rate_Bps": "pool_kv_rate",
    "kv_out_util": "prefill_link_use",
    "kv_in_util": "decode_link_use",
    "kv_transfer_s": "pool_handover_time",
    "kv_transfer_share": "pool_handover_share",
    "usd_h_roles_fp8": "roles_cost",
    "usd_h_mismatch": "mixed_cost",
    "usd_h_agree_4bit": "agreed_cost",
    "mismatch_net_usd_h": "mixed_saving",
    "foreign_kv_share": "foreign_context_share",
    "reprefill_reply_usd_h": "reply_prefill_cost",
    "cost_ratio_prefill": "prefill_cost_ratio",
    "cost_ratio_decode": "decode_cost_ratio",
    "h100_breakeven_price": "old_breakeven_price",
}
POOLS = {
    "pool_prefill_H100": ("prefill", OLD),
    "pool_prefill_B200": ("prefill", NEW),
    "pool_prefill_H100_4bit": ("prefill", OLD_NARROW),
    "pool_decode_B200": ("decode", NEW),
    "pool_decode_B200_fp4": ("decode", NARROW),
    "pool_decode_H100": ("decode", OLD),
}


@pytest.mark.parametrize("symbol, name", PARAMS.items())
def test_golden_parameters(symbol, name):
    assert RESULT.value(name) == GOLDEN["params"][symbol]


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden_scalars(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


@pytest.mark.parametrize("build, key", FITS.items())
def test_golden_fit(build, key):
    want = GOLDEN[key]
    assert RESULT.value("moe_weight_bytes")[build] == near(want["total_bytes"])
    assert RESULT.value("expert_bytes")[build] == near(want["sharded"])
    assert RESULT.value("replicated_bytes") == near(want["replicated"])
    for symbol, name in {
        "nodes_raw_memory": "nodes_raw",
        "nodes_usable_memory": "nodes_usable",
        "nodes_ep_any": "nodes_longest",
        "nodes_ep": "instance_nodes",
        "nodes_tp": "nodes_tensor",
    }.items():
        assert RESULT.value(name)[build] == want[symbol], name
    for row, found in enumerate(want["rows"]):
        assert NODES[row] == found["nodes"] and RESULT.value("fit_gpus")[row] == found["gpus"]
        assert RESULT.value("fit_weights")[row][build] == near(found["w_gpu"])
        assert RESULT.value("fit_kv_room")[row][build] == near(found["kv_gpu"])
        assert RESULT.value("fit_tokens")[row][build] == near(found["ep_tokens_per_gpu"])
        assert RESULT.value("fit_tensor_tokens")[row][build] == near(found["tp_tokens"])
        assert RESULT.value("halves_evenly")[row] == found["pow2"]


@pytest.mark.parametrize("build, key", [(OLD, "prefill_H100"), (NEW, "prefill_B200")])
def test_golden_prefill(build, key):
    assert RESULT.value("moe_prefill_compute")[build] == near(GOLDEN[key]["comp"])
    assert RESULT.value("moe_prefill_exchange")[build] == near(GOLDEN[key]["a2a"])
    assert RESULT.value("moe_prefill_time")[build] == near(GOLDEN[key]["tok"])


@pytest.mark.parametrize("build, key", [(OLD, "decode_H100"), (NEW, "decode_B200"), (NARROW, "decode_B200_fp4")])
def test_golden_decode(build, key):
    want = GOLDEN[key]
    assert RESULT.value("best_gpu_batch")[build] == want["B_gpu"]
    row = int(RESULT.value("gpu_batch").index(want["B_gpu"]))
    assert RESULT.value("gpu_batch_room")[build] == want["Bcap_gpu"]
    assert RESULT.value("instance_batch")[build] == want["B"]
    assert RESULT.value("best_moe_step")[build] == near(want["T"])
    assert RESULT.value("moe_memory_time")[row][build] == near(want["mem"])
    assert RESULT.value("moe_compute_time")[row][build] == near(want["comp"])
    assert RESULT.value("moe_exchange_time")[row][build] == near(want["a2a"])
    assert RESULT.value("instance_rate")[build] == near(want["tok_s"])
    assert RESULT.value("instance_rate_of_gpu")[build] == near(want["tok_s_gpu"])


@pytest.mark.parametrize("key, place", POOLS.items())
def test_golden_pools(key, place):
    phase, build = place
    for symbol, name in {"work": "work", "instances": "instances", "gpus": "gpus"}.items():
        assert RESULT.value(f"pool_{phase}_{name}")[build] == near(GOLDEN[key][symbol])


@pytest.mark.parametrize("row", range(len(TARGETS)))
def test_golden_targets(row):
    want = GOLDEN["tpot_sweep"][row]
    assert TARGETS[row] == want["tpot"]
    for symbol, name in {"usd_M_H100": "old_target_cost", "usd_M_B200": "new_target_cost", "usd_M_B200_fp4": "narrow_target_cost"}.items():
        found = RESULT.value(name)[row]
        assert missing(found) if want[symbol] is None else found * PER_MILLION == near(want[symbol])
    assert (RESULT.value("old_decodes")[row] == 1) == (want["fp8_decode_on"] == "H100")
    assert (RESULT.value("old_decodes_narrow")[row] == 1) == (want["fp4_decode_on"] == "H100")


def test_golden_plans():
    assert RESULT.value("option_cost") == [
        GOLDEN["options_usd_h"][name]
        for name in (
            "FP8 both, H100 prefill + B200 decode",
            "FP8 prefill on H100, FP4-expert decode on B200",
            "all B200, FP8",
            "all H100, FP8",
            "swapped: B200 prefill, H100 decode",
            "4-bit experts on both",
            "all B200, FP4 experts decode",
        )
    ]
    assert RESULT.value("old_prefills") == (GOLDEN["roles"] == "H100 prefill, B200 decode")
    assert [x * PER_MILLION for x in RESULT.value("prompt_token_cost")[:2]] == [
        near(GOLDEN["usd_per_M_prompt"][g]) for g in ("H100", "B200")
    ]
    assert [x * PER_MILLION for x in RESULT.value("output_token_cost")[:3]] == [
        near(GOLDEN["usd_per_M_decode"][g]) for g in ("H100", "B200", "B200_fp4")
    ]
    assert RESULT.value("roles_output_cost") * PER_MILLION == near(GOLDEN["usd_per_M_out_roles"])
    assert RESULT.value("mixed_output_cost") * PER_MILLION == near(GOLDEN["usd_per_M_out_mismatch"])


def test_typed_from_the_text():
    """Nodes by four criteria, pools, plans, the price below which old GPUs prefill as cheaply."""
    assert [RESULT.value(n)[OLD] for n in ("nodes_raw", "nodes_usable", "nodes_longest", "instance_nodes", "nodes_tensor")] == [
        2,
        2,
        3,
        4,
        4,
    ]
    assert RESULT.value("instance_nodes")[NEW] == 1
    assert (RESULT.value("roles_prefill_gpus"), RESULT.value("roles_decode_gpus"), RESULT.value("mixed_decode_gpus")) == (64, 256, 48)
    assert (RESULT.value("roles_cost"), RESULT.value("mixed_cost"), RESULT.value("mixed_saving")) == (1440, 400, 1040)
    assert RESULT.value("old_breakeven_price") == pytest.approx(2.20, abs=5e-3)
    assert RESULT.value("roles_hold_to") == 0.025


def test_two_nodes_overflow_by_seven_gigabytes_a_gpu():
    assert RESULT.value("fit_kv_room")[1][OLD] == pytest.approx(-7.1e9, rel=1e-2)


def test_the_same_bytes_save_nothing():
    assert STUDY.evaluate({"expert_weight_bytes": [1.0, 1.0, 1.0, 1.0]}).value("mixed_saving") == 0


def test_coverage_starts_at_one_visit_and_fills_up():
    coverage = [row[NEW] for row in STUDY.evaluate({"gpus_per_node": 8.0}).value("instance_coverage")]
    assert coverage[0] == near(1 - (1 - 8 / 384) ** 8)
    assert all(b > a for a, b in pairwise(coverage[:20]))
    assert coverage[-1] == pytest.approx(1, abs=1e-9)


def test_steps_grow_with_the_batch():
    for build in range(len(BUILDS)):
        assert all(b >= a for a, b in pairwise(row[build] for row in RESULT.value("moe_step")))


def test_a_target_that_the_old_generation_misses_is_said():
    found = STUDY.evaluate({"tpot_target": 0.015})
    assert found.status == "ok"
    assert {c["says"] for c in found.checks if c["ok"] is False} == {"H100, FP8 cannot decode at 15 ms"}
    assert found.value("old_prefills") == 1 and missing(found.value("decode_cost_ratio"))
    assert missing(found.value("option_cost")[NAMES.index("H100 alone, FP8")])
    assert found.value("cheapest_option") == NAMES[1]
    assert "cannot decode" in found.says("advantage")


def test_a_target_that_nobody_meets_is_infeasible():
    found = STUDY.evaluate({"tpot_target": 0.004})
    assert "B200, FP8 cannot decode at 4 ms: one sequence on each GPU already takes longer" in found.problems


def test_a_context_that_fits_nowhere_is_said():
    found = STUDY.evaluate({"longest_context": 5e6})
    assert "H100, FP8 or B200, FP8 fits no node count of the table with a sequence of 5,000,000 tok on each GPU" in found.problems
    assert missing(found.value("instance_nodes")[OLD])


def test_narrow_experts_that_are_wider_are_said():
    found = STUDY.evaluate({"expert_weight_bytes": [1.0, 1.0, 2.0, 1.0]})
    assert "the experts of B200, 4-bit experts are wider than those of B200, FP8; enter fewer bytes for them" in found.problems


def test_without_the_power_of_two_three_nodes_do():
    assert STUDY.evaluate({"power_of_two_only": 0.0}).value("instance_nodes")[OLD] == 3


@pytest.mark.parametrize(
    "name, value",
    [
        ("prefill_cap", 0.0),
        ("decode_cap", 1.1),
        ("request_rate", -5.0),
        ("tpot_target", 0.0),
        ("expert_weight_bytes", [1.0, 0.0, 1.0, 1.0]),
        ("old_build", "A100"),
        ("mfu", float("nan")),
        ("experts", 384.5),
        ("quality_cost", -1.0),
        ("prompt_tokens", float("inf")),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
