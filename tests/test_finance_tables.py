"""Tables of other inputs are the plan worked out with those inputs; the plan's figures reach the finance study."""

import pytest

from sheetcalc.quantities.finance_drivers import DRIVERS
from sheetcalc.studies import study
from sheetcalc.studies.finance import EMPLOYEES, STUDY

START = {"start_volume": 180e6}


def advantage(**changes):
    return STUDY.evaluate(START | changes).value("build_advantage")


@pytest.mark.parametrize(
    "down, across",
    [("growth", "staff_cost"), ("node_rate", "api_cached_share"), ("start_volume", "start_volume"), ("peak_factor", "discount_rate")],
)
def test_the_two_way_table_is_the_plan_with_both_inputs_changed(down, across):
    result = STUDY.evaluate(START | {"table_row": DRIVERS[down][0], "table_column": DRIVERS[across][0]})
    table, base = result.value("pair_direct_advantage"), {n: result.value(n) for n in (down, across)}
    for i, j in ((0, 0), (3, 4), (8, 2), (5, 8)):
        row, column = result.value("row_factor")[i], result.value("column_factor")[j]
        changed = {down: base[down] * row}
        changed[across] = changed.get(across, base[across]) * column
        bounds = {"api_cached_share": (0, 1), "peak_factor": (1, 100)}
        changed = {n: min(max(x, bounds[n][0]), bounds[n][1]) if n in bounds else x for n, x in changed.items()}
        assert table[i][j] == pytest.approx(advantage(**changed), rel=1e-9, abs=1e-6)


def test_each_price_row_is_the_plan_at_that_price():
    result = STUDY.evaluate({"start_volume": 2000e6})
    rows = dict(
        zip(
            result.value("price_name"),
            zip(
                *(
                    result.value(n)
                    for n in (
                        "price_input",
                        "price_cached_input",
                        "price_output",
                        "row_direct_npv_api",
                        "row_verdict",
                        "price_class",
                        "price_retires",
                    )
                ),
                strict=False,
            ),
            strict=False,
        )
    )
    seen = set()
    for given, cached, output, npv, verdict, of_class, retires in rows.values():
        if of_class != "Llama 3.3 70B" or (retires and retires <= "2026-11-30"):
            assert verdict == ("withdrawn" if of_class == "Llama 3.3 70B" else "not comparable")
            continue
        alone = STUDY.evaluate(
            {
                "start_volume": 2000e6,
                "api_input_price": given,
                "api_output_price": output,
                "api_cached_input_price": given if cached != cached else cached,
            }
        )
        assert npv == pytest.approx(alone.value("npv_api"), rel=1e-9)
        assert verdict == ("build" if alone.value("build_material") else "api")
        seen.add(verdict)
    assert seen == {"build", "api"} and result.value("verdict_split") == 1
    compared = [r for r in rows.values() if r[5] == "Llama 3.3 70B"]
    assert result.value("compared_prices") == sum(r[4] != "withdrawn" for r in compared)
    assert result.value("withdrawn_prices") == sum(r[4] == "withdrawn" for r in compared) > 0
    assert STUDY.evaluate({"compared_class": "no such model"}).value("compared_prices") == 0


def test_node_rate_is_the_plans_unless_a_figure_of_ones_own_is_given():
    plan = study("plan").evaluate({"request_rate": 200.0, "prefix_hit_share": 0.0})
    linked = STUDY.linked()
    result = linked.evaluate({}, plan)
    assert (
        result.value("node_rate")
        == plan.value("node_output_rate")
        == pytest.approx(
            plan.value("output_load") / plan.value("total_demand") * plan.value("gpus_per_node") / plan.value("gpus_per_replica")
        )
    )
    assert result.value("start_volume") == plan.value("output_tokens_per_day")
    assert "as the plan works it out" in result.says("throughput")
    own = linked.evaluate({"node_rate": 5500.0}, plan)
    assert own.value("node_rate") == 5500 and "your own figure" in own.says("throughput")
    worked = study("plan").evaluate({"request_rate": 200.0, "profile": "textbook", "batch": 128.0})
    assert linked.evaluate({}, worked).value("node_rate") == pytest.approx(5516, abs=0.5)  # calculators C, i.1


def test_a_plan_that_does_not_hold_has_no_finance():
    plan = study("plan").evaluate({"request_rate": 200.0, "gpus_per_replica": 1.0, "weight_format": "BF16"})
    result = STUDY.linked().evaluate({}, plan)
    assert plan.problems and result.problems[0] == plan.problems[0]
    assert STUDY.decide(result)["choice"] is None


def test_the_decision_as_data():
    found = STUDY.decide(STUDY.evaluate())
    assert found["choice"] == "api" and found["revisit_at"] == pytest.approx(148135468.22081094, rel=1e-9) and found["premium"] is None
    assert [o["name"] for o in found["options"]] == ["build", "api", "hybrid"]
    assert found["options"][1]["npv"] == pytest.approx(635312.167294535, rel=1e-9)
    assert [r["rule"] for r in found["rules"]] == ["use the API now, look again"] and "148" in found["rules"][0]["says"]
    bound = STUDY.decide(STUDY.evaluate({"data_must_stay": "yes"}))
    assert bound["choice"] == "build" and bound["premium"] == pytest.approx(670617.1811135547, rel=1e-9) and bound["revisit_at"] is None
    assert bound["absent"]["revisit_at"]


def test_each_input_stands_once_in_the_ranking_where_swings_are_equal():
    result = STUDY.evaluate(EMPLOYEES)  # prices that are 0 and bought nodes: many swings of nothing
    ranked, swings = result.value("ranked_driver"), result.value("ranked_swing")
    assert len(set(ranked)) == len(ranked) and swings[-1] == 0
    assert swings == sorted(swings, reverse=True) == sorted(result.value("driver_swing"), reverse=True)[: len(swings)]
