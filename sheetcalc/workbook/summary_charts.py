"""The pictures of the Summary: both bills with their crossing, what moves them, the batch, where the GPU time goes."""

from __future__ import annotations

from sheetcalc.study import Chart, Result
from sheetcalc.workbook import chart_data, sayings, sensitivity, styles
from sheetcalc.workbook.cases import Cases
from sheetcalc.workbook.chart_data import GAP, Block
from sheetcalc.workbook.charts import Line, Message
from sheetcalc.workbook.checks import TITLE as CHECKS
from sheetcalc.workbook.formulas import Place, quoted, text_literal
from sheetcalc.workbook.page import CHART_ROWS
from sheetcalc.workbook.sheet import Sheet, address

DATA = 6  # first column of the workings
SPLIT = Chart("gpu_time", "bars", title="", ys=("prefill_demand", "decode_demand"), y_label="replicas kept busy")
SPLIT_SAYS = "Reading prompts takes {prefill_share:0} of the GPU time"
BILLS_SAY = "Self-hosting stays cheaper from {breakeven_volume} of output"
BILLS = "Both monthly bills by output tokens a day"


def write(sheet: Sheet, row: int, plan: Result, places: dict[str, Place], cases: Cases, ranges: Sheet) -> None:
    """Four pictures in two columns from `row` on; the same tornado stands on the Sensitivity sheet."""
    sheet.put(row, 1, "Charts", styles.SECTION)
    top, below = row + 2, row + 2 + CHART_ROWS + GAP
    says = _title(sheet, row + 1, DATA, BILLS_SAY if "breakeven_volume" in plan.model.steps else BILLS, plan, places, BILLS)
    picture = sensitivity.bills(cases, ranges, says, _crossing(sheet, top, plan, places, cases, ranges))
    sheet.charts.append((picture, f"A{top}"))
    moved = sensitivity.message(ranges)
    sheet.charts.append((sensitivity.ranges(cases, ranges, moved), f"D{top}"))
    ranges.charts.append((sensitivity.ranges(cases, ranges, moved), f"I{sensitivity.load_row(cases)}"))
    col = DATA + 4
    title = _title(sheet, row + 1, col + 4, SPLIT_SAYS, plan, places, "Where the GPU time goes")
    col = chart_data.draw(sheet, top, col, f"D{below}", SPLIT, plan, places, title)
    for chart in plan.study.charts[:1]:
        words = f"{plan.label(chart.ys[0])}, by {plan.label(chart.x).lower()}"
        chart_data.draw(sheet, top, col, f"A{below}", chart, plan, places, _title(sheet, row + 1, col, words, plan, places, words))
    sheet.one_page = True


def _title(sheet: Sheet, row: int, col: int, template: str, plan: Result, places: dict[str, Place], otherwise: str) -> Message:
    """A sentence with live numbers as a chart's title, in a cell beside the data; `otherwise` where a number does not exist."""
    said = sayings.cached_sentence(template, plan)
    words = said if said == said else otherwise
    written = sayings.sentence_formula(template, plan, places, sheet.title)
    sheet.formula(row, col, f"IFERROR({written},{text_literal(otherwise)})", words, styles.NOTE._replace(wrap=False))
    sheet.names[sayings.ONE_PERCENT] = f"{CHECKS}!$B$3"
    return Message(f"{quoted(sheet.title)}!{address(row, col, True)}", words)


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
