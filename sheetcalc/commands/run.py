"""`sheetcalc run`: a memo for each scenario of a table, a summary and a manifest, in one folder."""
from __future__ import annotations

from sheetcalc.batch import run
from sheetcalc.batch.environment import fingerprint
from sheetcalc.commands.memo_work import MemoWork
from sheetcalc.commands.sources import reading, settings
from sheetcalc.scenarios import MEMO_LIMIT
from sheetcalc.studies import study as find


def command(args) -> int:
    study = find("plan")
    on_top = settings(study, args)
    table = reading(study, args, MEMO_LIMIT)
    work = MemoWork(study.name, tuple(sorted(on_top.items())))
    return run(table, args.out, work, fingerprint, settings=[study.name, sorted(on_top.items())], jobs=args.jobs, resume=args.resume, dask=args.dask,
               quiet=args.quiet)
