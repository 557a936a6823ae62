"""What a worker does for one scenario: works the plan out, prints its memo, and gives its row of the summary."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import cache
from typing import Any

from sheetcalc.batch import Made, Task
from sheetcalc.cells import missing
from sheetcalc.commands.own import Own, carried, problems, taken
from sheetcalc.errors import InputError
from sheetcalc.study import Result, Study
from sheetcalc.units import scale


@dataclass(frozen=True)
class MemoWork:
    """Makes `<stem>.pdf` with the scenario's workbook and inputs inside. `on_top` are inputs in base units that hold for every row; with
    `finance` a plan's memo tells money over time."""

    study: str
    on_top: tuple[tuple[str, Any], ...] = ()
    brand: str | None = None
    attach: bool = True
    finance: bool = False
    own: Own = Own()  # noqa: RUF009  (frozen)

    def __call__(self, task: Task) -> Made:
        return self.make(_ready(self.study, self.brand, self.own), task)

    def make(self, study: Study, task: Task) -> Made:
        """The memo of one scenario of a study that is at hand."""
        from sheetcalc.memo import render

        given = task.inputs | dict(self.on_top)
        if found := problems(self.study, self.own, given):
            return Made({}, "refused", found, {})
        try:
            result = study.evaluate(given)
        except InputError as error:
            return Made({}, "refused", [str(error)], {})
        if result.status == "refused":
            return Made({}, "refused", result.problems, {})
        attached = self._attached(study, task, given) if self.attach else ()
        money = self._over_time(result)
        pdf = render(result, brand=self.brand, details=_details(task), attached=attached, finance=money)
        return Made({".pdf": pdf}, result.status, result.problems, summary(result, money))

    def _over_time(self, result: Result) -> Result | None:
        """The finance study worked out with this plan, when it was asked for and the plan holds."""
        return _finance().evaluate({}, plan=result) if self.finance and not result.problems else None

    def _attached(self, study, task: Task, given: dict) -> list:
        from sheetcalc.memo.pdf import Attached
        from sheetcalc.scenarios.single import table
        from sheetcalc.workbook.book import build

        row = table(study.inputs, given, scenario=task.name, notes=task.notes, issue_date=task.issue_date)
        book = build(study, given, issue_date=task.issue_date, own=carried([study]))
        return [
            Attached(f"{task.stem}.xlsx", book, "The plan as live formulas", "Source"),
            Attached(f"{task.stem}.csv", row, "The scenario as a table of one row", "Data"),
        ]


@cache
def _ready(study: str, brand: str | None, own: Own):
    """The study, with styles and fonts set up once a process; what is set up is then left out of garbage collection."""
    from sheetcalc.memo import press

    found, _ = taken(study, own)
    press(brand)
    gc.freeze()
    return found


@cache
def _finance() -> Study:
    from sheetcalc.studies import study as find

    return find("finance").linked()


def _details(task: Task):
    from sheetcalc.memo.details import Details, read_date

    notes = "\n".join(filter(None, [task.notes, *task.conversions]))
    return Details(scenario=task.name, notes=notes, issued=read_date(task.issue_date))


def summary(result: Result, money: Result | None = None) -> dict[str, Any]:
    """The core outputs in display units, named with them, and the decision: by present value with the finance study, else by
    monthly bills."""
    out: dict[str, Any] = {}
    for name in result.study.core:
        value, unit = result.value(name), result.unit(name)
        heading = f"{name} [{unit}]" if unit and unit != "%" else name
        out[heading] = (
            None if missing(value) else value if isinstance(value, str | bool) or unit == "%" else float(f"{value / scale(unit):.14g}")
        )
    decides = money if money is not None and not money.problems else result
    if decides.study.decide:
        found = decides.study.decide(decides)
        out |= {f"{option['name']}_cost_per_month [$/month]": option["cost_per_month"] for option in found["options"]}
        out |= {"decision": found["choice"], "revisit_at": found["revisit_at"]}
    if decides.study.story:
        out["verdict"] = decides.says(decides.study.story.claim)
    return out
