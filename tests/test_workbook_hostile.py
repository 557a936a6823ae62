"""Texts from people that a spreadsheet would run or that break XML, and files that no one should trust."""

import time
import tracemalloc
import zipfile

import openpyxl
import pytest
from workbook_edits import Edited

from sheetcalc.__main__ import main
from sheetcalc.errors import InputError
from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.read import read
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.sheet import LONGEST
from sheetcalc.workbook.table import Row

TEXTS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "=cmd|' /C calc'!A0",
    "a\x00b\x0bc\ud800",
    "<f>1</f>&amp;",
    "x" * LONGEST,
    "y" * (LONGEST + 9),
    '"quoted"',
    "'led",
    "_x0041_ and _x005F_",
    "_x001B_[31m",
]


@pytest.fixture(scope="module")
def plan_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "plan.xlsx"
    path.write_bytes(to_bytes(Book(study("plan"), {"request_rate": 200.0}).sheets()))
    return path


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A scenario workbook whose names are all hostile."""
    path = tmp_path_factory.mktemp("hostile") / "names.xlsx"
    rows = [Row(f"{text}", {"request_rate": 10.0 + i}) for i, text in enumerate(TEXTS)]
    path.write_bytes(to_bytes(Book(study("plan"), {}, issue_date="=TODAY()", rows=rows).sheets()))
    return path


def test_hostile_names_stay_texts_and_the_file_opens(named):
    sheet = openpyxl.load_workbook(named)["Scenarios"]
    cells = [sheet.cell(8 + i, 1) for i in range(len(TEXTS))]
    assert all(c.data_type != "f" for c in cells)
    assert [c.value for c in cells[:4]] == ["=1+1", "+1", "-1", "@SUM(A1)"]
    assert "\x00" not in cells[6].value and all(len(c.value) <= LONGEST for c in cells)
    held = read(named).sheets["Scenarios"]
    assert all(held[f"A{8 + i}"].formula == "" for i in range(len(TEXTS)))
    assert held["A8"].value == "=1+1" and held["A15"].value == "<f>1</f>&amp;"


def test_the_picker_finds_a_hostile_name(named):
    book = openpyxl.load_workbook(named)
    assert book["Inputs"]["B3"].value == "=1+1" and book["Inputs"]["B3"].data_type != "f"
    assert read(named).sheets["About"]["B4"].value == "=TODAY()" and not read(named).sheets["About"]["B4"].formula


def test_a_name_that_looks_like_a_code_is_itself_in_every_program(named, tmp_path):
    """`_x0041_` in a workbook's XML means A; spelled out it stays what the person wrote."""
    import recalc

    with zipfile.ZipFile(named) as archive:
        raw = "".join(archive.read(n).decode() for n in archive.namelist() if n.startswith("xl/worksheets/"))
    assert "_x005F_x0041_ and _x005F_x005F_" in raw and "_x005F_x001B_" in raw
    at = f"A{8 + TEXTS.index('_x0041_ and _x005F_')}"
    recalc.libreoffice(named, tmp_path)
    for path in (named, tmp_path / "recalculated" / f"poisoned-{named.name}"):
        assert read(path).sheets["Scenarios"][at].value == "_x0041_ and _x005F_"
    assert main(["audit", str(tmp_path / "recalculated" / f"poisoned-{named.name}")]) == 0
    spelled = Edited(named)
    spelled.cell("Scenarios", at, value="_x0041__x001B_")  # what another program writes for A and a control character
    assert read(spelled.save(tmp_path / "e.xlsx")).sheets["Scenarios"][at].value == "A\ufffd"


def with_part(path, to, name, content):
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            if part != name:
                new.writestr(part, old.read(part))
        new.writestr(name, content)
    return to


BILLION = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="str"><v>&b;</v></c></row></sheetData></worksheet>'  # noqa: E501
FAR = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="%d"><c r="%s"><v>1</v></c></row></sheetData></worksheet>'  # noqa: E501
BAD = {
    "macros": ("xl/vbaProject.bin", b"x", "macros"),
    "links": ("xl/externalLinks/externalLink1.xml", b"<x/>", "links to other workbooks"),
    "connections": ("xl/connections.xml", b"<x/>", "data connections"),
    "embedded": ("xl/embeddings/oleObject1.bin", b"x", "embedded objects"),
    "entities": ("xl/worksheets/sheet1.xml", BILLION, "entities"),
    "bomb": ("xl/worksheets/sheet1.xml", b" " * 30_000_000, "unpacks to more than 200 times"),
    "row": ("xl/worksheets/sheet1.xml", FAR % (1048577, b"A1048577"), "not the address of a cell"),
    "column": ("xl/worksheets/sheet1.xml", FAR % (1, b"ZZZ1"), "not the address of a cell"),
    "torn": ("xl/worksheets/sheet1.xml", b"<worksheet><sheetData>", "is damaged"),
    "no book": ("xl/workbook.xml", b"", "is damaged"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_nobody_should_trust_is_refused_with_the_reason(plan_file, tmp_path, capsys, what):
    part, content, reason = BAD[what]
    bad = with_part(plan_file, tmp_path / "bad.xlsx", part, content)
    begun = time.monotonic()
    tracemalloc.start()
    with pytest.raises(InputError, match=reason):
        read(bad)
    assert tracemalloc.get_traced_memory()[1] < 60_000_000 and time.monotonic() - begun < 30
    tracemalloc.stop()
    assert main(["audit", str(bad)]) == 2
    said = capsys.readouterr().err
    assert reason in said and "Traceback" not in said


def test_a_sheet_that_claims_a_gigantic_size_is_read_by_its_cells(plan_file, tmp_path):
    book = with_part(plan_file, tmp_path / "far.xlsx", "xl/worksheets/sheet1.xml", FAR % (1048576, b"XFD1048576"))
    tracemalloc.start()
    assert read(book).sheets["About"]["XFD1048576"].value == 1
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()


def test_what_is_no_workbook_is_refused_in_words(tmp_path, capsys):
    (tmp_path / "a.xlsx").write_bytes(b"hello")
    assert main(["audit", str(tmp_path / "a.xlsx")]) == 2 and main(["audit", str(tmp_path / "none.xlsx")]) == 2
    said = capsys.readouterr().err
    assert "not a whole .xlsx workbook" in said and "is not there" in said


def test_a_link_to_another_file_in_a_formula_is_an_altered_formula(plan_file, tmp_path):
    from sheetcalc.workbook.audit import audit

    edit = Edited(plan_file)
    edit.cell("Summary", "B9", formula="'[other.xlsx]Sheet1'!$A$1", value=1)
    assert ("formula altered", "Summary", "B9") in {(f.kind, f.sheet, f.cell) for f in audit(read(edit.save(tmp_path / "x.xlsx")), study)}


def test_a_wrong_value_in_a_blue_cell_is_told_in_words(plan_file, tmp_path, capsys):
    edit = Edited(plan_file)
    rows = {h.value: at for at, h in read(plan_file).sheets["Inputs"].items() if at.startswith("H")}
    edit.cell("Inputs", rows["mfu"].replace("H", "B"), value=65)
    edit.save(tmp_path / "x.xlsx")
    assert main(["evaluate", str(tmp_path / "x.xlsx")]) == 1
    assert "mfu" in capsys.readouterr().out
    assert main(["memo", str(tmp_path / "x.xlsx"), "-o", str(tmp_path / "m.pdf")]) == 2
    assert "(mfu): 6,500 is outside above 0 to 1; write 65% or 0.65" in capsys.readouterr().err
