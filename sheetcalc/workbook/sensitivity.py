"""The Sensitivity sheet: each input alone, low and high, and the load in steps; the chain of formulas stands on Cases."""

from __future__ import annotations

from sheetcalc.workbook import charts, styles
from sheetcalc.workbook.cases import LOADS, SHARE, Cases
from sheetcalc.workbook.charts import Cells, Line, Message
from sheetcalc.workbook.formulas import quoted
from sheetcalc.workbook.inputs import TITLE as INPUTS
from sheetcalc.workbook.inputs import USED
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

TITLE = "Sensitivity"
BUILD, API, CHOICE, DAY = "build_cost_per_month", "api_cost_per_month", "choice_by_cost", "output_tokens_per_day"
INPUT, UNIT, DOWN, UP, LOW, BASE, HIGH, RESULTS, LEAST, MOST, BELOW, ABOVE = 1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20
TOP = 6  # first driver
MESSAGES = {
    "ranges": "What each input does to the monthly cost of self-hosting, moved alone",
    "bills": "Both monthly bills by output tokens a day",
}


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
    sheet.frozen = f"B{TOP}"
    _loads(sheet, load_row(cases), cases)


def load_row(cases: Cases) -> int:
    """The section row of the load table."""
    return TOP + len(cases.drivers) + 2


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
    }
    for k, what in enumerate(("Self-hosting, $/month", "API, $/month", "Decision by cost")):
        words |= {RESULTS + 3 * k + j: f"{what}: {end}" for j, end in enumerate(("low", "base", "high"))}
    for col, text in words.items():
        sheet.put(TOP - 1, col, text, styles.HEADING if col == INPUT else styles.HEADING_IN if col == UNIT else styles.HEADING_RIGHT)
        sheet.width(col, {INPUT: 40, UNIT: 9}.get(col, 10 if col in (DOWN, UP) else 14))
    sheet.workings |= {LEAST, MOST, BELOW, ABOVE}


def _driver(sheet: Sheet, row: int, cases: Cases, name: str) -> None:
    about = cases.study.inputs[name]
    one, form = factor(about.unit), styles.number_format(about.unit)
    sheet.put(row, INPUT, about.label, styles.LABEL)
    sheet.put(row, UNIT, display_unit(about.unit), styles.NAME)
    for col, end in ((DOWN, "low"), (UP, "high")):
        sheet.put(row, col, cases.shares.get((name, end), SHARE), styles.INPUT._replace(format="0%"), ("share", name, end))
    for col, bound in ((LEAST, about.low), (MOST, about.high)):
        if bound is not None:
            sheet.put(row, col, bound / one, Style(color=styles.QUIET))
    base = address(row, BASE)
    sheet.formula(row, BASE, cases.from_inputs[name], cases.base[name] / one, styles.LINK._replace(format=form))
    sheet.formula(row, LOW, f"MAX({base}*(1-{address(row, DOWN)}),{address(row, LEAST)})", cases.end(name, "low") / one, Style(format=form))
    most = f"MIN({base}*(1+{address(row, UP)}),{address(row, MOST)})"
    sheet.formula(row, HIGH, most, cases.end(name, "high") / one, Style(format=form))
    low, base_case, high = (next(c for c in cases.cases if (c.driver, c.end) == key) for key in ((name, "low"), ("", ""), (name, "high")))
    cases.cells |= {low: f"{TITLE}!{address(row, LOW, True)}", high: f"{TITLE}!{address(row, HIGH, True)}"}
    for k, result in enumerate((BUILD, API, CHOICE)):
        form = "General" if result == CHOICE else styles.number_format("$/month")
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
            Style(format=styles.number_format("$/month")),
        )


LOAD_COLUMNS = ((DAY, "Output tokens a day"), (BUILD, "Self-hosting"), (API, "API"), ("gpus", "GPUs"), (CHOICE, "Decision by cost"))


def _loads(sheet: Sheet, top: int, cases: Cases) -> None:
    sheet.put(top, 1, "The load alone", styles.SECTION)
    sheet.put(top + 1, 1, "Load, of the plan's", styles.HEADING)
    for k, (name, words) in enumerate(LOAD_COLUMNS, DOWN):
        unit = cases.model.unit(name)
        sheet.put(top + 1, k, words, styles.HEADING_RIGHT)
        sheet.put(top + 2, k, display_unit(unit), styles.UNIT._replace(right=True))
        if factor(unit) != 1:
            sheet.put(top + 3, k, factor(unit), Style(color=styles.QUIET))
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
                styles.LINK._replace(format=styles.number_format(unit), right=True),
            )


def ranges(cases: Cases, sheet: Sheet, message: Message):
    """How far each input moves the cost of self-hosting, both ways from the base."""
    n = len(cases.drivers)
    names = Cells(sheet.title, INPUT, TOP, [cases.study.inputs[d].label for d in cases.drivers])
    series = [
        Line(words, names, Cells(sheet.title, col, TOP, [sheet.value_at(TOP + i, col) for i in range(n)]))
        for words, col in (("at the low end", BELOW), ("at the high end", ABOVE))
    ]
    return charts.bars(message, "", "$ a month, against the base", series, across=True, overlap=100)


def bills(cases: Cases, sheet: Sheet, message: Message, crossing: list[Line]):
    """Both bills over the volume, and where they cross."""
    first = load_row(cases) + 4

    def column(col):
        return Cells(sheet.title, col, first, [sheet.value_at(first + i, col) for i in range(len(LOADS))])

    series = [Line("self-hosting", column(DOWN), column(DOWN + 1)), Line("API", column(DOWN), column(DOWN + 2)), *crossing]
    return charts.lines(message, "output tokens a day, millions", "$ a month", series)


def message_of(key: str, sheet: Sheet, row: int, col: int) -> Message:
    """A chart's title as a cell of a sheet."""
    sheet.put(row, col, MESSAGES[key], styles.NOTE._replace(wrap=False))
    return Message(f"{quoted(sheet.title)}!{address(row, col, True)}", MESSAGES[key])
