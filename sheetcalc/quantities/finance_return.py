"""Internal rate of return of building against the API, by a table of rates and a second one within the step that holds it."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, before, both, count, highest, highest_so_far, if_, most, same, total, when


@quantity("Rate of the row, a year", "%")
def trial_rate(rate_from, rate_to, rate_step, rate_steps):
    """Even steps."""
    return rate_from + (rate_to - rate_from) * rate_step / rate_steps


@quantity("Savings at that rate less the outlay", "M$")
def saving_at_rate(build_saving, trial_rate, month, annual_steps, one_month, first_outlay):
    """Present value of building against the API."""
    return total(build_saving / (1 + trial_rate) ** (month / annual_steps), month) * one_month - first_outlay


@quantity("Savings at the lowest rate", "$")
def saving_first(saving_at_rate, rate_step):
    """Nothing can pass before the first row."""
    return at(saving_at_rate, rate_step, 0)


@quantity("Savings at the rate of the row above", "$")
def saving_before(saving_at_rate, rate_step, saving_first):
    """The first row stands for itself."""
    return before(saving_at_rate, rate_step, saving_first)


@quantity("It passes zero here", "")
def rate_passes(saving_at_rate, saving_before):
    """1 where its sign differs from the row above."""
    return if_(same(if_(saving_at_rate > 0, 1, 0), if_(saving_before > 0, 1, 0)), 0, 1)


@quantity("How often it passes zero", "")
def rate_passings(rate_passes, rate_step):
    """A rate of return is a figure to quote only where it is one."""
    return total(rate_passes, rate_step)


@check(
    "There is one rate of return",
    "building has no single rate of return against the API from {rate_from} to {rate_to} a year: its savings are worth the outlay at "
    "{rate_passings} rates there, and the cash changes sign {cash_turns} times",
    "sensitivity",
)
def rate_exists(rate_passings, saving_first, rate_from, rate_to, cash_turns):
    return same(rate_passings * if_(saving_first > 0, 1, 0), 1)


# how often the cash changes sign: only with one change is a rate of return certain to be the only one


@quantity("Number of the month, where anything is saved or lost", "")
def cash_month(build_saving, month):
    """0 in months without a difference."""
    return month * if_(build_saving * build_saving > 0, 1, 0)


@quantity("Last such month so far", "")
def cash_month_so_far(cash_month, month):
    """0 before the first."""
    return highest_so_far(cash_month, month)


@quantity("The one before", "")
def cash_month_before(cash_month_so_far, month):
    """0 is the outlay before the first month."""
    return before(cash_month_so_far, month, 0)


@quantity("What was saved then", "$/month")
def cash_before(build_saving, month, cash_month_before, first_outlay, one_month):
    """The outlay is a loss."""
    return if_(cash_month_before > 0, at(build_saving, month, most(1, cash_month_before)), 0 - first_outlay / one_month)


@quantity("The cash changes sign here", "")
def cash_turn(cash_before, build_saving):
    """From loss to saving, or back."""
    return cash_before * build_saving < 0


@quantity("Changes of sign of the cash, outlay and monthly savings", "")
def cash_turns(cash_turn, month):
    """One is an outlay that is earned back; with more, other rates of return may exist (Descartes' rule of signs)."""
    return count(cash_turn, month)


@quantity("The cash changes sign more than once", "")
def cash_turns_often(cash_turns):
    """1 when it does."""
    return if_(cash_turns > 1, 1, 0)


@quantity("There are several rates of return", "")
def rates_several(rate_passings):
    """1 when the savings are worth the outlay at more than one rate of the table."""
    return if_(rate_passings > 1, 1, 0)


@quantity("Building saves at every rate of the table", "")
def rates_all_pay(rate_passings, saving_first):
    """1 when no rate is high enough to make it lose."""
    return if_(both(same(rate_passings, 0), saving_first > 0), 1, 0)


@quantity("Building loses at every rate of the table", "")
def rates_none_pay(rate_passings, saving_first):
    """1 when no rate is low enough to make it pay."""
    return if_(both(same(rate_passings, 0), saving_first <= 0), 1, 0)


@quantity("Number of the row, where it passes zero", "")
def rate_row(rate_step, rate_passes):
    """0 elsewhere."""
    return rate_step * rate_passes


@quantity("Row in which it passes zero", "")
def passing_row(rate_row, rate_step):
    """The last one; the first step where there is none."""
    return most(1, highest(rate_row, rate_step))


@quantity("Lower end of that step", "%")
def bracket_from(trial_rate, rate_step, passing_row):
    """Rate of the row above."""
    return at(trial_rate, rate_step, passing_row - 1)


@quantity("Upper end of that step", "%")
def bracket_to(trial_rate, rate_step, passing_row):
    """Rate of the row."""
    return at(trial_rate, rate_step, passing_row)


@quantity("Rate of return where the line between two rows meets zero", "%")
def rate_between(trial_rate, saving_at_rate, saving_before, rate_from, rate_to, rate_steps, rate_passes):
    """0 in rows where it does not."""
    return if_(rate_passes > 0, trial_rate - (rate_to - rate_from) / rate_steps * saving_at_rate / (saving_at_rate - saving_before), 0)


@quantity("Internal rate of return of building, a year", "%")
def build_irr(rate_exists, fine_rate_between, fine_rate_step):
    """Against the API, from the outlay and the monthly savings."""
    return when(rate_exists, total(fine_rate_between, fine_rate_step))
