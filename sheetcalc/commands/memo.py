"""`sheetcalc memo`: one PDF, of a scenario, of a plan given by `--set`, or of a study."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from sheetcalc import files
from sheetcalc.batch import Task, names
from sheetcalc.commands.memo_work import MemoWork
from sheetcalc.commands.money import beside
from sheetcalc.commands.own import own
from sheetcalc.commands.sources import Case, cases, chosen
from sheetcalc.errors import InputError


def command(args) -> int:
    if args.out:
        _is_pdf(args.out)
    mine = own(args)
    study = chosen(args.study, args)
    in_time = args.finance and study.name == "plan"
    case = one(list(cases(beside(study) if in_time else study, args)), args.scenario)
    if case.problems:
        raise InputError("; ".join(case.problems), case.name)
    task = Task(
        1,
        case.name if args.scenarios else "",
        names.stem(case.name),
        case.inputs,
        case.notes,
        case.recipients,
        case.issue_date,
        case.conversions,
    )
    made = MemoWork(study.name, brand=args.brand, finance=in_time, own=mine).make(study, task)
    if made.status == "refused":
        raise InputError("; ".join(made.problems), case.name)
    out = args.out or f"{task.stem}.pdf"
    files.write_whole(out, made.files[".pdf"])
    if not args.out:
        print(out)
    for problem in made.problems:
        print(f"{case.name}: {problem}", file=sys.stderr)
    return 0


def _is_pdf(out: str) -> None:
    """Refuses a name that would lie about what is in the file. Raises InputError."""
    path = Path(out)
    if path.is_dir():
        raise InputError(f"{out} is a folder; write {path / 'memo.pdf'}", "-o")
    if path.suffix.lower() != ".pdf":
        raise InputError(f"a memo is a PDF, and {path.name} is not named like one; write {path.with_suffix('.pdf')}", "-o")


def one(found: list[Case], wanted: str | None) -> Case:
    """The scenario of that name, or the only one. Raises InputError, naming what there is."""
    known = ", ".join(case.name for case in found[:10])
    if wanted is not None:
        for case in found:
            if case.name.casefold() == wanted.casefold():
                return case
        near = difflib.get_close_matches(wanted, [case.name for case in found], 1)
        raise InputError(
            f"there is no scenario {wanted!r}; " + (f"did you mean {near[0]!r}?" if near else f"the table has {known}"), "--scenario"
        )
    if len(found) != 1:
        raise InputError(
            f"the table has {len(found)} scenarios; name one with --scenario ({known}), or make them all with sheetcalc run", "--scenario"
        )
    return found[0]
