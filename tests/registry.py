"""Every study that exists, for tests that cover a new quantity without a line."""

from importlib.util import find_spec

from sheetcalc.studies import NAMES, study

PRESENT = [name for name in NAMES if find_spec(f"sheetcalc.studies.{name}")]


def studies():
    return [study(name) for name in PRESENT]


def _numbers(n, first=1.0, step=1.0):
    return [first + step * i for i in range(n)]


SHORT = {  # long axes cut short, so that reading a study cell by cell takes seconds: the formulas are the same in each row
    "finance": {
        "month": _numbers(14),
        "actual_volume": [2e9] + [None] * 13,
        "actual_nodes": [2.0] + [None] * 13,
        "actual_bill": [None] * 14,
        "horizon": 12.0,
        "build_lead": 0.0,
        "build_overlap": 1.0,
        "draws": 10.0,
        "scan_step": _numbers(6, 0.0, 20.0),
        "candidate": _numbers(6),
        "fine_candidate": _numbers(6),
        "trial": _numbers(4),
        "segment": _numbers(12),
        "view": _numbers(5),
        "year": _numbers(2),
        "quarter": _numbers(4),
        "share_of_draws": [0.1, 0.5, 0.9],
    },
}
