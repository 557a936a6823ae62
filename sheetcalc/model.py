"""Quantities are functions; a parameter's name says which quantity, input or grid column it is.

A `Model` is the graph of one study: every quantity traced once, in the order in which it can be worked out.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NamedTuple

from sheetcalc.declare import (  # noqa: F401  studies and quantities import these from here
    AT_LEAST_0,
    COUNT,
    FRACTION,
    OWN,
    POSITIVE,
    SHARE,
    About,
    Grid,
    Input,
    Link,
    check,
    lookup,
    needs_of,
    quantities,
    quantity,
    some,
    used,
)
from sheetcalc.errors import FormulaError, InputError, ModelError
from sheetcalc.expr import LEAVES, Expr, ref, refs, walk
from sheetcalc.operations import OPS, TRUTHS

BY_ELEMENT = (
    "+",
    "-",
    "*",
    "/",
    "^",
    "neg",
    "<",
    "<=",
    ">",
    ">=",
    "same",
    "sqrt",
    "ln",
    "exp",
    "fraction",
    "floor",
    "ceil",
)  # what SUMPRODUCT works out entry by entry
CELL = re.compile(r"[a-z]{1,3}\d+|[rc]|r\d*c\d*", re.I)  # what Excel takes for a cell
CAREFUL = {"given", "stated", "known", "when"} | {op for op, row in OPS.items() if row.along or row.maybe}  # what changes axes or existence


class Step(NamedTuple):
    """One quantity in its place."""

    name: str
    fn: Callable
    needs: tuple[str, ...]
    about: About
    expr: Expr
    axes: frozenset[str]
    fragile: bool  # it may not exist
    soft: bool  # it reads something that may not exist
    read: bool  # arrays must be read operation by operation, so that what is missing stays missing


class Model:
    """One study: quantities in order, for one set of inputs and grids."""

    def __init__(
        self, name: str, functions: dict[str, Callable], inputs: dict[str, Input], grids: Iterable[Grid] = (), alerts: Iterable[str] = ()
    ):
        self.name, self.grids = name, list(grids)
        self.inputs: dict[str, Input] = {}
        self.typed: dict[str, str] = {}  # what people type -> the input that holds it
        self.axis: dict[str, str] = {}  # axis -> the grid that owns it
        self.home: dict[str, frozenset[str]] = {}  # name -> the axes along which it varies
        self.sweeps: dict[str, dict[str, str]] = {}  # grid -> name -> its clone in that grid
        self.lengths: dict[str, str] = {}  # input that says how many rows a grid has -> axis of the grid
        self.steps: dict[str, Step] = {}
        self._inside: dict[str, tuple[Callable, tuple[str, ...]]] = {}  # copies that no grid can hold: they stand in what reads them
        self._copies = {n for n, fn in functions.items() if hasattr(fn, "copy_of")}.difference(*(g.show for g in self.grids))
        self._blank: dict[str, bool] = {}  # input -> whether it may hold nothing
        plain = {n: (fn, needs_of(fn)) for n, fn in functions.items()}
        if clash := plain.keys() & inputs.keys():
            raise ModelError(f"{name}: both an input and a quantity: {', '.join(sorted(clash))}")
        for key, given_input in inputs.items():
            self._take(key, given_input, plain)
        for grid in self.grids:
            self._open(grid, plain)
        for key in [*plain, *self.inputs]:
            if CELL.fullmatch(key):
                raise ModelError(f"{key!r} is a cell address in Excel and cannot be a name; spell it out")
        for key in plain:
            self._place(key, plain, ())
        gated = {s.expr.args[0].args[0] for s in self.steps.values() if s.expr.op == "when"}  # nowhere but outermost
        self.checks = [s.name for s in self.steps.values() if s.about.kind or s.name in gated]
        self.errors = [
            n for n in self.checks if not self.home[n] and n not in alerts and self.steps[n].about.kind in ("error", "input", "")
        ]
        above = {s.name for s in self.upstream(self.errors)}
        self.reasons = [n for n in self.checks if n in above and n not in self.errors and not self.home[n]]  # may leave an error unasked

    def _take(self, key, given_input: Input, plain):
        if not given_input.chain:
            self.inputs[key] = given_input
            self.typed[key] = key
            return
        own = OWN + key
        self.inputs[own] = given_input._replace(otherwise=())
        self.typed[key] = own
        about = About(given_input.label, given_input.unit)
        plain[key] = used(about, given_input.is_text, own, *given_input.chain), (own, *given_input.chain)

    def _open(self, grid: Grid, plain):
        rename: dict[str, str] = {}

        def cells_of(key, cells):
            """A plain list varies an input that has a value of its own, under the name of the grid."""
            if isinstance(cells, Input):
                return key, cells
            rename[key] = f"{grid.name}_{key}"
            about = self.inputs[self.typed.get(key, key)]
            return rename[key], about._replace(value=list(cells), otherwise=())

        axes = []
        for side in (grid.rows, grid.columns):
            if isinstance(side, str):
                axes.append(side)
                continue
            for key, cells in side.items():
                key, cells = cells_of(key, cells)
                if grid.length:
                    self.lengths[grid.length], cells = key, cells._replace(value=_counted(self.inputs[grid.length].value))
                self.inputs[key], self.axis[key], self.home[key] = cells, grid.name, frozenset([key])
                axes.append(key)
        for key, cells in grid.typed.items():
            if isinstance(cells, str):
                rename[key] = cells
                continue
            own, (key, cells) = key, cells_of(key, cells)
            if not isinstance(grid.typed[own], Input) and any(v is None or v == "" for v in cells.value):
                swept, key = key, OWN + key
                self.typed[swept] = key
                plain[swept] = used(About(cells.label, cells.unit), cells.is_text, key, own), (key, own)
            if not isinstance(cells.value, Link) and len(cells.value) != len(self.inputs[axes[0]].value):
                raise ModelError(f"{grid.name}: {key} has {len(cells.value)} entries, {axes[0]} has {len(self.inputs[axes[0]].value)}")
            self.inputs[key], self.home[key] = cells, frozenset(axes[:1])
        if rename:
            self._sweep(grid, plain, rename)

    def _sweep(self, grid, plain, rename):
        moved: dict[str, bool] = dict.fromkeys(rename, True)

        def moves(key):
            if key not in moved:
                moved[key] = False  # a loop is found and named when the names are placed
                moved[key] = key in plain and any(map(moves, plain[key][1]))
            return moved[key]

        own, prefix = {a for a, home in self.axis.items() if home == grid.name}, f"{grid.name}_"
        along: dict[str, bool] = {}

        def stands(key):
            """Whether a quantity runs along this grid as it is: it reads the grid's axis, its typed columns or its clones."""
            if key not in along:
                along[key] = False
                clone = key.startswith(prefix) and key not in plain and key.removeprefix(prefix) in plain
                along[key] = (
                    key in own or clone or bool(own & self.home.get(key, frozenset())) or (key in plain and any(map(stands, plain[key][1])))
                )
            return along[key]

        def need(key):
            if key in plain and moves(key) and key not in rename and not stands(key):
                rename[key] = f"{grid.name}_{key}"
                for n in plain[key][1]:
                    need(n)

        for key in grid.show:
            if key not in plain and key not in rename:
                raise ModelError(f"{grid.name} shows {key!r}, which is not a quantity{self._near(key, plain)}")
            need(key)
        for old, new in rename.items():
            if old in plain and new not in self.inputs and new not in plain:
                fn, needs = plain[old]
                plain[new] = fn, tuple(rename.get(n, n) for n in needs)
                if old not in grid.show:
                    self._copies.add(new)
        self.sweeps[grid.name] = rename

    def _near(self, key, plain) -> str:
        near = difflib.get_close_matches(key, [*plain, *self.inputs], 1)
        return f"; did you mean {near[0]!r}?" if near else ""

    def _place(self, key, plain, path):
        if key in self.inputs or key in self.steps or key in self._inside:
            return
        if key in path:
            raise ModelError("these quantities need each other: " + " → ".join([*path[path.index(key) :], key]))
        if key not in plain:
            raise ModelError(f"{path[-1]} needs {key!r}, which is neither an input nor a quantity{self._near(key, plain)}")
        fn, needs = plain[key]
        for need in needs:
            self._place(need, plain, (*path, key))
        fn, needs = self._with_inside(fn, needs)
        try:
            expr = fn(*map(ref, needs))
        except FormulaError as error:
            raise FormulaError(f"{key}: {error}") from None
        if not isinstance(expr, Expr):
            raise FormulaError(f"{key} gives {expr!r} without reading anything; make it an input")
        nodes = list(walk(expr))
        ops = {x.op for x in nodes}
        reads = {x.args[0] for x in nodes if x.op == "ref"}
        if ops & CAREFUL:
            axes = self._axes_of(key, expr)
            self._refuse(key, expr)
        else:  # most formulas: element by element, nothing that may not exist by itself
            axes = frozenset().union(*(self.home[n] for n in reads if n in self.home))
        held = len(axes) < 2 or any(set(self.grid_axes(g)) == axes for g in self.grids)
        if not held and key in self._copies and all(x.op in (*LEAVES, *BY_ELEMENT) for x in nodes):
            self._inside[key] = fn, needs
            return
        self.home[key] = axes
        if len(axes) > 2:
            raise ModelError(f"{key} varies along {', '.join(sorted(axes))}; two axes are the most a sheet can hold")
        if not held:
            a, b = sorted(axes)
            raise ModelError(
                f"{key} varies along {a} and {b}, and no grid has these rows and columns; add Grid(…, rows={a!r}, columns={b!r})"
            )
        soft = any(map(self.may_be_missing, reads))
        fragile = self._may_be_missing(expr) if ops & CAREFUL else soft
        read = soft and bool(ops & (TRUTHS | {"if_", "when"}))
        self.steps[key] = Step(key, fn, needs, fn.about, expr, axes, fragile, soft, read)

    def _with_inside(self, fn: Callable, needs: tuple[str, ...]) -> tuple[Callable, tuple[str, ...]]:
        """A quantity that works out itself what it reads of the copies that no grid can hold."""
        if self._inside.keys().isdisjoint(needs):
            return fn, needs
        reads = [self._inside.get(n, (None, (n,))) for n in needs]
        flat = tuple(dict.fromkeys(n for _, inner in reads for n in inner))

        @wraps(fn)
        def whole(*args):
            known = dict(zip(flat, args, strict=True))
            parts = [[known[n] for n in inner] for _, inner in reads]
            return fn(*(made(*part) if made else part[0] for (made, _), part in zip(reads, parts, strict=True)))

        whole.needs = flat
        return whole, flat

    def grid_axes(self, grid: Grid) -> tuple[str, ...]:
        """The axes of a grid: rows first."""
        names = self.sweeps.get(grid.name, {})
        return tuple(names.get(a, a) for side in (grid.rows, grid.columns) for a in ([side] if isinstance(side, str) else side))

    def _refuse(self, key, expr):
        for x in walk(expr):
            if x.op == "when" and (x is not expr or x.args[0].op != "ref"):
                raise FormulaError(f"{key}: when(check, formula) must be the whole formula and name a check")
            if x.op not in OPS or not OPS[x.op].along:
                continue
            if x.args[0].op != "ref" and not (OPS[x.op].worked and all(y.op in (*LEAVES, *BY_ELEMENT) for y in walk(x.args[0]))):
                raise FormulaError(
                    f"{key}: make {x.args[0]!r} a quantity of its own first; {x.op} reads a column, and of an expression only total and "
                    f"count, made of {' '.join(BY_ELEMENT)}"
                )
            if x.args[0].op != "ref" or x.op == "last":
                self._refuse_mixed(key, x)

    def _refuse_mixed(self, key, x: Expr):
        """Excel multiplies a column by a row into a table: what is worked out together along an axis must run the same way."""
        axis = next(iter(self.home[x.args[1].args[0]]))
        ways = {n: self.runs_down(n, axis) for n in refs(x) if n in refs(x.args[0]) or x.op == "last" if axis in self.home.get(n, ())}
        if len(set(ways.values())) > 1:
            raise FormulaError(
                f"{key}: along {axis}, {', '.join(n for n, down in ways.items() if down)} runs down and "
                f"{', '.join(n for n, down in ways.items() if not down)} across; make the product a quantity of its own, then total that"
            )

    def runs_down(self, name: str, axis: str) -> bool:
        """Whether a grid's name runs down its sheet along an axis."""
        home = self.home[name]
        for grid in self.grids:
            axes = self.grid_axes(grid)
            if set(axes) == home if len(home) > 1 else self.axis.get(axis) == grid.name:
                return axes[0] == axis and bool(grid.rows)
        return True

    def _axes_of(self, key, e: Expr) -> frozenset[str]:
        if e.op in LEAVES:
            return self.home.get(e.args[0], frozenset()) if e.op == "ref" else frozenset()
        parts = [self._axes_of(key, a) for a in e.args]
        if OPS[e.op].along:
            axis = e.args[1].args[0] if e.args[1].op == "ref" else None
            if axis not in self.axis and self.home.get(axis, ()):  # a column that labels the rows of its axis
                axis = next(iter(self.home[axis]))
            if axis not in self.axis or axis not in parts[0]:
                raise ModelError(f"{key}: {e.args[0]!r} does not vary along {e.args[1]!r}")
            if OPS[e.op].along == "all":
                return frozenset().union(parts[0] - {axis}, *parts[2:])
        return frozenset().union(*parts)

    def _may_be_missing(self, e: Expr) -> bool:
        if e.op == "ref":
            return self.may_be_missing(e.args[0])
        if e.op in LEAVES or e.op == "known":
            return False
        if e.op in ("given", "stated"):
            return self._may_be_missing(e.args[1])
        if e.op == "at" and e.args[2].op == "ref" and not self.inputs.get(e.args[1].args[0], Input(0, "", "")).is_text:
            return True  # a number that no row carries; words are kept to the rows by their choices
        return OPS[e.op].maybe or any(map(self._may_be_missing, e.args))

    def may_be_missing(self, key: str) -> bool:
        """Whether a quantity or input may have no value."""
        if key in self.steps:
            return self.steps[key].fragile
        if key not in self._blank:
            self._blank[key] = self._may_be_blank(self.inputs[key].value)
        return self._blank[key]

    @staticmethod
    def _may_be_blank(value) -> bool:
        return (
            value is None or value == "" or isinstance(value, Link) or (isinstance(value, (list, tuple)) and any(v is None for v in value))
        )

    def about(self, key: str) -> About | Input:
        """Label and unit of a quantity, an input, or what people type for it."""
        if key in self.steps:
            return self.steps[key].about
        if key in self.inputs:
            return self.inputs[key]
        near = difflib.get_close_matches(key, [*self.steps, *self.typed], 1)
        raise InputError(f"{self.name} has no {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))

    def unit(self, key: str) -> str:
        return self.about(key).unit

    def length(self, axis: str) -> int:
        return len(self.inputs[axis].value)

    def upstream(self, keys: Iterable[str]) -> list[Step]:
        """The steps that these names need, in order."""
        wanted, found = list(keys), set()
        while wanted:
            if (key := wanted.pop()) not in found:
                found.add(key)
                if key in self.steps:
                    wanted += self.steps[key].needs
        return [s for s in self.steps.values() if s.name in found]

    def users(self, key: str) -> list[str]:
        """The quantities that read a name directly."""
        return [s.name for s in self.steps.values() if key in s.needs]

    def renamed(self, changes: dict[str, Any]) -> dict[str, Any]:
        """What people typed, under the names of the inputs that hold it.

        Raises InputError on a name that is not an input.
        """
        out = {}
        for key, value in changes.items():
            if key not in self.typed and key not in self.inputs:
                near = difflib.get_close_matches(key, self.typed, 1)
                raise InputError(f"{key!r} is not an input of {self.name}" + (f"; did you mean {near[0]!r}?" if near else ""))
            out[self.typed.get(key, key)] = value
        return out

    def placed(self, changes: dict[str, Any]) -> dict[str, Any]:
        """The same, with the rows of each grid whose length is among them.

        Raises InputError on a name that is not an input.
        """
        rows = {a: _counted(changes[n]) for n, a in self.lengths.items() if isinstance(changes.get(n), (int, float))}
        return self.renamed(changes) | rows

    def refs_of(self, key: str) -> set[str]:
        return refs(self.steps[key].expr)


def _counted(length: float) -> list[float]:
    """The labels of an axis of that many rows."""
    return [float(i) for i in range(1, int(length) + 1)]
