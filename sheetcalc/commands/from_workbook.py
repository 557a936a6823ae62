"""A workbook of ours as a source of scenarios: the inputs that a person typed into it, as the same inputs in a CSV would be."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from sheetcalc.errors import InputError
from sheetcalc.model import Link
from sheetcalc.studies import study as find
from sheetcalc.study import Study


class Typed(NamedTuple):
    """One scenario of a workbook, in base units."""

    name: str
    inputs: dict[str, Any]
    issue_date: str


def is_ours(path: str) -> bool:
    """Whether a file is a workbook that sheetcalc has made: its directory holds the sheets of a plan."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo("xl/workbook.xml")
            head = archive.read(info) if info.file_size < 10_000_000 else b""
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return False
    return all(b'name="%b"' % name in head for name in (b"Inputs", b"Model", b"Checks", b"Versions"))


def scenarios(path: str, study: Study) -> Iterator[Typed]:
    """The plan, or each scenario, of a workbook; for another study, its inputs there, linked ones from the plan.

    Raises InputError when the file cannot be trusted or was made with tables of one's own.
    """
    from sheetcalc.workbook.origin import returned
    from sheetcalc.workbook.read import read

    back = returned(read(path), find, path)
    if back.own:
        raise InputError(f"was made with tables or constants of one's own ({', '.join(sorted(back.own))}); give those files again", path)
    for change in back.changes:
        if change.formula:
            print(f"{path}: {change.sheet}!{change.cell} holds the formula ={change.formula}; its shown value is taken", file=sys.stderr)
    for sheet, cell, formula in back.loose:
        print(f"{path}: {sheet}!{cell} holds the formula ={formula}; its shown value is taken", file=sys.stderr)
    if study.name != back.plan.name and study.name not in {s.name for s in back.studies}:
        raise InputError(
            f"holds {', '.join(s.name for s in (back.plan, *back.studies))}; write --study with one of them, not {study.name}", path
        )
    given = back.inputs()
    if study.name != back.plan.name:
        yield Typed(study.name, _of_study(back, study), back.date)
    elif back.rows:
        for row in back.rows:
            yield Typed(row.name, given | {n: x for n, x in row.inputs.items() if x is not None and n not in given}, back.date)
    else:
        yield Typed(study.name, given, back.date)


def _of_study(back, study: Study) -> dict[str, Any]:
    book = back.now()
    linked = {n: book.plan.value(i.value.name) for n, i in study.linked().model.inputs.items() if isinstance(i.value, Link)}
    return linked | book.edits.studies.get(study.name, {})
