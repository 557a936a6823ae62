"""Many draws of the finance study at once: the table of months with a column for each draw, chunk by chunk.

The Draws sheet works the same draws out with the direct formulas; both give the same advantage (a test compares them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheetcalc.axes import np
from sheetcalc.copies import renamed
from sheetcalc.model import Grid, Input, Model, Step
from sheetcalc.quantities.finance_draws import DRAWN
from sheetcalc.run import run, work_out
from sheetcalc.study import Result

CHUNK = 1024  # draws whose table of months stays in the processor's cache


def advantages(result: Result, count: int, chunk: int = CHUNK):
    """The advantage of building over the API in draws 1 to `count`, in $."""
    return np.concatenate(list(_parts(result, count, chunk)))


def _parts(result: Result, count: int, chunk: int) -> Iterator:
    months = [m for m in result.model.inputs["month"].value if m <= result.value("horizon")]
    factors = _part_of(result, DRAWN.values(), (), {"draw": [1.0]})
    table = _part_of(result, ["build_advantage"], (*DRAWN, *_settled(result)), {"month": months})
    moving, still = _moving(table, DRAWN), run(table)
    for first in range(1, count + 1, chunk):
        drawn = run(factors, {"draw": [float(i) for i in range(first, min(first + chunk, count + 1))]})
        yield np.ravel(_only("build_advantage", moving, still | {name: np.ravel(drawn[column]) for name, column in DRAWN.items()}))


def _moving(model: Model, columns: Iterable[str]) -> list[Step]:
    """The steps that these columns reach; the others are worked out once."""
    reached, steps = set(columns), []
    for step in model.steps.values():
        if reached.intersection(step.needs):
            reached.add(step.name)
            steps.append(step)
    return steps


def _only(output: str, steps: list[Step], known: dict):
    """One output; each array is let go after its last use, so that the next one takes its place in the cache."""
    last = {name: i for i, step in enumerate(steps) for name in (*step.needs, step.name)}
    with np.errstate(all="ignore"):
        for i, step in enumerate(steps):
            work_out([step], known)
            for name in step.needs:
                if last[name] == i:
                    known.pop(name, None)
    return known[output]


def _settled(result: Result) -> list[str]:
    """What no draw changes: the way to pay for nodes, whether the volume shrinks (its factor is never negative), and what is zero in all
    months."""
    zero = [] if result.value("owning") else ["owned_nodes", "site_bill"]
    return ["chosen_mode", "shrinking", *zero] + ([] if any(result.value("in_bridge")) else ["bridge_bill"])


def _part_of(result: Result, outputs: Iterable[str], given: Iterable[str], axes: dict[str, list]) -> Model:
    """The part of the study that these outputs need, with the result's values as inputs; what is in `given` becomes an input too."""
    whole, functions, inputs, columns = result.model, {}, {}, {}
    wanted = list(outputs)
    while wanted:
        name = wanted.pop()
        if name in whole.steps and name not in given:
            step = whole.steps[name]
            functions[name] = renamed(step.fn, name, step.needs)
            wanted += [n for n in step.needs if n not in functions]
        elif whole.home.get(name):
            columns.setdefault(next(iter(whole.home[name])), {})[name] = Input(
                axes.get(name) or result.value(name)[: len(axes.get(next(iter(whole.home[name])), result.value(name)))],
                whole.unit(name),
                name,
            )
        else:
            inputs[name] = Input(result.value(name), whole.unit(name), name)
    grids = [Grid(f"of_{axis}", axis, rows={axis: of.pop(axis)}, typed=of) for axis, of in columns.items()]
    pairs = {whole.home[n] for n in functions if len(whole.home[n]) == 2}
    return Model(
        whole.name,
        functions,
        inputs,
        grids + [Grid(f"of_{'_'.join(sorted(p))}", "", rows=sorted(p)[0], columns=sorted(p)[1]) for p in pairs],
    )
