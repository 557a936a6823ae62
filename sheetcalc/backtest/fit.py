"""The constants of the measured profile, fitted to rows: a scale for each compute format, a departure for each GPU, what all share.

Departures are held near one (PULL) because MFU and MBU trade off against each other and against the overheads: a GPU with few rows should
say what its format says. MFU stays below the ceilings that isolated matrix products reach, MBU below 0.92 (decision 11).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sheetcalc.backtest.rows import ENGINES
from sheetcalc.calibrate import ceilings, solve
from sheetcalc.calibrate.form import MEASURED, Rows, formulas, predict

FORMATS = ("BF16", "FP8", "FP4")
SOFT = 0.10  # log error within which a row counts in full
TTFT_SOFT = 0.30
PULL = 10.0  # how strongly a departure of one e-fold is held back, in rows of error SOFT
TTFT_PULL = 10.0
GLOBALS = {  # start, low, high, in base units
    "moe_mfu_factor": (0.65, 0.1, 1.0),
    "tp_layer_cost": (15e-6, 1e-7, 1e-4),
    "link_share": (0.5, 0.05, 1.0),
    "moe_layer_overhead": (20e-6, 1e-7, 3e-4),
    "sequence_overhead": (5e-6, 1e-8, 1e-3),
    "server_share": (0.9, 0.3, 1.2),
}
ENGINE = {"layer_overhead": (30e-6, 1e-6, 3e-4)}
TTFT = {"ttft_layer_overhead": (1e-3, 1e-6, 1e-1), "ttft_prefill_factor": (1.3, 0.1, 10.0), "ttft_queue_slope": (0.15, 1e-4, 3.0)}
SCALES = {"mfu": {"BF16": 0.7, "FP8": 0.55, "FP4": 0.38}, "mbu": 0.8}


class Constants(NamedTuple):
    """Fitted values: by GPU and compute format, over all, and by engine."""

    mfu: dict[tuple[str, str], float]
    mbu: dict[tuple[str, str], float]
    shared: dict[str, float]
    engine: dict[str, dict[str, float]]
    scales: dict[str, float]

    def on(self, rows: Rows) -> dict[str, Any]:
        """The constants as columns for these rows; what was never seen gets the scale of its format."""
        keys = list(zip(rows.about["gpu"], rows.about["format"], strict=True))
        mfu = np.array([self.mfu.get(k, min(self.scales[k[1]], ceilings.mfu(*k))) for k in keys])
        mbu = np.array([self.mbu.get(k, self.scales["mbu"]) for k in keys])
        by_engine = {name: np.array([values[e] for e in rows.about["engine"]]) for name, values in self.engine.items()}
        return columns(rows, {"mfu": mfu, "mbu": mbu, **self.shared, **by_engine})


def columns(rows: Rows, values: dict[str, Any]) -> dict[str, Any]:
    """Constants as the kernel takes them: those of experts act only in a model that has some."""
    experts = rows.inputs["experts"] > 0
    return {**MEASURED, **values, "moe_mfu_factor": np.where(experts, values["moe_mfu_factor"], 1.0)}


class Layout:
    """Where each constant stands in the vector that is fitted (logarithms)."""

    def __init__(self, rows: Rows, without: tuple[str, ...] = ()):
        self.keys = sorted(set(zip(rows.about["gpu"].tolist(), rows.about["format"].tolist(), strict=True)))
        self.key = np.array([self.keys.index(k) for k in zip(rows.about["gpu"].tolist(), rows.about["format"].tolist(), strict=True)])
        self.format = np.array([FORMATS.index(f) for f in rows.about["format"]])
        self.engine = np.array([ENGINES.index(e) for e in rows.about["engine"]])
        self.ceilings = np.array([ceilings.mfu(*k) for k in self.keys])
        self.without = without
        n = len(self.keys)
        spec = [
            ("scale", [(v, 0.1, 1.0) for v in SCALES["mfu"].values()]),
            ("mbu scale", [(SCALES["mbu"], 0.2, ceilings.MBU)]),
            ("mfu", [(1.0, 0.2, 3.0)] * n),
            ("mbu", [(1.0, 0.2, 3.0)] * n),
        ]
        spec += [(name, [bounds]) for name, bounds in GLOBALS.items()]
        spec += [(name, [bounds] * len(ENGINES)) for name, bounds in ENGINE.items()]
        self.at, bounds = {}, []
        for name, values in spec:
            self.at[name] = slice(len(bounds), len(bounds) + len(values))
            bounds += values
        self.start, self.low, self.high = np.log(np.array(bounds).T)

    def split(self, x: np.ndarray) -> dict[str, np.ndarray]:
        return {name: np.exp(x[..., part]) for name, part in self.at.items()}

    def mfu(self, parts) -> np.ndarray:
        scale = parts["scale"][..., [FORMATS.index(f) for _, f in self.keys]]
        return np.minimum(scale * parts["mfu"], self.ceilings)

    def mbu(self, parts) -> np.ndarray:
        return np.minimum(parts["mbu scale"] * parts["mbu"], ceilings.MBU)

    def values(self, rows: Rows, x: np.ndarray) -> dict[str, Any]:
        """The constants for each of the rows that the layout was made from."""
        parts = self.split(x)
        shared = {name: parts[name] for name in GLOBALS}
        engine = {name: parts[name][..., self.engine] for name in ENGINE}
        values = columns(rows, {"mfu": self.mfu(parts)[..., self.key], "mbu": self.mbu(parts)[..., self.key], **shared, **engine})
        return {**values, **{name: NEUTRAL[name] for name in self.without}}

    def held(self, x: np.ndarray) -> np.ndarray:
        """The pull of the departures towards one."""
        return PULL * SOFT * np.concatenate([x[..., self.at["mfu"]], x[..., self.at["mbu"]], 0.03 * (x - self.start)], axis=-1)


NEUTRAL = {
    "moe_mfu_factor": 1.0,
    "tp_layer_cost": 0.0,
    "moe_layer_overhead": 0.0,
    "sequence_overhead": 0.0,
    "layer_overhead": 0.0,
    "attention_on": 0.0,
    "tp_cost_on": 0.0,
    "step_overlap": 1.0,
    "expert_coverage": 1.0,
}


def speed(rows: Rows, without: tuple[str, ...] = (), start: np.ndarray | None = None) -> tuple[Constants, np.ndarray]:
    """Constants of throughput and TPOT, fitted on rows of both; and the vector, as a start for a fit on part of them."""
    layout = Layout(rows, without)
    measured = np.log(rows.about["measured"])

    def residuals(x):
        error = np.log(predict(rows, layout.values(rows, x))) - measured
        return np.concatenate([solve.soften(error, SOFT), layout.held(x)], axis=-1)

    x = solve.fit(residuals, layout.start if start is None or len(start) != len(layout.start) else start, layout.low, layout.high)
    parts = layout.split(x)
    neutral = {name: NEUTRAL[name] for name in without}
    constants = Constants(
        dict(zip(layout.keys, layout.mfu(parts).tolist(), strict=True)),
        dict(zip(layout.keys, layout.mbu(parts).tolist(), strict=True)),
        {**{name: float(parts[name][0]) for name in GLOBALS}, **neutral},
        {name: dict(zip(ENGINES, parts[name].tolist(), strict=True)) for name in ENGINE if name not in without},
        {**dict(zip(FORMATS, parts["scale"].tolist(), strict=True)), "mbu": float(parts["mbu scale"][0])},
    )
    return constants, x


def ttft(rows: Rows, constants: Constants) -> Constants:
    """Constants of the time to first token by engine, held near what all engines share, on top of fitted speeds."""
    found = formulas(rows, {**constants.on(rows), "ttft_layer_overhead": 0.0, "ttft_prefill_factor": 1.0, "ttft_queue_slope": 0.0})
    engines = [e for e in ENGINES if e in set(rows.about["engine"].tolist())]
    which = np.array([engines.index(e) for e in rows.about["engine"]])
    measured, n = np.log(rows.about["measured"]), len(TTFT)
    start, low, high = np.log(np.array(list(TTFT.values())).T)

    def of(x):
        return np.exp(x[..., None, :n] + x[..., n:].reshape((*x.shape[:-1], len(engines), n)))

    def residuals(x):
        values = dict(zip(TTFT, np.moveaxis(of(x)[..., which, :], -1, 0), strict=True))
        error = np.log(found.at(**values)["ttft"]) - measured
        return np.concatenate([solve.soften(error / TTFT_SOFT, 1.0), TTFT_PULL * x[..., n:], 0.3 * (x[..., :n] - start)], axis=-1)

    wide = np.full(len(engines) * n, 3.0)
    x = solve.fit(residuals, np.concatenate([start, 0 * wide]), np.concatenate([low, -wide]), np.concatenate([high, wide]))
    by_engine = {name: {e: float(of(x)[i, j]) for i, e in enumerate(engines)} for j, name in enumerate(TTFT)}
    return constants._replace(
        engine={
            **constants.engine,
            **{name: {**{e: float(np.exp(x[j])) for e in ENGINES}, **values} for j, (name, values) in enumerate(by_engine.items())},
        }
    )
