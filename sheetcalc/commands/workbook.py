"""`sheetcalc workbook`: a workbook of live formulas."""
from __future__ import annotations

from sheetcalc.commands.sources import all_chosen, settings
from sheetcalc.studies import study as find


def command(args) -> int:
    from sheetcalc.files import write_whole
    from sheetcalc.workbook.book import build
    plan = find("plan")
    write_whole(args.out, build(plan, settings(plan, args), all_chosen(args.study, args)))
    return 0
