"""What every sheet keeps to: functions that all hosts have, no typed numbers, names that read alone, values beside formulas, axes shown."""

import re
import zipfile
from io import BytesIO

import openpyxl
import pytest
from openpyxl.formula import Tokenizer

from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.table import MOST, Row

ALLOWED = {  # in Excel 2016, LibreOffice 7.4 and IronCalc alike; old names of statistical functions
    "ABS",
    "AND",
    "BETADIST",
    "CEILING",
    "COUNT",
    "COUNTIF",
    "EXP",
    "FIXED",
    "FLOOR",
    "HYPERLINK",
    "IF",
    "IFERROR",
    "INDEX",
    "INT",
    "ISNA",
    "ISNUMBER",
    "ISTEXT",
    "LARGE",
    "LN",
    "MATCH",
    "MAX",
    "MIN",
    "NA",
    "NORMSDIST",
    "NORMSINV",
    "NOT",
    "OR",
    "PERCENTILE",
    "POISSON",
    "ROUND",
    "SQRT",
    "SUM",
    "SUMPRODUCT",
    "SUMIF",
    "TRUE",
    "FALSE",
    "LOOKUP",
    "N",
}
VOLATILE = {"NOW", "TODAY", "RAND", "RANDBETWEEN", "OFFSET", "INDIRECT", "CELL", "INFO"}
STUDIES = ("little_law", "kv_tiers", "tp_or_pp", "speculative_decoding")
HEAD = 250  # of a formula, in tokens: nothing a reader could not follow on one screen


@pytest.fixture(scope="module")
def made():
    book = Book(
        study("plan"),
        {"request_rate": 200.0},
        [study(n) for n in STUDIES],
        rows=[Row("A", {"request_rate": 100.0, "mfu": 0.4}), Row("B", {"request_rate": 5.0})],
    )
    sheets = book.sheets()
    data = to_bytes(list(sheets), active="Summary")
    return book, sheets, data, openpyxl.load_workbook(BytesIO(data))


def formulas(made):
    for ws in made[3]:
        for row in ws.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    yield ws.title, cell.coordinate, cell.value


def test_only_functions_that_every_host_has(made):
    used = {}
    for sheet, at, formula in formulas(made):
        for token in Tokenizer(formula).items:
            if token.type == "FUNC" and token.subtype == "OPEN":
                used.setdefault(token.value[:-1], (sheet, at, formula))
    assert not {f: used[f] for f in used.keys() - ALLOWED}
    assert not used.keys() & VOLATILE and {"IF", "ROUND", "INDEX", "MATCH"} <= used.keys()


def test_no_number_is_typed_in_a_formula(made):
    """0, 1, 2, 4, 8, the digits of ROUND and FIXED, half of ROUND's ninth digit, and nothing else (decision 25)."""
    bad = []
    for sheet, at, formula in formulas(made):
        tokens, rounding = Tokenizer(formula).items, []
        for i, token in enumerate(tokens):
            if token.type == "FUNC":
                rounding.append(token.value) if token.subtype == "OPEN" else rounding.pop()
            digits = bool(rounding) and rounding[-1] in ("ROUND(", "FIXED(") and tokens[i - 1].type == "SEP"
            if (
                token.type == "OPERAND"
                and token.subtype == "NUMBER"
                and not digits
                and token.value not in ("0", "1", "2", "4", "8", "5E-10")
            ):
                bad.append((sheet, at, formula, token.value))
    assert not bad[:5]


def test_a_formula_can_be_read(made):
    assert max(len(f) for _, _, f in formulas(made)) <= 8192
    long = [(s, a, len(f)) for s, a, f in formulas(made) if s == "Model" and len(f) > HEAD]
    assert len(long) <= 3, long


def test_names_are_of_a_sheet_and_point_at_cells_that_exist(made):
    book = made[3]
    assert not list(book.defined_names)
    for ws in book:
        for name, defined in ws.defined_names.items():
            if name.startswith("Print_"):
                continue
            sheet, cells = re.fullmatch(r"'?(.+?)'?!(.+)", defined.attr_text).groups()
            first = cells.replace("$", "").split(":")[0]
            assert book[sheet.replace("''", "'")][first].value is not None or "own_" in name or sheet not in ("Model", "Inputs"), (
                ws.title,
                name,
                defined.attr_text,
            )


def test_every_name_in_a_formula_is_defined_on_its_sheet(made):
    book, missing = made[3], []
    for sheet, at, formula in formulas(made):
        for token in Tokenizer(formula).items:
            if (
                token.type == "OPERAND"
                and token.subtype == "RANGE"
                and re.fullmatch(r"[a-z_][a-z0-9_]*", token.value)
                and token.value not in book[sheet].defined_names
            ):
                missing.append((sheet, at, token.value))
    assert not missing[:5]


def test_every_formula_has_its_value_beside_it_and_nothing_is_hidden(made):
    with zipfile.ZipFile(BytesIO(made[2])) as archive:
        for name in archive.namelist():
            text = archive.read(name).decode()
            if name.startswith("xl/worksheets/sheet"):
                assert len(re.findall("<f>", text)) == len(re.findall(r"</f><v>[^<]+</v>", text)), name
                assert "hidden=" not in text
            if name.startswith("xl/charts/chart"):
                axes = len(re.findall(r"<(?:c:)?(?:valAx|catAx)>", text))
                assert axes == 2 == len(re.findall(r'<(?:c:)?delete val="0"', text)), name
                assert len(re.findall(r"<(?:c:)?title>", text)) >= 2 and "<pt idx" in text.replace("c:pt", "pt"), name
        assert not [n for n in archive.namelist() if "calcChain" in n or "vba" in n or "external" in n]


def test_charts_refer_to_cells_that_hold_something(made):
    book, seen = made[3], 0
    with zipfile.ZipFile(BytesIO(made[2])) as archive:
        for name in archive.namelist():
            if name.startswith("xl/charts/chart"):
                for reference in re.findall(r"<(?:c:)?f>([^<]+)</", archive.read(name).decode()):
                    sheet, cells = re.fullmatch(r"'?(.+?)'?!(.+)", reference.replace("&apos;", "'")).groups()
                    found = book[sheet.replace("''", "'")][cells.replace("$", "")]
                    rows = found if isinstance(found, tuple) else ((found,),)
                    assert all(c.value is not None for row in rows for c in row), (name, reference)
                    seen += 1
    assert seen > 30


def test_page_set_up_of_every_sheet(made):
    for ws in made[3]:
        assert ws.sheet_properties.pageSetUpPr.fitToPage and ws.page_setup.paperSize == 9
        if ws.title in ("Summary", "Day", "Sweep", "Stress"):
            assert ws.page_setup.fitToHeight == 1, ws.title  # a page, or a few rows more
        elif ws.title in ("Inputs", "Model", "Scenarios", "Prices"):
            assert ws.page_setup.fitToHeight == 0, ws.title  # as many as they take
        assert ws.oddFooter.right.text == "page &P of &N" and not ws.sheet_view.showGridLines
        assert ws.sheet_state == "visible" and ws.sheet_view.selection[0].activeCell == "A1"
    assert made[3].active.title == "Summary"
    assert made[3].sheetnames[:3] == ["About", "Summary", "Inputs"] and made[3].sheetnames[-2:] == ["Checks", "Versions"]


def test_at_most_forty_formula_columns_and_the_same_formula_in_every_row(made):
    ws = made[3]["Scenarios"]
    columns = [c.column for c in ws[8] if c.data_type == "f"]
    assert 6 <= len(columns) <= MOST
    for col in columns:
        first, second = (re.sub(r"(?<=[A-Z])\d+", "#", ws.cell(row, col).value) for row in (8, 9))
        assert first == second


def test_the_same_inputs_give_the_same_bytes(made):
    book = made[0]
    again = Book(study("plan"), book.given, [study(n) for n in STUDIES], rows=book.table.rows)
    assert to_bytes(again.sheets(), active="Summary") == made[2]


def test_input_cells_are_blue_on_pale_and_nothing_else_is(made):
    for sheet in made[1]:
        for (row, col), cell in sheet.cells.items():
            blue = cell.style.color == "0000FF" and bool(cell.style.fill)
            assert bool(cell.typed) <= (cell.style.color == "0000FF"), (sheet.title, row, col)
            assert not (blue and cell.formula), (sheet.title, row, col)


def test_no_cell_names_a_paper_that_the_reader_lacks(made):
    papers = re.compile(r"files? \d{3}|decisions? \d|calculators? [A-C]\b")
    told = {str(cell.value) for ws in made[3] for row in ws.iter_rows() for cell in row if isinstance(cell.value, str)}
    assert len(told) > 1000 and not [words for words in told if papers.search(words)]
