"""A sheet as it is put together: cells with their looks and, for formulas, the values that Python worked out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter as letter

from sheetcalc.workbook import styles
from sheetcalc.workbook.styles import Style

ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
CODED = re.compile("_x([0-9A-Fa-f]{4})_")
CODE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
LONGEST = 32_767  # characters of a cell (Excel specifications and limits)


class Cell(NamedTuple):
    """What stands in a cell. `cached` is the value of a formula: a number, a text, a flag, or NaN for #N/A."""

    value: Any
    style: Style
    cached: Any = None
    formula: bool = False
    typed: tuple = ()  # what a person changes here: ("given", name), ("grid", study, name, row) …


def text(value: str) -> str:
    """A person's text as a cell can hold it: no characters that XML forbids, no more than a cell takes."""
    return ILLEGAL.sub("�", value)[:LONGEST]


def encoded(value: str) -> str:
    """A text as a workbook's XML spells it: `_x0041_` there means A, so that a person's own gets its underscore spelled out (ECMA-376,
    ST_Xstring)."""
    return CODE.sub("_x005F_", value)


def decoded(value: str) -> str:
    """What a text of a workbook's XML means; characters that XML forbids stay forbidden."""
    return ILLEGAL.sub("�", CODED.sub(lambda m: chr(int(m[1], 16)), value)) if "_x" in value else value


class Sheet:
    """Cells by (row, column), and what goes with the sheet: widths, names, validations, charts, print set-up."""

    def __init__(self, title: str, widths: Iterable[float] = (), landscape: bool = True, tab: str = ""):
        self.title, self.landscape, self.tab = title, landscape, tab
        self.widths: dict[int, float] = dict(enumerate(widths, 1))
        self.cells: dict[tuple[int, int], Cell] = {}
        self.tail: Callable[[], Iterator[list[Cell | None]]] | None = None  # rows that are streamed below the cells
        self.names: dict[str, str] = {}  # sheet-scoped name -> reference
        self.lists: list[tuple[str, str, str]] = []  # (cells, list formula, prompt)
        self.bounds: list[tuple[str, Any]] = []  # (cell, Input)
        self.charts: list[tuple[Any, str]] = []
        self.frozen = ""
        self.heading_rows = ""  # rows repeated on each printed page, "1:4"
        self.workings: set[int] = set()  # columns at the right that are grouped and not printed
        self.one_page = False
        self.alert = ""  # a cell that turns red when it no longer says that all checks hold
        self.grey_missing = True  # grey #N/A by a conditional format

    def put(self, row: int, col: int, value, style: Style = styles.TEXT, typed: tuple = ()) -> None:
        """A text or a number; a text never becomes a formula."""
        if value in (None, "") and not style.fill:
            return
        self.cells[row, col] = Cell(text(value) or None if isinstance(value, str) else value, style, typed=typed)

    def formula(self, row: int, col: int, formula: str, cached, style: Style = styles.RESULT) -> None:
        """A formula, written without its `=`, and the value that it has."""
        self.cells[row, col] = Cell("=" + formula, style, cached, True)

    def width(self, col: int, width: float) -> None:
        """At least this wide, in characters."""
        self.widths[col] = max(self.widths.get(col, 0), width)

    @property
    def last_row(self) -> int:
        return max((r for r, _ in self.cells), default=0)

    def rows(self) -> Iterator[list[Cell | None]]:
        """The cells row by row, blank rows too, then the streamed ones."""
        rows: dict[int, list] = {}
        for (row, col), cell in sorted(self.cells.items(), key=lambda item: item[0]):
            line = rows.setdefault(row, [])
            line += [None] * (col - 1 - len(line)) + [cell]
        for row in range(1, max(rows, default=0) + 1):
            yield rows.get(row, [])
        if self.tail is not None:
            yield from self.tail()

    def value_at(self, row: int, col: int):
        """What a cell shows: the value of its formula, or what stands there."""
        cell = self.cells[row, col]
        return cell.cached if cell.formula else cell.value


def address(row: int, col: int, pinned: bool = False) -> str:
    """'B7', or '$B$7'."""
    return f"${letter(col)}${row}" if pinned else f"{letter(col)}{row}"


def is_missing(x) -> bool:
    """Whether a cached value is #N/A."""
    return isinstance(x, float) and math.isnan(x)
