"""Grids: columns in display units at the left, base units and workings at the right, blocks for what varies along two axes."""

from __future__ import annotations

import re

from sheetcalc.model import Link
from sheetcalc.workbook import styles
from sheetcalc.workbook.layout import LABEL, VALUE, GridPlan
from sheetcalc.workbook.rows import Writer, base_unit, display_unit
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

FAR = 900_000  # a row that no pinned address reaches: the row of a cell is the only thing that changes down a column
UNIT, ONE = VALUE, VALUE + 1  # columns of what runs across
NUMBERS, AXIS, WORDS = 13, 18, 30  # widths of columns
HEADING_LINES = 5  # lines that a heading may take


def write(writer: Writer, sheet: Sheet, plan: GridPlan) -> None:
    """One grid on its sheet."""
    sheet.put(plan.top, LABEL, plan.grid.label, styles.TITLE if plan.top == 1 else styles.SECTION)
    for name, col in plan.shown.items():
        _heading(writer, sheet, plan, name, col, True)
        _shown_column(writer, sheet, plan, name, col)
    for name, col in plan.based.items():
        _heading(writer, sheet, plan, name, col, False)
    for name, place in writer.layout.places.items():
        if (
            place.sheet == sheet.title
            and place.down == plan.down
            and not place.across
            and name in writer.model.steps
            and name in {**plan.shown, **plan.based}
        ):
            _column(writer, sheet, name)
    for name in plan.rows_across:
        _row_across(writer, sheet, plan, name)
    for name, row in plan.shown_rows.items():
        _shown_row(writer, sheet, plan, name, row)
    for name, row, display in plan.blocks:
        _block(writer, sheet, plan, name, row, display)
    for other in writer.layout.grids:
        if other.sheet == sheet.title:  # what any table of the sheet shows is read, so it is printed
            sheet.workings -= {*other.shown.values(), *(range(VALUE + 1, VALUE + 1 + writer.sizes[other.across]) if other.blocks else ())}


def _heading(writer, sheet, plan, name, col, display):
    about, unit = writer.model.about(name), writer.model.unit(name)
    words = _is_text(writer, name)
    left = styles.HEADING if col == LABEL else styles.HEADING_IN
    sheet.put(plan.top + 1, col, about.label + ("" if display else ", base"), left if words else styles.HEADING_RIGHT)
    sheet.put(plan.top + 2, col, display_unit(unit) if display else base_unit(unit), styles.UNIT._replace(right=not words))
    if display and factor(unit) != 1:
        sheet.put(plan.top + 3, col, factor(unit), styles.one_unit(factor(unit)))
    elif display and col == LABEL and any(factor(writer.model.unit(n)) != 1 for n in plan.shown):
        sheet.put(plan.top + 3, col, "one unit is", styles.UNIT)
    fits = NUMBERS if not words else min(max([len(str(x)) for x in writer.result.value(name)], default=0) + 3, WORDS)
    sheet.width(col, max(fits, heading_width(about.label)))
    if col == LABEL:
        sheet.width(col, WORDS if words else AXIS)
    if not display:
        sheet.workings.add(col)


def heading_width(label: str) -> float:
    """A column wide enough for the longest word of its heading, and for the whole of it in few lines."""
    return max(max(len(word) for word in label.split()) + 3, len(label) / HEADING_LINES + 3)


def _is_text(writer, name) -> bool:
    """Whether a column holds words, typed or worked out."""
    if name in writer.model.inputs:
        return writer.model.inputs[name].is_text
    return isinstance(_first(writer.result.value(name)), str)


def _first(values):
    """The first cell of a column or a block."""
    return _first(values[0]) if isinstance(values, list) else values


def _result(writer: Writer, name: str, values: list) -> Style:
    """How a column or block of results looks."""
    if any(isinstance(v, str) for v in values):
        return Style(indent=1)
    return Style(format=styles.column_format(writer.model.unit(name), values, name in writer.truths))


def _shown_column(writer: Writer, sheet, plan, name, col):
    place, unit = writer.layout.places[name], writer.model.unit(name)
    about = writer.model.inputs.get(name)
    shown = [writer.shown(name, i) for i in range(writer.sizes[plan.down])]
    form = styles.number_format(unit, True) if name in writer.truths else styles.typed_format(unit, shown)
    look = _result(writer, name, shown)
    based, scale = place.col != col, address(plan.top + 3, col).replace(str(plan.top + 3), f"${plan.top + 3}")
    if about is not None:
        writer.own_name(sheet, name)
    for i in range(writer.sizes[plan.down]):
        row = plan.first + i
        if about is not None and not isinstance(about.value, Link):
            sheet.put(
                row,
                col,
                None if shown[i] != shown[i] else shown[i],
                styles.INPUT._replace(format=form, wrap=about.is_text, indent=int(about.is_text and col != LABEL)),
                ("grid", writer.result.study.name, name, i),
            )
            if based:
                typed = address(row, col)
                scaled = typed if factor(unit) == 1 else f"{typed}*{scale}"
                formula = f"IF(ISNUMBER({typed}),{scaled},NA())" if any(v is None for v in about.value) else scaled
                sheet.formula(row, place.col, formula, writer.cached(name, i), Style(format=styles.EXACT))
            continue
        if about is not None:
            far = writer.far[about.value.study][about.value.name]
            cell = far.address(dict.fromkeys(far.axes, ((i, False),) * 2), sheet.title)
            sheet.formula(row, place.col, cell, writer.cached(name, i), styles.LINK._replace(format=styles.EXACT if based else form))
        if based:
            cell = address(row, place.col)
            sheet.formula(row, col, cell if factor(unit) == 1 else f"{cell}/{scale}", shown[i], look)


def _column(writer: Writer, sheet, name):
    """A formula that is the same in every row."""
    place, step = writer.layout.places[name], writer.model.steps[name]
    formula_of = _down(writer, sheet, name)
    unit = step.about.unit
    values = [writer.cached(name, i) for i in range(writer.sizes[place.down])]
    look = _result(writer, name, values) if factor(unit) == 1 else Style(format=styles.EXACT)
    for i, value in enumerate(values):
        sheet.formula(place.row + i, place.col, formula_of(i), value, look)
    writer.own_name(sheet, name)
    writer.use_names(sheet, name)


def _down(writer: Writer, sheet, name, beside=None):
    """The formula of a column's row i: printed once, with the row replaced, where nothing it reads runs across along the same axis.

    `beside` says where a column of a block stands along the other axis.
    """
    place, step = writer.layout.places[name], writer.model.steps[name]
    if any(writer.layout.places[n].across == place.down for n in step.needs):
        return lambda i: writer.printer.formula(step.expr, (beside or {}) | {place.down: ((i, False),) * 2}, sheet.title)
    text = writer.printer.formula(step.expr, (beside or {}) | {place.down: ((FAR, False),) * 2}, sheet.title)
    parts = re.split(r"(?<=[A-Z])(\d{6,})", text)
    parts[1::2] = [int(row) - FAR for row in parts[1::2]]
    return lambda i: "".join(str(p + i) if k % 2 else p for k, p in enumerate(parts))


def _shown_row(writer: Writer, sheet, plan, name, row):
    """A row across in display units: typed there, or the row in base units over its factor."""
    place, about = writer.layout.places[name], writer.model.about(name)
    typed = name in writer.model.inputs
    shown = [writer.shown(name, None, j) for j in range(writer.sizes[plan.across])]
    look = styles.INPUT._replace(format=styles.typed_format(about.unit, shown)) if typed else _result(writer, name, shown)
    look = look._replace(right=True)
    sheet.put(row, LABEL, about.label, styles.LABEL)
    sheet.put(row, UNIT, display_unit(about.unit), styles.NAME)
    if factor(about.unit) != 1:
        sheet.put(row, ONE, factor(about.unit), styles.one_unit(factor(about.unit)))
    for j, value in enumerate(shown):
        if typed:
            sheet.put(row, place.col + j, None if value != value else value, look, ("grid", writer.result.study.name, name, j))
        else:
            sheet.formula(row, place.col + j, f"{address(place.row, place.col + j)}/$C${row}", value, look)


def _row_across(writer: Writer, sheet, plan, name):
    """A row across in base units: a formula, what is typed where the units are one, or what is typed above times its factor."""
    place, about = writer.layout.places[name], writer.model.about(name)
    unit, above = about.unit, plan.shown_rows.get(name)
    typed = name in writer.model.inputs
    form = styles.EXACT if factor(unit) != 1 else styles.number_format(unit, name in writer.truths)
    values = [writer.cached(name, None, j) for j in range(writer.sizes[plan.across])]
    result = Style(format=form, right=True) if factor(unit) != 1 else _result(writer, name, values)._replace(right=True)
    sheet.put(place.row, LABEL, about.label + (", base" if above else ""), styles.LABEL)
    sheet.put(place.row, UNIT, base_unit(unit), styles.NAME)
    sheet.width(LABEL, 44)
    writer.own_name(sheet, name)
    for j, value in enumerate(values):
        col = place.col + j
        sheet.width(col, NUMBERS)
        if not typed:
            at = {plan.across: ((j, False),) * 2}
            sheet.formula(place.row, col, writer.printer.formula(writer.model.steps[name].expr, at, sheet.title), value, result)
        elif above:
            cell = address(above, col)
            scaled = cell if factor(unit) == 1 else f"{cell}*$C${above}"
            test = "ISTEXT" if about.is_text else "ISNUMBER"
            sheet.formula(place.row, col, f"IF({test}({cell}),{scaled},NA())", value, Style(color=styles.QUIET, format=form, right=True))
        else:
            look = (
                styles.HEADING_RIGHT._replace(color=styles.TYPED)
                if name == plan.across
                else styles.INPUT._replace(format=form, right=True, wrap=about.is_text)
            )
            sheet.put(place.row, col, value, look, ("grid", writer.result.study.name, name, j))
    if not typed:
        writer.use_names(sheet, name)


def _measured(model, axis: str) -> str:
    """What an axis is called, with the unit of its headings, which are links to base units."""
    unit = base_unit(model.unit(axis))
    return model.about(axis).label + (f" ({unit})" if unit else "")


def _scale(writer, axis: str) -> str:
    """How the headings of an axis look."""
    values = [v for v in writer.result.value(axis) if isinstance(v, float)]
    return styles.label_format("", values) if all(abs(v) >= 0.1 or v == 0 for v in values) else "General"


def _block(writer: Writer, sheet, plan, name, row, display):
    model, unit = writer.model, writer.model.unit(name)
    down, across, place = writer.layout.places[plan.down], writer.layout.places[plan.across], writer.layout.places[name]
    first = VALUE + 1
    sheet.width(LABEL, WORDS)
    measured = display_unit(unit) if display else base_unit(unit)
    sheet.put(row - 2, LABEL, model.about(name).label + (f" ({measured})" if measured else ""), styles.SECTION)
    if display:
        sheet.put(row - 1, VALUE, factor(unit), styles.one_unit(factor(unit)))
    sheet.put(row - 1, LABEL, f"{_measured(model, plan.down)} ↓   {_measured(model, plan.across)} →", styles.NAME._replace(wrap=True))
    values = [[writer.shown(name, i, j) for j in range(writer.sizes[plan.across])] for i in range(writer.sizes[plan.down])]
    look = _result(writer, name, [v for line in values for v in line]) if display or factor(unit) == 1 else Style(format=styles.EXACT)
    for j in range(writer.sizes[plan.across]):
        at = {plan.across: ((j, True),) * 2}
        sheet.formula(
            row - 1,
            first + j,
            across.address(at, sheet.title),
            writer.cached(plan.across, None, j),
            styles.HEADING_RIGHT._replace(format=_scale(writer, plan.across)),
        )
        sheet.width(first + j, NUMBERS)
    columns = [] if display else [_down(writer, sheet, name, {plan.across: ((j, False),) * 2}) for j in range(writer.sizes[plan.across])]
    for i in range(writer.sizes[plan.down]):
        sheet.formula(
            row + i,
            LABEL,
            down.address({plan.down: ((i, True),) * 2}, sheet.title),
            writer.cached(plan.down, i),
            styles.HEADING._replace(format=_scale(writer, plan.down)),
        )
        for j in range(writer.sizes[plan.across]):
            if display:
                cell = place.address({plan.down: ((i, False),) * 2, plan.across: ((j, False),) * 2}, sheet.title)
                sheet.formula(row + i, first + j, f"{cell}/$B${row - 1}", values[i][j], look)
            else:
                sheet.formula(row + i, first + j, columns[j](i), writer.cached(name, i, j), look)
    if not display:
        writer.use_names(sheet, name)
