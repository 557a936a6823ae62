"""Random sums over columns: Python, LibreOffice and IronCalc give the same value, whatever of the columns has a name."""

import math
import random

import openpyxl
import pytest
import recalc
from openpyxl.workbook.defined_name import DefinedName

from sheetcalc.cells import Cells
from sheetcalc.expr import Expr, leaf, node, ref, refs
from sheetcalc.model import Grid, Input, Model
from sheetcalc.workbook.formulas import Place, Printer

COUNT = 600
NAMED = {"aa_row": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "bb_row": [0.5, -2.25, 3.0, 4.99999999997, 7.00000000003, 0.0]}
UNNAMED = {"cc_row": [12.0, 2.5, 0.75, 1.0, 3.2, 8.0], "dd_row": [1.2, 1.0, 0.1, 2.0, 5.0, 0.3]}  # columns of a table have no names
ALONE = {"ee_x": 1.5, "ff_x": 3.0}
AXIS, WAYS = "aa_row", "way"


def tree(draw: random.Random, depth: int) -> Expr:
    """A formula that is worked out entry by entry."""
    if depth <= 0 or draw.random() < 0.1:
        return ref(draw.choice([*NAMED, *UNNAMED, *ALONE])) if draw.random() < 0.85 else leaf(draw.choice((0, 1, 2)))
    kind = draw.choice(["+", "-", "*", "*", "/", "^", ">", "<=", "ceil", "ceil", "floor", "fraction"])
    if kind in ("ceil", "floor", "fraction"):
        return node(kind, tree(draw, depth - 1))
    if kind == "^":
        return node("^", node("+", node("*", ref("dd_row"), ref("dd_row")), 1), tree(draw, depth - 2))
    if kind in (">", "<="):
        return node("*", node(kind, tree(draw, depth - 2), tree(draw, depth - 2)), tree(draw, depth - 1))
    return node(kind, tree(draw, depth - 1), tree(draw, depth - 1))


@pytest.fixture(scope="module")
def sums():
    """Sums of a usual size, with their value in Python; those of which a hair decides are left out."""
    hair = {n: [x * (1 + 1e-12) for x in xs] for n, xs in UNNAMED.items()}
    near, whole = cells(), cells(bb_row=[round(x, 9) for x in NAMED["bb_row"]], **hair)
    draw, out = random.Random(11), []
    while len(out) < COUNT:
        e = node("total", tree(draw, 5), ref(AXIS))
        if not refs(e.args[0]) & (NAMED.keys() | UNNAMED.keys()):
            continue  # refused: nothing to add up
        try:
            value, other = near.read(e, {}), whole.read(e, {})
        except (ZeroDivisionError, OverflowError, ValueError):
            continue
        if isinstance(value, float) and 1e-6 < abs(value) < 1e9 and math.isclose(value, other, rel_tol=1e-6):
            out.append((e, value))
    return out


def cells(**columns) -> Cells:
    """The columns as Python reads them."""
    inputs = {n: Input(v, "", n) for n, v in ALONE.items()}
    typed = {n: Input(v, "", n) for n, v in (NAMED | UNNAMED | columns).items() if n != AXIS}
    return Cells(Model("fuzz", {}, inputs, [Grid("rows", "Rows", rows={AXIS: Input(NAMED[AXIS], "", AXIS)}, typed=typed)]))


@pytest.fixture(scope="module")
def workbook(sums, tmp_path_factory):
    """The same sums as a workbook holds them, columns and single cells on another sheet than the sums."""
    book = openpyxl.Workbook()
    book.active.title = "Sums"
    data = book.create_sheet("Its data")
    places = {}
    for col, (name, values) in enumerate((NAMED | UNNAMED).items(), 1):
        places[name] = Place("Its data", 2, col, AXIS, "" if name in NAMED else WAYS)
        for i, value in enumerate(values):
            data.cell(2 + i, col, value)
    for row, (name, value) in enumerate(ALONE.items(), 2):
        places[name] = Place("Its data", row, 9)
        data.cell(row, 9, value)
    printer = Printer(places, {AXIS: 6, WAYS: 1})
    for name in [*NAMED, *ALONE]:
        span = {AXIS: ((0, True), (5, True))} if name in NAMED else {}
        book.defined_names[name] = DefinedName(name, attr_text=places[name].address(span, ""))
    at = {WAYS: ((0, False), (0, False))}
    for row, (e, _) in enumerate(sums, 1):
        book.active.cell(row, 1, "=" + printer.formula(e, at, "Sums"))
    path = tmp_path_factory.mktemp("fuzz") / "sums.xlsx"
    book.save(path)
    return path


@pytest.mark.parametrize("engine", ["LibreOffice", "IronCalc"])
def test_an_engine_agrees(sums, workbook, tmp_path, engine):
    got = recalc.iron(workbook) if engine == "IronCalc" else recalc.libreoffice(workbook, tmp_path)
    want = {("Sums", f"A{i}"): value for i, (_, value) in enumerate(sums, 1)}
    formulas = recalc.formulas(workbook)
    assert [(formulas[at], x, y) for at, x, y in recalc.differences(want, got)] == []
