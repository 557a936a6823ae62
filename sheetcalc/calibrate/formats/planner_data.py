"""Data that planners ship as if it were measured: it is simulated or estimated, and it is known here only to be refused."""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import OFFLINE, Run, dig

NAME = "planner's bundled data"


def reads(document: Any) -> bool:
    rows = document if isinstance(document, list) else dig(document, "benchmarks")
    return (
        isinstance(rows, list)
        and bool(rows)
        and isinstance(rows[0], dict)
        and (
            "estimated" in rows[0]
            or "confidence_level" in rows[0]
            or "simulat" in str(dig(document, "_metadata") or dig(document, "metadata") or rows[0]).lower()
        )
    )


def runs(document: Any, where: str) -> list[Run]:
    return [Run(where, NAME, OFFLINE, example="its own labels say simulated or estimated: a figure from another model is no measurement")]
