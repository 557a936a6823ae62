"""The Scenarios sheet: one row a scenario, the same formulas in every row, and what the picker on Inputs pulls into the model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter as letter

from sheetcalc.expr import Expr, refs
from sheetcalc.many import batch
from sheetcalc.operations import is_truth
from sheetcalc.study import Study
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place, Printer, whole
from sheetcalc.workbook.grids import heading_width
from sheetcalc.workbook.inline import columns as inlined
from sheetcalc.workbook.inputs import DEFAULT, Picked
from sheetcalc.workbook.inputs import TITLE as INPUTS
from sheetcalc.workbook.inputs import places as input_places
from sheetcalc.workbook.rows import base_unit, choices_words, display_unit
from sheetcalc.workbook.sheet import Cell, Sheet, address, text
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor, in_cell

TITLE = "Scenarios"
MOST = 40  # formula columns
LABELS, UNITS, ONE, NAMES, FIRST = 4, 5, 6, 7, 8
FAR = 900_000
NARROWEST, LONGEST = 13, 26  # characters of a column
OUTPUTS = ("choice_by_cost", "plan_holds", "gpus", "build_cost_per_month", "api_cost_per_month", "tpot_worst")


class Row(NamedTuple):
    """One scenario: its name and what was typed for it, in base units."""

    name: str
    inputs: dict[str, Any]


class Table:
    """Scenarios of a plan as columns: typed ones at the left, then results, then workings."""

    title = TITLE
    purpose = (
        "One row a scenario. Blue cells may be changed, a blank one takes the default or the profile's value; every other cell follows. "
        "Inputs that are no column here stand on Inputs."
    )
    outputs = OUTPUTS
    look = styles.INPUT  # of the cells at the left
    by_hand = True  # they are typed, and may be blank

    def __init__(self, study: Study, rows: list[Row], given: dict[str, Any]):
        self.study, self.model, self.rows, self.given = study, study.model, rows, given
        present = {n for row in rows for n in row.inputs}
        self.typed = [n for n in study.inputs if n in present]
        self.input_rows = input_places(study)[1]
        own = {self.model.typed[n] for n in self.typed}
        scaled = [n for n in self.outputs if factor(self.model.unit(n)) != 1]
        self.exprs = inlined(self.model, list(self.outputs), own, MOST - len(scaled))
        read = [n for n in self.outputs if n in self.exprs]
        self.twice = [n for n in scaled if n in self.exprs and any(n in refs(e) for e in self.exprs.values())]
        # those that are shown in another unit come first: in other orders LibreOffice 7.4 has worked out the first row wrongly
        once = [*self.twice, *(n for n in self.exprs if n not in self.outputs)]
        first = 2 + len(self.typed)
        self.typed_column = {n: 2 + i for i, n in enumerate(self.typed)}
        self.shown_column = {n: first + i for i, n in enumerate(read)}  # in display units, what is read
        self.column = {n: c for n, c in self.shown_column.items() if n not in self.twice}  # what formulas refer to
        self.column |= {n: first + len(read) + i for i, n in enumerate(once)}
        self.values = self._values([*self.column])

    def _values(self, names: list[str]) -> dict[str, Any]:
        given = {n: [row.inputs.get(n, self._default(n)) for row in self.rows] for n in self.typed}
        columns = {n: self.model.inputs[n]._replace(value=x) for n, x in self.given.items() if self.model.home.get(n)}
        fixed = {n: x for n, x in self.given.items() if n not in given and n not in columns}
        found = {n: [self._or_default(n, v) for v in column] for n, column in given.items()}
        model = copy(self.model)
        model.inputs = self.model.inputs | columns  # a changed catalogue is no column of scenarios
        return batch(model, {**found, **fixed}, names) | {"typed": given}

    def _or_default(self, name: str, x):
        """What a cell gives: a blank one the default, else nothing."""
        x = self._default(name) if x is None or x == "" else x
        return ("" if self.study.inputs[name].is_text else math.nan) if x is None else x

    def _default(self, name: str):
        own = self.model.typed[name]
        return self.model.inputs[own].value if own == name else None

    # the sheet ------------------------------------------------------------------------------------------------------------
    def write(self, sheet: Sheet, places: dict[str, Place], sizes: dict[str, int]) -> None:
        """Headings, then the rows, streamed."""
        sheet.put(1, 1, self.title, styles.TITLE)
        sheet.put(2, 2 if self.by_hand else 1, self.purpose, styles.SUBTITLE._replace(wrap=False))  # column A is on every printed page
        sheet.put(LABELS, 1, "Scenario", styles.HEADING)
        sheet.width(1, 32)
        for name, col in self.typed_column.items():
            about = self.study.inputs[name]
            self._heading(sheet, col, name, about.label, about.unit, self.values["typed"][name])
        for name, col in self.shown_column.items():
            self._heading(sheet, col, name, self.model.about(name).label, self.model.unit(name), self.values[name])
        for name, col in self.column.items():
            if col not in self.shown_column.values():
                about = self.model.about(name)
                self._heading(sheet, col, name, about.label, base_unit(about.unit), self.values[name])
                sheet.workings.add(col)
        sheet.grey_missing = False  # LibreOffice 7.4 dies when it prints a Scenarios or Cases sheet with the format
        sheet.frozen, sheet.heading_rows = f"B{FIRST}", f"{LABELS}:{NAMES}"
        self._validate(sheet, places, sizes)
        printer = _RowPrinter(places, sizes, self)
        texts = {n: printer.column(n, e) for n, e in self.exprs.items()}
        for e in self.exprs.values():
            for n in refs(e):
                if n not in self.column and n not in self.owns and len(places[n].axes) < 2:
                    sheet.names[n] = places[n].address({a: whole(sizes[a]) for a in places[n].axes}, "")
        sheet.tail = lambda: self._stream(texts)

    def _heading(self, sheet: Sheet, col: int, name: str, label: str, unit: str, values) -> None:
        longest = max((len(x) for x in values if isinstance(x, str)), default=0)
        quiet = styles.NAME if longest else styles.UNIT._replace(right=True)
        sheet.put(LABELS, col, label, styles.HEADING_IN if longest else styles.HEADING_RIGHT)
        sheet.put(UNITS, col, display_unit(unit), quiet)
        if factor(unit) != 1:
            sheet.put(ONE, col, factor(unit), styles.one_unit(factor(unit)))
        sheet.put(NAMES, col, name, quiet)
        sheet.width(col, max(min(longest + 3, LONGEST), len(name) + 1, heading_width(label), NARROWEST))

    @property
    def owns(self) -> dict[str, str]:
        return {self.model.typed[n]: n for n in self.typed}

    def _factor(self, name: str) -> float:
        """A result that nothing else in the row reads is worked out in its display unit; workings stand in base units."""
        return factor(self.model.unit(name)) if name in self.outputs and name not in self.twice else 1.0

    def _validate(self, sheet: Sheet, places, sizes) -> None:
        for name in self.typed:
            about, cells = self.study.inputs[name], f"{letter(self.typed_column[name])}{FIRST}:{letter(self.typed_column[name])}{self.last}"
            if about.is_text and about.choices:
                axis = next((a for a in self.model.axis if tuple(self.model.inputs[a].value) == about.choices), "")
                source = places[axis].address({axis: whole(sizes[axis])}, "") if axis else '"' + ",".join(about.choices) + '"'
                sheet.lists.append((cells, source, f"Choose {choices_words(about)}"))
            elif not about.is_text:
                sheet.bounds.append((cells, about))

    @property
    def last(self) -> int:
        return FIRST + len(self.rows) - 1

    def _stream(self, texts) -> Iterator[list[Cell | None]]:
        typed, values = self.values["typed"], self.values
        scale = {n: factor(self.study.inputs[n].unit) for n in self.typed}
        looks = {n: self._typed_look(n, typed[n], scale[n]) for n in self.typed}
        results = [
            *((n, self._look(n, True), factor(self.model.unit(n)), self._shown(n, texts)) for n in self.shown_column),
            *((n, self._look(n, False), 1.0, texts[n]) for n, col in self.column.items() if col not in self.shown_column.values()),
        ]
        truths = {n for n in self.column if is_truth(self.model.steps[n].expr)}
        for i, row in enumerate(self.rows):
            line: list[Cell | None] = [Cell(text(row.name), styles.LABEL._replace(bold=True))]
            for n in self.typed:
                line.append(self.typed_cell(i, n, typed[n][i], scale[n], looks[n]))
            for n, look, one, written in results:
                x = values[n][i]
                x = x.item() if hasattr(x, "item") else x
                cached = (x or math.nan) if isinstance(x, str) else x if x != x else bool(x) if n in truths else float(x) / one
                line.append(Cell("=" + written(i), look, cached, True))
            yield line

    def _shown(self, name: str, texts):
        """The formula of a result as it is read: its own, or where others read it too, the base value over its factor."""
        if name not in self.twice:
            return texts[name]
        base, one = letter(self.column[name]), f"{letter(self.shown_column[name])}${ONE}"
        return lambda i: f"${base}{FIRST + i}/{one}"

    def _typed_look(self, name: str, values: list, scale: float) -> Style:
        if self.study.inputs[name].is_text:
            return self.look._replace(indent=1)
        numbers = [float(x) / scale for x in values if x is not None]
        return self.look._replace(format=styles.typed_format(self.study.inputs[name].unit, numbers))

    def typed_cell(self, i: int, name: str, x, scale: float, look: Style) -> Cell:
        """What stands at the left in row `i`: what was typed, in display units, or nothing."""
        return Cell(
            None if x is None or x == "" else text(x) if isinstance(x, str) else in_cell(x, scale), look, typed=("scenario", i, name)
        )

    def _look(self, name: str, shown: bool) -> Style:
        unit, values = self.model.unit(name), self.values[name]
        if is_truth(self.model.steps[name].expr):
            return Style(bold=shown)
        if any(isinstance(x, str) for x in values):
            return Style(bold=shown, indent=1)
        numbers = [float(x) / factor(unit) for x in values]
        form = styles.column_format(unit, numbers) if shown or factor(unit) == 1 else styles.EXACT
        return Style(format=form, bold=shown)

    # the picker -----------------------------------------------------------------------------------------------------------
    def picked(self, place: int, name_cell: str) -> Picked:
        """What the picker's formulas say when row `place` (0 is the first) is chosen; `name_cell` holds the chosen name."""
        names = f"{TITLE}!$A${FIRST}:$A${self.last}"
        formulas, values = {}, {}
        for name in self.typed:
            col = letter(self.typed_column[name])
            cell = f"INDEX({TITLE}!${col}${FIRST}:${col}${self.last},MATCH({name_cell},{names},0))"
            formulas[name] = f'IF({cell}="",NA(),{cell})'
            x = self.values["typed"][name][place]
            values[name] = math.nan if x is None or x == "" else x
        return Picked(formulas, values)

    def typed_rows(self) -> list[tuple[str, dict[str, Any]]]:
        """Each scenario as its row shows it, with defaults where the table had blanks."""
        return [(text(row.name), {n: self.values["typed"][n][i] for n in self.typed}) for i, row in enumerate(self.rows)]

    def inputs_of(self, place: int) -> dict[str, Any]:
        """The inputs of one scenario in the model, in base units: what is typed on Inputs wins."""
        row = {n: self.values["typed"][n][place] for n in self.typed}
        return {n: x for n, x in row.items() if x not in (None, "")} | self.given


class _RowPrinter(Printer):
    """Prints a row's formulas: what varies is a cell of the same row, the rest a name."""

    def __init__(self, places: dict[str, Place], sizes: dict[str, int], table: Table):
        super().__init__(places, sizes)
        self.table, self.owns = table, table.owns

    def column(self, name: str, e: Expr):
        """The formula of row i of a column: printed once, with the row replaced."""
        text = self.formula(e, {}, self.table.title)
        if self.table._factor(name) != 1:
            text = f"({text})/{letter(self.table.column[name])}${ONE}"
        parts = re.split(rf"(?<=[A-Z]){FAR}(?!\d)", text)
        return lambda i: f"{FIRST + i}".join(parts)

    def formula(self, e: Expr, at, here: str, lifted: bool = False) -> str:
        if e.op in ("given", "stated") and e.args[0].op == "ref" and e.args[0].args[0] in self.owns:
            typed = self.owns[e.args[0].args[0]]
            test = "ISNUMBER" if e.op == "given" else "ISTEXT"
            return f"IF({test}({self._cell(typed)}),{self._scaled(typed)},{self.formula(e.args[1], at, here, lifted)})"
        return super().formula(e, at, here, lifted)

    def _reference(self, name: str, at, here: str) -> str:
        if name in self.owns:
            cell = self._scaled(self.owns[name], self._or_default(self.owns[name]) if self.table.by_hand else "")
            return f"({cell})" if "*" in cell else cell
        if name in self.table.column:
            return f"${letter(self.table.column[name])}{FAR}"
        return super()._reference(name, at, here)

    def _cell(self, typed: str) -> str:
        return f"${letter(self.table.typed_column[typed])}{FAR}"

    def _scaled(self, typed: str, cell: str = "") -> str:
        unit = self.table.study.inputs[typed].unit
        cell = cell or self._cell(typed)
        return cell if factor(unit) == 1 else f"{cell}*{letter(self.table.typed_column[typed])}${ONE}"

    def _or_default(self, typed: str) -> str:
        """The cell, or where it is blank the default that stands on Inputs."""
        about, cell = self.table.study.inputs[typed], self._cell(typed)
        blank = about.value is None or about.value == ""
        default = "NA()" if blank else f"{INPUTS}!{address(self.table.input_rows[typed], DEFAULT, True)}"
        return f"IF({'ISTEXT' if about.is_text else 'ISNUMBER'}({cell}),{cell},{default})"
