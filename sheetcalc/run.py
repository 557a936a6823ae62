"""The trace read as arrays: one scenario with its grids, or a million scenarios in chunks.

What does not exist is NaN inside an array and never raises, so that one bad scenario never stops a million.
"""
from __future__ import annotations

import math
from typing import Any, Iterable, Iterator

from sheetcalc.axes import Choice, is_array, np
from sheetcalc.expr import LEAVES, Expr
from sheetcalc.model import Link, Model, Step
from sheetcalc.operations import OPS

CHUNK = 8192                        # rows that stay in the processor's cache (prototype: 4,096 to 16,384 are alike, more is slower)


def start(model: Model) -> dict[str, Any]:
    """The inputs as they are given; each axis in a dimension of its own, the last dimension free for scenarios."""
    known, axes = {}, list(model.axis)
    for name, given in model.inputs.items():
        home, value = model.home.get(name), given.value
        if home:
            k = axes.index(next(iter(home)))
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
    known = start(model)
    for name, value in model.renamed(changes or {}).items():
        if isinstance(value, (list, tuple)):
            value = np.array([math.nan if v is None else v for v in value]).reshape(
                [-1 if d == list(model.axis).index(next(iter(model.home[name]))) else 1 for d in range(len(model.axis) + 1)])
        known[name] = ("" if model.inputs[name].is_text else math.nan) if value is None else value
    with np.errstate(all="ignore"):
        for step in model.steps.values() if steps is None else steps:
            known[step.name] = _work_out(step, [known[n] for n in step.needs], known)
    return known


def _work_out(step: Step, args, known):
    arrays = any(map(is_array, args))
    if step.read or not arrays and step.soft:
        return read(step.expr, known)
    try:
        return step.fn(*args)
    except (ZeroDivisionError, OverflowError, ValueError):     # a number that does not exist, as Excel's #DIV/0! and #NUM! say
        return read(step.expr, known)


def read(e: Expr, known: dict[str, Any]):
    """A formula over arrays in which what is missing stays missing, as #N/A does in Excel."""
    if e.op == "ref":
        return known[e.args[0]]
    if e.op in LEAVES:
        return e.args[0]
    op = OPS[e.op]
    if e.op in ("if_", "when"):
        condition = read(e.args[0], known)
        if not is_array(condition):                            # one branch only, as in Excel
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
    if isinstance(by, (str, Choice)) or is_array(by) and by.dtype.kind != "f" or not is_array(by) and by == by:
        return found
    nan = np.isnan(by)
    if not nan.any():
        return found
    if getattr(found, "dtype", None) is not None and found.dtype.kind in "US":
        return np.where(nan, "", found)
    return np.where(nan, math.nan, found)


def columns_of(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns of scenarios ready to be cut: floats as arrays, words as Choice, one value for all as it is."""
    out = {}
    for name, column in columns.items():
        if isinstance(column, (Choice, str, int, float)) or column is None or is_array(column) and column.dtype.kind == "f":
            out[name] = column
        else:
            out[name] = Choice(column) if isinstance(column[0], str) else np.asarray(column, float)
    return out


def chunks(model: Model, columns: dict[str, Any], keep: Iterable[str], size: int = CHUNK) -> Iterator[tuple[slice, dict[str, Any]]]:
    """Many scenarios, part by part: the rows and the kept values of each part. All columns that are no single value have the same length."""
    columns, keep = columns_of(columns), list(keep)
    rows = max(len(c) for c in columns.values() if is_array(c))
    steps = model.upstream(keep)
    for at in range(0, rows, size):
        part = slice(at, min(at + size, rows))
        known = run(model, {n: c[part] if is_array(c) else c for n, c in columns.items()}, steps)
        yield part, {n: _column(known[n], part.stop - part.start) for n in keep}


def _column(x, n):
    if isinstance(x, Choice):
        return np.array(x.list())
    return np.broadcast_to(np.ravel(x), n) if np.size(x) in (1, n) else x


def batch(model: Model, columns: dict[str, Any], keep: Iterable[str], size: int = CHUNK) -> dict[str, Any]:
    """Many scenarios at once: a column for each kept scalar quantity, NaN (or '') where it does not exist."""
    parts: dict[str, list] = {n: [] for n in keep}
    for _, found in chunks(model, columns, list(parts), size):
        for n, x in found.items():
            parts[n].append(x)
    return {n: np.concatenate(xs) for n, xs in parts.items()}


def failing(model: Model, found: dict[str, Any]):
    """Per scenario, the place in `model.errors` of the first check that is false, else of the first that cannot be asked, else -1.

    `found` holds the columns of the checks.
    """
    first, unknown = -1, -1
    for i in range(len(model.errors) - 1, -1, -1):
        column = np.asarray(found[model.errors[i]])
        first = np.where(column == 0, i, first)
        if column.dtype.kind == "f":
            unknown = np.where(np.isnan(column), i, unknown)
    return np.where(np.asarray(first) < 0, unknown, first)
