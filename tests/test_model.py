"""The graph of a study: order, axes, sweeps, what is missing, and errors that say what to write."""

import math

import pytest

from sheetcalc.cells import Cells
from sheetcalc.errors import FormulaError, InputError, ModelError
from sheetcalc.model import POSITIVE, Grid, Input, Model, check, quantity
from sheetcalc.operations import count, first, highest, if_, total, when
from sheetcalc.ranges import out_of_range, range_words
from sheetcalc.run import run
from sheetcalc.study import Saying, Study


def functions(*fns):
    return {fn.__name__: fn for fn in fns}


@quantity("A", "")
def alpha_value(beta_value):
    return beta_value + 1


@quantity("B", "")
def beta_value(alpha_value):
    return alpha_value + 1


def test_a_circle_is_named():
    with pytest.raises(ModelError, match="alpha_value → beta_value → alpha_value"):
        Model("m", functions(alpha_value, beta_value), {})


def test_a_missing_name_comes_with_the_nearest():
    with pytest.raises(ModelError, match="needs 'beta_value'.*did you mean 'beta_valve'"):
        Model("m", functions(alpha_value), {"beta_valve": Input(1.0, "", "B")})


@pytest.mark.parametrize("name", ["tp4", "kv8", "r", "C", "abc12", "r1c1"])
def test_a_name_that_excel_takes_for_a_cell_is_refused(name):
    with pytest.raises(ModelError, match="cell address"):
        Model("m", {}, {name: Input(1.0, "", "x")})


def test_when_must_be_the_whole_formula():
    @quantity("x", "")
    def half(flag, load):
        return when(flag, load) / 2

    with pytest.raises(FormulaError, match="whole formula"):
        Model("m", functions(half), {"flag": Input(1.0, "", "f"), "load": Input(1.0, "", "l")})


def test_an_expression_that_excel_cannot_sum_is_refused():
    @quantity("x", "")
    def busy(load, hour):
        return total(if_(load > 1, load, 0), hour)

    with pytest.raises(FormulaError, match="a quantity of its own"):
        Model(
            "m",
            functions(busy),
            {},
            [Grid("day", "d", rows={"hour": Input([1.0, 2.0], "", "h")}, typed={"load": Input([1.0, 2.0], "", "l")})],
        )


def test_a_column_times_a_row_is_refused():
    @quantity("x", "")
    def mixed(block, load, hour, step):
        return total(block * load, hour)

    @quantity("b", "")
    def block(load, step):
        return load * step

    with pytest.raises(FormulaError, match="runs down.*across"):
        Model(
            "m",
            functions(mixed, block),
            {},
            [
                Grid("day", "d", rows={"hour": Input([1.0, 2.0], "", "h")}, typed={"load": Input([1.0, 2.0], "", "l")}),
                Grid("steps", "s", rows={"step": Input([1.0, 2.0], "", "s")}),
                Grid("blocks", "b", rows="step", columns="hour"),
            ],
        )


def test_two_axes_need_a_block():
    @quantity("b", "")
    def product(hour, step):
        return hour * step

    grids = [Grid("day", "d", rows={"hour": Input([1.0, 2.0], "", "h")}), Grid("steps", "s", rows={"step": Input([1.0, 2.0], "", "s")})]
    with pytest.raises(ModelError, match="rows='hour', columns='step'"):
        Model("m", functions(product), {}, grids)
    study = Study("m", "M", "", functions(product), {}, [*grids, Grid("blocks", "b", rows="hour", columns="step")])
    assert study.evaluate().value("product") == [[1.0, 2.0], [2.0, 4.0]]


@check("It fits", "a load of {load} on {room}: too much")
def fits(load, room):
    return load < room


@quantity("Spare", "GB")
def spare(fits, room, load):
    return when(fits, room - load)


@quantity("Half of it", "GB")
def half_spare(spare):
    return spare / 2


LIMITED = Study(
    "limited",
    "Limited",
    "",
    functions(fits, spare, half_spare),
    {"load": Input(3e9, "GB", "Load", "s", **POSITIVE), "room": Input(8e9, "GB", "Room", "s")},
    sayings={"verdict": Saying(("fits", "{spare} to spare"), ("", "nothing to spare"))},
)


def test_a_copy_that_no_grid_can_hold_stands_inside_its_reader():
    @quantity("Load of the hour", "")
    def hour_load(load, growth, hour):
        return load * growth ** (hour - 1)

    @quantity("Load of the day", "")
    def day_load(hour_load, hour):
        return total(hour_load + 1, hour)

    hours = Grid("hours", "Hours", rows={"hour": Input([1.0, 2.0, 3.0], "", "Hour")})
    rates = Grid("rates", "Rates", rows={"rate": Input([1.0, 2.0], "", "Rate")}, typed={"growth": "rate"}, show=["day_load"])
    both_ways = Grid("table", "Both", rows="hour", columns="rate", show=["rates_hour_load"])
    given = {"load": Input(10.0, "", "Load"), "growth": Input(3.0, "", "Growth")}
    inside = Model("m", functions(hour_load, day_load), given, [hours, rates])
    apart = Model("m", functions(hour_load, day_load), given, [hours, rates, both_ways])
    assert "rates_hour_load" not in inside.steps and apart.home["rates_hour_load"] == {"hour", "rate"}
    for model in (inside, apart):
        assert Cells(model)["day_load"] == 10 + 30 + 90 + 3
        assert Cells(model)["rates_day_load"] == [33.0, 73.0]
        assert run(model)["rates_day_load"].ravel().tolist() == [33.0, 73.0]


def test_what_needs_a_missing_quantity_is_missing_and_says_why():
    result = LIMITED.evaluate({"load": 9e9})
    assert math.isnan(result.value("half_spare")) and result.status == "infeasible"
    assert result.absent("half_spare") == "a load of 9 GB on 8 GB: too much" == result.problems[0]
    assert result.says("verdict") == "nothing to spare"
    assert LIMITED.evaluate().says("verdict", pretty=False) == "5 GB to spare"


def test_an_input_out_of_range_says_what_to_write():
    with pytest.raises(InputError, match="load: .*outside above 0"):
        LIMITED.evaluate({"load": -1.0})
    with pytest.raises(InputError, match="did you mean 'load'"):
        LIMITED.evaluate({"loads": 1.0})
    share = Input(0.5, "%", "Share", "s", low=0.0, high=1.0)
    assert out_of_range(share, 65.0) == "6,500 is outside 0 to 1; write 65% or 0.65"
    assert range_words(Input(1.0, "GB", "x", "s", low=1e9, high=2e12)) == "1 to 2,000 GB"


def test_first_passes_over_what_never_happens():
    @quantity("flag", "")
    def late(load, limit):
        return load > limit

    @quantity("when", "")
    def late_hour(late, hour):
        return first(late, hour)

    @quantity("how often", "")
    def late_count(late, hour):
        return count(late, hour)

    @quantity("peak", "")
    def peak(load, hour):
        return highest(load, hour)

    study = Study(
        "m",
        "M",
        "",
        functions(late, late_hour, late_count, peak),
        {"limit": Input(2.0, "", "Limit", "s")},
        [Grid("day", "d", rows={"hour": Input([1.0, 2.0, 3.0], "", "h")}, typed={"load": Input([1.0, 5.0, 7.0], "", "l")})],
    )
    assert (
        study.evaluate().value("late_hour") == 2.0 and study.evaluate().value("late_count") == 2.0 and study.evaluate().value("peak") == 7.0
    )
    assert math.isnan(study.evaluate({"limit": 9.0}).value("late_hour"))


def test_a_profile_is_a_set_of_defaults_and_a_typed_value_wins():
    @quantity("doubled", "")
    def doubled(load):
        return load * 2

    study = Study(
        "m",
        "M",
        "",
        functions(doubled),
        {"load": Input(None, "", "Load", "s"), "profile": Input("low", "", "Profile", "s", choices=("low", "high"))},
        profiles={"low": {"load": 1.0}, "high": {"load": 10.0}},
    )
    assert study.evaluate().value("doubled") == 2.0
    assert study.evaluate({"profile": "HIGH"}).value("doubled") == 20.0
    assert study.evaluate({"profile": "high", "load": 3.0}).value("doubled") == 6.0
