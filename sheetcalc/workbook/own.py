"""What a study has of its own (tables, constants of a calibration, a model): written as texts, and taken into the study again.

A line is a name, `study/part`, and the JSON of what stands there instead; the parts are `inputs.NAME`, `GRID.NAME`, `grids`, `profiles`
and `claims`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sheetcalc.declare import Grid, Input
from sheetcalc.errors import InputError
from sheetcalc.study import Study

FIELDS = ("value", "source", "choices", "otherwise")  # of an input, which may differ


def lines(studies: Iterable[tuple[Study, Study]]) -> dict[str, str]:
    """Every difference of studies from those that come with sheetcalc; of pairs (study, as it comes)."""
    return {
        f"{study.name}/{part}": json.dumps(what, ensure_ascii=False)
        for study, base in studies
        if study is not base
        for part, what in _differences(study, base)
    }


def _differences(study: Study, base: Study):
    for name, given in study.inputs.items():
        if found := _changed(given, base.inputs[name]):
            yield f"inputs.{name}", found
    kept = [g.name for g in study.grids]
    if kept != [g.name for g in base.grids]:
        yield "grids", kept
    known = {g.name: g for g in base.grids}
    for grid in study.grids:
        for columns, old in zip(_columns(grid), _columns(known[grid.name]), strict=True):
            for name, given in columns.items():
                if found := _changed(given, old[name]):
                    yield f"{grid.name}.{name}", found
    if study.profiles != base.profiles:
        yield "profiles", {profile: list(values) for profile, values in study.profiles.items()}
    if study.claims != base.claims:
        yield "claims", []


def _columns(grid: Grid) -> tuple[dict[str, Any], ...]:
    return tuple(x if isinstance(x, dict) else {} for x in (grid.rows, grid.columns, grid.typed))


def _changed(given: Any, old: Any) -> dict[str, Any]:
    if not isinstance(given, Input):
        return {}
    return {f: getattr(given, f) for f in FIELDS if getattr(given, f) != getattr(old, f)}


def taken(base: Study, own: dict[str, str], where: str = "") -> Study:
    """The study with what the lines say in place of what comes with sheetcalc. Raises InputError on lines that do not fit it."""
    study = base
    for name, text in own.items():
        of, _, part = name.partition("/")
        if of != base.name:
            continue
        try:
            study = _with(study, part, json.loads(text))
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise InputError(
                f"Versions no longer says what {name} was made from; take the workbook as it was issued, or make it again", where
            ) from None
    return study


def _with(study: Study, part: str, what: Any) -> Study:
    first, _, name = part.partition(".")
    if part == "claims":
        return study._replace(claims=())
    if part == "grids":
        return study._replace(grids=[g for g in study.grids if g.name in what])
    if part == "profiles":
        return study._replace(profiles={p: {n: study.profiles[p][n] for n in names} for p, names in what.items()})
    if first == "inputs":
        return study._replace(inputs=study.inputs | {name: _put(study.inputs[name], what)})
    if first not in {g.name for g in study.grids}:
        raise KeyError(first)
    return study._replace(grids=[_in_grid(g, name, what) if g.name == first else g for g in study.grids])


def _in_grid(grid: Grid, name: str, what: dict[str, Any]) -> Grid:
    for field, columns in zip(("rows", "columns", "typed"), _columns(grid), strict=True):
        if name in columns:
            return grid._replace(**{field: columns | {name: _put(columns[name], what)}})
    raise KeyError(name)


def _put(given: Input, what: dict[str, Any]) -> Input:
    """The input with other fields, of the kind that they had."""
    for field, x in what.items():
        if field not in FIELDS or (field != "value" and not isinstance(x, (str, list))):
            raise ValueError(field)
        if field == "value" and not all(isinstance(y, (int, float, str, type(None))) for y in (x if isinstance(x, list) else [x])):
            raise ValueError(field)
    return given._replace(**{f: tuple(x) if f in ("choices", "otherwise") and isinstance(x, list) else x for f, x in what.items()})
