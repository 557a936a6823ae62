"""Numbers for readers: in prose, in sentences that Excel builds too, and inside a derivation that can be retyped."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sheetcalc.expr import walk
from sheetcalc.model import Model
from sheetcalc.operations import OPS, text_of
from sheetcalc.units import base, scale

PLACE = re.compile(r"{(\w+)(?::(\d))?}")  # {name} or {name:2} in a sentence


def number(x: float, figures: int = 3) -> str:
    """Three figures, thousands grouped, whole numbers whole: 35.6, 16.0, 8,004, 34."""
    if x == round(x) and abs(x) < 1e15:
        text = f"{x:,.0f}"
    elif abs(x) >= 1e15 or abs(x) < 1e-4:
        text = f"{x:.{figures - 1}e}"
    else:
        text = f"{x:,.{max(figures - math.floor(math.log10(abs(x))) - 1, 0)}f}"
    return text.replace("-", "−")


def display(x: float, unit: str) -> float:
    """A base value in its display unit, without the last bits that the division leaves."""
    return float(f"{x / scale(unit):.14g}")


def shown(x, unit: str, figures: int = 3) -> str:
    """A value in prose and tables, with its unit: 35.6 µs, 65.5%, $1.57, 34."""
    if isinstance(x, str):
        return x
    if isinstance(x, bool):
        return "yes" if x else "no"
    value = display(x, unit)
    if unit.startswith("$"):
        sign = "−" if value < 0 else ""
        digits = 0 if abs(value) >= 1000 or value == round(value) else 2 if abs(value) >= 0.1 or value == 0 else 4
        return f"{sign}${abs(value):,.{digits}f}{unit[1:]}"
    return f"{number(value, figures)}%" if unit == "%" else counted(number(value, figures), unit)


WORDS = ("day", "week", "month", "year")  # units that are words


def counted(text: str, unit: str) -> str:
    """A number and its unit; units that are words take an s: 73.2 days, 1 year."""
    return f"{text} {unit}{'s' if unit in WORDS and text != '1' else ''}".strip()


def sentence_digits(unit: str) -> int:
    """Decimals in a sentence that Excel builds: whole counts, tokens and bills of a month or a year, cents, one decimal for measures."""
    return 0 if unit in ("", "tok", "$/month", "$/year") else 2 if unit.startswith("$") else 1


def is_grouped(unit: str) -> bool:
    """Whether a sentence that Excel builds groups thousands and keeps zeros: money, counts, tokens; a measure drops them."""
    return not unit or unit.startswith("$") or "tok" in unit


def rounded(x: float, digits: int) -> str:
    """ROUND(x, digits)&"" as Excel writes it: half away from zero, no grouping, no trailing zeros."""
    value = Decimal(repr(float(x))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{value.normalize():f}"
    return "0" if text in ("-0", "0") else text


def grouped(x: float, digits: int) -> str:
    """FIXED(ROUND(x, digits), digits) as Excel writes it: thousands in groups, all decimals."""
    return f"{Decimal(rounded(x, digits)):,.{digits}f}"


def plain(x, unit: str, digits: int | None = None) -> str:
    """A value in a sentence, the same characters that the workbook's formula gives."""
    if isinstance(x, str):
        return x
    digits = sentence_digits(unit) if digits is None else digits
    text = rounded(x / scale(unit), digits)
    if is_grouped(unit):
        text = grouped(x / scale(unit), digits)
    if unit.startswith("$"):
        return f"${text}{unit[1:]}"
    return f"{text}%" if unit == "%" else counted(text, unit)


def sentence(template: str, value: Callable[[str], Any], unit: Callable[[str], str], pretty: bool = False):
    """A template with its values filled in; NaN, as in Excel, when a value it quotes does not exist.

    `pretty` groups thousands and rounds for reading, as the memo does; else the characters are those of the workbook.
    """
    found = {m[1]: value(m[1]) for m in PLACE.finditer(template)}
    if any(x != x for x in found.values()):
        return math.nan

    def write(m):
        name, digits = m[1], None if m[2] is None else int(m[2])
        if not pretty:
            return plain(found[name], unit(name), digits)
        return shown(found[name], unit(name)) if digits is None else _fixed(found[name], unit(name), digits)

    return PLACE.sub(write, template)


def _fixed(x, unit, digits):
    text = f"{x / scale(unit):,.{digits}f}".replace("-", "−")
    if unit.startswith("$"):
        return f"{'−' if text[0] == '−' else ''}${text.lstrip('−')}{unit[1:]}"
    return f"{text}%" if unit == "%" else counted(text, unit)


def operand(x, unit: str) -> str:
    """A value inside arithmetic: in base units, with the display unit's power of ten spelled out (1979e12)."""
    if isinstance(x, str):
        return x
    if isinstance(x, bool):
        return "true" if x else "false"
    s = scale(unit)
    if x == 0:
        return "0"
    if unit == "%":
        return f"{x:.2f}".rstrip("0").rstrip(".") if float(f"{x:.2f}") == x else number(x, 4)
    ten = round(math.log10(s))
    plain_base = s == 1 or not math.isclose(s, 10.0**ten)
    value = float(f"{(x if plain_base else x / s):.12g}")
    digits = f"{value:.10g}" if value == round(value, 2) and not (plain_base and abs(value) >= 1e4) else number(value, 4)
    if "e" in digits and not plain_base:  # too small or large even in its display unit: base units say it
        return number(x, 4)
    return (digits if plain_base else f"{digits}e{ten}").replace("-", "−")


def words(model: Model, name: str) -> str:
    """The formula of a quantity in words: labels instead of names."""
    return text_of(model.steps[name].expr, lambda n: model.about(n).label)


def derivation(model: Model, name: str, value: Callable[[str], Any]) -> tuple[str, str, str]:
    """Label, formula with values, result: a line that a reviewer can redo on a calculator.

    `value(name)` gives a scalar in base units. A binary unit (GiB) has no power of ten to spell out: such a line carries its units.
    """
    step = model.steps[name]
    scalars = [n for n in step.needs if not model.home.get(n)]
    binary = any(re.match("[KMGT]i", model.unit(n)) for n in scalars)

    def show(n):
        if model.home.get(n):  # a column
            return model.about(n).label.lower()
        x = value(n)
        return "not given" if x != x or x == "" else (shown if binary else operand)(x, model.unit(n))

    result = value(name)
    return step.about.label, text_of(step.expr, show), "does not exist" if result != result else shown(result, step.about.unit)


def unit_note(unit: str) -> str:
    """'one µs is 1e-06 s', for the column "one unit is"; empty where the unit is its own base."""
    return "" if scale(unit) == 1 else f"{scale(unit):.15g} {base(unit)}".strip()


def uses_statistics(model: Model, name: str) -> bool:
    """Whether a quantity, or one it rests on, uses a statistical function (agreement is 1e-6 there, decision 28)."""
    return any(x.op in OPS and OPS[x.op].statistical for s in model.upstream([name]) for x in walk(s.expr))
