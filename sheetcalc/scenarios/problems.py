"""What is wrong with a table: with the file as a whole, or with one row."""

from __future__ import annotations

from typing import NamedTuple

from sheetcalc.errors import InputError


class Problem(NamedTuple):
    """One cell or row that cannot be used: which column ('' for the row), what is wrong, what to write instead."""

    column: str
    what: str
    instead: str

    def line(self, path: str, row: int | str = "") -> str:
        """`file:row:column: what is wrong: what to write instead`, without the parts that do not apply."""
        where = ":".join(str(part) for part in (path, row, self.column) if part != "")
        return f"{where}: {self.what}: {self.instead}"


class TableError(InputError):
    """A file that cannot be used at all; `lines` is one sentence a problem, ready for stderr."""

    def __init__(self, path: str, problems: list[tuple[int | str, Problem]]):
        self.problems = problems
        self.lines = [problem.line(path, row) for row, problem in problems]
        super().__init__("\n".join(self.lines))


def unusable(path: str, what: str, instead: str, row: int | str = "", column: str = "") -> TableError:
    """A file that cannot be used for one reason."""
    return TableError(path, [(row, Problem(column, what, instead))])
