"""How far one replica may be loaded before the slow tail of its queue misses the TTFT target.

Waits follow Pollaczek and Khinchine's mean; the tail is taken as exponential with that mean (exact for exponential work, the heavy-traffic
limit otherwise). Source: calculators A (d).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import exp, if_, least, ln, most, when


@quantity("Share of requests that may be later", "%")
def late_share(ttft_percentile):
    """0.01 for a p99 target."""
    return 1 - ttft_percentile


@quantity("Variability of arrivals and prompts", "")
def queue_spread(arrival_cv, prompt_cv):
    """C²a + C²s: squared coefficients of variation, 1 + 0 for random arrivals of equal prompts."""
    return arrival_cv * arrival_cv + prompt_cv * prompt_cv


@check("The target leaves time to wait", "the TTFT target {ttft_target} is below the prefill time {ttft_compute}: no load meets it")
def target_above_prefill(ttft_target, ttft_compute):
    return ttft_target > ttft_compute


@quantity("Waiting room in the target", "")
def queue_slack(target_above_prefill, ttft_target, ttft_compute, queue_spread):
    """K = 2 (T − S) / (S (C²a + C²s)): the wait that the target allows, in mean waits of a busy replica."""
    return when(target_above_prefill, 2 * (ttft_target - ttft_compute) / (ttft_compute * queue_spread))


@quantity("Logarithm of the ceiling's equation", "")
def ceiling_log(late_share, queue_slack):
    """The ceiling ρ solves K (1 − ρ) = ln(ρ / q), that is w e^w = q K e^K with w = ρ K; this is the logarithm of the right side."""
    return ln(late_share * queue_slack) + queue_slack


def _first_guess(log):
    """Where to start for w with w + ln w = log, without overflow at either end."""
    return if_(log > 1, log - ln(most(log, 1)), exp(least(log, 1)) / (1 + exp(least(log, 1))))


def _newton(log, guess):
    """One step of Newton's method on w + ln w = log."""
    return guess * (1 + log - ln(guess)) / (1 + guess)


@quantity("Ceiling, first guess", "")
def ceiling_guess(ceiling_log):
    return _first_guess(ceiling_log)


@quantity("Ceiling, Newton step 1", "")
def ceiling_step_one(ceiling_log, ceiling_guess):
    return _newton(ceiling_log, ceiling_guess)


@quantity("Ceiling, Newton step 2", "")
def ceiling_step_two(ceiling_log, ceiling_step_one):
    return _newton(ceiling_log, ceiling_step_one)


@quantity("Ceiling, Newton step 3", "")
def ceiling_step_three(ceiling_log, ceiling_step_two):
    return _newton(ceiling_log, ceiling_step_two)


@quantity("Ceiling, Newton step 4", "")
def ceiling_step_four(ceiling_log, ceiling_step_three):
    return _newton(ceiling_log, ceiling_step_three)


@quantity("Ceiling, Newton step 5", "")
def ceiling_step_five(ceiling_log, ceiling_step_four):
    return _newton(ceiling_log, ceiling_step_four)


@quantity("Highest utilization that meets the TTFT target", "%")
def queue_ceiling(late_share, ceiling_step_five, queue_slack):
    """W₀(q K e^K) / K, Lambert's function by five Newton steps (error below 1e-9 for K from 0.05 to 700). Calculators A (d)."""
    return most(late_share, ceiling_step_five / queue_slack)


@quantity("Cautious ceiling", "%")
def cautious_ceiling(late_share, queue_slack):
    """A lower bound that needs no iteration: 1 − ln(1/q) / K."""
    return most(0, 1 - ln(1 / late_share) / queue_slack)


@quantity("Ceiling if prompt work were exponential, service included", "%")
def exponential_ceiling(late_share, ttft_compute, ttft_target):
    """M/M/1, exact for the time in the system: 1 − ln(1/q) S / T."""
    return most(0, 1 - ln(1 / late_share) * ttft_compute / ttft_target)


@check(
    "The cap is below the queue ceiling",
    "a utilization cap of {utilization_cap} is above the queue ceiling {queue_ceiling}: the TTFT target will be missed at the peak",
    kind="alert",
)
def cap_below_ceiling(utilization_cap, queue_ceiling):
    return utilization_cap <= queue_ceiling


@quantity("Rate a replica may take at the ceiling", "req/s")
def ceiling_rate(queue_ceiling, ttft_compute):
    return queue_ceiling / ttft_compute


@quantity("Mean wait at the cap", "ms")
def wait_mean(utilization_cap, ttft_compute, queue_spread):
    """ρ S (C²a + C²s) / (2 (1 − ρ)): Pollaczek and Khinchine for random arrivals, Kingman otherwise."""
    return utilization_cap * ttft_compute * queue_spread / (2 * (1 - utilization_cap))


@quantity("Wait at the percentile, at the cap", "ms")
def wait_high(utilization_cap, ttft_compute, queue_spread, late_share):
    """τ ln(ρ / q) with τ = S (C²a + C²s) / (2 (1 − ρ)); none when fewer requests wait than may be late."""
    return ttft_compute * queue_spread / (2 * (1 - utilization_cap)) * ln(most(utilization_cap, late_share) / late_share)


@quantity("TTFT at the percentile, at the cap", "ms")
def ttft_high(ttft_compute, wait_high):
    return ttft_compute + wait_high


@check(
    "More requests wait than may be late",
    "at a load of {utilization_cap} no more requests wait than may be late: any spread and any target above the prefill time will do",
    kind="alert",
)
def waiting_matters(utilization_cap, late_share):
    return utilization_cap > late_share


@quantity("Spread of prompt length that the cap allows, squared", "")
def allowed_spread(waiting_matters, ttft_target, ttft_compute, utilization_cap, late_share, arrival_cv):
    """C²s = 2 (T − S)(1 − ρ) / (S ln(ρ / q)) − C²a; below 0 even equal prompts miss the target."""
    return when(
        waiting_matters,
        2 * (ttft_target - ttft_compute) * (1 - utilization_cap) / (ttft_compute * ln(utilization_cap / late_share))
        - arrival_cv * arrival_cv,
    )


@quantity("Target that the cap needs, in prefill times", "")
def needed_target_ratio(waiting_matters, queue_spread, utilization_cap, late_share):
    """T / S = 1 + (C²a + C²s) ln(ρ / q) / (2 (1 − ρ))."""
    return when(waiting_matters, 1 + queue_spread * ln(utilization_cap / late_share) / (2 * (1 - utilization_cap)))


@quantity("Target, in prefill times", "")
def target_ratio(ttft_target, ttft_compute):
    return ttft_target / ttft_compute


@quantity("Equal prompts meet the target at the cap", "")
def equal_prompts_meet(allowed_spread):
    return allowed_spread >= 0
