"""A long text file as columns: plain cells are read by polars, others by the grammar, and both give the same floats.

The fast way is taken for UTF-8 and Windows-1252, any separator, and quotation marks that stand around whole cells on one line. An odd cell
(`45%`, `1.5M`, `50 req/h`) is read once for each different text. A row with a cell that the grammar refuses goes through the same reader as
in a run with memos, so that it is accepted or refused alike.
"""

from __future__ import annotations

import codecs
import csv
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

from sheetcalc import typed
from sheetcalc.axes import Choice
from sheetcalc.batch.columns import Blank, Part, column_of, is_text
from sheetcalc.numbers import Style, Unreadable, decimal_mark
from sheetcalc.scenarios import CsvSource, Refusal, Scenario, header
from sheetcalc.scenarios.records import LONGEST_LINE, Record
from sheetcalc.scenarios.rows import Rows
from sheetcalc.scenarios.survey import Survey

BLOCK = 8 << 20  # bytes that are read at a time
PLAIN_LENGTH = 16  # fifteen digits and a mark
PLAIN_NAME = r"^[!-~]([ -~]{0,198}[!-~])?$"
PLAIN_TEXT = r"^[ -~]{0,200}$"
GROUP = r"^-?[1-9][0-9]{0,2}[.,][0-9]{3}$"  # 1,234 says nothing of the decimal mark
THREE = r"[.,][0-9]{3}$"  # what may be a group of three is for the grammar
FRACTION = r"^[-+]?[0-9]*[.,][0-9]+$"


class Same(Exception):
    """Two scenarios have one name: the table has to be read row by row, so that both are refused."""


class PlainFile:
    """A file that polars can read, its number of lines, and how it writes its numbers."""

    def __init__(
        self, source: CsvSource, columns: list[header.Column], inputs: Mapping, keys: Mapping, style: Style, lines: int, notes: list[str]
    ):
        self.source, self.inputs, self.keys = source, inputs, keys
        self.width, self.style, self.lines = len(source.header), style, lines
        self.notes = [*source.notes, *notes]
        self.rows = Rows(columns, inputs, keys, style, {})
        self.about = {c.name: c.place for c in columns if c.name in header.ABOUT}
        mark = re.escape(style.mark or ("." if style.delimiter == "," else ""))
        self.plain = rf"^-?(0|[1-9][0-9]{{0,14}})({mark}[0-9]{{1,14}})?$" if mark else r"^-?(0|[1-9][0-9]{0,14})$"

    def parts(self, blank: Blank) -> Iterator[Part]:
        """The parts in order. Raises Same at the end, if two names are the same."""
        row, hashes = self.source.header_row, []
        for block in _blocks(self.source, self.source.header_row):
            part = self._part(block, row, blank)
            row += _lines(block)
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
        frame = _frame(block, self.source.delimiter, self.width)
        if frame is None:
            lines = block.decode("utf-8").removesuffix("\n").split("\n")
            cells = (next(csv.reader([line], delimiter=self.source.delimiter), []) for line in lines)
            records = (Record(row + i, row + i, found, None) for i, found in enumerate(cells, 1))
            found = [r for r in map(self.rows.row, records) if r is not None]
            if not found:
                return None
            columns = {c.name: column_of(c.name, found, self.inputs, blank) for c in self.rows.typed}
            return Part(
                pl.Series([r.name for r in found], dtype=pl.String), columns, {i: r for i, r in enumerate(found) if isinstance(r, Refusal)}
            )
        odd = np.zeros(frame.height, bool)
        names = self._about(frame, odd, row)
        columns = {c.name: self._typed(c, frame[:, c.place], odd, blank) for c in self.rows.typed}
        return self._mended(frame, names, columns, np.flatnonzero(odd), row, blank)

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
        plain = cells.str.contains(self.plain) & (cells.str.len_bytes() <= PLAIN_LENGTH)
        if not self.style.decimal and (self.style.delimiter != "," or self.style.settled == ","):
            plain &= ~cells.str.contains(THREE)
        points = cells if self.style.mark != "," else cells.str.replace(",", ".", literal=True)
        shown = points.cast(pl.Float64, strict=False).fill_null(math.nan).to_numpy()
        values = shown * typed.factor(given.unit)
        with np.errstate(invalid="ignore"):
            wrong = ~plain.fill_null(True).to_numpy() | (filled if column.unit else False)
            if given.unit == "%":
                wrong |= np.abs(shown) > 1
            if given.low is not None:
                wrong |= values <= given.low if given.above else values < given.low
            if given.high is not None:
                wrong |= values > given.high
            if given.whole:
                wrong |= values != np.round(values)
        wrong &= filled
        values = np.where(filled, values, default)
        if wrong.any():
            self._read_each(column, cells, wrong, values, odd)
        return values

    def _read_each(self, column: header.Column, cells: pl.Series, wrong: np.ndarray, values: np.ndarray, odd: np.ndarray) -> None:
        """The cells that are no plain numbers, by the grammar, once for each different text; those that it refuses are odd."""
        texts, given = cells.filter(pl.Series(wrong)), self.inputs[column.name]
        found = {}
        for text in texts.unique():
            try:
                found[text] = typed.typed(column.name, text, given, self.keys.get(column.name), self.style, column.unit).value
            except Unreadable:
                found[text] = math.nan
        values[wrong] = texts.replace_strict(list(found), list(found.values()), return_dtype=pl.Float64).to_numpy()
        odd |= wrong & np.isnan(values)

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
    """The file for polars, or None where it has to be read row by row. Raises TableError."""
    if path.suffix.casefold() not in (".csv", ".tsv", ".txt") or not path.is_file() or not path.stat().st_size:
        return None
    source = CsvSource(path, inputs, encoding, delimiter, header_row)
    if source.encoding.name not in ("utf-8", "utf-8-sig", "cp1252"):
        return None
    columns = header.columns(str(path), source.header_row, source.header, inputs)
    if any(c.name in header.REASONS for c in columns):
        return None
    survey, rows, quoted = Survey(columns, inputs), 0, False
    for block in _blocks(source, 0):
        if b"\0" in block or b"\r" in block or (len(block) > LONGEST_LINE and b"\n" not in block[:LONGEST_LINE]):
            return None
        if b'"' in block:
            quoted = True
            if not _well_quoted(block, source.delimiter):
                return None
        rows += _lines(block)
    if not decimal and (quoted or source.delimiter != ","):
        for block in _blocks(source, source.header_row):
            survey.marks += _marks(block, source, survey.numeric)
    style = survey.style(source.delimiter, decimal, False)
    return PlainFile(source, columns, inputs, keys, style, rows, survey.notes(style)) if rows > source.header_row else None


def _well_quoted(block: bytes, delimiter: str, more: str = "*") -> bool:
    """Whether every line is a cell and `more` cells, each without quotation marks or with marks around the whole of it."""
    between = re.escape(delimiter)
    cell = rf'("([^"]|"")*"|[^"{between}]*)'
    lines = pl.Series(block.decode("utf-8").removesuffix("\n").split("\n"), dtype=pl.String)
    return lines.str.contains(rf"^{cell}({between}{cell}){more}$").all()


def _marks(block: bytes, source: CsvSource, numeric: list[int]) -> Counter:
    """How often the cells of a block show a decimal mark, as the survey of a table counts it."""
    frame, found = _frame(block, source.delimiter, len(source.header)), Counter()
    if frame is None:
        for cells in csv.reader(block.decode("utf-8").split("\n"), delimiter=source.delimiter):
            found.update(decimal_mark(cells[i]) for i in numeric if i < len(cells) and ("," in cells[i] or "." in cells[i]))
        return found
    for cells in (frame[:, i] for i in numeric):
        cells = cells.filter(cells.str.contains("[.,]"))
        clear = cells.str.contains(FRACTION) & ~cells.str.contains(GROUP)
        comma = int((clear & cells.str.contains(",", literal=True)).sum())
        found += Counter({",": comma, ".": int(clear.sum()) - comma})
        found.update(map(decimal_mark, cells.filter(~clear)))
    return found


def _frame(block: bytes, delimiter: str, width: int) -> pl.DataFrame | None:
    """The cells as texts, or None where the rows are not all as wide as the header, or one is empty."""
    count, quoted = _lines(block), b'"' in block
    if block.startswith(b"\n") or b"\n\n" in block or (not quoted and block.count(delimiter.encode()) != count * (width - 1)):
        return None
    if quoted and not _well_quoted(block, delimiter, f"{{{width - 1}}}"):
        return None
    try:
        frame = pl.read_csv(
            block,
            has_header=False,
            infer_schema=False,
            separator=delimiter,
            quote_char='"' if quoted else None,
            new_columns=[f"c{i}" for i in range(width)],
        )
    except pl.exceptions.PolarsError:
        return None
    if quoted:
        frame = frame.select(pl.when(pl.all() != "").then(pl.all()))
    empty = frame.select(pl.all_horizontal(pl.all().is_null()).any()).item()
    return frame if (frame.height, frame.width) == (count, width) and not empty else None


def _lines(block: bytes) -> int:
    return block.count(b"\n") + (not block.endswith(b"\n"))


def _blocks(source: CsvSource, skip: int) -> Iterator[bytes]:
    """Whole lines in UTF-8, many at a time, without the first `skip`; Windows' line ends become plain ones."""

    def tidy(block: bytes) -> bytes:
        block = block.replace(b"\r\n", b"\n")
        return block.decode("cp1252").encode() if source.encoding.name == "cp1252" else block

    with open(source.path, "rb") as file:
        for _ in range(skip):
            file.readline()
        rest = b""
        if not skip and source.encoding.name == "utf-8-sig":
            file.seek(len(codecs.BOM_UTF8))
        while block := file.read(BLOCK):
            block = rest + block
            cut = block.rfind(b"\n") + 1
            if cut or len(block) > 2 * BLOCK:
                yield tidy(block[: cut or len(block)])
                block = block[cut or len(block) :]
            rest = block
        if rest:
            yield tidy(rest)
