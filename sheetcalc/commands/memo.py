"""`sheetcalc memo`: one PDF, of a scenario, of a plan given by `--set`, or of a study."""

from __future__ import annotations

import difflib
import sys

from sheetcalc import files
from sheetcalc.batch import Task, names
from sheetcalc.commands.memo_work import MemoWork
from sheetcalc.commands.money import beside
from sheetcalc.commands.own import own
from sheetcalc.commands.sources import Case, cases, chosen
from sheetcalc.errors import InputError


def command(args) -> int:
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
    files.write_whole(args.out, made.files[".pdf"])
    for problem in made.problems:
        print(f"{case.name}: {problem}", file=sys.stderr)
    return 0


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
        raise InputError(f"the table has {len(found)} scenarios; name one with --scenario: {known}", "--scenario")
    return found[0]
