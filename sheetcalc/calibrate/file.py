"""The calibration file: TOML that people can read, and that `run`, `evaluate`, the workbook and the memo cite."""

from __future__ import annotations

import tomllib
from pathlib import Path

from sheetcalc.calibrate.calibration import Calibration, Refused, Source
from sheetcalc.calibrate.facts import Machine
from sheetcalc.calibrate.fit import SPREAD, UNITS, Constant
from sheetcalc.errors import InputError
from sheetcalc.units import scale

VERSION = 1


def write(calibration: Calibration, path: str | Path) -> None:
    """The file; the same calibration gives the same bytes."""
    Path(path).write_text(text(calibration), encoding="utf-8", newline="\n")


def text(c: Calibration) -> str:
    """Constants in display units, with their range, and everything that stands behind them."""
    machine = "\n".join(f"{name} = {_plain(value)}" for name, value in c.machine._asdict().items())
    constants = "\n".join(
        f"{name} = {{ value = {_in(k.value, name)}, low = {_in(k.low, name)}, high = {_in(k.high, name)}, unit = {_plain(UNITS[name])} }}"
        for name, k in c.constants.items()
    )
    errors = "\n".join(
        f"{name} = {{ before = {c.errors_before[name]:.4f}, after = {c.errors_after[name]:.4f} }}" for name in sorted(c.errors_after)
    )
    runs = "\n\n".join("[[runs]]\n" + "\n".join(f"{n} = {_plain(v)}" for n, v in s._asdict().items()) for s in c.sources)
    refused = "".join("\n\n[[refused]]\n" + "\n".join(f"{n} = {_plain(v)}" for n, v in r._asdict().items()) for r in c.refused)
    return (
        f"# {_line(c.says())}\n# low and high hold the constant nine times in ten; errors are medians"
        f"{', each run predicted by the others' if c.left_out else ', of the runs themselves'}.\n"
        f"sheetcalc_calibration = {VERSION}\npurpose = {_plain(c.purpose)}\nengine_version = {_plain(c.engine_version)}\n"
        f"left_out = {'true' if c.left_out else 'false'}\nnotes = [{', '.join(map(_plain, c.notes))}]\n\n"
        f"[machine]\n{machine}\n\n[constants]\n{constants}\n\n[errors]\n{errors}\n\n{runs}{refused}\n"
    )


def read(path: str | Path) -> Calibration:
    """A calibration from its file. Raises InputError, naming what is wrong and what to write."""
    where = Path(path).name
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("does not exist; make it with `sheetcalc calibrate BENCHMARK -o FILE`", str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no calibration file ({error}); make it with `sheetcalc calibrate BENCHMARK -o FILE`", where) from None
    if found.get("sheetcalc_calibration") != VERSION:
        raise InputError(f"is no calibration file of version {VERSION}; make it with `sheetcalc calibrate BENCHMARK -o FILE`", where)
    try:
        machine = Machine(**found["machine"])
        constants = {name: _constant(name, k, where) for name, k in found["constants"].items()}
        errors = found["errors"]
        return Calibration(
            machine._replace(gpus_per_replica=float(machine.gpus_per_replica)),
            found["purpose"],
            constants,
            {n: float(e["before"]) for n, e in errors.items()},
            {n: float(e["after"]) for n, e in errors.items()},
            bool(found["left_out"]),
            found["engine_version"],
            tuple(Source(**s) for s in found["runs"]),
            tuple(Refused(**r) for r in found.get("refused", [])),
            tuple(found["notes"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"lacks a part or has one too many ({error}); make it anew with `sheetcalc calibrate`", where) from None


def _constant(name: str, found: dict, where: str) -> Constant:
    if name not in SPREAD:
        raise InputError(f"{name} is no constant that is fitted; write one of {', '.join(SPREAD)}", where)
    value, low, high = (float(found[k]) * scale(UNITS[name]) for k in ("value", "low", "high"))
    _, least, most = SPREAD[name]
    if not least <= value <= most:
        raise InputError(
            f"{name} is {found['value']} {UNITS[name]}, outside {least / scale(UNITS[name]):g} to {most / scale(UNITS[name]):g}", where
        )
    return Constant(value, low, high)


def _in(value: float, name: str) -> str:
    return f"{value / scale(UNITS[name]):.6g}"


def _plain(value) -> str:
    if isinstance(value, str):
        escaped = "".join(
            c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}" for c in value
        )
        return f'"{escaped}"'
    return f"{value:g}"


def _line(value: str) -> str:
    return "".join(c if c.isprintable() else " " for c in value)
