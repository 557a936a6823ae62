"""How many sequences run at once, as chances: the chain in which n sequences each advance at (1 − φ) / (α + β n).

Its distribution is negative binomial, whatever the lengths of the answers are; held against simulation in the tests.
Source: calculators A (c).
"""

from sheetcalc.model import quantity
from sheetcalc.operations import beta_share, exp, ln, sqrt, when


@quantity("Slope of the chain", "")
def chain_slope(steady, replica_token_rate, resident_rise, prompt_wall_share):
    """b = x β / (1 − φ), also the factor by which repeated guesses close in on the answer."""
    return when(steady, replica_token_rate * resident_rise / (1 - prompt_wall_share))


@quantity("Shape of the chain", "")
def chain_shape(step_floor, resident_rise):
    """a / b + 1 = α / β + 1."""
    return step_floor / resident_rise + 1


@quantity("Mean number of sequences", "")
def mean_sequences(chain_slope, chain_shape):
    """(a + b) / (1 − b): above the fixed point by b / (1 − b)."""
    return chain_slope * chain_shape / (1 - chain_slope)


@quantity("Standard deviation of the number of sequences", "")
def sequences_sd(mean_sequences, chain_slope):
    return sqrt(mean_sequences / (1 - chain_slope))


@quantity("Chance that no sequence runs", "%")
def chance_idle(chain_shape, chain_slope):
    return exp(chain_shape * ln(1 - chain_slope))


@quantity("Share of time a GPU reads as busy", "%")
def gpu_busy(prompt_wall_share, chance_idle):
    """1 − (1 − φ) P(0): what a utilization counter shows. Prefill and decode idleness are taken as independent."""
    return 1 - (1 - prompt_wall_share) * chance_idle


@quantity("Chance of more sequences than fit", "%")
def chance_over_memory(chain_slope, chain_shape, resident_sequences):
    return 1 - beta_share(1 - chain_slope, chain_shape, resident_sequences + 1)
