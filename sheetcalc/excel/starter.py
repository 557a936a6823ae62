"""A workbook to start from: xlwings' own standalone workbook (its VBA inside, no add-in needed), set to the functions of sheetcalc."""

from __future__ import annotations

import io
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from xml.sax.saxutils import escape

from sheetcalc.errors import SheetcalcError
from sheetcalc.excel.vba import UDF_MODULE

DATE = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes
WORKBOOK, SETTINGS = "xl/workbook.xml", "xl/worksheets/sheet2.xml"


def starter(interpreter: str = sys.executable) -> bytes:
    """The .xlsm file; its settings sheet names the interpreter and the module of the functions.

    Raises SheetcalcError where xlwings is not installed, or ships another workbook than the one known here.
    """
    source = xlwings_file("quickstart_standalone.xlsm")
    out = io.BytesIO()
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name == WORKBOOK:
                data = _replaced(data, '<sheet name="_xlwings.conf"', '<sheet name="xlwings.conf"')
            if name == SETTINGS:
                data = _replaced(data, '<c r="B1" s="1" t="s"><v>13</v></c>', _cell("B1", interpreter))
                data = _replaced(data, '<c r="A6" s="1" t="s"><v>1</v></c>', f'<c r="A6" s="1" t="s"><v>1</v></c>{_cell("B6", UDF_MODULE)}')
            made.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def xlwings_file(name: str) -> Path:
    """A file that xlwings brings. Raises SheetcalcError where it is not there."""
    found = find_spec("xlwings")
    path = Path(found.submodule_search_locations[0], name) if found else None
    if path is None or not path.is_file():
        from sheetcalc.doctor import XLWINGS

        what = f"xlwings has no {name}" if found else "xlwings is not installed"
        raise SheetcalcError(f'{what}: {sys.executable} -m pip install --force-reinstall "{XLWINGS}"')
    return path


def _cell(address: str, text: str) -> str:
    return f'<c r="{address}" s="1" t="inlineStr"><is><t>{escape(text)}</t></is></c>'


def _replaced(data: bytes, old: str, new: str) -> bytes:
    text = data.decode("utf-8")
    if text.count(old) != 1:
        raise SheetcalcError(
            "this version of xlwings ships another starter workbook: follow the guide with `xlwings quickstart NAME --standalone`"
        )
    return text.replace(old, new).encode("utf-8")
