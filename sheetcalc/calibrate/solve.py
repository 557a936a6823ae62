"""Robust least squares between bounds: constants fitted to measurements, with their uncertainty.

Damped Gauss-Newton (Levenberg 1944, Marquardt 1963) on residuals whose large values are softened, so that a few odd measurements do not
decide; what would leave its bounds stays on them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Residuals = Callable[[np.ndarray], np.ndarray]  # points, a row each, to residuals, a row each: one call serves a whole derivative
STEP = 1e-5  # of the numerical derivative, in logarithms of the constants
ENOUGH = 1e-6  # relative gain below which another turn is not worth it
TURNS = 60


def soften(residuals: np.ndarray, scale: float) -> np.ndarray:
    """Residuals whose squares are the pseudo-Huber loss: like r²/2 within `scale`, like |r| beyond."""
    return np.sign(residuals) * np.sqrt(2 * scale**2 * (np.sqrt(1 + (residuals / scale) ** 2) - 1))


def slopes(residuals: Residuals, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The residuals, and their numerical derivative by each constant (residuals down, constants across), from one call."""
    found = residuals(np.vstack([at, at + STEP * np.eye(len(at))]))
    return found[0], ((found[1:] - found[0]) / STEP).T


def fit(residuals: Residuals, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The constants, between their bounds, with the least sum of squared residuals near `start`."""
    at, damping = np.clip(start, low, high), 1e-3
    for _ in range(TURNS):
        here, gradient = slopes(residuals, at)
        pull = gradient.T @ here
        free = ~((at <= low) & (pull > 0) | (at >= high) & (pull < 0))
        normal = gradient[:, free].T @ gradient[:, free]
        gain = 0.0
        while gain <= 0 and damping < 1e8:
            step = np.zeros_like(at)
            step[free] = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), pull[free])
            there = np.clip(at + step, low, high)
            found = residuals(there[None])[0]
            gain = here @ here - found @ found
            damping *= 0.3 if gain > 0 else 4
        if gain <= 0:
            break
        at = there
        if gain < ENOUGH * (here @ here):
            break
    return at


def uncertainty(residuals: Residuals, at: np.ndarray) -> np.ndarray:
    """Standard error of each constant from the curvature at the optimum; NaN for what the measurements do not determine.

    Residuals are in standard deviations; where they scatter more than that, the error grows with them.
    """
    here, gradient = slopes(residuals, at)
    normal = gradient.T @ gradient
    freedom = max(len(here) - len(at), 1)
    values, vectors = np.linalg.eigh(normal)
    known = values > 1e-9 * values.max()
    covariance = (vectors[:, known] / values[known]) @ vectors[:, known].T * max((here @ here) / freedom, 1.0)
    loose = (vectors[:, ~known] ** 2).sum(axis=1) > 0.1
    return np.where(loose, np.nan, np.sqrt(np.diag(covariance)))
