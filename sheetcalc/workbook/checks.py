"""The Checks sheet: every check true or false with its words, the claims of worked examples, sentences, and one master check."""

from __future__ import annotations

from typing import NamedTuple

from sheetcalc.model import Link
from sheetcalc.provenance import readable
from sheetcalc.study import UNSAID, Result
from sheetcalc.workbook import sayings, styles
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style

TITLE = "Checks"
UNASKED = "cannot be asked"
FLAGGED = styles.RESULT._replace(format=styles.FLAG)
SAID = styles.TEXT._replace(indent=1)
WIDTHS = (40, 11, 84, 16, 16, 10, 30)


class Anchors(NamedTuple):
    """Cells of the Checks sheet that other sheets show: the status of each study, the master check, the sayings."""

    status: dict[str, tuple[str, str]]  # study -> address, cached words
    master: tuple[str, str]
    sayings: dict[tuple[str, str], tuple[str, str]]


def write(sheet: Sheet, results: list[Result], places: dict[str, dict[str, Place]]) -> Anchors:
    """Checks, sentences and claims of every study, one below the other."""
    for col, width in enumerate(WIDTHS, 1):
        sheet.width(col, width)
    sheet.put(1, 1, "Checks", styles.TITLE)
    sheet.put(3, 1, "One percent", styles.NAME)
    sheet.put(3, 2, 0.01, Style(color=styles.QUIET))
    sheet.names["one_percent"] = f"{TITLE}!$B$3"
    row, status, said = 5, {}, {}
    for result in results:
        row, status[result.study.name] = _checks(sheet, row, result, places[result.study.name], status.get(results[0].study.name))
        if result.study.sayings:
            sheet.put(row - 1, 1, "Sentences: the first case that is true is said", styles.NAME._replace(indent=0))
        for name, saying in result.study.sayings.items():
            row, said[result.study.name, name] = _saying(
                sheet, row, name, saying, result, places[result.study.name], status[result.study.name]
            )
        row = _claims(sheet, row, result, places[result.study.name]) + 1
    words = "all checks hold" if all(s == "ok" for _, s in status.values()) else "a check fails: see Checks"
    test = ",".join(f'{cell}="ok"' for cell, _ in status.values())
    sheet.put(2, 1, "Master check", styles.HEADING)
    sheet.formula(
        2, 2, f'IF(AND({test}),"all checks hold","a check fails: see Checks")', words, styles.TEXT._replace(bold=True, wrap=False)
    )
    return Anchors(status, ("$B$2", words), said)


def _checks(sheet: Sheet, row: int, result: Result, places, plan: tuple[str, str] | None) -> tuple[int, tuple[str, str]]:
    """The checks of one study and its status; a study that rests on the plan has the plan's problems first."""
    model, study = result.model, result.study
    sheet.put(row, 1, study.title, styles.SECTION)
    row += 1
    for col, words in enumerate(("Check", "Holds", "In words", "Kind"), 1):
        sheet.put(row, col, words, styles.HEADING_RIGHT if col == 2 else styles.HEADING_IN if col > 2 else styles.HEADING)
    first_asked = [*model.errors, *model.reasons]
    order = [*first_asked, *(n for n in model.checks if n not in first_asked and not model.home[n])]
    first = row + 1
    for name in order:
        row += 1
        about, value = model.steps[name].about, result.value(name)
        sheet.put(row, 1, about.label, styles.LABEL)
        sheet.formula(row, 2, places[name].address({}, sheet.title), value if value != value else bool(value), FLAGGED)
        template = about.says or about.label
        words = sayings.cached_sentence(template, result)
        holds = address(row, 2)
        wrong = f"IFERROR({sayings.sentence_formula(template, result, places, sheet.title)},{address(row, 1)})"
        said = UNASKED if value != value else "holds" if value else about.label if words != words else words
        sheet.formula(row, 3, f'IF(ISNA({holds}),"{UNASKED}",IF({holds},"holds",{wrong}))', said, SAID)
        sheet.put(row, 4, about.kind or "error", styles.NAME)
    row += 1
    said = (result.problems or ["ok"])[0]
    sheet.put(row, 1, "Status", styles.HEADING)
    formula = _status(first, model) if model.errors else '"ok"'
    if plan and any(isinstance(i.value, Link) for i in model.inputs.values()):
        formula = f'IF({plan[0]}<>"ok",{plan[0]},{formula})'
    sheet.formula(row, 2, formula, said, styles.TEXT._replace(bold=True, wrap=False))
    return row + 2, (f"$B${row}", said)


def _status(first: int, model) -> str:
    """The first error's words; where one cannot be asked, those of the warning that left it so, else its label."""

    def rows(col: str, count: int) -> str:
        return f"${col}${first}:${col}${first + count - 1}"

    errors, reasons = len(model.errors), len(model.errors) + len(model.reasons)
    label = f'INDEX({rows("A", errors)},MATCH("{UNASKED}",{rows("C", errors)},0))&": not known"'
    unknown = f"IFERROR(INDEX({rows('C', reasons)},MATCH(FALSE,{rows('B', reasons)},0)),{label})"
    unknown = f'IF(COUNTIF({rows("C", errors)},"{UNASKED}")=0,"ok",{unknown})'
    return f"IFERROR(INDEX({rows('C', errors)},MATCH(FALSE,{rows('B', errors)},0)),{unknown})"


def _saying(sheet: Sheet, row: int, name: str, saying, result: Result, places, status) -> tuple[int, tuple[str, str]]:
    first, last = sayings.write_cases(sheet, row, name, saying, result, places)
    flags = [sheet.value_at(r, 2) for r in range(first, last + 1)]
    chosen = sheet.value_at(first + flags.index(True), 3)
    words = (UNSAID if status[1] == "ok" else status[1]) if chosen != chosen else chosen
    row = last + 1
    sheet.put(row, 1, f"{name}: the sentence", styles.HEADING)
    sheet.formula(
        row,
        3,
        f'IFERROR(INDEX($C${first}:$C${last},MATCH(TRUE,$B${first}:$B${last},0)),IF({status[0]}="ok","{UNSAID}",{status[0]}))',
        words,
        SAID._replace(bold=True),
    )
    return row + 2, (f"$C${row}", words)


def _claimed(value) -> str:
    """How a value of a claim looks, which stands in base units."""
    return styles.WHOLE if isinstance(value, str) or value == round(value) else styles.MEASURE if abs(value) >= 1 else styles.EXACT


def _claims(sheet: Sheet, row: int, result: Result, places) -> int:
    """Values that must come out, checked with the study's own inputs; where those were changed the row says so."""
    claims = [c for c in result.study.claims if not c.changes and not result.model.home.get(c.name)]
    if not claims:
        return row
    for col, words in enumerate(("Claim", "Holds", "Source", "Must be", "Is", "Within", "Name"), 1):
        sheet.put(row, col, words, styles.HEADING if col < 3 else styles.HEADING_RIGHT if 3 < col < 7 else styles.HEADING_IN)
    for claim in claims:
        row += 1
        value, text = result.value(claim.name), isinstance(claim.value, str)
        is_so = value == claim.value if text else value == value and abs(value - claim.value) <= claim.rel * abs(claim.value)
        sheet.put(row, 1, result.label(claim.name), styles.LABEL)
        sheet.put(row, 3, readable(claim.source) + (f"; {claim.note}" if claim.note else ""), styles.NOTE)
        form = _claimed(claim.value)
        sheet.put(row, 4, claim.value, Style(color=styles.QUIET, format=form, right=text))
        sheet.formula(
            row,
            5,
            places[claim.name].address({}, sheet.title),
            value if isinstance(value, str) or value != value else float(value),
            Style(format=form, right=text),
        )
        sheet.put(row, 6, claim.rel, Style(color=styles.QUIET))
        sheet.put(row, 7, claim.name, styles.NAME)
        must, got, within = (address(row, c) for c in (4, 5, 6))
        test = f"{got}={must}" if text else f"ABS({got}-{must})<={within}*ABS({must})"
        sheet.formula(
            row,
            2,
            f'IF(IFERROR({test},FALSE),"holds","inputs differ from the worked example")',
            "holds" if is_so else "inputs differ from the worked example",
        )
    return row + 2
