"""The worked examples of calculators B (project specification, golden/b.json), carried over into tests/data/golden_b.json."""

import json
from pathlib import Path

import pytest

RESULTS = json.loads((Path(__file__).parent / "data" / "golden_b.json").read_text(encoding="utf-8"))["results"]
PER_MILLION = 1e6


def near(value):
    """Full-precision worked values hold to 1e-9 (decision 28)."""
    return pytest.approx(value, rel=1e-9)


def missing(x):
    """Whether a value does not exist."""
    return x != x
