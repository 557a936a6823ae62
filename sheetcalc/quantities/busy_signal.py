"""Why a scale-out driven by GPU busy time asks too late and for too much. Source: calculators A (e), "too late and in the wrong direction".

An engine that has one sequence to decode is busy all the time, so busy time saturates at a tenth of the load.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, ceil, exp, first, given, ln, when


@quantity("Share of time on prompts at light load", "%")
def light_prompt_share(light_load, prompt_wall_share):
    return light_load * prompt_wall_share


@quantity("Slope of the chain at light load", "")
def light_chain_slope(light_load, replica_token_rate, resident_rise, light_prompt_share):
    return light_load * replica_token_rate * resident_rise / (1 - light_prompt_share)


@check("A replica keeps up at light load", "at {light_load:0} of the load a replica already falls behind", "alert")
def light_steady(light_prompt_share, light_chain_slope):
    return both(light_prompt_share < 1, light_chain_slope < 1)


@quantity("Busy time at light load", "%")
def light_busy(light_steady, light_prompt_share, chain_shape, light_chain_slope):
    return when(light_steady, 1 - (1 - light_prompt_share) * exp(chain_shape * ln(1 - light_chain_slope)))


@quantity("The counter reads the target or more", "")
def reads_target(gpu_busy, busy_target):
    return gpu_busy >= busy_target


@quantity("Rate at which the counter reads the target, near", "req/s")
def settling_rate_near(busy_target, output_tokens, step_floor, prefill_request_time):
    """ln(1 / (1 − target)) / (o α + s r): empty steps only."""
    return ln(1 / (1 - busy_target)) / (output_tokens * step_floor + prefill_request_time)


@quantity("Rate at which the counter reads the target", "req/s")
def settling_rate(counter_reads_target, counter_replica_rate, settling_rate_near):
    """The first row of a table in steps of 0.005 req/s."""
    return given(first(counter_reads_target, counter_replica_rate), settling_rate_near)


@quantity("Replicas that a busy-time scaler asks for", "")
def busy_replicas(request_rate, settling_rate):
    return ceil(request_rate / settling_rate)


@quantity("Replicas that a busy-time scaler asks for, near", "")
def busy_replicas_near(request_rate, settling_rate_near):
    return ceil(request_rate / settling_rate_near)


@quantity("Asked for against what is there", "x")
def busy_excess(busy_replicas, replicas):
    return busy_replicas / replicas


@quantity("Largest growth in one period", "x")
def busy_growth(busy_target):
    """A counter that reads 100% allows 1 / target."""
    return 1 / busy_target


@quantity("Periods until a burst is caught", "")
def busy_periods(burst_factor, busy_growth):
    return ceil(ln(burst_factor) / ln(busy_growth))


@quantity("Time until a burst is caught", "s")
def busy_catch_time(busy_periods, scale_delay):
    return busy_periods * scale_delay
