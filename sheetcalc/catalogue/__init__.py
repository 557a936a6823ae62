"""GPUs, models, API prices and number formats: each value with its source and date, as grids that a study can look things up in.

The files beside this module hold display units, named in their headers; everything that leaves it is in base units (B, B/s, FLOP/s, $/h,
$/tok, W). A cell is left empty rather than guessed: None for a number, "" for a text. A file of your own with the same column names, or
some of them, goes on top of ours: its filled cells win, its new names are added.
"""

from __future__ import annotations

import csv
import difflib
import math
import re
from functools import lru_cache
from os import PathLike
from os.path import basename, dirname, join
from typing import NamedTuple

from sheetcalc.catalogue.columns import KINDS, Column, Kind
from sheetcalc.errors import InputError
from sheetcalc.model import Grid, Input
from sheetcalc.units import base, scale

FOLDER = dirname(__file__)
Value = float | str | None
NO_CLASS = "none"  # of an API row that serves no open model and is comparable with none


class Table(NamedTuple):
    """A catalogue as read: units and columns by name, and rows by name, numbers in base units."""

    name: str
    kind: Kind
    units: dict[str, str]
    rows: dict[str, dict[str, Value]]


def key(name: str) -> str:
    """A name as it is compared: without regard to case, no-break and repeated blanks."""
    return " ".join(name.split()).casefold()


def read(catalogue: str, path: str | PathLike | None = None) -> Table:
    """One of `gpus`, `models`, `prices`, `formats`; with a `path`, that file on top of ours.

    Raises InputError, naming file, row and column, when a file cannot be used.
    """
    if catalogue not in KINDS:
        raise InputError(f"there is no catalogue {catalogue!r}; write one of {', '.join(KINDS)}")
    ours = _ours(catalogue)
    return _over(ours, _parse(catalogue, str(path), ours.units), basename(path)) if path else ours


def gpus(path: str | PathLike | None = None) -> Grid:
    """The GPU catalogue: axis `gpu_name`, columns `gpu_hbm` [GB], `gpu_bandwidth` [TB/s], `gpu_peak_bf16` [TFLOP/s] and so on."""
    return grid(read("gpus", path))


def models(path: str | PathLike | None = None) -> Grid:
    """The model catalogue: axis `model_name`, columns `model_params` [Gparam], `model_kv_layers` and so on.

    KV bytes for each token are kv_layers × kv_heads × head_dim × kv_tensors × bytes of an element, and the same with window_layers for
    the last `window` tokens. A dense model has 0 experts.
    """
    found = grid(read("models", path))
    classes, first = found.typed["model_class"], _first_rows()
    rows = [first.get(one, "") for one in classes.value]
    return found._replace(typed={**found.typed, "model_api_row": classes._replace(value=rows, label="First API price row of its class")})


def _first_rows() -> dict[str, str]:
    """Class to the first price row that serves it, one that can still be had on the newest day of the list before one that cannot."""
    day, first = newest("prices"), {}
    for ended in (False, True):
        for name, row in _ours("prices").rows.items():
            if row["class"] and bool(row["retires"] and row["retires"] <= day) == ended:
                first.setdefault(str(row["class"]), name)
    return first


def prices(path: str | PathLike | None = None) -> Grid:
    """The API price catalogue: axis `price_name`, columns `price_input`, `price_cached_input`, `price_output` [$/M tok] and so on."""
    found = grid(read("prices", path))
    classes = found.typed["price_class"]
    named = classes._replace(value=[one or NO_CLASS for one in classes.value])  # a spreadsheet looks an empty cell up as 0
    return found._replace(typed={**found.typed, "price_class": named})


def formats(path: str | PathLike | None = None) -> Grid:
    """Number formats: axis `format_name`, columns `format_bytes_per_weight` [B], `format_bytes_per_kv` [B], `format_compute`."""
    return grid(read("formats", path))


def grid(table: Table) -> Grid:
    """A catalogue as a grid with typed columns."""
    kind, names = table.kind, list(table.rows)
    source = f"catalogue {kind.file}, which names the source and date of each value"
    typed = {
        f"{kind.prefix}_{column}": Input([row[column] for row in table.rows.values()], table.units[column], about.label, source)
        for column, about in kind.columns.items()
        if about.carried
    }
    return Grid(table.name, kind.label, rows={f"{kind.prefix}_name": Input(names, "", "Name", source)}, typed=typed)


def match(name: str, names) -> str:
    """The one of `names` that was meant (see `key`). Raises InputError with the nearest names."""
    by_key = {key(n): n for n in names}
    wanted = key(name)
    if wanted in by_key:
        return by_key[wanted]
    near = [k for k in by_key if wanted and wanted in k] or difflib.get_close_matches(wanted, by_key, 3, 0.5)
    hint = " or ".join(repr(by_key[k]) for k in near[:4])
    raise InputError(f"{name!r} is not in the catalogue; " + (f"did you mean {hint}?" if hint else f"it has {', '.join(by_key.values())}"))


def find(catalogue: str, name: str, field: str, path: str | PathLike | None = None) -> Value:
    """One value in base units; None or "" where the catalogue has none. `field` goes with or without its prefix (`gpu_hbm`, `hbm`)."""
    table = read(catalogue, path)
    column = match(key(field).removeprefix(f"{table.kind.prefix}_"), table.kind.columns)
    return table.rows[match(name, table.rows)][column]


def source_of(table: Table, name: str, column: str) -> str:
    """Where a value came from and when, for a reader."""
    about, row = table.kind.columns[column], table.rows[name]
    return f"{row[about.source]} ({row[about.date]})" if about.source else ""


def newest(catalogue: str, path: str | PathLike | None = None) -> str:
    """The newest date of its values, year-month-day."""
    return max(str(row["date"]) for row in read(catalogue, path).rows.values())


@lru_cache(None)
def _ours(catalogue: str) -> Table:
    return _parse(catalogue, join(FOLDER, KINDS[catalogue].file), {})


def _parse(catalogue: str, path: str, expected: dict[str, str]) -> Table:
    kind = KINDS[catalogue]
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            (_, header), *body = [(reader.line_num, row) for row in reader if any(map(str.strip, row))] or [(1, [])]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read as a CSV in UTF-8: {error}", str(path)) from None
    units = dict(_heading(cell, kind, expected, path) for cell in header)
    if len(units) != len(header) or "name" not in units:
        raise InputError("needs a column 'name', and each column once", f"{path}:1")
    rows: dict[str, dict[str, Value]] = {}
    for number, cells in body:
        if len(cells) != len(header):
            raise InputError(f"has {len(cells)} cells, but the header has {len(header)}", f"{path}:{number}")
        row = {
            column: _value(cell.strip(), kind.columns[column], unit, f"{path}:{number}:{column}") if column != "name" else cell
            for (column, unit), cell in zip(units.items(), cells, strict=True)
        }
        name = " ".join(str(row.pop("name")).split())
        if not name or re.search(r"[*?~]", name):
            raise InputError("needs a name without * ? ~, which Excel reads as wildcards", f"{path}:{number}:name")
        if key(name) in map(key, rows):
            raise InputError(f"{name!r} is there twice; names are compared without regard to case and blanks", f"{path}:{number}:name")
        rows[name] = row
    return Table(catalogue, kind, units, rows)


def _heading(cell: str, kind: Kind, expected: dict[str, str], path: str) -> tuple[str, str]:
    """'hbm [GB]' is ('hbm', 'GB')."""
    found = re.fullmatch(r"(\w+)(?: *\[(.*)\])?", cell.strip())
    column, unit = (found[1], found[2] or "") if found else (cell, "")
    if column != "name" and column not in kind.columns:
        near = difflib.get_close_matches(column, kind.columns, 1)
        raise InputError(f"{cell!r} is not a column of this catalogue" + (f"; did you mean {near[0]!r}?" if near else ""), f"{path}:1")
    usual = expected.get(column, unit)
    if base(unit) != base(usual) or bool(unit) != bool(usual):
        says = f"{column} cannot be in {unit or 'no unit'}; write {column} [{usual}]" if usual else f"{column} has no unit"
        raise InputError(says, f"{path}:1")
    return column, unit


def _value(cell: str, about: Column, unit: str, where: str) -> Value:
    if about.text:
        return cell
    if not cell:
        return None
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(f"{cell!r} is not a number from 0 up; write it plainly, such as 1200.5, or leave the cell empty", where)
    return number * scale(unit)


def _over(ours: Table, own: Table, file: str) -> Table:
    """Filled cells of one's own file win; a value that comes without a source gets the file's name as source."""
    rows = dict(ours.rows)
    known = {key(name): name for name in rows}
    for name, filled in own.rows.items():
        base = known.get(key(name), name)
        row = dict(rows.get(base) or {c: "" if about.text else None for c, about in ours.kind.columns.items()})
        for column, value in filled.items():
            if value not in (None, ""):
                row[column] = value
                about = ours.kind.columns[column]
                if about.source and not filled.get(about.source):
                    row[about.source], row[about.date] = file, filled.get(about.date) or "undated"
        rows[base] = row
    return Table(ours.name, ours.kind, ours.units, rows)
