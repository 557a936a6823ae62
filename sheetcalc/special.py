"""Distributions of the normal, beta and Poisson kind with the standard library, as Excel works them out."""

from __future__ import annotations

import math


def normal_quantile(p: float) -> float:
    """NORMSINV: the z below which a share p of a standard normal lies, 0 < p < 1."""
    from statistics import NormalDist  # a slow import that most runs do not need

    return NormalDist().inv_cdf(p)


def normal_share(z: float) -> float:
    """NORMSDIST: the share of a standard normal below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def beta_share(x: float, a: float, b: float) -> float:
    """BETADIST: the regularized incomplete beta function I_x(a, b), by Lentz's continued fraction (Numerical Recipes 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    f, c, d = 1.0, 1.0, 0.0
    for i in range(1000):
        m = i // 2
        top = (
            1.0
            if i == 0
            else m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            if i % 2 == 0
            else -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        )
        d = 1 / ((1 + top * d) or 1e-300)
        c = (1 + top / c) or 1e-300
        f *= c * d
        if i and abs(c * d - 1) < 1e-16:
            break
    return front * (f - 1)


def poisson_exactly(k: float, mean: float) -> float:
    """POISSON(k, mean, FALSE): the chance of exactly k events (k cut to a whole number, as Excel does)."""
    k = math.floor(k)
    return float(k == 0) if mean == 0 else math.exp(k * math.log(mean) - mean - math.lgamma(k + 1))


def poisson_at_most(k: float, mean: float) -> float:
    """POISSON(k, mean, TRUE): the chance of at most k events."""
    return math.fsum(poisson_exactly(i, mean) for i in range(math.floor(k) + 1))
