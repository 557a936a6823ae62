"""A value that does not exist says its own reason, and a load that is given twice says which one is used."""

from sheetcalc.studies import study

PLAN = study("plan")


def test_what_a_failed_check_does_not_touch_is_not_blamed_on_it():
    result = PLAN.evaluate({})
    assert result.status == "refused"
    assert result.absent("gpus") == result.problems[0] != ""
    assert result.absent("peak_fp4") == "the table has no value for it"
    assert result.absent("request_rate_from_people") == "not given: People"


def test_a_failed_check_is_the_reason_of_all_that_rests_on_it():
    result = PLAN.evaluate({"request_rate": 200.0, "batch": 4000.0})
    for name in ("step_time", "gpus", "cost_per_hour", "breakeven_volume"):
        assert "does not fit" in result.absent(name), name


def test_people_beside_a_typed_rate_are_not_dropped_in_silence():
    people = {"people": 5000.0, "requests_per_person_day": 20.0}
    said = {c["name"]: c for c in PLAN.evaluate({"request_rate": 200.0, **people}).checks}["load_given_once"]
    assert said["ok"] is False and "200 req/s is used" in said["says"] and "2.5 req/s" in said["says"]
    rate = PLAN.evaluate(people).value("request_rate")
    for given in ({"request_rate": 200.0}, people, {"request_rate": rate, **people}):
        assert {c["name"]: c["ok"] for c in PLAN.evaluate(given).checks}["load_given_once"] is True
