"""The first look at a whole table: how many rows, which names come twice, which decimal mark its numbers show."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping

from sheetcalc.numbers import Style, decimal_mark
from sheetcalc.scenarios.header import ABOUT, Column
from sheetcalc.scenarios.records import Record
from sheetcalc.typed import folded


class Survey:
    """Adds up records; a name costs eight bytes, so that a table of millions fits."""

    def __init__(self, columns: list[Column], inputs: Mapping):
        self.count, self.marks, self.rows, self.hashes = 0, Counter(), array("q"), array("q")
        self.named = next((c.place for c in columns if c.name == "scenario"), None)
        self.numeric = [c.place for c in columns if c.name in inputs and c.name not in ABOUT and not inputs[c.name].is_text]

    def add(self, record: Record) -> None:
        """Take one record into account."""
        cells = record.cells
        if not any(map(_filled, cells)):
            return
        self.count += 1
        for place in self.numeric:
            cell = cells[place] if place < len(cells) else ""
            if isinstance(cell, str) and ("," in cell or "." in cell):
                self.marks[decimal_mark(cell)] += 1
        if self.named is not None and self.named < len(cells):
            self.rows.append(record.row)
            self.hashes.append(hash(folded(str(cells[self.named]))))

    def twins(self) -> dict[int, list[int]]:
        """For each row whose name is not its own: the rows that share it."""
        often = {h for h, n in Counter(self.hashes).items() if n > 1} if len(set(self.hashes)) < len(self.hashes) else set()
        same = defaultdict(list)
        for row, h in zip(self.rows, self.hashes, strict=True):
            if h in often:
                same[h].append(row)
        return {row: rows for rows in same.values() for row in rows}

    def style(self, delimiter: str, decimal: str | None, indian: bool) -> Style:
        """How the file writes numbers. The mark that most unambiguous cells show holds, the point where they are even."""
        point, comma = self.marks["."], self.marks[","]
        settled = None if decimal or not (point or comma) else "," if comma > point else "."
        return Style(delimiter, decimal, settled, indian)

    def notes(self, style: Style) -> list[str]:
        """What to print about the numbers."""
        if style.settled == ",":
            return [f"its numbers have a decimal comma, as {self.marks[',']} of its cells show"]
        return []


def _filled(cell) -> bool:
    return bool(cell.strip()) if isinstance(cell, str) else True
