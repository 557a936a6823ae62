"""The API side: what a million output tokens costs with its prompt, and the bill of each month."""

from sheetcalc.model import quantity
from sheetcalc.operations import if_, most, total


@quantity("API price per million output tokens, prompt, cache and batch counted", "$/M tok")
def api_unit_price(
    batch_share, api_output_price, prompt_ratio, api_cached_share, api_input_price, api_cached_input_price, api_batch_discount
):
    """Live share with its cached prompt, batch share at its discount and without cache (calculators C, i.2)."""
    return (1 - batch_share) * (
        api_output_price + prompt_ratio * ((1 - api_cached_share) * api_input_price + api_cached_share * api_cached_input_price)
    ) + batch_share * (1 - api_batch_discount) * (api_output_price + prompt_ratio * api_input_price)


@quantity("API price against today's", "%")
def api_price_path(api_price_decline, month, annual_steps):
    """List prices fall by a fixed share a year, month by month (calculators C, i.2)."""
    return (1 - api_price_decline) ** ((month - 1) / annual_steps)


@quantity("API usage at list price", "$/month")
def api_list_bill(daily_volume, days_per_month, api_unit_price, api_price_path):
    """Tokens of the month at the price of the month."""
    return daily_volume * days_per_month * api_unit_price * api_price_path


@quantity("Discount for the commitment, where there is one", "%")
def api_discount_used(api_commit, api_commit_discount):
    """No commitment, no discount (calculators C, i.2)."""
    return if_(api_commit > 0, api_commit_discount, 0)


@quantity("API bill", "$/month")
def api_bill(in_horizon, api_list_bill, api_commit, api_discount_used, api_fixed):
    """Usage, at least the commitment, less its discount, plus what runs beside the API (calculators C, i.2)."""
    return in_horizon * (most(api_list_bill, api_commit) * (1 - api_discount_used) + api_fixed)


@quantity("Present value of the API", "$")
def npv_api(api_bill, month_discount, month, one_month):
    """Month-end bills over their discount factors (calculators C, i.2)."""
    return total(api_bill / month_discount, month) * one_month


@quantity("API over the horizon, not discounted", "$")
def api_total(api_bill, month, one_month):
    """Sum of the monthly bills."""
    return total(api_bill, month) * one_month
