"""What someone changed in a workbook: inputs, formulas, shown results, names, sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from openpyxl.formula import Tokenizer

from sheetcalc import __version__
from sheetcalc.errors import InputError
from sheetcalc.study import Study
from sheetcalc.workbook.origin import NOTHING, Returned, cells_of, returned
from sheetcalc.workbook.read import Content
from sheetcalc.workbook.sheet import Cell, Sheet

SERIOUS = {
    "formula overwritten",
    "formula altered",
    "stale value",
    "name missing",
    "name added",
    "name altered",
    "sheet added",
    "sheet missing",
    "sheet hidden",
    "formula added",
    "not audited",
}
NEAR = 1e-6  # relative, of shown results: what decision 28 allows where statistical functions are in the chain
TRUTHS = {"true(", "false("}  # LibreOffice writes TRUE as a function


class Finding(NamedTuple):
    """One thing that is not as issued: its kind, where, and the words."""

    kind: str
    sheet: str
    cell: str
    says: str

    @property
    def serious(self) -> bool:
        """Whether the model is no longer the one that was issued."""
        return self.kind in SERIOUS


def audit(content: Content, find: Callable[[str], Study], where: str = "") -> list[Finding]:
    """Everything that was changed, serious things first. Raises InputError when the file is not a workbook of sheetcalc."""
    back = returned(content, find, where)
    if back.own:
        says = (
            f"made with tables or constants of one's own for {', '.join(sorted(back.own))}; make it again from the same files and compare"
        )
        return [Finding("not audited", "Versions", "", says)]
    found = [*_version(back), *_inputs(back), *_sheets(back, content), *_names(back, content), *_formulas(back, content)]
    found += _results(back, content, {(f.sheet, f.cell) for f in found if f.serious})
    return sorted(found, key=lambda f: (not f.serious, f.kind))


def _version(back: Returned) -> list[Finding]:
    if back.version == __version__:
        return []
    return [
        Finding("version", "Versions", "A4", f"made by sheetcalc {back.version}, audited by {__version__}; differences may come from that")
    ]


def _inputs(back: Returned) -> list[Finding]:
    out = []
    for c in back.changes:
        says = f"{_label(back, c)}: {_shown(c.was)} → {_shown(c.now)}"
        if c.formula:
            says += f" (holds ={c.formula}, taken at its shown value)"
        out.append(Finding("input changed", c.sheet, c.cell, says))
    out += [
        Finding("scenario changed", "Scenarios", "", f"{name}: its inputs are not those that were issued") for name in back.changed_rows
    ]
    return out + [
        Finding("input holds a formula", sheet, cell, f"={formula}, taken at its shown value") for sheet, cell, formula in back.loose
    ]


def _label(back: Returned, c) -> str:
    sheet = next(s for s in back.issued if s.title == c.sheet)
    row = int(c.cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    first = sheet.cells.get((row, 1), Cell("", None))
    name = next((k for k in c.key[1:] if isinstance(k, str) and k not in (back.plan.name, *(s.name for s in back.studies))), c.key[0])
    return f"{first.value} ({name})" if isinstance(first.value, str) and (row, 1) != _at(c.cell) else name


def _at(cell: str) -> tuple[int, int]:
    from openpyxl.utils.cell import coordinate_to_tuple

    return coordinate_to_tuple(cell)


def _shown(x: Any) -> str:
    return (
        "blank"
        if x is None or x == ""
        else "an error"
        if x != x
        else repr(x)
        if isinstance(x, str)
        else f"{x:.15g}"
        if not isinstance(x, bool)
        else str(x).upper()
    )


def _sheets(back: Returned, content: Content) -> list[Finding]:
    issued = [s.title for s in back.issued]
    out = [Finding("sheet added", t, "", "was not in the issued workbook") for t in content.sheets if t not in issued]
    out += [Finding("sheet missing", t, "", "was removed or renamed") for t in issued if t not in content.sheets]
    return out + [Finding("sheet hidden", t, "", "is hidden; the issued workbook hides nothing") for t in content.hidden]


def _names(back: Returned, content: Content) -> list[Finding]:
    out = []
    for scope in ["", *(s.title for s in back.issued)]:
        want = next((s.names for s in back.issued if s.title == scope), {})
        have = {n: r for n, r in content.names.get(scope, {}).items() if not n.startswith("_xlnm.") and not n.startswith("_xlfn")}
        at = scope or "the workbook"
        lower = {n.casefold(): r for n, r in have.items()}
        known = {n.casefold() for n in want}
        out += [Finding("name missing", scope, "", f"{n} is no longer defined on {at}") for n in want if n.casefold() not in lower]
        out += [Finding("name added", scope, "", f"{n} was not defined on {at}: {r}") for n, r in have.items() if n.casefold() not in known]
        out += [
            Finding("name altered", scope, "", f"{n} means {lower[n.casefold()]}, was {r}")
            for n, r in want.items()
            if n.casefold() in lower and _reference(lower[n.casefold()]) != _reference(r)
        ]
    return out


def _reference(text: str) -> str:
    return text.replace("'", "").replace("$", "").replace(" ", "").casefold()


def tokens(formula: str) -> list[str]:
    """A formula as the words it is made of: case, blanks, quotes round plain sheet names, `_xlfn.` and leading `+` do not count."""
    plain = []
    for token in Tokenizer("=" + formula).items:
        if token.type == "WHITE-SPACE":
            continue
        value = token.value
        if token.subtype != "TEXT":
            value = re.sub(r"'([^']*)'!", r"\1!", value.casefold().replace("_xlfn.", "")).strip()
            value = _number(value)
        plain.append(value)
    return [w.rstrip("(") if w in TRUTHS else w for i, w in enumerate(plain) if not (w == ")" and i and plain[i - 1] in TRUTHS)]


def _number(value: str) -> str:
    try:
        return repr(float(value))
    except ValueError:
        return value


def _formulas(back: Returned, content: Content) -> list[Finding]:
    out = []
    for sheet in back.issued:
        if sheet.title not in content.sheets:
            continue
        held, known = content.sheets[sheet.title], set()
        for at, cell in cells_of(sheet):
            known.add(at)
            found = held.get(at, NOTHING)
            if cell.formula:
                if not found.formula:
                    out.append(Finding("formula overwritten", sheet.title, at, f"holds {_shown(found.value)} instead of {cell.value}"))
                elif cell.value[1:] != found.formula and tokens(cell.value[1:]) != tokens(found.formula):
                    out.append(Finding("formula altered", sheet.title, at, f"={found.formula} instead of {cell.value}"))
            elif not cell.typed:
                out += _constant(sheet, at, cell, found)
        out += [
            Finding(
                "formula added" if h.formula else "cell added",
                sheet.title,
                at,
                f"holds {'=' + h.formula if h.formula else _shown(h.value)}",
            )
            for at, h in held.items()
            if at not in known and (h.formula or h.value is not None)
        ]
    return out


def _constant(sheet: Sheet, at: str, cell: Cell, found) -> list[Finding]:
    if found.formula:
        return [Finding("formula added", sheet.title, at, f"={found.formula} instead of {_shown(cell.value)}")]
    if cell.value is None or (isinstance(cell.value, str) and isinstance(found.value, str) and cell.value.split() == found.value.split()):
        return []
    if cell.value == found.value or (
        not isinstance(cell.value, str) and isinstance(found.value, float) and math.isclose(cell.value, found.value, rel_tol=1e-14)
    ):
        return []
    if sheet.title == "Versions":  # says itself what was issued
        return []
    kind = "text changed" if isinstance(cell.value, str) else "factor changed"
    return [Finding(kind, sheet.title, at, f"{_shown(cell.value)} → {_shown(found.value)}")]


def _results(back: Returned, content: Content, wrong: set[tuple[str, str]]) -> list[Finding]:
    """Shown results against those of the inputs that the file holds; one old result for all is told once."""
    try:
        sheets = back.now().sheets() if back.changes else back.issued
    except InputError as error:
        return [Finding("input refused", "Inputs", "", str(error))]
    stale = _stale(sheets, content, wrong)
    if not stale or not (back.changes or back.changed_rows):
        return stale
    if back.changes and not _stale(back.issued, content, wrong):
        return [
            Finding(
                "results old",
                "",
                "",
                "inputs were changed and nothing was calculated since; open the file in a spreadsheet program and save it",
            )
        ]
    return stale


def _stale(sheets: list[Sheet], content: Content, wrong: set[tuple[str, str]]) -> list[Finding]:
    out = []
    for sheet in sheets:
        held = content.sheets.get(sheet.title, {})
        for at, cell in cells_of(sheet):
            found = held.get(at, NOTHING)
            if cell.formula and found.formula and (sheet.title, at) not in wrong and not _agrees(cell.cached, found.value, cell.value):
                out.append(
                    Finding("stale value", sheet.title, at, f"shows {_shown(found.value)}, worked out again it is {_shown(cell.cached)}")
                )
    return out


def _agrees(want, have, formula: str) -> bool:
    if have is None:
        return False
    if isinstance(want, bool) or isinstance(have, bool):
        return not isinstance(have, str) and want == have
    if isinstance(want, str) or isinstance(have, str):
        return want == have or (isinstance(want, str) and isinstance(have, str) and _sentence(want) == _sentence(have))
    if want != want or have != have:
        return want != want and have != have
    return math.isclose(want, have, rel_tol=NEAR, abs_tol=1e-12)


def _sentence(text: str) -> list[str]:
    """A sentence with its numbers as a program prints them: fifteen digits at most."""
    return [
        f"{float(w):.12g}" if re.fullmatch(r"-?\d+(\.\d+)?(E[+-]?\d+)?", w) else w
        for w in re.split(r"(-?\d+(?:\.\d+)?(?:E[+-]?\d+)?)", text)
    ]
