"""The capacity unit against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

import pytest
from golden_b import RESULTS, missing, near

from sheetcalc.errors import InputError
from sheetcalc.studies.capacity_unit import POOLS, STUDY

GOLDEN = RESULTS["g_capacity_unit"]
RESULT = STUDY.evaluate()
BY_POOL = {
    "replicas": "pool_replicas",
    "cu_gpu": "unit_per_gpu",
    "cu_pool": "pool_units",
    "usd_per_cu": "unit_cost",
    "t_prefill": "pool_prefill_time",
    "a": "step_start",
    "b": "step_slope",
    "b_compute": "compute_step_slope",
    "B_max": "pool_kv_batch",
    "l_tpot": "unit_by_tpot",
    "l_tpot_compute": "unit_by_compute",
    "l_ttft": "unit_by_ttft",
    "l_kv": "unit_by_memory",
    "lam": "replica_unit",
    "rho_ttft": "unit_prompt_load",
    "share_gpu_count": "gpu_routed_share",
    "share_cu": "unit_routed_share",
    "load_vs_cu_gpu_route": "gpu_routed_use",
}
SCALARS = {
    "total_cu": "fleet_units",
    "total_gpus": "fleet_gpus",
    "demand": "unit_demand",
    "naive_total_by_gpu_count": "counted_as_first",
    "naive_error": "counting_error_first",
    "naive_total_as_last": "counted_as_last",
    "naive_error_as_last": "counting_error_last",
    "max_demand_gpu_route": "gpu_routing_capacity",
    "stranded_by_gpu_route": "stranded_share",
    "cu_ratio_last_to_first": "unit_ratio",
    "fleet_usd_h": "fleet_cost",
    "usd_per_cu_fleet": "fleet_unit_cost",
    "cheapest": "cheapest_growth",
}


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden_scalars(symbol, name):
    assert RESULT.value(name) == (GOLDEN[symbol] if isinstance(GOLDEN[symbol], str) else near(GOLDEN[symbol]))


@pytest.mark.parametrize("row", range(len(POOLS)))
@pytest.mark.parametrize("symbol, name", BY_POOL.items())
def test_golden_by_pool(row, symbol, name):
    assert RESULT.value(name)[row] == near(GOLDEN["pools"][row][symbol])


@pytest.mark.parametrize("row", range(len(POOLS)))
@pytest.mark.parametrize("route, prefix", [("route_gpu", "gpu_routed"), ("route_cu", "unit_routed")])
def test_golden_routes(row, route, prefix):
    want = GOLDEN["pools"][row][route]
    for symbol in ("tpot", "ttft"):
        found = RESULT.value(f"{prefix}_{symbol}")[row]
        assert missing(found) if want[symbol] is None else found == near(want[symbol])
    assert (RESULT.value(f"{prefix}_holds")[row] == 1) == want["ok"]
    assert (RESULT.value(f"{prefix}_stable")[row] == 0) == bool(want["why"])


def test_golden_binding_growth_and_mixes():
    assert RESULT.value("unit_binding") == [row["binding"] for row in GOLDEN["pools"]]
    assert RESULT.value("growth_gpus") == [row["gpus"] for row in GOLDEN["buy"]]
    assert RESULT.value("growth_cost") == [row["usd_h"] for row in GOLDEN["buy"]]
    for row, want in enumerate(GOLDEN["mixes"]):
        assert RESULT.value("mixes_unit_per_gpu")[row] == [near(x) for x in want["cu_gpu"]]
        assert RESULT.value("mixes_unit_ratio")[row] == near(want["ratio"])


def test_typed_from_the_text():
    """2.80 a GPU, 144 % of capacity, 37.5 % and 75 % wrong, $70 against $60, TTFT binds one pool and TPOT the other."""
    assert RESULT.value("unit_ratio") == pytest.approx(2.80, abs=5e-3)
    assert RESULT.value("first_pool_use") == pytest.approx(1.44, abs=5e-3)
    assert RESULT.value("counting_error_first") == pytest.approx(-0.375, abs=5e-4)
    assert RESULT.value("counting_error_last") == pytest.approx(0.75, abs=5e-3)
    assert RESULT.value("growth_cost") == [70, 60]
    assert RESULT.value("unit_binding") == ["TTFT", "TPOT"]
    assert RESULT.value("unit_by_ttft")[0] == near(7.359376492524212)
    assert RESULT.value("gpu_routed_holds") == [0, 1] and RESULT.value("unit_routed_holds") == [1, 1]


def test_identical_pools_strand_nothing():
    same = {n: [RESULT.value(n)[1]] * 2 for n in ("hbm", "bandwidth", "peak_compute", "attention_peak", "link_bandwidth", "gpu_hour_price")}
    found = STUDY.evaluate(same)
    assert found.value("stranded_share") == pytest.approx(0, abs=1e-12)
    assert found.value("counting_error_first") == pytest.approx(0, abs=1e-12)
    assert found.value("gpu_routing_holds") == 1


@pytest.mark.parametrize("mix", [(500.0, 800.0), (2000.0, 300.0), (3000.0, 300.0)])
def test_at_full_capacity_every_pool_holds(mix):
    found = STUDY.evaluate({"load_share": 1.0, "prompt_tokens": mix[0], "output_tokens": mix[1]})
    assert found.value("unit_routing_holds") == 1


def test_each_limit_plugged_back_gives_its_target():
    for pool in range(2):
        prefill, start, work = (RESULT.value(n)[pool] for n in ("pool_prefill_time", "step_start", "pool_request_work"))
        rate = RESULT.value("unit_by_tpot")[pool]
        assert start / (1 - rate * work) == near(0.040)
        rate, fits = RESULT.value("unit_by_memory")[pool], RESULT.value("pool_kv_batch")[pool]
        assert rate * 300 * start / (1 - rate * work) == near(fits)
        load = RESULT.value("unit_by_ttft")[pool] * prefill
        everybody_waits = 2.995732273553991 * prefill * 2 / (2 * (1 - load))
        assert everybody_waits + prefill + 0.040 == near(0.60)
        rate, start, work = (RESULT.value(n)[pool] for n in ("unit_by_compute", "compute_step_start", "pool_compute_work"))
        assert start / (1 - rate * work) == near(0.040)


def test_a_target_below_an_empty_step_gives_no_unit():
    found = STUDY.evaluate({"tpot_target": 0.006})
    assert found.value("replica_unit")[0] == 0 and found.value("unit_binding")[0] == "TPOT"
    assert missing(found.value("unit_cost")[0]) and missing(found.value("unit_ratio"))
    assert found.value("replica_unit")[1] > 0 and found.value("cheapest_growth") == "B200"
    assert "only B200 serves" in found.says("headline")


def test_a_target_that_no_pool_meets_is_infeasible():
    found = STUDY.evaluate({"ttft_target": 0.05})
    assert found.problems[0] == "no pool can serve this mix within TTFT and TPOT; loosen a target or use more GPUs a replica"


def test_weights_that_do_not_fit_give_no_unit():
    assert STUDY.evaluate({"params": 400e9}).value("replica_unit")[0] == 0


def test_gpus_that_are_no_whole_replicas_are_said():
    found = STUDY.evaluate({"pool_gpus": [66.0, 32.0]})
    assert "a pool's GPUs are not a multiple of its GPUs per replica; change one of them" in found.problems


def test_an_entered_demand_is_used_and_too_much_of_it_is_said():
    assert STUDY.evaluate({"own_demand": 100.0}).value("unit_demand") == 100
    found = STUDY.evaluate({"own_demand": 400.0})
    assert found.problems == ["even routed by capacity a pool misses its targets: the demand is 400 req/s of 283 req/s"]


@pytest.mark.parametrize(
    "name, value",
    [
        ("ttft_target", 0.0),
        ("tpot_target", -0.01),
        ("pool_gpus", [0.0, 32.0]),
        ("load_share", 0.0),
        ("growth_rate", 0.0),
        ("own_demand", -3.0),
        ("first_pool", "A100"),
        ("prompt_tokens", float("nan")),
        ("gpu_hour_price", [2.5, float("inf")]),
        ("gpus_per_replica", [4.0, 2.5]),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})
