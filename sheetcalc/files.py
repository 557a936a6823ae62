"""Files that appear whole or not at all: a temporary file beside the final one, flushed to the disk, then renamed over it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from sheetcalc.errors import InputError

PART = ".part"  # ending of a file that is not whole yet
TRIES = 5  # times a rename is tried while another program holds the file open
PAUSE = 0.1  # seconds before the second try; doubled each time


class Written(NamedTuple):
    """A file as it was written."""

    name: str
    sha256: str
    bytes: int


class HeldOpen(InputError):
    """Another program keeps the file open, as Excel and PDF readers do on Windows."""


def write(folder: Path, name: str, content: bytes) -> Written:
    """Write a file of that name in `folder`. Raises HeldOpen, OSError (a full disk, no right), ValueError on content that is not whole."""
    if Path(name).name != name or name in (".", ".."):
        raise ValueError(f"{name!r} is not a name inside the folder")
    _is_whole(name, content)
    part = folder / f".{name}.{os.getpid()}{PART}"
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _rename(part, folder / name)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    _flush(folder)
    return Written(name, hashlib.sha256(content).hexdigest(), len(content))


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file wherever a command was told to. Raises HeldOpen, InputError where its folder is not there, OSError."""
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first, or choose another", str(path))
    write(path.parent, path.name, data)


@contextlib.contextmanager
def text_whole(path: str | Path) -> Iterator[TextIO]:
    """A text file to write line by line, in UTF-8, that appears when all of it is written; else what was there stays.

    Raises HeldOpen, InputError where its folder is not there, OSError.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first, or choose another", str(path))
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        with open(part, "w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _rename(part, path)
    finally:
        part.unlink(missing_ok=True)


def _is_whole(name: str, content: bytes) -> None:
    if name.endswith(".pdf") and not (content.startswith(b"%PDF") and b"%%EOF" in content[-64:]):
        raise ValueError(f"{name} is not a whole PDF")
    if name.endswith(".xlsx") and zipfile.ZipFile(io.BytesIO(content)).testzip() is not None:
        raise ValueError(f"{name} is not a whole workbook")


def _rename(part: Path, final: Path) -> None:
    for attempt in range(TRIES):
        try:
            os.replace(part, final)
            return
        except PermissionError:
            if not final.exists() or attempt == TRIES - 1:
                break
            time.sleep(PAUSE * 2**attempt)
    if final.is_file():
        raise HeldOpen(f"{final.name} is open in another program: close it there and run again with --resume")
    os.replace(part, final)


def _flush(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_same(folder: Path, written: Written) -> bool:
    """True where the file is there with that content."""
    try:
        path = folder / written.name
        return path.stat().st_size == written.bytes and hashlib.sha256(path.read_bytes()).hexdigest() == written.sha256
    except OSError:
        return False


def sweep(folder: Path) -> None:
    """Remove what a killed run left half written."""
    for part in folder.glob(f".*{PART}"):
        with contextlib.suppress(OSError):
            part.unlink()
