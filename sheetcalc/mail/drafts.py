"""Drafts: one .eml file a memo, which Outlook on Windows and most other programs open ready to send."""

from pathlib import Path

from sheetcalc import files
from sheetcalc.mail.message import compose


def write(letters, folder, sender=""):
    """Write each letter as a draft; one that is already there with the same bytes is left alone. Returns the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [_put(folder, Path(letter.file_name).stem + ".eml", bytes(compose(letter, sender))) for letter in letters]


def _put(folder, name, content):
    path = folder / name
    if not (path.is_file() and path.read_bytes() == content):
        files.write(folder, name, content)
    return path
