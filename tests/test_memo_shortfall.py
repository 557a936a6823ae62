"""A plan that cannot work: its page says by how much, what would make it work, and shows no figure of a fleet that cannot be."""

import re

import pytest
from memo_pages import pages, stray_digits, wrong_numbers

from sheetcalc import memo
from sheetcalc.memo import infeasible, plan_page, shortfall
from sheetcalc.memo.details import Details
from sheetcalc.memo.reading import Reader
from sheetcalc.studies.plan import STUDY as PLAN

ROW = {"api_price_row": "Together Llama 3.3 70B Turbo"}  # serves the plan's model
OTHER = {"api_price_row": "gpt-6-astra"}
BIG = {"request_rate": 5.0, "model": "Llama 3.1 405B", "gpu": "A100 80GB SXM", "gpus_per_replica": 4.0, "weight_format": "BF16"}
CASES = {
    "weights, comparable API": (BIG | {"api_price_row": "Together Llama 3.1 405B"}, "api"),
    "weights, API of another model": (BIG | OTHER, "api"),
    "weights, obligation": (BIG | {"data_must_stay": "yes"}, "none"),
    "TPOT, obligation": ({"request_rate": 10.0, "tpot_target": 0.005, "no_equivalent_api": "yes"}, "none"),
    "TPOT, comparable API": ({"request_rate": 10.0, "tpot_target": 0.005} | ROW, "api"),
    "TTFT": ({"request_rate": 20.0, "ttft_target": 0.01} | ROW, "api"),
    "one sequence": ({"request_rate": 5.0, "prompt_tokens": 600000.0} | ROW, "api"),
    "batch": ({"request_rate": 5.0, "batch": 4096.0} | ROW, "api"),
    "two at once": ({"request_rate": 5.0, "tpot_target": 0.001, "ttft_target": 0.01} | ROW, "api"),
    "format": ({"request_rate": 5.0, "gpu": "A100 80GB SXM", "compute_format": "FP8"} | ROW, "api"),
}
FLEET = {"gpus", "replicas", "cost_per_hour", "fleet_cost_per_month", "build_cost_per_month", "cost_per_million_output_used"}


def view(case):
    given, choice = CASES[case]
    result = PLAN.evaluate(given)
    assert result.status == "infeasible" and result.value("choice_by_cost") == choice
    return result, plan_page.view(result, memo._brand(None), Details(scenario="A"))


@pytest.mark.parametrize("case", CASES)
def test_the_page_names_what_fails_and_no_figure_of_a_fleet_that_cannot_be(case):
    result, shown = view(case)
    first = str(shortfall.gaps(Reader(result))[0].says)
    assert first in shown["title"] or first[0].lower() + first[1:] in shown["title"]
    assert shown["title"] == memo.verdict(result)
    printed = {piece.name for _, value, _ in shown["figures"] for piece in value.pieces if hasattr(piece, "name")}
    assert not printed & FLEET
    assert shown["ranges"] is None and shown["range_rows"] == []
    written = memo.compose(result, details=Details(scenario="A"))
    pdf = memo.press().run(written.html)
    assert stray_digits(pdf, written) == [] and wrong_numbers(written) == []
    assert 2 <= len(pages(pdf, written.title)) <= 3


@pytest.mark.parametrize("case", CASES)
def test_api_spend_is_asked_for_only_where_the_api_may_be_used_and_serves_the_model(case):
    given, choice = CASES[case]
    _, shown = view(case)
    asks = " ".join(map(str, shown["asks"]))
    priced = choice == "api" and given.get("api_price_row") != "gpt-6-astra"
    assert ("Approve API spend" in asks) == priced
    names = {piece.name for _, value, _ in shown["figures"] for piece in value.pieces if hasattr(piece, "name")}
    assert ("api_cost_per_month" in names) == priced
    assert shown["asks"] and shown["to_sign"] == priced


@pytest.mark.parametrize("case", CASES)
def test_each_change_that_is_named_makes_the_plan_hold(case):
    given, _ = CASES[case]
    found = shortfall.remedies(Reader(PLAN.evaluate(given)))
    for remedy in found:
        again = PLAN.evaluate(given | {remedy.name: remedy.value})
        assert again.problems == [] and again.value("gpus") > 0, remedy.name


def test_the_nearest_value_is_named():
    given, _ = CASES["TPOT, obligation"]
    promised = PLAN.evaluate(given).value("tpot_promised")
    found = {}
    for remedy in shortfall.remedies(Reader(PLAN.evaluate(given))):
        found.setdefault(remedy.name, []).append(remedy.value)
    assert promised <= min(found["tpot_target"]) < promised * 1.1
    found = {remedy.name: remedy.value for remedy in shortfall.remedies(Reader(PLAN.evaluate(CASES["weights, obligation"][0])))}
    assert found["gpus_per_replica"] == 16.0
    assert PLAN.evaluate(CASES["weights, obligation"][0] | {"gpus_per_replica": 8.0}).problems


def test_a_change_of_gpu_shows_no_bill_at_the_old_gpus_price():
    given = {"request_rate": 5.0, "gpus_per_replica": 1.0, "weight_format": "BF16", "gpu_hour_price": 2.5, "api_price_row": "gpt-6-astra"}
    reader = Reader(PLAN.evaluate(given))
    gpu = next(remedy for remedy in shortfall.remedies(reader) if remedy.name == "gpu")
    assert not shortfall.priced(reader, gpu)
    row = next(row for row in infeasible.remedy_rows(reader, [gpu]))
    assert not re.search(r"\$", str(row.cells[-1]))


def test_where_no_single_change_helps_the_page_says_so():
    given = {"request_rate": 5.0, "tpot_target": 0.0001, "ttft_target": 0.001, "data_must_stay": "yes"}
    result = PLAN.evaluate(given)
    assert len(result.problems) == 2 and shortfall.remedies(Reader(result)) == []
    text = " ".join(pages(memo.render(result), ""))
    assert "No single change" in " ".join(text.split())
