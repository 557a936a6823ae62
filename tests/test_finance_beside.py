"""The finance study beside the plan: a table with inputs of both, results of both, and what a memo and a workbook take of them."""

import csv
import io
import json

import pytest

from sheetcalc.__main__ import main
from sheetcalc.batch import Task
from sheetcalc.commands import money
from sheetcalc.commands.memo_work import MemoWork
from sheetcalc.errors import InputError
from sheetcalc.studies import study
from sheetcalc.workbook.book import Book

HEADER = "scenario,request_rate,api_price_row,growth,data_must_stay\n"
ROWS = "Slow,60,gpt-6-sol,1%,no\nFast,60,gpt-6-sol,6%,no\nBound,60,gpt-6-sol,1%,yes\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scenarios.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    return str(path)


def linked(**given):
    plan = study("plan").evaluate({"request_rate": 60.0, "api_price_row": "gpt-6-sol"})
    return plan, study("finance").linked().evaluate(given, plan)


def test_a_table_gives_inputs_and_results_of_both(table, capsys):
    assert main(["evaluate", table, "--finance", "--format", "csv", "--outputs", "replicas,npv_api,npv_build,decision"]) == 0
    rows = {row["scenario"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    for name, growth in (("Slow", 0.01), ("Fast", 0.06)):
        plan, finance = linked(growth=growth)
        assert float(rows[name]["replicas"]) == plan.value("replicas")
        assert float(rows[name]["npv_api [$]"]) == pytest.approx(finance.value("npv_api"), rel=1e-12)
        assert float(rows[name]["npv_build [$]"]) == pytest.approx(finance.value("npv_build"), rel=1e-12)
        assert rows[name]["decision"] == finance.value("decision")
    assert rows["Bound"]["decision"] == "build"


def test_json_has_both_and_decides_by_present_value(table, capsys):
    assert main(["evaluate", table, "--finance"]) == 0
    slow, _, bound = json.loads(capsys.readouterr().out)["scenarios"]
    plan, finance = linked(growth=0.01)
    assert slow["inputs"]["growth"] == {"value": 0.01, "unit": "", "source": "given"}
    assert slow["outputs"]["gpus"]["value"] == plan.value("gpus")
    assert slow["outputs"]["npv_hybrid"]["value"] == pytest.approx(finance.value("npv_hybrid"), rel=1e-12)
    assert slow["decision"]["choice"] == finance.value("decision") and bound["decision"]["premium"] is not None
    assert {"direct_agrees", "tpot_meets_target"} <= {c["name"] for c in slow["checks"]}


def test_a_value_outside_its_range_refuses_its_row_only(tmp_path, capsys):
    path = tmp_path / "wrong.csv"
    path.write_text(HEADER + ROWS.replace("6%", "600%"), encoding="utf-8")
    assert main(["evaluate", str(path), "--finance", "--format", "csv", "--outputs", "npv_api"]) == 1
    found = capsys.readouterr()
    assert [line.split(",")[1] for line in found.out.splitlines()[1:]] == ["ok", "refused", "ok"] and "growth" in found.err


def test_finance_inputs_go_with_the_plan_and_the_option(capsys):
    assert main(["evaluate", "--finance", "--study", "finance"]) == 2
    assert "--finance: goes with the plan" in capsys.readouterr().err
    assert main(["evaluate", "--set", "request_rate=60", "--set", "growth=5%"]) == 2
    assert "growth" in capsys.readouterr().err


def test_a_plan_that_does_not_hold_has_results_of_the_plan_only(capsys):
    assert main(["evaluate", "--finance", "--set", "request_rate=60", "--set", "gpus_per_replica=1", "--set", "weight_format=BF16"]) == 0
    found = json.loads(capsys.readouterr().out)["scenarios"][0]
    assert found["status"] == "infeasible" and "npv_build" not in found["outputs"] and "weights_per_gpu" in found["outputs"]


def test_the_memo_and_its_row_of_the_summary_take_the_finance_inputs():
    given = {"request_rate": 60.0, "api_price_row": "gpt-6-sol", "growth": 0.06, "horizon": 48.0}
    made = MemoWork("plan", finance=True, attach=False).make(study("plan"), Task(1, "A", "a", given, "", "", "2026-12-01", ()))
    finance = linked(growth=0.06, horizon=48.0)[1]
    assert made.status == "ok" and made.summary["npv_build [$]"] == pytest.approx(finance.value("npv_build"), rel=1e-12)
    assert made.summary["decision"] == finance.value("decision") and made.summary["verdict"] == finance.says("headline")


def test_prices_are_judged_on_the_day_of_issue():
    assert money.dated({}, "2027-05-01") == {"price_day": "2027-05-01", "stale_before": "2027-01-31"}
    assert money.dated({"price_day": "2026-01-01"}, "2027-05-01") == {"price_day": "2026-01-01", "stale_before": "2025-10-03"}
    assert money.dated({}, "") == {} and money.dated({"price_day": "soon"}, "") == {"price_day": "soon"}
    early, late = (linked(price_day=day)[1] for day in ("2026-01-01", "2027-05-01"))
    gone = {"Together Llama 3.3 70B Turbo", "Cerebras Llama 3.3 70B", "Bedrock Llama 3.3 70B"}
    for result, expected in ((early, set()), (late, gone)):
        verdicts = zip(result.value("price_name"), result.value("row_verdict"), strict=True)
        assert {name for name, verdict in verdicts if verdict == "withdrawn"} == expected
        assert result.value("withdrawn_prices") == len(expected)
    assert "left out" in late.says("withdrawn") and "left out" not in early.says("withdrawn")


def test_an_api_row_that_has_ended_is_named():
    plan = study("plan").evaluate({"request_rate": 60.0, "api_price_row": "Together Llama 3.3 70B Turbo"})
    found = {day: study("finance").linked().evaluate({"price_day": day}, plan) for day in ("2026-10-21", "2026-10-22")}
    said = {day: [c["says"] for c in result.checks if c["ok"] is False and c["kind"] == "alert"] for day, result in found.items()}
    assert any("has been withdrawn" in s and "2026-10-22" in s for s in said["2026-10-22"])
    assert not any("withdrawn" in s for s in said["2026-10-21"])


def test_a_day_that_is_no_date_is_refused():
    result = study("finance").evaluate({"price_day": "1 Dec 2026"})
    assert result.status == "refused" and "2026-11-30" in result.problems[0]


def test_another_class_is_compared_where_it_is_named():
    plan, same_model = linked()
    other = linked(compared_class="gpt-oss-120b")[1]
    assert same_model.value("compared_class") == plan.value("model_price_class") == "Llama 3.3 70B"
    assert other.value("compared_prices") > 0 and "gpt-oss-120b" in other.says("providers")
    own_model = study("finance").evaluate({"kernel_class": ""})
    assert own_model.value("compared_prices") == 0 and "write it as compared_class" in own_model.says("providers")
    nothing = linked(compared_class="no such model")[1]
    assert nothing.says("providers") == "The catalogue has no price for no such model that can still be had."


def test_a_workbook_has_the_finance_inputs_in_its_cells_and_only_one_set():
    made = Book(
        study("plan"), {"request_rate": 60.0}, money.given([study("finance")], {"growth": 0.06, "node_rate": 4000.0}, study("plan"))
    )
    result = made.results[1]
    assert result.value("growth") == 0.06 and result.value("node_rate") == 4000.0
    assert result.value("kernel_node_rate") == made.plan.value("node_output_rate")
    assert money.common([("A", {"growth": 0.06}), ("B", {"growth": 0.06})]) == {"growth": 0.06}
    with pytest.raises(InputError, match="differs between A and B"):
        money.common([("A", {"growth": 0.06}), ("B", {})])


def test_a_workbook_of_a_table_takes_them_and_the_day(tmp_path, capsys):
    table, book = tmp_path / "one.csv", str(tmp_path / "one.xlsx")
    table.write_text("scenario,issue_date,request_rate,growth\nA,2027-03-15,60,6%\nB,2027-03-15,30,6%\n", encoding="utf-8")
    assert main(["workbook", str(table), "--study", "finance", "-o", book]) == 0
    assert main(["audit", book]) == 0 and "as issued" in capsys.readouterr().out
    assert main(["evaluate", book, "--study", "finance", "--outputs", "npv_build"]) == 0
    found = json.loads(capsys.readouterr().out)["scenarios"][0]
    assert found["inputs"]["growth"]["value"] == 0.06
    assert found["inputs"]["price_day"]["value"] == "2027-03-15" and found["inputs"]["stale_before"]["value"] == "2026-12-15"
    table.write_text("scenario,request_rate,growth\nA,60,6%\nB,30,5%\n", encoding="utf-8")
    assert main(["workbook", str(table), "--study", "finance", "-o", book]) == 2
    assert "growth: differs between A and B" in capsys.readouterr().err


def test_days_are_compared_row_by_row(tmp_path, capsys):
    table = tmp_path / "days.csv"
    table.write_text("scenario,price_day\nearly,2026-01-01\nlate,2027-05-01\nwrong,soon\n", encoding="utf-8")
    main(["evaluate", str(table), "--study", "finance", "--format", "csv", "--outputs", "withdrawn_prices,compared_prices"])
    early, late, wrong = capsys.readouterr().out.splitlines()[1:]
    assert early == "early,ok,,0.0,5.0" and late == "late,ok,,3.0,2.0"
    assert wrong.startswith("wrong,refused,") and "2026-11-30" in wrong
