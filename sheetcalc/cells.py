"""The trace read cell by cell, as a spreadsheet reads it, with nothing but the standard library.

The second opinion on the arrays, the quick way to one scenario, and the only reading where numpy is not installed. A value that does not
exist is NaN here; it never leaves the core as such.
"""

from __future__ import annotations

import math
from typing import Any

from sheetcalc.errors import SheetcalcError
from sheetcalc.expr import LEAVES, Expr
from sheetcalc.model import Link, Model
from sheetcalc.operations import OPS

MISSING_OK = ("given", "stated", "known", "at", "at_or_below", "first")


def missing(x) -> bool:
    """Whether a value does not exist."""
    return x != x


class Cells:
    """One scenario: `changes` are input values in base units, under the names that people type."""

    def __init__(self, model: Model, changes: dict[str, Any] | None = None):
        self.model, self.memo = model, {}
        self.changes = model.placed(changes or {})

    def __getitem__(self, name: str):
        """A scalar, or a grid's column as a list, or a block as a list of rows."""
        axes = self.axes(name)
        if not axes:
            return self.cell(name)
        if len(axes) == 1:
            return [self.cell(name, {axes[0]: i}) for i in range(self.length(axes[0]))]
        return [[self.cell(name, {axes[0]: i, axes[1]: j}) for j in range(self.length(axes[1]))] for i in range(self.length(axes[0]))]

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a quantity, the rows of its grid first."""
        home = self.model.home.get(name, frozenset())
        if len(home) > 1:
            for grid in self.model.grids:
                axes = self.model.grid_axes(grid)
                if set(axes) == home:
                    return axes
        return tuple(home)

    def length(self, axis: str) -> int:
        return len(self.changes.get(axis, self.model.inputs[axis].value))

    def cell(self, name: str, at: dict[str, int] | None = None):
        """One cell; `at` gives the row of each axis."""
        at = at or {}
        axes = self.model.home.get(name, ())
        key = (name, *(at[a] for a in sorted(axes)))
        if key not in self.memo:
            self.memo[key] = self._input(name, key) if name in self.model.inputs else self._step(name, {a: at[a] for a in axes})
        return self.memo[key]

    def _input(self, name, key):
        value = self.changes.get(name, self.model.inputs[name].value)
        if self.model.home.get(name) and not isinstance(value, Link):
            value = value[key[1]]
        if value is None or isinstance(value, Link):  # blank, or a link that nobody resolved
            return "" if self.model.inputs[name].is_text else math.nan
        return value

    def _step(self, name, at):
        try:
            return self.read(self.model.steps[name].expr, at)
        except (ZeroDivisionError, ValueError, OverflowError) as error:
            raise SheetcalcError(f"{name} cannot be worked out ({error}): {self.model.steps[name].expr!r}") from None

    def read(self, e: Expr, at: dict[str, int]):
        """The value of a formula in the cell that stands at `at`."""
        if e.op == "ref":
            return self.cell(e.args[0], at)
        if e.op in LEAVES:
            return e.args[0]
        op, args = OPS[e.op], e.args
        if op.along:
            return self._along(e, op, at)
        if e.op in ("if_", "when"):  # Excel's IF reads one branch only
            condition = self.read(args[0], at)
            if missing(condition):
                return math.nan
            return self.read(args[1], at) if condition else self.read(args[2], at) if e.op == "if_" else math.nan
        if e.op in ("given", "stated"):
            value = self.read(args[0], at)
            return self.read(args[1], at) if value == "" or missing(value) else value
        values = [self.read(a, at) for a in args]
        if e.op not in MISSING_OK and any(map(missing, values)):
            return math.nan
        return op.calc(*values)

    def _along(self, e, op, at):
        label = e.args[1].args[0]
        axis = label if label in self.model.axis else next(iter(self.model.home[label]))
        i, n = at.get(axis), self.length(axis)
        places = {"all": range(n), "to here": range((i or 0) + 1), "from here": range(i or 0, n), "before": range(i - 1, i) if i else ()}[
            op.along
        ]
        rest = [self.read(a, at) for a in e.args[2:]]
        labels = [self.cell(label, {axis: j}) for j in places]
        if e.op == "at":
            if rest[0] not in labels:
                return math.nan
            place = labels.index(rest[0])  # only the chosen row is read
            return self.read(e.args[0], at | {axis: place})
        xs = [self.read(e.args[0], at | {axis: j}) for j in places]
        if any(map(missing, rest)) or (e.op not in MISSING_OK and any(map(missing, xs))):
            return math.nan
        return op.calc(xs, labels, i, *rest)
