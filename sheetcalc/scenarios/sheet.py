"""A workbook (.xlsx) as a source of records.

The file is untrusted: it is looked at as a zip first, then read in a child with little memory and time.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import sheetcalc
from sheetcalc.scenarios import header
from sheetcalc.scenarios.problems import Problem, unusable
from sheetcalc.scenarios.records import Record

LARGEST = 200_000_000  # bytes that the parts may be together once unpacked
DENSEST = 200  # times that a part may be larger than its packed form
MOST_PARTS = 2000
SECONDS = 120  # the child's time
SAVE_AS = "save the table as .xlsx or as CSV UTF-8"


class SheetSource:
    """The first sheet of a workbook, or the one named Scenarios, kept in a temporary file so that it can be read twice."""

    delimiter = ","

    def __init__(self, path: Path, head: bytes, inputs: Mapping, header_row: int | None):
        self.path = path
        self.notes = _looked_through(path, head)
        self._kept = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (lives as long as this source)
        sheet = _read_in_child(path, self._kept)
        self.notes.append(f"read from the sheet {sheet}")
        known = header.names(inputs)
        first = list(zip(range(header_row or 10), self._records(), strict=False))
        scores = {r.row: sum(header.split(str(c))[0] in known for c in r.cells) for _, r in first if any(r.cells)}
        best = max(scores, key=lambda row: (scores[row], -row), default=1)
        at = header_row or best
        if not header_row and at != next(iter(scores), 1) and scores[at]:
            raise unusable(
                str(path), f"the header seems to be in row {at}", f"use --header-row {at}, or delete the rows above it", next(iter(scores))
            )
        found = next((r for _, r in first if r.row == at), None)
        if found is None:
            raise unusable(str(path), f"has no header in row {at}", "write a row of input names first")
        self.header_row = at
        self.header = found.cells[: max((i for i, cell in enumerate(found.cells) if str(cell).strip()), default=-1) + 1]

    def _records(self) -> Iterator[Record]:
        self._kept.seek(0)
        for line in self._kept:
            row, cells, wrong = json.loads(line)
            yield Record(row, row, [_cell(c) for c in cells], Problem(*wrong) if wrong else None)

    def data(self) -> Iterator[Record]:
        """The records below the header; a row is as wide as the header at least."""
        for record in self._records():
            if record.row > self.header_row:
                yield record._replace(cells=record.cells + [""] * (len(self.header) - len(record.cells)))


def _cell(found):
    """A cell of the child's answer: texts, numbers and truths as they are, a date as [ISO]."""
    if isinstance(found, list):
        return datetime.datetime.fromisoformat(found[0]) if "T" in found[0] else datetime.date.fromisoformat(found[0])
    return found


def _looked_through(path: Path, head: bytes) -> list[str]:
    """What the zip's directory says about the file. Raises TableError on what is no plain workbook."""
    name = str(path)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise unusable(name, "is encrypted, or an old .xls workbook", SAVE_AS)
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise unusable(name, f"is not a whole workbook ({error})", SAVE_AS) from None
    names = [part.filename for part in parts]
    if (
        len(parts) > MOST_PARTS
        or sum(p.file_size for p in parts) > LARGEST
        or any(p.file_size > DENSEST * max(p.compress_size, 1000) for p in parts)
    ):
        raise unusable(name, "unpacks to far more than a table of scenarios needs", "give the table alone, " + SAVE_AS)
    if any(n.casefold().endswith("vbaproject.bin") for n in names):
        raise unusable(name, "holds macros", SAVE_AS)
    if "xl/workbook.xml" not in names:
        raise unusable(name, "is not an .xlsx workbook", SAVE_AS)
    return ["has links to other workbooks; their last values were taken"] if any("externalLinks" in n for n in names) else []


def _read_in_child(path: Path, kept) -> str:
    """Write the rows to `kept` and return the name of the sheet."""
    command = [sys.executable, "-m", "sheetcalc.scenarios.sheet_cells", str(path.resolve())]
    home = str(Path(sheetcalc.__file__).parent.parent)
    try:
        done = subprocess.run(command, stdout=kept, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS, cwd=home)
    except subprocess.TimeoutExpired:
        raise unusable(str(path), f"takes more than {SECONDS} seconds to read", "give the table alone, " + SAVE_AS) from None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode or not said:
        why = said[-1] if said and done.returncode == 3 else "it needs too much memory, or is damaged"
        raise unusable(str(path), f"cannot be read ({why})", SAVE_AS)
    return said[-1]
