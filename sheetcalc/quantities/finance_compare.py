"""The verdict against every API price of the catalogue: the same plan, one row for each price."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, count, given, if_, negate, same, stated, total


@quantity("Cached input, or input where none is published", "$/M tok")
def price_cached_used(price_cached_input, price_input):
    """A provider without a cache price bills the full one."""
    return given(price_cached_input, price_input)


@check(
    "The day of prices is a date",
    "{price_day} is no day that prices can be judged on; write it as year-month-day, 2026-11-30 (in a cell with an apostrophe before it)",
    "input",
)
def price_day_read(price_day, earliest_day, latest_day):
    return both(price_day >= earliest_day, price_day <= latest_day)


@quantity("The price is for a model of this class", "")
def price_of_class(price_class, compared_class):
    """1 when the catalogue names the same class; a row without a class is not comparable."""
    return if_(both(same(price_class, compared_class), negate(same(price_class, ""))), 1, 0)


@quantity("The provider has withdrawn it", "")
def price_withdrawn(price_retires, price_day):
    """1 when its announced end of service is not after the day of prices."""
    return if_(both(negate(same(price_retires, "")), price_retires <= price_day), 1, 0)


@quantity("The price compares", "")
def price_comparable(price_of_class, price_withdrawn):
    """1 for a model of the class that can still be had."""
    return price_of_class * (1 - price_withdrawn)


@quantity("Building is clearly cheaper", "")
def row_build_wins(npv_build, materiality, row_direct_npv_api):
    """1 when it is by the materiality; 0 where the row has no price."""
    return given(if_(npv_build <= (1 - materiality) * row_direct_npv_api, 1, 0), 0)


@quantity("Verdict against this price", "")
def row_verdict(price_comparable, row_build_wins, price_of_class):
    """build or api, for the prices that compare."""
    return if_(
        price_comparable > 0,
        if_(row_build_wins > 0, "build", "api"),
        if_(price_of_class > 0, "withdrawn", "not comparable"),
    )


@quantity("Advantage of building against this price", "$")
def row_advantage(row_direct_npv_api, npv_build):
    """Present values."""
    return row_direct_npv_api - npv_build


@quantity("Prices that compare", "")
def compared_prices(price_comparable, price_name):
    """Rows of the catalogue with the class."""
    return total(price_comparable, price_name)


@quantity("Prices of the class that are withdrawn", "")
def withdrawn_prices(price_of_class, price_withdrawn, price_name):
    """Rows that are left out."""
    return total(price_of_class * price_withdrawn, price_name)


@quantity("It compares today, and its end of service is announced", "")
def price_ending(price_comparable, price_retires):
    """1 when both."""
    return price_comparable * if_(same(price_retires, ""), 0, 1)


@quantity("Prices that compare and have an announced end of service", "")
def ending_prices(price_ending, price_name):
    """Rows that may not last through the horizon."""
    return total(price_ending, price_name)


@quantity("Some prices of the class are withdrawn", "")
def prices_left_out(withdrawn_prices):
    """1 when there is one."""
    return if_(withdrawn_prices > 0, 1, 0)


@quantity("No class of models is named", "")
def class_unnamed(compared_class):
    """1 for a model of your own that the catalogue does not place."""
    return 1 - given(if_(same(compared_class, ""), 0, 1), 0)


@quantity("There is nothing to compare with", "")
def nothing_compared(compared_prices):
    """1 when no price of the class can be had."""
    return if_(compared_prices > 0, 0, 1)


@quantity("Prices against which building wins", "")
def compared_wins(price_comparable, row_build_wins, price_name):
    """Of those."""
    return count(price_comparable * row_build_wins > 0, price_name)


@quantity("The verdict depends on the provider", "")
def verdict_split(compared_prices, compared_wins):
    """1 when building wins against some of the prices and not against others."""
    return if_(compared_wins > 0, 1, 0) * if_(compared_wins < compared_prices, 1, 0)


@quantity("Building wins against all of them", "")
def all_compared_won(compared_prices, compared_wins):
    """1 when it does, and there is one."""
    return if_(compared_wins > 0, 1, 0) * if_(same(compared_wins, compared_prices), 1, 0)


# the row that the plan itself buys


@quantity("End of service of the plan's API row", "")
def row_retires(price_retires, price_name, api_price_row):
    """As the catalogue has it."""
    return stated(at(price_retires, price_name, api_price_row), "not announced")


@quantity("The plan's API row is withdrawn", "")
def row_withdrawn(price_withdrawn, price_name, api_price_row):
    """1 when its end of service is not after the day of prices; 0 for prices of your own."""
    return given(at(price_withdrawn, price_name, api_price_row), 0)


@check(
    "The API that is compared can be had",
    "{api_price_row} has been withdrawn: its service ended on {row_retires}; choose an api_price_row that can still be bought",
    "alert",
)
def row_sold(row_withdrawn):
    return row_withdrawn < 1


@quantity("Day on which the price of the plan's API row was noted", "")
def row_noted(price_date, price_name, api_price_row):
    """As the catalogue has it."""
    return stated(at(price_date, price_name, api_price_row), "not known")


@check(
    "The API price is not old",
    "the price of {api_price_row} was noted on {row_noted}, before {stale_before}: look it up again",
    "alert",
)
def row_fresh(row_noted, stale_before):
    return row_noted >= stale_before
