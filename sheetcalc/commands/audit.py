"""`sheetcalc audit`: what someone changed in a workbook."""

from __future__ import annotations

import json

from sheetcalc.studies import study as find


def command(args) -> int:
    from sheetcalc.workbook.audit import audit
    from sheetcalc.workbook.read import read

    found = audit(read(args.workbook), find, args.workbook)
    tampered = any(f.serious for f in found)
    if args.format == "json":
        print(
            json.dumps(
                {"workbook": args.workbook, "tampered": tampered, "findings": [f._asdict() | {"serious": f.serious} for f in found]},
                indent=1,
                ensure_ascii=False,
            )
        )
    else:
        for f in found:
            place = "!".join(filter(None, (f.sheet, f.cell)))
            print(f"{'✗' if f.serious else '·'} {f.kind}: {place + ': ' if place else ''}{f.says}")
        print(
            f"{args.workbook}: "
            + ("the model was changed" if tampered else "inputs differ, the model is as issued" if found else "as issued")
        )
    return int(tampered)
