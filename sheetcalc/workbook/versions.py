"""The Versions sheet: version, date and fingerprint, and what the workbook was made from, so that it can be read back and audited."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from sheetcalc import __version__
from sheetcalc.errors import InputError
from sheetcalc.workbook import styles
from sheetcalc.workbook.read import NOTHING, Held
from sheetcalc.workbook.sheet import LONGEST, Sheet, address

TITLE = "Versions"
FIRST = 8  # first row of what the workbook was made from
STUDY, OWN, GIVEN, SCENARIO = "study", "own", "input", "scenario"
MOST = 2_000_000  # characters of one thing of one's own: a list of some hundred thousand numbers
PIECE = LONGEST - 1_000  # characters of a long value that one cell takes; the rest stands in the next rows


class Origin(NamedTuple):
    """What a workbook was made from: its studies (plan first), what they have of their own (`own.py`), what was given, the scenarios."""

    studies: list[str]
    own: dict[str, str]
    given: dict[str, Any]
    rows: list[tuple[str, dict[str, Any]]]
    version: str = __version__
    date: str = ""


def write(sheet: Sheet, origin: Origin) -> None:
    """Version, date and fingerprint, and below a line for each thing that went in."""
    for col, width in enumerate((16, 34, 100, 34), 1):
        sheet.width(col, width)
    sheet.put(1, 1, "Versions", styles.TITLE)
    for col, words in enumerate(("sheetcalc", "Date", "Inputs (hash)", "What changed"), 1):
        sheet.put(3, col, words, styles.HEADING)
    for col, value in enumerate((origin.version, origin.date or "undated", fingerprint(origin), "issued"), 1):
        sheet.put(4, col, value, styles.TEXT)
    sheet.put(FIRST - 2, 1, "Made from", styles.SECTION)
    for col, words in enumerate(("What", "Name", "Value, base units", "Note"), 1):
        sheet.put(FIRST - 1, col, words, styles.HEADING)
    sheet.heading_rows = f"{FIRST - 1}:{FIRST - 1}"
    lines = [(STUDY, name, "", "") for name in origin.studies]
    lines += [
        (OWN, name, text[i : i + PIECE], "in place of what comes with sheetcalc")
        for name, text in origin.own.items()
        for i in range(0, len(text), PIECE)
    ]
    lines += [(GIVEN, name, value, "typed for this workbook") for name, value in sorted(origin.given.items())]
    lines += [(SCENARIO, name, _written(inputs), "as issued; blanks left out") for name, inputs in origin.rows]
    for row, line in enumerate(lines, FIRST):
        for col, value in enumerate(line, 1):
            if value != "":
                sheet.put(row, col, value, styles.TEXT)


def read(held: dict[str, Held], where: str) -> Origin:
    """What a Versions sheet says. Raises InputError when it is not one of ours."""

    def cell(row, col):
        return held.get(address(row, col), NOTHING).value

    date = str(cell(4, 2) or "")
    out = Origin([], {}, {}, [], str(cell(4, 1)), "" if date == "undated" else date)
    row, own = FIRST, {}
    while (what := cell(row, 1)) is not None:
        name, value = str(cell(row, 2)), cell(row, 3)
        if what == STUDY:
            out.studies.append(name)
        elif what == OWN:
            own.setdefault(name, []).append(str(value))
            if sum(map(len, own[name])) > MOST:
                raise InputError(f"{TITLE}!{address(row, 3)} holds more than a table of one's own can; do not trust it", where)
        elif what == GIVEN:
            out.given[name] = value
        elif what == SCENARIO:
            out.rows.append((name, _read(value, address(row, 3), where)))
        row += 1
    out.own.update({name: "".join(pieces) for name, pieces in own.items()})
    if not out.studies:
        raise InputError("is not a workbook made by sheetcalc: Versions does not say what it was made from", where)
    return out


def _written(inputs: dict[str, Any]) -> str:
    return json.dumps({n: x for n, x in inputs.items() if x is not None and x != ""}, ensure_ascii=False)


def _read(value, at: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(value[: LONGEST + 1])
        if not isinstance(found, dict) or not all(isinstance(x, (int, float, str)) for x in found.values()):
            raise ValueError
        return found
    except (TypeError, ValueError, RecursionError):
        raise InputError(
            f"{TITLE}!{at} no longer says what the scenario was made from; take the workbook as it was issued", where
        ) from None


def fingerprint(origin: Origin) -> str:
    """A short hash of all that a workbook was made from."""
    return input_hash([origin.given, origin.rows, *([origin.own] if origin.own else [])])


def input_hash(given: Any) -> str:
    """A short fingerprint of what was given, the same for the same inputs: numbers to twelve digits, blanks left out."""

    def plain(x):
        if isinstance(x, dict):
            return {n: plain(y) for n, y in x.items() if y is not None and y != ""}
        return [plain(y) for y in x] if isinstance(x, (list, tuple)) else f"{x:.12g}" if isinstance(x, (int, float)) else x

    given = plain(given)
    return hashlib.sha256(json.dumps(given, sort_keys=True, default=str).encode()).hexdigest()[:16]
