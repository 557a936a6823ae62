"""The finance study as live formulas: LibreOffice and IronCalc give the worked values from a copy whose cached values are all wrong."""

import re

import openpyxl
import pytest
import recalc
from finance_reference import RESULTS

from sheetcalc.show import uses_statistics
from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

WORKED = {
    "npv_api": "npv_api",
    "npv_build": "npv_build",
    "npv_hybrid": "npv_hybrid",
    "build_advantage": "delta_npv",
    "node_cost": "node_month",
    "build_fixed_cost": "fixed_month",
    "build_utilization": "utilisation",
    "breakeven_utilization": "breakeven_utilisation",
}
VOLUMES = {
    "breakeven_first": 140.52295890410952,
    "breakeven_lasting": 177.5789589041095,
    "start_crossing": 193.96039692069047,
    "hybrid_start": 148.13546822081094,
    "revisit_at": 148.13546822081094,
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finance")
    alone = study("finance")._replace(links={})
    book = Book(study("plan"), {"request_rate": 5.0}, [alone])
    path = folder / "finance.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    return book, path, recalc.libreoffice(path, folder)


def cell(book, quantity, row=0):
    place = book.places["finance"][quantity]
    return place.sheet, f"{openpyxl.utils.get_column_letter(place.col)}{place.row + row}"


def test_worked_values_are_recalculated(book):
    made, _, found = book
    golden = RESULTS["i"]
    for name, key in WORKED.items():
        assert found[cell(made, name)] == pytest.approx(golden[key], rel=1e-9), name
    for name, volume in VOLUMES.items():
        assert found[cell(made, name)] == pytest.approx(volume * 1e6, rel=1e-9), name
    assert found[cell(made, "turning_month")] == pytest.approx(golden["decision"]["month_reached"], rel=1e-9)
    assert found[cell(made, "decision")] == "api" and found[cell(made, "cheapest_mode")] == "reserved 3 years"
    for month in range(36):
        assert found[cell(made, "build_nodes", month)] == golden["nodes"][month]
        assert found[cell(made, "api_bill", month)] == pytest.approx(golden["api_flows"][month + 1], abs=0.005)
        assert found[cell(made, "cumulative_saving", month)] == pytest.approx(golden["cum"][month + 1], abs=0.005)


def test_every_formula_of_the_study_agrees_with_its_cached_value(book):
    made, path, found = book
    result = next(r for r in made.results if r.study.name == "finance")
    titles = {place.sheet for place in made.places["finance"].values()}
    want = {at: x for at, x in recalc.cached(path).items() if at[0] in titles}
    assert len(want) > 80_000
    assert recalc.differences(want, found, 1e-6) == []
    drawn = {cell(made, n)[0] for n in made.places["finance"] if "draw" in n and result.model.home.get(n)}
    rows = {
        (cell(made, s.name)[0], made.places["finance"][s.name].row)
        for s in result.model.steps.values()
        if not s.axes and uses_statistics(result.model, s.name)
    }
    exact = {
        (sheet, at): x
        for (sheet, at), x in want.items()
        if sheet not in drawn | {cell(made, "advantage_at_share")[0]} and (sheet, int(re.sub("[A-Z]", "", at))) not in rows
    }
    assert len(exact) > 60_000 and recalc.differences(exact, found, 1e-9) == []
