"""Drafts: one .eml file a memo, which Outlook on Windows and most other programs open ready to send."""

import os
from pathlib import Path

from sheetcalc.mail.message import compose


def write(letters, folder, sender=""):
    """Write each letter as a draft; a draft that is already there with the same bytes is left alone. Returns the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [_put(folder / (Path(letter.file_name).stem + ".eml"), bytes(compose(letter, sender))) for letter in letters]


def _put(path, content):
    if not (path.is_file() and path.read_bytes() == content):
        half = path.with_suffix(".eml.part")
        with open(half, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)
    return path
