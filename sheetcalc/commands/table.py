"""`sheetcalc evaluate TABLE --format csv|parquet`: a row of results for each scenario, for tables of any length."""

from __future__ import annotations

import io
import sys
from functools import partial
from pathlib import Path

from sheetcalc.batch.columns import Part, from_rows
from sheetcalc.batch.million import Evaluation, evaluate
from sheetcalc.batch.plain import Same, open_plain
from sheetcalc.commands import money
from sheetcalc.commands.evaluate import outputs_of, scenario
from sheetcalc.commands.from_workbook import is_ours
from sheetcalc.commands.own import own, problems
from sheetcalc.commands.sources import cases, reading, settings, told
from sheetcalc.errors import InputError
from sheetcalc.files import write_whole
from sheetcalc.study import Study


def command(study: Study, args) -> int:
    if args.finance or (args.scenarios and is_ours(args.scenarios)):
        return _one_by_one(study, args)
    evaluation = Evaluation(study, outputs_of(study, args.outputs or "core"), settings(study, args), args.display, args.decimal_out)
    out = Path(args.out) if args.out else None
    if args.format == "parquet" and out is None:
        raise InputError("Parquet is no text: name a file with -o")
    if not args.scenarios:
        return _single(study, evaluation, out, args.format)
    files, plain = own(args), None
    if not any(files) and not args.indian_groups:
        plain = open_plain(Path(args.scenarios), study.inputs, {}, args.encoding, args.delimiter, args.decimal, args.header_row)
    if plain is not None:
        told(args.scenarios, plain.notes)
        try:
            return evaluate(plain, plain.parts, evaluation, out, args.format, args.quiet).status
        except Same:
            pass  # two rows share a name: read again, row by row, to refuse both
    table = reading(study, args)
    unfit = partial(problems, study.name, files)
    return evaluate(table, lambda blank: from_rows(table, blank, unfit), evaluation, out, args.format, args.quiet).status


def _one_by_one(study: Study, args) -> int:
    """Scenario after scenario: those of a workbook of ours, or with the finance study, which has hundreds of present values for each."""
    import polars as pl

    written, rows = Evaluation(study, [], {}, args.display, args.decimal_out), []
    if args.finance:
        names = money.outputs(study, args.outputs or "core")
        headings = {n: money.heading(study, n, args.display) for n in names}
    else:
        names = outputs_of(study, args.outputs or "core")
        headings = {n: written.heading(n) for n in names}
    for case in cases(money.beside(study) if args.finance else study, args):
        found = scenario(study, case, names, False, args.display, args.finance)
        values = {headings[n]: found["outputs"].get(n, {}).get("value") for n in names}
        rows.append({"scenario": case.name, "status": found["status"], "problem": "; ".join(found["problems"]) or None, **values})
    frame = pl.DataFrame(rows, infer_schema_length=None)
    out = Path(args.out) if args.out else None
    if args.format == "parquet" and out is None:
        raise InputError("Parquet is no text: name a file with -o")
    whole = io.BytesIO()
    frame.write_parquet(whole) if args.format == "parquet" else written.write_csv(frame, whole)
    if out:
        write_whole(out, whole.getvalue())
    else:
        sys.stdout.write(whole.getvalue().decode())
    return 1 if (frame["status"] == "refused").any() else 0


def _single(study: Study, evaluation: Evaluation, out: Path | None, kind: str) -> int:
    """The results of one scenario: the defaults and `--set`."""
    import polars as pl

    frame = evaluation.frame(Part(pl.Series([study.name]), {}, {}))
    whole = io.BytesIO()
    frame.write_parquet(whole) if kind == "parquet" else evaluation.write_csv(frame, whole)
    if out:
        write_whole(out, whole.getvalue())
    else:
        sys.stdout.write(whole.getvalue().decode())
    if frame["status"][0] == "refused":
        print(f"sheetcalc: {frame['problem'][0]}", file=sys.stderr)
        return 2
    return 0
