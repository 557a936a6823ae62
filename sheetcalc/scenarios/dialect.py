"""Where the table begins in a text file, and what separates its cells.

The separator is the one that makes the header's cells names that we know; the look of the rows decides only when a single one fits.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from typing import NamedTuple

from sheetcalc.numbers import quoted
from sheetcalc.scenarios.problems import TableError, unusable

SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
SPELLED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "bar": "|", "pipe": "|"}
HEADER_WITHIN = 10  # rows in which a header below titles is looked for


class Dialect(NamedTuple):
    """The separator, the row of the header as a spreadsheet counts, and whether the first line only names the separator."""

    delimiter: str
    header_row: int
    note: str = ""


def detect(
    path: str, sample: list[str], known: Callable[[list[str]], int], delimiter: str | None = None, header_row: int | None = None
) -> Dialect:
    """The dialect of a file from its first lines; `known(cells)` counts the cells that name a column. Raises TableError."""
    first = sample[0].strip().casefold() if sample else ""
    named = first[4:5] if first.startswith("sep=") and len(first) == 5 else "\t" if sample and sample[0].startswith("sep=\t") else None
    begins = 2 if named else 1
    delimiter = _declared(path, delimiter) or named
    tables = {d: _table(sample, d) for d in ([delimiter] if delimiter else SEPARATORS)}
    if header_row is not None:
        return Dialect(
            delimiter
            or _best(path, {d: [known(t[header_row - 1])] if len(t) >= header_row else [0] for d, t in tables.items()}, tables)[0],
            header_row,
        )
    best, at = _best(path, {d: [known(cells) for cells in table[begins - 1 : HEADER_WITHIN]] for d, table in tables.items()}, tables)
    at += begins
    if at > begins and known(tables[best][begins - 1]) == 0 and any(tables[best][begins - 1]):
        raise unusable(
            path,
            f"the header seems to be in row {at}: {quoted(best.join(tables[best][at - 1]))}",
            f"use --header-row {at}, or delete the rows above it",
            begins,
        )
    return Dialect(
        best,
        at,
        f"the cells are separated by {SEPARATORS.get(best, quoted(best))}{', as the first line says' if named else ''}"
        if best != ","
        else "",
    )


def _declared(path: str, delimiter: str | None) -> str | None:
    if delimiter is None:
        return None
    delimiter = SPELLED.get(delimiter.casefold(), delimiter)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise unusable(path, f"{quoted(delimiter)} cannot separate cells", "use --delimiter comma, semicolon, tab or bar")
    return delimiter


def _table(sample: Iterable[str], delimiter: str) -> list[list[str]]:
    return list(csv.reader(sample, delimiter=delimiter))


def _best(path: str, score: dict[str, list[int]], tables: dict[str, list[list[str]]]) -> tuple[str, int]:
    """The separator and the place of the row that holds the most known names."""
    most = {d: max(found, default=0) for d, found in score.items()}
    top = max(most.values(), default=0)
    winners = [d for d, n in most.items() if n == top]
    if top == 0 and len(winners) > 1:
        winners = [d for d in winners if _even(tables[d])] or [d for d in winners if tables[d] and len(tables[d][0]) > 1] or winners[:1]
    if len(winners) > 1 and top == 1:
        winners = _whole_header_is_one_name(winners, tables)
    if len(winners) > 1:
        raise _ambiguous(path, winners, tables)
    return winners[0], score[winners[0]].index(top) if score[winners[0]] else 0


def _even(table: list[list[str]]) -> bool:
    widths = {len(cells) for cells in table if any(cells)}
    return len(widths) == 1 and widths != {1}


def _whole_header_is_one_name(winners: list[str], tables: dict[str, list[list[str]]]) -> list[str]:
    """A file of one column has no separator, so a comma does."""
    return winners[:1] if all(len(tables[d][0]) == 1 for d in winners) else winners


def _ambiguous(path: str, winners: list[str], tables: dict[str, list[list[str]]]) -> TableError:
    previews = "; ".join(f"with {SEPARATORS[d]}: {' │ '.join(tables[d][0][:4])}" for d in winners)
    return unusable(path, f"its cells may be separated by more than one character ({previews})", "say which with --delimiter")
