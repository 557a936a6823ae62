"""A table of scenarios as columns, part by part: plain rows are read by polars, others by the grammar, and both give the same floats.

The fast way is taken for a comma-delimited UTF-8 file without quotation marks. There a row that holds anything but plain numbers and
known words goes through the same reader as in a run with memos, so that it is accepted or refused alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sheetcalc import typed
from sheetcalc.axes import Choice
from sheetcalc.model import Model
from sheetcalc.numbers import Style, Unreadable
from sheetcalc.scenarios import CsvSource, Problem, Reading, Refusal, Scenario, header
from sheetcalc.scenarios.records import LONGEST_LINE, Record
from sheetcalc.scenarios.rows import Rows

BLOCK = 8 << 20  # bytes that are read at a time
ROWS = 8192  # rows that are collected at a time on the slow way
PLAIN = r"^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,14})?$"
PLAIN_LENGTH = 16  # fifteen digits and a point
PLAIN_NAME = r"^[!-~]([ -~]{0,198}[!-~])?$"
PLAIN_TEXT = r"^[ -~]{0,200}$"


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
        columns = {name: _column(name, found, table.rows.inputs, blank) for name in names}
        refused = {i: row for i, row in enumerate(found) if isinstance(row, Refusal)}
        yield Part(pl.Series([row.name for row in found], dtype=pl.String), columns, refused)


def _fitting(row: Scenario | Refusal, unfit: Callable[[dict], list[str]]) -> Scenario | Refusal:
    why = unfit(row.inputs) if isinstance(row, Scenario) else []
    problems = tuple(Problem("", text, "change the inputs of this row") for text in why)
    return Refusal(row.row_number, row.name, problems, row.cells) if why else row


def _column(name: str, rows: list, inputs: Mapping, blank: Blank):
    values = [row.inputs.get(name, blank.of(name)) if isinstance(row, Scenario) else blank.of(name) for row in rows]
    return Choice(values) if is_text(name, inputs) else np.array(values, float)


def is_text(name: str, inputs: Mapping) -> bool:
    """True for a column of words."""
    return inputs[name].is_text or typed.is_date(name, inputs[name].unit)


class Same(Exception):
    """Two scenarios have one name: the table has to be read row by row, so that both are refused."""


class PlainFile:
    """A file that polars can read; `rows` counts its lines."""

    def __init__(self, source: CsvSource, inputs: Mapping, keys: Mapping, rows: int):
        self.source, self.inputs, self.keys, self.lines = source, inputs, keys, rows
        self.columns = header.columns(str(source.path), source.header_row, source.header, inputs)
        self.width = len(source.header)
        self.rows = Rows(self.columns, inputs, keys, Style(","), {})
        self.about = {c.name: c.place for c in self.columns if c.name in header.ABOUT}
        self.notes = source.notes

    def parts(self, blank: Blank) -> Iterator[Part]:
        """The parts in order. Raises Same at the end, if two names are the same."""
        row, hashes = self.source.header_row, []
        for block in _blocks(self.source.path, self.source.header_row):
            part = self._part(block, row, blank)
            row += block.count(b"\n") + (not block.endswith(b"\n"))
            if part is None:
                continue
            if "scenario" in self.about:
                hashes.append(_folded(part.names).hash().to_numpy())
            yield part
        if hashes:
            every = np.sort(np.concatenate(hashes))
            if (every[1:] == every[:-1]).any():
                raise Same

    def _part(self, block: bytes, row: int, blank: Blank) -> Part | None:
        frame = self._frame(block)
        if frame is None:
            lines = block.decode("utf-8").removesuffix("\n").split("\n")
            records = (Record(row + i, row + i, line.split(","), None) for i, line in enumerate(lines, 1))
            found = [r for r in map(self.rows.row, records) if r is not None]
            if not found:
                return None
            columns = {c.name: _column(c.name, found, self.inputs, blank) for c in self.rows.typed}
            return Part(
                pl.Series([r.name for r in found], dtype=pl.String), columns, {i: r for i, r in enumerate(found) if isinstance(r, Refusal)}
            )
        odd = np.zeros(frame.height, bool)
        names = self._about(frame, odd, row)
        columns = {c.name: self._typed(c, frame[:, c.place], odd, blank) for c in self.rows.typed}
        return self._mended(frame, names, columns, np.flatnonzero(odd), row, blank)

    def _frame(self, block: bytes) -> pl.DataFrame | None:
        """The cells as texts, or None where the rows are not all as wide as the header."""
        count = block.count(b"\n") + (not block.endswith(b"\n"))
        if block.count(b",") != count * (self.width - 1) or block.startswith(b"\n") or b"\n\n" in block:
            return None
        try:
            frame = pl.read_csv(
                block, has_header=False, infer_schema=False, quote_char=None, new_columns=[f"c{i}" for i in range(self.width)]
            )
        except pl.exceptions.PolarsError:
            return None
        empty = frame.select(pl.all_horizontal(pl.all().is_null()).any()).item()
        return frame if (frame.height, frame.width) == (count, self.width) and not empty else None

    def _about(self, frame: pl.DataFrame, odd: np.ndarray, row: int) -> pl.Series:
        """The names; what a row says about itself must be plain text."""
        for name, place in self.about.items():
            if name != "scenario":
                odd |= ~frame[:, place].str.contains(PLAIN_TEXT if name != "issue_date" else "^$").fill_null(True).to_numpy()
        if "scenario" not in self.about:
            return pl.Series([f"Row {row + i}" for i in range(1, frame.height + 1)], dtype=pl.String)
        names = frame[:, self.about["scenario"]]
        odd |= ~names.str.contains(PLAIN_NAME).fill_null(False).to_numpy()
        return names

    def _typed(self, column: header.Column, cells: pl.Series, odd: np.ndarray, blank: Blank):
        given, default = self.inputs[column.name], blank.of(column.name)
        if is_text(column.name, self.inputs):
            return self._words(column.name, cells, odd, default)
        filled = cells.is_not_null().to_numpy()
        if column.unit:
            odd |= filled
        plain = (cells.str.contains(PLAIN) & (cells.str.len_bytes() <= PLAIN_LENGTH)).fill_null(True).to_numpy()
        shown = cells.cast(pl.Float64, strict=False).fill_null(math.nan).to_numpy()
        values = shown * typed.factor(given.unit)
        with np.errstate(invalid="ignore"):
            wrong = ~plain if given.unit != "%" else ~plain | (np.abs(shown) > 1)
            if given.low is not None:
                wrong = wrong | (values <= given.low if given.above else values < given.low)
            if given.high is not None:
                wrong = wrong | (values > given.high)
            if given.whole:
                wrong = wrong | (values != np.round(values))
        odd |= wrong & filled
        return np.where(filled, values, default)

    def _words(self, name: str, cells: pl.Series, odd: np.ndarray, default: str) -> Choice:
        """A column of words; each distinct one is looked up once."""
        words, known = [default], {}
        for word in cells.unique():
            try:
                known[word] = len(words)
                words.append(default if word is None else typed.typed(name, word, self.inputs[name], self.keys.get(name)).value)
            except Unreadable:
                known[word] = -1
        codes = cells.replace_strict(list(known), list(known.values()), return_dtype=pl.Int32).to_numpy()
        odd |= codes < 0
        return Choice.of(words, np.where(codes < 0, 0, codes))

    def _mended(self, frame, names, columns, places, row, blank) -> Part:
        """The part with its odd rows read by the grammar."""
        refused, better = {}, {}
        for i in places.tolist():
            cells = ["" if cell is None else cell for cell in frame.row(i)]
            found = self.rows.row(Record(row + i + 1, row + i + 1, cells))
            better[i] = found.name
            if isinstance(found, Refusal):
                refused[i] = found
            for name, column in columns.items():
                value = found.inputs.get(name, blank.of(name)) if isinstance(found, Scenario) else blank.of(name)
                if isinstance(column, Choice):
                    if value not in column.words:
                        column.words.append(value)
                    column.codes[i] = column.words.index(value)
                else:
                    column[i] = value
        if better:
            names = names.scatter(list(better), list(better.values()))
        return Part(names, columns, refused)


def _folded(names: pl.Series) -> pl.Series:
    """Names as they are compared."""
    if names.str.len_bytes().sum() == names.str.len_chars().sum():
        return names.str.to_lowercase().str.replace_all(r"\s+", " ")
    return pl.Series([typed.folded(name) for name in names], dtype=pl.String)


def open_plain(
    path: Path, inputs: Mapping, keys: Mapping, encoding: str | None, delimiter: str | None, decimal: str | None, header_row: int | None
) -> PlainFile | None:
    """The file for polars, or None where the slow way has to read it. Raises TableError."""
    if (
        decimal == ","
        or delimiter not in (None, ",")
        or encoding not in (None, "utf-8")
        or path.suffix.casefold() != ".csv"
        or not path.is_file()
    ):
        return None
    if not path.stat().st_size:
        return None
    source = CsvSource(path, inputs, encoding, delimiter, header_row)
    if source.encoding.name not in ("utf-8", "utf-8-sig") or source.delimiter != ",":
        return None
    rows = 0
    for block in _blocks(path, 0):
        if b'"' in block or b"\0" in block or b"\r" in block or (len(block) > LONGEST_LINE and b"\n" not in block[:LONGEST_LINE]):
            return None
        rows += block.count(b"\n")
    plain = PlainFile(source, inputs, keys, rows)
    return plain if rows > source.header_row and not any(c.name in header.REASONS for c in plain.columns) else None


def _blocks(path: Path, skip: int) -> Iterator[bytes]:
    """Whole lines, many at a time, without the first `skip`; Windows' line ends become plain ones."""
    with open(path, "rb") as file:
        for _ in range(skip):
            file.readline()
        rest = b""
        while block := file.read(BLOCK):
            block = rest + block
            cut = block.rfind(b"\n") + 1
            if cut or len(block) > 2 * BLOCK:
                yield block[: cut or len(block)].replace(b"\r\n", b"\n")
                block = block[cut or len(block) :]
            rest = block
        if rest:
            yield rest.replace(b"\r\n", b"\n")
