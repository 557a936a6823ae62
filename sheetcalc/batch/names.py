"""File names from scenario names: safe on Windows, macOS and Linux, apart without regard to case, the same in every run.

A name that is plain (letters, digits and single blanks) becomes its file name as it is; any other gets a few digits of its hash, so
that two names that look alike once reduced to ASCII never meet. The order of the table does not matter.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from sheetcalc.typed import folded

LONGEST = 60  # characters; with a folder of 180 this stays below Windows' 260
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])$", re.I)  # device names of Windows, also with an extension
_MARKED = re.compile(r"-[0-9a-f]{10}$")  # how a name with a hash ends; no plain name may pass for one
_SPELLED = str.maketrans(  # letters that have no accent to lose
    {"ß": "ss", "ẞ": "SS", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d"}
    | {"Ð": "D", "ð": "d", "Þ": "Th", "þ": "th", "ı": "i"}
)
_PLAIN = re.compile(r"[A-Za-z0-9]+(?:[ _][A-Za-z0-9]+)*")


def stem(name: str) -> str:
    """The file name, without extension, of a scenario."""
    reduced = unicodedata.normalize("NFKD", name.translate(_SPELLED)).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9_]+", "-", reduced).strip("-_")[:LONGEST].strip("-_")
    if _PLAIN.fullmatch(name) and not _MARKED.search(slug) and len(name) <= LONGEST and not RESERVED.match(name):
        return slug
    mark = hashlib.sha256(folded(name).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{slug or 'scenario'}-{mark}"
