"""`sheetcalc evaluate`: results as JSON or CSV."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext

from sheetcalc.cells import missing
from sheetcalc.commands import money
from sheetcalc.commands.sources import Case, cases, chosen
from sheetcalc.errors import InputError
from sheetcalc.files import text_whole
from sheetcalc.study import Result, Study
from sheetcalc.units import base, scale


def outputs_of(study: Study, asked: str | None) -> list[str]:
    """The names to print: those asked for, the core ones, or all quantities but catalogue columns and sweep workings."""
    model = study.model
    if asked == "core":
        return list(study.core) or [n for n in model.steps if not model.home[n]]
    if asked:
        names = [n.strip() for n in asked.split(",") if n.strip()]
        for n in names:
            model.about(n)
        return names
    return [n for n in model.steps if not model.home[n]]


def json_value(x, unit: str, display: bool):
    """A value for JSON: base units, or display units; None where it does not exist; a flag as true or false."""
    if isinstance(x, list):
        return [json_value(y, unit, display) for y in x]
    if missing(x):
        return None
    return x / scale(unit) if display and not isinstance(x, (str, bool)) else x


def outputs(result: Result, names: list[str], display: bool) -> dict:
    """Name to value and unit; a value that does not exist carries the sentence that says why."""
    out = {}
    for name in names:
        unit, x = result.unit(name), result.value(name)
        out[name] = {"value": json_value(x, unit, display), "unit": unit if display else base(unit)}
        if out[name]["value"] is None:
            out[name]["absent"] = result.absent(name)
    return out


def grids(result: Result, display: bool) -> dict:
    """Grid to rows: the axis and the shown columns; catalogues are left to `sheetcalc catalogue`."""
    model, out = result.model, {}
    for grid in model.grids:
        names = model.sweeps.get(grid.name, {})
        axes = model.grid_axes(grid)
        shown = [names.get(n, n) for n in grid.show]
        columns = [axes[0], *(n for n in shown if n in model.home and model.home[n] == {axes[0]})]
        if len(columns) < 2:
            continue
        values = [json_value(result.value(n), result.unit(n), display) for n in columns]
        out[grid.name] = [dict(zip(columns, row)) for row in zip(*values)]
    return out


def searched(result: Result, display: bool) -> dict:
    """Thresholds that only a search gives (decision 30): name to the values at which the answer turns."""
    from sheetcalc.thresholds import exact

    out = {}
    for name, found in exact(result).items():
        unit = result.unit(name.removeprefix("threshold_").removesuffix("_exact"))
        out[name] = {"value": json_value(found, unit, display), "unit": unit if display else base(unit)}
    return out


def refused(case: Case, problems: list[str]) -> dict:
    """A scenario that was not worked out."""
    return {
        "scenario": case.name,
        "status": "refused",
        "problems": problems,
        "inputs": {},
        "outputs": {},
        "checks": [],
        "decision": None,
    }


def scenario(study: Study, case: Case, names: list[str], whole: bool, display: bool, finance: bool = False) -> dict:
    """One scenario as the contract's JSON; with `finance`, the plan and the finance study that rests on it."""
    if case.problems:
        return refused(case, list(case.problems))
    try:
        results = money.both(study, case.inputs, case.issue_date) if finance else [study.evaluate(case.inputs)]
    except InputError as error:
        return refused(case, [str(error)])
    inputs, found, checks = {}, {}, []
    for result in results:
        for i in result.used_inputs():
            inputs.setdefault(
                i["name"],
                {
                    "value": json_value(i["value"] if i["value"] != "" else None, i["unit"], display),
                    "unit": i["unit"] if display else base(i["unit"]),
                    "source": "given" if i["given"] else i["source"],
                },
            )
        mine = outputs_of(result.study, None) if whole else [n for n in names if n in result.model.steps or n in result.model.typed]
        found = outputs(result, mine, display) | found
        if whole:
            found |= {g: {"value": rows, "unit": ""} for g, rows in grids(result, display).items()} | searched(result, display)
        checks += [{"name": c["name"], "ok": c["ok"], "says": c["says"]} for c in result.checks]
    last = results[-1]
    return {
        "scenario": case.name,
        "status": last.status,
        "problems": last.problems,
        "inputs": inputs,
        "outputs": found,
        "checks": checks,
        "decision": last.study.decide(last) if last.study.decide else None,
    }


def command(args) -> int:
    study = chosen(args.study, args)
    if args.finance and study.name != "plan":
        raise InputError("goes with the plan; leave --study out", "--finance")
    if args.format != "json":
        from sheetcalc.commands import table

        return table.command(study, args)
    typed = money.beside(study) if args.finance else study
    names, statuses = money.outputs(study, args.outputs) if args.finance else outputs_of(study, args.outputs), []
    with text_whole(args.out) if args.out else nullcontext(sys.stdout) as out:
        first = True
        for case in cases(typed, args):
            found = scenario(study, case, names, args.outputs is None, args.display, args.finance)
            if first:
                profile = found["inputs"].get("profile", {}).get("value")
                out.write(json.dumps({"study": study.name, "profile": profile, "scenarios": []}, ensure_ascii=False)[:-2])
            out.write(("" if first else ",") + "\n" + json.dumps(found, ensure_ascii=False, allow_nan=False))
            statuses.append(found["status"])
            first = False
        out.write("\n]}\n")
    if not getattr(args, "scenarios", None) and statuses == ["refused"]:
        for problem in found["problems"]:
            print(f"sheetcalc: {problem}", file=sys.stderr)
        return 2
    return 1 if "refused" in statuses else 0
