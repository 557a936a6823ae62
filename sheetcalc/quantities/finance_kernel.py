"""What the finance study reads from a plan: how much a node gives, the shape of the day in one number, and which prices compare."""

from sheetcalc.model import quantity
from sheetcalc.operations import at


@quantity("Output tokens a busy node gives, its prompts worked off too", "tok/s")
def node_output_rate(output_load, total_demand, gpus_per_node, gpus_per_replica):
    """Output tokens over the replica-seconds that they and their prompts take, times the replicas of a node (calculators C, i.1)."""
    return output_load / total_demand * gpus_per_node / gpus_per_replica


@quantity("Peak over the mean of the whole day", "x")
def peak_to_mean(mean_to_peak):
    """One over the mean load over peak load (decision 12)."""
    return 1 / mean_to_peak


@quantity("Prompt tokens per output token", "")
def prompt_per_output(prompt_tokens, output_tokens):
    """Of one request."""
    return prompt_tokens / output_tokens


@quantity("Class of the model, for prices that compare", "")
def model_price_class(model_class, model_name, model):
    """The catalogue's column; empty where no price compares."""
    return at(model_class, model_name, model)
