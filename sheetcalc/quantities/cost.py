"""What the fleet costs, at its rated load and as it is used."""

from sheetcalc.model import quantity


@quantity("Cost per hour", "$/h")
def cost_per_hour(gpus, gpu_hour_price):
    """GPUs times their price."""
    return gpus * gpu_hour_price


@quantity("Self-hosting per month, GPUs", "$/month")
def fleet_cost_per_month(cost_per_hour, hours_per_month):
    """The fleet runs every hour of the month."""
    return cost_per_hour * hours_per_month


@quantity("Output tokens per hour at the rated load", "Mtok/h")
def output_per_hour(output_load, seconds_per_hour):
    """The peak, held for an hour."""
    return output_load * seconds_per_hour


@quantity("All tokens per hour at the rated load", "Mtok/h")
def tokens_per_hour(prompt_load, output_load, seconds_per_hour):
    """Prompt and output tokens at the peak, held for an hour."""
    return (prompt_load + output_load) * seconds_per_hour


@quantity("Cost per million output tokens at the rated load", "$/M tok")
def cost_per_million_output(cost_per_hour, output_per_hour):
    """At the peak; what is used costs more (see the used figure)."""
    return cost_per_hour / output_per_hour


@quantity("Cost per million tokens, prompt included, at the rated load", "$/M tok")
def cost_per_million_total(cost_per_hour, tokens_per_hour):
    """At the peak, over prompt and output tokens: 7.7 times less than per output token in file 000; never mix the two."""
    return cost_per_hour / tokens_per_hour


@quantity("Cost per day", "$/day")
def cost_per_day(cost_per_hour, hours_per_day):
    """The fleet runs all day."""
    return cost_per_hour * hours_per_day


@quantity("GPU cost per million output tokens as used", "$/M tok")
def cost_per_million_output_used(cost_per_day, output_tokens_per_day):
    """A day's cost over a day's output tokens (decision 12)."""
    return cost_per_day / output_tokens_per_day


@quantity("GPU cost per million tokens as used, prompt included", "$/M tok")
def cost_per_million_total_used(cost_per_day, prompt_tokens_per_day, output_tokens_per_day):
    """A day's cost over a day's tokens (decision 12)."""
    return cost_per_day / (prompt_tokens_per_day + output_tokens_per_day)


@quantity("Cost of a replica per month", "$/month")
def replica_cost_per_month(gpus_per_replica, gpu_hour_price, hours_per_month):
    """Its GPUs, every hour of the month."""
    return gpus_per_replica * gpu_hour_price * hours_per_month
