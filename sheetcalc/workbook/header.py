"""The master check at the top of a sheet: whether all checks of the workbook hold, with a link to them."""

from __future__ import annotations

from sheetcalc.workbook import styles
from sheetcalc.workbook.checks import TITLE as CHECKS
from sheetcalc.workbook.checks import Anchors
from sheetcalc.workbook.formulas import quoted
from sheetcalc.workbook.page import DEFAULT_WIDTH, FILLED
from sheetcalc.workbook.sheet import Sheet, address

LOOK = styles.LINK._replace(link=True, wrap=False, format="General")


def write(sheet: Sheet, anchors: Anchors) -> None:
    """In the first row, at the right of the title."""
    col = _free_column(sheet)
    cell, words = anchors.master
    sheet.formula(1, col, f'HYPERLINK("#{quoted(CHECKS)}!A1",{quoted(CHECKS)}!{cell})', words, LOOK)
    sheet.alert = address(1, col)


def _free_column(sheet: Sheet) -> int:
    """The first column that the title does not run into."""
    title = sheet.cells.get((1, 1))
    room = len(str(title.value)) * title.style.size / 10 * FILLED + 2 if title else 0.0
    col = 1
    while room > 0 or (1, col) in sheet.cells:
        room -= sheet.widths.get(col, DEFAULT_WIDTH)
        col += 1
    return col
