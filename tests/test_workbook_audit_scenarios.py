"""Audit, compare and read-back of a workbook of scenarios that a person has changed: each change is told as what it is, once."""

import json
import re

import openpyxl
import pytest
import recalc
from workbook_edits import Edited

from sheetcalc.__main__ import main
from sheetcalc.workbook.read import read

CSV = """scenario,request_rate,prompt_tokens,tpot_target [ms],mfu,data_must_stay
Support,40,1800,45,,no
Search,7.5,6000,60,0.41,no
Here,12,2500,33.3,,yes
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenarios")
    (folder / "s.csv").write_text(CSV)
    assert main(["workbook", str(folder / "s.csv"), "-o", str(folder / "s.xlsx")]) == 0
    return folder / "s.xlsx"


def row_of(path, name):
    """The row of an input on Inputs."""
    return next(at[1:] for at, h in read(path).sheets["Inputs"].items() if at.startswith("H") and h.value == name)


def column_of(path, name):
    """The column of an input on Scenarios."""
    return next(at[:-1] for at, h in read(path).sheets["Scenarios"].items() if at.endswith("7") and len(at) == 2 and h.value == name)


def audited(path, capsys):
    """Exit status, the lines, and the last one."""
    status = main(["audit", str(path)])
    *lines, last = capsys.readouterr().out.splitlines()
    return status, lines, last.removeprefix(f"{path}: ")


def edited(book, to, *cells):
    edit = Edited(book)
    for sheet, at, value in cells:
        edit.cell(sheet, at, value=value)
    return edit.save(to)


@pytest.fixture
def over_the_scenario(book, tmp_path):
    """'Your value' over the scenario's, saved by a program that calculates nothing."""
    return edited(book, tmp_path / "e.xlsx", ("Inputs", f"B{row_of(book, 'prompt_tokens')}", 2500))


CHANGED = "· input changed: Inputs!B{}: Prompt tokens per request (prompt_tokens): 1800 tok (scenario Support) → 2500 tok"
INPUTS_ONLY = "inputs differ, the model is as issued"


def test_a_value_over_the_scenarios_is_named_and_old_results_take_one_line(book, over_the_scenario, capsys):
    status, lines, last = audited(over_the_scenario, capsys)
    assert lines == [
        CHANGED.format(row_of(book, "prompt_tokens")),
        "· results old: inputs were changed and nothing was calculated since; open the file in Excel or LibreOffice and save it",
    ]
    assert status == 0 and last == INPUTS_ONLY


def test_what_follows_from_it_is_not_stale_when_it_was_calculated(book, over_the_scenario, tmp_path, capsys):
    recalc.libreoffice(over_the_scenario, tmp_path)
    status, lines, last = audited(tmp_path / "recalculated" / "poisoned-e.xlsx", capsys)
    assert lines == [CHANGED.format(row_of(book, "prompt_tokens"))]
    assert status == 0 and last == INPUTS_ONLY


def test_compare_and_evaluate_take_what_is_in_the_model(book, over_the_scenario, capsys):
    assert main(["compare", str(book), str(over_the_scenario)]) == 0
    said = capsys.readouterr().out
    assert "Support: prompt_tokens [tok]: 1,800 → 2,500 (+38.9%)" in said and "2 of 3 scenarios unchanged" in said
    assert main(["evaluate", str(over_the_scenario), "--outputs", "prompt_tokens"]) == 0
    found = json.loads(capsys.readouterr().out)["scenarios"]
    assert [s["outputs"]["prompt_tokens"]["value"] for s in found] == [2500, 6000, 2500]


def test_a_changed_cell_of_a_scenario_is_named_with_what_it_was(book, tmp_path, capsys):
    at = f"{column_of(book, 'tpot_target')}9"
    changed = edited(book, tmp_path / "e.xlsx", ("Scenarios", at, 55))
    says = f"· input changed: Scenarios!{at}: Target for the time per output token (tpot_target) of Search: 60 ms → 55 ms"
    status, lines, _ = audited(changed, capsys)
    assert status == 0 and lines[0] == says and len(lines) == 2 and "results old" in lines[1]
    recalc.libreoffice(changed, tmp_path)
    assert audited(tmp_path / "recalculated" / "poisoned-e.xlsx", capsys) == (0, [says], INPUTS_ONLY)


def test_another_scenario_in_the_model_is_one_change(book, tmp_path, capsys):
    picked = edited(book, tmp_path / "e.xlsx", ("Inputs", "B3", "search"))
    recalc.libreoffice(picked, tmp_path)
    status, lines, last = audited(tmp_path / "recalculated" / "poisoned-e.xlsx", capsys)
    assert (status, last) == (0, INPUTS_ONLY)
    assert lines == ["· input changed: Inputs!B3: Scenario in the model: 'Support' → 'search'"]


def test_a_file_without_results_has_its_changes_first_and_one_line_more(book, tmp_path, capsys):
    found = openpyxl.load_workbook(book)
    found["Inputs"][f"B{row_of(book, 'prompt_tokens')}"] = 2500
    found.save(tmp_path / "e.xlsx")
    status, lines, last = audited(tmp_path / "e.xlsx", capsys)
    assert lines == [
        CHANGED.format(row_of(book, "prompt_tokens")),
        "✗ no results: the file holds no calculated values; open the file in Excel or LibreOffice and save it, then audit it again",
    ]
    assert status == 1 and last == "the model is as issued, but the file holds no results"


def test_a_blank_cell_of_a_scenario_takes_the_default_and_without_one_its_results_are_missing(book, tmp_path, capsys):
    """A blank would count as 0 in Excel; it does as in a table: the default serves, and without a load there are no results."""
    blanked = [("Scenarios", f"{column_of(book, name)}9", None) for name in ("prompt_tokens", "tpot_target", "mfu", "data_must_stay")]
    edited(book, tmp_path / "e.xlsx", *blanked, ("Scenarios", f"{column_of(book, 'request_rate')}10", None))
    recalc.libreoffice(tmp_path / "e.xlsx", tmp_path)
    again = tmp_path / "recalculated" / "poisoned-e.xlsx"
    status, lines, _ = audited(again, capsys)
    assert status == 0 and len(lines) == 5 and all(line.startswith("· input changed: Scenarios!") for line in lines)
    shown = read(again).sheets["Scenarios"]
    gpus = next(at[:-1] for at, h in shown.items() if at.endswith("7") and h.value == "gpus")
    assert main(["evaluate", "--set", "request_rate=7.5", "--outputs", "gpus"]) == 0
    (want,) = json.loads(capsys.readouterr().out)["scenarios"]
    assert shown[f"{gpus}9"].value == want["outputs"]["gpus"]["value"] and shown[f"{gpus}10"].value != shown[f"{gpus}10"].value
    assert main(["evaluate", str(again), "--outputs", "gpus"]) == 1
    found = json.loads(capsys.readouterr().out)["scenarios"]
    assert found[1]["outputs"]["gpus"] == want["outputs"]["gpus"]
    assert found[2]["problems"] == ["no load is given; write request_rate, or people and requests_per_person_day"]


def test_a_row_pasted_below_the_table_is_a_scenario_more(book, tmp_path, capsys):
    found = openpyxl.load_workbook(book)
    sheet = found["Scenarios"]
    for cell in sheet[10]:
        is_formula = isinstance(cell.value, str) and cell.value.startswith("=")
        sheet.cell(11, cell.column).value = re.sub(r"(?<=[A-Z])10\b", "11", cell.value) if is_formula else cell.value
    sheet["A11"] = "There"
    found.save(tmp_path / "e.xlsx")
    recalc.libreoffice(tmp_path / "e.xlsx", tmp_path)
    status, lines, last = audited(tmp_path / "recalculated" / "poisoned-e.xlsx", capsys)
    assert (status, last) == (0, INPUTS_ONLY) and lines == [
        "· scenario added: Scenarios: There was not issued",
        "· scenario out of reach: Scenarios: Inputs reads the scenarios down to row 10; "
        "insert a row inside the table rather than below it, to choose it there",
    ]
    assert main(["evaluate", str(tmp_path / "e.xlsx"), "--outputs", "gpus"]) == 0
    here, there = json.loads(capsys.readouterr().out)["scenarios"][2:]
    assert there["scenario"] == "There" and there["outputs"] == here["outputs"]


WRONG = {
    "text": (
        "Inputs",
        "prompt_tokens",
        "many",
        "Prompt tokens per request (prompt_tokens): 'many' is not a number; write a number, 0 to 10,000,000 tok",
    ),
    "truth": (
        "Inputs",
        "prompt_tokens",
        True,
        "Prompt tokens per request (prompt_tokens): True is not a number; write a number, 0 to 10,000,000 tok",
    ),
    "far": ("Inputs", "mfu", 65, "65% or 0.65"),
    "word": ("Inputs", "profile", "mesured", "'mesured' is not one of textbook, measured"),
    "row": ("Scenarios", "prompt_tokens", "1800 tok", "'1800 tok' is not a number; write a number, 0 to 10,000,000 tok"),
    "pick": ("Inputs", "B3", "Nobody", "'Nobody' is no scenario; write one of column A of Scenarios, such as 'Support'"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_cell_that_cannot_be_used_is_named_with_what_to_write(book, tmp_path, capsys, what):
    sheet, name, value, words = WRONG[what]
    at = name if name == "B3" else f"{column_of(book, name)}9" if sheet == "Scenarios" else f"B{row_of(book, name)}"
    wrong = edited(book, tmp_path / "e.xlsx", (sheet, at, value))
    status, (line,), last = audited(wrong, capsys)
    assert line.startswith(f"✗ input refused: {sheet}!{at}: ") and words in line and status == 1
    assert last == "the model is as issued, but an input cannot be used, so its results were not checked"
    refused = 1 if sheet == "Scenarios" else 3  # a row's slip stops its own scenario only
    assert main(["evaluate", str(wrong)]) == 1
    out, err = capsys.readouterr()
    assert f"{wrong}:{sheet}:{at}: " in err and words in err
    assert [s["status"] for s in json.loads(out)["scenarios"]].count("refused") == refused
    assert main(["memo", str(wrong), "--scenario", "search", "-o", str(tmp_path / "m.pdf")]) == 2
    assert main(["compare", str(book), str(wrong)]) == 1
    assert f"{wrong}:{sheet}:{at}: " in capsys.readouterr().err


def test_a_formula_in_an_input_that_no_program_has_calculated_is_no_blank(book, tmp_path, capsys):
    edit = Edited(book)
    at = f"B{row_of(book, 'output_tokens')}"
    edit.cell("Inputs", at, formula="120*3")
    edit.save(tmp_path / "e.xlsx")
    status, (line,), _ = audited(tmp_path / "e.xlsx", capsys)
    words = "holds =120*3 and no value of it; type the value, or open the file in Excel or LibreOffice and save it"
    assert status == 1 and line == f"✗ input refused: Inputs!{at}: Output tokens per request (output_tokens): {words}"
    assert main(["evaluate", str(tmp_path / "e.xlsx")]) == 1


def test_compare_tells_a_changed_cell_of_a_catalogue(book, tmp_path, capsys):
    gpus = read(book).sheets["GPUs"]
    row = next(at[1:] for at, h in gpus.items() if at.startswith("A") and h.value == "H100 SXM")
    head = next(at for at, h in gpus.items() if h.value == "Cloud price, lowest found")
    changed = edited(book, tmp_path / "e.xlsx", ("GPUs", f"{head.rstrip('0123456789')}{row}", 9.5))
    assert main(["compare", str(book), str(changed)]) == 0
    assert "Support: gpu_price_low of H100 SXM [$/h]: " in capsys.readouterr().out


def test_rows_that_were_moved_are_told_once_and_never_read_as_other_inputs(book, tmp_path, capsys):
    found = openpyxl.load_workbook(book)
    found["Inputs"].insert_rows(12)
    found.save(tmp_path / "e.xlsx")
    words = "holds nothing where the input peak_factor should stand; rows were moved, or another version of sheetcalc made the file"
    status, lines, last = audited(tmp_path / "e.xlsx", capsys)
    assert (status, last) == (1, "the model was changed") and not any("input" in line.split(":")[0] for line in lines)
    assert f"✗ rows moved: Inputs!H12: {words}; inputs and results were not checked" in lines
    for command in (["evaluate"], ["compare", str(book)], ["memo", "-o", str(tmp_path / "m.pdf")]):
        assert main([*command, str(tmp_path / "e.xlsx")]) == 2
        assert f"{tmp_path / 'e.xlsx'}:Inputs:H12: {words}; make it again from its table" in capsys.readouterr().err


def test_a_baseline_that_was_written_over_is_told(book, tmp_path, capsys):
    versions = read(book).sheets["Versions"]
    at = next(at for at, h in versions.items() if at.startswith("C") and isinstance(h.value, str) and '"prompt_tokens": 1800' in h.value)
    forged = versions[at].value.replace('"prompt_tokens": 1800.0', '"prompt_tokens": 2500.0')
    assert forged != versions[at].value
    status, lines, last = audited(edited(book, tmp_path / "e.xlsx", ("Versions", at, forged)), capsys)
    assert status == 1 and lines[0].startswith("✗ baseline changed: Versions!C4: ") and last == "the model was changed"
    for nonsense in ("[" * 100_000, "[1]", '{"gpu": [1]}', 7):
        assert main(["audit", str(edited(book, tmp_path / "e.xlsx", ("Versions", at, nonsense)))]) == 2
        assert f"Versions!{at} no longer says what the scenario was made from" in capsys.readouterr().err
