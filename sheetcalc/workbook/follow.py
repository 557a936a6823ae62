"""Which wrong results follow from cells that were changed: those whose formulas read a changed cell, or one that follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from openpyxl.formula import Tokenizer
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from sheetcalc.workbook.read import Content

Place = tuple[str, str]  # sheet, cell or name
MOST = 20_000  # results beyond which none is traced
RANGE = re.compile(r"(?:(.+)!)?(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)$")


def following(wrong: list[Place], changed: Iterable[Place], content: Content) -> set[Place]:
    """Of cells with wrong results, those that follow from changed cells (or names, whose second part is the name in small letters)."""
    if len(wrong) > MOST:
        return set()
    reached: dict[str, set] = {}
    for sheet, what in changed:
        reached.setdefault(sheet, set()).add(_at(what))
    reads = {place: list(_reads(place[0], content.sheets[place[0]][place[1]].formula, content)) for place in wrong}
    out: set[Place] = set()
    more = True
    while more:
        found = [p for p, boxes in reads.items() if any(_meets(reached.get(sheet, ()), box) for sheet, box in boxes)]
        more = bool(found)
        for sheet, cell in found:
            reached.setdefault(sheet, set()).add(coordinate_to_tuple(cell))
            del reads[sheet, cell]
        out.update(found)
    return out


def _at(what: str):
    return coordinate_to_tuple(what) if RANGE.match(what) else what


def _meets(reached: Iterable, box) -> bool:
    if isinstance(box, str):
        return box in reached
    left, top, right, bottom = box
    if (left, top) == (right, bottom):
        return (top, left) in reached
    return any(top <= at[0] <= bottom and left <= at[1] <= right for at in reached if not isinstance(at, str))


def _reads(sheet: str, formula: str, content: Content) -> Iterator[tuple[str, object]]:
    """What a formula reads: boxes of cells by sheet, through names too, and the names themselves."""
    for token in Tokenizer("=" + formula).items:
        if token.type != "OPERAND" or token.subtype != "RANGE":
            continue
        name = token.value.casefold()
        means = next((r for n, r in content.names.get(sheet, {}).items() if n.casefold() == name), token.value)
        yield sheet, name
        if m := RANGE.match(means):
            yield (m[1] or sheet).strip("'").replace("''", "'"), range_boundaries(m[2].replace("$", ""))
