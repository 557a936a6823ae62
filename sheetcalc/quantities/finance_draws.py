"""Draws without a random number generator: the same low-discrepancy points in every program (calculators C, i.5).

u(i, j) = fraction(1/2 + i · alpha_j) with alpha_j = phi^-j and phi^(inputs + 1) = phi + 1. Growth, prices, decline, node rate and staff
are triangular
between a low and a high factor of their value, volume is lognormal. Inputs are drawn independently of each other; nodes are paid for as
chosen.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, count, exp, fraction, highest, highest_at, if_, least, normal_quantile, percentile, same, sqrt, total

DRAWN = {  # input -> the column that a draw reads in its place
    "start_volume": "drawn_start_volume",
    "growth": "drawn_growth",
    "api_output_price": "drawn_output_price",
    "api_input_price": "drawn_input_price",
    "api_cached_input_price": "drawn_cached_price",
    "api_price_decline": "drawn_decline",
    "node_rate": "drawn_node_rate",
    "staff_fixed": "drawn_staff",
}


@quantity("Point between 0 and 1", "")
def draw_point(draw, draw_alpha):
    """Fraction of a half and the draw times the input's step (calculators C, i.5)."""
    return fraction(1 / 2 + draw * draw_alpha)


@quantity("Factor on the input, triangular", "")
def triangular_factor(draw_point, draw_low_factor, draw_high_factor):
    """Inverse of the triangular distribution with its peak at 1 (calculators C, i.5)."""
    return if_(
        draw_point * (draw_high_factor - draw_low_factor) < 1 - draw_low_factor,
        draw_low_factor + sqrt(draw_point * (draw_high_factor - draw_low_factor) * (1 - draw_low_factor)),
        draw_high_factor - sqrt((1 - draw_point) * (draw_high_factor - draw_low_factor) * (draw_high_factor - 1)),
    )


@quantity("Factor on the volume, lognormal", "")
def volume_factor(volume_spread, draw_point, drawn):
    """Half of the draws below 1 and half above (calculators C, i.5)."""
    return exp(volume_spread * normal_quantile(at(draw_point, drawn, "volume")))


@quantity("Factor on the input", "")
def draw_factor(drawn, volume_factor, triangular_factor):
    """Lognormal for the volume, else triangular."""
    return if_(same(drawn, "volume"), volume_factor, triangular_factor)


@quantity("Drawn output tokens a day at the start", "Mtok/day")
def drawn_start_volume(start_volume, volume_factor):
    """Input times its factor."""
    return start_volume * volume_factor


@quantity("Drawn growth a month", "%")
def drawn_growth(growth, draw_factor, drawn):
    """Input times its factor."""
    return growth * at(draw_factor, drawn, "growth")


@quantity("Drawn API price, output", "$/M tok")
def drawn_output_price(api_output_price, draw_factor, drawn):
    """Input times the factor of all API prices."""
    return api_output_price * at(draw_factor, drawn, "API prices")


@quantity("Drawn API price, input", "$/M tok")
def drawn_input_price(api_input_price, draw_factor, drawn):
    """Input times the factor of all API prices."""
    return api_input_price * at(draw_factor, drawn, "API prices")


@quantity("Drawn API price, cached input", "$/M tok")
def drawn_cached_price(api_cached_input_price, draw_factor, drawn):
    """Input times the factor of all API prices."""
    return api_cached_input_price * at(draw_factor, drawn, "API prices")


@quantity("Drawn decline of API prices a year", "%")
def drawn_decline(api_price_decline, draw_factor, drawn, highest_decline):
    """Input times its factor, below the highest decline."""
    return least(highest_decline, api_price_decline * at(draw_factor, drawn, "API price decline"))


@quantity("Drawn output tokens a node gives", "tok/s")
def drawn_node_rate(node_rate, draw_factor, drawn):
    """Input times its factor."""
    return node_rate * at(draw_factor, drawn, "node rate")


@quantity("Drawn people for the nodes", "")
def drawn_staff(staff_fixed, draw_factor, drawn):
    """Input times its factor."""
    return staff_fixed * at(draw_factor, drawn, "people")


# what the draws say


@quantity("Rows of the table of draws", "")
def draw_rows(draw):
    """As many as the table was made with."""
    return highest(draw, draw)


@check(
    "The table holds the draws that are asked for",
    "the table has {draw_rows} draws and {draws} are asked for; make the workbook again, or give all scenarios of a table the same (--set)",
    "input",
)
def draws_listed(draw_rows, draws):
    return same(draw_rows, draws)


@quantity("Building is cheaper", "")
def draw_wins(draw_direct_advantage):
    """Advantage above 0."""
    return draw_direct_advantage > 0


@quantity("Share of draws in which building is cheaper", "%")
def build_probability(draw_wins, draw, draws):
    """Probability that building wins (calculators C, i.5)."""
    return count(draw_wins, draw) / draws


@quantity("No draw in which building is cheaper", "")
def build_never_wins(build_probability):
    """1 when there is none."""
    return if_(build_probability > 0, 0, 1)


@quantity("Standard error of that share", "%")
def build_probability_error(build_probability, draws):
    """Of independent draws; these points are more even, so it is conservative (calculators C, i.5)."""
    return sqrt(build_probability * (1 - build_probability) / draws)


@quantity("Mean advantage of building", "$")
def advantage_mean(draw_direct_advantage, draw, draws):
    """Over the draws."""
    return total(draw_direct_advantage, draw) / draws


@quantity("Advantage of building, one in ten is lower", "$")
def advantage_low(draw_direct_advantage, draw, low_percentile):
    """P10 (calculators C, i.5)."""
    return percentile(draw_direct_advantage, draw, low_percentile)


@quantity("Advantage of building, half are lower", "$")
def advantage_middle(draw_direct_advantage, draw, middle_percentile):
    """P50 (calculators C, i.5)."""
    return percentile(draw_direct_advantage, draw, middle_percentile)


@quantity("Advantage of building, nine in ten are lower", "$")
def advantage_high(draw_direct_advantage, draw, high_percentile):
    """P90 (calculators C, i.5)."""
    return percentile(draw_direct_advantage, draw, high_percentile)


@quantity("Advantage of building at this share of draws", "$")
def advantage_at_share(draw_direct_advantage, draw, share_of_draws):
    """The distribution, for the chart."""
    return percentile(draw_direct_advantage, draw, share_of_draws)


# which input drives the spread


@quantity("Mean factor of the input", "")
def factor_mean(draw_factor, draw, draws):
    """Over the draws."""
    return total(draw_factor, draw) / draws


@quantity("Factor and advantage together", "$")
def factor_covariance(draw_factor, factor_mean, draw_direct_advantage, advantage_mean, draw, draws):
    """Covariance over the draws."""
    return total((draw_factor - factor_mean) * (draw_direct_advantage - advantage_mean), draw) / draws


@quantity("Variance of the factor", "")
def factor_variance(draw_factor, factor_mean, draw, draws):
    """Over the draws."""
    return total((draw_factor - factor_mean) ** 2, draw) / draws


@quantity("Standard deviation of the advantage", "$")
def advantage_deviation(draw_direct_advantage, advantage_mean, draw, draws):
    """Over the draws."""
    return sqrt(total((draw_direct_advantage - advantage_mean) ** 2, draw) / draws)


@quantity("Share of the advantage's spread that goes with this input", "%")
def spread_share(factor_covariance, factor_variance, advantage_deviation):
    """Squared correlation; the inputs are independent, so the shares of a linear model add to one."""
    return if_(factor_variance * advantage_deviation > 0, factor_covariance**2 / (factor_variance * advantage_deviation**2), 0)


@quantity("Input that drives the spread", "")
def spread_driver(spread_share, drawn):
    """Largest share."""
    return highest_at(spread_share, drawn)


@quantity("Its share of the spread", "%")
def spread_driver_share(spread_share, drawn):
    """Squared correlation."""
    return highest(spread_share, drawn)
