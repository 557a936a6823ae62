"""A workbook of ours as a source of scenarios: the inputs that a person typed into it, as the same inputs in a CSV would be."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetcalc.errors import InputError
from sheetcalc.model import Link
from sheetcalc.studies import study as find
from sheetcalc.study import Study

if TYPE_CHECKING:
    from sheetcalc.workbook.origin import Returned


class Typed(NamedTuple):
    """One scenario of a workbook, in base units, or why it cannot be used."""

    name: str
    inputs: dict[str, Any]
    issue_date: str
    problems: tuple[str, ...] = ()


def is_ours(path: str) -> bool:
    """Whether a file is a workbook that sheetcalc has made: its directory holds the sheets of a plan."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo("xl/workbook.xml")
            head = archive.read(info) if info.file_size < 10_000_000 else b""
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return False
    return all(b'name="%b"' % name in head for name in (b"Inputs", b"Model", b"Checks", b"Versions"))


def opened(path: str) -> Returned:
    """A workbook of ours, read once. Raises InputError when the file cannot be trusted."""
    return _opened(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=1)
def _opened(path: str, _changed: int) -> Returned:
    from sheetcalc.workbook.origin import returned
    from sheetcalc.workbook.read import read

    back = returned(read(path), find, path)
    if back.moved:
        raise InputError(f"{back.moved.says}; make it again from its table", f"{path}:{back.moved.sheet}:{back.moved.cell}")
    return back


def overwritten(path: str) -> list[str]:
    """A sentence where somebody wrote over formulas of the workbook: only its inputs are taken, so such a value is lost here."""
    return _overwritten(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=1)
def _overwritten(path: str, _changed: int) -> list[str]:
    from sheetcalc.workbook.audit import audit
    from sheetcalc.workbook.read import read

    found = [f for f in audit(read(path), find, path) if f.kind in ("formula overwritten", "formula altered")]
    if not found:
        return []
    first = min(found, key=lambda f: f.kind != "formula overwritten")
    cells = "1 formula is not the one that was" if len(found) == 1 else f"{len(found):,} formulas are not those that were"
    return [
        f"{cells} issued (first {first.sheet}!{first.cell}: {first.says}); only inputs are taken from the workbook and the "
        "results are worked out from them: see sheetcalc audit"
    ]


def study_in(path: str, name: str) -> Study:
    """A study of the workbook, with the tables and constants of one's own that it was made with.

    Raises InputError when the workbook does not hold it.
    """
    back = opened(path)
    held = {s.name: s for s in (back.plan, *back.studies)}
    if name not in held:
        raise InputError(f"holds {', '.join(held)}; write --study with one of them, not {name}", path)
    return held[name]


def scenarios(path: str, name: str) -> Iterator[Typed]:
    """The plan, or each scenario, of a workbook; for another study, its inputs there, linked ones from the plan.

    Raises InputError when the file cannot be trusted or does not hold the study.
    """
    back, study = opened(path), study_in(path, name)
    for sentence in overwritten(path):
        print(f"{path}: {sentence}", file=sys.stderr)
    for change in back.changes:
        if change.formula and change.now is not None:
            print(f"{path}: {change.sheet}!{change.cell} holds the formula ={change.formula}; its shown value is taken", file=sys.stderr)
    for r in back.refused:
        print(f"{path}:{r.sheet}:{r.cell}: {r.says}", file=sys.stderr)
    wrong = [(r.scenario, f"{r.sheet}!{r.cell}: {r.says}") for r in back.refused]
    if study is not back.plan:
        problems = tuple(says for _, says in wrong)
        yield Typed(study.name, {} if problems else _of_study(back, study), back.date, problems)
        return
    for scenario, inputs in back.scenarios():
        problems = [says for of, says in wrong if of in ("", scenario)]
        yield Typed(scenario, inputs, back.date, tuple(problems or _unlike(back, inputs)))


def _unlike(back: Returned, inputs: dict[str, Any]) -> list[str]:
    """Where a scenario is of another machine than the one that the plan's calibration was measured on."""
    if not back.origin.own:
        return []
    from sheetcalc import adopt

    return adopt.unlike(back.plan, inputs) if adopt.calibrated(back.plan) else []


def _of_study(back: Returned, study: Study) -> dict[str, Any]:
    plan = back.now().plan
    linked = {n: plan.value(i.value.name) for n, i in study.linked().model.inputs.items() if isinstance(i.value, Link)}
    return linked | back.of_study(study)
