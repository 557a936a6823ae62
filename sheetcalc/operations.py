"""One table: how each operation is worked out on floats and on arrays, spelled in Excel, shown to a reader, and checked for units.

No operation exists in one reading and not in the others; a test walks the table.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

from sheetcalc import axes, special
from sheetcalc.axes import Choice, np
from sheetcalc.expr import LEAVES, Expr, node

LOGIC, CMP, ADD, MUL, NEG, POW, ATOM = 0, 1, 2, 3, 4, 5, 9
DIGITS = 1e9  # whole things are counted after rounding to nine digits, so that 13.000000000000002 is 13
UNROUNDED = 1e6  # above a million a tenth of a billionth is below the last bit of a double


class Op(NamedTuple):
    """One operation.

    `along` names the part of the axis that an operation along an axis reads ("all", "to here", "from here", "before"); its arguments
    are (values, axis, …) and on floats (list of values, list of labels, position, …). `worked` is the Excel spelling where the column is an
    expression, and `lifted` that of what stands inside such an expression, where it differs. `units` is the rule of the unit check.
    `maybe`: the result may be missing although no argument is.
    """

    calc: Callable
    array: Callable
    excel: str
    text: str
    prec: int = ATOM
    units: str = "alike"
    along: str = ""
    worked: str = ""
    lifted: str = ""
    joins: str = ", "
    maybe: bool = False
    statistical: bool = False


def _rounded(x: float) -> float:
    return x if abs(x) >= UNROUNDED else round(x * DIGITS) / DIGITS


def _rounded_array(x):
    near = np.rint(x * DIGITS) / DIGITS
    return near if np.max(np.abs(x), initial=0) < UNROUNDED else np.where(np.abs(x) < UNROUNDED, near, x)


def _ceil(x):
    return float(math.ceil(_rounded(x)))


def _floor(x):
    return float(math.floor(_rounded(x)))


def _same(a, b):
    return a == b


def _same_array(a, b):
    if isinstance(b, Choice):
        a, b = b, a
    return a.each(lambda word: word == b) if isinstance(a, Choice) else a == b


def _blank(x) -> bool:
    return x is None or x == "" or x != x


def _given(x, other):
    return other if _blank(x) else x


def _given_array(x, other):
    if isinstance(x, str):
        return other if x == "" else x
    if not isinstance(x, Choice):
        x = np.asarray(x)
        return np.where(x == "" if x.dtype.kind in "US" else np.isnan(x), _spread(other), x)
    if "" not in x.words:
        return x
    others = other if isinstance(other, Choice) else Choice(np.broadcast_to(np.ravel(other), len(x)).tolist())
    words = x.words + [w for w in others.words if w not in x.words]
    moved = np.array([words.index(w) for w in others.words])[others.codes]
    return Choice.of(words, np.where(x.codes == x.words.index(""), moved, x.codes))


def _where(condition, yes, no):
    return np.where(condition, _spread(yes), _spread(no))


def _spread(x):
    return np.array(x.list()) if isinstance(x, Choice) else x


def _known_array(x):
    return ~np.isnan(np.asarray(x, float))


def _percentile(xs, labels, i, p):
    xs = sorted(xs)
    low = min(int(p * (len(xs) - 1)), max(len(xs) - 2, 0))
    high = min(low + 1, len(xs) - 1)
    return xs[low] + (p * (len(xs) - 1) - low) * (xs[high] - xs[low])


def _at(xs, labels, i, key):
    return xs[labels.index(key)] if key in labels else math.nan


def _at_or_below(xs, labels, i, key):
    below = [x for x, label in zip(xs, labels) if label <= key]
    return below[-1] if below else math.nan


def _nth_highest(xs, labels, i, k):
    return sorted(xs, reverse=True)[int(k) - 1] if 1 <= k <= len(xs) else math.nan


def _by_element(f):
    return lambda *a: np.vectorize(f, otypes=[float])(*a)


def _lazy(name):
    """A numpy function found at its first use."""
    return lambda *a, **k: getattr(np, name)(*a, **k)


def _infix(f, excel, text, prec, units):
    return Op(f, f, excel, text, prec, units)


def _many(f, array):
    return lambda *xs: f(xs), lambda *xs: reduce(array, xs)


OPS: dict[str, Op] = {
    "+": _infix(operator.add, "{}+{}", "{} + {}", ADD, "alike"),
    "-": _infix(operator.sub, "{}-{}", "{} − {}", ADD, "alike"),
    "*": _infix(operator.mul, "{}*{}", "{} × {}", MUL, "product"),
    "/": _infix(operator.truediv, "{}/{}", "{} / {}", MUL, "ratio"),
    "^": _infix(operator.pow, "{}^{}", "{}^{}", POW, "power"),
    "neg": _infix(operator.neg, "-{}", "−{}", NEG, "alike"),
    "<": _infix(operator.lt, "{}<{}", "{} < {}", CMP, "compare"),
    "<=": _infix(operator.le, "{}<={}", "{} ≤ {}", CMP, "compare"),
    ">": _infix(operator.gt, "{}>{}", "{} > {}", CMP, "compare"),
    ">=": _infix(operator.ge, "{}>={}", "{} ≥ {}", CMP, "compare"),
    "same": Op(_same, _same_array, "{}={}", "{} = {}", CMP, "compare"),
    # lifted: of rounding, every engine takes only INT over a whole column; half of the ninth digit does what ROUND does elsewhere
    "ceil": Op(_ceil, lambda x: np.ceil(_rounded_array(x)), "CEILING(ROUND({},9),1)", "round up({})", lifted="(-INT(5E-10-({})))"),
    "floor": Op(_floor, lambda x: np.floor(_rounded_array(x)), "INT(ROUND({},9))", "round down({})", lifted="INT(({})+5E-10)"),
    "least": Op(*_many(min, _lazy("minimum")), "MIN({*})", "min({*})"),
    "most": Op(*_many(max, _lazy("maximum")), "MAX({*})", "max({*})"),
    "sqrt": Op(math.sqrt, _lazy("sqrt"), "SQRT({})", "√({})", units="root"),
    "ln": Op(math.log, _lazy("log"), "LN({})", "ln({})", units="plain"),
    "exp": Op(math.exp, _lazy("exp"), "EXP({})", "exp({})", units="plain"),
    "fraction": Op(
        lambda x: x - math.floor(x),
        lambda x: x - np.floor(x),
        "({0}-INT({0}))",
        "fraction of ({})",
        units="plain",
        lifted="(({0})-INT(({0})+0))",  # IronCalc takes INT of a bare column for INT of one cell
    ),
    "normal_quantile": Op(
        special.normal_quantile,
        _by_element(special.normal_quantile),
        "NORMSINV({})",
        "normal quantile({})",
        units="plain",
        statistical=True,
    ),
    "normal_share": Op(
        special.normal_share, _by_element(special.normal_share), "NORMSDIST({})", "normal share({})", units="plain", statistical=True
    ),
    "beta_share": Op(
        special.beta_share, _by_element(special.beta_share), "BETADIST({},{},{})", "beta share({*})", units="plain", statistical=True
    ),
    "poisson_exactly": Op(
        special.poisson_exactly,
        _by_element(special.poisson_exactly),
        "POISSON({},{},FALSE)",
        "Poisson chance of {} at mean {}",
        units="plain",
        statistical=True,
    ),
    "poisson_at_most": Op(
        special.poisson_at_most,
        _by_element(special.poisson_at_most),
        "POISSON({},{},TRUE)",
        "Poisson chance of at most {} at mean {}",
        units="plain",
        statistical=True,
    ),
    "both": Op(*_many(all, _lazy("logical_and")), "AND({*})", "{*}", LOGIC, "logic", joins=" and "),
    "either": Op(*_many(any, _lazy("logical_or")), "OR({*})", "{*}", LOGIC, "logic", joins=" or "),
    "negate": Op(operator.not_, _lazy("logical_not"), "NOT({})", "not ({})", units="logic"),
    "known": Op(lambda x: not _blank(x), _known_array, "ISNUMBER({})", "{} is known", units="logic"),
    "if_": Op(lambda c, a, b: a if c else b, _where, "IF({},{},{})", "({1} if {0}, else {2})", units="choice"),
    "when": Op(
        lambda c, x: x if c else math.nan, lambda c, x: np.where(c, x, math.nan), "IF({},{},NA())", "{1}", units="second", maybe=True
    ),
    "given": Op(_given, _given_array, "IF(ISNUMBER({0}),{0},{1})", "{0}, else {1}"),
    "stated": Op(_given, _given_array, "IF(ISTEXT({0}),{0},{1})", "{0}, else {1}"),
    # along an axis
    "total": Op(
        lambda xs, ls, i: math.fsum(xs), axes.over(_lazy("sum")), "SUM({0})", "Σ {0}", units="first", along="all", worked="SUMPRODUCT({0})"
    ),
    "count": Op(
        lambda xs, ls, i: float(sum(map(bool, xs))),
        axes.over(lambda x, **k: np.sum(x, dtype=float, **k)),
        "SUMPRODUCT(--({0}))",
        "number of {1} with {0}",
        units="logic",
        along="all",
        worked="SUMPRODUCT(--({0}))",
    ),
    "highest": Op(lambda xs, ls, i: max(xs), axes.over(_lazy("max")), "MAX({0})", "highest {0}", units="first", along="all"),
    "lowest": Op(lambda xs, ls, i: min(xs), axes.over(_lazy("min")), "MIN({0})", "lowest {0}", units="first", along="all"),
    "highest_at": Op(
        lambda xs, ls, i: ls[xs.index(max(xs))],
        axes.label_of(_lazy("argmax")),
        "INDEX({1},MATCH(MAX({0}),{0},0))",
        "{1} with the highest {0}",
        units="label",
        along="all",
    ),
    "lowest_at": Op(
        lambda xs, ls, i: ls[xs.index(min(xs))],
        axes.label_of(_lazy("argmin")),
        "INDEX({1},MATCH(MIN({0}),{0},0))",
        "{1} with the lowest {0}",
        units="label",
        along="all",
    ),
    "at": Op(_at, axes.at, "INDEX({0},MATCH({2},{1},0))", "{0}[{2}]", units="first", along="all"),
    "at_or_below": Op(
        _at_or_below, axes.at_or_below, "INDEX({0},MATCH({2},{1},1))", "{0}[last {1} ≤ {2}]", units="first", along="all", maybe=True
    ),
    "first": Op(
        lambda xs, ls, i: next((label for x, label in zip(xs, ls) if x == 1), math.nan),
        axes.first,
        "INDEX({1},MATCH(TRUE,{0},0))",
        "first {1} with {0}",
        units="label",
        along="all",
        maybe=True,
    ),
    "last": Op(
        lambda xs, ls, i: max((label for x, label in zip(xs, ls) if x), default=math.nan),
        axes.last,
        "IF(SUMPRODUCT(--({0}))=0,NA(),SUMPRODUCT(MAX(({0})*{1})))",
        "last {1} with {0}",
        units="label",
        along="all",
        maybe=True,
    ),
    "nth_highest": Op(_nth_highest, axes.nth_highest, "LARGE({0},{2})", "highest {0} number {2}", units="first", along="all", maybe=True),
    "percentile": Op(
        _percentile, axes.percentile, "PERCENTILE({0},{2})", "percentile {2} of {0}", units="first", along="all", statistical=True
    ),
    "running": Op(lambda xs, ls, i: math.fsum(xs), axes.running, "SUM({0})", "running Σ {0}", units="first", along="to here"),
    "highest_so_far": Op(lambda xs, ls, i: max(xs), axes.highest_so_far, "MAX({0})", "highest {0} so far", units="first", along="to here"),
    "lowest_ahead": Op(
        lambda xs, ls, i: min(xs), axes.lowest_ahead, "MIN({0})", "lowest {0} from here on", units="first", along="from here"
    ),
    "before": Op(
        lambda xs, ls, i, start: xs[0] if i else start,
        axes.before,
        "IF({1}={first},{2},{0})",
        "{0} in the row above",
        units="outer",
        along="before",
    ),
}


def _function(name: str):
    op = OPS[name]

    def call(*args):
        arrays = False
        for a in args:
            if type(a) is Expr:
                return node(name, *args)
            arrays = arrays or hasattr(a, "ndim")
        return (op.array if arrays else op.calc)(*args)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Excel: {op.excel}"
    return call


at, at_or_below, before, beta_share, both, ceil, count, either, exp, first = map(
    _function, ("at", "at_or_below", "before", "beta_share", "both", "ceil", "count", "either", "exp", "first")
)
floor, fraction, given, highest, highest_at, highest_so_far, if_, known, last, least = map(
    _function, ("floor", "fraction", "given", "highest", "highest_at", "highest_so_far", "if_", "known", "last", "least")
)
ln, lowest, lowest_ahead, lowest_at, most, negate, normal_quantile, normal_share, nth_highest, percentile = map(
    _function,
    ("ln", "lowest", "lowest_ahead", "lowest_at", "most", "negate", "normal_quantile", "normal_share", "nth_highest", "percentile"),
)
poisson_at_most, poisson_exactly, running, same, sqrt, stated, total, when = map(
    _function, ("poisson_at_most", "poisson_exactly", "running", "same", "sqrt", "stated", "total", "when")
)

TRUTHS = {"both", "either", "negate", "known", "same", "<", "<=", ">", ">="}


def is_truth(e: Expr) -> bool:
    """Whether a formula is true or false rather than a number."""
    return e.op in TRUTHS


def level(e: Expr) -> int:
    """How tightly the outermost operation binds."""
    if e.op in LEAVES:
        return NEG if e.op == "num" and e.args[0] < 0 else ATOM
    return OPS[e.op].prec


def closed(e: Expr, i: int, text: str) -> str:
    """Argument i of an operation, in the parentheses it needs and no others."""
    prec, inner = OPS[e.op].prec, level(e.args[i])
    right = i == 1 and len(e.args) == 2
    tight = (
        inner < prec
        or prec == LOGIC == inner
        or (inner == prec and (right or prec in (CMP, POW)))
        or (right and inner == NEG)  # a − (−b)
        or (e.op == "neg" and inner < ATOM)
    )  # Excel reads -a^b as (-a)^b
    return f"({text})" if prec < ATOM and tight else text


def fill(template: str, parts: list[str], joins: str = ",") -> str:
    """The arguments in a template; `{*}` is all of them."""
    return template.replace("{*}", joins.join(parts)) if "{*}" in template else template.format(*parts)


def text_of(e: Expr, show: Callable[[str], str]) -> str:
    """The formula as a line of arithmetic; `show` turns a name into its label or its value."""
    if e.op == "num":
        return f"{e.args[0]:.15g}".replace("-", "−")
    if e.op == "text":
        return e.args[0]
    if e.op == "ref":
        return show(e.args[0])
    op = OPS[e.op]
    return fill(op.text, [closed(e, i, text_of(a, show)) for i, a in enumerate(e.args)], op.joins)
