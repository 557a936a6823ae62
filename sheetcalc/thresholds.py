"""Exact thresholds by search, where the workbook shows interpolated ones: every root and jump of the advantage of building in one input.

The advantage is asked for at many values at once, and the steps in which its sign changes are cut until nothing is left to cut. Two
crossings
within one step of the first table are missed.
"""

from __future__ import annotations

from sheetcalc.axes import np
from sheetcalc.many import batch
from sheetcalc.study import Result

STEPS, CUTS = 100, 32  # values in the first table, and in each cut
CHUNK = 1024  # values at a time: the table of months has a row for each month and value
ROUNDS = 11  # 32^11 is more than the 2^53 a double can tell apart


def crossings(result: Result, name: str, low: float, high: float, output: str = "direct_advantage", steps: int = STEPS) -> list[float]:
    """The values of the input `name` between low and high (base units) at which `output` changes sign, to the last digits.

    A jump is given as the value just behind it. Raises InputError when `name` is not an input.
    """
    return [_narrowed(result, name, output, a, b) for a, b in _changes(result, name, output, np.linspace(low, high, steps + 1))]


def values(result: Result, name: str, output: str, points):
    """`output` at each value of an input, other inputs as in the result."""
    return batch(result.model, result.changes | {name: points}, [output], CHUNK)[output]


def _changes(result, name, output, points):
    """Neighboring values between which the sign differs."""
    above = values(result, name, output, points) > 0
    return [(points[i], points[i + 1]) for i in np.flatnonzero(above[1:] != above[:-1])]


def _narrowed(result, name, output, low, high) -> float:
    for _ in range(ROUNDS):
        points = np.linspace(low, high, CUTS + 1)
        inner = _changes(result, name, output, points)
        if not inner or inner[0] == (low, high):
            break
        low, high = inner[0]
    return float(high)


def exact(result: Result) -> dict[str, list[float]]:
    """`threshold_<input>_exact` for each scanned input: the values in its range at which the cheaper side turns, in base units (decision
    30)."""
    scanned = [n.removeprefix("first_threshold_") for n in result.model.steps if n.startswith("first_threshold_")]
    return {
        f"threshold_{n}_exact": crossings(result, n, result.value(f"{n}_from"), result.value(f"{n}_to"))
        for n in scanned
        if result.exists("direct_advantage")
    }


def start_volumes(result: Result, reach: float) -> list[float]:
    """Every start volume up to `reach` at which building and the API cost the same, or a node more turns the answer: all pieces between
    breakpoints N · v1 / (1 + g)^(m − 1) are looked at, so none is missed (calculators C, i.4). Without a commitment to the API only."""
    node, growth = result.value("node_volume"), result.value("growth")
    months = np.arange(int(result.value("build_lead")), int(result.value("horizon")))
    factors = (1 + growth) ** months
    counts = np.arange(1, int(reach * factors.max() / node) + 2)
    edges = np.unique(np.concatenate([[0.0, reach], (counts[:, None] * node / factors).ravel()]))
    edges = edges[edges <= reach]
    gaps = edges[1:] - edges[:-1]
    inside = np.stack([edges[:-1] + gaps * 1 / 4, edges[:-1] + gaps * 3 / 4])
    worth = values(result, "start_volume", "direct_advantage", inside.ravel()).reshape(inside.shape)
    slope = (worth[1] - worth[0]) / (inside[1] - inside[0])
    starts, ends = worth[0] - slope * gaps / 4, worth[1] + slope * gaps / 4
    found, before = [], False
    for edge, gap, start, end, rise in zip(edges[:-1], gaps, starts, ends, slope, strict=False):
        if gap <= edge * 1e-12:
            continue
        if (start > 0) != before and edge > 0:
            found.append(float(edge))
        if (start > 0) != (end > 0):
            found.append(float(edge - start / rise))
        before = end > 0
    return found
