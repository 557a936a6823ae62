"""Each sheet says at its top whether all checks hold, live and with a link to them."""

import re

import pytest
import recalc

from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.read import read
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.table import Row

FAILS = {"request_rate": 20.0, "model": "DeepSeek-R1", "gpus_per_replica": 1.0}  # its weights do not fit


@pytest.mark.parametrize(("given", "words"), [({"request_rate": 20.0}, "all checks hold"), (FAILS, "a check fails: see Checks")])
def test_the_master_check_stands_on_every_sheet(tmp_path, given, words):
    path = tmp_path / "p.xlsx"
    sheets = Book(study("plan"), {}, [study("roofline_breaks")], rows=[Row("A", given)]).sheets()
    titles = {s.title for s in sheets}
    path.write_bytes(to_bytes(sheets))
    recalc.libreoffice(path, tmp_path)
    for book in (path, tmp_path / "recalculated" / "poisoned-p.xlsx"):
        found = read(book).sheets
        for title in titles - {"Checks", "Summary"}:
            (shown,) = [h.value for at, h in found[title].items() if re.fullmatch("[A-Z]+1", at) and "$B$2" in h.formula]
            assert shown == words, title
        assert found["Checks"]["B2"].value == found["Summary"]["B6"].value == words


def test_it_stands_beside_the_title_and_turns_red():
    for sheet in Book(study("plan"), {"request_rate": 20.0}).sheets():
        if sheet.alert:
            col = next(c for (r, c), cell in sheet.cells.items() if r == 1 and cell.formula)
            title = sheet.cells[1, 1].value
            before = sum(sheet.widths.get(c, 8.43) for c in range(1, col))
            assert len(title) * 1.6 <= before < 100, sheet.title  # clear of the title, and on the first screen
