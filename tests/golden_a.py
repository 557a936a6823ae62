"""The worked values of calculators A at full precision, with their inputs, carried over into tests/data/golden_a.json."""

import json
from math import isclose
from pathlib import Path

DATA = json.loads((Path(__file__).parent / "data" / "golden_a.json").read_text(encoding="utf-8"))
GIVEN, WORKED = DATA["inputs"], DATA["results"]
EXACT, STATISTICAL = 1e-9, 1e-6  # relative; decision 28


def near(found, wanted, rel=EXACT, floor=1e-12):
    """Equal within a relative tolerance; `floor` is for values that are 0 but for rounding."""
    return isclose(found, wanted, rel_tol=rel, abs_tol=floor)


def assert_all(result, pairs, rel=EXACT, floor=1e-12):
    """Each (quantity, worked value) of one evaluated study."""
    wrong = [(name, result.value(name), wanted) for name, wanted in pairs if not near(result.value(name), wanted, rel, floor)]
    assert not wrong
