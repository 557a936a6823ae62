"""The worked examples of calculators C (project specification, golden/c.json, sections a to g), carried over into tests/data."""

import json
from pathlib import Path

import pytest

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden_c.json").read_text(encoding="utf-8"))
INPUTS, RESULTS = GOLDEN["inputs"], GOLDEN["results"]


def close(value, expected, rel=1e-9):
    """Full-precision worked values hold to 1e-9, what rests on a statistical function to 1e-6 (decision 28)."""
    return value == pytest.approx(expected, rel=rel, abs=1e-12)
