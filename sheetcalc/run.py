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
    known = started(model, changes or {})
    with np.errstate(all="ignore"):
        work_out(model.steps.values() if steps is None else steps, known)
    return known


def started(model: Model, changes: dict[str, Any]) -> dict[str, Any]:
    """The inputs with the changes on top, by the names that hold them."""
    known = start(model)
    for name, value in model.renamed(changes).items():
        if isinstance(value, (list, tuple)):
            value = np.array([math.nan if v is None else v for v in value]).reshape(
                [-1 if d == list(model.axis).index(next(iter(model.home[name]))) else 1 for d in range(len(model.axis) + 1)])
        known[name] = ("" if model.inputs[name].is_text else math.nan) if value is None else value
    return known


def work_out(steps: Iterable[Step], known: dict[str, Any]) -> None:
    """Each step in order, added to what is known."""
    whole: dict[str, bool] = {}                                # arrays in which nothing is missing
    for step in steps:
        args = [known[n] for n in step.needs]
        arrays = any(map(is_array, args))
        if step.read and arrays and all(_is_whole(n, x, whole) for n, x in zip(step.needs, args)) or not (step.read or step.soft and not arrays):
            try:
                known[step.name] = step.fn(*args)
                continue
            except (ZeroDivisionError, OverflowError, ValueError):     # a number that does not exist, as Excel's #DIV/0! and #NUM! say
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
        total = np.add.reduce(x, axis=None)                    # NaN where one entry is NaN
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
    """Many scenarios, part by part: the rows and the kept values of each part. All columns that are no single value have the same length.

    What no column changes is worked out once; what only words change (a GPU's name) once for each distinct set of words.
    """
    columns, keep = columns_of(columns), list(keep)
    rows = max(len(c) for c in columns.values() if is_array(c))
    words = {n: c for n, c in columns.items() if isinstance(c, Choice)}
    numbers = {n: c for n, c in model.renamed({n: c for n, c in columns.items() if is_array(c) and n not in words}).items()}
    fixed, by_words, full = _sorted(model, model.upstream(keep), set(model.renamed(words)), set(numbers))
    codes, distinct = _distinct(words, rows)
    known = started(model, {n: c for n, c in columns.items() if not is_array(c)} | distinct)
    with np.errstate(all="ignore"):
        work_out([*fixed, *by_words], known)
    coded = {n for n in [*(s.name for s in by_words), *model.renamed(words)] if is_array(known[n])}
    wanted = coded & {n for s in full for n in s.needs} | coded & set(keep)
    for at in range(0, rows, size):
        part = slice(at, min(at + size, rows))
        now = known.copy()
        for n in wanted:
            now[n] = _spread(known[n], codes[part])
        for n, c in numbers.items():
            now[n] = c[part]
        with np.errstate(all="ignore"):
            work_out(full, now)
        yield part, {n: _column(now[n], part.stop - part.start) for n in keep}


def _sorted(model: Model, steps: list[Step], words: set[str], numbers: set[str]) -> tuple[list[Step], list[Step], list[Step]]:
    """Steps that nothing changes, those that only words change, and the rest."""
    fixed, by_words, full, worded, numbered = [], [], [], set(words), set(numbers)
    for step in steps:
        needs = set(step.needs)
        if needs & numbered:
            numbered.add(step.name)
            full.append(step)
        elif needs & worded:
            worded.add(step.name)
            by_words.append(step)
        else:
            fixed.append(step)
    return fixed, by_words, full


def _distinct(words: dict[str, Choice], rows: int) -> tuple[Any, dict[str, Choice]]:
    """For each row the number of its set of words, and each column of words for the distinct sets."""
    if not words:
        return np.zeros(rows, "i4"), {}
    together, sets = next(iter(words.values())).codes, 1
    for i, c in enumerate(words.values()):
        together = c.codes if i == 0 else together.astype("i8") * len(c.words) + c.codes
        sets *= len(c.words)
    if sets > rows:                                            # more sets than rows could name: number those that occur
        found, together = np.unique(together, return_inverse=True)
    else:
        found = np.arange(sets)
    out, rest = {}, found
    for n, c in reversed(words.items()):
        out[n], rest = Choice.of(c.words, (rest % len(c.words)).astype("i4")), rest // len(c.words)
    return together, out


def _spread(x, codes):
    """A value of each set of words, for each row."""
    if isinstance(x, Choice):
        return Choice.of(x.words, x.codes[codes])
    return x.take(codes, axis=-1) if x.shape[-1] > 1 else x


def _column(x, n):
    if isinstance(x, Choice):
        return np.array(x.list())
    if is_array(x) and x.shape == (n,):
        return x
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
    rows = np.shape(found[model.errors[0]]) if model.errors else ()
    first = unknown = np.full(rows, -1)
    for i in range(len(model.errors) - 1, -1, -1):
        column = np.asarray(found[model.errors[i]])
        false = column == 0
        if false.any():
            first = np.where(false, i, first)
        if column.dtype.kind == "f" and (gone := np.isnan(column)).any():
            unknown = np.where(gone, i, unknown)
    return np.where(first < 0, unknown, first)
