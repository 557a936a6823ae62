"""The same workbook worked out by LibreOffice and by IronCalc, from a copy in which every cached value is wrong.

LibreOffice would otherwise show our own cached values: it is told to recalculate hard, and the poison proves that it did.
"""

from __future__ import annotations

import math
import re
import subprocess
import zipfile
from pathlib import Path

import ironcalc
import openpyxl

HARD = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Calculation"><prop oor:name="UseThreadedCalculationForFormulaGroups" oor:op="fuse">
<value>false</value></prop></item>
</oor:items>"""  # on several threads LibreOffice 7.4 has left an error in a cell, once in some hundred runs
POISON = 999.0
Cells = dict[tuple[str, str], object]


def poisoned(path: Path, to: Path) -> Path:
    """A copy in which every formula's value is 999."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/"):
                data = re.sub(rb' t="\w+"><f>(.*?)</f><v>.*?</v>', rb' t="n"><f>\1</f><v>999</v>', data, flags=re.S)
            new.writestr(name, data)
    return to


def formulas(path: Path) -> dict[tuple[str, str], str]:
    """Every formula by sheet and cell."""
    return {
        (ws.title, c.coordinate): c.value
        for ws in openpyxl.load_workbook(path)
        for row in ws.iter_rows()
        for c in row
        if c.data_type == "f"
    }


def values(path: Path) -> Cells:
    """Every value that the file holds, by sheet and cell."""
    return {
        (ws.title, c.coordinate): c.value
        for ws in openpyxl.load_workbook(path, data_only=True)
        for row in ws.iter_rows()
        for c in row
        if c.value is not None
    }


def cached(path: Path) -> Cells:
    """The value that stands beside each formula."""
    held = values(path)
    return {at: held.get(at) for at in formulas(path)}


def libreoffice(path: Path, work: Path) -> Cells:
    """All values after a hard recalculation by LibreOffice."""
    profile = work.resolve() / "profile"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    (profile / "user" / "registrymodifications.xcu").write_text(HARD)
    bad = poisoned(path, work / f"poisoned-{path.name}")
    out = work / "recalculated"
    command = ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "xlsx", "--outdir", str(out), str(bad)]
    if subprocess.run(command, capture_output=True, timeout=300).returncode:  # on a busy machine LibreOffice may abort at its start
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return values(out / bad.name)


def iron(path: Path, changes: Cells | None = None) -> Cells:
    """Every formula's value after IronCalc's recalculation; `changes` is what someone types."""
    book = openpyxl.load_workbook(path)
    engine = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    for (sheet, at), x in (changes or {}).items():
        cell = book[sheet][at]
        engine.set_user_input(book.sheetnames.index(sheet), cell.row, cell.column, x if isinstance(x, str) else repr(x))
    engine.evaluate()
    return {
        (ws.title, c.coordinate): engine.get_cell_value(i, c.row, c.column)
        for i, ws in enumerate(book)
        for row in ws.iter_rows()
        for c in row
        if c.data_type == "f"
    }


def differences(want: Cells, got: Cells, rel: float = 1e-9) -> list[tuple]:
    """Cells that do not agree: (cell, wanted, got)."""
    bad = []
    for at, x in want.items():
        y = got.get(at)
        if isinstance(x, bool) or isinstance(y, bool):
            same = isinstance(x, bool) and not isinstance(y, str) and y is not None and x == y  # LibreOffice may hold a truth as 1 or 0
        elif isinstance(x, str) or x is None:
            same = (x or "") == ("" if y is None else y)
        else:
            same = isinstance(y, (int, float)) and math.isclose(x, y, rel_tol=rel, abs_tol=1e-12)
        if not same:
            bad.append((at, x, y))
    return bad
