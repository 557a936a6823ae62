"""Grids: columns in display units at the left, base units and workings at the right, blocks for what varies along two axes."""
from __future__ import annotations

import re

from sheetcalc.model import Link
from sheetcalc.workbook import styles
from sheetcalc.workbook.layout import LABEL, VALUE, GridPlan
from sheetcalc.workbook.rows import Writer, base_unit
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

FAR = 900_000                        # a row that no pinned address reaches: the row of a cell is the only thing that changes down a column


def write(writer: Writer, sheet: Sheet, plan: GridPlan) -> None:
    """One grid on its sheet."""
    sheet.put(plan.top, LABEL, plan.grid.label, styles.SECTION)
    for name, col in plan.shown.items():
        _heading(writer, sheet, plan, name, col, True)
    for name, col in plan.based.items():
        _heading(writer, sheet, plan, name, col, False)
    for name, col in plan.shown.items():
        _shown_column(writer, sheet, plan, name, col)
    for name, place in writer.layout.places.items():
        if place.sheet == sheet.title and place.down == plan.down and not place.across and name in writer.model.steps and name in {**plan.shown, **plan.based}:
            _column(writer, sheet, name)
    for name in plan.rows_across:
        _row_across(writer, sheet, plan, name)
    for name, row, display in plan.blocks:
        _block(writer, sheet, plan, name, row, display)


def _heading(writer, sheet, plan, name, col, display):
    unit = writer.model.unit(name)
    sheet.put(plan.top + 1, col, writer.model.about(name).label + ("" if display else ", base"), styles.HEADING)
    shown = "share" if unit == "%" else unit if display else base_unit(unit)
    sheet.put(plan.top + 2, col, shown, styles.NAME)
    sheet.put(plan.top + 3, col, factor(unit) if display else 1, Style(color=styles.QUIET))
    sheet.width(col, 14)


def _shown_column(writer: Writer, sheet, plan, name, col):
    place, unit = writer.layout.places[name], writer.model.unit(name)
    about = writer.model.inputs.get(name)
    form = styles.number_format(unit, name in writer.truths)
    based, scale = place.col != col, address(plan.top + 3, col).replace(str(plan.top + 3), f"${plan.top + 3}")
    if about is not None:
        writer.own_name(sheet, name)
    for i in range(writer.sizes[plan.down]):
        row = plan.first + i
        if about is not None and not isinstance(about.value, Link):
            value = writer.shown(name, i)
            blank = value != value
            sheet.put(row, col, None if blank else value, styles.INPUT._replace(format=form, wrap=about.is_text))
            if based:
                typed = address(row, col)
                scaled = typed if factor(unit) == 1 else f"{typed}*{scale}"
                formula = f"IF(ISNUMBER({typed}),{scaled},NA())" if any(v is None for v in about.value) else scaled
                sheet.formula(row, place.col, formula, writer.cached(name, i), Style(format=styles.EXACT))
        elif based:
            cell = address(row, place.col)
            sheet.formula(row, col, cell if factor(unit) == 1 else f"{cell}/{scale}", writer.shown(name, i), Style(format=form))


def _column(writer: Writer, sheet, name):
    """A formula that is the same in every row."""
    place, step = writer.layout.places[name], writer.model.steps[name]
    formula_of = _down(writer, sheet, name)
    unit = step.about.unit
    form = styles.number_format(unit, name in writer.truths) if factor(unit) == 1 else styles.EXACT
    for i in range(writer.sizes[place.down]):
        sheet.formula(place.row + i, place.col, formula_of(i), writer.cached(name, i), Style(format=form))
    writer.own_name(sheet, name)
    writer.use_names(sheet, name)


def _down(writer: Writer, sheet, name):
    """The formula of a column's row i: printed once, with the row replaced, where nothing it reads runs across along the same axis."""
    place, step = writer.layout.places[name], writer.model.steps[name]
    if any(writer.layout.places[n].across == place.down for n in step.needs):
        return lambda i: writer.printer.formula(step.expr, {place.down: ((i, False),) * 2}, sheet.title)
    text = writer.printer.formula(step.expr, {place.down: ((FAR, False),) * 2}, sheet.title)
    parts = re.split(r"(?<=[A-Z])(\d{6,})", text)
    parts[1::2] = [int(row) - FAR for row in parts[1::2]]
    return lambda i: "".join(str(p + i) if k % 2 else p for k, p in enumerate(parts))


def _row_across(writer: Writer, sheet, plan, name):
    place, about = writer.layout.places[name], writer.model.about(name)
    unit = about.unit
    sheet.put(place.row, LABEL, about.label, styles.LABEL)
    sheet.put(place.row, VALUE, base_unit(unit), styles.NAME)
    writer.own_name(sheet, name)
    for j in range(writer.sizes[plan.across]):
        if name in writer.model.steps:
            at = {plan.across: ((j, False),) * 2}
            sheet.formula(place.row, place.col + j, writer.printer.formula(writer.model.steps[name].expr, at, sheet.title), writer.cached(name, None, j),
                          Style(format=styles.EXACT if factor(unit) != 1 else styles.number_format(unit)))
        else:
            value = writer.cached(name, None, j)
            look = styles.INPUT._replace(format=styles.number_format(unit))
            if value != value:
                sheet.formula(place.row, place.col + j, "NA()", value, look)      # Excel would count a blank cell as 0
            else:
                sheet.put(place.row, place.col + j, value, look)
    if name in writer.model.steps:
        writer.use_names(sheet, name)


def _block(writer: Writer, sheet, plan, name, row, display):
    model, unit = writer.model, writer.model.unit(name)
    down, across, place = writer.layout.places[plan.down], writer.layout.places[plan.across], writer.layout.places[name]
    first = VALUE + 1
    sheet.put(row - 2, LABEL, model.about(name).label, styles.SECTION)
    sheet.put(row - 2, VALUE, unit if display else base_unit(unit), styles.NAME)
    if display:
        sheet.put(row - 1, VALUE, factor(unit), Style(color=styles.QUIET))
    sheet.put(row - 1, LABEL, f"{model.about(plan.down).label} ↓   {model.about(plan.across).label} →", styles.NAME)
    form = styles.number_format(unit, name in writer.truths) if display or factor(unit) == 1 else styles.EXACT
    for j in range(writer.sizes[plan.across]):
        at = {plan.across: ((j, True),) * 2}
        sheet.formula(row - 1, first + j, across.address(at, sheet.title), writer.cached(plan.across, None, j), styles.HEADING_RIGHT)
        sheet.width(first + j, 12)
    for i in range(writer.sizes[plan.down]):
        sheet.formula(row + i, LABEL, down.address({plan.down: ((i, True),) * 2}, sheet.title), writer.cached(plan.down, i), styles.HEADING)
        for j in range(writer.sizes[plan.across]):
            at = {plan.down: ((i, False),) * 2, plan.across: ((j, False),) * 2}
            if display:
                cell = place.address(at, sheet.title)
                sheet.formula(row + i, first + j, f"{cell}/$B${row - 1}", writer.shown(name, i, j), Style(format=form))
            else:
                sheet.formula(row + i, first + j, writer.printer.formula(model.steps[name].expr, at, sheet.title), writer.cached(name, i, j), Style(format=form))
    if not display:
        writer.use_names(sheet, name)


