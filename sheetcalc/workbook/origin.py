"""A workbook that came back: what it was made from, what a person has changed since, and the same book built again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sheetcalc.errors import InputError
from sheetcalc.study import Study
from sheetcalc.workbook import front
from sheetcalc.workbook.book import Book, Edits
from sheetcalc.workbook.read import Content, Held
from sheetcalc.workbook.sheet import Cell, Sheet, address
from sheetcalc.workbook.table import FIRST, NAMES, OUTPUTS, TITLE, Row
from sheetcalc.workbook.validation import factor

NOTHING = Held("", None)


class Change(NamedTuple):
    """One typed cell that differs from what was issued; values as they stand in the cell, None for blank."""

    key: tuple
    sheet: str
    cell: str
    was: Any
    now: Any
    formula: str = ""


@dataclass
class Returned:
    """The book as issued (scenarios as they are now), the changes of its typed cells, and the rows whose scenarios are not those issued."""

    plan: Study
    studies: list[Study]
    date: str
    own: frozenset[str]
    given: dict[str, Any]
    rows: list[Row]
    version: str
    changed_rows: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    issued: list[Sheet] = field(default_factory=list)
    loose: list[tuple[str, str, str]] = field(default_factory=list)  # scenario cells that hold a formula

    def now(self) -> Book:
        """The book with the changes in it. Raises InputError on a value outside its range."""
        given, edits = self.inputs(), self._edits()
        return Book(self.plan, given, self.studies, self.date, self.rows, self.own, edits)

    def inputs(self) -> dict[str, Any]:
        """What is given for the plan now, in base units; whole columns of its catalogues where one cell was changed."""
        given, model = dict(self.given), self.plan.model
        for c in self.changes:
            if c.key[0] in ("given", "default") and (c.key[0] == "given" or c.key[1] not in given):
                value = _in_base(self.plan.inputs[c.key[1]], c.now)
                given[c.key[1]] = value
        given = {n: x for n, x in given.items() if x is not None}
        return given | _columns(model, [c for c in self.changes if c.key[:2] == ("grid", self.plan.name)])

    def _edits(self) -> Edits:
        studies: dict[str, dict[str, Any]] = {}
        for study in self.studies:
            found = {c.key[2]: _in_base(study.model.inputs[c.key[2]], c.now) for c in self.changes if c.key[:2] == ("study", study.name)}
            found |= _columns(study.model, [c for c in self.changes if c.key[:2] == ("grid", study.name)])
            if found:
                studies[study.name] = found
        shares = {c.key[1:]: c.now for c in self.changes if c.key[0] == "share" and _is_number(c.now)}
        loads = {c.key[1]: c.now for c in self.changes if c.key[0] == "load" and _is_number(c.now)}
        picked = next((c.now for c in self.changes if c.key[0] == "picked"), "")
        return Edits(studies, shares, loads, picked)


def returned(content: Content, find: Callable[[str], Study], where: str = "") -> Returned:
    """A workbook of ours from what was read. Raises InputError when it is not one."""
    versions = content.sheets.get("Versions", {})
    if "Inputs" not in content.sheets or not versions:
        raise InputError("is not a workbook made by sheetcalc: it has no Inputs and Versions sheets", where)

    def cell(row, col):
        return versions.get(address(row, col), NOTHING).value

    names, own, given, prints = [], set(), {}, {}
    row = front.ORIGIN
    while (what := cell(row, 1)) is not None:
        name, value = str(cell(row, 2)), cell(row, 3)
        if what == front.STUDY:
            names.append(name)
            own |= {name} if value == "own" else set()
        elif what == front.GIVEN:
            given[name] = value
        elif what == front.SCENARIO:
            prints[name] = value
        row += 1
    if not names:
        raise InputError("is not a workbook made by sheetcalc: Versions does not say what it was made from", where)
    plan, *studies = (find(n) for n in names)
    date = str(cell(4, 2) or "")
    out = Returned(plan, studies, "" if date == "undated" else date, frozenset(own), given, [], str(cell(4, 1)))
    if own:
        return out
    out.rows, out.loose = _scenarios(content, plan)
    out.changed_rows = [r.name for r in out.rows if prints.get(r.name) != front.input_hash(r.inputs)] + [
        n for n in prints if n not in {r.name for r in out.rows}
    ]
    book = Book(plan, given, studies, out.date, out.rows)
    out.issued = book.sheets()
    out.changes = changes(out.issued, content)
    return out


def _scenarios(content: Content, plan: Study) -> tuple[list[Row], list[tuple[str, str, str]]]:
    held = content.sheets.get(TITLE, {})
    names, col = [], 2
    while (name := held.get(address(NAMES, col), NOTHING).value) is not None and name != OUTPUTS[0] and name in plan.inputs:
        names.append(name)
        col += 1
    rows, loose, row = [], [], FIRST
    while (title := held.get(address(row, 1), NOTHING).value) is not None:
        cells = {n: held.get(address(row, 2 + i), NOTHING) for i, n in enumerate(names)}
        loose += [(TITLE, address(row, 2 + i), cells[n].formula) for i, n in enumerate(names) if cells[n].formula]
        rows.append(Row(str(title), {n: _in_base(plan.inputs[n], c.value) for n, c in cells.items()}))
        row += 1
    return rows, loose


def changes(issued: list[Sheet], content: Content) -> list[Change]:
    """Typed cells that do not hold what was issued; scenarios are read as they are."""
    out = []
    for sheet in issued:
        held = content.sheets.get(sheet.title, {})
        for (row, col), cell in sheet.cells.items():
            if cell.typed and cell.typed[0] != "scenario":
                at = address(row, col)
                found = held.get(at, NOTHING)
                if found.formula or not same(cell.value, found.value):
                    out.append(Change(cell.typed, sheet.title, at, cell.value, found.value, found.formula))
    return out


def same(was, now) -> bool:
    """Whether a cell still holds what it held; a blank text is a blank cell."""
    if _is_number(was) and _is_number(now):
        return math.isclose(was, now, rel_tol=1e-14, abs_tol=0) or was == now
    return (was in (None, "") and now in (None, "")) or (type(was) is type(now) and was == now)


def _is_number(x) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _in_base(about, value):
    """A cell's value in base units; None for a blank."""
    if value is None or value == "":
        return None
    if about.is_text:
        return value if isinstance(value, str) else f"{value:g}" if _is_number(value) else str(value)
    return float(value) * factor(about.unit) if _is_number(value) else value


def _columns(model, found: list[Change]) -> dict[str, list]:
    out: dict[str, list] = {}
    for c in found:
        _, _, name, i = c.key
        column = out.setdefault(name, list(model.inputs[name].value))
        value = _in_base(model.inputs[name], c.now)
        column[i] = "" if value is None and model.inputs[name].is_text else value
    return out


def cells_of(sheet: Sheet):
    """Every cell with its address, the streamed ones too."""
    for row, line in enumerate(sheet.rows(), 1):
        for col, cell in enumerate(line, 1):
            if isinstance(cell, Cell):
                yield address(row, col), cell
