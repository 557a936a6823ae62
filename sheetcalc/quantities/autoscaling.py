"""How much headroom a slow scale-out needs, and what it costs. Source: calculators A (e)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, exp


@quantity("Time until a new replica serves", "s")
def scale_delay(detect_time, load_time):
    return detect_time + load_time


@quantity("Headroom for the ramp", "%")
def ramp_headroom(ramp, scale_delay, seconds_per_minute):
    """Growth while the new replica loads, linear."""
    return ramp * scale_delay / seconds_per_minute


@quantity("Headroom for the ramp, compounding", "%")
def ramp_headroom_compounding(ramp_headroom):
    return exp(ramp_headroom) - 1


@quantity("Utilization at which to scale out", "%")
def scale_trigger(utilization_cap, ramp_headroom):
    """The cap is reached when the replica asked for here starts to serve."""
    return utilization_cap / (1 + ramp_headroom)


@quantity("Work that arrives", "replica·s/s")
def arriving_work(request_rate, replica_seconds_per_request):
    return request_rate * replica_seconds_per_request


@check(
    "The fleet holds today's load under its cap",
    "already overloaded: {arriving_work:2} of work arrive and {replicas} replicas under the cap do {capped_work:2}",
)
def fleet_holds(arriving_work, capped_work):
    return arriving_work <= capped_work


@quantity("Work that the fleet does under its cap", "replica·s/s")
def capped_work(replicas, utilization_cap):
    return replicas * utilization_cap


@quantity("Replicas without headroom", "")
def lean_replicas(arriving_work, utilization_cap):
    return ceil(arriving_work / utilization_cap)


@quantity("Replicas with headroom", "")
def ready_replicas(arriving_work, ramp_headroom, utilization_cap):
    return ceil(arriving_work * (1 + ramp_headroom) / utilization_cap)


@quantity("Replicas kept for the ramp", "")
def ramp_replicas(ready_replicas, lean_replicas):
    return ready_replicas - lean_replicas


@quantity("Cost of the replicas kept for the ramp", "$/month")
def ramp_cost_per_month(ramp_replicas, replica_cost_per_month):
    return ramp_replicas * replica_cost_per_month


@quantity("What a minute less of load time is worth", "$/month/min")
def load_minute_value(request_rate, ramp, replica_seconds_per_request, utilization_cap, replica_cost_per_month):
    """λ · ramp · w / cap replicas a minute, at the price of a replica."""
    return request_rate * ramp * replica_seconds_per_request / utilization_cap * replica_cost_per_month


@quantity("What faster loading is worth", "$/month")
def faster_loading_value(load_minute_value, minutes_saved):
    return load_minute_value * minutes_saved


@quantity("Replicas that the cap leaves idle", "")
def idle_replicas(replicas, arriving_work):
    return replicas - arriving_work


@quantity("Cost of what the cap leaves idle", "$/month")
def idle_cost_per_month(idle_replicas, replica_cost_per_month):
    return idle_replicas * replica_cost_per_month


@quantity("Replicas to ask for", "")
def wanted_replicas(arriving_work, backlog_work, drain_time, utilization_cap):
    """The signal to use: arriving work plus the queue's work over the time in which it should be gone."""
    return ceil((arriving_work + backlog_work / drain_time) / utilization_cap)
