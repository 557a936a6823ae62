"""Random valid inputs of a study, from the ranges that its inputs declare."""

from __future__ import annotations

import math
import random

from sheetcalc.model import Link, Model

SPREAD = 1.5  # a value moves by at most this factor from where it stands, inside its range


def moved(about, value, draw: random.Random):
    """Another valid value near the given one: ranges say what is valid, nearness keeps the case meaningful."""
    if about.is_text:
        return draw.choice(about.choices) if about.choices and len(about.choices) < 8 else value
    if value is None or isinstance(value, Link):
        return value
    if about.low == 0 and about.high == 1 and about.whole:
        return float(draw.randint(0, 1))
    low = -math.inf if about.low is None else about.low
    high = math.inf if about.high is None else about.high
    x = value * draw.uniform(1 / SPREAD, SPREAD) if value else draw.uniform(0, 0.5) if high <= 1 else value
    x = min(max(x, low), high)
    if about.above and x <= low:
        x = value
    return float(round(x)) if about.whole else x


def changes(model: Model, draw: random.Random, share: float = 0.4) -> dict[str, object]:
    """New values for some of the scalar inputs of a model, under the names that people type."""
    out = {}
    for name, own in model.typed.items():
        about = model.inputs[own]
        if model.home.get(own) or isinstance(about.value, (list, tuple)) or draw.random() > share:
            continue
        new = moved(about, about.value, draw)
        if new is not None and new != about.value and new != "":
            out[name] = new
    return out
