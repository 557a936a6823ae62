"""The profile's constants fitted to runs of one configuration, from the published defaults, with their uncertainty.

The defaults are where the fit starts and what it is held to: a constant moves only as far as the runs pull it, so that one run gives a
usable answer and many runs decide alone. Errors of measurement and the spread of the defaults are those of the backtest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sheetcalc import catalogue
from sheetcalc.calibrate import ceilings, solve
from sheetcalc.calibrate.checks import LATENCY
from sheetcalc.calibrate.facts import Machine
from sheetcalc.calibrate.form import MEASURED, MODEL_FACTS, Rows, predict
from sheetcalc.calibrate.run import OFFLINE, Run
from sheetcalc.catalogue import fitted

NOISE = {
    "tpot_s": 0.05,
    "output_tok_s": 0.05,
    "ttft_s": 0.15,
}  # log error of one measurement: releases of one engine differ by 5 % in the median
SPREAD = {  # log spread of a default from one configuration to the next, and the bounds in base units
    "mfu": (0.30, 0.02, 1.0),
    "mbu": (0.30, 0.05, 1.0),
    "layer_overhead": (0.50, 1e-7, 1e-3),
    "ttft_layer_overhead": (0.70, 1e-7, 0.1),
    "ttft_prefill_factor": (0.50, 0.1, 20.0),
    "ttft_queue_slope": (0.70, 1e-4, 5.0),
}
SPEED = ("mfu", "mbu", "layer_overhead")
UNITS = {"mfu": "%", "mbu": "%", "layer_overhead": "µs", "ttft_layer_overhead": "ms", "ttft_prefill_factor": "x", "ttft_queue_slope": ""}
NINETY = 1.645  # standard errors in each direction that hold 90 %
SOFT = 2.0  # standard deviations within which a measurement counts in full


class Constant(NamedTuple):
    """A fitted constant with the range that holds it nine times in ten; both in base units."""

    value: float
    low: float
    high: float


class Fit(NamedTuple):
    """What the runs say: constants, and median errors before and after by kind of figure (left out one by one from three runs on)."""

    constants: dict[str, Constant]
    before: dict[str, float]
    after: dict[str, float]
    left_out: bool
    at_ceiling: tuple[str, ...] = ()


def geometry(machine: Machine, model: dict[str, Any] | None = None) -> dict[str, float]:
    """The kernel's inputs that a configuration settles, in base units."""
    facts = model or catalogue.read("models").rows[machine.model]
    gpu, formats = catalogue.read("gpus").rows[machine.gpu], catalogue.read("formats").rows
    compute = compute_format(machine)
    return {
        "gpus_per_replica": machine.gpus_per_replica,
        "hbm": gpu["hbm"],
        "bandwidth": gpu["bandwidth"],
        "peak_compute": gpu[f"peak_{compute.lower()}"],
        "attention_peak": gpu["peak_bf16"],
        "link_bandwidth": gpu["link"],
        "bytes_per_weight": formats[machine.weight_format]["bytes_per_weight"],
        "bytes_per_kv": formats[machine.kv_format]["bytes_per_kv"],
        "query_head_size": facts["query_head_dim"],
        "head_size": facts["head_dim"],
        **{name: facts[name] for name in MODEL_FACTS},
    }


def compute_format(machine: Machine) -> str:
    """The format that the products run in: BF16 where the GPU has no units for the weights' own."""
    wanted = catalogue.read("formats").rows[machine.weight_format]["compute"]
    return wanted if catalogue.read("gpus").rows[machine.gpu][f"peak_{wanted.lower()}"] else "BF16"


def defaults(machine: Machine) -> dict[str, float]:
    """The published constants of a configuration, in base units."""
    by_gpu, engine, shared = fitted.by_gpu()[machine.gpu, compute_format(machine)], fitted.engines()[machine.engine], fitted.constants()
    return {
        **{n: shared[n] for n in ("tp_layer_cost", "link_share", "moe_layer_overhead", "sequence_overhead", "moe_mfu_factor")},
        "mfu": by_gpu["mfu"],
        "mbu": by_gpu["mbu"],
        **{n: engine[n] for n in SPREAD if n in engine},
    }


def rows(machine: Machine, runs: list[tuple[Run, float]], model: dict[str, Any] | None = None) -> Rows:
    """A row for each figure of each run that can set a constant."""
    about: dict[str, list] = {"measured": [], "metric": [], "latency_bound": [], "run": []}
    inputs: dict[str, list] = {
        "concurrency": [],
        "arrival_rate": [],
        "replicas": [],
        "prompt_tokens": [],
        "uncached_tokens": [],
        "output_tokens": [],
    }
    for i, (run, replicas) in enumerate(runs):
        figures = {"output_tok_s": run.output_rate} if run.scenario == OFFLINE else {"tpot_s": run.tpot, "ttft_s": run.ttft}
        for metric, value in figures.items():
            if not value:
                continue
            for name, cell in (("measured", value), ("metric", metric), ("latency_bound", False), ("run", i)):
                about[name].append(cell)
            rate = run.achieved_rate / replicas if run.scenario == "open loop" and run.achieved_rate else np.nan
            for name, cell in (
                ("concurrency", run.concurrency / replicas if run.concurrency else np.nan),
                ("arrival_rate", rate),
                ("replicas", replicas),
                ("prompt_tokens", run.prompt_tokens),
                ("uncached_tokens", run.prompt_tokens),
                ("output_tokens", run.output_tokens),
            ):
                inputs[name].append(cell)
    columns = {n: np.array(v, float) for n, v in inputs.items()}
    count = len(about["measured"])
    columns |= {n: np.full(count, v, float) for n, v in geometry(machine, model).items()}
    columns["attention_parallelism"] = np.zeros(count, bool)
    return Rows({n: np.array(v) for n, v in about.items()}, columns)


def fit(machine: Machine, runs: list[tuple[Run, float]], purpose: str, model: dict[str, Any] | None = None) -> Fit:
    """Constants for a configuration from its runs (each with its number of replicas)."""
    data, start = rows(machine, runs, model), defaults(machine)
    names = list(SPREAD) if purpose == LATENCY else list(SPEED)
    most = {"mfu": ceilings.mfu(machine.gpu, compute_format(machine)), "mbu": ceilings.MBU}
    constants = _solve(data, start, names, most)
    before = _errors(data, start)
    left_out = len(runs) >= 3
    after = _left_out(data, start, names, most) if left_out else _errors(data, {**start, **{n: c.value for n, c in constants.items()}})
    return Fit(
        constants,
        _medians(data, before),
        _medians(data, after),
        left_out,
        tuple(n for n, top in most.items() if constants[n].value > 0.999 * top),
    )


def _values(start: dict[str, float], names: list[str], x: np.ndarray, data: Rows) -> dict[str, Any]:
    experts = data.inputs["experts"][0] > 0
    values = {**MEASURED, **start, **{n: np.exp(x[..., i, None]) for i, n in enumerate(names)}}
    return {**values, "moe_mfu_factor": start["moe_mfu_factor"] if experts else 1.0}


def _solve(data: Rows, start: dict[str, float], names: list[str], most: dict[str, float]) -> dict[str, Constant]:
    middle = np.log([start[n] for n in names])
    spread, low, high = (np.array([SPREAD[n][i] for n in names]) for i in range(3))
    high = np.minimum(high, [most.get(n, np.inf) for n in names])
    noise = np.array([NOISE[m] for m in data.about["metric"]])
    measured = np.log(data.about["measured"])

    def residuals(x):
        error = (np.log(predict(data, _values(start, names, x, data))) - measured) / noise
        return np.concatenate([solve.soften(error, SOFT), (x - middle) / spread], axis=-1)

    x = solve.fit(residuals, middle, np.log(low), np.log(high))
    wide = np.minimum(np.nan_to_num(solve.uncertainty(residuals, x), nan=np.inf), spread)
    return {
        n: Constant(
            float(np.exp(x[i])), float(max(np.exp(x[i] - NINETY * wide[i]), low[i])), float(min(np.exp(x[i] + NINETY * wide[i]), high[i]))
        )
        for i, n in enumerate(names)
    }


def _errors(data: Rows, values: dict[str, float]) -> np.ndarray:
    names = list(SPREAD)
    found = predict(data, _values(values, names, np.log([values[n] for n in names])[None], data))
    return np.ravel(found) / data.about["measured"] - 1


def _left_out(data: Rows, start: dict[str, float], names: list[str], most: dict[str, float]) -> np.ndarray:
    """Each run predicted by constants that did not see it."""
    errors = np.full(len(data), np.nan)
    for run in np.unique(data.about["run"]):
        mine = data.about["run"] == run
        constants = _solve(data.where(~mine), start, names, most)
        errors[mine] = _errors(data.where(mine), {**start, **{n: c.value for n, c in constants.items()}})
    return errors


def _medians(data: Rows, errors: np.ndarray) -> dict[str, float]:
    return {str(m): float(np.median(np.abs(errors[data.about["metric"] == m]))) for m in np.unique(data.about["metric"])}
