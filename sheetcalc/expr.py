"""The traced formula: one node class, made by calling a quantity with names instead of numbers.

A node records the operation that the author wrote; nothing is rewritten or folded, so that Python, Excel and the memo
agree to the last bit and look like what the author wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sheetcalc.errors import FormulaError

LEAVES = ("num", "text", "ref")
HINT = "use if_, least, most, both or same instead of if, min, max, and, or, == or a chained comparison"


class Expr:
    """An operation and its arguments, or a leaf: a number, a text, or a reference to a name. It is never changed."""

    __slots__ = ("args", "op")

    def __init__(self, op: str, args: tuple[Any, ...]):
        self.op, self.args = op, args

    __array_ufunc__ = None  # np.float64(2) * x defers to x.__rmul__
    __iter__ = None  # min(x), sum(x) and a, b = x fail at once
    __hash__ = object.__hash__

    def __neg__(self):
        return node("neg", self)

    def __bool__(self):
        raise FormulaError(f"{self!r} is a formula and is neither true nor false yet; {HINT}")

    def __eq__(self, other):
        raise FormulaError(f"{self!r} == … has no answer while a formula is traced; use same(a, b)")

    def __ne__(self, other):
        raise FormulaError(f"{self!r} != … has no answer while a formula is traced; use negate(same(a, b))")

    def __repr__(self):
        if self.op in LEAVES:
            return str(self.args[0])
        return f"{self.op}({', '.join(map(repr, self.args))})"


def _refuse(sign: str, instead: str):
    def method(self, *_):
        raise FormulaError(f"{sign} of {self!r} cannot be traced; {instead}")

    return method


for _name, _op in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "^"}.items():
    setattr(Expr, f"__{_name}__", lambda self, other, op=_op: node(op, self, other))
    setattr(Expr, f"__r{_name}__", lambda self, other, op=_op: node(op, other, self))
for _name, _op in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Expr, f"__{_name}__", lambda self, other, op=_op: node(op, self, other))
for _name, _sign, _instead in [
    ("floordiv", "//", "write floor(a / b)"),
    ("mod", "%", "write fraction(a / b) * b"),
    ("abs", "abs()", "write most(a, -a)"),
    ("round", "round()", "nothing is rounded inside a chain but whole things: ceil or floor"),
    ("int", "int()", "write floor(x)"),
    ("float", "float()", "a formula has no value yet"),
    ("ceil", "math.ceil", "use sheetcalc's ceil"),
    ("floor", "math.floor", "use sheetcalc's floor"),
    ("and", "&", "write both(a, b)"),
    ("or", "|", "write either(a, b)"),
    ("invert", "~", "write negate(a)"),
    ("getitem", "[…]", "write at(column, axis, key)"),
    ("contains", "in", "write either(same(x, a), same(x, b))"),
]:
    setattr(Expr, f"__{_name}__", _refuse(_sign, _instead))
    if _name in ("floordiv", "mod", "and", "or"):
        setattr(Expr, f"__r{_name}__", _refuse(_sign, _instead))


def ref(name: str) -> Expr:
    return Expr("ref", (name,))


def node(op: str, *args) -> Expr:
    return Expr(op, tuple(map(leaf, args)))


def leaf(x) -> Expr:
    if isinstance(x, Expr):
        return x
    if isinstance(x, str):
        return Expr("text", (x,))
    if isinstance(x, (bool, int, float)):
        return Expr("num", (float(x),))
    raise FormulaError(f"a formula cannot hold {x!r}; pass it in as a named input")


def walk(e: Expr) -> Iterator[Expr]:
    """The node and everything below it, in the order in which it is read."""
    todo = [e]
    while todo:
        e = todo.pop()
        yield e
        if e.op not in LEAVES:
            todo.extend(reversed(e.args))


def refs(e: Expr) -> set[str]:
    """The names that a formula reads."""
    return {x.args[0] for x in walk(e) if x.op == "ref"}
