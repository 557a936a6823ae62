"""An untrusted workbook, read with bounds: formulas and values by cell, names by sheet; what a plain workbook never holds is refused.

A part is streamed and never held as a tree; sizes come from the zip's directory, which zipfile enforces.
"""

from __future__ import annotations

import math
import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse
from openpyxl.formula.translate import Translator
from openpyxl.utils import column_index_from_string

from sheetcalc.errors import InputError
from sheetcalc.workbook.sheet import decoded

LARGEST = 200_000_000  # bytes of all parts, unpacked (10,000 scenarios take 90 MB)
DENSEST = 200  # times that a part may be larger than its packed form
MOST_PARTS, MOST_CELLS, MOST_NAMES = 2_000, 2_000_000, 100_000
ROWS, COLUMNS = 1_048_576, 16_384  # of a sheet (Excel specifications and limits)
FORBIDDEN = {
    "vbaproject.bin": "macros",
    "externallinks/": "links to other workbooks",
    "activex/": "ActiveX controls",
    "embeddings/": "embedded objects",
    "connections.xml": "data connections",
    "macrosheets/": "macro sheets",
    "querytables/": "queries",
}
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
ADDRESS = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})$")


class Held(NamedTuple):
    """What a cell holds: its formula (without =) or '', and its value: number, text, truth, NaN for an error, None for nothing."""

    formula: str
    value: Any


NOTHING = Held("", None)


class Content(NamedTuple):
    """A workbook as read."""

    sheets: dict[str, dict[str, Held]]
    names: dict[str, dict[str, str]]  # sheet ('' for the whole workbook) -> name -> reference
    hidden: list[str]


def read(path: str | Path) -> Content:
    """Everything that a workbook says. Raises InputError, with the reason, on what cannot or must not be read."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            _look_through(path, archive)
            return _content(path, archive)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("is not there; check the name", str(path)) from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zipfile.LargeZipFile, OSError) as error:
        raise InputError(f"is not a whole .xlsx workbook ({error}); save it as .xlsx", str(path)) from None
    except DefusedXmlException:
        raise InputError("defines XML entities, which no spreadsheet program writes; do not trust it", str(path)) from None
    except (ParseError, KeyError, ValueError) as error:
        raise InputError(f"is damaged ({error}); open it in a spreadsheet program and save it again as .xlsx", str(path)) from None


def _look_through(path: Path, archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    names = [p.filename.casefold() for p in parts]
    if len(set(names)) != len(names):
        raise InputError("holds two parts of the same name; do not trust it", str(path))
    for part, what in FORBIDDEN.items():
        if any(part in n for n in names):
            raise InputError(f"holds {what}, which a workbook of sheetcalc never does; save it as a plain .xlsx without them", str(path))
    if len(parts) > MOST_PARTS or sum(p.file_size for p in parts) > LARGEST:
        raise InputError(f"unpacks to more than {LARGEST // 1_000_000} MB or {MOST_PARTS:,} parts, far more than a plan needs", str(path))
    if dense := next((p.filename for p in parts if p.file_size > DENSEST * max(p.compress_size, 1000)), ""):
        raise InputError(f"holds a part that unpacks to more than {DENSEST} times its size ({dense[:60]}); do not trust it", str(path))
    if "xl/workbook.xml" not in names:
        raise InputError("is not an .xlsx workbook; save it as .xlsx", str(path))


def _content(path: Path, archive: zipfile.ZipFile) -> Content:
    book, rels = list(_elements(archive, "xl/workbook.xml")), {}
    for e in _elements(archive, "xl/_rels/workbook.xml.rels"):
        if e.get("Id"):
            rels[e.get("Id")] = e
    strings = _strings(archive) if "xl/sharedStrings.xml" in archive.namelist() else []
    order, hidden, sheets, names, count = [], [], {}, {}, 0
    for e in book:
        if e.tag == f"{MAIN}sheet":
            order.append(e.get("name"))
            if e.get("state", "visible") != "visible":
                hidden.append(e.get("name"))
            target = rels[e.get(RELATION)]
            part = posixpath.normpath(posixpath.join("xl", target.get("Target"))).lstrip("/").removeprefix("xl/xl/")
            cells = sheets[e.get("name")] = {}
            for at, held in _cells(archive, part if part in archive.namelist() else target.get("Target").lstrip("/"), strings):
                cells[at] = held
                count += 1
                if count > MOST_CELLS:
                    raise InputError(f"has more than {MOST_CELLS:,} cells, far more than a plan needs", str(path))
    for e in book:
        if e.tag == f"{MAIN}definedName":
            where = e.get("localSheetId")
            names.setdefault(order[int(where)] if where else "", {})[e.get("name")] = e.text or ""
    if sum(map(len, names.values())) > MOST_NAMES:
        raise InputError(f"has more than {MOST_NAMES:,} names", str(path))
    return Content(sheets, names, hidden)


def _elements(archive: zipfile.ZipFile, part: str) -> Iterator:
    with archive.open(part) as file:
        for _, e in iterparse(file, forbid_dtd=True):
            yield e


def _strings(archive: zipfile.ZipFile) -> list[str]:
    out = []
    for e in _elements(archive, "xl/sharedStrings.xml"):
        if e.tag == f"{MAIN}si":
            out.append(_text(e))
            e.clear()
    return out


def _text(e) -> str:
    return decoded("".join(t.text or "" for t in e.iter(f"{MAIN}t")))


def _cells(archive: zipfile.ZipFile, part: str, strings: list[str]) -> Iterator[tuple[str, Held]]:
    shared: dict[str, tuple[str, str]] = {}
    with archive.open(part) as file:
        for _, e in iterparse(file, forbid_dtd=True):
            if e.tag == f"{MAIN}c":
                at = e.get("r", "")
                held = _held(e, at, strings, shared)
                e.clear()
                if held is not None:
                    _inside(at)
                    yield at, held
            elif e.tag == f"{MAIN}row":
                e.clear()


def _inside(at: str) -> None:
    m = ADDRESS.match(at)
    if not m or int(m[2]) > ROWS or column_index_from_string(m[1]) > COLUMNS:
        raise ValueError(f"{at[:20]!r} is not the address of a cell")


def _held(e, at: str, strings: list[str], shared: dict[str, tuple[str, str]]) -> Held | None:
    kind, formula, value, has_formula = e.get("t", "n"), "", None, False
    for child in e:
        if child.tag == f"{MAIN}f":
            has_formula = True
            formula = child.text or ""
            if child.get("t") == "shared":
                if formula:
                    shared[child.get("si")] = formula, at
                else:
                    first, origin = shared[child.get("si")]
                    formula = Translator("=" + first, origin=origin).translate_formula(at)[1:]
        elif child.tag == f"{MAIN}v":
            value = child.text
        elif child.tag == f"{MAIN}is":
            kind, value = "text", _text(child)
    if value is None:
        return Held(formula, None) if has_formula else None
    if kind == "s":
        return Held(formula, strings[int(value)])
    if kind == "b":
        return Held(formula, value.strip() == "1")
    if kind == "e":
        return Held(formula, math.nan)
    if kind == "str":
        return Held(formula, decoded(value))
    return Held(formula, value if kind in ("text", "d") else float(value))
