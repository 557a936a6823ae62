"""The roofline and its sixteen breaks: worked values, thresholds, limits."""

import math

import pytest
from golden_a import STATISTICAL, WORKED, assert_all, near

from sheetcalc.errors import InputError
from sheetcalc.studies.published_rows import ROWS, SWEPT
from sheetcalc.studies.roofline_breaks import STUDY

GOLDEN = WORKED["a_roofline_default"]
NAMES = {
    "W_gpu": "weights_per_gpu",
    "kv_tok": "kv_per_token",
    "ctx": "decode_context",
    "kv_budget": "kv_budget",
    "N_mem": "resident_sequences",
    "F_lin_tok": "token_flops",
    "F_attn_pre": "prefill_attention_flops",
    "t_pre_cmp": "prefill_linear_time",
    "t_pre_attn": "prefill_attention_time",
    "t_pre_mem": "weight_read_time",
    "t_pre": "ttft_compute",
    "alpha": "weight_read_time",
    "beta": "kv_read_time",
    "gamma": "sequence_compute_time",
    "step": "line_step",
    "tput": "line_rate",
    "w_req": "line_work",
    "req_s": "line_request_rate",
    "ridge_tokens_prefill": "ridge_chunk",
    "n_broken": "broken_checks",
    "step_corrected": "corrected_step",
    "tpot_corrected": "corrected_tpot",
    "w_req_corrected": "corrected_work",
    "req_s_corrected": "corrected_request_rate",
    "optimism": "optimism",
    "replicas_plan": "line_replicas",
    "replicas_corrected": "corrected_replicas",
}
CHECKS = {
    "B01": ("host_share", "host_small"),
    "B02": ("reduce_share", "reduce_small"),
    "B03": ("prefill_reduce_share", "prefill_reduce_small"),
    "B04": ("implied_gemm_mfu", "gemm_credible"),
    "B05": ("attention_part", "attention_small"),
    "B06": ("chunk_ratio", "chunk_long"),
    "B07": ("ridge_use", "memory_binds"),
    "B08": ("interference", "interference_small"),
    "B09": ("batch_ratio", "batch_real"),
    "B10": ("context_bias", "context_fair"),
    "B11": ("block_waste", "blocks_tight"),
    "B12": ("overflow_chance", "overflow_rare"),
    "B13": ("wait_ratio", "wait_short"),
    "B14": ("expert_excess", "experts_few"),
    "B15": ("clock_ratio", "clock_holds"),
    "B16": ("kv_copies", "kv_single"),
}
FACTORS = {
    "B01": "host_factor",
    "B02": "reduce_factor",
    "B05": "attention_factor",
    "B08": "interference",
    "B10": "context_bias",
    "B11": "block_factor",
}


def test_worked_line():
    result = STUDY.evaluate()
    assert_all(result, [(name, GOLDEN[key]) for key, name in NAMES.items()])
    assert near(result.value("line_cost") * 1e6, GOLDEN["usd_M_out"])
    assert near(result.value("kv_per_token") / result.value("kv_shards"), GOLDEN["kv_tok_gpu"])
    assert not result.exists("ridge_batch") and GOLDEN["ridge_B"] is None
    assert result.absent("ridge_batch").startswith("never bound by arithmetic at this context")


@pytest.mark.parametrize("row", GOLDEN["checks"], ids=lambda row: row["id"])
def test_worked_checks(row):
    metric, verdict = CHECKS[row["id"]]
    result = STUDY.evaluate()
    assert near(result.value(metric), row["metric"], STATISTICAL if row["id"] == "B12" else 1e-9)
    assert bool(result.value(verdict)) is not row["broken"]
    assert near(result.value(FACTORS[row["id"]]) if row["id"] in FACTORS else 1.0, row["factor"])
    told = {c["name"]: c for c in result.checks}[verdict]
    assert told["kind"] == "alert" and told["ok"] is not row["broken"] and told["label"].startswith(row["id"])
    assert not row["broken"] or told["says"].startswith(row["id"])


BREAKS = {
    "host_small": {"step_overhead": 2e-3},
    "reduce_small": {"all_reduce_latency": 8e-6},
    "prefill_reduce_small": {"all_reduce_bandwidth": 350e9},
    "gemm_credible": {"mfu": 0.55},
    "attention_small": {"prompt_tokens": 11_000.0, "batch": 32.0},
    "chunk_long": {"chunk": 350.0},
    "memory_binds": {"kv_heads": 1.0, "batch": 250.0, "gpus_per_replica": 1.0, "hbm": 400e9, "prompt_tokens": 500.0, "replica_rate": 1.0},
    "interference_small": {"replica_rate": 3.0},
    "batch_real": {"batch": 60.0},
    "context_fair": {"output_cv": 0.9},
    "blocks_tight": {"block": 256.0},
    "overflow_rare": {"memory_reserve": 50.5e9, "batch": 10.0},
    "wait_short": {"replica_rate": 5.0},
    "experts_few": {"experts": 8.0, "experts_per_token": 2.0, "expert_params": 50e9},
    "clock_holds": {"clock_ratio": 0.94},
    "kv_single": {"kv_heads": 2.0},
}
HOLDS = {
    "reduce_small": {"all_reduce_latency": 0.0},
    "prefill_reduce_small": {"all_reduce_bandwidth": 500e9},
    "interference_small": {"replica_rate": 2.7},
    "batch_real": {"batch": 41.0},
    "context_fair": {"output_cv": 0.8},
    "wait_short": {"replica_rate": 1.0},
}


@pytest.mark.parametrize("verdict", BREAKS)
def test_each_check_can_break_and_hold(verdict):
    """No check that cannot fail: each one broken by an input, and holding under another."""
    assert STUDY.evaluate(BREAKS[verdict]).value(verdict) == 0
    assert STUDY.evaluate(HOLDS.get(verdict, {})).value(verdict) == 1


def test_figures_of_the_specification():
    """Typed from the document, section (a), without the study's claims."""
    result = STUDY.evaluate()
    assert near(result.value("line_step"), 0.015992789651741293)
    assert near(result.value("line_work"), 0.11010636502115495)
    assert near(STUDY.evaluate({"attention_on": 0.0}).value("line_work"), 0.10878173642085178)
    assert near(result.value("corrected_step"), 0.020976852259843637) and near(result.value("corrected_work"), 0.12178776175889483)
    assert near(result.value("optimism"), 1.106091929703569)
    assert f"{result.value('ridge_chunk'):.2f}" == "196.92" and f"{result.value('attention_limit_prompt'):,.0f}" == "10,765"
    assert result.value("contingency_gpus") == 16 and result.value("contingency_per_hour") == 40
    assert near(result.value("contingency_per_month"), 29_200)
    assert [n for n, (_, v) in CHECKS.items() if not result.value(v)] == ["B02", "B03", "B08", "B09", "B10", "B13"]


def test_decision_is_the_reserve():
    assert STUDY.evaluate().says("decision").startswith("Fund 10.6% above the data sheet as a named reserve of $29,200/month")
    assert STUDY.evaluate().says("headline") == "Hold 16 GPUs, $29,200/month, in reserve: 6 of sixteen checks are broken"


def test_limits():
    big = STUDY.evaluate({"params": 350e9})
    assert big.problems[0].startswith("weights do not fit: 87.5 GB a GPU on 70.6 GB")
    assert not any(map(big.exists, ("kv_budget", "resident_sequences", "line_step", "line_work", "optimism", "contingency_per_month")))
    flooded = STUDY.evaluate({"replica_rate": 12.0})
    assert flooded.problems[0].startswith("no steady state") and not flooded.exists("interference") and not flooded.exists("batch_ratio")
    tight = STUDY.evaluate({"mfu": 1.0, "all_reduce_bandwidth": 200e9})
    assert not tight.exists("implied_gemm_mfu") and tight.absent("implied_gemm_mfu").startswith("mfu is too high")
    for name, value in (("mfu", 0.0), ("mbu", 1.1), ("chunk", 0.0), ("block", 0.0), ("clock_ratio", 0.0), ("memory_fraction", 1.5)):
        with pytest.raises(InputError, match=name):
            STUDY.evaluate({name: value})


def test_interference_is_not_work():
    """B08 lengthens TPOT and leaves the replica time of a request alone."""
    calm, busy = STUDY.evaluate({"replica_rate": 1.0}), STUDY.evaluate()
    assert calm.value("corrected_tpot") < busy.value("corrected_tpot") and calm.value("corrected_work") == busy.value("corrected_work")


def test_arithmetic_binds_from_the_ridge_batch_on():
    """Where γ > β the two sides of the roofline meet at B* = α / (γ − β)."""
    change = BREAKS["memory_binds"]
    ridge = STUDY.evaluate(change).value("ridge_batch")
    at = STUDY.evaluate(change | {"batch": ridge})
    assert near(at.value("memory_time"), at.value("compute_time")) and math.isclose(at.value("ridge_use"), 1.0, rel_tol=1e-9)


def test_each_published_row_is_the_study_at_its_inputs():
    """Prediction, correction and batch of a row are single evaluations with the row's inputs typed."""
    result = STUDY.evaluate()
    columns = ("batch", "predicted", "corrected", "published", "ratio", "corrected_ratio")
    rows = list(zip(*(result.value(f"backtest_{name}") for name in columns), strict=True))
    assert len(rows) == len(ROWS) == result.value("backtest_rows") == 40
    for typed, (batch, predicted, corrected, published, ratio, corrected_ratio) in zip(ROWS, rows, strict=True):
        gpus, output = typed["gpus_per_replica"], typed["output_tokens"]
        one = STUDY.evaluate({name: typed[name] for name in SWEPT} | {"batch": batch, "all_reduce_on": float(gpus > 1)})
        assert near(batch, min(2048, 0.95 * one.value("resident_sequences_exact")))
        assert near(predicted, output / one.value("line_work") / gpus) and near(corrected, output / one.value("corrected_work") / gpus)
        assert near(published, typed["rate"] / gpus)
        assert near(ratio, predicted / published) and near(corrected_ratio, corrected / published)


def twenty_lines(run):
    """Output tokens a second as the document writes it, with its own letters."""
    g, s, o, P, L, Hkv, dh = (
        run[n] for n in ("gpus_per_replica", "prompt_tokens", "output_tokens", "params", "layers", "kv_heads", "head_size")
    )
    F, BW, kg, ctx, W = g * 1979e12 * 0.5, run["bandwidth"] * 0.75, 2 * L * Hkv * dh / min(g, Hkv), s + o / 2, P / g
    N = min(2048, 0.95 * (run["hbm"] - W - 3e9) / (kg * ctx))
    step = max((W + kg * ctx * N) / BW, N * (2 * P + 4 * L * run["query_heads"] * dh * ctx) / F)
    t_pre = max((2 * P * s + 2 * L * run["query_heads"] * dh * s * s) / F, W / BW)
    return 1 / (t_pre / o + step / N)


def test_published_rows_against_the_specification():
    """Its table: 30 of 40 within 30%, all within a factor of two, 32 corrected, the same worst row; prompt-heavy rows at 0.85 to 1.07."""
    result = STUDY.evaluate()
    predicted = result.value("backtest_predicted")
    assert all(near(p * row["gpus_per_replica"], twenty_lines(row)) for p, row in zip(predicted, ROWS, strict=True))
    assert [result.value(f"backtest_rows_{n}") for n in ("near", "double", "near_corrected")] == [30, 40, 32]
    assert result.value("backtest_worst") == "70B, 2 H100, 128 in, 2,048 out"
    heavy = [r for r, row in zip(result.value("backtest_ratio"), ROWS, strict=True) if row["prompt_tokens"] >= 10 * row["output_tokens"]]
    assert len(heavy) == 12 and min(heavy) >= 0.85 and max(heavy) < 1.07
    linear = STUDY.evaluate({"attention_on": 0.0})  # the document's means come out without attention, to rounding of its parameters
    assert math.isclose(linear.value("backtest_mean"), 1.170, rel_tol=2e-3)
    assert math.isclose(linear.value("backtest_mean_corrected"), 1.076, rel_tol=4e-3)


def test_published_rows_say_how_far_off():
    assert STUDY.evaluate().says("backtest") == (
        "The roofline is within 30% on 30 of 40 published rows, at 1.15 x the measured rate on average"
    )
    assert STUDY.evaluate({"backtest_band": 0.10}).value("backtest_rows_near") == sum(
        0.9 <= r <= 1.1 for r in STUDY.evaluate().value("backtest_ratio")
    )
    plan = {"params": 350e9, "gpus_per_replica": 8.0, "residency_rule": "reserved", "output_cv": 0.5, "memory_reserve": 9e9}
    assert STUDY.evaluate(plan).value("backtest_ratio") == STUDY.evaluate().value("backtest_ratio")
    assert STUDY.evaluate({"mfu": 0.4}).value("backtest_mean") < STUDY.evaluate().value("backtest_mean")


def test_full_memory_runs_whole_sequences():
    """A memory filled to the brim holds whole sequences, so that no prediction is lost."""
    full = STUDY.evaluate({"saturated_fill": 1.0})
    assert min(full.value("backtest_batch")) == 19 and full.exists("backtest_mean") and full.value("backtest_rows_double") == 40
