"""Names and values in a range as the inputs of a study, and the evaluated study behind them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sheetcalc import conversions, studies
from sheetcalc.errors import InputError
from sheetcalc.excel.boundary import Cell, Parameter, error_in, is_blank, refuse_errors, rows, shown, value
from sheetcalc.model import Input
from sheetcalc.scenarios.header import ABOUT, split
from sheetcalc.study import Result, Study

HEADS = (("name", "value"), ("input", "value"))  # a header row above the pairs, if there is one


def parameter(study: Study, name: str) -> Parameter:
    """A named input of a study. Raises InputError on a name that is not one, or that is a column."""
    if name not in study.inputs:
        near = difflib.get_close_matches(name, study.inputs, 1, 0.5)
        raise InputError(
            f"{name!r} is not an input of {study.name}"
            + (f"; did you mean {near[0]}?" if near else "; see SC_STUDY or `sheetcalc studies`")
        )
    about: Input = study.inputs[name]
    if isinstance(about.value, (list, tuple)) and not hasattr(about.value, "study"):
        raise InputError(f"{name} is a table; change it in the workbook of the study")
    return Parameter(name, about, "text" if about.is_text else "number", may_be_blank=True)


def pairs(cells: Cell) -> Iterator[tuple[str, Cell, Cell, str]]:
    """Place, name, value and unit of each named value: two or three columns, or two rows.

    Raises InputError when the range has another form.
    """
    table = rows(cells)
    if len(table) == 1 and len(table[0]) == 1 and is_blank(table[0][0]):
        return
    if len(table[0]) not in (2, 3) and len(table) == 2:
        table = [list(column) for column in zip(*table, strict=True)]
        kind = "column"
    else:
        kind = "row"
    if len(table[0]) not in (2, 3):
        refuse_errors("inputs", table[0][0])
        raise InputError(f"{len(table)} × {len(table[0])} cells; give two columns, names and values (a third may hold units)", "inputs")
    for i, (name, cell, *unit) in enumerate(table):
        if (is_blank(name) and is_blank(cell)) or (i == 0 and (str(name).strip().casefold(), str(cell).strip().casefold()) in HEADS):
            continue
        place = f"inputs {kind} {i + 1}"
        if error_in(name) or not isinstance(name, str):
            refuse_errors(place, name)
            raise InputError(f"{'blank' if is_blank(name) else shown(name)} is not a name; write an input's name beside its value", place)
        yield place, name, cell, unit[0].strip() if unit and isinstance(unit[0], str) else ""


def named(study: Study, cells: Cell) -> dict[str, Any]:
    """What was given for each input, in base units; blank values leave the study's own. Raises InputError."""
    out: dict[str, Any] = {}
    for place, head, cell, unit in pairs(cells):
        name, in_name = split(head)
        if name in ABOUT and name not in study.inputs:
            continue
        try:
            p = parameter(study, name)
        except InputError as error:
            raise InputError(str(error), place) from None
        if name in out:
            raise InputError(f"{name} is there twice; delete one of the two", place)
        given = value(p, cell, own_unit(p, in_name or unit))
        if given is not None:
            out[name] = given
    return out


def own_unit(p: Parameter, unit: str) -> str:
    """The unit that stands beside a value, '' where it is the input's own. Raises InputError when it does not convert."""
    if not unit or p.kind == "text" or conversions.spelled_out(unit) == p.about.unit != "%":
        return ""
    if conversions.factor(unit, p.about.unit) is None and not conversions.spelled_out(unit) == p.about.unit == "%":
        own = p.about.unit or "plain numbers"
        raise InputError(f"{unit} does not convert to {own} by a fixed factor; give it in {own}", p.name)
    return unit


def evaluated(study: Study, cells: Cell) -> Result:
    """The study with what was given. Raises InputError."""
    return _evaluated(study.name, tuple(sorted(named(study, cells).items())))


@lru_cache(maxsize=64)
def _evaluated(name: str, changes: tuple) -> Result:
    """Many cells of a sheet ask for the same scenario."""
    return studies.study(name).evaluate(dict(changes))


def names_in(cells: Cell, argument: str) -> list[str]:
    """The names in a cell (separated by commas) or in a range; none when blank. Raises InputError."""
    out: list[str] = []
    for cell in (c for row in rows(cells) for c in row):
        if is_blank(cell):
            continue
        refuse_errors(argument, cell)
        if not isinstance(cell, str):
            raise InputError(f'{shown(cell)} is not a name; write names such as "gpus, cost_per_hour"', argument)
        out += [split(part)[0] for part in cell.split(",") if part.strip()]
    return out
