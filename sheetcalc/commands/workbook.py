"""`sheetcalc workbook`: a workbook of live formulas, of one plan or of a table of scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sheetcalc.commands import money
from sheetcalc.commands.own import carried, own, taken
from sheetcalc.commands.sources import cases, settings, tabled
from sheetcalc.errors import InputError
from sheetcalc.scenarios import MEMO_LIMIT
from sheetcalc.studies import WORKED
from sheetcalc.studies import study as find
from sheetcalc.study import Study


def command(args) -> int:
    from sheetcalc.files import write_whole

    own_files = own(args)
    base = next((name for name in args.study if name in WORKED), "plan")
    if len(args.study) == 1 and money.NAME not in args.study and not (args.scenarios or args.model or args.profile or any(own_files)):
        base = args.study[0]  # nothing of a plan is given: the study stands alone, on its own inputs
    plan, beside = taken(base, own_files)[0], [find(name) for name in args.study if name != base]
    plan, *studies = tabled([plan, *beside], args) if base in args.study else [plan, *tabled(beside, args)]
    typed = money.beside(plan) if money.NAME in args.study and plan.name == "plan" else plan
    on_top = settings(typed, args)
    if not args.scenarios:
        on_top, ours = money.parted(plan, on_top)
        write_whole(args.out, of_rows(plan, on_top, [], money.given(studies, ours, plan)))
        return 0
    found = list(cases(typed, args))
    good = [case for case in found if not case.problems]
    if not good:
        raise InputError("no scenario of the table can be used; mend the rows named above", args.scenarios)
    if len(good) > MEMO_LIMIT:
        raise InputError(f"has more than {MEMO_LIMIT:,} scenarios; split it", args.scenarios)
    rows, dates = [(case.name, *money.parted(plan, case.inputs)) for case in good], {case.issue_date for case in good}
    ours = money.dated(money.common([(name, ours) for name, _, ours in rows]), min(dates) if len(dates) == 1 else "")
    content = of_rows(
        plan,
        money.parted(plan, on_top)[0],
        [(name, inputs) for name, inputs, _ in rows],
        money.given(studies, ours, plan) if typed is not plan else studies,
        (case.issue_date for case in good),
    )
    write_whole(args.out, content)
    return 0 if len(good) == len(found) else 1


def of_rows(
    plan: Study, on_top: dict[str, Any], rows: list[tuple[str, dict[str, Any]]], studies: list[Study] = (), dates: Iterable[str] = ()
) -> bytes:
    """The workbook of scenarios (name, inputs in base units); `on_top` holds for all of them and stands on Inputs.

    A date is printed when all scenarios have the same.
    """
    from sheetcalc.workbook.book import build
    from sheetcalc.workbook.table import Row

    issued = set(dates)
    table = [Row(name, {n: x for n, x in inputs.items() if n not in on_top}) for name, inputs in rows]
    return build(plan, on_top, studies, issued.pop() if len(issued) == 1 else "", table, carried([plan, *studies]))
