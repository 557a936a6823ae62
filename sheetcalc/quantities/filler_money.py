"""Batch in idle hours in dollars, against releasing the hours. Source: calculators C, section c."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import highest_at, most


@quantity("Batch price at which a replica earns its cost", "$/M tok")
def breakeven_batch_price(gpus_per_replica, gpu_hour_price, filler_rate, seconds_per_hour):
    """Below it an on-demand replica is better released."""
    return gpus_per_replica * gpu_hour_price / (filler_rate * seconds_per_hour)


@quantity("Batch revenue", "$/day")
def filler_revenue(filler_served, batch_price):
    """Served tokens times price."""
    return filler_served * batch_price


@quantity("Saved by releasing all hours", "$/day")
def release_saving(released_hours, gpus_per_replica, gpu_hour_price):
    """If the GPUs are paid by the hour: the alternative, never added to the revenue."""
    return released_hours * gpus_per_replica * gpu_hour_price


@check("Batch beats releasing", "releasing the hours saves {release_saving}, more than batch earns ({filler_revenue})", "alert")
def filler_pays(filler_revenue, release_saving):
    return filler_revenue >= release_saving


@quantity("The better of the two", "$/day")
def idle_value(filler_revenue, release_saving):
    """One or the other."""
    return most(filler_revenue, release_saving)


@quantity("Fleet, around the clock", "$/day")
def chat_fleet_day(carrying_replicas, gpus_per_replica, gpu_hour_price, hours_per_day):
    """What the chat fleet costs anyway."""
    return carrying_replicas * gpus_per_replica * gpu_hour_price * hours_per_day


@quantity("Chat output", "Mtok/day")
def chat_day_output(output_load, curve_mean, seconds_per_hour, hours_per_day):
    """Peak rate times the mean of the curve."""
    return output_load * curve_mean * seconds_per_hour * hours_per_day


@quantity("Cost of output, chat alone", "$/M tok")
def chat_only_cost(chat_fleet_day, chat_day_output):
    """All cost on the chat tokens."""
    return chat_fleet_day / chat_day_output


@quantity("Cost of output, chat and batch", "$/M tok")
def blended_cost(chat_fleet_day, chat_day_output, filler_served):
    """The same cost on more tokens."""
    return chat_fleet_day / (chat_day_output + filler_served)


@quantity("Quietest hour", "")
def quietest_hour(released_replicas, hour):
    """Where most replicas are released, the first of equals."""
    return highest_at(released_replicas, hour)
