"""A workbook that came back: what it was made from, what a person has changed since, and the same book built again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sheetcalc.declare import Input
from sheetcalc.errors import InputError
from sheetcalc.study import Study
from sheetcalc.workbook import own, versions
from sheetcalc.workbook.book import Book, Edits
from sheetcalc.workbook.inputs import TITLE as INPUTS
from sheetcalc.workbook.read import NOTHING, Content
from sheetcalc.workbook.sheet import Cell, Sheet, address
from sheetcalc.workbook.table import FIRST, NAMES, OUTPUTS, TITLE, Row
from sheetcalc.workbook.validation import factor, refused

PICKER = "B3"  # on Inputs


class Change(NamedTuple):
    """One typed cell that differs from what was issued; values as they stand in the cell, None for blank."""

    key: tuple
    sheet: str
    cell: str
    was: Any
    now: Any
    formula: str = ""


class Refused(NamedTuple):
    """A typed cell that cannot be used: its scenario ('' for all), where it stands, and what to write instead."""

    scenario: str
    sheet: str
    cell: str
    says: str


@dataclass
class Returned:
    """The book as issued, the changes of its typed cells, and what was typed that cannot be used."""

    origin: versions.Origin
    plan: Study
    studies: list[Study]
    rows: list[Row] = field(default_factory=list)  # the scenarios as they are now
    added: list[str] = field(default_factory=list)  # scenarios that were not issued
    removed: list[str] = field(default_factory=list)
    book: Book | None = None  # as issued, with the scenarios that are there now
    issued: list[Sheet] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    moved: Refused | None = None  # the first row that is not where it was issued: then no typed cell means what it should

    @property
    def date(self) -> str:
        return self.origin.date

    def now(self) -> Book:
        """The book with the changes in it. Raises InputError on a value outside its range."""
        plan = self.plan._replace(
            inputs=self.plan.inputs | {n: self.plan.inputs[n]._replace(value=x) for n, x in self._typed("default").items()}
        )
        return Book(plan, self._given(), self.studies, self.date, self.rows, self.origin.own, self._edits())

    def scenarios(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each scenario, or the plan, with what is given for it, in base units.

        What is typed on Inputs holds for the plan and the picked scenario. The others have their own row, a blank cell of which takes the
        default and not what is typed on Inputs, as on the sheet.
        """
        fallback, given = self._typed("default"), self._given()
        columns = {name for row in self.rows for name in row.inputs}
        beside = {name: x for name, x in given.items() if name not in columns}
        if not self.rows:
            yield self.plan.name, _present(fallback | given)
        for row in self.rows:
            own_row = _present(row.inputs)
            picked = row.name.casefold() == self.picked.casefold()
            yield row.name, _present(fallback | (own_row | given if picked else beside | own_row))

    def of_study(self, study: Study) -> dict[str, Any]:
        """What is given for a study beside the plan, in base units; its links to the plan not among it."""
        return self._edits().studies.get(study.name, {})

    @property
    def picked(self) -> str:
        """The name of the scenario in the model."""
        return next((str(c.now) for c in self.changes if c.key[0] == "picked"), self.rows[0].name if self.rows else "")

    def _typed(self, what: str) -> dict[str, Any]:
        return {c.key[1]: in_base(self.plan.inputs[c.key[1]], c.now) for c in self.changes if c.key[0] == what}

    def _given(self) -> dict[str, Any]:
        """What is typed for the plan, with whole columns of its catalogues where one cell was changed."""
        return _present(self.origin.given | self._typed("given")) | _columns(self.plan, self.changes)

    def _edits(self) -> Edits:
        studies: dict[str, dict[str, Any]] = {}
        for study in self.studies:
            found = {c.key[2]: in_base(study.model.inputs[c.key[2]], c.now) for c in self.changes if c.key[:2] == ("study", study.name)}
            if found := found | _columns(study, self.changes):
                studies[study.name] = found
        shares = {c.key[1:]: c.now or 0.0 for c in self.changes if c.key[0] == "share"}
        loads = {c.key[1]: c.now or 0.0 for c in self.changes if c.key[0] == "load"}
        return Edits(studies, shares, loads, self.picked)


def returned(content: Content, find: Callable[[str], Study], where: str = "") -> Returned:
    """A workbook of ours from what was read. Raises InputError when it is not one."""
    if INPUTS not in content.sheets or not content.sheets.get(versions.TITLE):
        raise InputError("is not a workbook made by sheetcalc: it has no Inputs and Versions sheets", where)
    origin = versions.read(content.sheets[versions.TITLE], where)
    plan, *studies = (own.taken(find(name), origin.own, where) for name in origin.studies)
    out = Returned(origin, plan, studies, _scenarios(content, plan))
    before, now = dict(origin.rows), {row.name for row in out.rows}
    out.added = [row.name for row in out.rows if row.name not in before]
    out.removed = [name for name in before if name not in now]
    out.book = Book(plan, origin.given, studies, out.date, _issued_rows(out.rows, before, plan), origin.own)
    out.issued = out.book.sheets()
    out.moved = next(_moved(out.issued, content), None)
    if out.moved is None:
        out.changes = changes(out.issued, content)
        out.refused = list(_refused(out))
    return out


def _moved(issued: list[Sheet], content: Content) -> Iterator[Refused]:
    """Rows of inputs whose name does not stand where it should."""
    for sheet in issued:
        held = content.sheets.get(sheet.title)
        names = {at[0]: cell.typed[-1] for at, cell in sheet.cells.items() if cell.typed[:1] in (("given",), ("study",))}
        for (row, col), cell in sheet.cells.items() if held is not None else ():
            at = address(row, col)
            if not cell.typed and cell.value == names.get(row, cell) and (found := held.get(at, NOTHING).value) != cell.value:
                says = f"holds {'nothing' if found is None else repr(found)} where the input {cell.value} should stand"
                yield Refused("", sheet.title, at, f"{says}; rows were moved, or another version of sheetcalc made the file")


def _scenarios(content: Content, plan: Study) -> list[Row]:
    held = content.sheets.get(TITLE, {})
    names, col = [], 2
    while (name := held.get(address(NAMES, col), NOTHING).value) is not None and name != OUTPUTS[0] and name in plan.inputs:
        names.append(name)
        col += 1
    rows, row = [], FIRST
    while (title := held.get(address(row, 1), NOTHING).value) is not None:
        cells = {n: held.get(address(row, 2 + i), NOTHING) for i, n in enumerate(names)}
        rows.append(Row(str(title), {n: in_base(plan.inputs[n], c.value) for n, c in cells.items()}))
        row += 1
    return rows


def _issued_rows(rows: list[Row], before: dict[str, dict[str, Any]], plan: Study) -> list[Row]:
    """The scenarios that are there with what they were issued with; an added one has what it has, where that can be used."""
    columns = list(rows[0].inputs) if rows else []
    out = []
    for row in rows:
        given = before.get(row.name) or {n: x for n, x in row.inputs.items() if x is None or not refused(plan.inputs[n], x)}
        out.append(Row(row.name, {n: given.get(n) for n in columns}))
    return out


def changes(issued: list[Sheet], content: Content) -> list[Change]:
    """Typed cells that do not hold what was issued."""
    out = []
    for sheet in issued:
        held = content.sheets.get(sheet.title, {})
        for at, cell in cells_of(sheet):
            if cell.typed:
                found = held.get(at, NOTHING)
                if found.formula or not same(cell.value, found.value):
                    out.append(Change(cell.typed, sheet.title, at, cell.value, found.value, found.formula))
    return out


def _refused(back: Returned) -> Iterator[Refused]:
    """What was typed and cannot be used, in words."""
    for c in back.changes:
        about, scenario = about_of(back, c), ""
        if c.key[0] == "picked":
            if str(c.now).casefold() not in {row.name.casefold() for row in back.rows}:
                yield Refused(
                    "", c.sheet, c.cell, f"{c.now!r} is no scenario; write one of column A of {TITLE}, such as {back.rows[0].name!r}"
                )
            continue
        if c.key[0] == "scenario":
            scenario = back.rows[c.key[1]].name
        problem = "" if c.now is None or c.now == "" else refused(about, in_base(about, c.now))
        if c.formula and c.now is None:
            problem = f"holds ={c.formula} and no value of it; type the value, or open the file in Excel or LibreOffice and save it"
        if problem:
            yield Refused(scenario, c.sheet, c.cell, f"{about.label}{name_of(c)}: {problem}")


def about_of(back: Returned, c: Change) -> Input:
    """The input that a typed cell is of."""
    kind, *rest = c.key
    if kind in ("given", "default"):
        return back.plan.inputs[rest[0]]
    if kind == "scenario":
        return back.plan.inputs[rest[1]]
    if kind in ("study", "grid"):
        return next(s for s in (back.plan, *back.studies) if s.name == rest[0]).model.inputs[rest[1]]
    if kind == "picked":
        return Input("", "", "Scenario in the model")
    return Input(0.0, "%", "Share of the load" if kind == "load" else "Share by which the input is moved")


def name_of(c: Change) -> str:
    """The name of the input that a typed cell is of, in parentheses."""
    place = {"given": 1, "default": 1, "share": 1, "scenario": 2, "study": 2, "grid": 2}
    return f" ({c.key[place[c.key[0]]]})" if c.key[0] in place else ""


def same(was, now) -> bool:
    """Whether a cell still holds what it held; a blank text is a blank cell."""
    if is_number(was) and is_number(now):
        return math.isclose(was, now, rel_tol=1e-14, abs_tol=0) or was == now
    return (was in (None, "") and now in (None, "")) or (type(was) is type(now) and was == now)


def is_number(x) -> bool:
    """Whether a cell holds a number; a truth is none."""
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def in_base(about: Input, value):
    """A cell's value in base units; None for a blank."""
    if value is None or value == "":
        return None
    if about.is_text:
        return value if isinstance(value, str) or value != value else f"{value:g}" if is_number(value) else str(value)
    return float(value) * factor(about.unit) if is_number(value) else value


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {n: x for n, x in given.items() if x is not None and x != ""}


def _columns(study: Study, found: list[Change]) -> dict[str, list]:
    out: dict[str, list] = {}
    for c in found:
        if c.key[:2] == ("grid", study.name):
            _, _, name, i = c.key
            about = study.model.inputs[name]
            value = in_base(about, c.now)
            out.setdefault(name, list(about.value))[i] = "" if value is None and about.is_text else value
    return out


def cells_of(sheet: Sheet) -> Iterator[tuple[str, Cell]]:
    """Every cell with its address, the streamed ones too."""
    for row, line in enumerate(sheet.rows(), 1):
        for col, cell in enumerate(line, 1):
            if isinstance(cell, Cell):
                yield address(row, col), cell
