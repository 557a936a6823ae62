"""Who absorbs a burst that no scale-out can: headroom, queue, batch work, an API; the rest is shed. Source: calculators A (e)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, least, most, when


@quantity("Requests the fleet can serve in a burst", "req/s")
def fleet_rate(fleet_holds, replicas, burst_utilization, replica_seconds_per_request):
    return when(fleet_holds, replicas * burst_utilization / replica_seconds_per_request)


@quantity("Requests in the burst", "req/s")
def burst_rate(request_rate, burst_factor):
    return request_rate * burst_factor


@quantity("Largest burst without excess", "x")
def covered_factor(fleet_rate, request_rate):
    return fleet_rate / request_rate


@quantity("Requests above what the fleet serves", "req/s")
def burst_excess(burst_rate, fleet_rate):
    return most(0, burst_rate - fleet_rate)


@quantity("Time until help arrives", "s")
def burst_exposure(burst_length, scale_delay):
    """The burst's length or the time until new replicas serve; after it they are assumed delivered."""
    return least(burst_length, scale_delay)


@quantity("Requests above what the fleet serves, in all", "")
def excess_requests(burst_excess, burst_exposure):
    return burst_excess * burst_exposure


@quantity("Rate that headroom absorbs", "req/s")
def headroom_rate(burst_rate, fleet_rate, request_rate):
    return least(burst_rate, fleet_rate) - request_rate


@quantity("Requests that headroom absorbs", "")
def headroom_requests(headroom_rate, burst_exposure):
    return headroom_rate * burst_exposure


@check(
    "The target leaves time to queue in a burst",
    "the TTFT target {ttft_target} is below the prefill time {ttft_compute}: a queue absorbs nothing",
    kind="alert",
)
def queue_has_time(ttft_target, ttft_compute):
    return ttft_target > ttft_compute


@quantity("Requests that the queue holds within the TTFT target", "")
def queue_stock(fleet_rate, ttft_target, ttft_compute):
    return fleet_rate * most(0, ttft_target - ttft_compute)


@quantity("Requests that the queue absorbs", "")
def queue_requests(excess_requests, queue_stock):
    return least(excess_requests, queue_stock)


@quantity("Rate that stopped batch work frees", "req/s")
def batch_rate(batch_replicas, burst_utilization, replica_seconds_per_request):
    """The batch pool holds the same model already, else it loads as slowly as any new replica."""
    return batch_replicas * burst_utilization / replica_seconds_per_request


@quantity("Requests that stopped batch work absorbs", "")
def batch_requests(excess_requests, queue_requests, batch_rate, burst_exposure):
    return least(excess_requests - queue_requests, batch_rate * burst_exposure)


@quantity("Requests that overflow to the API", "")
def overflow_requests(excess_requests, queue_requests, batch_requests, overflow_limit, burst_exposure):
    return least(excess_requests - queue_requests - batch_requests, overflow_limit * burst_exposure)


@quantity("Requests turned away", "")
def shed_requests(excess_requests, queue_requests, batch_requests, overflow_requests):
    return excess_requests - queue_requests - batch_requests - overflow_requests


@quantity("Share of the burst turned away", "%")
def shed_share(shed_requests, burst_rate, burst_exposure):
    return shed_requests / (burst_rate * burst_exposure)


@check("The burst exceeds the fleet", "the burst stays inside the fleet: nothing is in excess", kind="sensitivity")
def burst_exceeds(burst_excess):
    return burst_excess > 0


@quantity("Seconds of excess that the queue covers", "s")
def queue_seconds(burst_exceeds, queue_requests, burst_excess):
    return when(burst_exceeds, queue_requests / burst_excess)


@quantity("Seconds of excess that are turned away", "s")
def shed_seconds(burst_exceeds, shed_requests, burst_excess):
    return when(burst_exceeds, shed_requests / burst_excess)


@quantity("API bill of a burst", "$")
def overflow_cost(overflow_requests, overflow_price):
    return overflow_requests * overflow_price


@quantity("Cost of the requests turned away", "$")
def shed_cost(shed_requests, shed_price):
    return shed_requests * shed_price


@quantity("Cost of a burst", "$")
def burst_cost(overflow_cost, shed_cost):
    return overflow_cost + shed_cost


@quantity("Cost of the bursts", "$/month")
def burst_cost_per_month(burst_cost, bursts_per_month):
    return burst_cost * bursts_per_month


@quantity("More replicas to cover the burst in full", "")
def cover_replicas(request_rate, burst_factor, replica_seconds_per_request, burst_utilization, replicas):
    return most(0, ceil(request_rate * burst_factor * replica_seconds_per_request / burst_utilization) - replicas)


@quantity("Cost of covering the burst in full", "$/month")
def cover_cost_per_month(cover_replicas, replica_cost_per_month):
    return cover_replicas * replica_cost_per_month


@check(
    "A burst costs something",
    "the burst stays inside the fleet and costs nothing: there is no break-even with spare replicas",
    kind="sensitivity",
)
def burst_costs(burst_cost):
    return burst_cost > 0


@quantity("Bursts that full cover would pay for", "bursts/month")
def breakeven_bursts(burst_costs, cover_cost_per_month, burst_cost):
    return when(burst_costs, cover_cost_per_month / burst_cost)


@quantity("Letting the bursts overflow is cheaper than covering them", "")
def overflow_beats_cover(burst_cost_per_month, cover_cost_per_month):
    return burst_cost_per_month < cover_cost_per_month
