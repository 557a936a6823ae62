"""The constants of the measured profile, as fitted by `python -m sheetcalc.backtest --write` to published measurements.

`fitted.csv` holds MFU and MBU by GPU and compute format, `engines.csv` what differs by engine, `constants.csv` what all share. Each value
says how many rows and configurations stand behind it; `speed_low` and `speed_high` are the 10th and 90th percentile of measured over
predicted speed, out of fold. A GPU without rows has the mean of its architecture, or of all, and the widest band.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from os.path import dirname, join

from sheetcalc.model import Grid, Input
from sheetcalc.units import scale

FOLDER = dirname(__file__)
FORMATS = ("BF16", "FP8", "FP4")
NUMBERS = {
    "mfu": ("%", "Compute utilization, fitted"),
    "mbu": ("%", "Bandwidth utilization, fitted"),
    "speed_low": ("x", "Measured over predicted speed, 10th percentile"),
    "speed_high": ("x", "Measured over predicted speed, 90th percentile"),
    "rows": ("", "Measurements behind it"),
    "configurations": ("", "Configurations behind it"),
}
SHARED = ("tp_layer_cost", "link_share", "moe_layer_overhead", "sequence_overhead")  # constants that the profile sets for every machine
SOURCE = "fitted to published measurements (reports/backtest.md)"


def _read(file: str) -> list[dict[str, str]]:
    with open(join(FOLDER, file), encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@lru_cache
def by_gpu() -> dict[tuple[str, str], dict[str, float | str]]:
    """MFU, MBU, rows, configurations, band and standing by GPU name and compute format."""
    return {(r["gpu"], r["format"]): {**{n: float(r[n]) for n in NUMBERS}, "standing": r["standing"]} for r in _read("fitted.csv")}


@lru_cache
def engines() -> dict[str, dict[str, float]]:
    """Constants by engine, in base units."""
    return {r["engine"]: {_plain(n): float(v) * _scale(n) for n, v in r.items() if n != "engine"} for r in _read("engines.csv")}


@lru_cache
def constants() -> dict[str, float]:
    """Constants that all share, in base units."""
    return {r["name"]: float(r["value"]) * scale(r["unit"]) for r in _read("constants.csv")}


def _plain(header: str) -> str:
    return header.split(" [")[0]


def _scale(header: str) -> float:
    return scale(header.split("[")[1].rstrip("]")) if "[" in header else 1.0


def gpu_columns(names: list[str]) -> dict[str, Input]:
    """Typed columns for the GPU catalogue's grid: `gpu_mfu_bf16` … `gpu_configurations_fp4`, blank where a GPU lacks the format."""
    found = by_gpu()
    return {
        f"gpu_{n}_{f.lower()}": Input([found[g, f][n] if (g, f) in found else None for g in names], unit, f"{label}, {f}", SOURCE)
        for n, (unit, label) in NUMBERS.items()
        for f in FORMATS
    }


def engine_grid() -> Grid:
    """The engines as a catalogue: axis `engine_name`, columns `engine_layer_overhead` [µs] and so on."""
    rows = _read("engines.csv")
    names = [n for n in rows[0] if n != "engine"]
    units = {n: n.split("[")[1].rstrip("]") if "[" in n else "" for n in names}
    labels = {
        "layer_overhead": "Overhead per layer in a step",
        "ttft_layer_overhead": "Time to first token per layer",
        "ttft_prefill_factor": "Prefill time to first token over its compute time",
        "ttft_queue_slope": "Growth of TTFT per running sequence",
        "rows": "Measurements behind it",
        "ttft_rows": "TTFT measurements behind it",
    }
    return Grid(
        "engines",
        "Engines",
        rows={"engine_name": Input([r["engine"] for r in rows], "", "Engine")},
        typed={f"engine_{_plain(n)}": Input([float(r[n]) * _scale(n) for r in rows], units[n], labels[_plain(n)], SOURCE) for n in names},
    )


def profile() -> dict[str, float | str]:
    """What the measured profile sets; what it leaves out (MFU, MBU, overhead per layer, TTFT) is looked up by GPU and engine."""
    shared = {name: constants()[name] for name in SHARED}
    return {
        **shared,
        "memory_fraction": 0.92,
        "memory_reserve": 2e9,
        "residency_rule": "reserved",
        "attention_on": 1.0,
        "step_overlap": 0.0,
        "all_reduce_on": 0.0,
        "tp_cost_on": 1.0,
        "step_overhead": 0.0,
        "own_prefill": 1.0,
        "max_batch": 2048.0,
        "tpot_tail": 1.4,
        "ttft_offset": 0.0,
        "ttft_tail": 1.0,
    }


def lookups() -> dict[str, str]:
    """Which looked-up quantity (quantities/fitted.py) serves where neither the user nor the profile names a value: input to quantity."""
    return {
        "mfu": "fitted_mfu",
        "mbu": "fitted_mbu",
        "moe_mfu_factor": "fitted_moe_mfu_factor",
        "layer_overhead": "fitted_layer_overhead",
        "ttft_layer_overhead": "fitted_ttft_layer_overhead",
        "ttft_prefill_factor": "fitted_ttft_prefill_factor",
        "ttft_queue_slope": "fitted_ttft_queue_slope",
        "speed_low": "fitted_speed_low",
        "speed_high": "fitted_speed_high",
    }
