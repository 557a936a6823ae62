"""The manifest: one line of JSON for each scenario that has ended, so that nothing done is done again.

While a run is at work lines are appended in the order in which scenarios end, each flushed to the disk; when it is through, the file
is written again in the order of the table. A line counts only if it is whole.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from sheetcalc import files
from sheetcalc.files import Written
from sheetcalc.typed import folded

NAME = "manifest.jsonl"


def key(environment: str, **parts: Any) -> str:
    """The hash of everything that a scenario's files depend on."""
    return hashlib.sha256(json.dumps([environment, parts], sort_keys=True).encode()).hexdigest()


def line(entry: dict) -> bytes:
    """An entry as one line; the cells of its summary stay in their order."""
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def identity(entry: dict) -> str:
    """What makes two entries the same scenario: the name, or the row where that is refused, for its name may be another's."""
    return f"row {entry['row']}" if entry["status"] == "refused" else folded(entry["scenario"])


class Manifest:
    """Entries by scenario; `head` says what the run was given."""

    def __init__(self, folder: Path, head: dict):
        self.folder, self.head, self.entries, self._file = folder, head, {}, None
        self.before = _load(folder / NAME)
        self.made = {w.name: w for entry in self.before if entry.get("end") for w in map(_written, entry["files"])}

    def begin(self, keep: list[dict]) -> None:
        """Start with the entries of an earlier run that still hold."""
        for entry in keep:
            self.entries[identity(entry)] = entry
        files.write(self.folder, NAME, self._text([*self.entries.values(), *(entry for entry in self.before if entry.get("end"))]))
        self._file = open(self.folder / NAME, "ab", buffering=0)  # noqa: SIM115 (open as long as the run)

    def add(self, entry: dict) -> None:
        """Record that a scenario has ended; on return it is on the disk."""
        text = line(entry)
        if self._file.write(text) != len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), NAME)
        os.fsync(self._file.fileno())
        self.entries[identity(entry)] = entry

    def close(self) -> None:
        """Stop writing; the file stays as it is."""
        if self._file:
            self._file.close()
            self._file = None

    def keep_only(self, identities: set[str]) -> None:
        """Forget scenarios that are no longer in the table."""
        self.entries = {name: entry for name, entry in self.entries.items() if name in identities}

    def end(self, made: list[Written]) -> None:
        """Write the whole manifest in the order of the table, with the files of the run as a whole."""
        self.close()
        with contextlib.suppress(files.HeldOpen):  # then it stays in the order in which scenarios ended
            files.write(self.folder, NAME, self._text([*self.ordered(), {"end": True, "files": [w._asdict() for w in made]}]))

    def ordered(self) -> list[dict]:
        """The entries in the order of the table."""
        return sorted(self.entries.values(), key=lambda entry: (entry["row"], entry["scenario"]))

    def _text(self, entries: list[dict]) -> bytes:
        return b"".join(map(line, [{"run": self.head}, *entries]))


def _written(kept: dict) -> Written:
    return Written(kept["name"], kept["sha256"], kept["bytes"])


def _load(path: Path) -> list[dict]:
    """The whole lines of a manifest, the head left out."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    out = []
    for text in lines[:-1]:  # what stands behind the last line break was cut off
        try:
            entry = json.loads(text)
        except ValueError:
            continue
        if _is_sound(entry):
            out.append(entry)
    return out


def _is_sound(entry: Any) -> bool:
    """True for a line that a run may rely on, whoever has written it: the file names in it stay inside the folder."""
    if not isinstance(entry, dict) or not isinstance(entry.get("files"), list):
        return False
    for kept in entry["files"]:
        if not isinstance(kept, dict) or not {"name", "sha256", "bytes"} <= kept.keys():
            return False
        name = kept["name"]
        if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
            return False
    shape = {"row": int, "scenario": str, "status": str, "result": str, "key": str, "problems": list, "summary": dict}
    known = entry.get("status") in ("done", "refused", "failed") and all(isinstance(entry.get(k), kind) for k, kind in shape.items())
    return known or entry.get("end") is True


def scenarios(folder: Path) -> list[dict]:
    """The scenarios of a run that has been made in a folder, in the order of its manifest."""
    return [entry for entry in _load(folder / NAME) if "scenario" in entry]


def still_there(folder: Path, entry: dict) -> bool:
    """True where every file of a finished scenario is there as it was written."""
    return all(files.is_same(folder, _written(kept)) for kept in entry["files"])
