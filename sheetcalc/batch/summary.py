"""summary.csv: a row for each scenario that has a result, written so that the spreadsheet of the place opens it."""

from __future__ import annotations

import csv
import io
from typing import Any, NamedTuple

from sheetcalc.scenarios.refused import defused

NAME = "summary.csv"


class Look(NamedTuple):
    """How a CSV is written: a decimal comma goes with semicolons, as spreadsheets there expect."""

    decimal: str = "."

    @property
    def delimiter(self) -> str:
        return ";" if self.decimal == "," else ","

    def cell(self, value: Any) -> str:
        """A value as text: full precision, no cell that a spreadsheet would run."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float | int):
            text = f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else repr(float(value))
            return text.replace(".", self.decimal)
        return defused(str(value))


def table(entries: list[dict], look: Look | None = None) -> bytes:
    """The summary of scenarios in order; its columns are those of any of them, in the order in which they come."""
    look = look or Look()
    columns = list(dict.fromkeys(name for entry in entries for name in entry["summary"]))
    text = io.StringIO(newline="")
    out = csv.writer(text, delimiter=look.delimiter, lineterminator="\r\n")
    out.writerow(["row", "scenario", "status", *columns, "problems", "files"])
    for entry in entries:
        cells = [entry["summary"].get(name) for name in columns]
        names = " ".join(kept["name"] for kept in entry["files"])
        out.writerow(
            [look.cell(c) for c in (entry["row"], entry["scenario"], entry["result"], *cells, "; ".join(entry["problems"]), names)]
        )
    return b"\xef\xbb\xbf" + text.getvalue().encode("utf-8", "replace")
