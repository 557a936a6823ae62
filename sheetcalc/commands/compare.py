"""`sheetcalc compare`: what changed between two tables, workbooks or runs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from sheetcalc.cells import missing
from sheetcalc.commands.from_workbook import is_ours, opened, overwritten
from sheetcalc.commands.memo_work import summary
from sheetcalc.commands.sources import told
from sheetcalc.compare import Side, compare, lines
from sheetcalc.errors import InputError
from sheetcalc.scenarios import read
from sheetcalc.studies import study as find
from sheetcalc.study import Result, Study
from sheetcalc.units import scale

MANIFEST = "manifest.jsonl"


def command(args: Namespace) -> int:
    (old, old_refused), (new, new_refused) = side(args.old), side(args.new)
    for line in (*old_refused, *new_refused):
        print(line, file=sys.stderr)
    found = compare(old, new)
    if args.format == "json":
        print(
            json.dumps(
                [{"scenario": d.scenario, "what": d.what, "changes": [c._asdict() for c in d.changes]} for d in found],
                ensure_ascii=False,
                indent=1,
            )
        )
    else:
        print("\n".join(lines(found)))
    return int(bool(old_refused or new_refused))


def side(path: str) -> tuple[dict[str, Side], list[str]]:
    """The scenarios of a run's folder (as it was issued), of a workbook made by sheetcalc, or of a table (worked out now); and a line
    for each one that cannot be used.

    Raises InputError when the path is none of these.
    """
    if Path(path).is_dir():
        return _of_run(Path(path)), []
    return _of_workbook(path) if is_ours(path) else _of_table(path)


def _of_table(path: str) -> tuple[dict[str, Side], list[str]]:
    plan, out, refused = find("plan"), {}, []
    table = read(path, plan.inputs)
    told(path, table.notes)
    for row in table:
        if hasattr(row, "problems"):
            refused += row.lines(path)
            continue
        try:
            out[row.name] = _side(plan.evaluate(row.inputs))
        except InputError as error:
            refused.append(f"{path}:{row.row_number}: {error}")
    return out, refused


def _of_run(folder: Path) -> dict[str, Side]:
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise InputError(f"is a folder without {MANIFEST}; name the folder of a `sheetcalc run`, a table or a workbook", str(folder))
    plan, out = find("plan"), {}
    for line in manifest.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry.get("status") == "done":
            out[entry["scenario"]] = Side(_displayed(plan, entry["inputs"]), entry["summary"], entry["result"])
    return out


def _of_workbook(path: str) -> tuple[dict[str, Side], list[str]]:
    """The scenarios of a workbook of ours, and its other studies by name, with what was typed into it."""
    back = opened(path)
    told(path, overwritten(path))
    wrong = {r.scenario for r in back.refused}
    out = {n: _side(back.plan.evaluate(inputs)) for n, inputs in back.scenarios() if not wrong & {"", n}}
    if not wrong:
        out |= {result.study.name: _side(result) for result in back.now().results[1:]}
    return out, [f"{path}:{r.sheet}:{r.cell}: {r.says}" for r in back.refused]


def _side(result: Result) -> Side:
    given, otherwise = _displayed(result.study, {n: x for n, x in result.changes.items() if not isinstance(x, list)}), {}
    for i in result.used_inputs():
        if not i["given"] and not missing(i["value"]):
            otherwise |= _displayed(result.study, {i["name"]: i["value"]})
    for name, column in result.changes.items():
        if isinstance(column, list):
            cells, defaults = _cells(result, name, column)
            given, otherwise = given | cells, otherwise | defaults
    return Side(given, summary(result), result.status, otherwise)


def _cells(result: Result, name: str, column: list) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cells of a catalogue's column that were changed, now and as they come."""
    about, unit = result.model.inputs[name], result.unit(name)
    labels = result.value(next(iter(result.model.home[name])))
    now, before = {}, {}
    for label, x, was in zip(labels, column, about.value, strict=True):
        if x != was:
            key = f"{name} of {label}" + (f" [{unit}]" if unit not in ("", "%") else "")
            now[key], before[key] = (_in_display(y, unit) for y in (x, was))
    return now, before


def _in_display(x, unit: str):
    return x if x is None or isinstance(x, str) or unit in ("", "%") else float(f"{x / scale(unit):.14g}")


def _displayed(study: Study, inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs in display units, the unit in the name."""
    out = {}
    for name, x in inputs.items():
        unit = study.inputs[name].unit if name in study.inputs else ""
        out[name if unit in ("", "%") else f"{name} [{unit}]"] = _in_display(x, unit)
    return out
