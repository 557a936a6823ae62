"""100,000 draws of 36 months against the same simulation written by hand in numpy, in the same chunks: `python tests/bench_finance.py`.

Prints both times (best of a few), their ratio, and the most memory that was used.
"""

import resource
import time

import numpy as np

from sheetcalc.simulate import CHUNK, advantages
from sheetcalc.special import normal_quantile
from sheetcalc.studies.finance import STUDY

DRAWS, MONTHS, REPEATS = 100_000, 36, 5
ALPHAS = [0.8986537126286992, 0.8075784952213447, 0.7257334129697597, 0.6521830259439715, 0.5860866975779693, 0.5266889867007357]


def triangular(u, low, high):
    left = low + np.sqrt(u * (high - low) * (1 - low))
    right = high - np.sqrt((1 - u) * (high - low) * (high - 1))
    return np.where(u * (high - low) < 1 - low, left, right)


def by_hand(count, chunk):
    """The default plan with three-year reservations: points, factors, both bills of each month, reserved nodes, present values."""
    month = np.arange(1, MONTHS + 1.0)[:, None]
    discount = 1.1 ** (month / 12)
    quantile = np.vectorize(normal_quantile, otypes=[float])
    out = []
    for first in range(1, count + 1, chunk):
        i = np.arange(first, min(first + chunk, count + 1), dtype=float)
        points = [(0.5 + i * alpha) % 1.0 for alpha in ALPHAS]
        start, growth = 60e6 * np.exp(0.35 * quantile(points[0])), 0.03 * triangular(points[1], 0.0, 2.0)
        prices, decline = triangular(points[2], 0.6, 1.2), np.minimum(0.95, 0.2 * triangular(points[3], 0.25, 2.25))
        rate, people = 5500 * triangular(points[4], 3500 / 5500, 7000 / 5500), triangular(points[5], 0.5, 2.0)
        output, prompt, cached = 4e-6 * prices, 1e-6 * prices, 0.25e-6 * prices
        unit = 0.9 * (output + 20 / 3 * (0.6 * prompt + 0.4 * cached)) + 0.1 * 0.5 * (output + 20 / 3 * prompt)
        node = rate * 0.65 * 24 * 3600 / (24 / 11.05)
        volume = start * (1 + growth) ** (month - 1)
        api = np.maximum(volume * (365 / 12) * unit * (1 - decline) ** ((month - 1) / 12), 0.0) + 2000
        nodes = np.maximum(2, np.ceil(np.round(volume / node, 9)) + 1)
        needed = int(np.ceil(round(MONTHS * 1.4 / 2.5, 9)))
        kept = np.sort(nodes, axis=0)[MONTHS - needed]
        rent = 730 * 8 * (1.4 * kept + 2.5 * np.maximum(0, nodes - kept))
        build = rent + (people + 0.05 * nodes) * 220000 / 12 + 300 * nodes + 500
        out.append((api / discount).sum(0) - 60000 - (build / discount).sum(0))
    return np.concatenate(out)


def best(f):
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = f()
        times.append(time.process_time() - start)
    return min(times), found


def main():
    result = STUDY.evaluate()
    hand, expected = best(lambda: by_hand(DRAWS, CHUNK))
    ours, found = best(lambda: advantages(result, DRAWS))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-3)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{DRAWS:,} draws of {MONTHS} months in chunks of {CHUNK:,}: by hand {hand:.2f} s, sheetcalc {ours:.2f} s, ratio "
        f"{ours / hand:.2f}, "
        f"most memory {memory:.2f} GB, building wins in {np.mean(found > 0):.4f} of the draws"
    )


if __name__ == "__main__":
    main()
