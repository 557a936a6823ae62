"""The main job: a table of scenarios becomes files in a folder, and each scenario ends in exactly one of done, refused and failed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sheetcalc import files
from sheetcalc.batch import manifest, names
from sheetcalc.batch.folder import REFUSED, Folder
from sheetcalc.batch.interrupt import Interrupt
from sheetcalc.batch.lock import alone
from sheetcalc.batch.manifest import Manifest
from sheetcalc.batch.pool import Processes, each
from sheetcalc.batch.progress import Progress
from sheetcalc.batch.summary import Look
from sheetcalc.batch.worker import Failed, Made, Task
from sheetcalc.errors import InputError, SheetcalcError
from sheetcalc.files import HeldOpen, Written
from sheetcalc.scenarios import Problem, Reading, Refusal, Scenario
from sheetcalc.typed import folded

FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
OFTEN_ENOUGH = 50_000  # bytes that a memo takes, for the look at the disk before the start

SHOWN = 100  # problems that are printed; all of them are in refused.csv

Finish = Callable[[list[dict]], dict[str, bytes]]


def run(
    table: Reading,
    out: str | Path,
    work: Callable[[Task], Made],
    environment: Callable[[], str],
    *,
    settings: Any = None,
    finish: Finish | None = None,
    jobs: int | None = None,
    resume: bool = False,
    dask: str | None = None,
    quiet: bool = False,
    look: Look | None = None,
    crew=None,
) -> int:
    """Make the files of every scenario and return the exit status of the contract.

    `work` makes one scenario's files and must be importable where the workers are; `environment` hashes what its result depends on
    beside the scenario and `settings`. `finish` gets the entries of the manifest in order and gives files of the run as a whole, such
    as the workbook. `crew` replaces the processes (see pool). Raises InputError, OSError where nothing can be done.
    """
    out = Path(out)
    if out.exists() and not out.is_dir():
        raise InputError("is a file; name a folder for the results", f"-o {out}")
    out.mkdir(parents=True, exist_ok=True)
    with alone(out):
        files.sweep(out)
        if dask:
            from sheetcalc.batch.remote import Cluster

            crew = Cluster(dask, environment)
        try:
            return _Run(table, out, work, environment(), settings, finish, resume, quiet, look).go(crew or Processes(jobs or _cores()))
        finally:
            if dask:
                crew.close()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Run:
    def __init__(self, table, out, work, environment, settings, finish, resume, quiet, look):
        self.table, self.out, self.work, self.finish, self.resume, self.quiet, self.look = table, out, work, finish, resume, quiet, look
        self.environment, self.settings = environment, settings
        self.manifest = Manifest(
            out, {"source": Path(table.path).name, "environment": environment, "settings": settings, "notes": table.notes}
        )
        self.earlier = {manifest.identity(e): e for e in self.manifest.before if "scenario" in e}
        self.adds = table.rows.was_refused and bool(self.earlier)
        self.rows: dict[str, Scenario] = {}
        self.refused: list[tuple[int, list[str], list[Problem]]] = []
        self.kept = 0
        self.whole = True
        self.said = 0
        self.settled: set[str] = set()
        self.progress: Progress

    def go(self, crew) -> int:
        """All of it, with what the exit status depends on."""
        self._look_at_the_disk()
        self.progress = Progress(self.table.count, self.quiet)
        with Interrupt() as interrupt:
            try:
                self.manifest.begin(self._of_other_rows() if self.adds else self._done_before() if self.resume else [])
                with contextlib.closing(each(self.work, self._tasks(), crew, lambda: interrupt.asked)) as results:
                    for task, found in results:
                        self._ended(task, found)
                        self.progress.step()
                self.progress.close()
                if interrupt.asked:
                    return self._interrupted()
                self._end()
            except OSError as error:
                return self._stopped(error)
            finally:
                self.progress.close()
                self.manifest.close()
        return self._said()

    def _look_at_the_disk(self) -> None:
        free, need = shutil.disk_usage(self.out).free, self.table.count * OFTEN_ENOUGH
        if free < need and not self.quiet:
            print(f"{self.out}: {free / 1e6:,.0f} MB are free and the memos may take {need / 1e6:,.0f} MB", file=sys.stderr)

    def _of_other_rows(self) -> list[dict]:
        """Mended rows join the run that refused them: what it has done stays, what is mended takes the place of its refusal."""
        mended = {_original_row(self.table, row) for row in self.table}
        return [e for e in self.earlier.values() if e["status"] == "done" or e["row"] not in mended]

    def _done_before(self) -> list[dict]:
        return [e for e in self.earlier.values() if e["status"] == "done"]

    def _tasks(self) -> Iterator[Task]:
        """The scenarios to make; refused rows and what an earlier run has done are settled on the way."""
        for row in self.table:
            number = _original_row(self.table, row) if self.adds else row.row_number
            if isinstance(row, Refusal):
                self._refuse(number, row.name, row.cells, list(row.problems), row.row_number)
                self.progress.step()
                continue
            task = Task(number, row.name, names.stem(row.name), row.inputs, row.notes, row.recipients, row.issue_date, row.conversions)
            before = self.earlier.get(folded(row.name))
            if (
                self.resume
                and before
                and before["status"] == "done"
                and before["key"] == self._key(task)
                and manifest.still_there(self.out, before)
            ):
                self.kept += 1
                self._settle(before | {"row": number}, new=before["row"] != number)
                self.progress.step()
                continue
            self.rows[row.name] = row
            yield task

    def _key(self, task: Task) -> str:
        return manifest.key(self.environment, settings=self.settings, **task._replace(row_number=0)._asdict())

    def _ended(self, task: Task, found: Made | Failed) -> None:
        row = self.rows.pop(task.name)
        if isinstance(found, Made) and found.status != "refused":
            try:
                written = [files.write(self.out, task.stem + ending, content) for ending, content in found.files.items()]
            except (HeldOpen, ValueError) as error:
                found = Failed(str(error))
            else:
                self._settle(self._entry(task, "done", written, found.status, found.problems, found.summary))
                return
        if isinstance(found, Made):
            problems = [Problem("", says, "change the inputs of this row") for says in found.problems]
            self._refuse(task.row_number, task.name, row.cells, problems, row.row_number)
        else:
            problem = Problem("", f"failed: {found.why}", "run this row again, alone")
            self._say(problem, row.row_number)
            self.refused.append((task.row_number, row.cells, [problem]))
            self._settle(self._entry(task, "failed", [], "failed", [found.why], {}))

    def _refuse(self, number: int, name: str, cells: list[str], problems: list[Problem], shown: int) -> None:
        for problem in problems:
            self._say(problem, shown)
        self.refused.append((number, cells, problems))
        task = Task(number, name, "", {})
        self._settle(self._entry(task, "refused", [], "refused", [p.line("").removeprefix(": ") for p in problems], {}))

    def _say(self, problem: Problem, row: int) -> None:
        self.said += 1
        if self.said <= SHOWN:
            print(problem.line(self.table.path, row), file=sys.stderr)

    def _settle(self, entry: dict, new: bool = True) -> None:
        """A scenario has ended, and which way is on the disk."""
        if new:
            self.manifest.add(entry)
        self.settled.add(manifest.identity(entry))

    def _entry(self, task: Task, status: str, written: list[Written], result: str, problems: list[str], cells: dict) -> dict:
        return {
            "row": task.row_number,
            "scenario": task.name,
            "status": status,
            "result": result,
            "key": self._key(task),
            "problems": problems,
            "files": [w._asdict() for w in written],
            "inputs": task.inputs,
            "notes": task.notes,
            "recipients": task.recipients,
            "issue_date": task.issue_date,
            "conversions": list(task.conversions),
            "summary": cells,
        }

    def _end(self) -> None:
        """The files of the run as a whole."""
        if not self.adds:
            self.manifest.keep_only(self.settled)
        entries = self.manifest.ordered()
        folder = Folder(self.out, self.manifest.made)
        if not self.adds:
            folder.name_left_over(list(self.earlier.values()), entries)
        made = [
            folder.write_summary([e for e in entries if e["status"] == "done"], self.look),
            *folder.write_refused(self.table, self.refused),
        ]
        if self.finish:
            made += [folder.write(name, content) for name, content in self._finished(entries).items()]
        self.manifest.end(made)

    def _finished(self, entries: list[dict]) -> dict[str, bytes]:
        try:
            return self.finish(entries)
        except SheetcalcError as error:
            print(f"{self.out}: the files over all scenarios were not made: {error}", file=sys.stderr)
            self.whole = False
            return {}

    def _counts(self) -> dict[str, int]:
        found = {"done": 0, "refused": 0, "failed": 0}
        for entry in self.manifest.entries.values():
            found[entry["status"]] += 1
        return found

    def _said(self) -> int:
        counts = self._counts()
        if self.said > SHOWN:
            print(f"{self.table.path}: {self.said - SHOWN:,} more problems are in {REFUSED}", file=sys.stderr)
        if not self.quiet:
            again = f" ({self.kept} of them before)" if self.kept else ""
            print(f"{self.out}: {counts['done']} done{again}, {counts['refused']} refused, {counts['failed']} failed", file=sys.stderr)
        return 1 if counts["refused"] + counts["failed"] or not self.whole else 0

    def _interrupted(self) -> int:
        print(
            f"interrupted: {self._counts()['done']} of {self.table.count} are done and kept; the same command with --resume does the rest",
            file=sys.stderr,
        )
        return 130

    def _stopped(self, error: OSError) -> int:
        """The disk is full, the folder cannot be written, or the cluster is gone."""
        done = self._counts()["done"]
        what = "the disk is full" if error.errno in FULL else str(error.strerror or error)
        cure = "make room" if error.errno in FULL else "see to that"
        print(
            f"{self.out}: {what} after {done} of {self.table.count}: {cure}, then run again with --resume",
            file=sys.stderr,
        )
        return 1 if done else 2


def _original_row(table: Reading, row: Scenario | Refusal) -> int:
    """The row of the first table, where this one is a refused.csv that names it."""
    place = table.rows.place.get("refused_row")
    cell = row.cells[place].strip() if place is not None and place < len(row.cells) else ""
    return int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 10 else row.row_number
