"""The pictures of the Summary: both bills with their crossing, what moves them, the batch, where the GPU time goes."""

from __future__ import annotations

from sheetcalc.study import Chart, Result
from sheetcalc.workbook import chart_data, sensitivity, styles
from sheetcalc.workbook.cases import Cases
from sheetcalc.workbook.chart_data import GAP, Block
from sheetcalc.workbook.charts import Line, Message
from sheetcalc.workbook.formulas import Place, quoted
from sheetcalc.workbook.page import CHART_ROWS
from sheetcalc.workbook.sheet import Sheet, address

DATA = 6  # first column of the workings
SPLIT = Chart("gpu_time", "bars", title="", ys=("prefill_demand", "decode_demand"), y_label="replicas kept busy")
SPLIT_SAYS = "Where the GPU time goes: reading prompts and writing answers"


def write(sheet: Sheet, row: int, plan: Result, places: dict[str, Place], cases: Cases, ranges: Sheet) -> None:
    """Four pictures in two columns from `row` on; the same tornado stands on the Sensitivity sheet."""
    sheet.put(row, 1, "Charts", styles.SECTION)
    top, below = row + 2, row + 2 + CHART_ROWS + GAP
    says = sensitivity.message_of("bills", sheet, row + 1, DATA)
    picture = sensitivity.bills(cases, ranges, says, _crossing(sheet, top, plan, places, cases, ranges))
    sheet.charts.append((picture, f"A{top}"))
    moved = sensitivity.message_of("ranges", sheet, row + 1, DATA + 4)
    sheet.charts.append((sensitivity.ranges(cases, ranges, moved), f"D{top}"))
    ranges.charts.append((sensitivity.ranges(cases, ranges, moved), f"A{ranges.last_row + 2}"))
    col = DATA + 4
    sheet.put(row + 1, col + 4, SPLIT_SAYS, styles.NOTE._replace(wrap=False))
    title = Message(f"{quoted(sheet.title)}!{address(row + 1, col + 4, True)}", SPLIT_SAYS)
    col = chart_data.draw(sheet, top, col, f"D{below}", SPLIT, plan, places, title)
    for chart in plan.study.charts[:1]:
        words = f"{plan.label(chart.ys[0])}, by {plan.label(chart.x).lower()}"
        sheet.put(row + 1, col, words, styles.NOTE._replace(wrap=False))
        chart_data.draw(
            sheet, top, col, f"A{below}", chart, plan, places, Message(f"{quoted(sheet.title)}!{address(row + 1, col, True)}", words)
        )
    sheet.one_page = True


def _crossing(sheet: Sheet, row: int, plan: Result, places: dict[str, Place], cases: Cases, ranges: Sheet) -> list[Line]:
    """A dashed line at the volume from which self-hosting stays cheaper."""
    if "breakeven_volume" not in plan.model.steps:
        return []
    block = Block(sheet, row, DATA, plan, places)
    x = block.quantity(plan.label("breakeven_volume"), ["breakeven_volume"] * 2, plan.unit("breakeven_volume"))
    first, n = sensitivity.load_row(cases) + 4, len(sensitivity.LOADS)
    col = sensitivity.DOWN + 2
    span = f"{sensitivity.TITLE}!{address(first, col, True)}:{address(first + n - 1, col, True)}"
    values = [ranges.value_at(first + i, col) for i in range(n)]
    y = block.formulas("Height of the mark", "$/month", [f"MIN({span})", f"MAX({span})"], [min(values), max(values)])
    return [Line("break-even", x, y, True)]
