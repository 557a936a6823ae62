"""What the bytes of a memo depend on beside its inputs: our own files, the templates and fonts, and the libraries that draw."""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import sheetcalc
from sheetcalc.memo.versions import pango

LIBRARIES = ("weasyprint", "pydyf", "fonttools", "tinycss2", "tinyhtml5", "pyphen", "matplotlib", "jinja2", "openpyxl", "numpy")
IGNORED = {".pyc", ".part"}


@lru_cache(1)
def fingerprint() -> str:
    """A hash of everything installed that a result depends on; two machines with the same one write the same bytes."""
    found = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for library in LIBRARIES:
        try:
            version = metadata.version(library)
        except metadata.PackageNotFoundError:
            version = "none"
        found.update(f"{library} {version}\n".encode())
    package = Path(sheetcalc.__file__).parent
    for root in (package, package.parent / "templates"):
        for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix not in IGNORED):
            found.update(path.relative_to(root).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    found.update(pango().encode())
    return found.hexdigest()
