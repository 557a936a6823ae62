"""A waterfall as a native chart: bars across on a base without color; what is taken off, step by step, between two whole bars.

The amounts stand in the names: labels inside short bars cannot be read, and stacked bars have no others.
"""

from __future__ import annotations

import math

from openpyxl.chart import BarChart
from openpyxl.chart.shapes import GraphicalProperties

from sheetcalc.show import grouped
from sheetcalc.study import Chart, Result
from sheetcalc.workbook import charts
from sheetcalc.workbook.charts import COLORS, Cells, Line, Message
from sheetcalc.workbook.formulas import text_literal
from sheetcalc.workbook.rows import display_unit

WHOLE, STEP = COLORS[0], COLORS[2]


def picture(block, chart: Chart, result: Result, message: Message) -> BarChart:
    """The cells, written into the block, and the chart over them."""
    unit = result.unit(chart.ys[0])
    names, amounts = (_along if chart.x else _scalars)(block, chart, result, unit)
    values, cells = amounts.values, [block.cell(amounts, i) for i in range(len(amounts.values))]
    steps = range(1, len(values) - 1)
    left = [values[0]]
    for i in steps:
        left.append(left[-1] - values[i])
    running = [f"{block.next_cell(i - 1)}-{cells[i]}" for i in steps]
    after = block.formulas("What is left", unit, [cells[0], *running, cells[-1]], [*left, values[-1]])
    lower = [f"MIN({block.cell(after, i - 1)},{block.cell(after, i)})" for i in steps]
    named = _named(block, names, amounts, unit)
    series = [
        block.formulas("Base", unit, ["0", *lower, "0"], [0.0, *(min(left[i - 1], left[i]) for i in steps), 0.0]),
        block.formulas("Whole", unit, [cells[0], *["0"] * len(steps), cells[-1]], [values[0], *[0.0] * len(steps), values[-1]]),
        block.formulas("Step", unit, ["0", *(f"ABS({cells[i]})" for i in steps), "0"], [0.0, *(abs(values[i]) for i in steps), 0.0]),
    ]
    made = charts.bars(message, "", chart.y_label, [Line("", named, y) for y in series], stacked=True, across=True, gap=40)
    made.legend = None
    for shown, color in zip(made.series, (None, WHOLE, STEP), strict=True):
        shown.graphicalProperties = GraphicalProperties(solidFill=color, noFill=color is None or None)
    return made


def _scalars(block, chart: Chart, result: Result, unit: str) -> tuple[Cells, Cells]:
    """The first amount, the steps and what is left, each a scalar."""
    return block.texts("Step", [result.label(y) for y in chart.ys]), block.quantity("Amount", list(chart.ys), unit)


def _along(block, chart: Chart, result: Result, unit: str) -> tuple[Cells, Cells]:
    """The steps are a column between the two marks; one without a value takes nothing off."""
    axis = next(iter(result.model.home[chart.x]))
    length, ends = result.model.length(axis), [result.label(m) for m in chart.marks]
    names = block.quantity(result.label(chart.x), [chart.x], "", axis, length)
    column = block.quantity(result.label(chart.ys[0]), [chart.ys[0]], unit, axis, length)
    marks = block.quantity("From and to", list(chart.marks), unit)
    words = [text_literal(ends[0]), *(block.cell(names, i) for i in range(length)), text_literal(ends[1])]
    inside = [f"IFERROR({block.cell(column, i)},0)" for i in range(length)]
    return (
        block.formulas("Step", "", words, [ends[0], *names.values, ends[1]]),
        block.formulas(
            "Amount",
            unit,
            [block.cell(marks, 0), *inside, block.cell(marks, 1)],
            [marks.values[0], *(0.0 if v != v else v for v in column.values), marks.values[1]],
        ),
    )


def _named(block, names: Cells, amounts: Cells, unit: str) -> Cells:
    """Each name with its amount: what it starts from, what comes off, what is left."""
    largest = max((abs(v) for v in amounts.values if v == v), default=0.0)
    digits = 0 if largest >= 100 else 1 if largest >= 10 else 2
    before, after = ("$", "") if unit.startswith("$") else ("", f" {display_unit(unit)}".rstrip())
    formulas, values, last = [], [], len(names.values) - 1
    for i, (name, value) in enumerate(zip(names.values, amounts.values, strict=True)):
        sign = "" if i in (0, last) else "−" if value >= 0 else "+"
        plus = "" if i in (0, last) else f'IF({block.cell(amounts, i)}<0,"+","−")&'
        told = f'{block.cell(names, i)}&": "&{plus}"{before}"&FIXED(ROUND(ABS({block.cell(amounts, i)}),{digits}),{digits})&"{after}"'
        formulas.append(f"IF({block.cell(amounts, i)}=0,{block.cell(names, i)},{told})")
        told = math.nan if value != value else f"{name}: {sign}{before}{grouped(abs(value), digits)}{after}"
        values.append(name if value == 0 else told)
    return block.formulas("Name", "", formulas, values)
