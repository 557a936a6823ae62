"""The trace as Excel writes it: a name where a whole column or one cell is meant, an address where it varies.

An address carries `$` on each end that stays. `at[axis] = ((index, pinned), (index, pinned))` is all the state that takes.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from openpyxl.utils import get_column_letter as letter

from sheetcalc.expr import Expr, refs, walk
from sheetcalc.operations import OPS, closed, fill

End = tuple[int, bool]
Span = tuple[End, End]


class Place(NamedTuple):
    """Where a name lives: the sheet, its first cell, and the axes along which it runs down and across."""

    sheet: str
    row: int
    col: int
    down: str = ""
    across: str = ""

    @property
    def axes(self) -> tuple[str, ...]:
        return tuple(a for a in (self.down, self.across) if a)

    def address(self, at: dict[str, Span], here: str) -> str:
        """The cell, or the range, that the name means for a formula that stands at `at` on the sheet `here`."""
        down, across = at.get(self.down, ALONE), at.get(self.across, ALONE)
        ends = [f"{'$' * c[1]}{letter(self.col + c[0])}{'$' * r[1]}{self.row + r[0]}" for r, c in zip(down, across, strict=True)]
        return ("" if self.sheet == here else f"{quoted(self.sheet)}!") + ":".join(dict.fromkeys(ends))


ALONE: Span = ((0, True), (0, True))


def whole(length: int) -> Span:
    """All of an axis."""
    return (0, True), (length - 1, True)


def quoted(sheet: str) -> str:
    """A sheet's name as a formula writes it."""
    return "'" + sheet.replace("'", "''") + "'"


def text_literal(text: str) -> str:
    """A text inside a formula."""
    return '"' + text.replace('"', '""') + '"'


def _rounds(e: Expr) -> bool:
    return e.op in OPS and bool(OPS[e.op].lifted)


class Printer:
    """Prints the formulas of one study: `places` says where each name lives, `sizes` how long each axis is, `named` whether names are."""

    def __init__(self, places: dict[str, Place], sizes: dict[str, int], named: bool = True):
        self.places, self.sizes, self.named = places, sizes, named

    def formula(self, e: Expr, at: dict[str, Span], here: str, lifted: bool = False) -> str:
        """The formula, without its `=`, in the cell that stands at `at` on the sheet `here`; lifted: worked out entry by entry there."""
        if e.op == "num":
            return f"{e.args[0]:.15g}".upper()
        if e.op == "text":
            return text_literal(e.args[0])
        if e.op == "ref":
            return self._reference(e.args[0], at, here)
        op, inner, first = OPS[e.op], at, ""
        spelling = op.lifted if lifted and op.lifted else op.excel
        if op.along:
            labels = self.places[e.args[1].args[0]]
            axis = labels.axes[0]
            last, i = (self.sizes[axis] - 1, True), at.get(axis, whole(1))[0]
            inner = at | {
                axis: {"all": ((0, True), last), "to here": ((0, True), i), "from here": (i, last), "before": ((i[0] - 1, i[1]),) * 2}[
                    op.along
                ]
            }
            first = labels.address(at | {axis: ALONE}, here)
            if e.args[0].op != "ref" and op.along == "all":
                if self.named and self._needs_addresses(e.args[0], inner, here):
                    return self._unnamed().formula(e, at, here)
                spelling, lifted = op.worked, True
        parts = []
        for k, a in enumerate(e.args):
            around = at if op.along and (k > 1 or (k == 1 and op.along != "all")) else inner
            parts.append(closed(e, k, self.formula(a, around, here, lifted and around is inner)))
        return spelling.format(*parts, first=first) if first else fill(spelling, parts)

    def _needs_addresses(self, e: Expr, at: dict[str, Span], here: str) -> bool:
        """Whether IronCalc would take one cell for a whole column: where rounding reads a name, and rounding or a column without a name."""
        rounding = [x for x in walk(e) if _rounds(x)]
        inside = {n for x in rounding for n in refs(x)}
        named = {n for n in inside if self._is_named(n, at)}
        nested = any(_rounds(y) for x in rounding for a in x.args for y in walk(a))
        return bool(named) and (nested or any(":" in self.places[n].address(at, here) for n in inside - named))

    def _unnamed(self) -> Printer:
        other = copy(self)
        other.named = False
        return other

    def _is_named(self, name: str, at: dict[str, Span]) -> bool:
        axes = self.places[name].axes
        return self.named and len(axes) < 2 and all(at.get(a, ALONE) == whole(self.sizes[a]) for a in axes)

    def _reference(self, name: str, at: dict[str, Span], here: str) -> str:
        return name if self._is_named(name, at) else self.places[name].address(at, here)
