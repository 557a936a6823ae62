"""Python, LibreOffice and IronCalc agree on every formula cell, from files in which every shown value was spoiled before."""

import random
import re
import shutil
from pathlib import Path

import pytest
import recalc
import strategies
from golden_a import STATISTICAL

from sheetcalc.show import uses_statistics
from sheetcalc.studies import NAMES, study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.table import Row

PLAN = {"request_rate": 200.0}
ROWS = [
    Row("Small", {"request_rate": 3.0, "gpu": "L40S", "model": "Llama 3.1 8B", "gpus_per_replica": 1.0}),
    Row("Plain", {"request_rate": 200.0}),
    Row("No GPU holds it", {"request_rate": 20.0, "model": "DeepSeek-V3", "gpus_per_replica": 1.0}),
    Row("Own speed", {"request_rate": 40.0, "mfu": 0.41, "data_must_stay": "yes"}),
    Row("No load", {"mfu": 0.5}),
]
WORKBOOKS = Path(__file__).parent.parent / "workbooks"
SAMPLES = sorted(path.name for path in WORKBOOKS.glob("*.xlsx"))


def book_of(path, studies=(), given=PLAN, rows=()):
    made = Book(study("plan"), given, [study(n) for n in studies], rows=rows)
    path.write_bytes(to_bytes(made.sheets(), active="Summary"))
    return made


def tolerance(made):
    """What decision 28 allows: sheets of studies that use statistical functions 1e-6, all others 1e-9."""
    return 1e-6 if any(uses_statistics(r.model, n) for r in made.results for n in r.model.steps) else 1e-9


def worked_out(path, folder):
    """What the file shows, and what both engines make of it."""
    return recalc.cached(path), recalc.iron(recalc.poisoned(path, folder / f"iron-{path.name}")), recalc.libreoffice(path, folder)


def all_agree(path, folder, rel):
    want, iron, office = worked_out(path, folder)
    assert not beyond_their_cells(path, want, recalc.differences(want, iron, rel), rel)
    assert not beyond_their_cells(path, want, recalc.differences(want, office, rel), rel)


SUBTRACTION = re.compile(r"=\$?([A-Z]+)\$?(\d+)-\$?([A-Z]+)\$?(\d+)")


def beyond_their_cells(path, want, found, rel):
    """A difference of two cells is as exact as the cells are, however small it comes out."""
    formulas = recalc.formulas(path) if found else {}

    def explained(at, x, y):
        m = SUBTRACTION.fullmatch(formulas[at])
        if not m or isinstance(x, str) or isinstance(y, str):
            return False
        return abs(x - y) <= rel * max(abs(want[at[0], m[1] + m[2]]), abs(want[at[0], m[3] + m[4]]))

    return [d for d in found if not explained(*d)]


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenarios")
    made = book_of(folder / "s.xlsx", given={}, rows=ROWS)
    return made, folder / "s.xlsx", *worked_out(folder / "s.xlsx", folder)


def test_the_plan_with_its_scenarios(scenarios):
    made, _, want, iron, office = scenarios
    assert not recalc.differences(want, iron, tolerance(made))
    assert not recalc.differences(want, office, tolerance(made))
    assert len(want) > 3000 and {s for s, _ in want} >= {
        "Summary",
        "Inputs",
        "Model",
        "Sweep",
        "Scenarios",
        "Sensitivity",
        "Cases",
        "Checks",
    }
    assert sum(s == "Scenarios" for s, _ in want) >= len(ROWS) * 6


def test_a_spoiled_value_does_not_survive(scenarios, tmp_path):
    """The canary: had an engine kept what the file shows, it would show 999."""
    _, path, _, iron, office = scenarios
    assert set(recalc.cached(recalc.poisoned(path, tmp_path / "bad.xlsx")).values()) == {recalc.POISON}
    assert recalc.POISON not in office.values() and recalc.POISON not in iron.values()


def test_another_scenario_picked_moves_the_model(scenarios):
    made, path, want, *_ = scenarios
    place = made.places["plan"]["gpus"]
    at = place.sheet, f"E{place.row}"
    assert want[at] == study("plan").evaluate(ROWS[0].inputs).value("gpus")
    moved = recalc.iron(path, {("Inputs", "B3"): "Plain"})
    assert moved[at] == study("plan").evaluate(ROWS[1].inputs).value("gpus") != want[at]


def test_random_inputs_in_rows(tmp_path):
    """Two hundred valid sets as rows of one table: every formula of every row."""
    draw = random.Random(7)
    model = study("plan").model
    rows = [Row(f"Set {i}", {"request_rate": draw.uniform(0.5, 500.0)} | strategies.changes(model, draw)) for i in range(200)]
    made = book_of(tmp_path / "random.xlsx", given={}, rows=rows)
    want = {at: x for at, x in recalc.cached(tmp_path / "random.xlsx").items() if at[0] == "Scenarios"}
    got = recalc.libreoffice(tmp_path / "random.xlsx", tmp_path)
    assert len(want) >= 200 * 6 and not recalc.differences(want, got, tolerance(made))


@pytest.mark.slow
def test_the_plan_alone(tmp_path):
    made = book_of(tmp_path / "plan.xlsx")
    all_agree(tmp_path / "plan.xlsx", tmp_path, tolerance(made))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_random_inputs_in_the_model(tmp_path, seed):
    draw = random.Random(seed)
    given = PLAN | strategies.changes(study("plan").model, draw)
    made = book_of(tmp_path / "random.xlsx", given=given)
    all_agree(tmp_path / "random.xlsx", tmp_path, tolerance(made))


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in NAMES if n != "plan"])
def test_each_study(tmp_path, name):
    made = book_of(tmp_path / "study.xlsx", [name])
    all_agree(tmp_path / "study.xlsx", tmp_path, tolerance(made))


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample(tmp_path, name):
    """Every formula cell of the workbooks that are given away."""
    path = tmp_path / name
    shutil.copy(WORKBOOKS / name, path)
    all_agree(path, tmp_path, STATISTICAL)
