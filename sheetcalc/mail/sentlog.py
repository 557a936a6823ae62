"""What was sent: a line before and a line after each message, so that a run that was cut off never sends twice."""

import json
import os
from pathlib import Path


class SentLog:
    """States of a letter's identity: unknown to the log, trying (begun and never finished), sent, refused."""

    def __init__(self, path):
        self.path = Path(path)
        self.states = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                    self.states[entry["letter"]] = entry["state"]
                except (json.JSONDecodeError, KeyError, TypeError):
                    continue  # the last line of a run that was cut off

    def state(self, letter):
        return self.states.get(letter.identity, "")

    def note(self, letter, state, why=""):
        """Write one line and see it on the disk before going on."""
        entry = {"letter": letter.identity, "state": state, "row": letter.row, "to": list(letter.to), "file": letter.file_name}
        if why:
            entry["why"] = why
        cut_off = self.path.exists() and not self.path.read_bytes().endswith(b"\n") and self.path.stat().st_size
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(("\n" if cut_off else "") + json.dumps(entry, ensure_ascii=False, sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.states[letter.identity] = state
