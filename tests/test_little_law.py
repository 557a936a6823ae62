"""Little's law: worked values, limits, and the chain against a simulation of it."""

import math

import pytest
from golden_a import GIVEN, STATISTICAL, WORKED, assert_all, near

from sheetcalc.errors import InputError
from sheetcalc.quantities import little_table
from sheetcalc.studies.little_law import STUDY

PLAN = WORKED["c_plan_34"]
EXACT_NAMES = {
    "phi": "prompt_wall_share",
    "x": "replica_token_rate",
    "rho": "saturation_load",
    "lam_sat": "saturation_rate",
    "lam_mem": "memory_rate",
    "lam_slo": "target_rate",
    "lam_max": "replica_rate_limit",
    "B": "running_batch",
    "tpot": "running_tpot",
    "decode_s": "decode_duration",
    "resid_s": "stay_duration",
    "N_prefill": "prompt_wall_share",
    "N_total": "resident_now",
    "kv_bytes": "running_kv",
    "kv_bytes_with_prefill": "running_kv_with_prompts",
    "nb_r": "chain_shape",
    "nb_b": "chain_slope",
    "N_mean_exact": "mean_sequences",
    "N_sd": "sequences_sd",
    "naive_batch1": "naive_empty",
    "naive_at_mem_limit": "naive_full",
    "contraction": "chain_slope",
}


def worked():
    """The study at the worked example's own inputs, typed from the golden file."""
    c = GIVEN["c little"]
    return STUDY.evaluate(
        {
            "step_floor": c["alpha"],
            "step_rise": c["beta"],
            "prefill_request_time": c["s"] * c["r_tok"],
            "replica_rate": c["lam"],
            "prompt_tokens": c["s"],
            "output_tokens": c["o"],
            "resident_sequences": float(c["N_mem"]),
            "tpot_target": c["tpot_slo"],
            "kv_per_sequence": c["kv_seq"],
            "sequence_compute_time": c["gamma"],
        }
    )


def test_worked_values():
    result = worked()
    assert_all(result, [(name, PLAN[key]) for key, name in EXACT_NAMES.items()])
    assert_all(
        result,
        [
            ("sequences_high", PLAN["N_p99"]),
            ("chance_idle", PLAN["p_idle"]),
            ("gpu_busy", PLAN["gpu_busy"]),
            ("chance_over_memory", PLAN["p_over_mem"]),
        ],
        STATISTICAL,
    )
    assert all(map(near, result.value("repeated_guess"), PLAN["iteration"]))
    assert near(result.value("planned_batch_rate"), WORKED["c_batch128_lambda"])
    assert result.value("replica_rate_limit") == result.value("target_rate")  # the TPOT target binds


def percentile(result, share):
    """The first number of sequences that reaches the percentile, without the sheet's table."""
    slope, shape, n = result.value("chain_slope"), result.value("chain_shape"), 0
    while little_table.chance_at_most(slope, shape, n) < share:
        n += 1
    return n


@pytest.mark.parametrize("row", WORKED["c_sweep"], ids=lambda row: f"{row['lam']:g} a second")
def test_worked_rates(row):
    result = STUDY.evaluate({"replica_rate": float(row["lam"])})
    if row["status"] == "NO STEADY STATE":
        assert result.problems[0].startswith("no steady state: 10.8 req/s arrive at a replica that saturates at 10.8 req/s")
        assert not any(map(result.exists, ("unlimited_batch", "running_batch", "running_tpot", "mean_sequences", "gpu_busy")))
        return
    assert_all(
        result,
        [
            ("unlimited_batch", row["B"]),
            ("unlimited_tpot", row["tpot"]),
            ("mean_sequences", row["N_mean_exact"]),
            ("saturation_load", row["rho"]),
        ],
    )
    assert_all(result, [("chance_over_memory", row["p_over_mem"]), ("gpu_busy", row["gpu_busy"])], STATISTICAL, floor=1e-9)
    assert percentile(result, 0.99) == row["N_p99"]
    if row["status"] == "MEMORY LIMITED":
        assert result.problems[0].startswith("memory limited: ")
        assert not result.exists("running_batch") and not result.exists("running_tpot")
    else:
        assert result.status == "ok" and result.value("running_batch") == result.value("unlimited_batch")


def test_figures_of_the_specification():
    """Typed from the document, section (c), without the study's claims."""
    result = STUDY.evaluate()
    assert near(result.value("running_batch"), 27.113928448937642)
    assert near(result.value("running_tpot"), 0.015364559454397993)
    assert near(result.value("saturation_rate"), 10.830851442033152)
    assert near(result.value("memory_rate"), 10.065552400470278)
    assert near(result.value("target_rate"), 9.310221453504916)
    assert result.value("sequences_high") == 42
    assert f"{result.value('naive_single'):.2f}" == "12.51"
    assert f"{result.value('running_kv_with_prompts') / 1e9:.3f}" == "19.377"
    assert f"{result.value('sequences_high_near'):.1f}" == "41.1"
    for target, exact, whole in ((0.050, 21.48, 22), (0.020, 28.45, 29), (0.015, 34.71, 35)):
        promise = STUDY.evaluate({"tpot_target": target})
        assert f"{promise.value('tpot_replicas_exact'):.2f}" == str(exact) and promise.value("tpot_replicas") == whole
    assert STUDY.evaluate({"tpot_target": 0.015}).says("decision").startswith("Fund 35 replicas for a TPOT of 15 ms at 200 req/s")
    assert STUDY.evaluate().says("headline").startswith("A TPOT of 50 ms takes 22 replicas, $160,600/month")


def test_limits():
    assert near(STUDY.evaluate({"replica_rate": 1e-9}).value("running_tpot"), PLAN["alpha"], 1e-6)  # no load: the empty step
    short = STUDY.evaluate({"tpot_target": 0.007})
    assert short.says("decision") == "no number of replicas gives a TPOT of 7 ms: a step without any sequence takes 7 ms"
    assert not short.exists("tpot_replicas") and not short.exists("replica_rate_limit") and short.status == "infeasible"
    for name, value in (
        ("replica_rate", 0.0),
        ("output_tokens", 0.0),
        ("resident_sequences", 0.5),
        ("step_floor", -1.0),
        ("own_prefill", 0.5),
    ):
        with pytest.raises(InputError, match=name):
            STUDY.evaluate({name: value})


def test_compute_bound_replica_ends_where_compute_ends():
    """With γ > β the closed form holds up to B* = α / (γ − β); its batch is met exactly at the rate where nothing runs any more."""
    alpha, gamma = PLAN["alpha"], 2 * PLAN["beta"]
    edge = STUDY.evaluate({"sequence_compute_time": gamma}).value("saturation_rate")
    assert near(edge, 1 / (PLAN["prefill_s"] + 300 * gamma))
    last = STUDY.evaluate({"sequence_compute_time": gamma, "replica_rate": edge * (1 - 1e-9), "resident_sequences": 1000.0})
    assert near(last.value("unlimited_batch"), alpha / (gamma - PLAN["beta"]), 1e-6)
    assert STUDY.evaluate({"sequence_compute_time": gamma, "replica_rate": edge}).problems[0].startswith("no steady state")


def test_longer_answers_weigh_more():
    """C²o 1 makes the mean resident context 2,300 tokens instead of 2,150, which is the same as a step slope 2,300/2,150 as steep."""
    spread = STUDY.evaluate({"output_cv": 1.0})
    assert near(spread.value("resident_bias"), 2300 / 2150)
    assert near(spread.value("running_batch"), STUDY.evaluate({"step_rise": PLAN["beta"] * 2300 / 2150}).value("running_batch"))


def test_own_prefill_is_the_kernels_tpot():
    """The fixed point agrees with TPOT = step + (B − own) / o × prefill, for both readings of whose prompts delay a sequence."""
    for own in (0.0, 1.0):
        result = STUDY.evaluate({"own_prefill": own})
        batch, tpot = result.value("running_batch"), result.value("running_tpot")
        step = PLAN["alpha"] + PLAN["beta"] * batch
        assert near(tpot, step + (batch - own) / 300 * PLAN["prefill_s"]) and near(batch, PLAN["x"] * tpot)


def simulated_chain(rate, length_mean, speed, lengths, rng, answers=60_000):
    """Answers of random length that advance together, each at speed(n) tokens a second: mean, spread and p99 of their number over time.

    All run at the same speed, so an answer that arrives when the common clock shows c leaves when it shows c + its length.
    """
    import heapq

    clock, now, heap, held = 0.0, 0.0, [], {}
    arrivals = rng.exponential(1 / rate, answers).cumsum()
    for arrival, length in zip(arrivals, lengths(answers), strict=True):
        while True:
            n = len(heap)
            done = now + (heap[0] - clock) / speed(n) if n else math.inf
            until = min(done, arrival)
            held[n] = held.get(n, 0.0) + until - now
            clock += (until - now) * speed(n) if n else 0.0
            now = until
            if done > arrival:
                break
            clock = heapq.heappop(heap)
        heapq.heappush(heap, clock + length)
    total = sum(held.values())
    mean = sum(n * t for n, t in held.items()) / total
    sd = math.sqrt(sum((n - mean) ** 2 * t for n, t in held.items()) / total)
    seen = 0.0
    for n in sorted(held):
        seen += held[n] / total
        if seen >= 0.99:
            return mean, sd, n


@pytest.mark.parametrize("shape", ["one length", "exponential", "lognormal"])
def test_chain_against_simulation(shape):
    """Stated errors: mean within 0.4 per cent, spread within 1.3, p99 42; whatever the lengths are.

    Fewer draws here: 2 and 5 per cent, 1 sequence.
    """
    import numpy

    rng = numpy.random.default_rng(20261201)
    sigma = math.sqrt(math.log(3.0))  # lognormal with C² 2
    lengths = {
        "one length": lambda n: numpy.full(n, 300.0),
        "exponential": lambda n: rng.exponential(300.0, n),
        "lognormal": lambda n: rng.lognormal(math.log(300.0) - sigma * sigma / 2, sigma, n),
    }[shape]
    result = STUDY.evaluate()
    mean, sd, high = simulated_chain(200 / 34, 300.0, lambda n: (1 - PLAN["phi"]) / (PLAN["alpha"] + PLAN["beta"] * n), lengths, rng)
    assert near(mean, result.value("mean_sequences"), 0.02)
    assert near(sd, result.value("sequences_sd"), 0.05)
    assert abs(high - result.value("sequences_high")) <= 1


def test_the_table_can_end_before_the_percentile():
    """Near saturation more than 400 sequences run: the sheet then gives mean and spread."""
    result = STUDY.evaluate({"replica_rate": 10.5})
    assert result.value("sequences_high") == math.ceil(result.value("sequences_high_near")) > 400
