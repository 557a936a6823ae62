"""Where defaults come from, in words that a reader of the memo can use."""

import re

import pytest

from sheetcalc.memo import standing
from sheetcalc.memo.reading import Reader
from sheetcalc.studies import NAMES, study
from sheetcalc.studies.plan import STUDY as PLAN

PAPERS = re.compile(r"file \d\d\d|calculators? [A-C]\b|decision \d|by the planner")


@pytest.mark.parametrize("name", NAMES)
def test_no_source_names_a_working_paper(name):
    for own in study(name).inputs.values():
        _, place = standing.split(own.source)
        assert not PAPERS.search(standing.readable(place)), own.source


@pytest.mark.parametrize("profile, words", [("measured", "published measurements"), ("textbook", "worked fleet example")])
def test_a_constant_shows_the_source_of_the_profile_in_use(profile, words):
    found = standing.gather(Reader(PLAN.evaluate({"request_rate": 10.0, "profile": profile})), ["mfu"])
    assert words in str(found.rows[0].cells[3]).lower()


def test_what_a_scenario_gives_stands_in_pairs_read_downwards():
    given = {"request_rate": 10.0, "prompt_tokens": 900.0, "output_tokens": 90.0}
    found = standing.gather(Reader(PLAN.evaluate(given)), list(given))
    (first, third), (second, none) = found.given
    assert [str(one[1]) for one in (first, second, third)] == ["10 req/s", "900 tok", "90 tok"] and none is None
    assert found.rows == []


def test_a_value_worked_out_from_other_inputs_says_so():
    plan = PLAN.evaluate({"people": 900.0, "requests_per_person_day": 10.0})
    found = standing.gather(Reader(plan), ["request_rate", "mean_to_peak", "mfu", "utilization_cap"])
    told = {str(row.cells[0]): str(row.cells[2]) for row in found.rows}
    assert told["Requests per second at the peak"] == told["Mean load over peak load"] == "worked out"
    assert told["Utilization cap"] != "worked out" and told["Compute utilization, communication inside"] == "fitted"
