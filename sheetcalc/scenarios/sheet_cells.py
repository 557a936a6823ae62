"""The child that reads an untrusted workbook: prints one JSON line a row, and the sheet's name to stderr.

calamine reads values fast, but gives an error cell and a formula that nobody calculated as empty, which would become a silent
default; those are looked for in the sheet's XML. Exit 3 with a sentence where the workbook cannot be read.
"""

from __future__ import annotations

import datetime
import json
import posixpath
import re
import sys
import zipfile

MEMORY = 2_000_000_000  # bytes of address space
PREFERRED = "scenarios"  # the sheet taken, if there is one of that name
_CELL = re.compile(rb"<(?:\w+:)?c\s([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.S)
_VALUE = re.compile(rb"<(?:\w+:)?v>([^<]*)</")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def limit_memory() -> None:
    """Where the system can, bound this process."""
    try:
        import resource
    except ImportError:  # Windows has no such limit; the zip's directory was looked at before
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def part_of(archive: zipfile.ZipFile, title: str) -> str:
    """The name of the part that holds a sheet."""
    from defusedxml import ElementTree

    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    links = {r.get("Id"): r.get("Target") for r in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
    sheet = next(s for s in book.iter() if s.tag.endswith("}sheet") and s.get("name") == title)
    return posixpath.normpath(posixpath.join("xl", links[sheet.get(_RELATION)])).lstrip("/")


def troubles(xml: bytes) -> dict[tuple[int, int], str]:
    """Row and column (from 1) of each error cell (with the error) and each formula without a value ('')."""
    found = {}
    if b't="e"' not in xml and not re.search(rb"<(?:\w+:)?f[ >/]", xml):
        return found
    for at in _CELL.finditer(xml):
        address = re.search(rb'\br="([A-Z]+)([0-9]+)"', at[1])
        inside = at[2] or b""
        value = _VALUE.search(inside)
        is_error, is_formula = b't="e"' in at[1], re.search(rb"<(?:\w+:)?f[ >/]", inside)
        if address and (is_error or (is_formula and not (value and value[1]))):
            column = 0
            for letter in address[1]:
                column = column * 26 + letter - 64
            found[int(address[2]), column] = value[1].decode("ascii", "replace") if is_error and value else ""
    return found


def merged_rows(sheet) -> set[int]:
    """Rows that a merged cell covers, from 1."""
    return {row + 1 for (first, _), (last, _) in sheet.merged_cell_ranges or () for row in range(first, min(last, first + 100_000) + 1)}


def as_json(cell):
    """Texts, numbers and truths as they are, a date as [ISO], a time of day or a duration as text."""
    if isinstance(cell, datetime.date):
        return [cell.isoformat()]
    return cell if isinstance(cell, str | float | int) else str(cell)


def main(path: str) -> None:
    """Print every row of the sheet that holds something."""
    limit_memory()
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_path(path)
    title = next((n for n in book.sheet_names if n.casefold() == PREFERRED), book.sheet_names[0])
    sheet = book.get_sheet_by_name(title)
    with zipfile.ZipFile(path) as archive:
        wrong = troubles(archive.read(part_of(archive, title)))
    merged = merged_rows(sheet)
    above, left = sheet.start or (0, 0)
    rows_with_trouble = {row for row, _ in wrong}
    for row, cells in enumerate(sheet.to_python(skip_empty_area=True), above + 1):
        cells = [""] * left + [as_json(cell) for cell in cells]
        if not any(c != "" for c in cells) and row not in rows_with_trouble:
            continue
        problem = None
        for column in sorted(c for r, c in wrong if r == row) if row in rows_with_trouble else ():
            said = wrong[row, column]
            cells += [""] * (column - len(cells))
            if said:
                cells[column - 1] = said
            else:
                problem = (
                    f"column {column}",
                    "holds a formula that no spreadsheet has calculated",
                    "open the workbook, let it calculate, and save it",
                )
        if row in merged:
            problem = ("", "has a merged cell", "unmerge it and fill every row")
        sys.stdout.write(json.dumps([row, cells, problem]) + "\n")
    sys.stderr.write(title + "\n")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        main(sys.argv[1])
    except MemoryError:
        sys.stderr.write("it needs too much memory\n")
        sys.exit(3)
    except Exception as error:  # whatever a damaged file makes a reader say, the parent tells in a sentence
        sys.stderr.write(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'damaged'}\n")
        sys.exit(3)
