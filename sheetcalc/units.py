"""Units at the edge: how many base units one display unit is, what a unit measures, and whether a formula's units go together.

Dimensions are s, min, h, day, week, month, year (each its own), B, FLOP and $. Tokens, GPUs, replicas, requests, watts and parameters are
counts: labels, not dimensions. A kWh is a label times an hour.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from sheetcalc.errors import UnitError
from sheetcalc.expr import Expr
from sheetcalc.operations import OPS

PREFIX = {
    "µ": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "Ki": 2.0**10,
    "Mi": 2.0**20,
    "Gi": 2.0**30,
    "Ti": 2.0**40,
}
SCALED = ("B", "s", "FLOP", "tok", "param", "W", "Wh", "$", "req")
MEASURED = ("s", "min", "h", "day", "week", "month", "year", "B", "FLOP", "$")
_WORD = re.compile(rf"^(Ki|Mi|Gi|Ti|[µmkMGTP])?({'|'.join(map(re.escape, SCALED))})$")


def words(unit: str) -> list[tuple[str, int]]:
    """'$/M tok' is [('$', 1), ('Mtok', -1)]."""
    out = []
    for i, part in enumerate(re.sub(r"\b([kMG]) (?=tok|param|req)", r"\1", unit).split("/")):
        out += [(w.strip(), 1 if i == 0 else -1) for w in part.split("·") if w.strip() not in ("", "1")]
    return out


def _split(word: str) -> tuple[str, str]:
    found = _WORD.match(word)
    return (found[1] or "", found[2]) if found else ("", word)


@lru_cache(None)
def scale(unit: str) -> float:
    """How many base units one display unit is: 1e-6 for µs, 0.01 for %, 1e-06 for $/M tok."""
    if unit == "%":
        return 0.01
    up = down = 1.0
    for word, power in words(unit):
        prefix = PREFIX.get(_split(word)[0], 1.0)
        if power > 0:
            up *= prefix
        else:
            down *= prefix
    return up / down


@lru_cache(None)
def base(unit: str) -> str:
    """The label of the base unit: '$/tok' for '$/M tok', '' for %."""
    if unit == "%":
        return ""
    up = "·".join(_split(w)[1] for w, power in words(unit) if power > 0)
    return up + "".join(f"/{_split(w)[1]}" for w, power in words(unit) if power < 0) if unit else ""


Dimension = dict[str, Fraction]
FREE: Dimension = {}
ANY = None  # a literal 0 goes with everything


@lru_cache(None)
def _dimension(unit: str) -> tuple:
    out: Dimension = {}
    for word, power in words(unit.replace("%", "")):
        name = _split(word)[1]
        name = "h" if name == "Wh" else name
        if name in MEASURED:
            out[name] = out.get(name, Fraction(0)) + power
    return tuple((k, v) for k, v in out.items() if v)


def dimension(unit: str) -> Dimension:
    """'$/GPU/h' is {'$': 1, 'h': -1}."""
    return dict(_dimension(unit))


def spelled(d: Dimension) -> str:
    """A dimension as a reader writes it."""

    def power(k, v):
        return k if v == 1 else f"{k}^{v}"

    up = "·".join(power(k, v) for k, v in sorted(d.items()) if v > 0) or "1"
    return up + "".join(f"/{power(k, -v)}" for k, v in sorted(d.items()) if v < 0)


def _times(a: Dimension, b: Dimension, sign: int = 1) -> Dimension:
    out = dict(a)
    for k, v in b.items():
        out[k] = out.get(k, Fraction(0)) + sign * v
    return {k: v for k, v in out.items() if v}


def dimension_of(e: Expr, unit_of) -> Dimension | None:
    """The dimension of a formula; `unit_of(name)` gives the unit of a name.

    Raises UnitError where units do not go together.
    """
    if e.op == "num":
        return ANY if e.args[0] == 0 else FREE
    if e.op == "text":
        return FREE
    if e.op == "ref":
        return dimension(unit_of(e.args[0]))
    args = [dimension_of(a, unit_of) for a in e.args]
    rule = OPS[e.op].units
    if rule in ("product", "ratio"):
        return _times(args[0] or FREE, args[1] or FREE, 1 if rule == "product" else -1)
    if rule == "power":
        if args[1] or (args[0] and e.args[1].op != "num"):
            raise UnitError(f"an exponent must be a plain number, and of a measure a written one: {e!r}")
        return {k: v * Fraction(e.args[1].args[0]) for k, v in (args[0] or FREE).items()}
    if rule == "root":
        return {k: v / 2 for k, v in (args[0] or FREE).items()}
    if rule == "plain":
        _alike(e, [FREE, *args])
        return FREE
    if rule == "logic":
        return FREE
    if rule == "first":
        return args[0]
    if rule == "second":
        return args[1]
    if rule == "label":
        return args[1]
    found = _alike(e, {"choice": args[1:], "outer": [args[0], args[2]] if rule == "outer" else args}.get(rule, args))
    return FREE if rule == "compare" else found


def _alike(e: Expr, dimensions: list) -> Dimension | None:
    real = [d for d in dimensions if d is not ANY]
    for d in real[1:]:
        if d != real[0]:
            raise UnitError(f"{spelled(real[0])} and {spelled(d)} do not go together in {e!r}")
    return real[0] if real else ANY


def check_units(name: str, e: Expr, unit: str, unit_of) -> None:
    """Raise UnitError when the formula of `name` does not measure what its unit says."""
    found = dimension_of(e, unit_of)
    if found is not ANY and found != dimension(unit):
        raise UnitError(f"{name} is in {unit or 'no unit'}, but its formula gives {spelled(found)}: {e!r}")
