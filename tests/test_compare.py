"""What changed between two tables, a table and a workbook, and two runs."""

import json

import pytest

from sheetcalc.__main__ import main
from sheetcalc.compare import Side, compare, lines

OLD = "scenario,request_rate,prompt_tokens,batch\nChat,40,1800,64\nGone,5,900,32\n"
NEW = "scenario,request_rate,prompt_tokens,batch\nChat,120,1800,64\nFresh,7,900,32\n"


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "new.csv").write_text(NEW)
    return tmp_path / "old.csv", tmp_path / "new.csv"


def test_two_tables(tables, capsys):
    assert main(["compare", *map(str, tables)]) == 0
    said = capsys.readouterr().out
    assert "Chat: request_rate [req/s]: 40 → 120 (+200.0%)" in said
    assert "Chat: gpus: " in said and "Fresh: added" in said and "Gone: removed" in said
    assert "0 of 3 scenarios unchanged" in said


def test_as_json_and_nothing_changed(tables, capsys):
    assert main(["compare", str(tables[0]), str(tables[0]), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [d["what"] for d in found] == ["same", "same"]


def test_a_workbook_against_its_table(tables, tmp_path, capsys):
    book = tmp_path / "old.xlsx"
    assert main(["workbook", str(tables[0]), "-o", str(book)]) == 0
    assert main(["compare", str(tables[0]), str(book)]) == 0
    assert "2 of 2 scenarios unchanged" in capsys.readouterr().out


def test_a_folder_that_is_no_run_is_told(tmp_path, capsys):
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 2
    assert "name the folder of a `sheetcalc run`" in capsys.readouterr().err


def test_the_decision_comes_first_and_what_does_not_exist_is_none():
    old = {"a": Side({"price": 2.0}, {"gpus": 4.0, "decision": "api"}, "ok")}
    new = {"a": Side({"price": 3.0}, {"gpus": None, "decision": "build"}, "infeasible")}
    (found,) = compare(old, new)
    assert [c.name for c in found.changes][:2] == ["status", "decision"]
    assert "a: gpus: 4 → none" in lines([found])
