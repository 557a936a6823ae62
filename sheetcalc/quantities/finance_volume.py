"""The months of a finance plan: which count, and how many tokens each carries."""

from sheetcalc.model import quantity
from sheetcalc.operations import if_


@quantity("Month lies within the horizon", "")
def in_horizon(month, horizon):
    """1 up to the horizon, then 0; a flag that multiplies what the month costs."""
    return if_(month <= horizon, 1, 0)


@quantity("Own nodes serve in this month", "")
def in_build(month, build_lead, in_horizon):
    """1 from the month after the lead time: nodes must be ordered, racked and tested first."""
    return if_(month > build_lead, in_horizon, 0)


@quantity("API is still paid beside the own nodes", "")
def in_bridge(month, build_lead, build_overlap, in_horizon):
    """1 in the lead time and in the overlap behind it, when both are paid."""
    return if_(month <= build_lead + build_overlap, in_horizon, 0)


@quantity("Output tokens per day", "Mtok/day")
def daily_volume(start_volume, growth, month):
    """Volume at the start, grown by a fixed share each month (calculators C, i.2)."""
    return start_volume * (1 + growth) ** (month - 1)


@quantity("Output tokens of the month", "Mtok")
def month_volume(in_horizon, daily_volume, days_per_month, one_month):
    """Days of a month times the daily volume."""
    return in_horizon * daily_volume * days_per_month * one_month


@quantity("Discount factor at the end of the month", "")
def month_discount(discount_rate, month, annual_steps):
    """(1 + yearly rate) to the power of the months over twelve: what a dollar of that month is divided by."""
    return (1 + discount_rate) ** (month / annual_steps)
