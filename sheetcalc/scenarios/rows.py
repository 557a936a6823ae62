"""One record of the table becomes a scenario, or a refusal that names every cell that is wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from sheetcalc.numbers import Style, Unreadable, quoted
from sheetcalc.scenarios.header import ABOUT, REASONS, Column
from sheetcalc.scenarios.problems import Problem
from sheetcalc.scenarios.records import Record
from sheetcalc.scenarios.refused import MISSING, restored
from sheetcalc.typed import CONTROL, LONGEST_TEXT, iso_date, typed

LONGEST_NOTES = 2000


class Scenario(NamedTuple):
    """A row that can be worked out: `inputs` in base units, as far as typed; `conversions` says in words what was converted."""

    row_number: int
    name: str
    inputs: dict[str, Any]
    notes: str
    recipients: str
    issue_date: str
    conversions: tuple[str, ...]
    cells: list[str]


class Refusal(NamedTuple):
    """A row that cannot: its problems (column, what is wrong, what to write instead) and its cells as they were typed."""

    row_number: int
    name: str
    problems: tuple[Problem, ...]
    cells: list[str]

    def lines(self, path: str) -> list[str]:
        """One sentence a problem, ready for stderr."""
        return [problem.line(path, self.row_number) for problem in self.problems]


class Rows:
    """Turns records into rows by the columns of the header."""

    def __init__(self, columns: list[Column], inputs: Mapping, keys: Mapping, style: Style, twins: Mapping[int, list[int]]):
        self.columns, self.inputs, self.keys, self.style, self.twins = columns, inputs, keys, style, twins
        self.width = max((c.place for c in columns), default=-1) + 1
        self.place = {c.name: c.place for c in columns}
        self.typed = [c for c in columns if c.name in inputs and c.name not in ABOUT]
        self.was_refused = any(c.name in REASONS for c in columns)

    def row(self, record: Record) -> Scenario | Refusal | None:
        """The scenario of a record, its refusal, or None for an empty row."""
        cells = record.cells[:]
        while cells and (cells[-1] == "" or (isinstance(cells[-1], str) and not cells[-1].strip())):
            cells.pop()
        if not cells:
            return None
        kept = [text_of(cell) for cell in record.cells]
        if self.was_refused:
            cells = [restored(cell) if isinstance(cell, str) else cell for cell in cells]
            kept = [restored(cell) for cell in kept]
        problems: list[Problem] = [record.problem] if record.problem else []
        problems += self._form(record, cells)
        if problems:
            return Refusal(record.row, self._cell(kept, "scenario").strip(), tuple(problems), kept)
        name, inputs, conversions = self._name(record, cells, problems), {}, []
        for column in self.typed:
            cell = cells[column.place] if column.place < len(cells) else ""
            if isinstance(cell, str) and not cell.strip("\u00a0\u202f \t"):
                continue  # the default serves, and the memo says so
            try:
                found = typed(column.name, cell, self.inputs[column.name], self.keys.get(column.name), self.style, column.unit)
            except Unreadable as error:
                problems.append(Problem(column.name, error.what, error.instead))
            else:
                inputs[column.name] = found.value
                conversions += [found.conversion] if found.conversion else []
        notes = self._text("notes", cells, problems, LONGEST_NOTES, "\n\r\t")
        recipients = self._text("recipients", cells, problems, LONGEST_NOTES, "\t")
        issued = self._issue_date(cells, problems)
        if problems:
            return Refusal(record.row, name, tuple(problems), kept)
        return Scenario(record.row, name, inputs, notes, recipients, issued, tuple(conversions), kept)

    def _form(self, record: Record, cells: list) -> list[Problem]:
        """What is wrong with the row as a whole."""
        at = "" if record.line == record.row else f" (it begins on line {record.line})"
        if len(cells) > self.width:
            return [
                Problem(
                    "",
                    f"the row has {len(cells)} cells where the header has {self.width}{at}",
                    "put a cell that holds a separator in quotation marks",
                )
            ]
        if len(record.cells) < self.width or (MISSING in cells and self.was_refused):
            there = cells.index(MISSING) if MISSING in cells else len(record.cells)
            return [
                Problem(
                    "",
                    f"the row has {there} cells where the header has {self.width}{at}",
                    "write every cell; leave it empty for the default",
                )
            ]
        return []

    def _name(self, record: Record, cells: list, problems: list[Problem]) -> str:
        if "scenario" not in self.place:
            return f"Row {record.row}"
        name = unicodedata.normalize("NFC", text_of(self._cell(cells, "scenario"))).strip().strip("\u00a0\u202f")
        wrong = name_problem(name)
        others = [row for row in self.twins.get(record.row, ()) if row != record.row]
        if wrong:
            problems.append(wrong)
        elif others:
            same = ", ".join(map(str, others[:5])) + (" …" if len(others) > 5 else "")
            problems.append(Problem("scenario", f"{quoted(name)} is also the name of row {same}", "give each scenario a name of its own"))
        return name

    def _issue_date(self, cells: list, problems: list[Problem]) -> str:
        cell = text_of(self._cell(cells, "issue_date")).strip()
        try:
            return iso_date(cell) if cell else ""
        except Unreadable as error:
            problems.append(Problem("issue_date", error.what, error.instead))
            return ""

    def _cell(self, cells: list, name: str) -> Any:
        place = self.place.get(name)
        return cells[place] if place is not None and place < len(cells) else ""

    def _text(self, name: str, cells: list, problems: list[Problem], longest: int, allowed: str) -> str:
        text = (
            unicodedata.normalize("NFC", text_of(self._cell(cells, name)).strip())
            if not CONTROL.search(text_of(self._cell(cells, name)))
            else None
        )
        if text is None or any(c in "\n\r\t" and c not in allowed for c in text):
            problems.append(Problem(name, "holds a control character", "write plain text"))
        elif len(text) > longest:
            problems.append(Problem(name, f"has {len(text):,} characters", f"write at most {longest:,}"))
        return text or ""


def name_problem(name: str) -> Problem | None:
    """What is wrong with a scenario's name, if anything."""
    if not name:
        return Problem("scenario", "is empty", "give each scenario a name of its own")
    if CONTROL.search(name) or any(c in "\n\r\t" for c in name):
        return Problem(
            "scenario",
            f"{quoted(name)} holds a line break, a control or a direction-override character",
            "write the name on one line, in plain text",
        )
    if len(name) > LONGEST_TEXT:
        return Problem(
            "scenario", f"{quoted(name)} has {len(name)} characters", f"write at most {LONGEST_TEXT}, and put the rest into notes"
        )
    return None


def text_of(cell: Any) -> str:
    """A cell as text: a whole number of a sheet without '.0', a date in ISO form."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell == int(cell) and abs(cell) < 1e15:
        return str(int(cell))
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
