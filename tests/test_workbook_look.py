"""How a workbook looks: columns that their words and numbers fit in, digits that a reader needs, the units of what is read, page breaks."""

import subprocess

import pytest
from pypdf import PdfReader

from sheetcalc import show
from sheetcalc.studies import study
from sheetcalc.workbook import page, styles
from sheetcalc.workbook.book import Book, build
from sheetcalc.workbook.sheet import Sheet
from sheetcalc.workbook.table import FIRST, Row

PLAN = {"request_rate": 200.0, "gpu": "H200 SXM"}
HALF_MISSING = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}  # several of its cases do not exist


@pytest.mark.parametrize("plan", [PLAN, HALF_MISSING], ids=["whole", "half missing"])
def test_no_cell_shows_hashes(tmp_path, plan):
    book = tmp_path / "plan.xlsx"
    book.write_bytes(build(study("plan"), plan, [study("little_law"), study("regions")]))
    subprocess.run(
        [
            "soffice",
            f"-env:UserInstallation=file://{tmp_path}/profile",
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            str(tmp_path),
            str(book),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    pages = [page.extract_text() for page in PdfReader(tmp_path / "plan.pdf").pages]
    assert len(pages) > 10
    assert not [text for text in pages if "###" in text]


@pytest.fixture(scope="module")
def made():
    book = Book(
        study("plan"),
        PLAN,
        [study("finance")],
        rows=[Row("A", {"request_rate": 200.0, "prompt_tokens": 3000.0}), Row("B", {"request_rate": 5.0})],
    )
    return book, {sheet.title: sheet for sheet in book.sheets()}


def test_no_word_of_a_heading_is_broken(made):
    broken, seen = [], 0
    for sheet in made[1].values():
        for (row, col), cell in sheet.cells.items():
            if cell.style.bold and cell.style.wrap and cell.style.fill == styles.BAND and isinstance(cell.value, str) and not cell.formula:
                seen += 1
                if max(map(len, cell.value.split())) > sheet.widths[col]:
                    broken.append((sheet.title, row, col, cell.value))
    assert seen > 300 and not broken


@pytest.mark.parametrize(
    ("unit", "value", "look"),
    [
        ("tok", 1800.0, styles.WHOLE),
        ("", 34.0, styles.WHOLE),
        ("tok/s", 5691.0897, styles.MEASURE),
        ("%", 0.65, "0.0%"),
        ("$/h", 340.0, '#,##0.00;(#,##0.00);"-"'),
    ],
)
def test_digits_of_a_result(unit, value, look):
    assert styles.number_format(unit, value=value) == look


def test_typed_columns_show_what_was_typed_and_no_more():
    assert styles.typed_format("tok", [8192.0, float("nan"), 128.0]) == styles.WHOLE
    assert styles.typed_format("TB/s", [2.039, 3.35]) == "#,##0.000"
    assert styles.typed_format("Gparam", [0.123456]) == "#,##0.0000"


def test_sentences_group_thousands():
    assert show.plain(58880.0, "$/month") == "$58,880/month" and show.plain(1234.5, "$/h") == "$1,234.50/h"
    assert show.plain(1121.4e6, "Mtok/day") == "1,121.4 Mtok/day" and show.plain(40000.0, "tok") == "40,000 tok"
    assert show.plain(0.05, "ms") == "50 ms" and show.plain(12000.0, "") == "12,000"


def test_results_of_scenarios_stand_in_their_unit(made):
    book, sheets = made
    table, sheet = book.table, sheets["Scenarios"]
    col = table.shown_column["tpot_worst"]
    assert sheet.value_at(5, col) == "ms" and sheet.value_at(6, col) == 0.001 and col not in sheet.workings
    rows = list(sheet.rows())[FIRST - 1 :]
    for row, at in zip(rows, table.values["tpot_worst"], strict=True):
        assert row[col - 1].cached == pytest.approx(at * 1000, rel=1e-12) and 1 < row[col - 1].cached < 1000


def test_a_few_rows_over_a_page_are_set_on_one_page():
    def fits(rows):
        sheet = Sheet("S", (20, 20))
        for row in range(1, rows + 1):
            sheet.put(row, 1, float(row))
        return page._nearly_one_page(sheet, 40, False)

    assert fits(10) and fits(45) and not fits(80)
