"""The shape of a memo: two to four pages, no stub at the end, edges that are cut with an ellipsis, one verdict in the title."""

from datetime import date

import pytest
from memo_pages import pages, squeezed

from sheetcalc import memo
from sheetcalc.memo import api_row, finance_part, plan_page
from sheetcalc.memo.canvas import text_width
from sheetcalc.memo.details import Details
from sheetcalc.memo.reading import Reader
from sheetcalc.memo.study_page import LINE_SIZE, LINE_WIDTH, edges
from sheetcalc.studies import study
from sheetcalc.studies.plan import STUDY as PLAN

STUB = 8  # lines
FULL = {  # a row of the scenario table with everything given
    "people": 1500.0, "requests_per_person_day": 120.0, "active_hours": 10.0, "peak_factor": 2.5, "prompt_tokens": 12000.0,
    "output_tokens": 450.0, "prefix_hit_share": 0.7, "model": "Qwen3 32B", "gpu": "H100 SXM", "gpus_per_replica": 2.0,
    "weight_format": "FP8", "kv_format": "FP8", "ttft_target": 3.0, "tpot_target": 0.04, "gpu_hour_price": 2.5,
    "fixed_cost_per_month": 25000.0, "api_price_row": "gpt-6-sol", "failure_reserve": 1.0,
}  # fmt: skip
CASES = {
    "bare": {"request_rate": 40.0},
    "full": FULL,
    "build": {"request_rate": 200.0, "api_price_row": "gpt-6-astra", "fixed_cost_per_month": 30000.0},
    "must build": FULL | {"data_must_stay": "yes"},
    "tiny": {"request_rate": 0.02, "api_price_row": "gpt-6-astra"},
}
LONG = "A very long scenario name that goes on about the regional customer support assistant of the northern units, second revision"


@pytest.fixture(scope="module")
def finance():
    return study("finance").linked()


def shown(given, name="Helpdesk", finance=None, brand=None):
    result = PLAN.evaluate(given)
    details = Details(scenario=name, issued=date(2026, 11, 30), number="CP-14", notes="One line of notes.")
    money = finance.evaluate({}, plan=result) if finance else None
    return pages(memo.render(result, brand=brand, details=details, finance=money), "")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("in_time", [False, True])
def test_a_memo_has_two_to_four_pages_and_no_stub_at_the_end(case, in_time, finance):
    found = shown(CASES[case], finance=finance if in_time else None)
    assert 2 <= len(found) <= 4
    assert len(found[-1].splitlines()) > STUB


@pytest.mark.parametrize("case", ["full", "build"])
def test_so_it_is_on_the_shorter_paper(case, tmp_path, finance):
    brand = tmp_path / "brand.toml"
    brand.write_text('paper = "Letter"\n', encoding="utf-8")
    assert len(shown(CASES[case], finance=finance, brand=str(brand))) <= 4


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_long_name_is_cut_with_an_ellipsis_at_the_edge_of_a_page(paper, tmp_path):
    brand = tmp_path / "brand.toml"
    brand.write_text(f'paper = "{paper}"\ncompany = "{"Northern Units Holding " * 5}"\n', encoding="utf-8")
    found = edges(memo._brand(str(brand)), LONG * 2, LONG, ("CP-14", "30 November 2026"))
    assert all(found[name].count("…") == 1 for name in found)
    assert found["footer"].endswith("… · CP-14 · 30 November 2026") and text_width(found["footer"], LINE_SIZE) <= LINE_WIDTH


def test_a_fixed_cost_is_named_where_the_bill_holds_one():
    told = str(plan_page.cost_text(Reader(PLAN.evaluate(CASES["build"])))[0]).replace("\u00a0", " ")
    assert "of which $30,000 a month are staff, licences and other fixed cost" in told
    told = str(plan_page.cost_text(Reader(PLAN.evaluate(CASES["build"] | {"fixed_cost_per_month": 0.0})))[0])
    assert "fixed cost" not in told


def test_the_api_row_is_named_on_the_first_page_and_another_model_is_called_one():
    first = squeezed(shown({"request_rate": 40.0, "model": "gpt-oss-120b", "api_price_row": "DeepInfra Llama 3.3 70B"})[0])
    assert "DeepInfraLlama3.370Bisnotgpt-oss-120b:itservesLlama3.370B." in first
    assert "thepricelisthasGroqgpt-oss-120bandTogethergpt-oss-120bforthismodel" in first
    first = " ".join(shown({"request_rate": 40.0, "model": "Mixtral 8x7B"})[0].split())
    assert "DeepInfra Llama 3.3 70B is not Mixtral 8x7B" in first and "the price list has" not in first
    first = " ".join(shown({"request_rate": 40.0, "model": "gpt-oss-120b"})[0].split())
    assert "Groq gpt-oss-120b" in first and "is not" not in first
    own = Reader(PLAN.evaluate({"request_rate": 40.0, "model": "Mixtral 8x7B", "api_input_price": 1e-7, "api_output_price": 4e-7}))
    assert api_row.caution(own) is None and str(api_row.named(own)) == "prices of this scenario"


def test_two_verdicts_are_explained_and_the_title_is_that_of_present_value(finance):
    plan = PLAN.evaluate(FULL)
    money = finance.evaluate({}, plan=plan)
    assert (plan.value("choice_by_cost"), money.value("decision")) == ("build", "hybrid")
    told = finance_part.view(Reader(plan), Reader(money))
    assert memo.verdict(plan, money) == str(Reader(money).says("headline"))
    assert any("By the bills of one month the plan alone would choose building" in str(said) for said in told["time_text"])
    plan = PLAN.evaluate(FULL | {"data_must_stay": "yes"})
    assert finance_part.verdicts(Reader(plan), Reader(finance.evaluate({}, plan=plan))) == []
