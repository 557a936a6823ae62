"""From people and requests to tokens per second in each phase."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, highest, if_, known, same, total


@quantity("Requests per second at the peak, from people", "req/s")
def request_rate_from_people(people, requests_per_person_day, active_hours, seconds_per_hour, peak_factor):
    """People × requests a day, spread over the active hours, times the peak factor (file 000, one million users)."""
    return people * requests_per_person_day / (active_hours * seconds_per_hour) * peak_factor


@check("The load is known", "no load is given; write request_rate, or people and requests_per_person_day", "input")
def load_known(request_rate):
    return known(request_rate)


@quantity("Load that is used over the load from people", "x")
def load_over_people(request_rate, request_rate_from_people):
    """1 where only one of the two is given; a typed rate is used before people and their requests."""
    return if_(known(request_rate_from_people), request_rate / request_rate_from_people, 1)


@check(
    "The load is given once",
    "the typed {request_rate} is used, but people and their requests a day give {request_rate_from_people}: clear one of the two",
    "alert",
)
def load_given_once(load_over_people, curve_tolerance):
    return both(load_over_people >= 1 - curve_tolerance, load_over_people <= 1 + curve_tolerance)


@quantity("Sum of the day curve", "")
def curve_total(day_curve, hour):
    """24 hourly loads."""
    return total(day_curve, hour)


@quantity("Highest hour of the day curve", "")
def curve_highest(day_curve, hour):
    """The busiest of 24 hours."""
    return highest(day_curve, hour)


@quantity("Mean of the curve over its highest hour", "%")
def curve_mean_to_peak(curve_total, hour_count, curve_highest):
    """Mean of 24 hourly loads over the highest."""
    return curve_total / hour_count / curve_highest


@quantity("Mean load over peak load, from hours and peak factor", "%")
def hours_mean_to_peak(active_hours, hours_per_day, peak_factor):
    """Active hours of the day over the peak factor within them (decision 12)."""
    return active_hours / hours_per_day / peak_factor


@quantity("Mean load over peak load, by the shape of the day", "%")
def shape_mean_to_peak(load_shape, curve_mean_to_peak, hours_mean_to_peak):
    """The 24-hour curve, or active hours and peak factor (decision 12)."""
    return if_(same(load_shape, "curve"), curve_mean_to_peak, hours_mean_to_peak)


@quantity("Requests per day", "req/day")
def requests_per_day(request_rate, mean_to_peak, seconds_per_hour, hours_per_day):
    """Mean rate times the seconds of a day."""
    return request_rate * mean_to_peak * seconds_per_hour * hours_per_day


@quantity("Prompt tokens per second", "tok/s")
def prompt_load(request_rate, prompt_tokens):
    """Load of the prefill phase at the peak (file 000)."""
    return request_rate * prompt_tokens


@quantity("Output tokens per second", "tok/s")
def output_load(request_rate, output_tokens):
    """Load of the decode phase at the peak (file 000)."""
    return request_rate * output_tokens


@quantity("Output tokens per day", "Mtok/day")
def output_tokens_per_day(requests_per_day, output_tokens):
    """The volume that bills follow."""
    return requests_per_day * output_tokens


@quantity("Prompt tokens per day", "Mtok/day")
def prompt_tokens_per_day(requests_per_day, prompt_tokens):
    """The volume that input prices follow."""
    return requests_per_day * prompt_tokens


@quantity("Prompt tokens that are worked out", "tok")
def uncached_tokens(prompt_tokens, prefix_hit_share):
    """Prompt tokens that no cache holds (decision 15)."""
    return prompt_tokens * (1 - prefix_hit_share)


@quantity("Prompt tokens served from cache", "tok")
def cached_tokens(prompt_tokens, prefix_hit_share):
    """Prompt tokens that a prefix cache holds."""
    return prompt_tokens * prefix_hit_share
