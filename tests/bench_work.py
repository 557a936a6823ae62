"""Work whose cost is measured: a memo that is nothing, and a real one that says what it took."""

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

from sheetcalc.batch import Made, Task
from sheetcalc.commands.memo_work import MemoWork

MEMO = b"%PDF-1.7\n" + bytes(range(256)) * 400 + b"\n%%EOF\n"  # 100 kB, as a memo without attachments


def nothing(task: Task) -> Made:
    return Made({".pdf": MEMO}, "ok", [], {f"output {i}": 1.0 / (i + 3) for i in range(20)} | of_process())


def of_process() -> dict:
    """The process that did it, the CPU that it has taken since its start, its memory in MB."""
    memory = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6
    return {"pid": os.getpid(), "total": time.process_time(), "rss": memory}


@dataclass(frozen=True)
class Timed(MemoWork):
    """A memo whose summary is its CPU time, that of its charts and its workbook, and the memory of its process."""

    def __call__(self, task: Task) -> Made:
        from sheetcalc.memo import charts
        from sheetcalc.workbook import book

        took = {"charts": 0.0, "book": 0.0}
        undo = [_measure(charts, "draw", took, "charts"), _measure(book, "build", took, "book")]
        began = time.process_time()
        try:
            made = super().__call__(task)
        finally:
            for module, name, original in undo:
                setattr(module, name, original)
        return made._replace(summary={"make": time.process_time() - began, **took, **of_process()})


def _measure(module, name, took, key):
    original = getattr(module, name)

    def measured(*args, **options):
        began = time.process_time()
        try:
            return original(*args, **options)
        finally:
            took[key] += time.process_time() - began

    setattr(module, name, measured)
    return module, name, original
