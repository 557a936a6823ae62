"""The records of a CSV file, streamed: every line and field is bounded, and a badly quoted record does not stop the others."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from sheetcalc.scenarios.problems import Problem, unusable

LONGEST_LINE = 1 << 20  # characters; a longer line or field is no scenario table
LONGEST_FIELD = 32_767  # characters that a spreadsheet keeps in a cell


class Record(NamedTuple):
    """One row of a table: its number as a spreadsheet counts, its first physical line, its cells, and what is wrong with its form."""

    row: int
    line: int
    cells: list
    problem: Problem | None = None


def lines(file: TextIO, path: str) -> Iterator[str]:
    """The lines of a text file. Raises TableError on one that is too long to be a row."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise unusable(path, f"has a line of more than {LONGEST_LINE:,} characters", "check that this is a table of scenarios")
        yield line


def read(path: Path, encoding: str, delimiter: str) -> Iterator[Record]:
    """Every record of the file, the header included. Raises TableError where the rest of the file cannot be told apart."""
    csv.field_size_limit(LONGEST_LINE)
    with open(path, encoding=encoding, newline="") as file:
        kept = _Remembered(lines(file, str(path)))
        reader = csv.reader(kept, delimiter=delimiter, strict=True)
        row = 0
        while True:
            row += 1
            line = kept.count + 1
            kept.latest.clear()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if "unexpected end" in str(error) or "field larger" in str(error):
                    raise unusable(
                        str(path), "has a quotation mark that is never closed", 'write "" for a quotation mark inside a quoted cell', line
                    ) from None
                cells = next(csv.reader(kept.latest, delimiter=delimiter), [])
                yield Record(
                    row,
                    line,
                    cells,
                    Problem("", "has text behind a closing quotation mark", 'write "" for a quotation mark inside a quoted cell'),
                )
                continue
            long = next((i for i, cell in enumerate(cells) if len(cell) > LONGEST_FIELD), None)
            yield Record(
                row,
                line,
                cells,
                None
                if long is None
                else Problem(f"column {long + 1}", f"has a cell of {len(cells[long]):,} characters", f"write at most {LONGEST_FIELD:,}"),
            )


class _Remembered:
    """Lines that are counted, and the lines of the record being read kept for its refusal."""

    def __init__(self, lines: Iterable[str]):
        self.lines, self.count, self.latest = iter(lines), 0, []

    def __iter__(self):
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        self.count += 1
        self.latest.append(line)
        return line
