"""The two worked plans, typed from their tables (calculators A, f.1 and f.2; calculators C, i.7), without the studies' own claims."""

import math

import pytest

from sheetcalc.studies import study

GIB = 2**30
FLEET = {  # calculators A, f.1: exact values
    "prompt_load": 400000.0,
    "output_load": 60000.0,
    "prompt_over_output": 6.666666666666667,
    "weights_per_gpu": 17637500000.0,
    "kv_budget": 52962500000.0,
    "decode_context": 2150.0,
    "kv_per_token": 327680.0,
    "kv_per_sequence": 704512000.0,
    "kv_per_sequence_gpu": 176128000.0,
    "resident_sequences_exact": 300.7046011991279,
    "prefill_time": 3.5649317837291564e-05,
    "prefill_time_exact": 3.565119075088429e-05,
    "prefill_demand": 14.259727134916625,
    "ttft_compute": 0.07129863567458312,
    "step_bytes": 40181884000.0,
    "step_time": 0.015992789651741293,
    "decode_rate": 8003.606799521895,
    "decode_demand": 7.496620149253731,
    "total_demand": 21.756347284170356,
    "replicas_exact": 33.47130351410824,
    "replicas": 34,
    "gpus": 136,
    "nodes": 17,
    "cost_per_hour": 340.0,
    "cost_per_million_output": 1.5740740740740742e-6,
    "cost_per_million_total": 0.20531400966183574e-6,
    "prefill_share": 0.6554283652794889,
    "prefill_wall": 0.4260284374316678,
    "prefill_wall_whole": 0.41940373926225366,
    "decode_wall": 0.22397156256833217,
    "tpot_worst": 0.046413540872896765,
    "prefix_replicas_exact": 22.50228264109545,
    "prefix_gpus_exact": 90.0091305643818,
    "prefix_gpus": 92,
    "apart_prefill_gpus": 88,
    "apart_decode_gpus": 48,
    "apart_gpus": 136,
    "crowd_peak_rate": 462.962962962963,
    "crowd_work": 50.3619150096536,
    "crowd_work_printed": 50.46296296296297,
    "crowd_replicas": 78,
    "crowd_gpus": 312,
    "crowd_price": 1.56e-6,
    "doubled_utilization": 1.279785134362962,
    "growth_absorbed": 1.5627623311904921,
    "doubled_shed": 0.21861883440475394,
    "long_over_mean": 8.0,
    "long_over_mean_attention": 9.021424778376838,
    "long_linear_prefill": 0.570389085396665,
}
SWEEP = {  # calculators A, f.1: batch 64, 128, 192
    "sweep_step_time": [0.011506345074626865, 0.015992789651741293, 0.02047923422885572],
    "sweep_replicas_exact": [38.53373175750663, 33.47130351410824, 31.783827432975443],
    "sweep_replicas": [39, 34, 32],
    "sweep_gpus": [156, 136, 128],
    "sweep_cost_per_million_output": [1.8055555555555556e-6, 1.5740740740740742e-6, 1.4814814814814814e-6],
}
STAFF = {  # calculators A, f.2; the last three C, i.7
    "kv_per_token_layer": 4096.0,
    "conversation_kv": 2.5 * GIB,
    "staff_weights": 130.385160446167 * GIB,
    "staff_kv_room": 169.614839553833 * GIB,
    "conversations_by_print": 68.0,
    "conversations_decimal": 59,
    "card_weights": 32.59629011154175 * GIB,
    "staff_step": 0.010447761194029851,
    "staff_passes": 95.71428571428571,
    "user_speed": 57.42857142857142,
    "staff_node_rate": 3675.428571428571,
    "staff_tokens": 16e6,
    "staff_mean_rate": 555.5555555555555,
    "staff_peak_rate": 1666.6666666666665,
    "node_day": 311040000.0,
    "node_use": 0.051440329218107,
    "staff_fleet_use": 0.0257201646090535,
    "day_cover": 19.44,
    "staff_build_cost": 14400.0,
    "staff_api_high": 4800.0,
    "staff_api_low": 1440.0,
    "staff_api_workdays": 3520.0,
    "fixed_fleet_breakeven": 48e6,
    "breakeven_staff": 6000.0,
    "breakeven_peak": 5000.0,
    "breakeven_use_high": 0.07716049382716049,
    "breakeven_use_low": 0.257201646090535,
    "stated_use_price": 2.57201646090535e-6,
    "short_conversations": 136.0,
    "conversations_narrow_weights": 93.9229679107666,
    "running_free": 29.021558872305143,
    "staff_step_kv": 0.023268559092537312,
    "staff_node_rate_kv": 1650.2955703997864,
    "running_at_peak": 65.43140156903752,
    "staff_breakeven_first": 48e6,
    "staff_breakeven_lasting": 72e6,
    "hybrid_breakeven": 24e6,
}
POLICY = {
    "policy_staff_breakeven_first": [48e6, 96e6],
    "policy_staff_breakeven_lasting": [72e6, 144e6],
}  # C, i.7: none to spare, one to spare


def agree(want, got):
    return math.isclose(want, got, rel_tol=1e-12)


@pytest.mark.parametrize("name, value", FLEET.items())
def test_the_fleet_for_200_requests(name, value):
    assert agree(value, study("fleet_200_rps").evaluate().value(name))


@pytest.mark.parametrize("name, values", SWEEP.items())
def test_the_batch_sweep(name, values):
    assert all(map(agree, values, study("fleet_200_rps").evaluate().value(name)))


@pytest.mark.parametrize("name, value", STAFF.items())
def test_build_or_api_for_2000_staff(name, value):
    assert agree(value, study("build_or_api_2000_staff").evaluate().value(name))


@pytest.mark.parametrize("name, values", POLICY.items())
def test_break_even_by_policy(name, values):
    assert all(map(agree, values, study("build_or_api_2000_staff").evaluate().value(name)[:2]))


def test_at_the_low_price_no_volume_pays():
    result = study("build_or_api_2000_staff").evaluate({"api_high": 3e-6})
    assert not result.exists("staff_breakeven_lasting")
    assert "no volume makes building cheaper for good" in result.absent("staff_breakeven_lasting")


def test_half_full_contexts_fit_and_kv_reads_can_be_switched_off():
    staff = study("build_or_api_2000_staff")
    assert agree(2277.8286404699297, staff.evaluate({"context_fill": 0.5}).value("staff_node_rate_kv"))
    assert agree(0.010447761194029851, staff.evaluate({"kv_reads_on": 0.0}).value("staff_step_kv"))
