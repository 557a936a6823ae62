"""The number of sequences at a percentile, read off a finite table. Source: calculators A (c)."""

from sheetcalc.model import quantity
from sheetcalc.operations import beta_share, ceil, first, given, normal_quantile


@quantity("Sequences at the percentile, from mean and spread", "")
def sequences_high_near(mean_sequences, sequences_sd, batch_percentile):
    """Mean + z standard deviations: 41.1 where the exact answer is 42."""
    return mean_sequences + normal_quantile(batch_percentile) * sequences_sd


@quantity("Chance of at most this many", "%")
def chance_at_most(chain_slope, chain_shape, sequences):
    return beta_share(1 - chain_slope, chain_shape, sequences + 1)


@quantity("Enough for the percentile", "")
def sequences_enough(chance_at_most, batch_percentile):
    return chance_at_most >= batch_percentile


@quantity("Sequences at the percentile", "")
def sequences_high(sequences_enough, sequences, sequences_high_near):
    """The first row of the table that reaches the percentile; beyond the table the near formula."""
    return given(first(sequences_enough, sequences), ceil(sequences_high_near))
