"""The fitted constants as tables of the catalogue: values, what stands behind them, and how far off they have been."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from sheetcalc import catalogue
from sheetcalc.backtest.fit import FORMATS, Constants
from sheetcalc.backtest.rows import ENGINES
from sheetcalc.calibrate import ceilings
from sheetcalc.calibrate.form import Rows

ENOUGH = 30  # rows below which a band of one's own says nothing: then it is the widest
UNITS = {"moe_mfu_factor": "x", "tp_layer_cost": "µs", "link_share": "x", "moe_layer_overhead": "µs", "sequence_overhead": "µs"}
LABELS = {
    "moe_mfu_factor": "compute utilization of experts over that of dense layers",
    "tp_layer_cost": "per-layer cost of tensor parallelism",
    "link_share": "share of the link bandwidth that is reached",
    "moe_layer_overhead": "overhead per expert layer in a step",
    "sequence_overhead": "overhead per sequence in a step",
}


def speed_ratio(rows: Rows, errors: np.ndarray) -> np.ndarray:
    """Measured over predicted speed: the error as it bears on a fleet (above 1: faster than predicted)."""
    return np.where(rows.about["metric"] == "tpot_s", 1 + errors, 1 / (1 + errors))


def fitted(constants: Constants, rows: Rows, errors: np.ndarray) -> list[list]:
    """A line for each GPU of the catalogue and each format it multiplies in."""
    ratio, found = speed_ratio(rows, errors), {}
    keys = np.array([f"{g}|{f}" for g, f in zip(rows.about["gpu"], rows.about["format"], strict=True)])
    for gpu, form in constants.mfu:
        mine = keys == f"{gpu}|{form}"
        found[gpu, form] = (int(mine.sum()), len(set(rows.about["configuration"][mine].tolist())), *np.quantile(ratio[mine], [0.1, 0.9]))
    solid = [v for v in found.values() if v[0] >= ENOUGH]
    widest = (min(v[2] for v in solid), max(v[3] for v in solid))
    lines, gpus = [], catalogue.read("gpus").rows
    for gpu, about in gpus.items():
        for form in FORMATS:
            if about[f"peak_{form.lower()}"] is None:
                continue
            if (gpu, form) in found:
                count, configurations, low, high = found[gpu, form]
                standing = "measured" if count >= ENOUGH else "few measurements"
                low, high = (low, high) if count >= ENOUGH else widest
                mfu, mbu = constants.mfu[gpu, form], constants.mbu[gpu, form]
            else:
                kin = [k for k in constants.mfu if k[1] == form and gpus[k[0]]["architecture"] == about["architecture"]]
                count, configurations, (low, high) = 0, 0, widest
                standing = "no measurement; mean of its architecture" if kin else "no measurement; mean of its format"
                mfu = min(_mean([constants.mfu[k] for k in kin] or [constants.scales[form]]), ceilings.mfu(gpu, form))
                mbu = min(_mean([constants.mbu[k] for k in kin] or [constants.scales["mbu"]]), ceilings.MBU)
            lines.append([gpu, form, f"{mfu:.3f}", f"{mbu:.3f}", count, configurations, f"{low:.2f}", f"{high:.2f}", standing])
    return lines


def _mean(values) -> float:
    return float(np.exp(np.mean(np.log(values))))


def write(folder: Path, constants: Constants, rows: Rows, errors: np.ndarray, one_point: np.ndarray, ttft: Rows) -> None:
    """fitted.csv, engines.csv and constants.csv; `one_point` are the errors after one calibration point."""
    _table(
        folder / "fitted.csv",
        ["gpu", "format", "mfu", "mbu", "rows", "configurations", "speed_low", "speed_high", "standing"],
        fitted(constants, rows, errors),
    )
    engines = [e for e in ENGINES if e != "mlperf"]

    def count(of: Rows, engine: str) -> int:
        return int((of.about["engine"] == engine).sum())

    _table(
        folder / "engines.csv",
        ["engine", "layer_overhead [µs]", "ttft_layer_overhead [µs]", "ttft_prefill_factor", "ttft_queue_slope", "rows", "ttft_rows"],
        [
            [
                e,
                f"{constants.engine['layer_overhead'][e] * 1e6:.1f}",
                f"{constants.engine['ttft_layer_overhead'][e] * 1e6:.0f}",
                f"{constants.engine['ttft_prefill_factor'][e]:.3f}",
                f"{constants.engine['ttft_queue_slope'][e]:.3f}",
                count(rows, e),
                count(ttft, e),
            ]
            for e in engines
        ],
    )
    _table(
        folder / "constants.csv",
        ["name", "value", "unit", "label"],
        [[n, f"{constants.shared[n] / (1e-6 if unit == 'µs' else 1):.3g}", unit, LABELS[n]] for n, unit in UNITS.items()]
        + [
            [n, f"{value:.2f}", "x", f"measured over predicted speed after one calibration point, {which} percentile"]
            for n, which, value in zip(
                ("calibrated_speed_low", "calibrated_speed_high"),
                ("10th", "90th"),
                np.nanquantile(speed_ratio(rows, one_point), [0.1, 0.9]),
                strict=True,
            )
        ],
    )


def _table(path: Path, header: list[str], lines: list[list]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(lines)
