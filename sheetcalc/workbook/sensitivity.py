"""The Sensitivity sheet: each input alone, low and high, and the load in steps; the chain of formulas stands on Cases."""

from __future__ import annotations

import math

from sheetcalc import show
from sheetcalc.workbook import charts, styles
from sheetcalc.workbook.cases import LOADS, SHARE, Cases
from sheetcalc.workbook.charts import Cells, Line, Message
from sheetcalc.workbook.inputs import TITLE as INPUTS
from sheetcalc.workbook.inputs import USED
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

TITLE = "Sensitivity"
BUILD, API, CHOICE, DAY = "build_cost_per_month", "api_cost_per_month", "choice_by_cost", "output_tokens_per_day"
INPUT, UNIT, DOWN, UP, LOW, BASE, HIGH, RESULTS, LEAST, MOST, BELOW, ABOVE, SPAN = 1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20, 21
TOP = 6  # first driver
THOUSANDS = 5_000.0  # $ a month from which the axis counts in thousands
CLAIM = 3  # row of the sentence
UNKNOWN = "What each input does to the monthly cost of self-hosting, moved alone"


def write(sheet: Sheet, cases: Cases, input_rows: dict[str, int]) -> None:
    """Both tables; tells `cases` which cells to read."""
    sheet.put(1, 1, TITLE, styles.TITLE)
    sheet.put(
        2,
        1,
        "Each input alone, everything else as on Inputs; whole machines make some steps sudden. Change the blue shares.",
        styles.SUBTITLE._replace(wrap=False),
    )
    cases.from_inputs = {n: f"{INPUTS}!{address(input_rows[n], USED, True)}" for n in cases.drivers}
    _headings(sheet)
    for i, name in enumerate(cases.drivers):
        _driver(sheet, TOP + i, cases, name)
    _claim(sheet, cases)
    sheet.frozen = f"B{TOP}"
    _loads(sheet, load_row(cases), cases)


def load_row(cases: Cases) -> int:
    """The section row of the load table."""
    return TOP + len(cases.drivers) + 2


def _claim(sheet: Sheet, cases: Cases) -> None:
    """Which input moves the bill most, and by how much."""
    rows = range(TOP, TOP + len(cases.drivers))
    spans = [sheet.value_at(row, SPAN) for row in rows]
    names, reach = (f"{address(rows[0], col, True)}:{address(rows[-1], col, True)}" for col in (INPUT, SPAN))
    said = f'INDEX({names},MATCH(MAX({reach}),{reach},0))&" moves self-hosting most: $"&FIXED(MAX({reach}),0)&" a month from end to end"'
    words = UNKNOWN
    if all(x == x for x in spans):
        label = cases.study.inputs[cases.drivers[spans.index(max(spans))]].label
        words = f"{label} moves self-hosting most: ${max(spans):,.0f} a month from end to end"
    sheet.formula(CLAIM, 1, f'IFERROR({said},"{UNKNOWN}")', words, Style(bold=True))


def _headings(sheet: Sheet) -> None:
    sheet.put(TOP - 2, 1, "One input at a time", styles.SECTION)
    words = {
        INPUT: "Input",
        UNIT: "Unit",
        DOWN: "Down by",
        UP: "Up by",
        LOW: "Low",
        BASE: "Base",
        HIGH: "High",
        LEAST: "Lowest allowed",
        MOST: "Highest allowed",
        BELOW: "Self-hosting, low less base",
        ABOVE: "Self-hosting, high less base",
        SPAN: "Self-hosting, from end to end, whole $/month",
    }
    for k, what in enumerate(("Self-hosting, $/month", "API, $/month", "Decision by cost")):
        words |= {RESULTS + 3 * k + j: f"{what}: {end}" for j, end in enumerate(("low", "base", "high"))}
    for col, text in words.items():
        sheet.put(TOP - 1, col, text, styles.HEADING if col == INPUT else styles.HEADING_IN if col == UNIT else styles.HEADING_RIGHT)
        sheet.width(col, {INPUT: 40, UNIT: 9}.get(col, 24 if col in (BELOW, ABOVE, SPAN) else 14))
    sheet.workings |= {LEAST, MOST, BELOW, ABOVE, SPAN}


def _driver(sheet: Sheet, row: int, cases: Cases, name: str) -> None:
    about = cases.study.inputs[name]
    one = factor(about.unit)
    ends = [x / one for x in (cases.base[name], cases.end(name, "low"), cases.end(name, "high"))]
    form = styles.column_format(about.unit, ends)
    sheet.put(row, INPUT, about.label, styles.LABEL)
    sheet.put(row, UNIT, display_unit(about.unit), styles.NAME)
    for col, end in ((DOWN, "low"), (UP, "high")):
        sheet.put(row, col, cases.shares.get((name, end), SHARE), styles.INPUT._replace(format="0%"), ("share", name, end))
    for col, bound in ((LEAST, about.low), (MOST, about.high)):
        if bound is not None:
            sheet.put(row, col, bound / one, Style(color=styles.QUIET, format=styles.typed_format(about.unit, [bound / one])))
    base = address(row, BASE)
    sheet.formula(row, BASE, cases.from_inputs[name], cases.base[name] / one, styles.LINK._replace(format=form))
    sheet.formula(row, LOW, f"MAX({base}*(1-{address(row, DOWN)}),{address(row, LEAST)})", cases.end(name, "low") / one, Style(format=form))
    most = f"MIN({base}*(1+{address(row, UP)}),{address(row, MOST)})"
    sheet.formula(row, HIGH, most, cases.end(name, "high") / one, Style(format=form))
    low, base_case, high = (next(c for c in cases.cases if (c.driver, c.end) == key) for key in ((name, "low"), ("", ""), (name, "high")))
    cases.cells |= {low: f"{TITLE}!{address(row, LOW, True)}", high: f"{TITLE}!{address(row, HIGH, True)}"}
    for k, result in enumerate((BUILD, API, CHOICE)):
        form = "General" if result == CHOICE else styles.WHOLE_MONEY
        for j, case in enumerate((low, base_case, high)):
            sheet.formula(
                row,
                RESULTS + 3 * k + j,
                cases.cell(case, result),
                cases.result(case, result),
                styles.LINK._replace(format=form, right=True),
            )
    values = [cases.result(c, BUILD) for c in (low, base_case, high)]
    for col, j in ((BELOW, 0), (ABOVE, 2)):
        sheet.formula(
            row,
            col,
            f"{address(row, RESULTS + j)}-{address(row, RESULTS + 1)}",
            values[j] - values[1],
            Style(format=styles.WHOLE_MONEY),
        )
    low_cell, high_cell = address(row, RESULTS), address(row, RESULTS + 2)
    ends = f"{low_cell}:{high_cell}"
    sheet.formula(
        row,
        SPAN,
        f"ROUND(MAX({ends})-MIN({ends}),0)",
        float(show.rounded(max(values) - min(values), 0)) if all(v == v for v in values) else math.nan,
        Style(format=styles.WHOLE),
    )


LOAD_COLUMNS = ((DAY, "Output tokens a day"), (BUILD, "Self-hosting"), (API, "API"), ("gpus", "GPUs"), (CHOICE, "Decision by cost"))


LOAD_FORMATS = {BUILD: styles.WHOLE_MONEY, API: styles.WHOLE_MONEY, "gpus": styles.WHOLE, CHOICE: "General"}


def _loads(sheet: Sheet, top: int, cases: Cases) -> None:
    sheet.put(top, 1, "The load alone", styles.SECTION)
    sheet.put(top + 1, 1, "Share of the plan's load", styles.HEADING)
    sheet.put(top + 1, UNIT, "", styles.HEADING)
    for k, (name, words) in enumerate(LOAD_COLUMNS, DOWN):
        unit = cases.model.unit(name)
        sheet.put(top + 1, k, words, styles.HEADING_RIGHT)
        sheet.put(top + 2, k, display_unit(unit), styles.UNIT._replace(right=True))
        if factor(unit) != 1:
            sheet.put(top + 3, k, factor(unit), styles.one_unit(factor(unit)))
    for i, case in enumerate(c for c in cases.cases if c.name.startswith("Load")):
        row = top + 4 + i
        sheet.put(row, 1, case.load, styles.INPUT._replace(format="0%"), ("load", i))
        cases.cells[case] = f"{TITLE}!{address(row, 1, True)}"
        for k, (name, _) in enumerate(LOAD_COLUMNS, DOWN):
            unit, value, cell = cases.model.unit(name), cases.result(case, name), cases.cell(case, name)
            in_base = factor(unit) != 1 and cases._factor(name) == 1
            sheet.formula(
                row,
                k,
                f"{cell}/{address(top + 3, k).replace(str(top + 3), f'${top + 3}')}" if in_base else cell,
                value / factor(unit) if in_base else value,
                styles.LINK._replace(format=LOAD_FORMATS.get(name, styles.MEASURE), right=True),
            )


def ranges(cases: Cases, sheet: Sheet, message: Message):
    """How far each input moves the cost of self-hosting, both ways from the base."""
    n = len(cases.drivers)
    names = Cells(sheet.title, INPUT, TOP, [cases.study.inputs[d].label for d in cases.drivers])
    series = [
        Line(words, names, Cells(sheet.title, col, TOP, [sheet.value_at(TOP + i, col) for i in range(n)]))
        for words, col in (("at the low end", BELOW), ("at the high end", ABOVE))
    ]
    moved = [abs(v) for s in series for v in s.y.values if v == v]
    unit, form = ("thousand $", "#,##0,") if max(moved, default=0) >= THOUSANDS else ("$", "#,##0")
    chart = charts.bars(message, "", f"{unit} a month, against the base", series, across=True, overlap=100)
    chart.y_axis.number_format = form
    return chart


def bills(cases: Cases, sheet: Sheet, message: Message, crossing: list[Line]):
    """Both bills over the volume, and where they cross."""
    first = load_row(cases) + 4

    def column(col):
        return Cells(sheet.title, col, first, [sheet.value_at(first + i, col) for i in range(len(LOADS))])

    series = [Line("self-hosting", column(DOWN), column(DOWN + 1)), Line("API", column(DOWN), column(DOWN + 2)), *crossing]
    return charts.lines(message, "output tokens a day, millions", "$ a month", series)


def message(sheet: Sheet) -> Message:
    """The title of the picture of the ranges."""
    return Message(f"{TITLE}!{address(CLAIM, 1, True)}", sheet.value_at(CLAIM, 1))
