"""How a sheet prints, and how high its rows are: neither Excel nor LibreOffice fits rows that a program has written."""

from __future__ import annotations

import textwrap
from string import ascii_uppercase

from openpyxl.utils import get_column_letter as letter
from openpyxl.worksheet.properties import PageSetupProperties

from sheetcalc import __version__
from sheetcalc.workbook.sheet import Cell, Sheet

A4 = 9  # OOXML code of the paper size
DEFAULT_WIDTH = 8.43  # characters of a column without a width (Excel)
FILLED = 1.1  # letters of running text in the width of one digit, on the safe side
LEADING = 1.3  # height of a line over the size of its letters
CHART_ROWS = 18  # rows that a chart covers, at the usual height of a row
WIDE = 190  # characters across one printed page: about 65 % of full size on A4 landscape
USUAL = 12.75  # points of a row without a height of its own
ACROSS, DOWN = 784, 497  # points that A4 landscape leaves inside the margins, footer and heading rows aside
DIGIT = 5.25  # points of one character of a column's width
SPARE = 0.35  # of a page across: less than that more is fitted in
OVER = 1.35  # pages: what runs over by so little is set on one
NARROW, LONG = 95, 30  # characters across and rows down of a list that prints better on an upright page
TALLEST = 409.0  # points, Excel's limit of a row


def set_up(ws, sheet: Sheet) -> None:
    """Widths, groups, panes and print set-up of an openpyxl sheet; before its first row."""
    for col, width in sheet.widths.items():
        ws.column_dimensions[letter(col)].width = width
        if col in sheet.workings:
            ws.column_dimensions[letter(col)].outline_level = 1
    ws.sheet_view.showGridLines = False
    if sheet.frozen:
        ws.freeze_panes = sheet.frozen
    if sheet.tab:
        ws.sheet_properties.tabColor = sheet.tab
    printed = [w for col, w in sheet.widths.items() if col not in sheet.workings]
    upright = not sheet.landscape or (sum(printed) <= NARROW and sheet.last_row > LONG and not sheet.charts)
    ws.page_setup.orientation = "portrait" if upright else "landscape"
    ws.page_setup.fitToWidth = max(1, int(sum(printed) / WIDE + SPARE))
    ws.page_setup.paperSize, ws.page_setup.fitToHeight = A4, int(sheet.one_page or _nearly_one_page(sheet, sum(printed), upright))
    ws.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    ws.print_options.horizontalCentered = False
    ws.page_margins.left = ws.page_margins.right = 0.4
    ws.page_margins.top, ws.page_margins.bottom, ws.page_margins.header, ws.page_margins.footer = 0.5, 0.7, 0.3, 0.35
    ws.oddFooter.left.text, ws.oddFooter.center.text, ws.oddFooter.right.text = f"sheetcalc {__version__}", "&A", "page &P of &N"
    if sheet.heading_rows:
        ws.print_title_rows = sheet.heading_rows
    if ws.page_setup.fitToWidth > 1:
        ws.print_title_cols = "A:A"


def print_area(ws, sheet: Sheet, rows: int) -> None:
    """What is printed: all but the workings at the right, with the charts; after the last row is known."""
    rows = max([rows, *(int(anchor.lstrip(ascii_uppercase)) + CHART_ROWS for _, anchor in sheet.charts)])
    if sheet.workings and rows:
        ws.print_area = f"A1:{letter(max(sheet.widths.keys() - sheet.workings))}{rows}"


def _nearly_one_page(sheet: Sheet, across: float, upright: bool) -> bool:
    """Whether a sheet takes a page and a few rows more: those go on it too."""
    if sheet.tail is not None or sheet.charts or sheet.last_row > TALLEST:
        return False
    wide, high = (DOWN, ACROSS) if upright else (ACROSS, DOWN)
    scale = min(1.0, wide / max(across * DIGIT, 1))
    points = sum(height(row, sheet.widths) or USUAL for row in sheet.rows()) * scale
    return points <= high * OVER


def height(row: list[Cell | None], widths: dict[int, float]) -> float | None:
    """Points that a row needs for its wrapped texts and its largest letters; None where the usual height does."""
    most = 0.0
    for col, cell in enumerate(row, 1):
        if cell is None:
            continue
        words = cell.cached if cell.formula else cell.value
        lines = 1
        if cell.style.wrap and isinstance(words, str):
            lines = lines_of(words, widths.get(col, DEFAULT_WIDTH) * 10 / cell.style.size)
        if lines > 1 or cell.style.size > 10:
            most = max(most, lines * cell.style.size * LEADING)
    return min(most, TALLEST) if most else None


def lines_of(text: str, width: float) -> int:
    """Lines that a text takes in a column of that many digits."""
    room = max(int(width * FILLED), 1)
    if len(text) <= room and "\n" not in text:
        return 1
    return sum(max(len(textwrap.wrap(part, room)), 1) for part in text.split("\n"))
