"""The finance study beside a plan: inputs of both in one table, each worked out with its own."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sheetcalc.errors import InputError
from sheetcalc.model import Grid, Input
from sheetcalc.studies import study as find
from sheetcalc.studies.finance_inputs import OLD, days_before
from sheetcalc.study import Result, Study
from sheetcalc.units import base

NAME, PRICES = "finance", "prices"
_LINKED: dict[int, tuple[Grid | None, Study]] = {}


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
    return None if plan.problems else _linked(plan.study).evaluate(given, plan=plan)


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
    day, found = given.get("price_day") or issue_date, {}
    if day:
        found["price_day"] = day
        with suppress(ValueError):  # a day that is no date is refused by the study, in words
            found["stale_before"] = days_before(day, OLD)
    return found | given


def with_values(given: dict[str, Any], plan: Study | None = None) -> Study:
    """The finance study with these values in its cells and the plan's price list, for a workbook."""
    study = _with_prices_of(plan) if plan else find(NAME)
    return study._replace(inputs=study.inputs | {n: study.inputs[n]._replace(value=x, source="given") for n, x in given.items()})


def given(studies: list[Study], values: dict[str, Any], plan: Study) -> list[Study]:
    """Studies for a workbook, the finance study with these values in its cells."""
    return [with_values(values, plan) if s.name == NAME else s for s in studies]


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


def _with_prices_of(plan: Study) -> Study:
    """The finance study with the price list that the plan has."""
    study, own = find(NAME), {g.name: g for g in plan.grids}.get(PRICES)
    return study._replace(grids=[own if own and g.name == PRICES else g for g in study.grids])


def _linked(plan: Study) -> Study:
    """The same, linked; traced once for each price list."""
    prices = next((g for g in plan.grids if g.name == PRICES), None)
    held = _LINKED.get(id(prices))
    if held is None or held[0] is not prices:
        held = _LINKED[id(prices)] = prices, _with_prices_of(plan).linked()
    return held[1]
