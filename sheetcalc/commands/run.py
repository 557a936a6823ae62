"""`sheetcalc run`: a memo for each scenario of a table, one workbook of them all, a summary and a manifest, in one folder."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from sheetcalc.batch import run
from sheetcalc.batch.environment import fingerprint
from sheetcalc.batch.summary import Look
from sheetcalc.commands.memo_work import MemoWork
from sheetcalc.commands.money import beside, parted
from sheetcalc.commands.own import carried, own, taken
from sheetcalc.commands.sources import reading, settings
from sheetcalc.scenarios import MEMO_LIMIT
from sheetcalc.study import Study

WORKBOOK = "scenarios.xlsx"
PORTFOLIO = "portfolio.pdf"


def command(args) -> int:
    files = own(args)
    study, _ = taken("plan", files)
    typed = beside(study) if args.finance else study
    on_top = settings(typed, args)
    table = reading(typed, args, MEMO_LIMIT)
    brand = os.path.abspath(args.brand) if args.brand else None
    work = MemoWork(study.name, tuple(sorted(on_top.items())), brand=brand, finance=args.finance, own=files)
    return run(
        table,
        args.out,
        work,
        fingerprint,
        settings=[study.name, sorted(on_top.items()), args.finance, files.digest(), looks(brand)],
        finish=partial(over_all, study, on_top, brand),
        jobs=args.jobs,
        resume=args.resume,
        dask=args.dask,
        quiet=args.quiet,
        look=Look(args.decimal_out),
    )


def looks(brand: str | None) -> str:
    """What a brand file and its logo hold, so that a changed look is a changed run. Raises BrandError on a file that cannot be used."""
    if brand is None:
        return ""
    from sheetcalc.memo.brand import digest

    return digest(brand)


def over_all(study: Study, on_top: dict[str, Any], brand: str | None, entries: list[dict]) -> dict[str, bytes]:
    """The files over all scenarios: one workbook, and from two scenarios on a memo over them."""
    from sheetcalc.memo import render_portfolio

    found = workbook(study, parted(study, on_top)[0], entries)
    if sum(entry["status"] == "done" for entry in entries) > 1:
        found[PORTFOLIO] = render_portfolio(entries, brand)
    return found


def workbook(study: Study, on_top: dict[str, Any], entries: list[dict]) -> dict[str, bytes]:
    """The workbook of every scenario that has a result."""
    from sheetcalc.workbook.book import build
    from sheetcalc.workbook.table import Row

    rows = [
        Row(e["scenario"], {n: x for n, x in parted(study, e["inputs"])[0].items() if n not in on_top})
        for e in entries
        if e["status"] == "done"
    ]
    return {WORKBOOK: build(study, on_top, rows=rows, own=carried([study]))} if rows else {}
