"""What a reader meets on a calculator's sheet and memo: money in the title, the decision before the rows, charts that say one thing."""

import re

import openpyxl
import pytest

from sheetcalc import memo
from sheetcalc.studies import NAMES, WORKED, study
from sheetcalc.workbook import styles
from sheetcalc.workbook.book import Book

CALCULATORS = [name for name in NAMES if name not in WORKED and name not in ("plan", "finance")]
PLAN = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}


@pytest.mark.parametrize("name", CALCULATORS)
def test_title_and_decision_say_a_number_and_money(name):
    result = study(name).evaluate()
    story = result.study.story
    assert re.search(r"\$[\d,]*\d", result.says(story.claim)), result.says(story.claim)
    assert re.search(r"\$[\d,]*\d", result.says(story.decision)), result.says(story.decision)
    assert any(result.unit(figure).startswith("$") for figure in story.figures)


@pytest.fixture(scope="module")
def beside():
    """A plan with a load and three calculators, one of each kind."""
    book = Book(study("plan"), PLAN, [study(name) for name in ("kv_tiers", "offline_batch", "voice")])
    return book, {sheet.title: sheet for sheet in book.sheets()}


@pytest.mark.parametrize("name", ["kv_tiers", "offline_batch", "voice"])
def test_a_sheet_opens_with_claim_decision_figures_and_charts(beside, name):
    book, sheets = beside
    result = next(r for r in book.results if r.study.name == name)
    sheet, story, first = sheets[book._title(result)], result.study.story, book.layouts[name].input_row
    assert sheet.value_at(3, 1) == result.says(story.claim, pretty=False)
    assert sheet.value_at(4, 1) == result.says(story.decision, pretty=False)
    above = [sheet.value_at(row, 4) for row, col in sorted(sheet.cells) if col == 4 and 6 < row < first - 1]
    assert above[: len(story.figures)] == list(story.figures)
    assert len(sheet.charts) == len(result.study.charts)
    for _, anchor in sheet.charts:
        assert int(re.search(r"\d+", anchor)[0]) + 18 < first  # a chart covers eighteen rows


def test_a_waterfall_ends_at_what_is_left(beside):
    """The steps of the sheet, taken from the first bar one by one, give the last."""
    book, sheets = beside
    for name, at in (("offline_batch", "Stacked"), ("voice", "Target")):
        result = next(r for r in book.results if r.study.name == name)
        sheet = sheets[book._title(result)]
        (col,) = {c for (r, c), cell in sheet.cells.items() if cell.value == "What is left"}
        row = next(r for (r, c), cell in sheet.cells.items() if cell.value == "What is left")
        left = [cell.cached for (r, c), cell in sorted(sheet.cells.items()) if c == col and r > row + 2 and cell.formula]
        assert left[-1] == pytest.approx(left[-2], rel=1e-9) and left[0] > left[-1] > 0, at


def test_a_waterfall_of_the_memo_leaves_out_what_takes_nothing_off():
    from sheetcalc.memo import plots, waterfall
    from sheetcalc.memo.reading import Reader

    result = study("offline_batch").evaluate()
    chart = next(c for c in result.study.charts if c.kind == "waterfall")
    drawn = plots.plot(Reader(result), chart)
    assert isinstance(drawn, waterfall.Waterfall)
    steps = drawn.steps[1:-1]
    assert steps and all(s.start > s.end for s in steps)
    assert steps[-1].end == pytest.approx(drawn.steps[-1].end)
    assert memo.render(result)[:4] == b"%PDF"


def test_decimals_of_a_column_keep_three_digits_of_its_smallest():
    assert styles.column_format("ms", [7.09, 2200.95]) == "#,##0.00;-#,##0.00;0"
    assert styles.column_format("", [1.0, 2.0, 1e6]) == "#,##0;-#,##0;0"
    assert styles.column_format("$/h", [1440.0, 400.5]) == '#,##0.00;(#,##0.00);"-"'
    assert styles.column_format("ms", [float("nan")]) == styles.number_format("ms")


def test_a_whole_number_has_no_bare_decimal_point():
    """Excel shows 34 as `34.` under `#,##0.###`."""
    assert "." not in styles.number_format("") and "." not in styles.number_format("", value=34.0)


def test_words_of_time_take_an_s_on_sheets_too(beside):
    _, sheets = beside
    said = [cell.cached for cell in sheets["KV-cache tiers"].cells.values() if isinstance(cell.cached, str)]
    assert any("73 days" in words and "5 years" in words for words in said)


def test_points_bear_their_names_in_the_chart_of_a_sheet():
    book = Book(study("cost_ledger"), {})
    summary = next(sheet for sheet in book.sheets() if sheet.title == "Summary")
    (points,) = [chart for chart, _ in summary.charts if isinstance(chart, openpyxl.chart.ScatterChart)]
    assert [s.tx.strRef.strCache.pt[0].v for s in points.series] == study("cost_ledger").model.inputs["option_name"].value
    assert all(s.dLbls.showSerName for s in points.series)
