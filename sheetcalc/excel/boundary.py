"""What a spreadsheet hands over, read on purpose: ranges of any shape, blanks, texts, dates, truth values and errors.

Every host (Excel through COM, xlwings Lite, LibreOffice) gives a cell alone or rows of cells; a function gives back a value, a line that
begins with `#SC!`, or rows of these. Nothing is ever raised into a host.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from sheetcalc.errors import InputError, SheetcalcError
from sheetcalc.model import Input
from sheetcalc.numbers import Unreadable, plain
from sheetcalc.ranges import range_words
from sheetcalc.typed import factor, is_date, typed

SIGN = "#SC!"
CELL_ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#UNKNOWN!")
ERROR_CODES = range(-2146826288, -2146826220)  # Excel's CVErr 2000 to 2068, as COM gives them
NOT_GIVEN = -2147352572  # COM's "parameter not found"
DAY_0 = datetime.date(1899, 12, 30)  # day 0 of a spreadsheet's calendar, from March 1900 on
DATES = (18264.0, 109574.0)  # 1950 to 2199: a number that is a date where a date is asked for

Cell = Any
Rows = list[list[Cell]]


class Passed(InputError):
    """A message of another SC_ function, handed on as it is."""


class Parameter(NamedTuple):
    """One thing that a function needs: an input, or another quantity. `kind` is number, text or truth; `about` holds unit and range."""

    name: str
    about: Input
    kind: str = "number"
    may_be_blank: bool = False


def failure(says: str) -> str:
    """One line for a cell."""
    return says if says.startswith(SIGN) else f"{SIGN} {' '.join(says.split())}"


def words(error: Exception) -> str:
    """What an error says, in the form `argument: what is wrong; what to write`."""
    if isinstance(error, Unreadable):
        says = f"{error.what}; {error.instead}"
        return f"{error.where}: {says}" if error.where else says
    return str(error)


def guarded(call: Callable) -> Callable:
    """The same function, with a line for a cell in place of an exception."""

    @wraps(call)
    def answer(*cells):
        try:
            return call(*cells)
        except SheetcalcError as error:
            return failure(words(error))
        except Exception as error:
            return failure(f"a fault in sheetcalc ({type(error).__name__}: {error}); please report it with the formula of this cell")

    return answer


def rows(x: Cell) -> Rows:
    """Whatever a host gives, as rows of cells; a flat list is one row."""
    if not isinstance(x, (list, tuple)):
        return [[x]]
    if not x:
        return [[None]]
    return [list(row) for row in x] if isinstance(x[0], (list, tuple)) else [list(x)]


def is_blank(x: Cell) -> bool:
    return x is None or (isinstance(x, str) and not x.strip(" \t\r\n\u00a0\u202f")) or (type(x) is int and x == NOT_GIVEN)


def error_in(x: Cell) -> str:
    """The name of the error that a cell holds, or ''."""
    if isinstance(x, str):
        shown = x.strip().upper()
        return shown if shown in CELL_ERRORS or shown.startswith(SIGN) else ""
    if type(x) is int and x in ERROR_CODES:
        return "an error"
    return "an error" if isinstance(x, float) and not math.isfinite(x) else ""


def single(name: str, x: Cell, says: str = "") -> Cell:
    """The one cell of an argument that is not a range; blank is None. Raises InputError."""
    table = rows(x)
    if len(table) != 1 or len(table[0]) != 1:
        raise InputError(f"is a range of {len(table)} × {len(table[0])} cells; give one cell", name)
    cell = table[0][0]
    if is_blank(cell):
        if says:
            raise InputError(f"is blank; write {says}", name)
        return None
    refuse_errors(name, cell)
    return cell


def refuse_errors(name: str, x: Cell) -> None:
    """Raise InputError for a cell with an error; hand on the message of another SC_ function."""
    found = error_in(x)
    if found.startswith(SIGN):
        raise Passed(x.strip())
    if found:
        raise InputError(f"the cell holds {found}; mend the formula there", name)


def text(name: str, x: Cell, says: str) -> str:
    """The text of one cell. Raises InputError."""
    cell = single(name, x, says)
    if isinstance(cell, str):
        return cell.strip()
    raise InputError(f"{shown(cell)} is not a text; write {says}", name)


def shown(x: Cell) -> str:
    """A cell in a message."""
    if isinstance(x, bool):
        return "TRUE" if x else "FALSE"
    if isinstance(x, (int, float)):
        return plain(x)
    return x.date().isoformat() if isinstance(x, datetime.datetime) else repr(x) if isinstance(x, str) else str(x)


def value(p: Parameter, x: Cell, unit: str = ""):
    """A cell as a value in base units; None where it is blank and may be.

    `unit` is one that stands beside the cell. Raises InputError that names the parameter.
    """
    if type(x) is float and p.kind == "number" and not unit:  # by far the most cells
        base = x * factor(p.about.unit)
        if base - base == 0 and not is_date(p.name, p.about.unit):
            _in_range(p, x, base)
            return base
    if is_blank(x):
        if p.may_be_blank:
            return None
        raise InputError(f"is blank; write {asked(p)}", p.name)
    refuse_errors(p.name, x)
    if p.kind == "truth":
        return _truth(p, x)
    x = _as_typed(p, x)
    if isinstance(x, float) and p.kind == "number" and not unit:
        return value(p, x)
    try:
        free = p.about._replace(low=None, high=None, whole=False)
        base = typed(p.name, x, free if p.kind == "number" else p.about, header=unit).value
    except Unreadable as error:
        raise InputError(f"{error.what}; {error.instead}", p.name) from None
    if p.kind == "number":
        _in_range(p, base / factor(p.about.unit), base)
    return base


def _truth(p: Parameter, x: Cell) -> bool:
    if x in (0, 1):
        return bool(x)
    if isinstance(x, str) and x.strip().casefold() in ("true", "false", "yes", "no"):
        return x.strip().casefold() in ("true", "yes")
    raise InputError(f"{shown(x)} is neither TRUE nor FALSE; write one of the two", p.name)


def _as_typed(p: Parameter, x: Cell) -> Cell:
    """A cell in the form that the input takes, where a spreadsheet has one form for several things."""
    about = p.about
    if isinstance(x, bool):
        if about.choices and set(about.choices) == {"yes", "no"}:
            return "yes" if x else "no"
        if p.kind == "number" and about.whole and (about.low, about.high) == (0.0, 1.0):
            return float(x)
        raise InputError(f"{shown(x)} is a truth value; write {asked(p)}", p.name)
    if isinstance(x, (datetime.date, datetime.time)):
        if is_date(p.name, about.unit):
            return x.date() if isinstance(x, datetime.datetime) else x
        raise InputError(f"{shown(x)} is a date; write {asked(p)}", p.name)
    if isinstance(x, int):
        x = float(x)
    if isinstance(x, float) and is_date(p.name, about.unit) and DATES[0] <= x < DATES[1]:
        return DAY_0 + datetime.timedelta(days=int(x))
    return x


def asked(p: Parameter) -> str:
    """What to write for a parameter: 'a number in ms' or 'a text, one of mean, reserved'."""
    if p.kind == "truth":
        return "TRUE or FALSE"
    if p.kind == "text":
        return (
            f"one of {', '.join(p.about.choices)}"
            if 0 < len(p.about.choices) <= 6
            else "a name from the catalogue"
            if p.about.choices
            else "a text"
        )
    return (
        f"a number in {unit_shown(p.about.unit)}"
        if p.about.unit and p.about.unit != "%"
        else "a fraction such as 0.65"
        if p.about.unit
        else "a number"
    )


def unit_shown(unit: str) -> str:
    """The unit that stands beside a value in a cell, where a share is 0.65."""
    return "fraction" if unit == "%" else unit


def _in_range(p: Parameter, x: float, base: float) -> None:
    low, high = p.about.low, p.about.high
    if high is not None and base > high:
        wrong = f"above {_bound(p, high)}"
    elif low is not None and (base < low or (p.about.above and base == low)):
        wrong = f"not above {_bound(p, low)}" if p.about.above else f"below {_bound(p, low)}"
    elif p.about.whole and base != round(base):
        raise InputError(f"{plain(x)} is not whole; write {math.floor(x)} or {math.ceil(x)}", p.name)
    else:
        return
    raise InputError(f"{plain(x)} is {wrong}; write {_instead(p, x)}", p.name)


def _bound(p: Parameter, base: float) -> str:
    unit = p.about.unit
    return f"{base / factor(unit):,.12g}{' ' + unit if unit and unit != '%' else ''}"


def _instead(p: Parameter, x: float) -> str:
    """A value typed in the wrong scale is the usual slip: 65 for 65%, bytes for GB."""
    by, unit = factor(p.about.unit), p.about.unit
    if unit == "%" and _fits(p, x / 100):
        return f"{plain(x)}% or {plain(x / 100)}"
    if by != 1 and _fits(p, x) and p.about.low is not None and p.about.high is not None:
        return f"{plain(x / by)}, in {unit}"
    return f"a value in the range: {range_words(p.about)}"


def _fits(p: Parameter, base: float) -> bool:
    low, high = p.about.low, p.about.high
    return (low is None or base > low or (base == low and not p.about.above)) and (high is None or base <= high)


def result(x, unit: str, absent: Callable[[], str]):
    """A value in base units for a cell: in its display unit, a share as 0.65; a line in words where it does not exist."""
    if isinstance(x, (str, bool)):
        return x
    if isinstance(x, float) and not math.isfinite(x):
        return failure(absent() if x != x else "the result is too large for a number; check the units of what you gave")
    return x / factor(unit)
