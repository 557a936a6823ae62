"""The Cases sheet: the plan again for each case of Sensitivity, the same formulas in every row, as on Scenarios."""

from __future__ import annotations

import math
from typing import NamedTuple

from openpyxl.utils import get_column_letter as letter

from sheetcalc.study import Result
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.sheet import Cell
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.table import FIRST, Row, Table
from sheetcalc.workbook.table import OUTPUTS as SUMMARY

DRIVERS = ("request_rate", "prompt_tokens", "output_tokens", "mfu", "mbu", "utilization_cap", "gpu_hour_price", "api_output_price")
LOADS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)  # of the plan's load
SHARE = 0.25  # how far an input is moved: assumed, a blue cell on Sensitivity
OUTPUTS = (*SUMMARY, "output_tokens_per_day")


class Case(NamedTuple):
    """One row: its name, which input moves, and to which end; `load` is the share of the plan's load."""

    name: str
    driver: str = ""
    end: str = ""
    load: float = 1.0


class Cases(Table):
    """Base, each driver low and high, then the load in steps; the cells at the left are links to Inputs and Sensitivity."""

    title = "Cases"
    purpose = "Every case of Sensitivity, worked out in a row with the same formulas. Nothing is typed here."
    outputs = OUTPUTS
    look = styles.LINK
    by_hand = False

    def __init__(self, plan: Result, shares: dict[tuple[str, str], float] | None = None, loads: dict[int, float] | None = None):
        """`shares` and `loads` are what a person changed on Sensitivity, by input and end, and by step."""
        self.shares, steps = shares or {}, [(loads or {}).get(i, k) for i, k in enumerate(LOADS)]
        self.plan, self.study = plan, plan.study
        study = plan.study
        self.drivers = [n for n in DRIVERS if n in study.inputs]
        self.base = {n: plan.value(n) for n in self.drivers}
        self.cases = [
            Case("Base"),
            *(Case(f"{study.inputs[n].label}, {end}", n, end) for n in self.drivers for end in ("low", "high")),
            *(Case(f"Load, step {i}", load=k) for i, k in enumerate(steps, 1)),
        ]
        self.cells: dict[Case, str] = {}  # the cell of Sensitivity that a case's input comes from
        self.from_inputs: dict[str, str] = {}  # the used value on Inputs
        super().__init__(study, [Row(c.name, {n: self._value(c, n) for n in self.drivers}) for c in self.cases], plan.changes)

    def end(self, name: str, end: str) -> float:
        """An input at its low or high end, in base units, kept inside its range."""
        about, x = self.study.inputs[name], self.base[name]
        share = self.shares.get((name, end), SHARE)
        moved = x * (1 - share) if end == "low" else x * (1 + share)
        moved = moved if about.low is None else max(moved, about.low)
        return moved if about.high is None else min(moved, about.high)

    def _value(self, case: Case, name: str) -> float | None:
        x = self.end(name, case.end) if case.driver == name else self.base[name] * (case.load if name == "request_rate" else 1.0)
        return None if x != x else x

    def typed_cell(self, i: int, name: str, x, scale: float, look: Style) -> Cell:
        """A link: to the used value on Inputs, to the end on Sensitivity, or the load times its step."""
        case, formula = self.cases[i], self.from_inputs[name]
        if case.driver == name:
            formula = self.cells[case]
        elif name == "request_rate" and not case.driver and case in self.cells:
            formula = f"{formula}*{self.cells[case]}"
        return Cell("=" + formula, look, math.nan if x is None else x / scale, True)

    def place(self, case: Case, name: str) -> Place:
        """Where the result of a case stands."""
        return Place(self.title, FIRST + self.cases.index(case), self.column[name])

    def result(self, case: Case, name: str):
        """What the cell of a result holds."""
        x = self.values[name][self.cases.index(case)]
        x = x.item() if hasattr(x, "item") else x
        return (x or math.nan) if isinstance(x, str) else x if x != x else float(x) / self._factor(name)

    def cell(self, case: Case, name: str) -> str:
        """The address of the result of a case, from another sheet."""
        return f"{self.title}!${letter(self.column[name])}${FIRST + self.cases.index(case)}"
