"""The verdict against every API price of the catalogue: the same plan, one row for each price."""

from sheetcalc.model import quantity
from sheetcalc.operations import both, count, given, if_, negate, same, total


@quantity("Cached input, or input where none is published", "$/M tok")
def price_cached_used(price_cached_input, price_input):
    """A provider without a cache price bills the full one."""
    return given(price_cached_input, price_input)


@quantity("The price is for a model of this class", "")
def price_comparable(price_class, compared_class):
    """1 when the catalogue names the same class; a row without a class is not comparable."""
    return if_(both(same(price_class, compared_class), negate(same(price_class, ""))), 1, 0)


@quantity("Building is clearly cheaper", "")
def row_build_wins(npv_build, materiality, row_direct_npv_api):
    """1 when it is by the materiality; 0 where the row has no price."""
    return given(if_(npv_build <= (1 - materiality) * row_direct_npv_api, 1, 0), 0)


@quantity("Verdict against this price", "")
def row_verdict(price_comparable, row_build_wins):
    """build or api, for the prices that compare."""
    return if_(price_comparable > 0, if_(row_build_wins > 0, "build", "api"), "not comparable")


@quantity("Advantage of building against this price", "$")
def row_advantage(row_direct_npv_api, npv_build):
    """Present values."""
    return row_direct_npv_api - npv_build


@quantity("Prices that compare", "")
def compared_prices(price_comparable, price_name):
    """Rows of the catalogue with the class."""
    return total(price_comparable, price_name)


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
