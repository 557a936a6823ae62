"""SC_TABLE: thousands of scenarios in one call, a row each, worked out as arrays."""

from __future__ import annotations

import math
from typing import NamedTuple

from sheetcalc import show
from sheetcalc.axes import Choice, arrays_work, np
from sheetcalc.cells import missing
from sheetcalc.errors import InputError
from sheetcalc.excel.boundary import Cell, Parameter, Rows, failure, guarded, is_blank, refuse_errors, rows, shown, unit_shown, value, words
from sheetcalc.excel.named_inputs import own_unit, parameter
from sheetcalc.excel.plan_functions import cell_of, outputs_of, plan
from sheetcalc.excel.quantity_functions import outside
from sheetcalc.excel.registry import Argument, general
from sheetcalc.excel.typical import typical_result
from sheetcalc.many import batch
from sheetcalc.scenarios.header import ABOUT, split
from sheetcalc.study import Study
from sheetcalc.typed import factor


class Column(NamedTuple):
    """One input of the table: where it stands and how it is read."""

    place: int
    parameter: Parameter
    unit: str


def sc_table(table: Cell, outputs: Cell) -> Rows:
    study = plan()
    names = outputs_of(study, outputs)
    if columned := [n for n in names if study.model.home.get(n)]:
        raise InputError(f"{columned[0]} is a column of its own in each scenario; ask SC_STUDY for it", "outputs")
    head, *body = rows(table)
    columns = header(study, head)
    heads = [f"{n} [{unit_shown(study.model.unit(n))}]" if study.model.unit(n) else n for n in names]
    if not body:
        raise InputError("has a header and no scenario; write a row of values below it", "table")
    if not arrays_work():
        return [heads, *(_row_alone(study, columns, row, names) for row in body)]
    return [heads, *_rows_at_once(study, columns, body, names)]


def header(study: Study, cells: list[Cell]) -> list[Column]:
    """The inputs that the columns hold; what a row says about itself (scenario, notes) is passed over. Raises InputError."""
    out, seen = [], set()
    for i, cell in enumerate(cells):
        where = f"table column {i + 1}"
        refuse_errors(where, cell)
        if is_blank(cell) or not isinstance(cell, str):
            near = "write the name of an input above each column"
            raise InputError(f"the header is {'blank' if is_blank(cell) else shown(cell)}; {near}", where)
        name, unit = split(cell)
        if name in ABOUT and name not in study.inputs:
            continue
        if name in seen:
            raise InputError(f"{name} is there twice; delete one of the two", where)
        seen.add(name)
        try:
            p = parameter(study, name)
            out.append(Column(i, p, own_unit(p, unit)))
        except InputError as error:
            raise InputError(str(error), where) from None
    return out


def _row_alone(study: Study, columns: list[Column], row: list[Cell], names: list[str]) -> list[Cell]:
    try:
        worked = study.evaluate(_changes(columns, row))
    except InputError as error:
        return [failure(words(error))] * len(names)
    return [cell_of(worked, n) for n in names]


def _changes(columns: list[Column], row: list[Cell]) -> dict:
    given = {c.parameter.name: value(c.parameter, row[c.place], c.unit) for c in columns}
    return {n: x for n, x in given.items() if x is not None}


def _rows_at_once(study: Study, columns: list[Column], body: Rows, names: list[str]) -> Rows:
    turned = list(zip(*body, strict=True)) if columns else []
    bad: dict[int, str] = {}
    read = {c.parameter.name: _column(study, c, turned[c.place], bad) for c in columns}
    read = {n: x for n, x in read.items() if x is not None}
    found = _worked_out(study, read, names, len(body))
    out, gone = [], set(bad)
    for name in names:
        x, unit = found[name], study.model.unit(name)
        if x.dtype.kind == "f":
            gone.update(np.flatnonzero(~np.isfinite(x)).tolist())
            x = x / factor(unit) if factor(unit) != 1 else x
        elif x.dtype.kind in "US":
            gone.update(np.flatnonzero(x == "").tolist())
        out.append(x.tolist())
    result = list(map(list, zip(*out, strict=True)))
    if gone:
        _explain(study, read, names, result, sorted(gone), bad)
    return result


def _worked_out(study: Study, read: dict, names: list[str], count: int) -> dict:
    """Columns of the wanted values; an input that is the same in all rows, or not given, may come back as one value."""
    columns = read or {"seconds_per_hour": np.full(count, study.inputs["seconds_per_hour"].value)}
    return {n: np.asarray(x) for n, x in batch(study.model, columns, names).items()}


def _column(study: Study, c: Column, cells: tuple, bad: dict[int, str]):
    """A column in base units: NaN or '' where a cell is blank, and the study's own value where it has one."""
    p = c.parameter
    if p.kind == "number" and not c.unit and set(map(type, cells)) == {float}:
        array = np.array(cells) * factor(p.about.unit)
        wrong = np.flatnonzero(outside(p.about, array)).tolist()
        array[wrong] = _own(study, p)
    else:
        known, values, wrong = {}, [], []
        for i, cell in enumerate(cells):
            if isinstance(cell, str) and cell in known:  # a GPU's name is read once
                values.append(known[cell])
                continue
            try:
                x = value(p, cell, c.unit)
            except InputError:
                wrong.append(i)
                x = None
            else:
                if isinstance(cell, str):
                    known[cell] = x
            values.append(_own(study, p) if x is None else x)
        array = Choice(values) if p.kind == "text" else np.array(values, float)
    for i in wrong:
        try:
            value(p, cells[i], c.unit)
        except InputError as error:
            bad.setdefault(i, failure(words(error)))
    return array


def _own(study: Study, p: Parameter):
    """What serves where a cell is blank: the study's own value, or nothing."""
    own = study.model.inputs[study.model.typed[p.name]].value
    return ("" if p.kind == "text" else math.nan) if own is None or isinstance(own, tuple) else own


def _explain(study: Study, read: dict, names: list[str], found: Rows, gone: list[int], bad: dict[int, str]) -> None:
    """Sentences in place of what does not exist, for the rows where something does not."""
    model = study.model
    upstream = {n: {s.name for s in model.upstream([n])} for n in names}
    checks = [c for c in model.checks if not model.home[c] and (c in model.errors or any(c in u for u in upstream.values()))]
    quoted = {m[1] for c in checks for m in show.PLACE.finditer(model.steps[c].about.says)}
    part = np.array(gone)
    asked = [*checks, *(quoted & model.steps.keys())]
    known = _worked_out(study, {n: x[part] for n, x in read.items()}, asked, len(gone)) if asked else {}
    given = {n: x[part].list() if isinstance(x, Choice) else x[part].tolist() for n, x in read.items()}
    for k, i in enumerate(gone):
        for j, name in enumerate(names):
            if i in bad:
                found[i][j] = bad[i]
            elif missing(found[i][j]) or found[i][j] == "" or (isinstance(found[i][j], float) and math.isinf(found[i][j])):
                found[i][j] = failure(_absent(study, sorted(checks, key=lambda c: c not in upstream[name]), known, given, k))


def _absent(study: Study, checks: list[str], known: dict, given: dict, k: int) -> str:
    def look(name):
        if name in known:
            return known[name][k].item()
        return given[name][k] if name in given else typical_result(study.name).value(name)

    for check in checks:
        if known[check][k] == 0:
            told = show.sentence(study.model.steps[check].about.says, look, study.model.unit)
            return study.model.steps[check].about.label if missing(told) else told
    return "does not exist for these inputs; SC_PLAN says more about one scenario"


FUNCTIONS = (
    general(
        "table",
        "Many scenarios at once: one row each, with the names of inputs in the first row; gives the result columns with their names.",
        (
            Argument(
                "table",
                "A header row of input names (with a unit if you like: gpu_hour_price [$/h]) and a row of values for each scenario.",
                example=[["request_rate", "gpus_per_replica"], [100.0, 4.0], [200.0, 8.0]],
            ),
            Argument(
                "outputs",
                'Names of the results, in cells or in one text with commas: "replicas, gpus, cost_per_hour".',
                example="replicas, gpus, cost_per_hour",
            ),
        ),
        guarded(sc_table),
    ),
)
