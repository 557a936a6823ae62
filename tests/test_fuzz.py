"""Random formulas: Python, the printed line retyped, LibreOffice and IronCalc give the same value."""

import math
import random
import re

import ironcalc
import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from recalc import libreoffice

from sheetcalc.cells import Cells
from sheetcalc.expr import Expr, leaf, node, ref
from sheetcalc.model import Input, Model
from sheetcalc.operations import text_of
from sheetcalc.workbook.formulas import Place, Printer

NAMES = {"aa_x": 3.5, "bb_x": -2.25, "cc_x": 0.5, "dd_x": 7.0}
COUNT = 1500
LITERALS = (2, 3, -2, 0.25, -1.5, 1)


def tree(draw: random.Random, depth: int) -> Expr:
    """A random formula over four names."""
    if depth <= 0 or draw.random() < 0.15:
        return ref(draw.choice(list(NAMES))) if draw.random() < 0.7 else leaf(draw.choice(LITERALS))
    kind = draw.choice(["+", "-", "*", "/", "neg", "^", "least", "most", "if_", "ceil", "floor", "fraction", "sqrt"])

    def below():
        return tree(draw, depth - 1)

    if kind in ("neg", "ceil", "floor", "fraction"):
        return node(kind, below())
    if kind == "sqrt":
        return node("sqrt", node("*", node("most", below(), 0), 2))
    if kind == "^":
        return node("^", below(), draw.choice([2, 3]))
    if kind == "if_":
        test = node(draw.choice(["<", "<=", ">", ">="]), tree(draw, depth - 2), tree(draw, 0))
        if draw.random() < 0.3:
            test = node(draw.choice(["both", "either"]), test, node("negate", node("<", below(), 1)))
        return node("if_", test, below(), below())
    if kind in ("least", "most"):
        return node(kind, *(below() for _ in range(draw.choice([2, 3]))))
    return node(kind, below(), below())


@pytest.fixture(scope="module")
def formulas():
    """Formulas whose value is a number of a usual size, with that value."""
    draw, out = random.Random(7), []
    cells = Cells(Model("fuzz", {}, {n: Input(v, "", n) for n, v in NAMES.items()}))
    while len(out) < COUNT:
        e = tree(draw, 5)
        try:
            value = cells.read(e, {})
        except (ZeroDivisionError, OverflowError, ValueError):
            continue
        if isinstance(value, float) and math.isfinite(value) and (value == 0 or 1e-9 < abs(value) < 1e12):
            out.append((e, value))
    return out


@pytest.fixture(scope="module")
def workbook(formulas, tmp_path_factory):
    """The same formulas as Excel writes them."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "F"
    places = {}
    for i, (name, value) in enumerate(NAMES.items(), 1):
        sheet.cell(i, 5, value)
        places[name] = Place("F", i, 5)
        book.defined_names[name] = DefinedName(name, attr_text=f"F!$E${i}")
    printer = Printer(places, {})
    for row, (e, _) in enumerate(formulas, 1):
        sheet.cell(row, 1, "=" + printer.formula(e, {}, "F"))
    path = tmp_path_factory.mktemp("fuzz") / "fuzz.xlsx"
    book.save(path)
    return path


MINUS_OF_A_GROUP = re.compile(r"(?:^|[=(,*/^<>-])-\(")  # IronCalc 0.9.1 loses these parentheses: (-(a*3))^3 becomes -a*3^3


def wrong(formulas, got, skip=lambda i: False):
    return [
        (i, text_of(e, str), v, got(i))
        for i, (e, v) in enumerate(formulas, 1)
        if not skip(i) and not (isinstance(got(i), (int, float)) and math.isclose(got(i), v, rel_tol=1e-9, abs_tol=1e-9))
    ]


def test_libreoffice_agrees(formulas, workbook, tmp_path):
    values = libreoffice(workbook, tmp_path)
    assert wrong(formulas, lambda i: values.get(("F", f"A{i}"), 0)) == []


def test_ironcalc_agrees(formulas, workbook):
    engine = ironcalc.load_from_xlsx(str(workbook), "en", "UTC", "en")
    engine.evaluate()
    sheet = openpyxl.load_workbook(workbook)["F"]
    lost = {i for i in range(1, COUNT + 1) if MINUS_OF_A_GROUP.search(sheet.cell(i, 1).value)}
    assert COUNT - len(lost) > 1000
    assert wrong(formulas, lambda i: engine.get_cell_value(0, i, 1), lost.__contains__) == []


def test_the_printed_line_can_be_retyped(formulas):
    """Every line made of what a calculator has, bit for bit."""
    retyped = 0
    for e, value in formulas:
        line = text_of(e, str)
        if re.search("round|if|min|max|fraction|√|≤|≥|not|and|or", line):
            continue
        assert eval(line.replace("×", "*").replace("−", "-").replace("^", "**"), {}, dict(NAMES)) == value, line
        retyped += 1
    assert retyped > 50
