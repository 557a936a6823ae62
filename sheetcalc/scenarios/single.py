"""One scenario written as a table of one row, which `sheetcalc run` reads back; a memo carries it."""

from __future__ import annotations

import csv
import io
from typing import Any

from sheetcalc.model import Input
from sheetcalc.scenarios.refused import defused
from sheetcalc.show import display


def table(inputs: dict[str, Input], given: dict[str, Any], **about: str) -> bytes:
    """The typed inputs in display units, the unit in the heading; `about` is what the row says about itself (scenario, notes,
    issue_date)."""
    cells = {name: text for name, text in about.items() if text}
    for name, value in given.items():
        unit = inputs[name].unit
        heading = name if unit in ("", "%") else f"{name} [{unit}]"
        cells[heading] = value if isinstance(value, str) else "" if value is None else repr(value if unit == "%" else display(value, unit))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(cells)
    writer.writerow([defused(cell) for cell in cells.values()])
    return out.getvalue().encode("utf-8")
