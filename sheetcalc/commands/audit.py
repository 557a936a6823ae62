"""`sheetcalc audit`: what someone changed in a workbook."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from sheetcalc.studies import study as find

if TYPE_CHECKING:
    from sheetcalc.workbook.audit import Finding

MOST = 20  # lines of one kind; JSON has them all
ALL = ("input changed", "input refused", "scenario added", "scenario removed")


def command(args) -> int:
    from sheetcalc.workbook.audit import audit, verdict
    from sheetcalc.workbook.read import read

    found = audit(read(args.workbook), find, args.workbook)
    serious = any(f.serious for f in found)
    if args.format == "json":
        print(
            json.dumps(
                {
                    "workbook": args.workbook,
                    "verdict": verdict(found),
                    "tampered": serious,
                    "findings": [f._asdict() | {"serious": f.serious} for f in found],
                },
                indent=1,
                ensure_ascii=False,
            )
        )
    else:
        print("\n".join([*lines(found), f"{args.workbook}: {verdict(found)}"]))
    return int(serious)


def lines(found: list[Finding]) -> list[str]:
    """A line for each finding, at most some of each kind."""
    seen, all_of, out = Counter(), Counter(f.kind for f in found), []
    for f in found:
        seen[f.kind] += 1
        if seen[f.kind] <= MOST or f.kind in ALL:
            place = "!".join(filter(None, (f.sheet, f.cell)))
            out.append(f"{'✗' if f.serious else '·'} {f.kind}: {place + ': ' if place else ''}{f.says}")
        elif seen[f.kind] == all_of[f.kind]:
            out.append(f"  … {all_of[f.kind] - MOST} more of kind {f.kind}; --format json lists all")
    return out
