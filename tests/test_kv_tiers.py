"""KV tiers and drives: worked values of six models, eight sets of drives and three admission rules; limits."""

import pytest
from golden_a import GIVEN, WORKED, assert_all, near

from sheetcalc.errors import InputError
from sheetcalc.studies.kv_tiers import NAMES, STUDY

FP8, BF16 = GIVEN["gpus"]["H100-SXM"]["F_fp8"], GIVEN["gpus"]["H100-SXM"]["F_bf16"]
MODELS = {
    "b_70b_fp8_tp4": ("llama-3.3-70b", FP8, 4),
    "b_70b_bf16_tp4": ("llama-3.3-70b", BF16, 4),
    "b_8b_fp8_tp1": ("llama-3.1-8b", FP8, 1),
    "b_8b_bf16_tp1": ("llama-3.1-8b", BF16, 1),
    "b_3b_fp8_tp1": ("llama-3.2-3b", FP8, 1),
    "b_1b_bf16_tp1": ("llama-3.2-1b", BF16, 1),
}
ROW = {
    "fetch_per_token": "tier_fetch",
    "net_per_token_linear": "tier_net_linear",
    "net_per_token": "tier_net",
    "n_star": "tier_minimum_prefix",
    "ttft_saved": "tier_ttft_saved",
    "max_idle_hours_one_hit": "tier_idle_limit",
}
PER_MILLION = {"value_usd_per_Mtok_hit": "tier_value", "hold_usd_per_Mtok_hour": "tier_hold", "write_usd_per_Mtok": "tier_write"}
DRIVES = {
    "rate_wanted": "write_wanted",
    "rate_written": "write_rate",
    "dropped_frac": "write_dropped",
    "life_days": "drive_life",
    "life_days_uncapped": "drive_life_unlimited",
    "dwpd_needed_for_target": "needed_writes_per_day",
    "write_frac_for_target": "lasting_write_share",
    "drives_for_target": "lasting_drives",
    "replace_usd_per_year": "wear_cost",
}
EIGHT = {"active_params": 8.03e9, "kv_layers": 32.0, "query_heads": 32.0, "gpus_per_replica": 1.0}
FLAT_OUT, FLAT_OUT_8B = FP8 * 4 * 0.5 / (2 * 70.55e9), FP8 * 0.5 / (2 * 8.03e9)
CASES = {
    "client_4TB_2400TBW_plan_load": {"drives": 1.0, "drive_capacity": 4e12, "drive_endurance_rated": 2.4e15, "drive_price": 350.0},
    "dc_3.84TB_1DWPD_plan_load": {"drives": 1.0},
    "dc_1.92TB_1DWPD_plan_load": {"drives": 1.0, "drive_capacity": 1.92e12, "drive_price": 350.0},
    "dc_3.84TB_1DWPD_flat_out_prefill": {"drives": 1.0, "replica_tokens": FLAT_OUT},
    "four_3.84TB_1DWPD_plan_load": {},
    "four_3.84TB_3DWPD_plan_load": {"drive_writes_per_day": 3.0},
    "8b_one_3.84TB_flat_out": EIGHT | {"drives": 1.0, "replica_tokens": FLAT_OUT_8B},
    "four_3.84TB_1DWPD_write_4pct": {"write_share": 0.04},
}
ECONOMICS = {
    "b_econ_write_through_10pct": {},
    "b_econ_filtered_4pct_writes_10pct": {"write_share": 0.04},
    "b_econ_write_through_50pct": {"drive_hit_share": 0.5},
}


def model_inputs(name, peak, gpus):
    m = GIVEN["models"][name]
    return {
        "active_params": m["P"],
        "kv_layers": float(m["L"]),
        "query_heads": float(m["Hq"]),
        "kv_heads": float(m["Hkv"]),
        "head_size": float(m["dh"]),
        "query_head_size": float(m["dh"]),
        "peak_compute": peak,
        "attention_peak": peak,
        "gpus_per_replica": float(gpus),
    }


@pytest.mark.parametrize("key", MODELS)
def test_worked_tiers(key):
    wanted, result = WORKED[key], STUDY.evaluate(model_inputs(*MODELS[key]))
    assert_all(
        result,
        [
            ("kv_per_token", wanted["kappa"]),
            ("prefill_time", wanted["a_rec"]),
            ("attention_curve", wanted["b_rec"]),
            ("recompute_per_token", wanted["rec_per_token"]),
            ("recompute_cost", wanted["rec_usd_per_Mtok"] / 1e6),
            ("breakeven_bandwidth", wanted["bw_break_even_per_gpu"]),
            ("breakeven_bandwidth", wanted["kv_production_per_gpu"]),
        ],
        floor=0,
    )
    assert len(wanted["tiers"]) == len(NAMES)
    for i, row in enumerate(wanted["tiers"]):
        for column, name in ROW.items():
            assert near(result.value(name)[i], row[column], floor=1e-15), (row["tier"], name)
        for column, name in PER_MILLION.items():
            assert near(result.value(name)[i] * 1e6, row[column]), (row["tier"], name)
        assert result.value("tier_verdict")[i] == row["verdict"]
        hits = result.value("tier_hits_per_write")[i]
        assert hits != hits if row["reuse_break_even_write_only"] == "inf" else near(hits, row["reuse_break_even_write_only"])


@pytest.mark.parametrize("place, key", list(enumerate(MODELS)))
def test_table_of_models_is_the_study_again(place, key):
    result = STUDY.evaluate()
    assert near(result.value("models_breakeven_bandwidth")[place], WORKED[key]["bw_break_even_per_gpu"])
    for i, row in enumerate(WORKED[key]["tiers"]):
        assert near(result.value("models_tier_net")[place][i], row["net_per_token"])
        assert result.value("models_tier_verdict")[place][i] == row["verdict"]


@pytest.mark.parametrize("key", CASES)
def test_worked_drives(key):
    wanted, result = WORKED["b_wear"][key], STUDY.evaluate(CASES[key])
    assert_all(result, [(name, wanted[column]) for column, name in DRIVES.items()])
    assert near(result.value("written_per_day"), wanted["tb_per_day"] * 1e12)
    assert near(result.value("drives") * result.value("drive_endurance"), wanted["tbw_total"])


@pytest.mark.parametrize("key", ECONOMICS)
def test_worked_economics(key):
    wanted, result = WORKED[key], STUDY.evaluate(ECONOMICS[key])
    assert_all(
        result,
        [
            ("drive_value", wanted["value_usd_year"]),
            ("wear_cost", wanted["wear_usd_year"]),
            ("ageing_cost", wanted["ageing_usd_year"]),
            ("drive_result", wanted["net_usd_year"]),
            ("breakeven_hit_share", wanted["hit_share_break_even"]),
        ],
    )


def test_worked_portfolio():
    wanted, result = WORKED["b_portfolio"], STUDY.evaluate()
    assert_all(
        result,
        [
            ("portfolio_saved", wanted["total_replica_s"]),
            ("portfolio_gpus", wanted["total_gpus"]),
            ("portfolio_money", wanted["total_usd_hour"]),
            ("portfolio_money_per_month", wanted["total_usd_month"]),
        ],
    )
    by_tier = dict(
        zip(
            NAMES,
            zip(*(result.value(n) for n in ("tier_hit_share", "tier_saved", "tier_gpus_saved", "tier_money_saved")), strict=True),
            strict=True,
        )
    )
    for row, name in zip(wanted["rows"], (NAMES[0], NAMES[1], NAMES[3], NAMES[4]), strict=True):
        assert all(map(near, by_tier[name], (row["hit"], row["replica_s_saved"], row["gpus_saved"], row["usd_hour_saved"])))


def test_figures_of_the_specification():
    """Typed from the document, section (b), without the study's claims."""
    result = STUDY.evaluate()
    assert near(result.value("breakeven_bandwidth"), 2_297_940_184, 1e-9)
    assert [f"{x * 1e6:.2f}" for x in result.value("tier_net")] == ["36.31", "34.65", "36.07", "23.46", "18.93"]
    assert [f"{x:.1f}" for x in result.value("tier_minimum_prefix")] == ["0.0", "1.5", "0.6", "21.7", "103.6"]
    small = STUDY.evaluate(EIGHT)
    assert [f"{x * 1e6:.2f}" for x in small.value("tier_net")] == ["16.76", "14.11", "16.39", "-3.65", "-10.45"]
    assert f"{small.value('tier_minimum_prefix')[3]:,.0f}" == "14,977" and small.value("tier_verdict")[3:] == ["should not exist"] * 2
    assert f"{STUDY.evaluate(CASES['client_4TB_2400TBW_plan_load']).value('drive_life'):.2f}" == "6.27"
    assert f"{result.value('drive_life'):.1f}" == "73.2" and f"{result.value('lasting_write_share'):.2%}" == "4.01%"
    assert f"{result.value('drive_result'):,.0f}" == "-8,251" and f"{result.value('breakeven_hit_share'):.1%}" == "32.2%"
    assert f"{result.value('portfolio_gpus'):.1f}" == "38.8" and f"{result.value('portfolio_money'):.1f}" == "96.9"
    filtered = STUDY.evaluate({"write_share": 0.04})
    assert f"{filtered.value('drive_value') - filtered.value('wear_cost'):,.1f}" == "3,240.6"  # the document's correction
    assert f"{filtered.value('drive_result'):,.1f}" == "3,239.4" == f"{result.value('lasting_result'):,.1f}"


def test_decision_is_the_admission_rule():
    assert (
        STUDY.evaluate()
        .says("decision")
        .startswith(
            "Buy the drives only with an admission rule, worth $3,239/year a replica: writing 100% wears them out in 73 days, writing"
        )
    )
    assert STUDY.evaluate().says("headline") == (
        "Admit 4.0% of the cache to the drives: that makes $3,239/year a replica, writing 100% makes −$8,251/year"
    )
    assert STUDY.evaluate(EIGHT).says("headline") == "Buy no drives: recomputing is faster than fetching from local NVMe"
    assert STUDY.evaluate({"drive_hit_share": 0.5}).says("headline") == "Buy the drives: they make $6,627/year a replica and live 73 days"


def test_drives_that_last_anyhow_and_are_hit_too_seldom():
    """Little traffic: everything may be written, and the drives still cost more by age than their few hits are worth."""
    quiet = STUDY.evaluate({"replica_tokens": 150.0, "replica_prompt_tokens": 130.0})
    assert quiet.value("lasting_write_share") == 1 and quiet.value("drive_life") > 5 * 365
    assert quiet.says("headline") == "Buy no drives yet: hits of 10% are worth $41/year, and the drives age by $480/year"
    assert quiet.says("decision") == "No hit share pays for the drives: if every prompt token hit, that would be worth $411/year."
    more = STUDY.evaluate({"replica_tokens": 150.0, "replica_prompt_tokens": 300.0})
    assert more.says("decision").startswith("The drives pay from a hit share of 50.6%")


def test_limits():
    nothing = STUDY.evaluate({"write_share": 0.0})
    assert nothing.absent("drive_life") == "nothing is written: no drive wears out" and not nothing.exists("drive_life")
    assert nothing.status == "ok"
    too_many = STUDY.evaluate({"tier_hit_share": [0.5, 0.4, 0.0, 0.1, 0.05]})
    assert too_many.problems == ["the hit shares of the tiers add up to 105%, more than all prompt tokens"] and not too_many.exists(
        "portfolio_gpus"
    )
    loses = STUDY.evaluate(EIGHT)
    assert loses.absent("breakeven_hit_share") == "recomputing is faster than fetching from local NVMe: no hit share pays for the drives"
    overlapped = STUDY.evaluate(EIGHT | {"stall_share": 0.0})
    assert set(overlapped.value("tier_verdict")) == {"pays"}  # perfect overlap: every tier is worth something
    half = STUDY.evaluate({"bytes_per_kv": 1.0})
    assert near(half.value("drive_life"), 2 * STUDY.evaluate().value("drive_life")) and near(
        half.value("tier_fetch")[3], 6.3015384615384615e-06
    )
    for name, value in (("mfu", 0.0), ("write_share", 1.1), ("drives", 0.0), ("stall_share", -0.1), ("drive_tier", "tape")):
        with pytest.raises(InputError, match=name):
            STUDY.evaluate({name: value})


def test_break_even_bandwidth_does_not_depend_on_tensor_parallelism():
    """Up to the number of KV heads; beyond it the cache is copied and each GPU must fetch as much with less to recompute."""

    def at(gpus):
        return STUDY.evaluate({"gpus_per_replica": gpus}).value("breakeven_bandwidth")

    assert near(at(1.0), at(4.0)) and near(at(8.0), at(4.0)) and near(at(16.0), 2 * at(4.0))


def test_shortest_prefix_is_where_a_fetch_breaks_even():
    """At the shortest prefix of a slow tier the time won is 0."""
    for gpus in (EIGHT, {}):
        shortest = STUDY.evaluate(gpus).value("tier_minimum_prefix")
        for i in (1, 2, 3, 4):
            assert abs(STUDY.evaluate(gpus | {"prefix_tokens": shortest[i]}).value("tier_net")[i]) < 1e-12
