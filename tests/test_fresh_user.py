"""What a fresh user met: each line here failed once."""

import json
from pathlib import Path

import openpyxl
import pytest
import recalc

from sheetcalc.__main__ import main
from sheetcalc.memo import plots
from sheetcalc.memo.phrase import LONGEST_ROW
from sheetcalc.memo.reading import Reader
from sheetcalc.studies import study
from sheetcalc.tables import filled
from sheetcalc.workbook.book import Book

TABLES = Path(__file__).parent.parent / "workbooks" / "tables"


def test_a_memo_of_a_workbook_with_an_edited_table(tmp_path, capsys):
    made, edited = tmp_path / "made.xlsx", tmp_path / "edited.xlsx"
    assert main(["workbook", "--study", "cost_ledger", "-o", str(made)]) == 0
    book = openpyxl.load_workbook(made)
    book["Options"]["C6"] = 1.5
    book.save(edited)
    assert main(["memo", str(edited), "--study", "cost_ledger", "-o", str(tmp_path / "m.pdf")]) == 0, capsys.readouterr().err
    assert (tmp_path / "m.pdf").read_bytes()[:4] == b"%PDF"


def test_a_baseline_that_is_no_option_is_named(capsys):
    assert main(["evaluate", "--study", "cost_ledger", "--set", "baseline_option=nope"]) == 2
    assert "the baseline nope is not one of the options; write the name of one of them" in capsys.readouterr().err


def test_the_baseline_is_not_rolled_out_to_itself(tmp_path):
    rows = (TABLES / "options.csv").read_text().splitlines()
    name = rows[2].split(",")[0]
    alone = filled(study("cost_ledger"), [_only(tmp_path / "options.csv", rows[0], rows[2])]).evaluate(
        {"baseline_option": name, "quality_gate": 0.5}
    )
    assert alone.value("chosen_name") == name and alone.value("rollout_saves") == 0
    assert "saves" not in alone.says("claim")


def _only(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_long_name_leaves_room_for_its_bar(tmp_path):
    rows = (TABLES / "options.csv").read_text().splitlines()
    long = "W" * 160 + "," + rows[2].split(",", 1)[1]
    reader = Reader(filled(study("cost_ledger"), [_only(tmp_path / "o.csv", rows[0], rows[1], long)]).evaluate())
    for chart in reader.result.study.charts:
        drawn = plots.plot(reader, chart)
        for row in getattr(drawn, "bars", None) or drawn.pairs:
            assert len(str(row.label)) <= LONGEST_ROW


@pytest.mark.parametrize("row", ["gpt-6-sol", "gpt-6-astra"])
def test_no_cell_looks_up_an_empty_one(row):
    """A spreadsheet gives 0 for it, Python nothing: the class of an API row that serves no open model."""
    book = Book(study("plan"), {"request_rate": 5.0, "api_price_row": row})
    sheets = {sheet.title: sheet for sheet in book.sheets()}
    place = book.places["plan"]["price_class_here"]
    model = sheets[place.sheet]
    assert model.cells[place.row, place.col].cached == "none"


def test_a_blank_cell_of_another_scenario_takes_the_default_on_the_sheet_and_in_python(tmp_path, capsys):
    source, made, edited = (tmp_path / name for name in ("s.csv", "made.xlsx", "edited.xlsx"))
    source.write_text("scenario,request_rate,gpu_hour_price\nFirst,50,2\nSecond,60,\n")
    assert main(["workbook", str(source), "-o", str(made)]) == 0
    book = openpyxl.load_workbook(made)
    (row,) = [r for r in range(1, 200) if "gpu_hour_price" in [book["Inputs"].cell(r, c).value for c in range(1, 12)]]
    book["Inputs"].cell(row, 2).value = 5
    book.save(edited)
    sheet = recalc.libreoffice(edited, tmp_path)
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "recalculated" / "poisoned-edited.xlsx")]) == 0
    first, second = (s["outputs"]["fleet_cost_per_month"]["value"] for s in json.loads(capsys.readouterr().out)["scenarios"])
    assert second == pytest.approx(sheet["Scenarios", "G9"], rel=1e-9)
    assert first == pytest.approx(5 / 2 * sheet["Scenarios", "G8"], rel=1e-9)  # the picked one takes what is typed on Inputs
