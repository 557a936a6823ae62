"""The hybrid serves the plan's day: its curve, or its active hours and peak factor where the curve is another day."""

import io

import finance_reference as reference
import numpy as np
import openpyxl
import pytest

from sheetcalc.studies import study
from sheetcalc.studies.day_curve import OFFICE_DAY
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

PLAN = {"request_rate": 60.0, "output_tokens": 400.0, "api_price_row": "gpt-6-sol"}
OFFICE = {"active_hours": 8.0, "peak_factor": 3.0}


def both(changes):
    plan = study("plan").evaluate(PLAN | changes)
    return plan, study("finance").linked().evaluate({}, plan)


def by_hand(active_hours, mean):
    """One hour at the peak, the rest of the day's tokens even over the other active hours."""
    day = np.zeros(24)
    whole, part = divmod(active_hours, 1)
    day[: int(whole)] = 1
    if part:
        day[int(whole)] = part
    day[1:] *= max(0.0, 24 * mean - 1) / day[1:].sum() if day[1:].any() else 0.0
    day[0] = min(1.0, 24 * mean)
    return day


@pytest.mark.parametrize(
    "changes, day",
    [
        ({}, np.array(OFFICE_DAY)),
        ({"load_shape": "curve", "day_curve": [0.5] * 12 + [0.25] * 12}, np.array([1.0] * 12 + [0.5] * 12)),
        ({"peak_factor": 2.17}, np.array(OFFICE_DAY)),
        (OFFICE, by_hand(8, 1 / 9)),
        ({"active_hours": 9.5, "peak_factor": 1.25}, by_hand(9.5, 9.5 / 24 / 1.25)),
        ({"active_hours": 8.0, "mean_to_peak": 0.3}, by_hand(8, 0.3)),
        ({"active_hours": 1.0, "peak_factor": 1.5}, by_hand(1, 1 / 36)),
    ],
)
def test_the_hybrid_serves_the_plans_day(changes, day, monkeypatch):
    plan, finance = both(changes)
    assert plan.value("planned_load") == pytest.approx(day.tolist())
    monkeypatch.setattr(reference, "CURVE", day)
    p = reference.DEFAULT | {symbol: finance.value(name) / factor for symbol, (name, factor) in reference.NAMES.items()}
    p = {symbol: int(x) if symbol in ("months", "spare", "n_min") else x for symbol, x in p.items()}
    assert finance.value("npv_hybrid") == pytest.approx(reference.npv_hybrid(p), rel=1e-9)


def test_a_day_of_few_hours_makes_both_options_dearer():
    wide, narrow = both({})[1], both(OFFICE)[1]
    scaled = narrow.value("start_volume") / wide.value("start_volume")
    assert narrow.value("npv_build") / wide.value("npv_build") > scaled
    assert narrow.value("npv_hybrid") / wide.value("npv_hybrid") > scaled


def test_a_curve_that_does_not_fit_the_peak_factor_is_named():
    alone = study("finance").evaluate({"peak_factor": 4.0})
    says = {c["name"]: c["says"] for c in alone.checks if c["ok"] is False}
    assert "2.17" in says["same_day"] and "4 x" in says["same_day"]
    assert alone.status == "ok" and "same_day" not in {c["name"] for c in both(OFFICE)[1].checks if c["ok"] is False}


def test_the_workbook_reads_the_plans_hours():
    made = Book(study("plan"), PLAN | OFFICE, [study("finance")])
    book = openpyxl.load_workbook(io.BytesIO(to_bytes(made.sheets(), active="Summary")))
    place, first = made.places["finance"]["day_curve"], made.places["plan"]["planned_load"]
    cells = {(c.row, c.column): c.value for row in book[place.sheet].iter_rows() for c in row}
    column = openpyxl.utils.get_column_letter(first.col)
    assert [cells[place.row + h, place.col] for h in range(24)] == [f"='{first.sheet}'!${column}{first.row + h}" for h in range(24)]
