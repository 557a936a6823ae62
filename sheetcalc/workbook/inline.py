"""Fewer columns for a table of scenarios: quantities that serve once, or are short, stand inside the formulas that read them."""

from __future__ import annotations

from sheetcalc.expr import LEAVES, Expr, refs, walk
from sheetcalc.model import Model


def varying(model: Model, inputs: set[str]) -> set[str]:
    """The scalar quantities that change when these inputs do, and the inputs themselves."""
    out = set(inputs)
    for step in model.steps.values():
        if not step.axes and out & set(step.needs):
            out.add(step.name)
    return out


def columns(model: Model, outputs: list[str], inputs: set[str], most: int) -> dict[str, Expr]:
    """The formulas of a row, in order, for these outputs when these inputs vary: at most `most` of them.

    What is read once is put inside its reader; then what makes the others longer by the least.
    """
    moving = varying(model, inputs)
    exprs = {s.name: s.expr for s in model.upstream(outputs) if s.name in moving and not s.axes}
    sizes = {n: _size(e) for n, e in exprs.items()}
    while True:
        uses = _uses(exprs)
        free = [n for n in exprs if n not in outputs]
        once = [n for n in free if uses[n] == 1]
        if once:
            name = once[0]
        elif len(exprs) > most and free:
            name = min(free, key=lambda n: (uses[n] - 1) * sizes[n])
        else:
            return exprs
        inner = exprs.pop(name)
        exprs = {n: _put(e, name, inner) if name in refs(e) else e for n, e in exprs.items()}
        sizes = {n: _size(e) for n, e in exprs.items()}


def _uses(exprs: dict[str, Expr]) -> dict[str, int]:
    uses = dict.fromkeys(exprs, 0)
    for e in exprs.values():
        for x in walk(e):
            if x.op == "ref" and x.args[0] in uses:
                uses[x.args[0]] += 1
    return uses


def _size(e: Expr) -> int:
    return sum(1 for _ in walk(e))


def _put(e: Expr, name: str, inner: Expr) -> Expr:
    """The formula with a name replaced by what it stands for."""
    if e.op == "ref":
        return inner if e.args[0] == name else e
    return e if e.op in LEAVES else Expr(e.op, tuple(_put(a, name, inner) for a in e.args))
