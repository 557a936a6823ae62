"""What a person typed for one input (a CSV cell, `--set`, a cell of a workbook) as a value in base units, or a refusal in words."""

from __future__ import annotations

import datetime
import difflib
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from sheetcalc.numbers import TYPED, Amount, Style, Unreadable, as_float, exactly, number, plain, quoted
from sheetcalc.units import scale

LONGEST_TEXT = 200
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Typed(NamedTuple):
    """A value in base units, and the sentence that says how it was converted, if it was."""

    value: float | str
    conversion: str = ""


def factor(unit: str) -> float:
    """How many base units one typed unit is: a share is typed as 0.45 although it is shown in %."""
    return 1.0 if unit == "%" else scale(unit)


def folded(text: str) -> str:
    """Two spellings that people take for the same: without regard to case, width and repeated or no-break blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def typed(name: str, cell: str | float, given, words: Iterable[str] | None = None, style: Style = TYPED, header: str = "") -> Typed:
    """The value of input `name` (`given` is its Input) from a cell that is not blank.

    `words` are the allowed texts where they are a catalogue's keys; `header` is the unit that the column's header names. A number (from a
    spreadsheet library) is taken as it is. Raises Unreadable.
    """
    if given.is_text or words is not None or is_date(name, given.unit):
        return Typed(text(name, cell, words if words is not None else given.choices, given.unit))
    if isinstance(cell, bool | datetime.date | datetime.time | datetime.timedelta):
        raise Unreadable(
            f"{quoted(str(cell))} is a {'yes or no' if isinstance(cell, bool) else 'date'} in the sheet, not a number", "write the number"
        )
    shown = cell.strip() if isinstance(cell, str) else repr(cell)
    amount = number(cell, given.unit, style, header) if isinstance(cell, str) else _of_sheet(cell, given.unit, header)
    display = as_float(amount.value, shown)
    value = display * factor(given.unit)
    check(value, given, shown)
    return Typed(
        value, f"{name}: {shown} ({amount.converted_from}) is {plain(display)} {given.unit}".rstrip() if amount.converted_from else ""
    )


def _of_sheet(cell: float, unit: str, header: str) -> Amount:
    """A number that a spreadsheet library has read; its column's header may still name another unit."""
    if cell in (float("inf"), float("-inf")) or cell != cell:
        raise Unreadable(f"{cell} is not a finite number", "write a number in the range of the column")
    value = Decimal(repr(float(cell)))
    if not header or unit == "%":
        return Amount(value)  # a spreadsheet keeps 45 % as 0.45, whatever the header shows
    converted = exactly(value, header, unit)
    return Amount(value if converted is None else converted, "" if converted in (None, value) else header)


def check(value: float, given, shown: str) -> None:
    """Raise Unreadable when a value in base units is outside the range of its input."""
    if value in (float("inf"), float("-inf")):
        raise Unreadable(f"{quoted(shown)} is too large for a number", "write a value in the range of the column")
    by, low, high = factor(given.unit), given.low, given.high
    below = low is not None and (value <= low if given.above else value < low)
    if below or (high is not None and value > high):
        raise Unreadable(f"{plain(value / by)} is {_outside(given, by)}", _in_range(value, given, by))
    if given.whole and value != round(value):
        raise Unreadable(f"{plain(value / by)} is not a whole number", f"write {plain(value // 1 / by)} or {plain((value // 1 + 1) / by)}")


def _outside(given, by: float) -> str:
    def figure(x: float) -> str:
        return f"{x / by:,.12g}"

    unit = f" {given.unit}" if given.unit and given.unit != "%" else ""
    if given.low is not None and given.high is not None:
        return f"outside {'above ' if given.above else ''}{figure(given.low)} to {figure(given.high)}{unit}"
    if given.low is not None:
        return f"not {'above' if given.above else 'at least'} {figure(given.low)}{unit}"
    return f"above {figure(given.high)}{unit}"


def _in_range(value: float, given, by: float) -> str:
    """What to write instead: the display value, where a base value was typed."""
    meant = value / by  # the display value taken for a base value: so many base units ...
    fits = by != 1 and (given.low is None or meant > given.low) and (given.high is None or meant <= given.high)
    return f"write {plain(meant / by)} {given.unit}" if fits else "write a value in that range"


def text(name: str, cell: Any, words: Iterable[str], unit: str = "") -> str:
    """A text of one line; where `words` are given, the one that it spells. Raises Unreadable."""
    shown = (
        str(int(cell)) if isinstance(cell, float) and cell == int(cell) else cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
    )
    shown = shown.strip().strip("\u00a0\u202f")
    words = tuple(words or ())
    if words:
        spelled = {folded(w): w for w in words}
        if folded(shown) in spelled:
            return spelled[folded(shown)]
        near = [w for w in spelled if folded(shown) and w.startswith(folded(shown))] or difflib.get_close_matches(
            folded(shown), spelled, 1, 0.5
        )
        few = ", ".join(words[:8]) + (" …" if len(words) > 8 else "")
        raise Unreadable(f"{quoted(shown)} is not a known {name}", f"write {spelled[near[0]]}" if near else f"write one of {few}")
    if is_date(name, unit):
        return iso_date(shown)
    if CONTROL.search(shown) or "\n" in shown or "\r" in shown or "\t" in shown:
        raise Unreadable(f"{quoted(shown)} holds a control character", "write plain text on one line")
    if len(shown) > LONGEST_TEXT:
        raise Unreadable(f"{quoted(shown)} has {len(shown)} characters", f"write at most {LONGEST_TEXT}")
    return unicodedata.normalize("NFC", shown)


def is_date(name: str, unit: str) -> bool:
    """True where an input is a date, which is a text as 2026-03-04."""
    return unit == "date" or name.endswith("_date")


def iso_date(shown: str) -> str:
    """A date as YYYY-MM-DD. Raises Unreadable: 3/4/2026 is read in two ways."""
    try:
        found = datetime.date.fromisoformat(shown[:10] if re.fullmatch(r"[0-9-]{10}T00:00:00", shown) else shown)
    except ValueError:
        raise Unreadable(f"{quoted(shown)} is not a date as YYYY-MM-DD", "write it as 2026-03-04, which has one reading") from None
    return found.isoformat()
