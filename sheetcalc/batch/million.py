"""A table of any length becomes a results file: arrays in parts, bounded memory, no memos."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import polars as pl

from sheetcalc import many, show
from sheetcalc.axes import Choice
from sheetcalc.batch.columns import Blank, Part
from sheetcalc.batch.plain import PlainFile
from sheetcalc.batch.progress import Progress
from sheetcalc.batch.summary import Look
from sheetcalc.errors import InputError
from sheetcalc.scenarios import Reading
from sheetcalc.scenarios.refused import RUNS, Writer, defused
from sheetcalc.show import PLACE
from sheetcalc.study import Study
from sheetcalc.units import base, scale

SHOWN = 100  # problems that are printed; all of them are in the file of refused rows


class Counts(NamedTuple):
    """How many rows ended which way."""

    ok: int = 0
    infeasible: int = 0
    refused: int = 0

    @property
    def status(self) -> int:
        """The exit status of the contract."""
        return 1 if self.refused else 0


class Evaluation:
    """What is worked out for each row: `outputs` of a study, in base or display units, with status and problem."""

    def __init__(self, study: Study, outputs: list[str], on_top: dict[str, Any], display: bool = False, decimal: str = "."):
        self.look = Look(decimal)
        self.study, self.model, self.outputs, self.on_top, self.display = study, study.model, outputs, on_top, display
        tables = [name for name in outputs if self.model.home.get(name)]
        if tables:
            raise InputError(f"{tables[0]} is a table; a row a scenario has only single values: leave it out, or use --format json")
        says = [self.model.steps[name].about.says for name in self.model.errors]
        self.quoted = sorted({found[1] for text in says for found in PLACE.finditer(text)})
        self.keep = list(dict.fromkeys([*outputs, *self.model.errors, *(n for n in self.quoted if n not in self.model.inputs)]))

    def frame(self, part: Part) -> pl.DataFrame:
        """The results of some rows."""
        columns = self.model.renamed(part.columns | self.on_top)
        if not any(isinstance(c, Choice | np.ndarray) for c in columns.values()):
            columns = self._broadcast(columns, len(part.names))
        found = _joined(many.chunks(self.model, columns, self.keep))
        first = many.failing(self.model, found)
        status = np.where(first >= 0, "infeasible", "ok").astype(object)
        for name in self.model.errors:
            if self.model.steps[name].about.kind == "input":
                status[np.asarray(found[name]) == 0] = "refused"
        problems: list[str | None] = [None] * len(status)
        for place, check in enumerate(self.model.errors):
            rows = np.flatnonzero(first == place)
            for i, sentence in zip(rows.tolist(), self._sentences(check, found | columns, rows), strict=True) if len(rows) else ():
                problems[i] = sentence
        for i, refusal in part.refused.items():
            status[i], problems[i] = "refused", "; ".join(p.line("") for p in refusal.problems)
        gone = status == "refused"
        return pl.DataFrame(
            {
                "scenario": part.names,
                "status": pl.Series(status.tolist(), dtype=pl.String),
                "problem": pl.Series(problems, dtype=pl.String),
                **{self.heading(name): self._values(name, found[name], gone) for name in self.outputs},
            }
        )

    def _broadcast(self, columns: dict, rows: int) -> dict:
        """A table of names only: one input as a column of its default."""
        name = next(
            n
            for n, given in self.model.inputs.items()
            if isinstance(given.value, float) and not self.model.home.get(n) and n not in columns
        )
        return columns | {name: np.full(rows, self.model.inputs[name].value)}

    def write_csv(self, frame: pl.DataFrame, file: IO[bytes], header: bool = True) -> None:
        """Results as CSV, in which no spreadsheet runs a name."""
        names = frame["scenario"]
        live = names.str.contains(rf"^\s*'*\s*[{RUNS}]").arg_true()
        if len(live):
            frame = frame.with_columns(names.scatter(live, [defused(names[i]) for i in live]))
        frame.write_csv(file, include_header=header, separator=self.look.delimiter, decimal_comma=self.look.decimal == ",")

    def heading(self, name: str) -> str:
        """The name of a column, with its unit."""
        unit = self.model.unit(name) if self.display else base(self.model.unit(name))
        return f"{name} [{unit}]" if unit else name

    def _values(self, name: str, values, gone) -> pl.Series:
        values = np.asarray(values)
        if values.dtype.kind in "US":
            return pl.Series([None if g or not v else v for v, g in zip(values.tolist(), gone.tolist(), strict=True)], dtype=pl.String)
        values = np.where(gone, math.nan, values)
        return pl.Series(values / scale(self.model.unit(name)) if self.display else values).fill_nan(None)

    def _sentences(self, check: str, known: dict, rows: np.ndarray) -> list[str]:
        """What a check that is false says, for each of some rows."""
        about = self.model.steps[check].about
        texts, names, digits = (PLACE.split(about.says)[k::3] for k in range(3))
        written = [self._written(name, known, rows, None if d is None else int(d)) for name, d in zip(names, digits, strict=True)]
        if not written:
            return [about.says] * len(rows)
        return [
            about.label if None in row else texts[0] + "".join(x + text for x, text in zip(row, texts[1:], strict=True))
            for row in zip(*written, strict=True)
        ]

    def _written(self, name: str, known: dict, rows: np.ndarray, digits: int | None) -> list[str | None]:
        """A value in a sentence for each row, None where it does not exist."""
        column, unit = known.get(name, self.model.inputs[name].value if name in self.model.inputs else None), self.model.unit(name)
        if isinstance(column, Choice):
            return [column.words[code] for code in column.codes[rows].tolist()]
        values = column[rows].tolist() if isinstance(column, np.ndarray) else [column] * len(rows)
        return [None if x is None or x != x else _plain(x, unit, digits) for x in values]


@lru_cache(1 << 16)
def _plain(x, unit: str, digits: int | None) -> str:
    return show.plain(x, unit, digits)


def _joined(chunks: Iterator) -> dict[str, Any]:
    parts: dict[str, list] = {}
    for _, found in chunks:
        for name, values in found.items():
            parts.setdefault(name, []).append(values)
    return {name: np.concatenate(values) for name, values in parts.items()}


def evaluate(table: Reading | PlainFile, parts, evaluation: Evaluation, out: Path | None, kind: str = "csv", quiet: bool = False) -> Counts:
    """Write the results of `parts(blank)` to a file (or to stdout) as CSV or Parquet; it appears whole or not at all.

    Refused rows go to `<out>.refused.csv`. Raises Same where a plain file turns out to repeat a name, OSError.
    """
    folder = out.resolve().parent if out else Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=".sheetcalc.", dir=folder) as name:
        work = Path(name)
        store = _Parquet(work) if kind == "parquet" else _Csv(work, evaluation)
        refused = _Refused(work / "refused.csv", table)
        counts = _filled(store, refused, parts(Blank(evaluation.model)), evaluation, table, quiet)
        made = store.finished()
        refused.close()
        if out is None:
            with open(made, encoding="utf-8", newline="") as file:
                shutil.copyfileobj(file, sys.stdout)
        else:
            _flushed(made, out)
            beside = out.with_name(f"{out.stem}.refused.csv")
            if refused.count:
                _flushed(work / "refused.csv", beside)
                print(f"{refused.count:,} refused rows are in {beside}, to mend and run again", file=sys.stderr)
    return counts


def _filled(store, refused, parts, evaluation, table, quiet) -> Counts:
    ok = infeasible = gone = 0
    progress = Progress(table.count if isinstance(table, Reading) else table.lines - table.source.header_row, quiet)
    with contextlib.closing(progress):
        for part in parts:
            frame = evaluation.frame(part)
            status = frame["status"]
            ok += (status == "ok").sum()
            infeasible += (status == "infeasible").sum()
            gone += (status == "refused").sum()
            for refusal in part.refused.values():
                refused.add(refusal)
            store.add(frame)
            progress.step(frame.height)
    return Counts(int(ok), int(infeasible), int(gone))


def _flushed(made: Path, final: Path) -> None:
    handle = os.open(made, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(made, final)


class _Csv:
    def __init__(self, folder: Path, evaluation: Evaluation):
        self.path, self.first, self.evaluation = folder / "results.csv", True, evaluation
        self.file = open(self.path, "wb")  # noqa: SIM115 (closed by finished)

    def add(self, frame: pl.DataFrame) -> None:
        self.evaluation.write_csv(frame, self.file, self.first)
        self.first = False

    def finished(self) -> Path:
        self.file.close()
        return self.path


class _Parquet:
    """Each part is a file of its own until the end, since a Parquet file is written at once."""

    def __init__(self, folder: Path):
        self.folder, self.count = folder, 0

    def add(self, frame: pl.DataFrame) -> None:
        frame.write_parquet(self.folder / f"part{self.count:06d}.parquet", compression="lz4")
        self.count += 1

    def finished(self) -> Path:
        whole = self.folder / "results.parquet"
        pl.scan_parquet(sorted(self.folder.glob("part*.parquet"))).sink_parquet(whole)
        return whole


class _Refused:
    def __init__(self, path: Path, table: Reading | PlainFile):
        heading, delimiter = (
            (table.header, table.delimiter) if isinstance(table, Reading) else (list(map(str, table.source.header)), table.source.delimiter)
        )
        self.name = table.path if isinstance(table, Reading) else str(table.source.path)
        self.file = open(path, "w", encoding="utf-8-sig", newline="", errors="replace")  # noqa: SIM115 (closed by close)
        self.writer, self.count, self.shown = Writer(self.file, heading, delimiter), 0, 0

    def add(self, refusal) -> None:
        self.writer.write(refusal.row_number, refusal.cells, refusal.problems)
        self.count += 1
        for line in refusal.lines(self.name):
            self.shown += 1
            if self.shown <= SHOWN:
                print(line, file=sys.stderr)

    def close(self) -> None:
        self.file.close()
        if self.shown > SHOWN:
            print(f"{self.name}: {self.shown - SHOWN:,} more problems of this kind", file=sys.stderr)
