"""A workbook on disk: streamed by openpyxl, then every formula given its value, and nothing left that depends on the day.

openpyxl writes no cached values; without them previews, phones and pandas show blanks. A second pass over our own XML fills them in.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter as letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from sheetcalc import __version__
from sheetcalc.workbook import styles
from sheetcalc.workbook.page import height, print_area, set_up
from sheetcalc.workbook.sheet import Sheet, is_missing
from sheetcalc.workbook.validation import bounds_rule

DATE = "2000-01-01T00:00:00Z"
FIXED = (1980, 1, 1, 0, 0, 0)
LIVE = re.compile(rb'<c r="([A-Z]+\d+)"((?: s="\d+")?)(?: t="\w+")?><f>(.*?)</f><v ?/?>(?:</v>)?</c>', re.S)
EMPTY_NUMBER = re.compile(rb'(<c r="\w+" s="\d+") t="n"(?:></c>|/>)')  # IronCalc reads an empty t="n" as 0


def to_bytes(sheets: list[Sheet], active: str = "") -> bytes:
    """The workbook as the bytes of an xlsx file; the same sheets give the same bytes."""
    book, cached, looks = Workbook(write_only=True), [], {}
    for sheet in sheets:
        cached.append(_write(book, sheet, looks))
    if active:
        book.active = [s.title for s in sheets].index(active)
    book.calculation.fullCalcOnLoad = True
    book.properties.creator, book.properties.title = f"sheetcalc {__version__}", "Capacity plan"
    raw = io.BytesIO()
    book.save(raw)
    return _finished(raw.getvalue(), cached)


def _write(book: Workbook, sheet: Sheet, looks: dict) -> dict[str, Any]:
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
    cached, n = {}, 0
    for n, row in enumerate(sheet.rows(), 1):
        line = []
        if high := height(row, sheet.widths):
            ws.row_dimensions[n].height = high
        for col, cell in enumerate(row, 1):
            if cell is None:
                line.append(None)
                continue
            line.append(_cell(ws, cell, looks))
            if cell.formula:
                cached[f"{letter(col)}{n}"] = cell.cached
        ws.append(line)
    if cached and sheet.grey_missing:
        grey = FormulaRule(formula=["ISNA(A1)"], font=Font(color=styles.GREY))
        ws.conditional_formatting.add(f"A1:{letter(max(sheet.widths, default=10))}{n}", grey)
    print_area(ws, sheet, n)
    for chart, anchor in sheet.charts:
        ws.add_chart(chart, anchor)
    for name, reference in sorted(sheet.names.items()):
        ws.defined_names[name] = DefinedName(name, attr_text=reference)
    return cached


def _cell(ws, cell, looks):
    made = WriteOnlyCell(ws, cell.value)
    if isinstance(cell.value, str) and not cell.formula:
        made.data_type = "s"  # a person's "=1+1" stays a text
    if cell.style not in looks:
        styles.apply(made, cell.style)
        looks[cell.style] = made._style
    made._style = looks[cell.style]
    return made


def _value(x) -> tuple[bytes, bytes]:
    if isinstance(x, bool):
        return b"b", str(int(x)).encode()
    if isinstance(x, str):
        return b"str", escape(x).encode()
    return (b"e", b"#N/A") if is_missing(x) else (b"n", repr(float(x)).encode())


def _finished(xlsx: bytes, cached: list[dict[str, Any]]) -> bytes:
    def live(values):
        def cell(m):
            kind, value = _value(values.pop(m[1].decode()))
            return b'<c r="%b"%b t="%b"><f>%b</f><v>%b</v></c>' % (m[1], m[2], kind, m[3], value)

        return cell

    out, old = io.BytesIO(), zipfile.ZipFile(io.BytesIO(xlsx))
    sheets = {f"xl/worksheets/sheet{i}.xml": values for i, values in enumerate(cached, 1)}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            data = old.read(name)
            if name in sheets:
                data = EMPTY_NUMBER.sub(rb"\1/>", LIVE.sub(live(sheets[name]), data))
                if sheets[name]:
                    raise RuntimeError(f"{name}: no cell took the value of {sorted(sheets[name])[:5]}")
                if re.search(rb"</f><v ?/?>(</v>)?</c>", data):
                    raise RuntimeError(f"{name}: a formula without its value")
            if name == "docProps/core.xml":
                data = re.sub(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*", rb"\g<1>" + DATE.encode(), data)
            info = zipfile.ZipInfo(name, FIXED)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o600 << 16, 3
            new.writestr(info, data)
    return out.getvalue()
