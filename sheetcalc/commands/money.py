"""The finance study beside a plan: inputs of both in one table, each worked out with its own."""

from __future__ import annotations

from functools import cache
from typing import Any

from sheetcalc.errors import InputError
from sheetcalc.model import Input
from sheetcalc.studies import study as find
from sheetcalc.study import Result, Study
from sheetcalc.units import base

NAME = "finance"


def beside(plan: Study) -> Study:
    """The plan with the finance study's inputs among its own, for reading what people type."""
    return plan._replace(inputs=plan.inputs | _inputs(plan))


def parted(plan: Study, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is given for the plan, and what for the finance study."""
    ours = _inputs(plan)
    return {n: x for n, x in given.items() if n not in ours}, {n: x for n, x in given.items() if n in ours}


def over_time(plan: Result, given: dict[str, Any]) -> Result | None:
    """The finance study worked out with this plan; None where the plan does not hold.

    Raises InputError on a value outside its range.
    """
    return None if plan.problems else _linked().evaluate(given, plan=plan)


def both(plan: Study, given: dict[str, Any], issue_date: str = "") -> list[Result]:
    """The plan, and the finance study where the plan holds.

    Raises InputError on a value outside its range.
    """
    of_plan, ours = parted(plan, given)
    result = plan.evaluate(of_plan)
    later = over_time(result, dated(ours, issue_date))
    return [result, later] if later else [result]


def outputs(plan: Study, asked: str | None) -> list[str]:
    """The outputs that are asked for, of either; the core ones of both for `core`.

    Raises InputError on a name that neither has.
    """
    study = find(NAME)
    if asked in (None, "core"):
        return list(dict.fromkeys([*plan.core, *study.core]))
    names = [n.strip() for n in asked.split(",") if n.strip()]
    for n in names:
        (plan if n in plan.model.steps or n in plan.model.typed else study).model.about(n)
    return names


def heading(plan: Study, name: str, display: bool) -> str:
    """An output with its unit, as the head of a column."""
    model = (plan if name in plan.model.steps or name in plan.model.typed else find(NAME)).model
    unit = model.unit(name) if display else base(model.unit(name))
    return f"{name} [{unit}]" if unit else name


def dated(given: dict[str, Any], issue_date: str) -> dict[str, Any]:
    """The same, with prices judged on the day of issue where no other day is given."""
    return {"price_day": issue_date} | given if issue_date else given


def with_values(given: dict[str, Any]) -> Study:
    """The finance study with these values in its cells, for a workbook."""
    study = find(NAME)
    return study._replace(inputs=study.inputs | {n: study.inputs[n]._replace(value=x, source="given") for n, x in given.items()})


def given(studies: list[Study], values: dict[str, Any]) -> list[Study]:
    """Studies for a workbook, the finance study with these values in its cells."""
    return [with_values(values) if s.name == NAME else s for s in studies]


def common(rows: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The values that all scenarios (name, values) share: a workbook has the finance sheets once.

    Raises InputError where they differ.
    """
    first, values = rows[0]
    for name, others in rows[1:]:
        for n in dict.fromkeys([*values, *others]):
            if values.get(n) != others.get(n):
                raise InputError(f"differs between {first} and {name}, and a workbook has the finance sheets once; make one of each", n)
    return values


def _inputs(plan: Study) -> dict[str, Input]:
    """Those that neither the plan has nor come from it."""
    study = find(NAME)
    return {n: i for n, i in study.inputs.items() if n not in plan.inputs and n not in study.links}


@cache
def _linked() -> Study:
    return find(NAME).linked()
