"""Draws: the same in the sheet and in the fast simulation, even, and with ranges of one's own."""

import finance_reference as reference
import numpy as np
import pytest

from sheetcalc.simulate import advantages
from sheetcalc.studies.finance import STUDY


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
