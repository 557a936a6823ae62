"""`sheetcalc compare`: what changed between two tables, workbooks or runs."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from sheetcalc.commands.memo_work import summary
from sheetcalc.compare import Side, compare, lines
from sheetcalc.errors import InputError
from sheetcalc.scenarios import read
from sheetcalc.studies import study as find
from sheetcalc.study import Study
from sheetcalc.units import scale

MANIFEST = "manifest.jsonl"


def command(args: Namespace) -> int:
    found = compare(side(args.old), side(args.new))
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
    return 0


def side(path: str) -> dict[str, Side]:
    """The scenarios of a run's folder (as it was issued), of a workbook made by sheetcalc, or of a table (worked out now).

    Raises InputError when the path is none of these.
    """
    folder = Path(path)
    if folder.is_dir():
        return _of_run(folder)
    plan = find("plan")
    if folder.suffix.lower() == ".xlsx" and (rows := _of_workbook(path)) is not None:
        return {name: _worked(plan, inputs) for name, inputs in rows.items()}
    return {row.name: _worked(plan, row.inputs) for row in read(path, plan.inputs) if hasattr(row, "inputs")}


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


def _of_workbook(path: str) -> dict[str, dict[str, Any]] | None:
    """The scenarios of a workbook of ours, None where it is a table that only ends in .xlsx."""
    from sheetcalc.workbook.origin import returned
    from sheetcalc.workbook.read import read as content

    try:
        back = returned(content(path), find, path)
    except InputError as error:
        if "is not a workbook made by sheetcalc" in str(error):
            return None
        raise
    return {row.name: back.inputs() | {n: x for n, x in row.inputs.items() if x is not None} for row in back.rows} or {
        "plan": back.inputs()
    }


def _worked(plan: Study, inputs: dict[str, Any]) -> Side:
    result = plan.evaluate(inputs)
    return Side(_displayed(plan, inputs), summary(result), result.status)


def _displayed(plan: Study, inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs in display units, the unit in the name."""
    out = {}
    for name, x in inputs.items():
        unit = plan.inputs[name].unit if name in plan.inputs else ""
        plain = isinstance(x, str) or unit in ("", "%")
        out[name if plain and unit in ("", "%") else f"{name} [{unit}]"] = x if plain else float(f"{x / scale(unit):.14g}")
    return out
