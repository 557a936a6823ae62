"""Draws: the same in the sheet and in the fast simulation, even, and with ranges of one's own."""

import finance_reference as reference
import numpy as np
import pytest

from sheetcalc.__main__ import main
from sheetcalc.commands.money import with_values
from sheetcalc.simulate import advantages
from sheetcalc.studies import study
from sheetcalc.studies.finance import STUDY
from sheetcalc.workbook.book import Book


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"start_volume": 400e6, "build_mode": "owned", "growth": -0.01},
        {"build_mode": "on demand", "horizon": 50.0},
        {"start_volume": 250e6, "build_mode": "reserved 1 year", "build_lead": 3.0, "build_overlap": 1.0},
        {"build_mode": "cheapest", "api_commit": 30000.0, "api_commit_discount": 0.1},
    ],
)
def test_the_fast_simulation_gives_the_draws_of_the_sheet(changes):
    result = STUDY.evaluate(changes)
    sheet = result.value("draw_direct_advantage")
    assert advantages(result, 500) == pytest.approx(sheet, rel=1e-9, abs=1e-6)
    assert advantages(result, 130, chunk=37) == pytest.approx(sheet[:130], rel=1e-9, abs=1e-6)


def test_the_number_of_draws_is_an_input():
    few, many = STUDY.evaluate({"draws": 60.0, "start_volume": 180e6}), STUDY.evaluate({"draws": 700.0, "start_volume": 180e6})
    assert len(few.value("draw_direct_advantage")) == 60 and few.status == "ok"
    assert many.value("draw_direct_advantage")[:60] == pytest.approx(few.value("draw_direct_advantage"), rel=1e-12)
    assert many.value("build_probability") == np.mean(np.array(many.value("draw_direct_advantage")) > 0)
    assert "of 700 draws" in many.says("odds")


def test_a_table_of_scenarios_with_other_draws_is_refused_in_words(tmp_path, capsys):
    table = tmp_path / "scenarios.csv"
    table.write_text("scenario,draws,start_volume\nA,500,180\nB,40,180\n")
    main(["evaluate", str(table), "--study", "finance", "--format", "csv", "--outputs", "build_probability"])
    first, second = capsys.readouterr().out.splitlines()[1:]
    assert first == "A,ok,,0.206" and second.startswith("B,refused,") and "500 draws and 40 are asked for" in second
    main(["evaluate", str(table), "--study", "finance", "--outputs", "build_probability", "--format", "csv", "--set", "draws=40"])
    assert all(",ok,,0." in line for line in capsys.readouterr().out.splitlines()[1:])


def test_the_sheet_has_a_row_for_each_draw():
    made = Book(study("plan"), {"request_rate": 5.0}, [with_values({"draws": 20.0})])
    sheets = {s.title: s for s in made.sheets()}
    place = made.places["finance"]["draw"]
    assert [sheets[place.sheet].cells[place.row + i, place.col].value for i in range(20)] == list(range(1, 21))
    assert (place.row + 20, place.col) not in sheets[place.sheet].cells


def test_points_fill_the_unit_cube_evenly():
    points = np.array(STUDY.evaluate().value("draw_point"))
    assert points.shape == (500, 6) and (points >= 0).all() and (points < 1).all()
    for column in points.T:
        assert np.histogram(column, 10, (0, 1))[0] == pytest.approx(50, abs=15)
    assert abs(np.corrcoef(points.T) - np.eye(6)).max() < 0.15


def test_shares_of_the_spread_are_squared_correlations():
    result = STUDY.evaluate({"start_volume": 180e6})
    factors, worth = np.array(result.value("draw_factor")), np.array(result.value("draw_direct_advantage"))
    expected = [np.corrcoef(column, worth)[0, 1] ** 2 for column in factors.T]
    assert result.value("spread_share") == pytest.approx(expected, rel=1e-9)
    assert result.value("spread_driver_share") == pytest.approx(max(expected))


def test_a_range_of_ones_own_takes_an_input_out_of_the_draws():
    still = {"draw_low_factor": [1.0] * 6, "draw_high_factor": [1.0] * 6, "volume_spread": 0.0}
    result = STUDY.evaluate(still | {"start_volume": 180e6})
    assert result.value("advantage_low") == pytest.approx(result.value("advantage_high")) == pytest.approx(result.value("build_advantage"))
    wide = STUDY.evaluate(
        still | {"start_volume": 180e6, "draw_low_factor": [1, 1, 1, 1, 0.5, 1.0], "draw_high_factor": [1, 1, 1, 1, 2.0, 1.0]}
    )
    assert wide.value("spread_driver") == "node rate"


def test_every_draw_is_the_plain_reference():
    p = reference.RESULTS["i_V0_180"]["inputs"] | {"mode": "reserved1"}
    found = STUDY.evaluate(reference.changes(p)).value("draw_direct_advantage")
    assert found[:60] == pytest.approx([reference.advantage(q) for q in reference.draw_cases(p, 60)], rel=1e-9)
