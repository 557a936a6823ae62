"""The cells behind a chart: what a study declares, linked in display units beside the picture, and the picture."""

from __future__ import annotations

import math

from sheetcalc.study import Chart, Result
from sheetcalc.workbook import charts, styles
from sheetcalc.workbook.charts import Cells, Line, Message
from sheetcalc.workbook.checks import TITLE as CHECKS
from sheetcalc.workbook.formulas import Place, quoted
from sheetcalc.workbook.page import CHART_ROWS
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

GAP = 2  # rows between charts
LONG_NAME = 8  # letters of a bar's name from which bars lie
HEAD = 3  # rows above the values: label, unit, factor


class Block:
    """Writes the data of one chart from (`row`, `col`) on, column by column."""

    def __init__(self, sheet: Sheet, row: int, col: int, result: Result, places: dict[str, Place]):
        self.sheet, self.row, self.col, self.result, self.places = sheet, row, col, result, places

    def quantity(self, label: str, names: list[str], unit: str, axis: str = "", length: int = 0) -> Cells:
        """Linked cells: a column along its axis, one name repeated where it has none, or several scalars below one another."""
        one = None if factor(unit) == 1 else f"{address(self.row + 2, self.col).replace(str(self.row + 2), f'${self.row + 2}')}"
        values = []
        for i in range(length or len(names)):
            name = names[0] if len(names) == 1 else names[i]
            along = bool(axis) and axis in self.places[name].axes
            at = {axis: ((i, True),) * 2} if along else {}
            value = self.result.value(name)[i] if along else self.result.value(name)
            value = value or math.nan if isinstance(value, str) else value if value != value else float(value) / factor(unit)
            cell = self.places[name].address(at, self.sheet.title)
            self.sheet.formula(
                self.row + HEAD + i,
                self.col,
                cell if one is None else f"{cell}/{one}",
                value,
                styles.LINK._replace(format=styles.number_format(unit)),
            )
            values.append(value)
        return self._column(label, unit, values)

    def texts(self, label: str, words: list[str]) -> Cells:
        """Names of bars."""
        for i, text in enumerate(words):
            self.sheet.put(self.row + HEAD + i, self.col, text, styles.UNIT)
        return self._column(label, "", words)

    def formulas(self, label: str, unit: str, formulas: list[str], values: list) -> Cells:
        """Worked cells."""
        for i, (formula, value) in enumerate(zip(formulas, values, strict=True)):
            self.sheet.formula(self.row + HEAD + i, self.col, formula, value, Style(format=styles.number_format(unit)))
        return self._column(label, "", values, unit)

    def _column(self, label: str, scaled: str, values: list, unit: str = "") -> Cells:
        self.sheet.put(self.row, self.col, label, styles.HEADING)
        self.sheet.put(self.row + 1, self.col, display_unit(scaled or unit), styles.UNIT)
        if scaled and factor(scaled) != 1:
            self.sheet.put(self.row + 2, self.col, factor(scaled), Style(color=styles.QUIET))
        self.sheet.width(self.col, 14)
        self.sheet.workings.add(self.col)
        self.col += 1
        return Cells(self.sheet.title, self.col - 1, self.row + HEAD, values)

    def cell(self, cells: Cells, i: int) -> str:
        """The address of one cell of a column."""
        return address(cells.first + i, cells.col, True)


def section(
    sheet: Sheet, row: int, col: int, result: Result, places: dict[str, Place], said: dict[tuple[str, str], tuple[str, str]]
) -> int:
    """All charts that a study declares, below one another from `row` on, their data from column `col` on; the next free row.

    `said` tells the cell of the Checks sheet, and the words, of each sentence.
    """
    if not result.study.charts:
        return row
    sheet.put(row, 1, "Charts", styles.SECTION)
    top = row = row + 2
    for chart in result.study.charts:
        cell, words = said[result.study.name, chart.title]
        col = draw(sheet, top, col, f"A{row}", chart, result, places, Message(f"{quoted(CHECKS)}!{cell}", words))
        row += CHART_ROWS + GAP
    return row


def draw(sheet: Sheet, row: int, col: int, anchor: str, chart: Chart, result: Result, places: dict[str, Place], message: Message) -> int:
    """Write a chart's data from (`row`, `col`), hang the picture at `anchor`, and return the next free column."""
    block = Block(sheet, row, col, result, places)
    picture = _picture(block, chart, result, message)
    sheet.charts.append((picture, anchor))
    return block.col + 1


def _picture(block: Block, chart: Chart, result: Result, message: Message):
    unit = result.unit(chart.ys[0])
    y_title = chart.y_label or display_unit(unit)
    if not chart.x:
        names = block.texts("Bar", [result.label(y) for y in chart.ys])
        values = block.quantity(y_title, list(chart.ys), unit)
        return charts.bars(message, "", y_title, [Line(y_title, names, values)], across=True)
    axis = next(iter(result.model.home[chart.x]))
    length = result.model.length(axis)
    x = block.quantity(chart.x_label or result.label(chart.x), [chart.x], result.unit(chart.x), axis, length)
    if chart.kind == "ranges":
        return _ranges(block, chart, result, message, x, axis, length)
    series = [Line(result.label(y), x, block.quantity(result.label(y), [y], result.unit(y), axis, length)) for y in chart.ys]
    words = any(isinstance(v, str) for v in x.values)
    if chart.kind in ("line", "scatter") and not words:
        marks = [m for m in chart.marks if not result.model.home.get(m)]
        series += _marks(block, result, series, marks, result.unit(chart.x))
        return charts.lines(message, chart.x_label, y_title, series, chart.log_x, chart.log_y, chart.kind == "scatter")
    long = words and any(len(v) > LONG_NAME for v in x.values if isinstance(v, str))
    return charts.bars(
        message, chart.x_label, y_title, series, chart.kind == "stacked", long, 0 if chart.kind in ("steps", "stacked") else 60
    )


def _ranges(block: Block, chart: Chart, result: Result, message: Message, x: Cells, axis: str, length: int):
    """Each input's low and high end, as distances from the base."""
    base_name, unit = chart.marks[0], result.unit(chart.ys[0])
    base = block.quantity(result.label(base_name), [base_name], unit, axis, length)
    series = []
    for y in chart.ys:
        ends = block.quantity(result.label(y), [y], unit, axis, length)
        differences = [a - b for a, b in zip(ends.values, base.values, strict=True)]
        formulas = [f"{block.cell(ends, i)}-{block.cell(base, i)}" for i in range(length)]
        series.append(Line(result.label(y), x, block.formulas(f"{result.label(y)}, from the base", unit, formulas, differences)))
    return charts.bars(message, "", f"{chart.y_label}, from the base", series, across=True, overlap=100)


def _marks(block: Block, result: Result, series: list[Line], names: list[str], unit: str) -> list[Line]:
    """A dashed line across the picture at each mark."""
    if not names:
        return []
    plain, every = [], []
    for s in series:
        values = [v if v == v else "missing" for v in s.y.values]
        cells = [f'IFERROR({block.cell(s.y, i)},"missing")' for i in range(len(values))]
        plain.append(block.formulas(f"{s.label}, where it exists", "", cells, values))
        every += [v for v in s.y.values if v == v]
    ranges = ",".join(f"{block.cell(c, 0)}:{block.cell(c, len(c.values) - 1)}" for c in plain)
    ends = [min(every), max(every)] if every else [0.0, 0.0]
    heights = block.formulas("Marks, height", "", [f"MIN({ranges})", f"MAX({ranges})"], ends)
    return [Line(result.label(n), block.quantity(result.label(n), [n, n], unit), heights, True) for n in names]
