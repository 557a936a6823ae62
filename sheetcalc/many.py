"""Many scenarios at once: columns in parts that stay in the processor's cache.

What no column changes is worked out once, what only words change (a GPU's name) once for each distinct set of words, and a default that
every row overrides not at all. A value that does not exist is NaN, or false in a check, and `gone` keeps where: one mask serves all that
rests on the same failed check.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from sheetcalc.axes import Choice, is_array, np
from sheetcalc.expr import refs, walk
from sheetcalc.model import OWN, Model, Step
from sheetcalc.operations import OPS, TRUTHS
from sheetcalc.run import read, started, work_out

CHUNK = 32_768  # rows; from 8,192 to 32,768 the time is much the same
COMPARES = ("<", "<=", ">", ">=", "same")


def columns_of(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns of scenarios ready to be cut: floats as arrays, words as Choice, one value for all as it is."""
    out = {}
    for name, column in columns.items():
        if isinstance(column, (Choice, str, int, float)) or column is None or (is_array(column) and column.dtype.kind == "f"):
            out[name] = column
        else:
            out[name] = Choice(column) if isinstance(column[0], str) else np.asarray(column, float)
    return out


class _Task(NamedTuple):
    """One step of a part, with all that is the same for every part."""

    name: str
    fn: Any
    expr: Any
    needs: tuple[str, ...]  # of a chain, up to the first link that exists for certain; the rest is not read
    gather: Any  # the arguments out of what is known
    soft: tuple[str, ...]  # needs that may be missing in some rows
    how: str  # alias, flow (missing flows with the numbers), compare, when, or read (operation by operation)
    gate: int  # of a when: the place of its check among the needs


def chunks(model: Model, columns: dict[str, Any], keep: Iterable[str], size: int = CHUNK) -> Iterator[tuple[slice, dict[str, Any]]]:
    """The rows and the kept values of each part, in order. All columns that are no single value have the same length.

    Raises InputError on a name that is not an input.
    """
    columns, keep = columns_of(columns), list(keep)
    rows = max((len(c) for c in columns.values() if is_array(c)), default=1)
    words = {n: c for n, c in columns.items() if isinstance(c, Choice)}
    numbers = model.renamed({n: c for n, c in columns.items() if is_array(c) and n not in words})
    steps = model.upstream(keep)
    fixed, by_words, full = _sorted(steps, set(model.renamed(words)), set(numbers))
    codes, distinct = _distinct(words, rows)
    known = started(model, {n: c for n, c in columns.items() if not is_array(c)} | distinct)
    with np.errstate(all="ignore"):
        work_out([*fixed, *by_words], known)
    exists = {n for n, x in known.items() if n not in numbers and _whole(x)} - {s.name for s in full} | {
        n for n, c in numbers.items() if _whole(c)
    }
    tasks = _tasks(full, keep, exists, known)
    read_by = {n for t in tasks for n in t.needs} | set(keep)
    coded = [n for n in {*(s.name for s in by_words), *model.renamed(words)} & read_by if is_array(known[n])]
    for at in range(0, rows, size):
        part = slice(at, min(at + size, rows))
        rows_of = codes[part].astype(np.intp)  # once, and not in every take
        now = _Part(known, {n: _rows_of(known[n], rows_of) for n in coded} | {n: c[part] for n, c in numbers.items()}, exists)
        with np.errstate(all="ignore"):
            for task in tasks:
                now.work_out(task)
        yield part, {n: now.column(n, part.stop - part.start) for n in keep}


def _whole(x) -> bool:
    """Whether nothing is missing in it."""
    if isinstance(x, Choice):
        return "" not in x.words
    if isinstance(x, str):
        return x != ""
    if not is_array(x):
        return x == x
    return x.dtype.kind != "f" or not np.isnan(x).any()


def _sorted(steps: list[Step], words: set[str], numbers: set[str]) -> tuple[list[Step], list[Step], list[Step]]:
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


def _tasks(full: list[Step], keep: list[str], exists: set[str], known: dict[str, Any]) -> list[_Task]:
    """What a part must work out: a chain is cut at the first link that exists, and what only the rest of it needs falls away."""
    by_name, wanted, needs_of = {s.name: s for s in full}, list(keep), {}
    while wanted:
        name = wanted.pop()
        if name in by_name and name not in needs_of:
            step = by_name[name]
            last = len(step.needs)
            if step.needs[0] == OWN + name:  # a chain: typed value, profile, catalogue
                last = next((i + 1 for i, n in enumerate(step.needs) if n in exists), last)
            needs_of[name] = step.needs[:last]
            wanted += needs_of[name]
    return [_task(s, needs_of[s.name], exists, by_name, known) for s in full if s.name in needs_of]


def _task(step: Step, needs: tuple[str, ...], exists: set[str], by_name: dict[str, Step], known: dict[str, Any]) -> _Task:
    def varies(name):
        return name in by_name or is_array(known.get(name))

    soft = tuple(n for n in needs if n not in exists and (n not in by_name or by_name[n].fragile))
    how = _spread_of(step)
    chain = len(needs) < len(step.needs)
    if chain and len(needs) == 1:
        how = "alias"
    elif (
        chain
        or (how == "read" and soft)
        or any(not any(map(varies, refs(x.args[0]))) for x in walk(step.expr) if x.op == "if_")
        or any(not varies(n) and not _whole(known[n]) for n in needs)
    ):
        how = "read"  # one branch, one link, or what is missing decides
    elif how == "read" and not _along({x.op for x in walk(step.expr)}):
        how = "flow"
    gather = itemgetter(*needs) if len(needs) > 1 else lambda values: (values[needs[0]],)
    gate = step.needs.index(step.expr.args[0].args[0]) if step.expr.op == "when" else -1
    return _Task(step.name, step.fn, step.expr, needs, gather, soft, how, gate)


def _spread_of(step: Step) -> str:
    """How what is missing spreads through a step: with the numbers, beside a comparison, by a check, or operation by operation."""
    inner = {x.op for a in step.expr.args if not isinstance(a, (str, float)) for x in walk(a)}
    if step.expr.op == "when":
        plain = {x.op for x in walk(step.expr.args[1])}
        return "read" if plain & (TRUTHS | {"if_", "given", "stated"}) or _along(plain) else "when"
    if step.expr.op in COMPARES and not inner & (TRUTHS | {"if_", "given", "stated"}) and not _along(inner):
        return "compare"
    ops = {x.op for x in walk(step.expr)}
    return "read" if ops & (TRUTHS | {"if_", "given", "stated", "when"}) or _along(ops) else "flow"


def _along(ops: set[str]) -> bool:
    """Whether an operation reads a column, which may hold what is missing or not hold what is looked up."""
    return any(op in OPS and OPS[op].along for op in ops)


class _Part:
    """One part of the rows: values by name, and where they are missing."""

    def __init__(self, known: dict[str, Any], columns: dict[str, Any], exists: set[str]):
        self.known = known | columns
        self.gone: dict[str, Any] = {
            n: np.isnan(c)
            for n, c in columns.items()
            if n not in exists and is_array(c) and getattr(c, "dtype", None) is not None and c.dtype.kind == "f"
        }

    def work_out(self, task: _Task) -> None:
        """One step, for all rows of the part."""
        if task.how == "alias":
            self.known[task.name] = self.known[task.needs[0]]
            return
        if task.how == "read":
            self._by_operation(task)
            return
        args = task.gather(self.known)
        try:
            self.known[task.name] = task.fn(*args)
        except (ZeroDivisionError, OverflowError, ValueError):
            self._by_operation(task)
            return
        masks = [self.gone[n] for n in task.soft if n in self.gone]
        if task.gate >= 0 and is_array(args[task.gate]):
            masks.append(~args[task.gate])
        if masks:
            self.gone[task.name] = _union(masks)

    def _by_operation(self, task: _Task) -> None:
        """Read operation by operation, so that what is missing stays missing."""
        mine = _Known(self.known)
        for n in task.soft:
            if n in self.gone and getattr(self.known[n], "dtype", None) is not None and self.known[n].dtype.kind == "b":
                mine[n] = np.where(self.gone[n], math.nan, self.known[n])
        for n in refs(task.expr) - set(task.needs):  # the links of a chain that no row needs
            mine[n] = math.nan
        found = read(task.expr, mine)
        if getattr(getattr(found, "dtype", None), "kind", "") == "f":
            nan = np.isnan(found)
            if nan.any():
                self.gone[task.name] = nan
            if task.expr.op in TRUTHS:
                found = found == 1
        self.known[task.name] = found

    def column(self, name: str, rows: int):
        """A kept value as a column: NaN where a number or a check is missing, '' where a text is."""
        x = self.known[name]
        if isinstance(x, Choice):
            return np.array(x.list())
        if name in self.gone and getattr(x, "dtype", None) is not None and x.dtype.kind == "b":
            x = np.where(self.gone[name], math.nan, x)
        if is_array(x) and x.shape == (rows,):
            return x
        return np.broadcast_to(np.ravel(x), rows) if np.size(x) in (1, rows) else x


class _Known(dict):
    """A few values of one's own on top of those of the part."""

    def __init__(self, below: dict[str, Any]):
        super().__init__()
        self.below = below

    def __missing__(self, name: str):
        return self.below[name]


def _union(masks: list):
    """One mask for several; the same object where they are one."""
    first = masks[0]
    for mask in masks[1:]:
        if mask is not first:
            first = first | mask
    return first


def _distinct(words: dict[str, Choice], rows: int) -> tuple[Any, dict[str, Choice]]:
    """For each row the number of its set of words, and each column of words for the distinct sets."""
    if not words:
        return np.zeros(rows, "i4"), {}
    together, sets = np.zeros(rows, "i4"), 1
    for i, c in enumerate(words.values()):
        together = c.codes if i == 0 else together.astype("i8") * len(c.words) + c.codes
        sets *= len(c.words)
    if sets > rows:  # more sets than rows could name: number those that occur
        found, together = np.unique(together, return_inverse=True)
    else:
        found = np.arange(sets)
    out, rest = {}, found
    for n, c in reversed(words.items()):
        out[n], rest = Choice.of(c.words, (rest % len(c.words)).astype("i4")), rest // len(c.words)
    return together, out


def _rows_of(x, codes):
    """A value of each set of words, for each row."""
    if isinstance(x, Choice):
        return Choice.of(x.words, x.codes[codes])
    if x.size == x.shape[-1]:  # no axis of its own: one dimension is enough, and quicker
        return x.ravel().take(codes) if x.size > 1 else x.item()
    return x.take(codes, axis=-1) if x.shape[-1] > 1 else x


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
    rows = np.shape(next(iter(found.values())))
    first, unknown = np.full(rows, -1, "i2"), np.full(rows, -1, "i2")
    for i in range(len(model.errors) - 1, -1, -1):
        column = np.asarray(found[model.errors[i]])
        if column.dtype.kind == "f":
            np.putmask(unknown, column != column, i)
            np.putmask(first, column == 0, i)
        elif not column.all():
            np.putmask(first, ~column, i)
    return np.where(first < 0, unknown, first)
