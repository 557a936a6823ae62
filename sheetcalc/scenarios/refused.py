"""refused.csv: the rows that were not done, as they were typed, with the reasons in the last columns, ready to mend and run again.

A spreadsheet runs a cell that begins with = + - @; such a cell gets an apostrophe in front here, and loses it when the file is read back.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import TextIO

from sheetcalc.scenarios.header import REASONS
from sheetcalc.scenarios.problems import Problem

MISSING = "(missing)"  # stands where a short row had no cell
RUNS = "=+\\-@\t\r\n＝＋－＠"  # what a spreadsheet may take for the beginning of a formula or command
_LIVE = re.compile(rf"\s*'*\s*[{RUNS}]")
_DEFUSED = re.compile(rf"'\s*'*\s*[{RUNS}]")
_NUMBER = re.compile(r"[+\-]?[0-9][0-9.,]*( ?[%a-zA-Z/$]+)?")


def defused(cell: str) -> str:
    """A cell that no spreadsheet runs: an apostrophe in front of what looks like a formula. Numbers stay as they are."""
    return f"'{cell}" if _LIVE.match(cell) and not _NUMBER.fullmatch(cell) else cell


def restored(cell: str) -> str:
    """What `defused` was given."""
    return cell[1:] if _DEFUSED.match(cell) and not _NUMBER.fullmatch(cell[1:]) else cell


class Writer:
    """Writes refused rows one by one; cells are in the order of the header they came with, older reason columns left out."""

    def __init__(self, file: TextIO, header: list[str], delimiter: str = ","):
        self.width = len(header)
        self.kept = [place for place, cell in enumerate(header) if cell.strip().casefold() not in REASONS]
        self.csv = csv.writer(file, delimiter=delimiter, lineterminator="\r\n")
        self.csv.writerow([*(defused(header[place]) for place in self.kept), *REASONS])
        self.count = 0

    def write(self, row: int, cells: list[str], problems: Iterable[Problem]) -> None:
        """One row with its reasons; what is typed beyond the header stays behind them."""
        reasons = [str(row), *("; ".join(dict.fromkeys(part)) for part in zip(*problems, strict=True))]
        typed = [defused(cells[place]) if place < len(cells) else MISSING for place in self.kept]
        self.csv.writerow([*typed, *map(defused, reasons), *map(defused, cells[self.width :])])
        self.count += 1
