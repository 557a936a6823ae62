"""A table of scenarios (CSV or xlsx), read row by row: what is certain is a Scenario, what is not is a Refusal in words.

The file is read twice: once to be sure that it can be told apart to its end (encoding, quotes, repeated names, the decimal mark),
then to give its rows. So nothing is worked out from a file that would be refused as a whole, and memory does not grow with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sheetcalc.scenarios import dialect, encoding, header, records
from sheetcalc.scenarios.problems import Problem, TableError, unusable
from sheetcalc.scenarios.rows import Refusal, Rows, Scenario
from sheetcalc.scenarios.survey import Survey

__all__ = ["MEMO_LIMIT", "Problem", "Reading", "Refusal", "Scenario", "TableError", "read"]

MEMO_LIMIT = 10_000  # rows of a run with memos; `evaluate` has no limit


class Reading:
    """A table that can be read: iterate for its rows. `notes` says what was found out about the file, to be printed and recorded."""

    def __init__(self, path: str, head: list, rows: Rows, survey: Survey, notes: list[str], source):
        self.path, self.header, self.rows, self.survey, self.notes, self._source = path, head, rows, survey, notes, source

    @property
    def count(self) -> int:
        """Rows that hold anything."""
        return self.survey.count

    @property
    def delimiter(self) -> str:
        """What separates the cells, so that refused.csv can be written alike."""
        return self.rows.style.delimiter

    def __iter__(self) -> Iterator[Scenario | Refusal]:
        return filter(None, map(self.rows.row, self._source.data()))


def read(
    path: str | Path,
    inputs: Mapping,
    keys: Mapping | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header_row: int | None = None,
    indian: bool = False,
    limit: int | None = None,
) -> Reading:
    """Open a table of scenarios.

    `inputs` are the study's inputs by the name that people type, `keys` the allowed words of those that name a catalogue row,
    `decimal` the declared decimal mark; `indian` allows groups such as 12,34,567 and `limit` bounds the rows.

    Raises TableError where the file cannot be used at all.
    """
    path = Path(path)
    _is_a_file(path)
    source = _open(path, inputs, encoding, delimiter, header_row)
    columns = header.columns(str(path), source.header_row, source.header, inputs)
    survey = Survey(columns, inputs)
    for record in source.data():
        survey.add(record)
        if limit and survey.count > limit:
            raise unusable(str(path), f"has more than {limit:,} scenarios", "split it; `sheetcalc evaluate` takes any number")
    if not survey.count:
        raise unusable(str(path), "has a header and no scenario", "write one row for each scenario")
    style = survey.style(source.delimiter, decimal, indian)
    return Reading(
        str(path),
        [str(cell) for cell in source.header],
        Rows(columns, inputs, keys or {}, style, survey.twins()),
        survey,
        [*source.notes, *survey.notes(style)],
        source,
    )


def _is_a_file(path: Path) -> None:
    if not path.exists():
        raise unusable(str(path), "is not there", "check the name")
    if not path.is_file():
        raise unusable(str(path), "is not a file", "name a CSV or xlsx file")
    if path.stat().st_size == 0:
        raise unusable(str(path), "is empty", "write a header and one row for each scenario")


def _open(path: Path, inputs: Mapping, encoding: str | None, delimiter: str | None, header_row: int | None):
    with open(path, "rb") as file:
        head = file.read(8)
    if head.startswith(b"PK\x03\x04") or path.suffix.casefold() in (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"):
        from sheetcalc.scenarios.sheet import SheetSource

        return SheetSource(path, head, inputs, header_row)
    return CsvSource(path, inputs, encoding, delimiter, header_row)


class CsvSource:
    """A text file with its encoding and separator found out."""

    def __init__(self, path: Path, inputs: Mapping, declared: str | None, delimiter: str | None, header_row: int | None):
        self.path, self.encoding = path, encoding.detect(path, declared)
        known = header.names(inputs)
        found = dialect.detect(
            str(path), self._sample(), lambda cells: sum(header.split(c)[0] in known for c in cells), delimiter, header_row
        )
        self.delimiter, self.header_row = found.delimiter, found.header_row
        self.notes = [note for note in (self.encoding.note, found.note) if note]
        head = next((r for r in self._records() if r.row == self.header_row), None)
        if head is None or not any(head.cells):
            raise unusable(str(path), f"has no header in row {self.header_row}", "write a row of input names first")
        if head.problem:
            raise TableError(str(path), [(head.row, head.problem)])
        self.header = _without_empty_end(head.cells)

    def _sample(self) -> list[str]:
        with open(self.path, encoding=self.encoding.name, newline="") as file:
            return [line for line, _ in zip(records.lines(file, str(self.path)), range(1000), strict=False)]

    def _records(self):
        return records.read(self.path, self.encoding.name, self.delimiter)

    def data(self) -> Iterator[records.Record]:
        """The records below the header."""
        return (record for record in self._records() if record.row > self.header_row)


def _without_empty_end(cells: list) -> list:
    return cells[: max((i for i, cell in enumerate(cells) if str(cell).strip()), default=-1) + 1]
