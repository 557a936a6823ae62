"""What happens inside a worker: one task at a time, within its time and memory, and never a traceback."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import connection, parent_process
from typing import Any, NamedTuple

from sheetcalc.errors import SheetcalcError

SECONDS = 300.0  # wall time; a memo takes a few seconds, more on a machine that does much else
MEMORY = 4_000_000_000  # bytes of address space; a worker needs less than a fifth of it


class Task(NamedTuple):
    """One scenario to make files of; `stem` is the name of its files without the ending."""

    row_number: int
    name: str
    stem: str
    inputs: dict[str, Any]
    notes: str = ""
    recipients: str = ""
    issue_date: str = ""
    conversions: tuple[str, ...] = ()


class Made(NamedTuple):
    """What came of a task: files by their ending, the status of the contract, its sentences, and the cells of the summary."""

    files: dict[str, bytes]
    status: str
    problems: list[str]
    summary: dict[str, Any]


class Failed(NamedTuple):
    """Why there is nothing."""

    why: str


def begin(memory: int) -> None:
    """Prepare a process: Ctrl-C is the parent's, memory is bounded, and the process ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # Windows bounds no process this way
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def carry_out(work: Callable[[Task], Made], seconds: float, task: Task) -> Made | Failed:
    """Do a task; a process that takes too long is ended from outside the interpreter, so that even a loop in C stops."""
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())
    try:
        return answer(work, task)
    finally:
        if seconds:
            faulthandler.cancel_dump_traceback_later()


def answer(work: Callable[[Task], Made], task: Task) -> Made | Failed:
    """Do a task; what goes wrong is told in a sentence."""
    try:
        return work(task)
    except SheetcalcError as error:
        return Failed(" ".join(str(error).split()))
    except MemoryError:
        return Failed("it needs more memory than a worker may use")
    except Exception as error:  # one bad scenario must not stop the others
        return Failed(" ".join(f"{type(error).__name__}: {error}".split())[:300])


_open = []


def _nowhere():
    if not _open:
        _open.append(open(os.devnull, "w"))  # noqa: SIM115 (open as long as the process)
    return _open[0]
