"""The trace read as arrays: one scenario with its grids.

What does not exist is NaN inside an array and never raises, so that one bad scenario never stops a million.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sheetcalc.axes import Choice, is_array, np
from sheetcalc.expr import LEAVES, Expr
from sheetcalc.model import Link, Model, Step
from sheetcalc.operations import OPS


def start(model: Model) -> dict[str, Any]:
    """The inputs as they are given; each axis in a dimension of its own, the last dimension free for scenarios."""
    known, axes = {}, list(model.axis)
    for name, given in model.inputs.items():
        home, value = model.home.get(name), given.value
        if home:
            k = axes.index(next(iter(home)))
            if isinstance(value, Link):
                value = [None] * model.length(next(iter(home)))
            cells = list(value) if given.is_text else [math.nan if v is None else v for v in value]
            known[name] = np.array(cells).reshape([-1 if d == k else 1 for d in range(len(axes) + 1)])
        elif value is None or isinstance(value, Link):
            known[name] = "" if given.is_text else math.nan
        else:
            known[name] = value
    return known


def run(model: Model, changes: dict[str, Any] | None = None, steps: list[Step] | None = None) -> dict[str, Any]:
    """Every value of a study in base units, by name; a grid is an array with a dimension for each axis of the study.

    A change is a number, a text, or a column of scenarios (array or Choice). Raises InputError on a name that is not an input.
    """
    known = started(model, changes or {})
    with np.errstate(all="ignore"):
        work_out(model.steps.values() if steps is None else steps, known)
    return known


def started(model: Model, changes: dict[str, Any]) -> dict[str, Any]:
    """The inputs with the changes on top, by the names that hold them."""
    known = start(model)
    for name, value in model.placed(changes).items():
        if isinstance(value, (list, tuple)):
            value = np.array([math.nan if v is None else v for v in value]).reshape(
                [-1 if d == list(model.axis).index(next(iter(model.home[name]))) else 1 for d in range(len(model.axis) + 1)]
            )
        known[name] = ("" if model.inputs[name].is_text else math.nan) if value is None else value
    return known


def work_out(steps: Iterable[Step], known: dict[str, Any]) -> None:
    """Each step in order, added to what is known."""
    whole: dict[str, bool] = {}  # arrays in which nothing is missing
    for step in steps:
        args = [known[n] for n in step.needs]
        arrays = any(map(is_array, args))
        if (step.read and arrays and all(_is_whole(n, x, whole) for n, x in zip(step.needs, args))) or not (
            step.read or (step.soft and not arrays)
        ):
            try:
                known[step.name] = step.fn(*args)
                continue
            except (ZeroDivisionError, OverflowError, ValueError):  # a number that does not exist, as Excel's #DIV/0! and #NUM! say
                pass
        known[step.name] = read(step.expr, known)


def _is_whole(name: str, x, whole: dict[str, bool]) -> bool:
    if isinstance(x, (str, Choice)):
        return True
    if not is_array(x):
        return x == x
    if x.dtype.kind != "f":
        return True
    if name not in whole:
        total = np.add.reduce(x, axis=None)  # NaN where one entry is NaN
        whole[name] = bool(total == total)
    return whole[name]


def read(e: Expr, known: dict[str, Any]):
    """A formula over arrays in which what is missing stays missing, as #N/A does in Excel."""
    if e.op == "ref":
        return known[e.args[0]]
    if e.op in LEAVES:
        return e.args[0]
    op = OPS[e.op]
    if e.op in ("if_", "when"):
        condition = read(e.args[0], known)
        if not is_array(condition):  # one branch only, as in Excel
            if condition != condition:
                return math.nan
            return read(e.args[1], known) if condition else read(e.args[2], known) if e.op == "if_" else math.nan
        branches = [read(a, known) for a in e.args[1:]]
        return _gone(condition, op.array(condition == 1, *branches))
    values = [read(a, known) for a in e.args]
    if not any(map(is_array, values)):
        if e.op not in ("given", "stated", "known") and any(v != v for v in values):
            return math.nan
        try:
            return op.calc(*values)
        except (ZeroDivisionError, OverflowError, ValueError):
            return math.nan
    found = op.array(*values)
    if op.units in ("compare", "logic") and e.op not in ("known", "count"):
        for v in values:
            found = _gone(v, found)
    return found


def _gone(by, found):
    """`found`, missing where `by` is missing."""
    if isinstance(by, (str, Choice)) or (is_array(by) and by.dtype.kind != "f") or (not is_array(by) and by == by):
        return found
    nan = np.isnan(by)
    if not nan.any():
        return found
    if getattr(found, "dtype", None) is not None and found.dtype.kind in "US":
        return np.where(nan, "", found)
    return np.where(nan, math.nan, found)
