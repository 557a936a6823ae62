"""What someone changed in a workbook: inputs, formulas, shown results, names, sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from openpyxl.formula import Tokenizer

from sheetcalc import __version__
from sheetcalc.errors import InputError
from sheetcalc.study import Study
from sheetcalc.workbook.changed import changed, shown
from sheetcalc.workbook.follow import following
from sheetcalc.workbook.inputs import TITLE as INPUTS
from sheetcalc.workbook.origin import Returned, cells_of, returned
from sheetcalc.workbook.read import NOTHING, Content
from sheetcalc.workbook.sheet import Cell, Sheet
from sheetcalc.workbook.table import TITLE as TABLE
from sheetcalc.workbook.versions import TITLE as VERSIONS
from sheetcalc.workbook.versions import fingerprint

FIRST = ("rows moved", "baseline changed")  # without which the rest means little
TAMPERED = {
    *FIRST,
    "formula overwritten",
    "formula altered",
    "name missing",
    "name added",
    "name altered",
    "sheet added",
    "sheet missing",
    "sheet hidden",
    "formula added",
}
UNPROVEN = {"stale value", "no results", "input refused"}  # the model may be as issued, but what it shows is not what it gives
NEAR = 1e-6  # relative, of shown results: what decision 28 allows where statistical functions are in the chain
FEW = 5  # sheets that a line names
TRUTHS = {"true(", "false("}  # LibreOffice writes TRUE as a function
TABLE_END = re.compile(rf"({TABLE}'?!\$[A-Z]+\$\d+:\$[A-Z]+\$)(\d+)")
SAVE_AGAIN = "open the file in Excel or LibreOffice and save it"


class Finding(NamedTuple):
    """One thing that is not as issued: its kind, where, and the words."""

    kind: str
    sheet: str
    cell: str
    says: str

    @property
    def serious(self) -> bool:
        """Whether the file must not be relied on: the model is not the one that was issued, or it shows what it does not give."""
        return self.kind in TAMPERED | UNPROVEN


def audit(content: Content, find: Callable[[str], Study], where: str = "") -> list[Finding]:
    """Everything that was changed: the model first, then inputs, then what is shown.

    Raises InputError when the file is not a workbook of sheetcalc.
    """
    back = returned(content, find, where)
    found = [
        *_version(back),
        *_baseline(back, content),
        *_inputs(back),
        *_sheets(back, content),
        *_names(back, content),
        *_formulas(back, content),
    ]
    found += _results(back, content, found)
    return sorted(found, key=lambda f: (f.kind not in FIRST, f.kind not in TAMPERED, f.kind in UNPROVEN, f.kind))


def verdict(found: list[Finding]) -> str:
    """The audit in a few words."""
    kinds = {f.kind for f in found}
    if kinds & TAMPERED and "version" in kinds:
        return "differs from what this version of sheetcalc makes; audit it with the version that made it"
    if kinds & TAMPERED:
        return "the model was changed"
    if "no results" in kinds:
        return "the model is as issued, but the file holds no results"
    if "input refused" in kinds:
        return "the model is as issued, but an input cannot be used, so its results were not checked"
    if "stale value" in kinds:
        return "the formulas are as issued, but results that it shows are not what they give"
    return "inputs differ, the model is as issued" if found else "as issued"


def _version(back: Returned) -> list[Finding]:
    made = back.origin.version
    if made == __version__:
        return []
    return [Finding("version", VERSIONS, "A4", f"made by sheetcalc {made}, audited by {__version__}; differences may come from that")]


def _baseline(back: Returned, content: Content) -> list[Finding]:
    if content.sheets[VERSIONS].get("C4", NOTHING).value == fingerprint(back.origin):
        return []
    says = "the lines below are not those that the fingerprint was made of, so what was issued is not known"
    return [Finding("baseline changed", VERSIONS, "C4", says)]


def _inputs(back: Returned) -> list[Finding]:
    if back.moved:
        return [Finding("rows moved", back.moved.sheet, back.moved.cell, f"{back.moved.says}; inputs and results were not checked")]
    wrong = {(r.sheet, r.cell) for r in back.refused}
    out = [Finding("input refused", r.sheet, r.cell, r.says) for r in back.refused]
    out += [Finding("input changed", c.sheet, c.cell, changed(back, c)) for c in back.changes if (c.sheet, c.cell) not in wrong]
    out += [Finding("scenario added", TABLE, "", f"{name} was not issued") for name in back.added]
    return out + [Finding("scenario removed", TABLE, "", f"{name} was issued and is gone or renamed") for name in back.removed]


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
    out, short = [], ""
    for sheet in back.issued:
        if sheet.title not in content.sheets:
            continue
        held, known = content.sheets[sheet.title], set()
        for at, cell in cells_of(sheet):
            known.add(at)
            found = held.get(at, NOTHING)
            if cell.formula:
                if not found.formula:
                    out.append(Finding("formula overwritten", sheet.title, at, f"holds {shown(found.value)} instead of {cell.value}"))
                elif cell.value[1:] == found.formula or tokens(cell.value[1:]) == tokens(found.formula):
                    continue
                elif back.added and sheet.title == INPUTS and _whole_table(cell.value[1:]) == _whole_table(found.formula):
                    short = TABLE_END.search(found.formula)[2]
                else:
                    out.append(Finding("formula altered", sheet.title, at, f"={found.formula} instead of {cell.value}"))
            elif not cell.typed:
                out += _constant(sheet, at, cell, found)
        out += [
            Finding(
                "formula added" if h.formula else "cell added",
                sheet.title,
                at,
                f"holds {'=' + h.formula if h.formula else shown(h.value)}",
            )
            for at, h in held.items()
            if at not in known and (h.formula or h.value is not None)
        ]
    if short:
        says = f"Inputs reads the scenarios down to row {short}; insert a row inside the table rather than below it, to choose it there"
        out.append(Finding("scenario out of reach", TABLE, "", says))
    return out


def _whole_table(formula: str) -> list[str]:
    """A formula's words wherever the table of scenarios ends."""
    return tokens(TABLE_END.sub(r"\1", formula))


def _constant(sheet: Sheet, at: str, cell: Cell, found) -> list[Finding]:
    if found.formula:
        return [Finding("formula added", sheet.title, at, f"={found.formula} instead of {shown(cell.value)}")]
    if cell.value is None or (isinstance(cell.value, str) and isinstance(found.value, str) and cell.value.split() == found.value.split()):
        return []
    if cell.value == found.value or (
        not isinstance(cell.value, str) and isinstance(found.value, float) and math.isclose(cell.value, found.value, rel_tol=1e-14)
    ):
        return []
    if sheet.title == VERSIONS:  # says itself what was issued
        return []
    kind = "text changed" if isinstance(cell.value, str) else "factor changed"
    return [Finding(kind, sheet.title, at, f"{shown(cell.value)} → {shown(found.value)}")]


def _results(back: Returned, content: Content, found: list[Finding]) -> list[Finding]:
    """Shown results against those of the inputs that the file holds; what has one cause is told once."""
    if not any(h.formula and h.value is not None for cells in content.sheets.values() for h in cells.values()):
        return [Finding("no results", "", "", f"the file holds no calculated values; {SAVE_AGAIN}, then audit it again")]
    if back.refused or back.moved:
        return []
    wrong = {(f.sheet, f.cell) for f in found if f.serious}
    try:
        stale, old = _stale(back.now().sheets() if back.changes else back.issued, content, wrong), []
    except InputError as error:  # inputs that are in their ranges and do not go together
        return [Finding("input refused", "Inputs", "", str(error))]
    if stale and back.changes and len(before := _stale(back.issued, content, wrong)) < len(stale):
        stale, old = before, [Finding("results old", "", "", f"inputs were changed and nothing was calculated since; {SAVE_AGAIN}")]
    return [*old, *_without_what_follows(stale, content, found)]


def _without_what_follows(stale: list[Finding], content: Content, found: list[Finding]) -> list[Finding]:
    """Wrong results that follow from a changed cell or name in one line, the others each."""
    causes = [(f.sheet, f.cell) for f in found if f.cell and not f.kind.startswith("input")]
    causes += [(f.sheet, f.says.split(" ")[0].casefold()) for f in found if f.kind in ("name altered", "name missing")]
    follows = following([(f.sheet, f.cell) for f in stale], causes, content) if causes else set()
    if not follows:
        return stale
    sheets = list(dict.fromkeys(f.sheet for f in stale if (f.sheet, f.cell) in follows))
    where = ", ".join(sheets[:FEW]) + (f" and {len(sheets) - FEW} more sheets" if len(sheets) > FEW else "")
    says = f"{len(follows):,} shown results differ from those of the issued model because they rest on the cells above, on {where}"
    return [Finding("results follow", "", "", says), *(f for f in stale if (f.sheet, f.cell) not in follows)]


def _stale(sheets: list[Sheet], content: Content, wrong: set[tuple[str, str]]) -> list[Finding]:
    out = []
    for sheet in sheets:
        held = content.sheets.get(sheet.title, {})
        for at, cell in cells_of(sheet):
            found = held.get(at, NOTHING)
            if cell.formula and found.formula and (sheet.title, at) not in wrong and not _agrees(cell.cached, found.value, cell.value):
                out.append(
                    Finding("stale value", sheet.title, at, f"shows {shown(found.value)}, worked out again it is {shown(cell.cached)}")
                )
    return out


def _agrees(want, have, formula: str) -> bool:
    if have is None:
        return False
    if isinstance(want, bool) or isinstance(have, bool):
        return not isinstance(have, str) and want == have
    if isinstance(want, str) or isinstance(have, str):
        return isinstance(want, str) and isinstance(have, str) and _sentence(want) == _sentence(have)
    if want != want or have != have:
        return want != want and have != have
    return math.isclose(want, have, rel_tol=NEAR, abs_tol=1e-12)


def _sentence(text: str) -> list[str]:
    """A sentence with its numbers as a program prints them: fifteen digits at most."""
    return [
        f"{float(w):.12g}" if re.fullmatch(r"-?\d+(\.\d+)?(E[+-]?\d+)?", w) else w
        for w in re.split(r"(-?\d+(?:\.\d+)?(?:E[+-]?\d+)?)", text)
    ]
