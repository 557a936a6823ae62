"""API prices of one's own (`--prices FILE`): on top of the catalogue's, in the plan and the finance study, in a workbook, with dates."""

import json

import pytest

from sheetcalc.__main__ import main
from sheetcalc.adopt import prices
from sheetcalc.studies import study

OWN = """name,provider,class,input [$/M tok],output [$/M tok],retires,date
Our contract 70B,Acme,Llama 3.3 70B,0.4,1.2,,2026-06-01
gpt-6-sol,,,1.5,,,2026-11-29
"""
HERE = ["--set", "request_rate=60"]
CONTRACT = ["--set", "api_price_row=Our contract 70B"]


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


def evaluated(capsys, *words):
    assert main(["evaluate", *words]) == 0
    return json.loads(capsys.readouterr().out)["scenarios"][0]


def test_filled_cells_win_and_new_rows_are_added(own):
    found, ours = prices(study("plan"), own), study("plan")
    row = found.evaluate({"request_rate": 60.0, "api_price_row": "gpt-6-sol"})
    assert row.value("api_input_price") == pytest.approx(1.5e-6)
    before = ours.evaluate({"request_rate": 60.0, "api_price_row": "gpt-6-sol"})
    assert row.value("api_output_price") == before.value("api_output_price")
    assert found.inputs["api_price_row"].choices == (*ours.inputs["api_price_row"].choices, "Our contract 70B")


def test_both_studies_use_them_and_an_old_price_is_named(own, capsys):
    found = evaluated(capsys, "--finance", "--prices", own, *HERE, *CONTRACT)
    plain = evaluated(capsys, "--finance", *HERE, "--set", "api_price_row=DeepInfra Llama 3.3 70B")
    assert found["inputs"]["api_output_price"]["value"] == pytest.approx(1.2e-6)
    assert found["outputs"]["compared_prices"]["value"] == plain["outputs"]["compared_prices"]["value"] + 1
    says = next(c["says"] for c in found["checks"] if c["name"] == "row_fresh")
    assert says == "the price of Our contract 70B was noted on 2026-06-01, before 2026-09-01: look it up again"
    assert next(c["ok"] for c in plain["checks"] if c["name"] == "row_fresh")


def test_a_workbook_carries_them(own, tmp_path, capsys):
    book = str(tmp_path / "plan.xlsx")
    assert main(["workbook", "--prices", own, "--study", "plan", "--study", "finance", *HERE, *CONTRACT, "-o", book]) == 0
    assert main(["audit", book]) == 0 and "as issued" in capsys.readouterr().out
    assert evaluated(capsys, book)["inputs"]["api_input_price"]["value"] == pytest.approx(0.4e-6)


def test_the_printed_catalogue_is_such_a_file(tmp_path, capsys):
    main(["catalogue", "prices", "--format", "csv"])
    path = tmp_path / "all.csv"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    plain = evaluated(capsys, *HERE)
    assert evaluated(capsys, "--prices", str(path), *HERE)["outputs"] == plain["outputs"]


@pytest.mark.parametrize(
    "words, says",
    [
        (["--study", "little_law"], "little_law has no API prices"),
        (["--set", "api_price_row=Our contract"], "Our contract 70B"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(words, says, own, capsys):
    assert main(["evaluate", "--prices", own, *(words if "--study" in words else [*HERE, *words])]) == 2
    assert says in capsys.readouterr().err


def test_a_file_of_another_kind_is_refused(tmp_path, capsys):
    path = tmp_path / "wrong.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["evaluate", "--prices", str(path), *HERE]) == 2
    assert "'a' is not a column of this catalogue" in capsys.readouterr().err
