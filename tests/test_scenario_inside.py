"""The scenario that a memo carries is a table that reads back as the same scenario."""

import pytest

from sheetcalc.scenarios import read
from sheetcalc.scenarios.single import table
from sheetcalc.studies.plan import STUDY as PLAN

GIVEN = {
    "request_rate": 20.5,
    "prompt_tokens": 1200.0,
    "tpot_target": 0.047,
    "utilization_cap": 0.6,
    "hbm": 80e9,
    "gpu_hour_price": 2.499,
    "gpu": "H100 SXM",
    "api_output_price": 3.7e-6,
    "batch": 64.0,
    "data_must_stay": "yes",
}


@pytest.mark.parametrize("name, notes", [("Support chat", ""), ('A, "quoted" plan', "two\nlines; of notes"), ("Plan − 7", "'=1+1")])
def test_the_row_reads_back_as_it_was(tmp_path, name, notes):
    path = tmp_path / "scenario.csv"
    typed = notes.removeprefix("'")  # what a spreadsheet would run is defused, and stays so
    path.write_bytes(table(PLAN.inputs, GIVEN, scenario=name, notes=typed, issue_date="2026-11-30"))
    [row] = read(str(path), PLAN.inputs)
    assert (row.name, row.notes, row.issue_date) == (name, notes, "2026-11-30")
    assert set(row.inputs) == set(GIVEN)
    for key, value in GIVEN.items():
        assert row.inputs[key] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-13)), key
