"""Every number on a page is a value of the model at its printed digits; a digit typed into a template is caught."""

import random
import re
import shutil
from importlib.util import find_spec

import pytest
from memo_pages import pages, squeezed, stray_digits, wrong_numbers

from sheetcalc import memo, show
from sheetcalc.errors import InputError
from sheetcalc.memo import page, plan_page
from sheetcalc.memo.details import Details, read_date
from sheetcalc.memo.phrase import Number, holds
from sheetcalc.memo.reading import Reader
from sheetcalc.memo.templates import FOLDER
from sheetcalc.studies import NAMES, study
from sheetcalc.studies.plan import STUDY as PLAN

PLANS = {
    "build": {"request_rate": 200.0, "api_price_row": "gpt-6-astra"},
    "small": {"people": 2000.0, "requests_per_person_day": 10.0, "active_hours": 8.0, "peak_factor": 3.0, "api_price_row": "gpt-6-astra"},
    "api later": {"request_rate": 0.02, "api_price_row": "gpt-6-astra"},
    "api never": {"request_rate": 2.0, "gpu_hour_price": 90.0, "api_input_price": 1e-8, "api_output_price": 4e-8},
    "must build": {"request_rate": 5.0, "data_must_stay": "yes"},
    "does not fit": {"request_rate": 20.0, "gpus_per_replica": 1.0, "weight_format": "bf16", "api_price_row": "gpt-6-astra"},
    "nothing holds": {"request_rate": 5.0, "data_must_stay": "yes", "gpus_per_replica": 1.0, "weight_format": "bf16"},
    "slow": {"request_rate": 20.0, "ttft_target": 0.01, "api_price_row": "gpt-6-astra"},
    "no load": {"api_price_row": "gpt-6-astra"},
}
STUDIES = [name for name in NAMES if find_spec(f"sheetcalc.studies.{name}")]


def printed(result, **details):
    written = memo.compose(result, details=Details(**details))
    return written, memo.press().run(written.html, (), written.dated)


@pytest.mark.parametrize("case", PLANS)
def test_every_digit_of_a_plan_is_a_value_of_the_model(case):
    written, pdf = printed(PLAN.evaluate(PLANS[case]), scenario=f"Case 7, {case}", issued=read_date("2026-11-30"), number="CP-2026-014")
    assert stray_digits(pdf, written) == []
    assert wrong_numbers(written) == []


@pytest.mark.parametrize("case", ["build", "small", "must build", "slow"])
def test_every_digit_of_a_plan_with_money_over_time_is_a_value(case):
    plan = PLAN.evaluate(PLANS[case])
    written = memo.compose(plan, details=Details(scenario="A"), finance=study("finance").linked().evaluate({}, plan=plan))
    pdf = memo.press().run(written.html)
    assert stray_digits(pdf, written) == [] and wrong_numbers(written) == []
    if case != "slow":  # a plan that does not hold has no money over time
        names = {entry.name for entry in written.ledger.entries if isinstance(entry, Number)}
        assert {
            "npv_api",
            "npv_build",
            "npv_hybrid",
            "build_probability",
            "advantage_low",
            "advantage_high",
            "first_api_bill",
            "first_build_bill",
        } <= names
        assert any(name.startswith(("threshold_", "first_threshold_")) for name in names)


@pytest.mark.parametrize("name", [name for name in STUDIES if name != "plan"])
def test_every_digit_of_a_study_is_a_value_of_the_model(name):
    written, pdf = printed(study(name).evaluate())
    assert stray_digits(pdf, written) == []
    assert wrong_numbers(written) == []


def test_any_scenario_has_a_page_of_true_numbers():
    draw, statuses = random.Random(14), set()
    for _ in range(30):
        given = {"request_rate": 10 ** draw.uniform(-2, 3)}
        for name, own in PLAN.inputs.items():
            if draw.random() > 1 / 8 or name == "request_rate" or isinstance(own.value, list):
                continue
            if own.choices:
                given[name] = draw.choice(own.choices)
            elif isinstance(own.value, float) and own.value and not own.whole:
                value = draw.random() if own.unit == "%" else own.value * 10 ** draw.uniform(-1, 1)
                low, high = own.low if own.low is not None else value, own.high if own.high is not None else value
                given[name] = min(max(value, low), high)
        try:
            result = PLAN.evaluate(given)
        except InputError:  # an open bound was hit
            continue
        statuses.add(result.status)
        assert wrong_numbers(memo.compose(result)) == [], given
    assert statuses >= {"ok", "infeasible"}


def test_every_key_figure_that_exists_is_printed():
    result = PLAN.evaluate(PLANS["build"])
    written, _ = printed(result)
    names = {entry.name for entry in written.ledger.entries if isinstance(entry, Number)}
    assert set(PLAN.story.figures) <= names
    assert {name for name in PLAN.story.derivation if result.exists(name)} <= names


@pytest.mark.parametrize("typed", ["cost 7 dollars", "97% idle", "$4"])
def test_a_typed_digit_in_a_template_is_caught(tmp_path, typed):
    folder = tmp_path / "templates"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("fonts"))
    template = folder / "plan.html.j2"
    text = template.read_text(encoding="utf-8")
    assert "Decisions requested" in text
    template.write_text(text.replace("Decisions requested", f"Decisions requested, {typed}"), encoding="utf-8")
    brand = memo._brand(None)
    view = plan_page.view(PLAN.evaluate(PLANS["build"]), brand, Details())
    written = page.compose(plan_page.TEMPLATE, view, brand, folder)
    assert stray_digits(memo.press().run(written.html), written) != []


def test_a_number_that_is_not_its_value_is_caught():
    assert holds(Number("35.6 µs", 35.649e-6, 1e-6))
    assert holds(Number("$1.57 per million tokens", 1.574e-6, 1e-6))
    assert holds(Number("1979e12", 1979e12))
    assert holds(Number("−0.5%", -0.00501, 0.01))
    assert not holds(Number("35.7 µs", 35.649e-6, 1e-6))
    assert not holds(Number("8,005", 8004.4))
    assert not holds(Number("many", 3.0))


def test_the_title_states_the_recommendation():
    written, pdf = printed(PLAN.evaluate(PLANS["build"]))
    assert written.title.startswith("Build")
    assert squeezed(written.title) in squeezed(pages(pdf, "")[0])


@pytest.mark.parametrize(
    "value, unit, text",
    [
        (0.0, "ms", "0"),
        (0.0, "%", "0"),
        (1.0, "%", "1"),
        (0.5, "%", "0.5"),
        (0.65, "%", "0.65"),
        (0.12344, "%", "0.1234"),
        (0.011104, "ms", "11.10e−3"),
        (70.55e9, "Gparam", "70.55e9"),
        (300.0, "tok", "300"),
    ],
)
def test_an_operand_is_written_as_a_reader_would(value, unit, text):
    assert show.operand(value, unit) == text
    assert float(text.replace("−", "-")) == pytest.approx(value, rel=1e-3)


def test_no_working_of_a_plan_adds_a_nought_with_an_exponent():
    plan = PLAN.evaluate(PLANS["build"])
    workings = [str(Reader(plan).derivation(name)[1]) for name in PLAN.story.derivation]
    assert not [text for text in workings if re.search(r"\b0e|\b0\.00\b|\b1\.00\b", text)]
