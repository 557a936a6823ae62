"""A swept column may leave cells blank, where the study's own value stays, or take a quantity along the axis."""

from sheetcalc.cells import Cells
from sheetcalc.model import Grid, Input, Model, quantity
from sheetcalc.operations import at
from sheetcalc.run import run


@quantity("Cost", "$")
def cost(price, size):
    return price * size


@quantity("Cost of the second case", "$")
def second(case_cost, case):
    return at(case_cost, case, 2)


def model():
    return Model(
        "m",
        {f.__name__: f for f in (cost, second)},
        {
            "price": Input(5.0, "$", "Price", "test"),
            "size": Input(2.0, "", "Size", "test"),
        },
        [
            Grid(
                "case",
                "Cases",
                rows={"case": Input([1.0, 2.0, 3.0], "", "Case", "test")},
                typed={"price": [None, 7.0, None], "size": [10.0, None, None]},
                show=["cost"],
            )
        ],
    )


def test_blank_cells_take_the_studys_own_value():
    assert Cells(model())["case_cost"] == [50.0, 14.0, 10.0]
    assert Cells(model(), {"price": 6.0})["case_cost"] == [60.0, 14.0, 12.0]
    assert run(model(), {"price": 6.0})["case_cost"].ravel().tolist() == [60.0, 14.0, 12.0]
    assert Cells(model(), {"case_price": [None, 8.0, None]})["second"] == 16.0


@quantity("Price of the step", "$")
def step_price(price, step):
    return price + step


def test_a_quantity_may_stand_in_for_an_input():
    m = Model(
        "m",
        {f.__name__: f for f in (cost, step_price)},
        {"price": Input(5.0, "$", "Price", "test"), "size": Input(2.0, "", "Size", "test")},
        [Grid("steps", "Steps", rows={"step": Input([1.0, 2.0], "", "Step", "test")}, typed={"price": "step_price"}, show=["cost"])],
    )
    assert Cells(m)["steps_cost"] == [12.0, 14.0]
    assert run(m)["steps_cost"].ravel().tolist() == [12.0, 14.0]


@quantity("Saved by the case", "$")
def saved(cost, case_cost):
    return cost - case_cost


def test_what_runs_along_the_grid_already_is_shown_and_not_repeated():
    m = Model(
        "m",
        {f.__name__: f for f in (cost, saved)},
        {"price": Input(5.0, "$", "Price", "test"), "size": Input(2.0, "", "Size", "test")},
        [Grid("case", "Cases", rows={"case": Input([1.0, 2.0], "", "Case", "test")}, typed={"price": [4.0, None]}, show=["saved", "cost"])],
    )
    assert Cells(m)["saved"] == [2.0, 0.0]
    assert "case_saved" not in m.steps
