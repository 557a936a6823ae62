"""A workbook made with tables, a calibration or a model of one's own carries what it needs: it is audited, read back and told as a memo."""

import json
import shutil

import openpyxl
import pytest
from test_own import CONFIGS, calibrated  # noqa: F401  (a fixture)
from test_tables import MODELS, OPTIONS, REGIONS, TRIPS
from workbook_edits import Edited

from sheetcalc.__main__ import main
from sheetcalc.studies import study
from sheetcalc.tables import filled
from sheetcalc.workbook import own
from sheetcalc.workbook.read import read

TABLES = {"cost_ledger": (OPTIONS,), "many_models": (MODELS,), "regions": (REGIONS, TRIPS)}


def written(tmp_path, texts):
    paths = []
    for i, text in enumerate(texts):
        paths.append(str(tmp_path / f"t{i}.csv"))
        (tmp_path / f"t{i}.csv").write_text(text, encoding="utf-8")
    return paths


def evaluated(capsys, *words):
    assert main(["evaluate", *map(str, words)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["scenarios"]
    for value in found["inputs"].values():
        del value["source"]
    return found


@pytest.mark.parametrize("name", TABLES)
def test_a_study_with_a_table_of_ones_own_comes_back_as_it_was(name, tmp_path):
    base = study(name)
    made = filled(base, written(tmp_path, TABLES[name]))
    again = own.taken(base, own.lines([(made, base)]))
    assert again.inputs == made.inputs and list(again.grids) == list(made.grids) and not again.claims
    assert not own.lines([(base, base)]) and own.taken(base, {}) is base


@pytest.mark.parametrize("alone", [[], ["--profile", "measured", "--set", "request_rate=20"]], ids=["alone", "beside a plan"])
@pytest.mark.parametrize("name", TABLES)
def test_a_workbook_with_a_table_is_audited_and_read_back(name, alone, tmp_path, capsys):
    words = [w for path in written(tmp_path, TABLES[name]) for w in ("--table", path)]
    book = str(tmp_path / "b.xlsx")
    assert main(["workbook", *alone, "--study", name, *words, "-o", book]) == 0
    for path in tmp_path.glob("*.csv"):
        path.unlink()  # the workbook has it all
    assert main(["audit", book]) == 0
    assert capsys.readouterr().out == f"{book}: as issued\n"
    assert main(["evaluate", book, "--study", name, "--outputs", "core"]) == 0
    capsys.readouterr()
    assert main(["memo", book, "--study", name, "-o", str(tmp_path / "m.pdf")]) == 0
    assert main(["evaluate", book, "--study", name, "--table", book]) == 2
    assert "has tables or constants of its own; leave --table" in capsys.readouterr().err


def test_a_changed_cell_of_ones_own_table_is_told(tmp_path, capsys):
    book = tmp_path / "b.xlsx"
    assert main(["workbook", "--study", "cost_ledger", "--table", *written(tmp_path, [OPTIONS]), "-o", str(book)]) == 0
    sheet, at = next(
        (title, at) for title, cells in read(book).sheets.items() for at, h in cells.items() if h.value == 4200 and not h.formula
    )
    edit = Edited(book)
    edit.cell(sheet, at, value=4300)
    edit.save(book)
    assert main(["audit", str(book)]) == 0
    said = capsys.readouterr().out
    assert f"· input changed: {sheet}!{at}: " in said and "row 'H100 baseline': 4200" in said and "results old" in said


def test_a_workbook_with_a_calibration(calibrated, tmp_path, capsys):  # noqa: F811
    (tmp_path / "t.csv").write_text("scenario,request_rate\none,20\n", encoding="utf-8")
    want = evaluated(capsys, tmp_path / "t.csv", "--calibration", calibrated)
    book = tmp_path / "b.xlsx"
    assert main(["workbook", str(tmp_path / "t.csv"), "--calibration", calibrated, "-o", str(book)]) == 0
    shutil.move(calibrated, f"{calibrated}.away")
    assert main(["audit", str(book)]) == 0
    assert capsys.readouterr().out == f"{book}: as issued\n"
    assert evaluated(capsys, book) == want
    assert main(["memo", str(book), "-o", str(tmp_path / "m.pdf")]) == 0
    edit = Edited(book)
    at = next(at for at, h in read(book).sheets["Inputs"].items() if at.startswith("H") and h.value == "gpu")
    edit.cell("Inputs", at.replace("H", "B"), value="H200 SXM")  # another machine than the one that was measured
    edit.save(tmp_path / "e.xlsx")
    assert main(["evaluate", str(tmp_path / "e.xlsx")]) == 1
    assert "the calibration is of gpu H100 SXM, the plan has H200 SXM: measure that one" in capsys.readouterr().out


def test_a_workbook_with_a_model_of_ones_own_saved_by_another_program(tmp_path, capsys):
    folder = tmp_path / "Own-7B"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(next(iter(CONFIGS.values()))), encoding="utf-8")
    words = ["--set", "request_rate=5", "--model", str(folder / "config.json")]
    want = evaluated(capsys, *words)
    book = tmp_path / "b.xlsx"
    assert main(["workbook", *words, "-o", str(book)]) == 0
    shutil.rmtree(folder)
    assert main(["audit", str(book)]) == 0
    assert capsys.readouterr().out == f"{book}: as issued\n"
    assert evaluated(capsys, book) == want
    openpyxl.load_workbook(book).save(tmp_path / "again.xlsx")
    assert evaluated(capsys, tmp_path / "again.xlsx") == want


def test_what_versions_says_is_checked(tmp_path, capsys):
    book = tmp_path / "b.xlsx"
    assert main(["workbook", "--study", "cost_ledger", "--table", *written(tmp_path, [OPTIONS]), "-o", str(book)]) == 0
    for forged in ('{"value": {"a": 1}}', '{"low": 0}', "no json", "[" * 100_000, '{"value": [1, [2]]}'):
        edit = Edited(book)
        at = next(at for at, h in read(book).sheets["Versions"].items() if h.value == "cost_ledger/options.option_gpu_price")
        edit.cell("Versions", at.replace("B", "C"), value=forged)
        edit.save(tmp_path / "forged.xlsx")
        assert main(["audit", str(tmp_path / "forged.xlsx")]) == 2
        assert "Versions no longer says what cost_ledger/options.option_gpu_price was made from" in capsys.readouterr().err
