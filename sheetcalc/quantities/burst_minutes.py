"""A burst second by second: load, what serves it, and who absorbs the gap. Source: calculators A (e), the chart."""

from sheetcalc.model import quantity
from sheetcalc.operations import both, if_, least, most


@quantity("The burst is on", "")
def burst_on(second, burst_start, burst_length):
    return both(second >= burst_start, second < burst_start + burst_length)


@quantity("Requests that arrive", "req/s")
def arriving_rate(burst_on, burst_rate, request_rate):
    return if_(burst_on, burst_rate, request_rate)


@quantity("Requests that the fleet serves", "req/s")
def serving_rate(second, burst_start, scale_delay, fleet_rate, burst_excess):
    """New replicas for the whole excess are assumed delivered once they have loaded."""
    return fleet_rate + if_(second >= burst_start + scale_delay, burst_excess, 0)


@quantity("Gap", "req/s")
def gap_rate(arriving_rate, serving_rate):
    return most(0, arriving_rate - serving_rate)


@quantity("Gap that stopped batch work takes", "req/s")
def gap_batch(gap_rate, batch_rate):
    return least(gap_rate, batch_rate)


@quantity("Gap that the API takes", "req/s")
def gap_overflow(gap_rate, gap_batch, overflow_limit):
    return least(gap_rate - gap_batch, overflow_limit)


@quantity("Gap that is turned away", "req/s")
def gap_shed(gap_rate, gap_batch, gap_overflow):
    return gap_rate - gap_batch - gap_overflow
