"""The five studies of calculators A as live formulas: both engines give the worked values, and a change of the plan moves each."""

import openpyxl
import pytest
import recalc
from golden_a import STATISTICAL, WORKED, near
from test_autoscaling import NAMES as AUTOSCALING
from test_autoscaling import TRAP
from test_kv_tiers import ROW
from test_little_law import EXACT_NAMES as LITTLE
from test_roofline_breaks import CHECKS
from test_roofline_breaks import NAMES as ROOFLINE

from sheetcalc.show import uses_statistics
from sheetcalc.studies import study
from sheetcalc.studies.published_rows import ROWS, SWEPT
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

FIVE = ("roofline_breaks", "kv_tiers", "little_law", "queue_ceiling", "autoscaling")
PLAN = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A workbook of the five with their own inputs, and what both engines make of it after every cached value was spoiled."""
    folder = tmp_path_factory.mktemp("calculators_a")
    book = Book(study("plan"), PLAN, [study(name)._replace(links={}) for name in FIVE])
    path = folder / "five.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    bad = recalc.poisoned(path, folder / "bad.xlsx")
    return book, {"LibreOffice": recalc.libreoffice(path, folder), "IronCalc": recalc.iron(bad)}


def cell(book, engine, name, quantity, row=0):
    place = book.places[name][quantity]
    row, col = (0, row) if place.across else (row, 0)  # a table of few rows stands on its side
    return engine[place.sheet, f"{openpyxl.utils.get_column_letter(place.col + col)}{place.row + row}"]


def published_rows():
    """Each row's prediction as a single evaluation of the study gives it, and what is counted over all rows."""
    roofline = study("roofline_breaks")
    for row, (typed, batch) in enumerate(zip(ROWS, roofline.evaluate().value("backtest_batch"), strict=True)):
        one = roofline.evaluate({n: typed[n] for n in SWEPT} | {"batch": batch})
        predicted = typed["output_tokens"] / one.value("line_work") / typed["gpus_per_replica"]
        yield "roofline_breaks", "backtest_predicted", row, predicted
    for name, value in (("backtest_rows_near", 30), ("backtest_rows_double", 40), ("backtest_rows_near_corrected", 32)):
        yield "roofline_breaks", name, 0, value


def worked_values():
    """(study, quantity, row, worked value) of every value that needs no change of an input."""
    for key, quantity in ROOFLINE.items():
        yield "roofline_breaks", quantity, 0, WORKED["a_roofline_default"][key]
    for row in WORKED["a_roofline_default"]["checks"]:
        yield "roofline_breaks", CHECKS[row["id"]][0], 0, row["metric"]
    yield from published_rows()
    for i, row in enumerate(WORKED["b_70b_fp8_tp4"]["tiers"]):
        for key, quantity in ROW.items():
            yield "kv_tiers", quantity, i, row[key]
    for quantity, value in (
        ("portfolio_gpus", WORKED["b_portfolio"]["total_gpus"]),
        ("drive_result", WORKED["b_econ_write_through_10pct"]["net_usd_year"]),
        ("drive_life", WORKED["b_wear"]["four_3.84TB_1DWPD_plan_load"]["life_days"]),
    ):
        yield "kv_tiers", quantity, 0, value
    for key, quantity in LITTLE.items():
        yield "little_law", quantity, 0, WORKED["c_plan_34"][key]
    yield "little_law", "sequences_high", 0, WORKED["c_plan_34"]["N_p99"]
    for key, quantity in (
        ("rho", "queue_ceiling"),
        ("rho_cons", "cautious_ceiling"),
        ("K", "queue_slack"),
        ("rho_strict", "strict_ceiling"),
    ):
        yield "queue_ceiling", quantity, 0, WORKED["d_teaser_70"][key]
    yield "queue_ceiling", "engine_ttft", 0, WORKED["d_engine_ttft"][0]["ttft99"]
    yield "queue_ceiling", "central_wait_high", 0, WORKED["d_mgc"][4]["w99"]
    yield "queue_ceiling", "central_ceiling", 0, WORKED["d_mgc"][4]["rho_ceiling_grid"]
    for key, quantity in AUTOSCALING.items():
        yield "autoscaling", quantity, 0, WORKED["e_default"][key]
    for key, quantity in TRAP.items():
        if key not in ("lam_eq_closed", "busy_at_10pct_of_plan"):  # the document rounded the prefill time there
            yield "autoscaling", quantity, 0, WORKED["e_default"]["gpu_util_trap"][key]


@pytest.mark.parametrize("engine", ["LibreOffice", "IronCalc"])
def test_recalculated_sheets_give_the_worked_values(alone, engine):
    book, found = alone
    wrong, seen = [], 0
    for name, quantity, row, wanted in worked_values():
        got = cell(book, found[engine], name, quantity, row)
        rel = STATISTICAL if uses_statistics(study(name).model, quantity) else 1e-9
        seen += 1
        if not near(float(got), float(wanted), rel, floor=1e-9):
            wrong.append((name, quantity, row, got, wanted))
    assert not wrong and seen > 170


def test_a_change_of_the_plan_moves_each_study():
    """More load, longer answers and dearer GPUs on the plan's sheet: every study's decision figures follow through its links."""

    def results(changes):
        book = Book(study("plan"), PLAN | changes, [study(name) for name in FIVE])
        return {result.study.name: result for result in book.results[1:]}

    before, after = results({}), results({"output_tokens": 600.0, "gpu_hour_price": 5.0, "request_rate": 300.0})
    for name in FIVE:
        moved = [n for n in study(name).core if before[name].value(n) != after[name].value(n)]
        assert moved, name
    assert after["little_law"].value("request_rate") == 300 and after["queue_ceiling"].value("gpu_hour_price") == 5
