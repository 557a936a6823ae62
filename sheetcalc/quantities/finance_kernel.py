"""What the finance study reads from a plan: how much a node gives, the shape of the day in one number, and which prices compare."""

from sheetcalc.model import quantity
from sheetcalc.operations import at, both, if_, least, most, same


@quantity("Output tokens a busy node gives, its prompts worked off too", "tok/s")
def node_output_rate(output_load, total_demand, gpus_per_node, gpus_per_replica):
    """Output tokens over the replica-seconds that they and their prompts take, times the replicas of a node (calculators C, i.1)."""
    return output_load / total_demand * gpus_per_node / gpus_per_replica


@quantity("Peak over the mean of the whole day", "x")
def peak_to_mean(mean_to_peak):
    """One over the mean load over peak load (decision 12)."""
    return 1 / mean_to_peak


# the day by the hour: own nodes beside the API earn their cost in its busy hours


@quantity("Day's load, in hours at the peak", "")
def peak_hours(mean_to_peak, hour_count):
    """Mean load over peak load, times the hours of a day."""
    return mean_to_peak * hour_count


@quantity("Hours of the day with traffic, as a count", "")
def busy_hours(active_hours, hours_per_day, hour_count):
    """Active hours over the hours of a day, times their number."""
    return active_hours / hours_per_day * hour_count


@quantity("The day curve stands for the plan's day", "")
def curve_holds(curve_mean_to_peak, mean_to_peak, curve_tolerance):
    """1 where its mean over its peak is the plan's, within the tolerance."""
    return if_(
        both(
            curve_mean_to_peak - mean_to_peak <= curve_tolerance * mean_to_peak,
            mean_to_peak - curve_mean_to_peak <= curve_tolerance * mean_to_peak,
        ),
        1,
        0,
    )


@quantity("Load of the busy hours but the busiest, over the peak", "%")
def even_load(peak_hours, busy_hours):
    """What the busiest hour leaves of the day, spread evenly: active hours and a peak factor say no more of the shape."""
    return most(0, peak_hours - 1) / if_(busy_hours > 1, busy_hours - 1, 1)


@quantity("Load of the hour over the peak, as planned", "%")
def planned_load(curve_holds, day_curve, curve_highest, hour, even_load, busy_hours, peak_hours):
    """The day curve where it has the plan's mean; else one hour at the peak and the rest of the active hours even."""
    return if_(
        same(curve_holds, 1),
        day_curve / curve_highest,
        if_(hour > 0, even_load * most(0, least(1, busy_hours - hour)), least(1, peak_hours)),
    )


@quantity("Prompt tokens per output token", "")
def prompt_per_output(prompt_tokens, output_tokens):
    """Of one request."""
    return prompt_tokens / output_tokens


@quantity("Class of the model, for prices that compare", "")
def model_price_class(model_class, model_name, model):
    """The catalogue's column; empty where no price compares."""
    return at(model_class, model_name, model)
