"""The files of a run as a whole in its folder: which of those that lie there are ours, and what may be written over."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

from sheetcalc import files
from sheetcalc.batch import summary
from sheetcalc.batch.summary import Look
from sheetcalc.errors import InputError
from sheetcalc.files import HeldOpen, Written
from sheetcalc.scenarios import Problem, Reading, refused

REFUSED = "refused.csv"
MARK = b"\xef\xbb\xbf"  # by which spreadsheets know UTF-8


class Folder:
    """`earlier` are the files that an earlier run has made here, by name."""

    def __init__(self, path: Path, earlier: dict[str, Written]):
        self.path, self.earlier = path, earlier

    def write(self, name: str, content: bytes) -> Written:
        """A file of the run; under another name while a program holds it open."""
        try:
            return files.write(self.path, name, content)
        except HeldOpen:
            other = self._free(name)
            print(f"{self.path / name} is open in another program; this run's is {other}", file=sys.stderr)
            return files.write(self.path, other, content)

    def write_summary(self, done: list[dict], look: Look | None) -> Written:
        """The scenarios that have a result."""
        return self.write(summary.NAME, summary.table(done, look))

    def write_refused(self, table: Reading, rows: list[tuple[int, list[str], list[Problem]]]) -> list[Written]:
        """The rows to mend. Where there are none, an earlier run's file goes; what a person has mended always stays."""
        if not rows:
            if self._is_ours(REFUSED):
                with contextlib.suppress(OSError):
                    (self.path / REFUSED).unlink(missing_ok=True)
            return []
        text = io.StringIO(newline="")
        writer = refused.Writer(text, table.header, table.delimiter)
        for row, cells, problems in sorted(rows, key=lambda item: item[0]):
            writer.write(row, cells, problems)
        name = REFUSED if self._is_ours(REFUSED) else self._free(REFUSED)
        return [self.write(name, MARK + text.getvalue().encode("utf-8", "replace"))]

    def name_left_over(self, before: list[dict], now: list[dict]) -> None:
        """Say which files of earlier scenarios no row asks for; they stay, since someone may have sent them."""
        asked = {kept["name"] for entry in now for kept in entry["files"]}
        left = sorted({kept["name"] for entry in before for kept in entry["files"]} - asked)
        left = [name for name in left if (self.path / name).exists()]
        if left:
            few = ", ".join(left[:5]) + (" …" if len(left) > 5 else "")
            print(f"{self.path}: {len(left)} files of scenarios that are no longer in the table are left there: {few}", file=sys.stderr)

    def _is_ours(self, name: str) -> bool:
        """True where a file is not there, or is as an earlier run has written it."""
        known = self.earlier.get(name)
        return not (self.path / name).exists() or (known is not None and files.is_same(self.path, known))

    def _free(self, name: str) -> str:
        base, dot, ending = name.rpartition(".")
        for number in range(2, 1000):
            other = f"{base} ({number}){dot}{ending}"
            if not (self.path / other).exists():
                return other
        raise InputError(f"{self.path}: too many files like {name}: remove some")
