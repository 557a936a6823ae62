"""A list of scalars on a sheet of its own: live links, each in its display unit, and whether a check holds."""

from __future__ import annotations

from sheetcalc.cells import missing
from sheetcalc.study import Listing, Result
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

TOP, FIRST = 3, 4
WORDS, NUMBER, FLAG = 56, 12, 12  # widths of columns
HOLDS, BROKEN, UNKNOWN = "holds", "broken", "not known"


def write(sheet: Sheet, listing: Listing, result: Result, places: dict[str, Place]) -> None:
    """Heading, and a row for each row of the list."""
    sheet.put(1, 1, listing.title, styles.TITLE)
    known = {*result.model.steps, *result.model.inputs}
    for col, words in enumerate(listing.columns, 1):
        held = [row[col - 1] for row in listing.rows]
        number = any(name in known and name not in result.model.checks for name in held)
        sheet.put(TOP, col, words, styles.HEADING if col == 1 else styles.HEADING_RIGHT if number else styles.HEADING_IN)
        longest = max(len(words) for words in held)
        sheet.width(col, NUMBER if any(name in known for name in held) else min(longest + 2, WORDS))
    for row, cells in enumerate(listing.rows, FIRST):
        for col, name in enumerate(cells, 1):
            if name in result.model.checks:
                _verdict(sheet, row, col, places[name].address({}, sheet.title), result.value(name))
            elif name in known:
                _number(sheet, row, col, name, result, places[name])
            else:
                sheet.put(row, col, name, styles.LABEL if col == 1 else styles.NOTE)
    sheet.frozen, sheet.heading_rows = f"B{FIRST}", f"{TOP}:{TOP}"


def _verdict(sheet: Sheet, row: int, col: int, cell: str, value) -> None:
    words = UNKNOWN if missing(value) else HOLDS if value else BROKEN
    sheet.formula(row, col, f'IF(ISNA({cell}),"{UNKNOWN}",IF({cell},"{HOLDS}","{BROKEN}"))', words, styles.LINK._replace(indent=1))


def _number(sheet: Sheet, row: int, col: int, name: str, result: Result, place: Place) -> None:
    unit, value = result.unit(name), result.value(name)
    cell = place.address({}, sheet.title)
    if factor(unit) != 1:
        cell += "/" + place._replace(col=place.col - 1).address({}, sheet.title)
    shown = value if missing(value) else value / factor(unit)
    form = styles.label_format(unit, [shown, 0.5])
    said = f' "{display_unit(unit)}"' if unit not in ("", "%") else ""
    sheet.formula(row, col, cell, shown, Style(color=styles.LINKED, format=";".join(part + said for part in form.split(";")), right=True))
