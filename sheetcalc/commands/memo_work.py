"""What a worker does for one scenario: works the plan out, prints its memo, and gives its row of the summary."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sheetcalc.batch import Made, Task
from sheetcalc.cells import missing
from sheetcalc.commands import money
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
        from sheetcalc.memo import problems as told
        from sheetcalc.memo import render

        given, of_money = task.inputs | dict(self.on_top), {}
        if self.finance:
            given, of_money = money.parted(study, given)
            of_money = money.dated(of_money, task.issue_date)
        if found := problems(self.study, self.own, given):
            return Made({}, "refused", found, {})
        try:
            result = study.evaluate(given)
            over_time = money.over_time(result, of_money) if self.finance else None
        except InputError as error:
            return Made({}, "refused", [str(error)], {})
        if result.status == "refused":
            return Made({}, "refused", result.problems, {})
        attached = self._attached(study, task, given, of_money) if self.attach else ()
        pdf = render(result, brand=self.brand, details=_details(task), attached=attached, finance=over_time)
        return Made({".pdf": pdf}, result.status, told(result), summary(result, over_time))

    def _attached(self, study, task: Task, given: dict, of_money: dict) -> list:
        from sheetcalc.memo.pdf import Attached
        from sheetcalc.scenarios.single import table
        from sheetcalc.tables import with_columns
        from sheetcalc.workbook.book import build

        inputs = money.beside(study).inputs if self.finance else study.inputs
        typed = {name: x for name, x in (task.inputs | dict(self.on_top)).items() if name in inputs}  # a changed table is in the workbook
        row = table(inputs, typed, scenario=task.name, notes=task.notes, issue_date=task.issue_date)
        more = [money.with_values(of_money, study)] if self.finance else []
        changed, plain = with_columns(study, given)
        book = build(changed, plain, more, issue_date=task.issue_date, own=carried([study, *more]))
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


def _details(task: Task):
    from sheetcalc.memo.details import Details, read_date

    notes = "\n".join(filter(None, [task.notes, *task.conversions]))
    return Details(scenario=task.name, notes=notes, issued=read_date(task.issue_date))


def summary(result: Result, over_time: Result | None = None) -> dict[str, Any]:
    """The core outputs in display units, named with them, and the decision: by present value with the finance study, else by
    monthly bills."""
    out, decides = _core(result, result.study.core), result
    if over_time is not None and not over_time.problems:
        out |= _core(over_time, (n for n in over_time.study.core if n not in ("decision", "revisit_at")))
        decides = over_time
    if decides.study.decide:
        found = decides.study.decide(decides)
        out |= {f"{option['name']}_cost_per_month [$/month]": option["cost_per_month"] for option in found["options"]}
        out |= {"decision": found["choice"], "revisit_at": found["revisit_at"]}
    if decides.study.story:
        from sheetcalc.memo import verdict

        out["verdict"] = verdict(result, over_time)
    return out


def _core(result: Result, names: Iterable[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name in names:
        value, unit = result.value(name), result.unit(name)
        heading = f"{name} [{unit}]" if unit and unit != "%" else name
        out[heading] = (
            None if missing(value) else value if isinstance(value, str | bool) or unit == "%" else float(f"{value / scale(unit):.14g}")
        )
    return out
