"""The recommendation as data (decision 19): choice, when to look again, the rules that fired, the options with their bills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sheetcalc.cells import missing

if TYPE_CHECKING:
    from sheetcalc.study import Result

NPV_LATER = "worked out by the finance study"


def by_monthly_bills(result: Result) -> dict[str, Any]:
    """{choice, revisit_at, rules, premium, options} from cost per month; volumes in tokens a day, money in $.

    A value that does not exist is None with its sentence under `absent`.
    """

    def value(name):
        x = result.value(name)
        return None if missing(x) else x

    choice, rules, absent = value("choice_by_cost"), [], {}
    if value("must_build"):
        rules.append({"rule": "obligation", "says": "Data may not leave, or no API offers an equivalent model: cost does not decide."})
    if not value("build_possible"):
        rules.append({"rule": "self-hosting is not possible", "says": result.status_sentence})
    if not value("api_possible") and not value("must_build"):
        rules.append({"rule": "no API price", "says": result.absent("api_cost_per_month")})
    rules.append({"rule": "cost per month", "says": result.says("decision", pretty=False)})
    revisit = value("breakeven_volume") if choice == "api" and value("revisit_ahead") else None
    if choice == "api" and revisit is None:
        absent["revisit_at"] = result.absent("breakeven_volume")
    options = []
    for name, quantity in (("build", "build_cost_per_month"), ("api", "api_cost_per_month")):
        cost = value(quantity)
        options.append(
            {
                "name": name,
                "cost_per_month": cost,
                "npv": None,
                "absent": {"npv": NPV_LATER} | ({} if cost is not None else {"cost_per_month": result.absent(quantity)}),
            }
        )
    return {
        "choice": choice,
        "revisit_at": revisit,
        "rules": rules,
        "premium": value("obligation_premium") if value("must_build_here") else None,
        "options": options,
        "absent": absent,
    }
