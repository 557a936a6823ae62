"""The cells behind a chart: what a study declares, linked in display units beside the picture, and the picture."""

from __future__ import annotations

import math

from sheetcalc.study import Chart, Result, Study
from sheetcalc.workbook import charts, slope, styles, waterfall
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
        values, cells = [], []
        for i in range(length or len(names)):
            name = names[0] if len(names) == 1 else names[i]
            along = bool(axis) and axis in self.places[name].axes
            value = self.result.value(name)[i] if along else self.result.value(name)
            values.append(value or math.nan if isinstance(value, str) else value if value != value else float(value) / factor(unit))
            cells.append(self.places[name].address({axis: ((i, True),) * 2} if along else {}, self.sheet.title))
        form = styles.label_format(unit, values)
        for i, cell in enumerate(cells):
            formula = cell if one is None else f"{cell}/{one}"
            self.sheet.formula(self.row + HEAD + i, self.col, formula, values[i], styles.LINK._replace(format=form))
        return self._column(label, unit, values, form=form)

    def texts(self, label: str, words: list[str]) -> Cells:
        """Names of bars."""
        for i, text in enumerate(words):
            self.sheet.put(self.row + HEAD + i, self.col, text, styles.UNIT)
        return self._column(label, "", words)

    def formulas(self, label: str, unit: str, formulas: list[str], values: list, form: str = "") -> Cells:
        """Worked cells."""
        form = form or styles.label_format(unit, values)
        for i, (formula, value) in enumerate(zip(formulas, values, strict=True)):
            self.sheet.formula(self.row + HEAD + i, self.col, formula, value, Style(format=form))
        return self._column(label, "", values, unit, form)

    def _column(self, label: str, scaled: str, values: list, unit: str = "", form: str = "General") -> Cells:
        self.sheet.put(self.row, self.col, label, styles.HEADING._replace(wrap=False))
        self.sheet.put(self.row + 1, self.col, display_unit(scaled or unit), styles.UNIT)
        if scaled and factor(scaled) != 1:
            self.sheet.put(self.row + 2, self.col, factor(scaled), styles.one_unit(factor(scaled)))
        self.sheet.width(self.col, min(max(14, len(label) + 2), 44))
        self.sheet.workings.add(self.col)
        self.col += 1
        return Cells(self.sheet.title, self.col - 1, self.row + HEAD, values, form)

    def next_cell(self, i: int) -> str:
        """The address of one cell of the column that is written next."""
        return address(self.row + HEAD + i, self.col, True)

    def cell(self, cells: Cells, i: int) -> str:
        """The address of one cell of a column."""
        return address(cells.first + i, cells.col, True)


def rows(study: Study) -> int:
    """Rows that the charts of a study take, two beside one another, with their heading."""
    return 2 + -(-len(study.charts) // 2) * (CHART_ROWS + GAP) if study.charts else 0


def section(
    sheet: Sheet,
    row: int,
    col: int,
    result: Result,
    places: dict[str, Place],
    said: dict[tuple[str, str], tuple[str, str]],
    second: str,
) -> None:
    """All charts that a study declares, from `row` on, every other one at column `second`; their data from column `col` on.

    `said` tells the cell of the Checks sheet, and the words, of each sentence.
    """
    if not result.study.charts:
        return
    sheet.put(row, 1, "Charts", styles.SECTION)
    for i, chart in enumerate(result.study.charts):
        cell, words = said[result.study.name, chart.title]
        anchor = f"{'A' if i % 2 == 0 else second}{row + 2 + i // 2 * (CHART_ROWS + GAP)}"
        col = draw(sheet, row + 2, col, anchor, chart, result, places, Message(f"{quoted(CHECKS)}!{cell}", words))


def draw(sheet: Sheet, row: int, col: int, anchor: str, chart: Chart, result: Result, places: dict[str, Place], message: Message) -> int:
    """Write a chart's data from (`row`, `col`), hang the picture at `anchor`, and return the next free column."""
    block = Block(sheet, row, col, result, places)
    picture = _picture(block, chart, result, message)
    sheet.charts.append((picture, anchor))
    return block.col + 1


def _picture(block: Block, chart: Chart, result: Result, message: Message):
    unit = result.unit(chart.ys[0])
    y_title = chart.y_label or display_unit(unit)
    if chart.kind == "waterfall":
        return waterfall.picture(block, chart, result, message)
    if chart.kind == "slope":
        return slope.picture(block, chart, result, message)
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
    if chart.kind == "scatter":
        return charts.lines(message, chart.x_label, y_title, [series[0]._replace(dots=True), *series[1:]], chart.log_x, chart.log_y)
    words = any(isinstance(v, str) for v in x.values)
    if chart.kind == "line" and not words:
        marks = [m for m in chart.marks if not result.model.home.get(m)]
        series += _marks(block, result, series, marks, result.unit(chart.x))
        return charts.lines(message, chart.x_label, y_title, series, chart.log_x, chart.log_y)
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
