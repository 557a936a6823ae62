"""What the same tokens cost through an API, and the volume at which the bills meet."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, given, known, most, same, when


@quantity("API price row of the model", "")
def api_row_catalogue(model_api_row, model_name, model):
    """The first row of the price list that serves the model; empty where none does."""
    return at(model_api_row, model_name, model)


@quantity("API price, input", "$/M tok")
def api_input_price_catalogue(price_input, price_name, api_price_row):
    """Published list price."""
    return at(price_input, price_name, api_price_row)


@quantity("API price, cached input", "$/M tok")
def api_cached_input_price_catalogue(price_cached_input, price_name, api_price_row, api_input_price):
    """Published price of cached input; the input price where none is published."""
    return given(at(price_cached_input, price_name, api_price_row), api_input_price)


@quantity("API price, output", "$/M tok")
def api_output_price_catalogue(price_output, price_name, api_price_row):
    """Published list price."""
    return at(price_output, price_name, api_price_row)


@check("The API has prices", "the API row has no price for input or output; choose another api_price_row, or type the prices", "alert")
def api_priced(api_input_price, api_output_price):
    return known(api_input_price + api_output_price)


@quantity("Class of the model", "")
def model_class_here(model_class, model_name, model):
    """Which open model it may be compared with."""
    return at(model_class, model_name, model)


@quantity("Class of the API row", "")
def price_class_here(price_class, price_name, api_price_row):
    """Which open model the row serves, or is comparable with; empty where none."""
    return at(price_class, price_name, api_price_row)


@check(
    "The API row serves this model",
    "the API price row is for another model than the plan's: choose the row that you would buy, or mind the difference",
    "alert",
)
def api_comparable(price_class_here, model_class_here):
    return same(price_class_here, model_class_here)


@quantity("API price of prompt tokens, caching counted", "$/M tok")
def api_prompt_price(api_cached_share, api_input_price, api_cached_input_price):
    """Input and cached input, by their shares; prompt tokens are priced on both sides (decision 20)."""
    return (1 - api_cached_share) * api_input_price + api_cached_share * api_cached_input_price


@quantity("API price of an output token with its prompt", "$/M tok")
def api_price_per_output(api_priced, api_output_price, prompt_tokens, output_tokens, api_prompt_price):
    """Output price and the price of the prompt tokens that come with each output token."""
    return when(api_priced, api_output_price + prompt_tokens / output_tokens * api_prompt_price)


@quantity("API bill per month", "$/month")
def api_cost_per_month(output_tokens_per_day, days_per_month, api_price_per_output):
    """A month's output tokens at the price of an output token with its prompt."""
    return output_tokens_per_day * days_per_month * api_price_per_output


# where the bills meet, in whole replicas


@quantity("Output tokens per day that a replica carries", "Mtok/day")
def volume_per_replica(output_tokens_per_day, replicas_exact):
    """The volume of this load over its replicas before rounding."""
    return output_tokens_per_day / replicas_exact


@quantity("API bill per month for the volume of one replica", "$/month")
def api_cost_per_replica(volume_per_replica, days_per_month, api_price_per_output):
    """What a full replica saves at the API."""
    return volume_per_replica * days_per_month * api_price_per_output


@check(
    "A full replica costs less than the API",
    "a replica costs {replica_cost_per_month} and saves {api_cost_per_replica} at the API when full: "
    "no volume makes self-hosting cheaper for good",
    "sensitivity",
)
def breakeven_exists(api_cost_per_replica, replica_cost_per_month):
    return api_cost_per_replica > replica_cost_per_month


@quantity("Replicas from which the bills stay crossed", "")
def lasting_replicas(breakeven_exists, replica_cost_per_month, failure_reserve, fixed_cost_per_month, api_cost_per_replica, min_replicas):
    """From here on a further whole replica never turns the answer back: N·a ≥ F + c·(N + 1 + spare); and no fewer than the least fleet."""
    return when(
        breakeven_exists,
        most(
            min_replicas - failure_reserve,
            1,
            ceil((fixed_cost_per_month + replica_cost_per_month * (1 + failure_reserve)) / (api_cost_per_replica - replica_cost_per_month)),
        ),
    )


@quantity("Bill of that fleet per month", "$/month")
def lasting_fleet_cost(fixed_cost_per_month, replica_cost_per_month, lasting_replicas, failure_reserve):
    """Fixed cost and whole replicas, the spare ones included."""
    return fixed_cost_per_month + replica_cost_per_month * (lasting_replicas + failure_reserve)


@quantity("Lasting break-even by monthly bills", "Mtok/day")
def breakeven_volume(lasting_fleet_cost, api_price_per_output, days_per_month, lasting_replicas, volume_per_replica):
    """Output volume from which self-hosting stays cheaper: where the API line meets that fleet's bill, or where that fleet starts."""
    return most(lasting_fleet_cost / (api_price_per_output * days_per_month), (lasting_replicas - 1) * volume_per_replica)
