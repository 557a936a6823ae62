"""A study's own table from a CSV or xlsx file: options, models, regions, hourly counts, instead of the rows of the worked example.

The file's columns are the typed columns of one of the study's grids, by the names and in the units that people type; numbers,
separators and encodings are read as in a table of scenarios. A filled study is the same study with other rows; its claims, which
belong to the worked example, are gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sheetcalc import region_tables
from sheetcalc.errors import InputError
from sheetcalc.model import Grid, Input
from sheetcalc.ranges import out_of_range
from sheetcalc.scenarios import read
from sheetcalc.study import Study

HOURS = "hour"  # an axis of fixed length: rows are averaged day over day
GIVEN = "given in a file"
TABLES = {
    "chat_plus_batch": ("day",),
    "regions": ("regions", "hours"),
    "many_models": ("models",),
    "cost_ledger": ("options",),
    "speculative_decoding": ("drafts",),
}
FROM_0 = ("draft",)  # axes whose first row is 0 of something, not its first
SECOND = ("rival",)  # axes that list the rows of another table a second time
WORKED_OUT = ("region_partner", "spare_plan")  # columns that follow from the round trips


def filled(study: Study, paths: Iterable[str | Path]) -> Study:
    """The study with the rows of one file for each of its tables.

    Raises InputError when a file fits no table of the study, and, naming row and column, when a cell cannot be used.
    """
    paths = [Path(path) for path in paths]
    trips = [path for path in paths if study.name == "regions" and region_tables.is_distances(path)]
    for path in paths:
        if path not in trips:
            study = _fill(study, path)
    for path in trips:
        study = region_tables.with_distances(study, path)
    given = [g.typed["region_name"].source == GIVEN for g in study.grids if "region_name" in g.typed]
    if any(given) and not trips:
        raise InputError(
            "gives regions without the round trips between them; add a second table headed " + ", ".join(region_tables.COLUMNS),
            str(paths[0]),
        )
    return study


def fits(study: Study, path: str | Path) -> InputError | None:
    """Why a file is no table of the study, or None when it is one."""
    if study.name == "regions" and region_tables.is_distances(Path(path)):
        return None
    try:
        _grid_of(study, Path(path))
    except InputError as error:
        return error
    return None


def _fill(study: Study, path: Path) -> Study:
    grid = _grid_of(study, path)
    rows = list(_rows(path, {n: i._replace(value=i.value[0]) for n, i in _typed(grid).items()} | _axis_column(grid)))
    axis, labels = next(iter(grid.rows.items()))
    if axis == HOURS:
        return _with_grid(study, grid, {}, {n: _daily(path, rows, n, len(labels.value)) for n in _typed(grid)})
    columns = {n: _column(path, rows, n, given, labels) for n, given in _typed(grid).items()}
    made = _with_grid(study, grid, {axis: _numbers(path, rows, axis, int(axis not in FROM_0))}, columns)
    if study.name == "regions":
        return region_tables.resized(made, len(rows))
    return _with_second_axis(made, labels.value, len(rows))


def _numbers(path: Path, rows, axis: str, start: int) -> list[float]:
    """The numbers of the rows; where they count from 0, a file that names other ones is refused."""
    for i, row in enumerate(rows, start):
        if start == 0 and row.inputs.get(axis, i) != i:
            raise InputError(
                f"is {axis} {row.inputs[axis]:g} where {i} should stand; begin with {axis} 0 and sort the rows",
                f"{path}:{row.row_number}:{axis}",
            )
    return [float(i) for i in range(start, start + len(rows))]


def _typed(grid: Grid) -> dict[str, Input]:
    return {name: given for name, given in grid.typed.items() if isinstance(given, Input) and name not in WORKED_OUT}


def _axis_column(grid: Grid) -> dict[str, Input]:
    """The number of a row may stand in the file; the order of the rows decides."""
    axis, labels = next(iter(grid.rows.items()))
    return {axis: labels._replace(value=labels.value[0])}


def _grid_of(study: Study, path: Path) -> Grid:
    """The grid whose columns the file names. Raises InputError where none fits."""
    candidates = [g for g in study.grids if g.name in TABLES.get(study.name, ())]
    wrong: list[InputError] = []
    for grid in candidates:
        try:
            read(path, {n: i._replace(value=i.value[0]) for n, i in _typed(grid).items()} | _axis_column(grid))
            return grid
        except InputError as error:
            wrong.append(error)
    if not wrong:
        raise InputError(f"{study.name} has no table of its own; give its inputs with --set", str(path))
    if len(wrong) == 1:
        raise wrong[0]
    known = "; or ".join(", ".join(_typed(g)) for g in candidates)
    raise InputError(f"no table of {study.name} has these columns; head them {known}", str(path))


def _rows(path: Path, inputs: dict[str, Input]) -> Iterable[Any]:
    """The rows as inputs in base units. Raises InputError with every line that is wrong."""
    table = read(path, inputs)
    lines = []
    for row in table:
        if hasattr(row, "problems"):
            lines += row.lines(table.path)
            continue
        lines += [f"{path}:{row.row_number}:{n}: {problem}" for n, x in row.inputs.items() if (problem := out_of_range(inputs[n], x))]
        yield row
    if lines:
        raise InputError("\n".join(lines))


def _column(path: Path, rows, name: str, given: Input, labels: Input) -> list:
    """A column of the file; where a cell is empty, what the worked example has for every row, or nothing where a cell may stay blank."""
    own = list(given.value)
    if own == list(labels.value):  # a place in an order: the order of the file
        return [row.inputs.get(name, float(i)) for i, row in enumerate(rows, 1)]
    if all(v is None for v in own) or len(set(own)) == 1:
        return [row.inputs.get(name, own[0]) for row in rows]
    empty = [row.row_number for row in rows if name not in row.inputs]
    if empty:
        raise InputError(f"{given.label} is empty; write {name} for every row", f"{path}:{empty[0]}:{name}")
    return [row.inputs[name] for row in rows]


def _daily(path: Path, rows, name: str, hours: int) -> list[float]:
    """Hourly counts from the first hour of a day on: the mean of each hour over whole days."""
    if len(rows) % hours or not rows:
        raise InputError(f"has {len(rows)} rows; write {hours}, one for each hour from {HOURS} 0 on, or whole days of them", str(path))
    for i, row in enumerate(rows):
        if name not in row.inputs:
            raise InputError("is empty; write a count for every hour, 0 where there were none", f"{path}:{row.row_number}:{name}")
        if row.inputs.get(HOURS, i % hours) != i % hours:
            raise InputError(
                f"is hour {row.inputs[HOURS]:g} where hour {i % hours} should stand; sort the rows", f"{path}:{row.row_number}:{HOURS}"
            )
    values = [row.inputs[name] for row in rows]
    if not any(values):
        raise InputError("has no request in any hour; write counts", str(path))
    days = len(rows) // hours
    return [sum(values[h::hours]) / days for h in range(hours)]


def _with_grid(study: Study, grid: Grid, axes: dict[str, list], columns: dict[str, list]) -> Study:
    rows = {n: i._replace(value=axes.get(n, i.value)) for n, i in grid.rows.items()}
    typed = {n: given._replace(value=columns[n], source=GIVEN) if n in columns else given for n, given in grid.typed.items()}
    grids = [g._replace(rows=rows, typed=typed) if g is grid else g for g in study.grids]
    return study._replace(grids=grids, claims=())


def with_columns(study: Study, given: dict[str, Any]) -> tuple[Study, dict[str, Any]]:
    """The study with the columns among these values in its tables, and the values that are left."""
    columns = {name: value for name, value in given.items() if isinstance(value, list | tuple)}

    def filled(grid: Grid, cells: dict) -> dict:
        out = {}
        for name, own in cells.items():
            value = columns.get(name, columns.get(f"{grid.name}_{name}"))
            out[name] = own if value is None or isinstance(own, str) else own._replace(value=value) if isinstance(own, Input) else value
        return out

    grids = (
        [g if isinstance(g.rows, str) else g._replace(rows=filled(g, g.rows), typed=filled(g, g.typed)) for g in study.grids]
        if columns
        else study.grids
    )
    return study._replace(grids=grids), {name: value for name, value in given.items() if name not in columns}


def _with_second_axis(study: Study, old: list, count: int) -> Study:
    """A second list of the same things (rivals, other models) is as long as the first."""

    def longer(grid: Grid) -> Grid:
        if not isinstance(grid.rows, dict) or grid.typed or len(grid.rows) != 1:
            return grid
        axis, labels = next(iter(grid.rows.items()))
        same = isinstance(labels, Input) and list(labels.value) == list(old) and axis in SECOND
        return grid._replace(rows={axis: labels._replace(value=[float(i) for i in range(1, count + 1)])}) if same else grid

    return study._replace(grids=[longer(g) for g in study.grids])
