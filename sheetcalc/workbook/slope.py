"""A slope as a native chart: two prices of each row over those of one row, joined by a line; the rows' names stand at the right.

Each row has two lines, one for when it counts and a grey one for when it does not, and one of them is always missing: so the colors follow
the cells. The names hang on points without a look of their own, highest first and moved apart, because a chart moves no labels.
"""

from __future__ import annotations

import math

from openpyxl.chart import ScatterChart
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties

from sheetcalc.study import Chart, Result
from sheetcalc.workbook import charts
from sheetcalc.workbook.charts import COLORS, QUIET, Cells, Line, Message

MOST = 16  # rows that a picture has room for


def picture(block, chart: Chart, result: Result, message: Message) -> ScatterChart:
    """The cells, written into the block, and the chart over them: the rows that are lowest at the right."""
    axis = next(iter(result.model.home[chart.x]))
    length = result.model.length(axis)
    *bases, counts = chart.marks
    names, *ends, counted = (block.quantity(result.label(n), [n], result.unit(n), axis, length) for n in (chart.x, *chart.ys, counts))
    base = [block.quantity(result.label(n), [n], result.unit(n)) for n in bases]
    over = [_over(block, end, one) for end, one in zip(ends, base, strict=True)]
    names, left, right, counted = _lowest(block, [names, *over, counted], over[1], min(length, MOST))
    sides = block.formulas("Side", "", ["0", "1"], [0.0, 1.0])
    shown = [(row, holds) for holds in (True, False) for row in _where(block, [left, right], counted, holds)]
    places = _apart(block, left, right)
    labels = [Line(str(name), sides.at(1), places.at(i), named=names.at(i).reference) for i, name in enumerate(names.values)]
    made = charts.lines(message, "", chart.y_label, [*labels, *(Line("", sides, row) for row, _ in shown)])
    for series, (_, holds) in zip(made.series[len(labels) :], shown, strict=True):
        _draw(series, COLORS[0] if holds else QUIET)
    for series in made.series[: len(labels)]:
        _only_name(series)
    before, after = (result.label(y) for y in chart.ys)
    made.legend = None
    made.x_axis.scaling.min, made.x_axis.scaling.max, made.x_axis.majorUnit = 0, 2, 1
    made.x_axis.number_format = f'[=0]"{before}";[=1]"{after}";'
    return made


def _draw(series, color: str) -> None:
    """A line with a dot at each end."""
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=color, w=22225))
    series.marker.symbol, series.marker.size, series.marker.graphicalProperties = "circle", 5, GraphicalProperties(solidFill=color)


def _only_name(series) -> None:
    """Nothing but the name, at the right of its place."""
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
    series.dLbls = DataLabelList(showSerName=True, showVal=False, showCatName=False, showLegendKey=False, showPercent=False)
    series.dLbls.dLblPos, series.dLbls.txPr = "r", charts.letters(800, False)


def _over(block, end: Cells, base: Cells) -> Cells:
    """One end of each row over the base."""
    values = [v / base.values[0] for v in end.values]
    formulas = [f"{block.cell(end, i)}/{block.cell(base, 0)}" for i in range(len(values))]
    return block.formulas("Over the base", "", formulas, values, "0%")


def _span(block, cells: Cells, last: int = -1) -> str:
    return f"{block.cell(cells, 0)}:{block.cell(cells, last % len(cells.values))}"


def _lowest(block, columns: list[Cells], by: Cells, count: int) -> list[Cells]:
    """The rows of the columns that are lowest by one of them, lowest first."""
    n, every = len(by.values), all(v == v for v in by.values)
    lowest = sorted(range(n), key=lambda i: (by.values[i], i)) if every else []
    places = [float(lowest.index(i) + 1) if every else math.nan for i in range(n)]
    ranks = [  # COUNTIF takes its condition as a text, which has fewer digits
        f"SUMPRODUCT(--({_span(block, by)}<{block.cell(by, i)}))+SUMPRODUCT(--({_span(block, by, i)}={block.cell(by, i)}))"
        for i in range(n)
    ]
    order = block.formulas("Place", "", ranks, places)
    numbers = [f"{block.next_cell(i - 1)}+1" if i else "1" for i in range(count)]
    number = block.formulas("Number", "", numbers, [float(i + 1) for i in range(count)])
    out = []
    for column in columns:
        where = [f"INDEX({_span(block, column)},MATCH({block.cell(number, i)},{_span(block, order)},0))" for i in range(count)]
        values = [column.values[i] for i in lowest[:count]] or [math.nan] * count
        out.append(block.formulas("Lowest first", "", where, values, column.format))
    return out


def _where(block, ends: list[Cells], counted: Cells, holds: bool) -> list[Cells]:
    """Both ends of each row side by side, where the row counts, or where it does not."""
    columns = []
    for end in ends:
        values = [v if (c == 1) == holds else math.nan for v, c in zip(end.values, counted.values, strict=True)]
        asked = [block.cell(counted, i) if holds else f"NOT({block.cell(counted, i)})" for i in range(len(values))]
        formulas = [f"IF({asked[i]},{block.cell(end, i)},NA())" for i in range(len(values))]
        columns.append(block.formulas("Counts" if holds else "Does not count", "", formulas, values, "0%"))
    left, right = columns
    return [left.at(i)._replace(values=[a, b], across=True) for i, (a, b) in enumerate(zip(left.values, right.values, strict=True))]


def _apart(block, left: Cells, right: Cells) -> Cells:
    """Heights of the names: each at least a sixteenth of the picture above the one before."""
    every, ends = f"{_span(block, left)},{_span(block, right)}", [*left.values, *right.values]
    step = (max(ends) - min(ends)) / 8 / 2 if all(v == v for v in ends) else math.nan
    heights, moved = [right.values[0]], [block.cell(right, 0)]
    for i, height in enumerate(right.values[1:], 1):
        heights.append(max(height, heights[-1] + step) if step == step else math.nan)
        moved.append(f"MAX({block.cell(right, i)},{block.next_cell(i - 1)}+(MAX({every})-MIN({every}))/8/2)")
    return block.formulas("Height of the name", "", moved, heights, "0%")
