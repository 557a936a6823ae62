"""How the workbook looks: fonts, fills, number formats. Blue is typed, black is a formula, green comes from another sheet."""

from __future__ import annotations

import math
from typing import NamedTuple

from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

FACE, SIZE = "Arial", 10
INK, TYPED, LINKED, QUIET, WRONG, PAPER = "1A1A1A", "0000FF", "00803C", "6B6B6B", "C00000", "FFFFFF"
GREY = "BFBFBF"  # of what does not exist
PALE, BAND, HEAD = "FFF9E5", "F2F2F2", "1F3A5F"
THIN = Side(style="thin", color="BFBFBF")


class Style(NamedTuple):
    """One look of a cell; each is worked out once a workbook."""

    color: str = INK
    bold: bool = False
    fill: str = ""
    format: str = "General"
    wrap: bool = False
    right: bool = False
    rule: bool = False
    size: int = SIZE
    italic: bool = False
    link: bool = False
    indent: int = 0


TITLE = Style(bold=True, size=16, color=HEAD)
SUBTITLE = Style(color=QUIET, size=11, wrap=True)
SECTION = Style(bold=True, size=12, color=HEAD, rule=True)
HEADING = Style(bold=True, fill=BAND, wrap=True, rule=True)
HEADING_RIGHT = HEADING._replace(right=True)
HEADING_IN = HEADING._replace(indent=1)
LABEL = Style(wrap=True)
NOTE = Style(color=QUIET, wrap=True, indent=1)
NAME = Style(color=QUIET, indent=1)
UNIT = Style(color=QUIET)
TEXT = Style(wrap=True)
VERDICT = Style(bold=True, size=13, wrap=True)
INPUT = Style(color=TYPED, fill=PALE)
RESULT = Style()
LINK = Style(color=LINKED)

FLAG = '"TRUE";"TRUE";"FALSE"'  # LibreOffice holds truths as 1 and 0; Excel shows them as they are
EXACT = "##0.0##E+0"  # engineering notation: powers of a thousand


WHOLE_MONEY = '#,##0;(#,##0);"-"'  # bills of thousands
MEASURE = "[>=1000]#,##0;[>=10]#,##0.00;#,##0.00##"  # four digits or so, whatever the size
WHOLE = "[>=1000]#,##0;[<=-1000]-#,##0;General"  # `#,##0.###` would show 34 as "34." in Excel


def number_format(unit: str, flag: bool = False, value=None) -> str:
    """How a value in its display unit looks; the unit itself stands in a column of its own. Without a value, every digit is shown."""
    if flag:
        return FLAG
    if unit == "%":
        return "0.0%"
    if unit.startswith("$"):
        return '#,##0.00;(#,##0.00);"-"'
    if unit == "x":
        return "0.00"
    if value is None:
        return "#,##0.00##;-#,##0.00##;0" if unit else WHOLE
    return WHOLE if isinstance(value, str) or value % 1 == 0 else MEASURE


def typed_format(unit: str, values: list) -> str:
    """How a column of typed numbers looks: every digit that stands there, to four decimals."""
    numbers = [v for v in values if isinstance(v, (int, float)) and v == v]
    if unit == "%" or unit.startswith("$") or not numbers:
        return number_format(unit)
    digits = next((d for d in range(4) if all(math.isclose(v, round(v, d), rel_tol=1e-12) for v in numbers)), 4)
    return "#,##0." + "0" * digits if digits else WHOLE


def one_unit(factor: float) -> Style:
    """How many base units one display unit is: powers of ten as such, from a thousand on."""
    power = math.log10(factor)
    return Style(color=QUIET, format="0E+0" if power == round(power) and abs(power) >= 3 else "#,##0.####" if factor % 1 else "#,##0")


def column_format(unit: str, values: list, flag: bool = False) -> str:
    """How a column of results looks: the same decimals in each row, so many that the smallest keeps three digits."""
    sizes = [abs(v) for v in values if isinstance(v, float) and v == v and v != 0]
    if flag or unit == "%" or not sizes:
        return number_format(unit, flag)
    digits = min(max(2 - math.floor(math.log10(min(sizes))), 2 if unit.startswith("$") else 0), 4)
    if all(v == round(v) for v in sizes) and not unit.startswith("$"):
        digits = 0
    plain = "#,##0" + ("." + "0" * digits if digits else "")
    return f'{plain};({plain});"-"' if unit.startswith("$") else f"{plain};-{plain};0"


def label_format(unit: str, values: list) -> str:
    """How a number beside a bar looks: three digits whatever its size, with its sign of money or percent."""
    sizes = [abs(v) for v in values if isinstance(v, float) and v == v]
    if unit == "%":
        return "0.0%"
    dollar = '"$"' if unit.startswith("$") else ""
    if all(v == round(v) for v in sizes):
        return f"{dollar}#,##0" if dollar else WHOLE
    return f"[>=100]{dollar}#,##0;[>=10]{dollar}0.0{'0' if dollar else ''};{dollar}0.00"


def apply(cell, style: Style) -> None:
    """Give an openpyxl cell a look."""
    cell.font = Font(
        name=FACE, size=style.size, bold=style.bold, italic=style.italic, color=style.color, underline="single" if style.link else None
    )
    if style.fill:
        cell.fill = PatternFill("solid", fgColor=style.fill)
    cell.number_format = style.format
    cell.alignment = Alignment(
        wrap_text=style.wrap, vertical="top", indent=style.indent, horizontal="right" if style.right else "left" if style.indent else None
    )
    if style.rule:
        cell.border = Border(bottom=THIN)
