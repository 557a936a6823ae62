"""What a study is made of: inputs with bounds and sources, grids, links, and the decorators that mark a function as a quantity or
a check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sheetcalc.errors import ModelError
from sheetcalc.operations import at, given, stated

OWN = "own_"  # what a person typed into a cell that may stay blank


class Input(NamedTuple):
    """One blue cell, or one blue column: a value in base units, its display unit, and where it came from.

    `value` is a number, a text, a list (an axis or a typed column), a Link, or None (blank). `low` and `high` are bounds in base units;
    `above` excludes the low one. `otherwise` names what serves while the cell is blank.
    """

    value: Any
    unit: str
    label: str
    source: str = ""
    low: float | None = None
    high: float | None = None
    above: bool = False
    whole: bool = False
    choices: tuple[str, ...] = ()
    otherwise: str | tuple[str, ...] = ()
    note: str = ""

    @property
    def chain(self) -> tuple[str, ...]:
        """What serves, in turn, while the cell is blank."""
        return (self.otherwise,) if isinstance(self.otherwise, str) else self.otherwise

    @property
    def is_text(self) -> bool:
        if isinstance(self.value, Link):
            return self.value.words
        value = self.value[0] if isinstance(self.value, (list, tuple)) and self.value else self.value
        return bool(self.choices) or isinstance(value, str)


POSITIVE = {"low": 0.0, "above": True}
AT_LEAST_0 = {"low": 0.0}
FRACTION = {"low": 0.0, "high": 1.0}
SHARE = {"low": 0.0, "high": 1.0, "above": True}
COUNT = {"low": 1.0, "whole": True}


class Link(NamedTuple):
    """An input, or a column of a grid, that is another study's quantity, in base units; `words` where that is a text."""

    study: str
    name: str
    words: bool = False


class Grid(NamedTuple):
    """A table: its rows (and columns) run over one input each.

    `rows={"month": Input([1.0, 2.0], …)}` makes a new axis: what depends on month lives in this grid. `rows={"batch": [64.0, 128.0]}`
    sweeps an input that has a value of its own: each shown quantity, and what it needs, is repeated as `<grid>_<name>`, by the
    same function.
    `rows="draw", columns="month"` is a block over two axes that have their homes elsewhere. In a sweep, `typed={"mfu": [0.5, None]}` varies
    a second input, blank where the study's own value stays; `typed={"mfu": "stacked_mfu"}` takes a quantity along the axis in its place.
    With `length="draws"` the rows are 1 to the value of that input.
    """

    name: str
    label: str
    rows: dict[str, Any] | str
    columns: dict[str, Any] | str = {}
    typed: dict[str, Any] = {}
    show: Iterable[str] = ()
    length: str = ""


class About(NamedTuple):
    """What a person is told about a quantity. `says` is the sentence of a check that is false; `kind` is error, alert or sensitivity."""

    label: str
    unit: str
    says: str = ""
    kind: str = ""


def quantity(label: str, unit: str):
    """Mark a function as a quantity in a display unit; the function itself stays as it is."""

    def mark(fn):
        fn.about = About(label, unit)
        return fn

    return mark


def check(label: str, says: str, kind: str = "error"):
    """Mark a function as a check: true or false, with the sentence for false.

    `kind`: error (the plan does not hold), input (something is not given), alert (worth knowing), sensitivity (near a limit).
    """
    if kind not in ("error", "input", "alert", "sensitivity"):
        raise ModelError(f"a check is an error, an input, an alert or a sensitivity, not {kind!r}")

    def mark(fn):
        fn.about = About(label, "", says, kind)
        return fn

    return mark


def quantities(*modules) -> dict[str, Callable]:
    """The quantities of modules, by name."""
    return {name: fn for m in modules for name, fn in vars(m).items() if hasattr(fn, "about")}


def some(module, *names: str) -> dict[str, Callable]:
    """Some quantities of a module, by name, where a study needs no more of it."""
    return {name: vars(module)[name] for name in names}


def needs_of(fn: Callable) -> tuple[str, ...]:
    """The names that a quantity asks for."""
    return getattr(fn, "needs", None) or fn.__code__.co_varnames[: fn.__code__.co_argcount]


def lookup(about: About, column: str, axis: str, key: str) -> Callable:
    """A quantity that is a column's value in the row whose label is the key."""

    def look(values, labels, wanted):
        return at(values, labels, wanted)

    look.about, look.needs = about, (column, axis, key)
    return look


def used(about: About, text: bool, *chain: str) -> Callable:
    """The typed value if there is one, else the next in the chain."""
    choose = stated if text else given

    def used(*values):
        found = values[-1]
        for value in reversed(values[:-1]):
            found = choose(value, found)
        return found

    used.about, used.needs = about, chain
    return used
