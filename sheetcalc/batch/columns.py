"""A table of scenarios as columns, part by part, each row read by the grammar."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sheetcalc import typed
from sheetcalc.axes import Choice
from sheetcalc.model import Model
from sheetcalc.scenarios import Problem, Reading, Refusal, Scenario

ROWS = 8192  # rows that are collected at a time on the slow way


class Part(NamedTuple):
    """Some rows: their names, a column for each typed input (base units, the default where blank), and the refused by their place."""

    names: pl.Series
    columns: dict[str, Any]
    refused: dict[int, Refusal]


class Blank:
    """What stands in a column where a cell is blank: the default of the study, NaN or '' where something else serves."""

    def __init__(self, model: Model):
        self.model = model

    def of(self, name: str) -> Any:
        given = self.model.inputs[self.model.typed.get(name, name)]
        return ("" if given.is_text else math.nan) if given.value is None or not isinstance(given.value, str | float | int) else given.value


def from_rows(table: Reading, blank: Blank, unfit: Callable[[dict], list[str]] = lambda inputs: []) -> Iterator[Part]:
    """The parts of any table, row by row; `unfit` says why a row that can be read must not be worked out."""
    names = [column.name for column in table.rows.typed]
    rows = (_fitting(row, unfit) for row in table)
    while found := list(islice(rows, ROWS)):
        columns = {name: column_of(name, found, table.rows.inputs, blank) for name in names}
        refused = {i: row for i, row in enumerate(found) if isinstance(row, Refusal)}
        yield Part(pl.Series([row.name for row in found], dtype=pl.String), columns, refused)


def _fitting(row: Scenario | Refusal, unfit: Callable[[dict], list[str]]) -> Scenario | Refusal:
    why = unfit(row.inputs) if isinstance(row, Scenario) else []
    problems = tuple(Problem("", text, "change the inputs of this row") for text in why)
    return Refusal(row.row_number, row.name, problems, row.cells) if why else row


def column_of(name: str, rows: list, inputs: Mapping, blank: Blank):
    values = [row.inputs.get(name, blank.of(name)) if isinstance(row, Scenario) else blank.of(name) for row in rows]
    return Choice(values) if is_text(name, inputs) else np.array(values, float)


def is_text(name: str, inputs: Mapping) -> bool:
    """True for a column of words."""
    return inputs[name].is_text or typed.is_date(name, inputs[name].unit)
