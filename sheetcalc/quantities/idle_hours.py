"""What a chat fleet leaves over through the day, and when it may be given away. Source: calculators C, section c."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, highest, if_, least, most, total


@quantity("Mean of the curve", "%")
def curve_mean(peak_share, hour, hours_in_curve):
    """Mean load over peak load."""
    return total(peak_share, hour) / hours_in_curve


@quantity("Last hour", "")
def last_hour(hour):
    """Of the curve."""
    return highest(hour, hour)


@quantity("Next hour", "")
def next_hour(hour, last_hour):
    """The day closes on itself."""
    return if_(hour >= last_hour, 0, hour + 1)


@quantity("Hour before", "")
def previous_hour(hour, last_hour):
    """The day closes on itself."""
    return if_(hour < 1, last_hour, hour - 1)


@quantity("Replicas that chat needs", "")
def hour_need(total_demand, peak_share, utilization_cap):
    """Not rounded."""
    return total_demand * peak_share / utilization_cap


@quantity("Replicas that chat needs in the next hour", "")
def coming_need(hour_need, hour, next_hour):
    """So that a replica is back in time."""
    return at(hour_need, hour, next_hour)


@quantity("Replicas that chat keeps", "")
def kept_replicas(carrying_replicas, kept_floor, hour_need, coming_need, burst_margin):
    """For this hour and the next, with a margin for bursts; never fewer than the floor."""
    return least(carrying_replicas, most(kept_floor, ceil(most(hour_need, coming_need) * (1 + burst_margin))))


@quantity("Replicas released", "")
def released_replicas(carrying_replicas, kept_replicas):
    """What batch may have."""
    return carrying_replicas - kept_replicas


@quantity("Replicas released in the hour before", "")
def released_before(released_replicas, hour, previous_hour):
    """The day closes on itself."""
    return at(released_replicas, hour, previous_hour)


@quantity("Replicas newly released", "")
def newly_released(released_replicas, released_before):
    """Each of them loads the batch model once."""
    return most(0, released_replicas - released_before)


@quantity("Share of the fleet that is not needed", "%")
def unneeded_share(curve_mean, total_demand, utilization_cap, carrying_replicas):
    """Over the day, at the cap."""
    return 1 - curve_mean * total_demand / utilization_cap / carrying_replicas


@quantity("Share of the fleet that does nothing", "%")
def physical_idle(total_demand, curve_mean, carrying_replicas):
    """Over the day, work against replicas."""
    return 1 - total_demand * curve_mean / carrying_replicas


@quantity("Idle replica-hours", "h/day")
def idle_replica_hours(unneeded_share, carrying_replicas, hours_in_curve, curve_step, curve_days):
    """Replica-hours a day that nobody needs."""
    return unneeded_share * carrying_replicas * hours_in_curve * curve_step / curve_days


@quantity("Released replica-hours", "h/day")
def released_hours(released_replicas, hour, curve_step, curve_days):
    """Whole replicas for whole hours."""
    return total(released_replicas, hour) * curve_step / curve_days


@quantity("Switches to batch", "1/day")
def switches(newly_released, hour, curve_days):
    """How often a replica changes over."""
    return total(newly_released, hour) / curve_days


@quantity("Replica-hours for batch", "h/day")
def batch_hours(released_hours, switches, switch_time):
    """Less the time to change over."""
    return most(0, released_hours - switches * switch_time)


@check("Chat leaves something over", "chat leaves no replica over at any hour: batch needs hardware of its own", "alert")
def something_is_left(batch_hours):
    return batch_hours > 0
