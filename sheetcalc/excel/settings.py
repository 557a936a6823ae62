"""xlwings' settings of this user, a file of lines "KEY","VALUE": which Python Excel starts, and which modules hold functions."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from sheetcalc.excel.vba import UDF_MODULE

MODULES, INTERPRETER, CONDA_PATH, CONDA_ENV = "UDF MODULES", "INTERPRETER_WIN", "CONDA PATH", "CONDA ENV"
FILE = Path.home() / ".xlwings" / "xlwings.conf"


def read(text: str) -> dict[str, str]:
    """The settings by key; keys are compared as capitals, as xlwings does."""
    return {row[0].strip().upper(): row[1].strip() for row in csv.reader(io.StringIO(text)) if len(row) > 1 and row[0].strip()}


def completed(text: str, interpreter: str = sys.executable) -> tuple[str, list[str]]:
    """The file with what sheetcalc needs, and what was done in words; nothing that a person set is overwritten."""
    found, done = read(text), []
    if not found.get(INTERPRETER) and not found.get(CONDA_PATH):
        found[INTERPRETER] = interpreter
        done.append(f"Excel will use {interpreter}")
    elif found.get(INTERPRETER, interpreter) != interpreter:
        done.append(f"kept {INTERPRETER} {found[INTERPRETER]}; sheetcalc must be installed there, or write {interpreter} instead")
    modules = [m.strip() for m in found.get(MODULES, "").split(";") if m.strip()]
    if UDF_MODULE not in modules:
        found[MODULES] = ";".join([*modules, UDF_MODULE])
        done.append(f"the functions of {UDF_MODULE} will be imported")
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(found.items())
    return out.getvalue(), done
