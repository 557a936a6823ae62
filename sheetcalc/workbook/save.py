"""A workbook on disk: streamed by openpyxl, then every formula given its value, and nothing left that depends on the day.

openpyxl writes no cached values; without them previews, phones and pandas show blanks. A second pass over our own XML fills them in.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter as letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.writer.excel import ExcelWriter

from sheetcalc import __version__
from sheetcalc.workbook import styles
from sheetcalc.workbook.page import height, print_area, set_up
from sheetcalc.workbook.sheet import Sheet, encoded, is_missing
from sheetcalc.workbook.validation import bounds_rule

DATE = "2000-01-01T00:00:00Z"
BLOCK = 1 << 17  # bytes of XML at a time
FIXED = (1980, 1, 1, 0, 0, 0)
LIVE = re.compile(rb'<c r="([A-Z]+\d+)"((?: s="\d+")?)(?: t="\w+")?><f>(.*?)</f><v ?/?>(?:</v>)?</c>', re.S)
EMPTY_NUMBER = re.compile(rb'(<c r="\w+" s="\d+") t="n"(?:></c>|/>)')  # IronCalc reads an empty t="n" as 0


def to_bytes(sheets: list[Sheet], active: str = "") -> bytes:
    """The workbook as the bytes of an xlsx file; the same sheets give the same bytes.

    `sheets` is emptied, so that none is held longer than it is needed.
    """
    book, looks, titles, shown = Workbook(write_only=True), {}, [s.title for s in sheets], []
    with tempfile.TemporaryFile() as raw, tempfile.TemporaryFile() as out, ExitStack() as stack:
        while sheets:
            shown.append(_write(book, sheets.pop(0), looks, stack.enter_context(tempfile.TemporaryFile())))
        if active:
            book.active = titles.index(active)
        book.calculation.fullCalcOnLoad = True
        book.properties.creator, book.properties.title = f"sheetcalc {__version__}", "Capacity plan"
        ExcelWriter(book, zipfile.ZipFile(raw, "w")).save()  # not packed: it is read again at once
        _finish(raw, shown, out)
        out.seek(0)
        return out.read()


def _write(book: Workbook, sheet: Sheet, looks: dict, shown: IO[bytes]) -> IO[bytes]:
    """One sheet; `shown` takes a line for each formula cell: where it stands, the kind of its value, the value."""
    ws = book.create_sheet(sheet.title)
    set_up(ws, sheet)
    for cells, formula, prompt in sheet.lists:
        rule = DataValidation(
            type="list", formula1=formula, allow_blank=True, showErrorMessage=True, error=prompt[:250], errorTitle="Not in the list"
        )
        rule.add(cells)
        ws.data_validations.append(rule)
    for cell, about in sheet.bounds:
        if rule := bounds_rule(cell, about):
            ws.data_validations.append(rule)
    n = 0
    for n, row in enumerate(sheet.rows(), 1):
        if high := height(row, sheet.widths):
            ws.row_dimensions[n].height = high
        ws.append(_line(ws, row, looks))
        for col, cell in enumerate(row, 1):
            if cell is not None and cell.formula:
                shown.write(b"%b%d %b %b\n" % (letter(col).encode(), n, *_value(cell.cached)))
    if shown.tell() and sheet.grey_missing:
        grey = FormulaRule(formula=["ISNA(A1)"], font=Font(color=styles.GREY))
        ws.conditional_formatting.add(f"A1:{letter(max(sheet.widths, default=10))}{n}", grey)
    if sheet.alert:
        ws.conditional_formatting.add(sheet.alert, FormulaRule(formula=[f'LEFT({sheet.alert},3)<>"all"'], font=Font(color=styles.WRONG)))
    print_area(ws, sheet, n)
    for chart, anchor in sheet.charts:
        ws.add_chart(chart, anchor)
    for name, reference in sorted(sheet.names.items()):
        ws.defined_names[name] = DefinedName(name, attr_text=reference)
    shown.seek(0)
    return shown


def _line(ws, row: list, looks: dict) -> Iterator[Cell | None]:
    """The cells of a row, each written before the next is asked for: so one cell for each look is enough."""
    for cell in row:
        if cell is None:
            yield None
            continue
        if cell.style not in looks:
            looks[cell.style] = WriteOnlyCell(ws)
            styles.apply(looks[cell.style], cell.style)
        made = looks[cell.style]
        if isinstance(cell.value, str) and not cell.formula:
            made.value = encoded(cell.value)
            made.data_type = "s"  # a person's "=1+1" stays a text
        else:
            made.value = cell.value
        yield made


def _value(x) -> tuple[bytes, bytes]:
    if isinstance(x, bool):
        return b"b", str(int(x)).encode()
    if isinstance(x, str):
        return b"str", escape(encoded(x), {"\n": "&#10;"}).encode()
    return (b"e", b"#N/A") if is_missing(x) else (b"n", repr(float(x)).encode())


def _finish(raw: IO[bytes], shown: list[IO[bytes]], out: IO[bytes]) -> None:
    sheets = {f"xl/worksheets/sheet{i}.xml": values for i, values in enumerate(shown, 1)}
    with zipfile.ZipFile(raw) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            info = zipfile.ZipInfo(name, FIXED)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o600 << 16, 3
            with old.open(name) as source, new.open(info, "w") as target:
                if name in sheets:
                    _live(source, target, sheets[name], name)
                elif name == "docProps/core.xml":
                    target.write(re.sub(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*", rb"\g<1>" + DATE.encode(), source.read()))
                else:
                    shutil.copyfileobj(source, target)


def _live(source: IO[bytes], target: IO[bytes], shown: IO[bytes], name: str) -> None:
    """A sheet's XML with the value of each formula filled in, block by block: a long table never stands in memory."""

    def cell(m):
        place, kind, value = next(shown, b"  ").rstrip(b"\n").split(b" ", 2)
        if place != m[1]:
            raise RuntimeError(f"{name}: the formula in {m[1].decode()} met the value of {place.decode() or 'no cell'}")
        return b'<c r="%b"%b t="%b"><f>%b</f><v>%b</v></c>' % (m[1], m[2], kind, m[3], value)

    left = b""
    while block := source.read(BLOCK):
        whole, end, left = (left + block).rpartition(b"</row>")
        target.write(EMPTY_NUMBER.sub(rb"\1/>", LIVE.sub(cell, whole + end)))
    target.write(EMPTY_NUMBER.sub(rb"\1/>", LIVE.sub(cell, left)))
    if missed := shown.readline():
        raise RuntimeError(f"{name}: no cell took the value of {missed.decode().strip()}")
