"""Every cell of the table of months leads back to typed cells: precedents are followed through the saved file, as Excel's arrows do."""

import io
import itertools
import re

import openpyxl
import pytest
from openpyxl.formula import Tokenizer
from openpyxl.utils import range_boundaries

from sheetcalc.studies import study
from sheetcalc.workbook import styles
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

ROW = 19  # of the table: a month in the second year
REFERENCE = re.compile(r"(?:(?:'([^']+)'|(\w+))!)?(\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?)")


class Trace:
    """Precedents of cells in a workbook on disk."""

    def __init__(self, content):
        self.book = openpyxl.load_workbook(io.BytesIO(content))
        self.seen, self.depth, self.typed, self.factors = {}, {}, set(), set()

    def precedents(self, sheet, at):
        """The cells that a formula reads."""
        out = set()
        for token in Tokenizer(self.book[sheet][at].value).items:
            if token.type != "OPERAND" or token.subtype != "RANGE":
                continue
            found = REFERENCE.fullmatch(token.value) or REFERENCE.fullmatch(self.book[sheet].defined_names[token.value].attr_text)
            on = found[1] or found[2] or sheet
            left, top, right, bottom = range_boundaries(found[3].replace("$", ""))
            out |= {(on, f"{openpyxl.utils.get_column_letter(c)}{r}") for c in range(left, right + 1) for r in range(top, bottom + 1)}
        return out

    def follow(self, sheet, at):
        """How many steps lie between a cell and the typed cells under it."""
        todo = [(sheet, at)]
        while todo:
            cell = todo[-1]
            if cell not in self.seen:
                held = self.book[cell[0]][cell[1]]
                self.seen[cell] = self.precedents(*cell) if held.data_type == "f" else self.leaf(cell, held)
            waiting = [n for n in self.seen[cell] if n not in self.depth]
            if not waiting:
                self.depth[cell] = max((self.depth[n] + 1 for n in self.seen[cell]), default=0)
                todo.pop()
            todo += waiting
        return self.depth[sheet, at]

    def leaf(self, cell, held):
        color = held.font.color.rgb[-6:] if held.font.color else ""
        if color == styles.TYPED:
            self.typed.add(cell)
        elif color == styles.QUIET and isinstance(held.value, (int, float)):
            self.factors.add(cell)  # "one unit is"
        else:
            raise AssertionError(f"{cell} holds {held.value!r} in {color}: neither typed nor a factor")
        return set()


@pytest.fixture(scope="module")
def traced():
    made = Book(study("plan"), {"request_rate": 60.0}, [study("finance")])
    return made, Trace(to_bytes(made.sheets()))


def test_every_column_of_the_months_ends_in_typed_cells(traced):
    made, trace = traced
    months = next(g for g in made.layouts["finance"].grids if g.grid.name == "months")
    columns = {**months.shown, **months.based}
    assert len(columns) > 30
    for name, column in columns.items():
        at = f"{openpyxl.utils.get_column_letter(column)}{months.first + ROW}"
        if name.startswith("actual_") or name == "month":
            continue
        assert trace.follow(months.sheet, at) > 0, name
    assert {sheet for sheet, _ in trace.typed} >= {"Inputs", "Finance", "Finance months"}


def test_the_bill_of_building_is_followed_by_name(traced):
    made, trace = traced
    places = made.places["finance"]

    def cell(name, row=ROW):
        place = places[name]
        return place.sheet, f"{openpyxl.utils.get_column_letter(place.col)}{place.row + (row if place.down else 0)}"

    chain = ["build_bill", "running_bill", "rent_bill", "reserved_nodes"]
    for upper, lower in itertools.pairwise(chain):
        assert cell(lower) in trace.precedents(*cell(upper)), (upper, lower)
    assert cell("reserved_price") in trace.precedents(*cell("rent_bill"))
    trace.follow(*cell("build_bill"))
    assert cell("staff_fixed")[0] == "Finance" and ("Finance", cell("staff_fixed")[1].replace("E", "B")) in trace.typed
