"""What a blue cell takes: the range of its input as an Excel rule."""

from __future__ import annotations

from openpyxl.worksheet.datavalidation import DataValidation

from sheetcalc.model import Input
from sheetcalc.ranges import canonical_choice, out_of_range, range_words
from sheetcalc.units import scale


def factor(unit: str) -> float:
    """How many base units one unit in a cell is; a share is 0.65 in the cell and shown as 65%."""
    return 1.0 if unit == "%" else scale(unit)


def in_cell(x: float, one: float) -> float:
    """A value in base units as a person would type it: without the digits that the division adds."""
    return float(f"{x / one:.15g}")


def refused(about: Input, x) -> str:
    """Why a value (base units) that stands in a cell cannot be used, and what to write; '' when it can."""
    if x != x:
        return f"the cell holds an error; write {_wanted(about)}"
    if not about.is_text and (isinstance(x, (str, bool)) or not isinstance(x, (int, float))):
        return f"{x!r} is not a number; write {_wanted(about)}"
    return out_of_range(about, canonical_choice(about, x))


def _wanted(about: Input) -> str:
    return f"{'one of' if about.choices else 'a text' if about.is_text else 'a number,'} {range_words(about)}".removesuffix(" any")


def bounds_rule(cell: str, about: Input) -> DataValidation | None:
    """The rule of a number; None where anything goes."""
    low, high = (None if x is None else x / factor(about.unit) for x in (about.low, about.high))
    if low is None and high is None:
        return None
    if low is not None and high is not None and not about.above:
        operator, first, second = "between", low, high
    elif low is not None:
        operator, first, second = ("greaterThan" if about.above else "greaterThanOrEqual"), low, None
    else:
        operator, first, second = "lessThanOrEqual", high, None
    says = f"Valid: {range_words(about)}"[:250]
    rule = DataValidation(
        type="whole" if about.whole else "decimal",
        operator=operator,
        formula1=f"{first:.15g}",
        formula2=None if second is None else f"{second:.15g}",
        allow_blank=True,
        showErrorMessage=True,
        error=says,
        errorTitle="Outside its range",
        showInputMessage=True,
        prompt=says,
    )
    rule.add(cell)
    return rule
