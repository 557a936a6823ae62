"""What a reader meets on a calculator's sheet and memo: money in the title, the decision before the rows, charts that say one thing."""

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest
import recalc

from sheetcalc import memo, tables
from sheetcalc.__main__ import main
from sheetcalc.errors import InputError
from sheetcalc.model import Grid, Input, check, quantity
from sheetcalc.operations import at
from sheetcalc.studies import NAMES, WORKED, study
from sheetcalc.study import UNDECIDED, Study
from sheetcalc.workbook import styles
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

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
    for name in ("offline_batch", "voice"):
        result = next(r for r in book.results if r.study.name == name)
        sheet = sheets[book._title(result)]
        (col,) = {c for (r, c), cell in sheet.cells.items() if cell.value == "What is left"}
        row = next(r for (r, c), cell in sheet.cells.items() if cell.value == "What is left")
        left = [cell.cached for (r, c), cell in sorted(sheet.cells.items()) if c == col and r > row + 2 and cell.formula]
        assert left[-1] == pytest.approx(left[-2], rel=1e-9) and left[0] > left[-1] > 0


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


def test_a_slope_of_a_sheet_names_its_rows_by_height_and_greys_what_fails_a_gate():
    book = Book(study("cost_ledger"), {})
    summary = next(sheet for sheet in book.sheets() if sheet.title == "Summary")
    (slope,) = [chart for chart, _ in summary.charts if isinstance(chart, openpyxl.chart.ScatterChart)]
    result = study("cost_ledger").evaluate()
    names, costs, passes = (result.value(n) for n in ("option_name", "success_cost", "passes_all"))
    labels, counted, grey = slope.series[: len(names)], slope.series[len(names) : 2 * len(names)], slope.series[2 * len(names) :]
    by_cost = sorted(zip(costs, names, passes))
    assert [s.tx.strRef.strCache.pt[0].v for s in labels] == [name for _, name, _ in by_cost]
    heights = [float(s.yVal.numRef.numCache.pt[0].v) for s in labels]
    assert all(b - a > 0 for a, b in pairwise(heights))
    assert [len(s.yVal.numRef.numCache.pt) for s in counted] == [2 if passed else 0 for *_, passed in by_cost]
    assert [len(s.yVal.numRef.numCache.pt) for s in grey] == [0 if passed else 2 for *_, passed in by_cost]


def test_a_slope_of_the_memo_is_level_for_the_baseline():
    from sheetcalc.memo import plots, slope
    from sheetcalc.memo.reading import Reader

    result = study("cost_ledger").evaluate()
    drawn = plots.plot(Reader(result), next(c for c in result.study.charts if c.kind == "slope"))
    assert isinstance(drawn, slope.Slope) and drawn.pairs[0].left == drawn.pairs[0].right == 1.0
    assert [p.role == "own" for p in drawn.pairs] == [bool(x) for x in result.value("passes_all")]
    spec = next(p for p in drawn.pairs if "spec" in str(p.label))
    assert spec.left < 1 < spec.right  # cheap per token, dear per success


@pytest.fixture(scope="module")
def many_options(tmp_path_factory):
    """The cost ledger with 300 options of one's own."""
    given = (Path(__file__).parent.parent / "workbooks" / "tables" / "options.csv").read_text().splitlines()
    rows = [f"Option {i}," + given[1 + i % 7].split(",", 1)[1] for i in range(1, 300)]
    path = tmp_path_factory.mktemp("many") / "options.csv"
    path.write_text("\n".join([given[0], given[1], *rows]) + "\n")
    return tables.filled(study("cost_ledger"), [path])


def test_names_below_one_another_have_room_on_a_page(many_options):
    from sheetcalc.memo import plots
    from sheetcalc.memo.charts import MOST_ROWS
    from sheetcalc.memo.reading import Reader

    reader = Reader(many_options.evaluate())
    drawn = {chart.name: plots.plot(reader, chart) for chart in many_options.charts}
    assert len(drawn["ranked"].bars) == len(drawn["misleading"].bars) == len(drawn["slope"].pairs) == MOST_ROWS
    assert all("not all rows" in str(plots.measure(reader, chart)) for chart in many_options.charts)


def test_a_slope_of_many_rows_shows_the_lowest_in_every_engine(many_options, tmp_path):
    """A chart of Excel holds 255 series at most."""
    book = Book(many_options, {})
    path = tmp_path / "many.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    summary = next(sheet for sheet in book.sheets() if sheet.title == "Summary")
    (slope,) = [chart for chart, _ in summary.charts if isinstance(chart, openpyxl.chart.ScatterChart)]
    assert len(slope.series) == 3 * 16
    want = {at: x for at, x in recalc.cached(path).items() if at[0] == "Summary"}
    assert len(want) > 300 * 6
    assert recalc.differences(want, recalc.iron(recalc.poisoned(path, tmp_path / "bad.xlsx"))) == []


def test_what_cannot_be_asked_is_said_in_the_same_words_by_every_engine(tmp_path):
    """Weights that do not fit leave the memory for KV cache unknown, and with it three checks of prefix routing."""
    book = Book(study("plan"), PLAN | {"model": "Llama 3.1 405B", "gpus_per_replica": 1.0}, [study("prefix_routing"), study("little_law")])
    path = tmp_path / "unasked.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    engines = recalc.libreoffice(path, tmp_path), recalc.iron(recalc.poisoned(path, tmp_path / "bad.xlsx"))
    row = next(s for s in book.sheets() if s.title == "Checks")
    statuses = [
        (r + 0, cell.cached) for (r, c), cell in row.cells.items() if c == 2 and row.cells.get((r, 1)) and row.cells[r, 1].value == "Status"
    ]
    assert len(statuses) == 3 and all(words.startswith("weights do not fit") for _, words in statuses)
    for engine in engines:
        assert [engine["Checks", f"B{r}"] for r, _ in statuses] == [words for _, words in statuses]


@quantity("Size of the chosen row", "GB")
def chosen_size(row_size, row_name, chosen_row):
    return at(row_size, row_name, chosen_row)


@check("The chosen row is small", "{chosen_size} is too large")
def row_small(chosen_size, largest_size):
    return chosen_size <= largest_size


def test_an_error_that_cannot_be_asked_is_named(tmp_path):
    """A table without the value that is asked for: no warning says why, so that the check itself is named, in every engine."""
    rows = Grid(
        "rows",
        "Rows",
        rows={"row_name": Input(["small", "unknown"], "", "Row", "chosen")},
        typed={"row_size": Input([1e9, None], "GB", "Size", "chosen")},
    )
    inputs = {
        "chosen_row": Input("unknown", "", "Row that is chosen", "chosen", choices=("small", "unknown")),
        "largest_size": Input(2e9, "GB", "Largest size", "chosen"),
    }
    functions = {"chosen_size": chosen_size, "row_small": row_small}
    book = Book(Study("rows", "Rows", "One check of a table.", functions, inputs, [rows]), {})
    path = tmp_path / "rows.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    checks = next(s for s in book.sheets() if s.title == "Checks")
    row = next(r for (r, c), cell in checks.cells.items() if c == 1 and cell.value == "Status")
    assert book.plan.problems == ["The chosen row is small: not known"] == [checks.value_at(row, 2)]
    for engine in (recalc.libreoffice(path, tmp_path), recalc.iron(recalc.poisoned(path, tmp_path / "bad.xlsx"))):
        assert engine["Checks", f"B{row}"] == "The chosen row is small: not known"


@pytest.mark.parametrize(
    ("name", "changes", "claim"),
    [
        ("kv_tiers", {"write_share": 0.0}, "Nothing is written to the drives"),
        ("coding_assistant", {"live_sessions": 60000.0}, "Let prompts be cold"),
        ("coding_assistant", {"request_rate": 800.0}, "no pool of the table meets the target"),
        ("tensor_parallel", {"memory_fraction": 0.31}, "8 GPUs a replica are cheapest for chat, at $"),
        ("tensor_parallel", {"wide_tp": 16.0}, "4 or 16 GPUs a replica is not in the table"),
        ("roofline_breaks", {"active_params": 7e7}, "in reserve"),
        ("offline_batch", {"params": 2.1165e11}, "its levers together bring it down"),
        ("offline_batch", {"shared_prefix_tokens": 5000.0}, "the shared prefix of 5,000 tok is longer than the prompt"),
        ("prefix_routing", {"prompt_tokens": 833.0}, "the shared prefix of 2,000 tok is longer than the prompt"),
        ("tp_or_pp", {"memory_fraction": 0.001}, "the weights do not fit the node"),
    ],
)
def test_a_limit_is_said_in_the_title(name, changes, claim):
    """Extreme inputs give a sentence of their own: never 'not available', and never a saving that is a loss."""
    result = study(name).evaluate(changes)
    said = [result.says(saying) for saying in (result.study.story.claim, result.study.story.decision)]
    assert claim in (result.problems or said)[0]
    assert not any("not available" in words or "saves −" in words for words in said)


@pytest.mark.parametrize(
    ("name", "changes", "quantity"),
    [
        ("voice", {"mbu": 0.0375}, "longest_endpointing"),
        ("prefix_routing", {"prompt_tokens": 833.0}, "random_fleet"),
        ("offline_batch", {"shared_prefix_tokens": 5000.0}, "stacked_cost"),
        ("autoscaling", {"output_tokens": 300000.0}, "light_busy"),
        ("coding_assistant", {"turn_tokens": 40000.0}, "warm_saving_month"),
    ],
)
def test_an_impossible_state_has_no_number(name, changes, quantity):
    assert not study(name).evaluate(changes).exists(quantity)


def test_a_full_attention_study_takes_no_model_without_a_cache():
    with pytest.raises(InputError, match="kv_layers"):
        study("offline_batch").evaluate({"kv_layers": 0.0})


def test_the_stages_never_overtake_at_less_than_no_sequence():
    assert study("tp_or_pp").evaluate({"all_reduce_hop": 0.0005}).value("staged_crossover") == 0


def test_a_study_alone_has_a_workbook_of_its_own_inputs(tmp_path):
    """Without scenarios nothing of a plan is known: no sheet of missing values stands before the study."""
    out = tmp_path / "voice.xlsx"
    assert main(["workbook", "--study", "voice", "--set", "live_calls=4000", "-o", str(out)]) == 0
    sheets = openpyxl.load_workbook(out, data_only=True)
    assert "GPUs" not in sheets.sheetnames and sheets["Summary"]["A2"].value.startswith("4,000 calls cost $")


def test_the_sixteen_breaks_are_one_table_on_sheet_and_memo():
    """Each break with its value, limit, verdict, correction and measurement; the verdicts are those of the checks."""
    result = study("roofline_breaks").evaluate()
    (listing,) = result.study.listings
    assert [row[0][:3] for row in listing.rows] == [f"B{n:02}" for n in range(1, 17)]
    for _, metric, limit, verdict, factor, measured in listing.rows:
        assert verdict in result.model.checks and result.unit(metric) == result.unit(limit) and measured
        assert factor == "" or result.unit(factor) == "x"
    sheet = next(s for s in Book(result.study, {}).sheets() if s.title == "Breaks")
    shown = [sheet.value_at(row, 4) for row in range(4, 20)]
    assert shown.count("broken") == result.value("broken_checks") == 6 and set(shown) == {"holds", "broken"}
    written = memo.compose(result).html
    assert written.count(">broken<") == 6 and "What reveals it" in written


def test_every_column_that_is_read_is_printed():
    """Workings may stand between two columns that are read: the printed page ends at the last that is read."""
    book = openpyxl.load_workbook(BytesIO(to_bytes(Book(study("queue_ceiling"), {}).sheets(), active="Summary")))
    area = book["Spread"].print_area.replace("$", "").split("!")[-1]
    assert area.startswith("A1:I"), area  # six spreads across, from D on


def test_a_study_that_does_not_hold_claims_nothing():
    """Neither sheet nor memo tells a saving, or that there is none, where the load is not given or the model does not fit."""
    book = Book(study("plan"), {}, [study("prefix_routing")])
    sheet = next(s for s in book.sheets() if s.title == "Prefix routing")
    assert sheet.value_at(3, 1).startswith("no load is given") and sheet.value_at(4, 1) == UNDECIDED
    written = memo.compose(study("tp_or_pp").evaluate({"memory_fraction": 0.001})).html
    assert "weights do not fit the node" in written.split("</h1>")[0]
    assert "needs no more nodes" not in written.split("</h1>")[0] and UNDECIDED in written
