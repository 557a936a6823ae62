"""What a reader meets first: About and Summary."""

from __future__ import annotations

from collections.abc import Iterable

from sheetcalc import __version__
from sheetcalc.study import Result
from sheetcalc.workbook import styles
from sheetcalc.workbook.checks import TITLE as CHECKS
from sheetcalc.workbook.checks import Anchors
from sheetcalc.workbook.formulas import Place, quoted
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor

HOW = (
    (
        "Change a blue cell",
        "Blue cells on a pale ground are typed; everything else follows. No macros, no hidden sheets, no links to other files.",
    ),
    ("Read a number", "Each row shows a value, its unit, the value in base units, its name, the formula in words and its source."),
    ("Signs", "Costs are positive in rows of cost; a saving is positive where the label says saving."),
    ("Missing values", "A value that does not exist is #N/A in grey; the Checks sheet says why in words."),
    ("Trust", "Textbook figures are 1.5 to 3 times faster than published measurements; the profile in use stands on Inputs."),
)
COLORS = (
    ("typed by a person", styles.INPUT),
    ("formula", styles.RESULT),
    ("from another sheet", styles.LINK),
    ("problem", Style(color=styles.WRONG)),
)


def about(sheet: Sheet, result: Result, titles: list[tuple[str, str]], issue_date: str) -> None:
    """Purpose, how to use, color key, and a link to each sheet."""
    sheet.width(1, 26)
    sheet.width(2, 110)
    sheet.put(1, 1, result.study.title, styles.TITLE)
    sheet.put(2, 1, result.study.purpose, styles.SUBTITLE._replace(wrap=False))
    sheet.put(4, 1, "Date", styles.HEADING)
    sheet.put(4, 2, issue_date or "undated: ages not checked", styles.TEXT)
    sheet.put(5, 1, "Made by", styles.HEADING)
    sheet.put(5, 2, f"sheetcalc {__version__}", styles.TEXT)
    row = 7
    sheet.put(row, 1, "How to use", styles.SECTION)
    for what, words in HOW:
        row += 1
        sheet.put(row, 1, what, styles.LABEL)
        sheet.put(row, 2, words, styles.TEXT)
    row += 2
    sheet.put(row, 1, "Colors", styles.SECTION)
    for words, style in COLORS:
        row += 1
        sheet.put(row, 1, words, style)
    row += 2
    sheet.put(row, 1, "Sheets", styles.SECTION)
    for title, purpose in titles:
        row += 1
        sheet.formula(row, 1, f'HYPERLINK("#{quoted(title)}!A1","{title}")', title, Style(color=styles.TYPED, link=True))
        sheet.put(row, 2, purpose, styles.TEXT)


def summary(sheet: Sheet, result: Result, places: dict[str, Place], anchors: Anchors) -> int:
    """The verdict, the key figures, the master check. Returns the next free row."""
    for col, width in enumerate((58, 18, 14, 84), 1):
        sheet.width(col, width)
    name, story = result.study.name, result.study.story
    checks = quoted(CHECKS)
    said = anchors.sayings.get((name, story.claim)) if story else None
    sheet.put(1, 1, result.study.title, styles.NOTE)
    if said:
        sheet.formula(2, 1, f"{checks}!{said[0]}", said[1], styles.VERDICT._replace(size=16, wrap=False))
        decision = anchors.sayings[name, story.decision]
        sheet.formula(3, 1, f"{checks}!{decision[0]}", decision[1], styles.TEXT._replace(wrap=False))
    sheet.put(5, 1, "Status", styles.HEADING)
    cell, words = anchors.status[name]
    sheet.formula(5, 2, f"{checks}!{cell}", words, styles.TEXT._replace(bold=True, wrap=False))
    sheet.put(6, 1, "Master check", styles.HEADING)
    sheet.formula(6, 2, f"{checks}!{anchors.master[0]}", anchors.master[1], styles.TEXT._replace(bold=True, wrap=False))
    return figures(sheet, 8, result, places, dict.fromkeys([*(story.figures if story else ()), *result.study.core]))


def figures(sheet: Sheet, row: int, result: Result, places: dict[str, Place], names: Iterable[str]) -> int:
    """Key figures with their units, a row each below a heading; those of the story are bold. Returns the next free row."""
    story = result.study.story
    for col, words in enumerate(("Key figure", "Value", "Unit", "Name"), 1):
        sheet.put(row, col, words, styles.HEADING_RIGHT if col == 2 else styles.HEADING_IN if col > 2 else styles.HEADING)
    for figure in names:
        row += 1
        unit, value, place = result.unit(figure), result.value(figure), places[figure]
        shown = value if isinstance(value, (str, bool)) or value != value else value / factor(unit)
        bold = bool(story) and figure in story.figures
        form = styles.number_format(unit) if unit.startswith("$") else styles.label_format(unit, [shown])
        sheet.put(row, 1, result.label(figure), styles.LABEL._replace(bold=bold))
        formula = place.address({}, sheet.title)
        if factor(unit) != 1:
            formula += "/" + place._replace(col=place.col - 1).address({}, sheet.title)
        sheet.formula(row, 2, formula, shown, styles.LINK._replace(format=form, bold=bold, right=isinstance(shown, str)))
        sheet.put(row, 3, display_unit(unit), styles.NAME)
        sheet.put(row, 4, figure, styles.NAME)
    return row + 2
