"""The traced formula: misuse is refused with what to write, and what is printed is what was written."""

import math

import numpy as np
import pytest

from sheetcalc import operations as o
from sheetcalc.errors import FormulaError
from sheetcalc.expr import leaf, ref
from sheetcalc.operations import OPS, text_of

x, y = ref("batch"), ref("cap")
MISUSE = {
    "if": lambda: 1 if x > 3 else 2,
    "max": lambda: max(x, 3),
    "chained": lambda: 0 < x < y,
    "and": lambda: x > 1 and y > 1,
    "==": lambda: x == "fp8",
    "!=": lambda: x != 3,
    "in": lambda: x in (1, 2),
    "//": lambda: x // 2,
    "%": lambda: x % 2,
    "ceil": lambda: math.ceil(x),
    "floor": lambda: math.floor(x),
    "round": lambda: round(x),
    "int": lambda: int(x),
    "float": lambda: float(x),
    "np.ceil": lambda: np.ceil(x),
    "sum": lambda: sum(x),
    "min": lambda: min(x),
    "list": lambda: x * [1],
    "array": lambda: np.array([1.0, 2.0]) * x,
    "log": lambda: math.log(x),
    "abs": lambda: abs(x),
    "index": lambda: x[0],
    "not": lambda: not x,
    "&": lambda: (x > 1) & (y > 1),
    "|": lambda: (x > 1) | (y > 1),
    "~": lambda: ~(x > 1),
    "unpack": lambda: list(x),
    "contains": lambda: 1 in x,
}


@pytest.mark.parametrize("what", MISUSE)
def test_misuse_fails_at_once(what):
    with pytest.raises((FormulaError, TypeError)):
        MISUSE[what]()


def test_the_words_of_misuse_say_what_to_write():
    with pytest.raises(FormulaError, match="use if_, least, most"):
        bool(x > 3)
    with pytest.raises(FormulaError, match="same"):
        x == 3  # noqa: B015
    with pytest.raises(FormulaError, match="pass it in as a named input"):
        x * [1]


def test_numpy_scalars_on_the_left_are_traced():
    assert repr(np.float64(2) * x) == "*(2.0, batch)"


@pytest.mark.parametrize(
    "e, text",
    [
        (-(x**2), "−(batch^2)"),
        ((-x) ** 2, "(−batch)^2"),
        (x - (y - x), "batch − (cap − batch)"),
        (x - -y, "batch − (−cap)"),
        (x * -y, "batch × (−cap)"),
        ((x**2) ** 3, "(batch^2)^3"),
        (x ** (y**2), "batch^(cap^2)"),
        (x / (y * x), "batch / (cap × batch)"),
        (x / y * x, "batch / cap × batch"),
        (x / (y / x), "batch / (cap / batch)"),
        (leaf(-2) ** 2, "(−2)^2"),
        (2**-x, "2^(−batch)"),
        (o.most(x, y, 1), "max(batch, cap, 1)"),
        (o.both(x > 1, y < 2), "batch > 1 and cap < 2"),
    ],
)
def test_parentheses_are_those_needed_and_no_others(e, text):
    assert text_of(e, str) == text


def test_every_reflected_operator_is_traced():
    for e in (2 + x, 2 - x, 2 * x, 2 / x, 2**x):
        assert e.args[0].args[0] == 2.0 and e.args[1] is x


def test_whole_things_are_counted_after_rounding_to_nine_digits():
    for up in (o.ceil, lambda v: o.ceil(np.array([v]))[0]):
        assert up(0.65 * 20) == 13 and up(13 + 5e-9) == 14 and up(-0.5) == 0
    for down in (o.floor, lambda v: o.floor(np.array([v]))[0]):
        assert down(12.9999999999) == 13 and down(12.9999) == 12
    assert o.ceil(3e6 + 0.25) == 3e6 + 1


def test_array_and_float_forms_of_elementwise_operations_agree():
    draw = np.random.default_rng(1)
    for name, op in OPS.items():
        if op.along or op.statistical or name in ("when", "given", "stated", "known", "same"):
            continue
        count = {"if_": 3}.get(name, 1 if "{1}" not in op.excel and op.excel.count("{}") < 2 and "{*}" not in op.excel else 2)
        values = draw.uniform(0.1, 4, (count, 50))
        if name in ("both", "either", "negate", "if_"):
            values[0] = values[0] > 2
        arrays = op.array(*values)
        for i in range(50):
            args = [v[i].item() for v in values]
            if name in ("both", "either", "negate", "if_"):
                args[0] = bool(args[0])
            assert math.isclose(float(op.calc(*args)), float(arrays[i]), rel_tol=1e-15), name
