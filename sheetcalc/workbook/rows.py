"""The rows of a study: inputs with their base values, results with formula, words and source."""

from __future__ import annotations

import math

from sheetcalc import show
from sheetcalc.expr import refs
from sheetcalc.model import OWN, Link
from sheetcalc.operations import is_truth
from sheetcalc.provenance import readable
from sheetcalc.ranges import range_words
from sheetcalc.study import Result
from sheetcalc.units import base
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place, Printer, text_literal, whole
from sheetcalc.workbook.layout import BASE, LABEL, NAME, ONE, SOURCE, UNIT, VALUE, WORDS, Layout
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

HEADINGS = ("Quantity", "Value", "Unit", "One unit is", "In base units", "Name", "How it is worked out", "Source")
FEW = 8  # choices that are named in a sentence
WIDTHS = (40, 15, 10, 10, 13, 26, 66, 38)


class Writer:
    """Writes one study into sheets that exist: `far` gives the places of the studies that it links to."""

    def __init__(self, result: Result, layout: Layout, sheets: dict[str, Sheet], far: dict[str, dict[str, Place]]):
        self.result, self.model, self.layout, self.sheets, self.far = result, result.model, layout, sheets, far
        self.sizes = {a: self.model.length(a) for a in self.model.axis}
        self.printer = Printer(layout.places, self.sizes)
        self._found: dict[str, object] = {}
        self.truths = {n for n, s in self.model.steps.items() if is_truth(s.expr)}

    # values ---------------------------------------------------------------------------------------------------------------
    def cached(self, name: str, i: int | None = None, j: int | None = None):
        """The value of one cell in base units, as Excel holds it: a flag, a text, a number, or NaN."""
        if name not in self._found:
            self._found[name] = self.result.value(name)
        x = self._found[name]
        if i is not None and j is not None:
            x = x[i][j]
        elif i is not None or j is not None:
            x = x[i if j is None else j]
        if isinstance(x, str):
            return x or math.nan  # a blank text is #N/A, as a blank number is
        if x != x:
            return x
        return bool(x) if name in self.truths else float(x)

    def shown(self, name: str, *at):
        """The same in its display unit."""
        x = self.cached(name, *at)
        return x if isinstance(x, (str, bool)) else x / factor(self.model.unit(name))

    def use_names(self, sheet: Sheet, name: str) -> None:
        """Give the sheet the names that a formula reads, so that it reads alone."""
        for n in refs(self.model.steps[name].expr):
            place = self.layout.places[n]
            if len(place.axes) < 2:
                full = {a: whole(self.sizes[a]) for a in place.axes}
                sheet.names[n] = place.address(full, "")

    def own_name(self, sheet: Sheet, name: str) -> None:
        """A cell's own name on its sheet."""
        place = self.layout.places[name]
        if len(place.axes) < 2:
            sheet.names[name] = place.address({a: whole(self.sizes[a]) for a in place.axes}, "")

    # rows -----------------------------------------------------------------------------------------------------------------
    def headings(self, sheet: Sheet, row: int, title: str) -> None:
        sheet.put(row - 2, LABEL, title, styles.SECTION)
        for col, words in enumerate(HEADINGS, 1):
            sheet.put(
                row - 1,
                col,
                words,
                styles.HEADING_RIGHT if col in (VALUE, ONE, BASE) else styles.HEADING if col == LABEL else styles.HEADING_IN,
            )

    def input_row(self, sheet: Sheet, row: int, name: str) -> None:
        """One blue cell and its base value; a linked one is green."""
        about, unit = self.model.inputs[name], self.model.unit(name)
        given = self.result.changes.get(name.removeprefix(OWN), about.value)
        self._frame(sheet, row, name, about.label, unit)
        sheet.put(row, WORDS, f"valid: {range_note(about)}", styles.NOTE)
        sheet.put(row, SOURCE, readable(about.source), styles.NOTE)
        value, exact = self.cached(name), self._exact(name)
        if isinstance(about.value, Link):
            far = self.far[about.value.study][about.value.name]
            sheet.formula(row, BASE, far.address({}, sheet.title), value, styles.LINK._replace(format=exact))
            sheet.formula(
                row, VALUE, self._display(name, row), self.shown(name), Style(format=styles.typed_format(unit, [self.shown(name)]))
            )
            return
        blank = given is None or given == ""
        look = styles.INPUT._replace(format=styles.typed_format(unit, [self.shown(name)]), right=about.is_text, wrap=about.is_text)
        sheet.put(row, VALUE, None if blank else self.shown(name), look, ("study", self.result.study.name, name))
        typed = address(row, VALUE)
        if about.is_text:
            sheet.formula(
                row, BASE, f"IF(ISTEXT({typed}),{typed},NA())" if about.value in (None, "") else typed, value, Style(format=exact)
            )
            if about.choices:
                sheet.lists.append((typed, self.choice_list(name, about), f"Choose {choices_words(about)}"))
        else:
            scaled = typed if factor(unit) == 1 else f"{typed}*{address(row, ONE)}"
            optional = about.value is None
            sheet.formula(row, BASE, f"IF(ISNUMBER({typed}),{scaled},NA())" if optional else scaled, value, Style(format=exact))
            sheet.bounds.append((typed, about))

    def choice_list(self, name: str, about) -> str:
        """The list of a validation: the catalogue's keys, or the words themselves."""
        for axis, place in self.layout.places.items():
            if axis in self.model.axis and tuple(self.model.inputs[axis].value) == about.choices and len(place.axes) == 1:
                return place.address({place.axes[0]: whole(self.sizes[place.axes[0]])}, "")
        return text_literal(",".join(about.choices))

    def result_row(self, sheet: Sheet, row: int, name: str) -> None:
        """A live formula in base units, and its value in the display unit."""
        step, shown = self.model.steps[name], self.shown(name)
        words = isinstance(shown, str)
        form = styles.number_format(step.about.unit, name in self.truths, shown)
        self._frame(sheet, row, name, step.about.label, step.about.unit)
        sheet.formula(
            row,
            BASE,
            self.printer.formula(step.expr, {}, sheet.title),
            self.cached(name),
            Style(format=self._exact(name, shown), right=words, wrap=words),
        )
        sheet.formula(row, VALUE, self._display(name, row), shown, Style(format=form, right=words, wrap=words))
        sheet.put(row, WORDS, show.words(self.model, name), styles.NOTE)
        sheet.put(row, SOURCE, source_of(step.fn), styles.NOTE)
        self.use_names(sheet, name)

    def _frame(self, sheet: Sheet, row: int, name: str, label: str, unit: str) -> None:
        sheet.put(row, LABEL, label, styles.LABEL)
        sheet.put(row, UNIT, display_unit(unit), styles.NAME)
        sheet.put(row, NAME, name, styles.NAME)
        if factor(unit) != 1:
            sheet.put(row, ONE, factor(unit), styles.one_unit(factor(unit)))
        self.own_name(sheet, name)

    def _display(self, name: str, row: int) -> str:
        cell = address(row, BASE)
        return cell if factor(self.model.unit(name)) == 1 else f"{cell}/{address(row, ONE)}"

    def _exact(self, name: str, shown=None) -> str:
        unit = self.model.unit(name)
        return styles.EXACT if factor(unit) != 1 else styles.number_format(unit, name in self.truths, shown)


def choices_words(about) -> str:
    """The words that an input takes, or how many there are where a sentence cannot hold them."""
    return ", ".join(about.choices) if len(about.choices) <= FEW else f"one of the {len(about.choices)} in the cell's list"


def range_note(about) -> str:
    """What an input takes, and its note."""
    return (choices_words(about) if about.choices else range_words(about)) + (f"; {about.note}" if about.note else "")


def source_of(fn) -> str:
    """Where a formula comes from, as its docstring says."""
    said = " ".join((fn.__doc__ or "").split())
    return "" if said.startswith("Excel:") else readable(said)


def display_unit(unit: str) -> str:
    """The unit of what is shown and typed; a share is 0.65, shown as 65%."""
    return "share" if unit == "%" else unit


def base_unit(unit: str) -> str:
    """The unit of a base column, for its heading."""
    return "share" if unit == "%" else base(unit)
