"""What changed between two sets of scenarios: inputs, results and the decision, by scenario."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

SAME = 1e-9  # relative; below it a figure has not changed


class Side(NamedTuple):
    """One scenario on one side: inputs and results as people read them, with the unit in the name (`gpu_hour_price [$/h]`).

    `otherwise` is what served for inputs that are not given: the profile's value, the catalogue's, the default.
    """

    inputs: dict[str, Any]
    results: dict[str, Any]
    status: str
    otherwise: dict[str, Any] = {}


class Change(NamedTuple):
    """One figure that differs; None on the side where it does not exist. `share` is the relative change of a number."""

    kind: str  # input, result, status
    name: str
    old: Any
    new: Any
    share: float | None


class Difference(NamedTuple):
    """What changed in one scenario: added, removed, or its changes (the decision first)."""

    scenario: str
    what: str  # added, removed, changed, same
    changes: list[Change]


def compare(old: dict[str, Side], new: dict[str, Side]) -> list[Difference]:
    """Every scenario of either side, in the order of the new one, the removed ones last."""
    out = []
    for name, side in new.items():
        if name not in old:
            out.append(Difference(name, "added", []))
            continue
        changes = _between(old[name], side)
        out.append(Difference(name, "changed" if changes else "same", changes))
    return out + [Difference(name, "removed", []) for name in old if name not in new]


def _between(old: Side, new: Side) -> list[Change]:
    found = [] if old.status == new.status else [Change("status", "status", old.status, new.status, None)]
    for kind, was, now in (("result", old.results, new.results), ("input", old.inputs, new.inputs)):
        for name in [*was, *(n for n in now if n not in was)]:
            a, b = was.get(name), now.get(name)
            if kind == "input":
                a = was[name] if name in was else old.otherwise.get(name, new.otherwise.get(name))
                b = now[name] if name in now else new.otherwise.get(name, old.otherwise.get(name))
            if not same(a, b):
                share = (b - a) / abs(a) if _number(a) and _number(b) and a else None
                found.append(Change(kind, name, a, b, share))
    return sorted(found, key=lambda c: (c.name != "status", c.name != "decision", c.kind != "result", c.name == "verdict"))


def same(a, b) -> bool:
    """Whether two figures are one."""
    return math.isclose(a, b, rel_tol=SAME, abs_tol=1e-12) if _number(a) and _number(b) else a == b


def _number(x) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def lines(differences: list[Difference]) -> list[str]:
    """The same in words, a line a figure."""
    out = []
    for d in differences:
        if d.what in ("added", "removed"):
            out.append(f"{d.scenario}: {d.what}")
        for c in d.changes:
            more = "" if c.share is None else f" ({c.share:+.1%})"
            out.append(f"{d.scenario}: {c.name}: {_shown(c.old)} → {_shown(c.new)}{more}")
    unchanged = sum(d.what == "same" for d in differences)
    return [*out, f"{unchanged} of {len(differences)} scenarios unchanged"]


def _shown(x) -> str:
    return "none" if x is None else f"{x:,.6g}" if _number(x) else str(x)
