"""Audits: nothing on a file as issued or saved again by LibreOffice, and every planted edit by kind and cell."""

import json
import re

import openpyxl
import pytest
import recalc
from workbook_edits import Edited

from sheetcalc.__main__ import main
from sheetcalc.studies import NAMES, WORKED, study
from sheetcalc.workbook.audit import audit, tokens
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.read import read
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.table import Row

PLAN = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A plan's workbook on the disk, and its sheets."""
    folder, made = tmp_path_factory.mktemp("audit"), Book(study("plan"), PLAN, [study("little_law")])
    sheets = made.sheets()
    path = folder / "plan.xlsx"
    path.write_bytes(to_bytes(sheets, active="Summary"))
    return path, made, folder


def place(made, name, col=None):
    p = next(places[name] for places in made.places.values() if name in places)
    return p.sheet, f"{openpyxl.utils.get_column_letter(col or p.col)}{p.row}"


def found(path):
    return {(f.kind, f.sheet, f.cell): f for f in audit(read(path), study, str(path))}


def test_nothing_is_said_of_a_file_as_issued(book, capsys):
    assert main(["audit", str(book[0])]) == 0
    assert capsys.readouterr().out == f"{book[0]}: as issued\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_said_of_any_study_as_issued_or_saved_again(name, tmp_path, capsys):
    base = name if name in WORKED else "plan"
    given = {"request_rate": 40.0} if base == "plan" else {}
    path = tmp_path / "s.xlsx"
    path.write_bytes(to_bytes(Book(study(base), given, [study(name)]).sheets(), active="Summary"))
    recalc.libreoffice(path, tmp_path)
    for file in (path, tmp_path / "recalculated" / "poisoned-s.xlsx"):
        assert main(["audit", str(file)]) == 0
        assert capsys.readouterr().out == f"{file}: as issued\n"


def test_nothing_is_said_of_a_file_that_libreoffice_saved_again(book):
    path, _, folder = book
    recalc.libreoffice(path, folder)
    again = folder / "recalculated" / f"poisoned-{path.name}"
    assert tokens(read(again).sheets["Checks"]["B2"].formula)
    assert not found(again)


def test_each_planted_edit_is_found_where_it_stands(book):
    path, made, folder = book
    edit, expected = Edited(path), []

    def plant(kind, sheet, at="", **cell):
        if cell:
            edit.cell(sheet, at, **cell)
        expected.append((kind, sheet, at))

    row = {
        n: f"B{openpyxl.utils.cell.coordinate_to_tuple(place(made, n)[1])[0]}"
        for n in ("prompt_tokens", "tpot_target", "model", "gpu_hour_price", "output_tokens")
    }
    plant("input changed", "Inputs", row["prompt_tokens"], value=2500)
    plant("input changed", "Inputs", row["model"], value="Llama 3.1 8B")
    plant("input changed", "Inputs", row["gpu_hour_price"], value=9.5)
    plant("input changed", "Inputs", row["output_tokens"], formula="120*3", value=360)
    gpu = place(made, "gpu_bandwidth", 4)
    plant("input changed", "GPUs", gpu[1].replace("D", "C"), value=81)
    plant("input changed", "Sensitivity", "C6", value=0.4)
    for name in ("prefill_time", "gpus", "kv_per_token"):
        plant("formula overwritten", *place(made, name), value=7)
    plant("formula overwritten", *place(made, "running_batch"), value=12)
    plant("formula altered", *place(made, "replicas"), formula="carrying_replicas*2", value=9)
    plant("formula altered", *place(made, "cost_per_hour"), formula="gpus*gpu_hour_price*0.9", value=9)
    plant("formula altered", "Summary", "B9", formula="1+1", value=2)
    plant("formula added", "Model", "K3", formula="1+1", value=2)
    plant("cell added", "Model", "K4", value="reviewed")
    plant("factor changed", place(made, "prefill_time")[0], place(made, "prefill_time", 4)[1], value=0.001)
    plant("factor changed", "Checks", "B3", value=0.02)
    plant("text changed", "Model", "A1", value="Another plan")
    for name in ("weights", "gpus", "replicas"):
        edit.name("Model", name, None)
        plant("name missing", "Model")
    edit.name("Model", "prefill_time", "Model!$E$7")
    plant("name altered", "Model")
    edit.name("Model", "decode_demand", "Model!$E$8")
    edit.name("Inputs", "mfu", "Inputs!$L$7")
    plant("name altered", "Inputs")
    edit.book(
        "</definedNames>",
        '<definedName name="rate">Model!$E$9</definedName><definedName name="fudge">1.1</definedName>'
        '<definedName name="prices">GPUs!$A$1:$A$9</definedName></definedNames>',
    )
    plant("name added", "")
    day = re.search(r'<sheet [^>]*name="Day"[^>]*>', edit.parts["xl/workbook.xml"].decode())[0]
    edit.book(day, day.replace("visible", "hidden"))
    plant("sheet hidden", "Day")
    edit.book('name="Engines"', 'name="Motors"')
    plant("sheet missing", "Engines")
    plant("sheet added", "Motors")
    for title in ("Notes", "Model (2)", "Shadow"):
        edit.sheet(title)
        plant("sheet added", title)
    seen = found(edit.save(folder / "edited.xlsx"))
    assert not [e for e in expected if e not in seen]
    assert len(expected) >= 30
    serious = {k for k in seen if seen[k].serious}
    assert not {k for k in serious if k not in expected and k[1] not in ("Motors", "Engines")}
    said = audit(read(folder / "edited.xlsx"), study)
    assert sum(f.kind == "name missing" and f.sheet == "Model" for f in said) == 3 and sum(f.kind == "name added" for f in said) == 3
    assert "prompt tokens" in seen["input changed", "Inputs", row["prompt_tokens"]].says.casefold()
    assert "=120*3" in seen["input changed", "Inputs", row["output_tokens"]].says


def test_wrong_and_emptied_results_are_found(book, capsys):
    path, made, folder = book
    edit = Edited(path)
    stale = [place(made, n) for n in ("prefill_demand", "tpot_worst", "api_cost_per_month")]
    for sheet, at in stale:
        edit.shown(sheet, at, "123.25")
    empty = [place(made, n) for n in ("weights", "total_demand", "replicas")]
    for sheet, at in empty:
        edit.shown(sheet, at, None)
    edited = edit.save(folder / "stale.xlsx")
    assert set(found(edited)) == {("stale value", *at) for at in stale + empty}
    assert main(["audit", str(edited), "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["tampered"] and len(said["findings"]) == 6 and said["findings"][0].keys() == {"kind", "sheet", "cell", "says", "serious"}


def test_what_follows_from_a_changed_formula_is_told_once_and_a_wrong_result_elsewhere_by_itself(book):
    """A formula was written over and the file calculated again: the dozens of cells that rest on it are no offence of their own."""
    path, made, folder = book
    edit = Edited(path)
    sheet, at = place(made, "replicas")
    edit.cell(sheet, at, value=7)
    factor = place(made, "all_reduce_time", 4)
    edit.cell(*factor, value=0.5)
    edit.save(folder / "follow.xlsx")
    recalc.libreoffice(folder / "follow.xlsx", folder)
    again = Edited(folder / "recalculated" / "poisoned-follow.xlsx")
    elsewhere = place(made, "weights")
    again.shown(*elsewhere, "123.25")
    seen = found(again.save(folder / "again.xlsx"))
    assert set(seen) == {
        ("formula overwritten", sheet, at),
        ("factor changed", *factor),
        ("results follow", "", ""),
        ("stale value", *elsewhere),
    }
    assert re.match(r"[\d,]+ shown results differ .* rest on the cells above, on ", seen["results follow", "", ""].says)


def test_an_input_changed_without_a_calculation_is_no_offence(book):
    path, made, folder = book
    edit = Edited(path)
    row = openpyxl.utils.cell.coordinate_to_tuple(place(made, "prompt_tokens")[1])[0]
    edit.cell("Inputs", f"B{row}", value=2500)
    kinds = {k[0] for k in found(edit.save(folder / "old.xlsx"))}
    assert kinds == {"input changed", "results old"}
    assert main(["audit", str(folder / "old.xlsx")]) == 0


def test_an_input_changed_and_calculated_is_only_named(book):
    path, made, folder = book
    edit = Edited(path)
    row = openpyxl.utils.cell.coordinate_to_tuple(place(made, "prompt_tokens")[1])[0]
    edit.cell("Inputs", f"B{row}", value=2500)
    edit.cell("Sensitivity", "C6", value=0.5)
    edit.save(folder / "new.xlsx")
    recalc.libreoffice(folder / "new.xlsx", folder)
    assert {k[0] for k in found(folder / "recalculated" / "poisoned-new.xlsx")} == {"input changed"}


def test_a_scenario_added_or_removed_is_named(tmp_path):
    rows = [Row("A", {"request_rate": 100.0}), Row("B", {"request_rate": 50.0})]
    path = tmp_path / "s.xlsx"
    path.write_bytes(to_bytes(Book(study("plan"), {}, rows=rows).sheets()))
    assert not found(path)
    edit = Edited(path)
    edit.cell("Scenarios", "A9", value="C")
    seen = audit(read(edit.save(tmp_path / "e.xlsx")), study)
    assert [f.says for f in seen if f.kind.startswith("scenario")] == ["C was not issued", "B was issued and is gone or renamed"]


def test_another_version_is_told_and_no_one_is_accused(book, capsys):
    path, made, folder = book
    edit = Edited(path)
    edit.cell("Versions", "A4", value="0.0.1")
    edit.save(folder / "old version.xlsx")
    assert main(["audit", str(folder / "old version.xlsx")]) == 0
    assert "· version: Versions!A4: made by sheetcalc 0.0.1, audited by" in capsys.readouterr().out
    edit.cell(*place(made, "replicas"), formula="carrying_replicas", value=8)
    edit.save(folder / "old version.xlsx")
    assert main(["audit", str(folder / "old version.xlsx")]) == 1
    said = capsys.readouterr().out
    assert said.endswith("differs from what this version of sheetcalc makes; audit it with the version that made it\n")


def test_what_a_program_may_respell_does_not_count():
    assert tokens("if(true(), a1 ,'Model'!B2)") == tokens("IF(TRUE,A1,Model!B2)")
    assert tokens("_xlfn.CEILING(1.50,1)") == tokens("CEILING(1.5,1)")
    assert tokens('"A b"&x') != tokens('"a b"&x')
    assert tokens("A1+B1") != tokens("A1-B1")


def test_what_is_not_ours_is_refused_in_words(tmp_path, capsys):
    book = openpyxl.Workbook()
    book.save(tmp_path / "other.xlsx")
    assert main(["audit", str(tmp_path / "other.xlsx")]) == 2
    assert re.search(r"other\.xlsx: is not a workbook made by sheetcalc", capsys.readouterr().err)
