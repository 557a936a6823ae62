"""Break-even crossings of a steady month against 40,000 volumes, on 300 random cases."""

import finance_reference as reference
import numpy as np

from sheetcalc.run import run
from sheetcalc.studies.finance import STUDY

CASES, POINTS = 300, 40_000
WANTED = [
    "segment_from",
    "segment_to",
    "jump_crossing",
    "root_crossing",
    "equal_volume",
    "breakeven_first",
    "breakeven_lasting",
    "lasting_row",
    "settled_nodes",
]


def cases():
    rng = np.random.default_rng(18)
    return [reference.random_case(rng) for _ in range(CASES)]


def wins(p, volumes):
    """Building costs at most as much as the API at these volumes, by the definition of a steady month."""
    per_node = reference.per_node(p)
    needed = np.maximum(p["n_min"], np.ceil(np.round(volumes / per_node, 9)) + p["spare"])
    build = reference.fixed_month(p) + reference.node_month(p) * needed
    return p["api_fixed"] + reference.unit_price(p) * p["dpm"] * volumes >= build


def found_by(p):
    result = run(STUDY.model, reference.changes(p), STUDY.model.upstream(WANTED))
    rows = zip(*(np.ravel(result[n]) for n in ("jump_crossing", "segment_from", "root_crossing", "equal_volume")), strict=False)
    return result, [
        (x / 1e6, kind) for jump, start, root, equal in rows for x, there, kind in ((start, jump, "jump"), (equal, root, "root")) if there
    ]


def seen_at(volume, kind, volumes, per_node):
    """The first volume of the scan behind a crossing: behind a jump strictly (and behind the rounding of whole nodes), at a root itself."""
    return (
        np.searchsorted(volumes, volume + 5e-10 * per_node, "right") if kind == "jump" else np.searchsorted(volumes, volume * (1 - 1e-13))
    )


def test_crossings_agree_with_a_scan():
    seen = lasting = none = 0
    for p in cases():
        result, found = found_by(p)
        nodes = int(np.nan_to_num(result["settled_nodes"], nan=60.0)) + 2
        volumes = np.linspace(0, min(nodes, 398) * reference.per_node(p), POINTS + 1)[1:]
        state = wins(p, volumes)
        before = np.concatenate([[False], state[:-1]])
        steps = np.flatnonzero(state != before)
        places = [seen_at(v, kind, volumes, reference.per_node(p)) for v, kind in found]
        counts = dict(zip(*np.unique([i for i in places if i < POINTS], return_counts=True), strict=False))
        expected = [i for i, n in counts.items() if n % 2]  # two crossings within one step cancel in a scan
        assert len(expected) == len(steps) and all(abs(a - b) <= 1 for a, b in zip(sorted(expected), steps, strict=False)), (
            p,
            found,
            volumes[steps],
        )
        seen += len(steps)
        if np.isnan(result["breakeven_lasting"]):
            none += 1
            assert reference.unit_price(p) * p["dpm"] * reference.per_node(p) <= reference.node_month(p) * (1 + 1e-12) or nodes > 398
        else:
            lasting += 1
            assert result["breakeven_lasting"] / 1e6 == found[-1][0] and result["breakeven_first"] / 1e6 == found[0][0]
            assert wins(p, np.linspace(found[-1][0] * (1 + 1e-9) + 1e-9, found[-1][0] * 20 + 1, 4000)).all()
    assert seen > 400 and lasting > 100 and none > 30
