"""One run at a time in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sheetcalc.errors import InputError

NAME = ".sheetcalc.lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder. Raises InputError where another run has it; the system lets go when that run ends, however it ends."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / NAME, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"{folder}: another run is at work in this folder: wait until it has ended, or name another folder with -o"
        ) from None
    try:
        yield
    finally:
        lock.release()
