"""Inputs read back from a workbook give what the same inputs give in a CSV, also after another program saved it."""

import json

import openpyxl
import pytest
import recalc
from workbook_edits import Edited

from sheetcalc.__main__ import main
from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

CSV = """scenario,request_rate,prompt_tokens,gpu,tpot_target [ms],mfu,data_must_stay
Support,40,1800,H100 SXM,45,,no
Search,7.5,6000,H200 SXM,60,0.41,
Here,12,,B200 SXM,33.3,,yes
"""


def evaluated(capsys, *words):
    assert main(["evaluate", *map(str, words), "--outputs", "core"]) == 0
    found = json.loads(capsys.readouterr().out)["scenarios"]
    for scenario in found:
        for value in scenario["inputs"].values():
            del value["source"]  # a default stands in the row of a table, so it counts as given there
    return found


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    (folder / "s.csv").write_text(CSV)
    assert main(["workbook", str(folder / "s.csv"), "-o", str(folder / "s.xlsx")]) == 0
    return folder


def test_a_table_of_scenarios(table, capsys):
    assert evaluated(capsys, table / "s.xlsx") == evaluated(capsys, table / "s.csv")


def test_a_table_as_csv(table, capsys):
    assert main(["evaluate", str(table / "s.csv"), "--format", "csv", "--outputs", "gpus,tpot_worst"]) == 0
    want = capsys.readouterr().out
    assert main(["evaluate", str(table / "s.xlsx"), "--format", "csv", "--outputs", "gpus,tpot_worst"]) == 0
    assert capsys.readouterr().out == want and want.count("\n") == 4


def test_a_table_that_libreoffice_saved_again(table, capsys):
    recalc.libreoffice(table / "s.xlsx", table)
    assert evaluated(capsys, table / "recalculated" / "poisoned-s.xlsx") == evaluated(capsys, table / "s.csv")


def test_a_table_that_openpyxl_saved_again(table, capsys):
    """Another writer: shared strings, names in another order, no shown values at all."""
    openpyxl.load_workbook(table / "s.xlsx").save(table / "again.xlsx")
    assert evaluated(capsys, table / "again.xlsx") == evaluated(capsys, table / "s.csv")


def test_a_plan_with_an_edited_cell_a_default_and_a_catalogue_price(tmp_path, capsys):
    made = Book(study("plan"), {"request_rate": 200.0})
    (tmp_path / "p.xlsx").write_bytes(to_bytes(made.sheets()))
    places, edit = made.places["plan"], Edited(tmp_path / "p.xlsx")
    edit.cell("Inputs", f"B{places['tpot_target'].row}", value=42)
    edit.cell("Inputs", f"E{places['utilization_cap'].row}", value=0.7)
    edit.cell("Inputs", f"B{places['output_tokens'].row}", formula="120*3", value=360)
    edit.save(tmp_path / "e.xlsx")
    got = evaluated(capsys, tmp_path / "e.xlsx")
    want = evaluated(
        capsys, "--set", "request_rate=200", "--set", "tpot_target=42", "--set", "utilization_cap=0.7", "--set", "output_tokens=360"
    )
    assert got == want


def test_a_changed_catalogue_cell_counts(tmp_path, capsys):
    made = Book(study("plan"), {"request_rate": 200.0})
    (tmp_path / "p.xlsx").write_bytes(to_bytes(made.sheets()))
    names = study("plan").model.inputs["gpu_name"].value
    plan, edit = made.layouts["plan"].grids, Edited(tmp_path / "p.xlsx")
    gpus = next(g for g in plan if g.grid.name == "gpus")
    column = openpyxl.utils.get_column_letter(gpus.shown["gpu_bandwidth"])
    edit.cell("GPUs", f"{column}{gpus.first + names.index('H100 SXM')}", value=4.0)
    edit.save(tmp_path / "e.xlsx")
    (got,) = evaluated(capsys, tmp_path / "e.xlsx")
    (want,) = evaluated(capsys, "--set", "request_rate=200", "--set", "bandwidth=4")
    assert got["outputs"] == want["outputs"]


def test_a_study_in_the_workbook_reads_its_own_cells(tmp_path, capsys):
    made = Book(study("plan"), {"request_rate": 200.0}, [study("queue_ceiling")])
    (tmp_path / "p.xlsx").write_bytes(to_bytes(made.sheets()))
    got = evaluated(capsys, tmp_path / "p.xlsx", "--study", "queue_ceiling")[0]["outputs"]
    for name, found in got.items():
        value = made.results[1].value(name)
        assert found["value"] == (None if value != value else value), name
    assert main(["evaluate", str(tmp_path / "p.xlsx"), "--study", "voice"]) == 2
    assert "holds plan, queue_ceiling" in capsys.readouterr().err


def test_a_memo_of_a_workbook(table, tmp_path):
    assert main(["memo", str(table / "s.xlsx"), "--scenario", "search", "-o", str(tmp_path / "m.pdf")]) == 0
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF")


def test_every_shown_value_of_a_run_is_that_of_its_csv(table):
    held = recalc.cached(table / "s.xlsx")
    assert held and None not in held.values()


def test_what_was_typed_over_a_formula_is_said_to_be_lost(tmp_path, capsys):
    path = tmp_path / "plan.xlsx"
    assert main(["workbook", "--set", "request_rate=200", "-o", str(path)]) == 0
    rows = openpyxl.load_workbook(path)["Model"].iter_rows(max_col=2)
    at = next(value.coordinate for label, value in rows if label.value == "Replicas")
    before = evaluated(capsys, path)
    assert "see sheetcalc audit" not in capsys.readouterr().err
    edited = Edited(path)
    edited.cell("Model", at, value=40)
    edited.save(path)
    assert evaluated(capsys, path) == before
    assert main(["evaluate", str(path), "--format", "csv", "--outputs", "gpus"]) == 0
    said = capsys.readouterr().err
    assert f"1 formula is not the one that was issued (first Model!{at}: holds 40 instead of" in said and "see sheetcalc audit" in said
