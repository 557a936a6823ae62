"""Which names stand for a text, and the texts that they can be."""

from __future__ import annotations

from sheetcalc.expr import LEAVES, Expr
from sheetcalc.model import Model


def texts(model: Model, name: str) -> tuple[str, ...] | None:
    """The texts that a name can be, () when it may be any, None when it is no text."""
    own = model.typed.get(name, name)
    if own not in model.inputs:
        return _of(model, model.steps[name].expr)
    about = model.inputs[own]
    if not about.is_text:
        return None
    column = about.value if isinstance(about.value, (list, tuple)) else ()
    return about.choices or tuple(dict.fromkeys(x for x in column if x))


def _of(model: Model, e: Expr) -> tuple[str, ...] | None:
    if e.op == "ref":
        return texts(model, e.args[0])
    if e.op in LEAVES:
        return (e.args[0],) if e.op == "text" else None
    branches = {
        "if_": e.args[1:],
        "when": e.args[1:],
        "stated": e.args,
        "given": e.args,
        "at": e.args[:1],
        "at_or_below": e.args[:1],
        "before": e.args[:1],
        "highest_at": e.args[1:2],
        "lowest_at": e.args[1:2],
        "first": e.args[1:2],
        "last": e.args[1:2],
    }
    found = [_of(model, a) for a in branches.get(e.op, ())]
    if not found or None in found:
        return None
    return tuple(dict.fromkeys(t for part in found for t in part)) if all(found) else ()
