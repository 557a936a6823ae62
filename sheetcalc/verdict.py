"""The recommendation of the finance study as data (decision 19): choice, when to look again, the rules that fired, the options with their
values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sheetcalc.cells import missing

if TYPE_CHECKING:
    from sheetcalc.study import Result

RULES = (
    ("rule_override", "obligation"),
    ("rule_build", "build"),
    ("rule_hybrid", "hybrid"),
    ("rule_revisit", "use the API now, look again"),
    ("rule_buy", "use the API"),
)
OPTIONS = (("build", "first_build_bill", "npv_build"), ("api", "first_api_bill", "npv_api"), ("hybrid", "first_hybrid_bill", "npv_hybrid"))


def by_present_value(result: Result) -> dict[str, Any]:
    """{choice, revisit_at, rules, premium, options} from present values; volumes in tokens a day, money in $.

    A value that does not exist is None with its sentence under `absent`.
    """
    absent: dict[str, str] = {}

    def value(name, under=None, notes=absent):
        x = result.value(name)
        if missing(x):
            notes[under or name] = result.absent(name)
            return None
        return x

    rules = [{"rule": rule, "says": result.says(flag, pretty=False)} for flag, rule in RULES if result.value(flag) == 1]
    options = []
    for name, bill, npv in OPTIONS:
        notes: dict[str, str] = {}
        options.append(
            {"name": name, "cost_per_month": value(bill, "cost_per_month", notes), "npv": value(npv, "npv", notes)}
            | ({"absent": notes} if notes else {})
        )
    return {
        "choice": value("decision", "choice"),
        "revisit_at": value("revisit_at"),
        "rules": rules,
        "premium": result.value("mandate_premium") if result.value("must_build") == 1 else None,
        "options": options,
        "absent": absent,
    }
