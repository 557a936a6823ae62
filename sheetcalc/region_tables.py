"""Regions and the round trips between them from files; what is left blank is worked out: the nearest partner, the smallest spare."""

from __future__ import annotations

from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.model import Grid, Input
from sheetcalc.scenarios import read
from sheetcalc.spare_search import MOST_REGIONS, smallest_spare
from sheetcalc.study import Study

HOURS_IN_DAY = 24
COLUMNS = {
    "from_region": Input("", "", "From region", "file"),
    "to_region": Input("", "", "To region", "file"),
    "pair_round_trip": Input(0.0, "ms", "Round trip", "file", low=0.0),
}


def is_distances(path: Path) -> bool:
    """Whether the file holds round trips rather than regions."""
    try:
        read(path, COLUMNS)
    except InputError:
        return False
    return True


def resized(study: Study, count: int) -> Study:
    """Every list that follows from the number of regions, as long as it must be; distances are given next."""
    sizes = {"other_region": count, "pair": count * count, "outage": count * HOURS_IN_DAY}

    def of_size(grid: Grid) -> Grid:
        axis = next(iter(grid.rows), None) if isinstance(grid.rows, dict) else None
        if axis == "region":
            follows = {"region_partner": [1.0] * count, "spare_plan": [0.0] * count}
            return grid._replace(typed={n: i._replace(value=follows.get(n, i.value)) for n, i in grid.typed.items()})
        if axis not in sizes:
            return grid
        rows = {axis: grid.rows[axis]._replace(value=[float(i) for i in range(1, sizes[axis] + 1)])}
        return grid._replace(rows=rows, typed={n: i._replace(value=[0.0] * sizes[axis]) for n, i in grid.typed.items()})

    return study._replace(grids=[of_size(g) for g in study.grids])


def with_distances(study: Study, path: Path) -> Study:
    """The study with its round trips, each regions' nearest partner and the smallest spare under the distance limit.

    Raises InputError when a pair of regions has no round trip.
    """
    names = _column(study, "region_name")
    trips: dict[tuple[str, str], float] = {}
    for row in read(path, COLUMNS):
        if hasattr(row, "problems"):
            raise InputError("\n".join(row.lines(str(path))))
        ends = tuple(row.inputs.get(end, "").strip() for end in ("from_region", "to_region"))
        for end in ends:
            if end not in names:
                raise InputError(f"{end!r} is not one of the regions; write {', '.join(names)}", f"{path}:{row.row_number}")
        if "pair_round_trip" not in row.inputs:
            raise InputError("is empty; write the round trip", f"{path}:{row.row_number}:pair_round_trip")
        trips[ends] = row.inputs["pair_round_trip"]

    def trip(a, b):
        if a == b:
            return 0.0
        if (a, b) not in trips and (b, a) not in trips:
            raise InputError(f"no round trip between {a} and {b}; add a row for it", str(path))
        return trips.get((a, b), trips.get((b, a)))

    matrix = [[trip(a, b) for b in names] for a in names]
    count = len(names)
    partners = [float(min((r for r in range(count) if r != k), key=lambda r: matrix[k][r], default=k) + 1) for k in range(count)]
    study = _with(study, {"pair_round_trip": [t for row in matrix for t in row], "region_partner": partners, "spare_plan": [0.0] * count})
    return _with(study, {"spare_plan": _spare(study, count)})


def _spare(study: Study, count: int) -> list[float]:
    """The smallest spare; none where the search is too large or a region has no neighbor, and the checks then say what is missing."""
    result = study.evaluate()
    near = result.value("near_between")
    neighbors = [[r for r in range(count) if near[r][k] == 1] for k in range(count)]
    need = [int(n) for n in result.value("neighbor_spare_need")]
    if count > MOST_REGIONS or any(n and not others for n, others in zip(need, neighbors, strict=True)):
        return [0.0] * count
    return [float(s) for s in smallest_spare(neighbors, need)]


def _column(study: Study, name: str) -> list:
    return next(g.typed[name].value for g in study.grids if name in g.typed)


def _with(study: Study, columns: dict[str, list]) -> Study:
    grids = [
        g._replace(
            typed={
                n: i._replace(value=columns[n], source="given in a file, or worked out from it") if n in columns else i
                for n, i in g.typed.items()
            }
        )
        for g in study.grids
    ]
    return study._replace(grids=grids, claims=())
