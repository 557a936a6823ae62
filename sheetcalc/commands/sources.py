"""Where a command's scenarios come from: a table, `--set`, or nothing but the defaults."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from sheetcalc.commands import from_workbook
from sheetcalc.commands.own import is_config, own, problems, taken
from sheetcalc.errors import InputError
from sheetcalc.study import Result, Study
from sheetcalc.typed import typed


class Case(NamedTuple):
    """One scenario to work out: typed inputs in base units, or the problems for which it is refused."""

    name: str
    inputs: dict[str, Any]
    problems: tuple[str, ...] = ()
    notes: str = ""
    recipients: str = ""
    conversions: tuple[str, ...] = ()
    issue_date: str = ""


def chosen(name: str, args) -> Study:
    """The study of that name, with the tables of `--table` in place of its worked rows, or as the workbook of the command carries it.

    Raises InputError when there is no such study, and when a file fits none of its tables.
    """
    book = getattr(args, "scenarios", None) or ""
    if from_workbook.is_ours(book) and from_workbook.opened(book).origin.own:
        if args.table or any(own(args)):
            raise InputError("has tables or constants of its own; leave --table, --calibration and a --model file out", book)
        return from_workbook.study_in(book, name)
    return tabled([taken(name, own(args))[0]], args)[0]


def tabled(studies: list[Study], args) -> list[Study]:
    """Studies with the tables of `--table`; each table goes to those that it fits, and must fit one."""
    if not args.table:
        return studies
    from sheetcalc.tables import TABLES, filled, fits

    takers = [s for s in studies if s.name in TABLES]
    if not takers:
        raise InputError(
            f"--table goes with --study {', '.join(TABLES)}; {', '.join(s.name for s in studies) or 'the plan'} has no table of its own"
        )
    wrong = {path: [fits(taker, path) for taker in takers] for path in args.table}
    for refusals in wrong.values():
        if all(refusals):
            raise refusals[0]
    given = {taker.name: [path for path in args.table if wrong[path][i] is None] for i, taker in enumerate(takers)}
    return [filled(s, given[s.name]) if given.get(s.name) else s for s in studies]


def settings(study: Study, args) -> dict[str, Any]:
    """`--set`, `--profile` and `--model` as inputs in base units.

    Raises InputError on a name that is not an input, and on a value that cannot be read.
    """
    out: dict[str, Any] = {}
    for item in args.set:
        name, sign, text = item.partition("=")
        if not sign:
            raise InputError(f"{item!r} has no =; write NAME=VALUE", "--set")
        name = name.strip()
        if name not in study.inputs:
            study.model.renamed({name: None})
        if text.strip():
            out[name] = _typed(name, text, study, f"--set {name}")
    if args.profile:
        if "profile" not in study.inputs:
            raise InputError(f"{study.name} has no profiles", "--profile")
        out["profile"] = _typed("profile", args.profile, study, "--profile")
    if getattr(args, "model", None) and not is_config(args.model):
        if "model" not in study.inputs:
            raise InputError(f"{study.name} has no model to choose", "--model")
        out["model"] = _typed("model", args.model, study, "--model")
    return out


def _typed(name: str, text: str, study: Study, where: str) -> Any:
    """A value of the command line in base units. Raises InputError that names the option."""
    try:
        return typed(name, text, study.inputs[name]).value
    except InputError as error:
        raise InputError(error.says, where) from None


def reading(study: Study, args, limit: int | None = None):
    """The opened table of scenarios; what was found out about the file goes to stderr."""
    from sheetcalc.scenarios import read

    found = read(
        args.scenarios,
        study.inputs,
        encoding=args.encoding,
        delimiter=args.delimiter,
        decimal=args.decimal,
        header_row=args.header_row,
        indian=args.indian_groups,
        limit=limit,
    )
    told(args.scenarios, found.notes)
    return found


def told(path: str, notes: list[str]) -> None:
    """What was found out about a file, on stderr."""
    for note in notes:
        print(f"{path}: {note}", file=sys.stderr)


def cases(study: Study, args) -> Iterator[Case]:
    """The scenarios of a command, in order; `--set` goes on top of each row."""
    on_top, files = settings(study, args), own(args)
    if not getattr(args, "scenarios", None):
        yield Case(study.name, on_top, tuple(problems(study.name, files, on_top)))
        return
    if from_workbook.is_ours(args.scenarios):
        for row in from_workbook.scenarios(args.scenarios, study.name):
            wrong = row.problems or problems(study.name, files, row.inputs | on_top)
            yield Case(row.name, row.inputs | on_top, tuple(wrong), issue_date=row.issue_date)
        return
    table = reading(study, args)
    for row in table:
        if hasattr(row, "problems"):
            for line in row.lines(table.path):
                print(line, file=sys.stderr)
            yield Case(row.name, {}, tuple(f"{p.column}: {p.what}: {p.instead}".removeprefix(": ") for p in row.problems))
        else:
            yield Case(
                row.name,
                row.inputs | on_top,
                tuple(problems(study.name, files, row.inputs | on_top)),
                row.notes,
                row.recipients,
                row.conversions,
                row.issue_date,
            )


def result_of(study: Study, inputs: dict[str, Any]) -> Result:
    """One evaluated scenario."""
    return study.evaluate(inputs)
