"""The roofline against published offline throughput, row by row, with nothing tuned. Source: calculators A (a).

A published run is saturated: as many sequences run as the memory holds. Names that begin with `backtest` run along its rows.
"""

from sheetcalc.model import quantity
from sheetcalc.operations import count, exp, highest, highest_at, if_, least, ln, most, total


@quantity("Sequences that run, saturated", "")
def backtest_batch(saturated_fill, backtest_resident_sequences_exact, backtest_resident_sequences, saturated_most):
    """N = 0.95 · (HBM − W − reserve) / (κ·context), at most what fits whole and the engine's limit, at least one."""
    return most(least(saturated_fill * backtest_resident_sequences_exact, backtest_resident_sequences, saturated_most), 1)


@quantity("Count all-reduces (1) or not (0), more than one GPU", "")
def backtest_reduces(backtest_gpus_per_replica, all_reduce_on):
    """A GPU alone has nothing to reduce."""
    return if_(backtest_gpus_per_replica > 1, all_reduce_on, 0)


@quantity("As published, a GPU", "tok/s")
def backtest_published(backtest_rate, backtest_gpus_per_replica):
    """Output tokens a second of the whole run over its GPUs."""
    return backtest_rate / backtest_gpus_per_replica


@quantity("Predicted, a GPU", "tok/s")
def backtest_predicted(backtest_output_tokens, backtest_line_work, backtest_gpus_per_replica):
    """1 / (t_pre/o + step(N)/N): the answer over the replica time of a request."""
    return backtest_output_tokens / backtest_line_work / backtest_gpus_per_replica


@quantity("Predicted over published", "x")
def backtest_ratio(backtest_predicted, backtest_published):
    return backtest_predicted / backtest_published


@quantity("Predicted with host time and all-reduces, a GPU", "tok/s")
def backtest_corrected(backtest_output_tokens, backtest_corrected_work, backtest_gpus_per_replica):
    """B01 and B02 counted; lengths are fixed in these runs, so that residents are no longer than the mean."""
    return backtest_output_tokens / backtest_corrected_work / backtest_gpus_per_replica


@quantity("Corrected over published", "x")
def backtest_corrected_ratio(backtest_corrected, backtest_published):
    return backtest_corrected / backtest_published


@quantity("Upper end of the band", "tok/s")
def backtest_band_high(backtest_published, backtest_band):
    return backtest_published * (1 + backtest_band)


@quantity("Lower end of the band", "tok/s")
def backtest_band_low(backtest_published, backtest_band):
    return backtest_published * (1 - backtest_band)


@quantity("Published rows", "")
def backtest_rows(backtest_rate, backtest_row):
    return count(backtest_rate > 0, backtest_row)


@quantity("Rows inside the band", "")
def backtest_rows_near(backtest_ratio, backtest_band, backtest_row):
    return count(backtest_ratio <= 1 + backtest_band, backtest_row) - count(backtest_ratio < 1 - backtest_band, backtest_row)


@quantity("Rows inside the band, corrected", "")
def backtest_rows_near_corrected(backtest_corrected_ratio, backtest_band, backtest_row):
    return count(backtest_corrected_ratio <= 1 + backtest_band, backtest_row) - count(
        backtest_corrected_ratio < 1 - backtest_band, backtest_row
    )


@quantity("Rows within a factor of two", "")
def backtest_rows_double(backtest_ratio, backtest_row):
    return count(backtest_ratio <= 2, backtest_row) - count(backtest_ratio < 0.5, backtest_row)


@quantity("Predicted over published, geometric mean", "x")
def backtest_mean(backtest_ratio, backtest_row, backtest_rows):
    return exp(total(ln(backtest_ratio), backtest_row) / backtest_rows)


@quantity("Corrected over published, geometric mean", "x")
def backtest_mean_corrected(backtest_corrected_ratio, backtest_row, backtest_rows):
    return exp(total(ln(backtest_corrected_ratio), backtest_row) / backtest_rows)


@quantity("Predicted over published, highest", "x")
def backtest_highest(backtest_ratio, backtest_row):
    return highest(backtest_ratio, backtest_row)


@quantity("Run with the highest predicted over published", "")
def backtest_worst(backtest_ratio, backtest_row):
    return highest_at(backtest_ratio, backtest_row)
