"""Text from people, made fit for a page: no control or direction marks, no character that the memo's fonts cannot draw."""

import subprocess
import unicodedata
from functools import lru_cache
from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.memo.templates import FOLDER

PATIENCE = 60  # seconds
DIRECTION = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\u200e", "\u200f", "\u061c"}
SPACES = {"\u2011": "-", "\u00ad": "", "\ufeff": "", "\u200b": "", "\u2028": " ", "\u2029": " "}


@lru_cache(maxsize=1)
def covered():
    """What the memo draws with its own fonts: what each weight of the sans face has, which also serves where the serif lacks one."""
    from fontTools.ttLib import TTFont

    faces = [TTFont(file, lazy=True) for file in sorted(Path(FOLDER, "fonts").glob("SourceSans*.otf"))]
    return frozenset.intersection(*(frozenset(map(chr, face.getBestCmap())) for face in faces))


def clean(text):
    """The text as it can be printed. A symbol without a glyph is spelled out ("[chart increasing]").

    Raises InputError on a letter that neither the memo's fonts nor the system's can draw.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_character(c) for c in unicodedata.normalize("NFC", text))


@lru_cache(maxsize=4096)
def _character(c):
    if c in SPACES:
        return SPACES[c]
    if c in "\n\t":
        return " "
    kind = unicodedata.category(c)
    if c in DIRECTION or kind in ("Cc", "Cs", "Co", "Cn") or "VARIATION SELECTOR" in unicodedata.name(c, ""):
        return ""
    if c in covered() or kind == "Zs":
        return c
    if kind[0] in "SCP":
        return f"[{unicodedata.name(c).lower()}]"
    if kind[0] == "M" or _system_draws(c):
        return c
    raise InputError(
        f"'{c}' (U+{ord(c):04X}) cannot be drawn: no font here has it; "
        "install a font that has, for example fonts-noto-cjk, or write it in Latin letters"
    )


def _system_draws(c):
    """Whether an installed font has the character, as fontconfig tells. Raises InputError where it does not answer: another answer on a
    busy machine would be another memo."""
    try:
        found = subprocess.run(["fc-list", f":charset={ord(c):x}", "family"], capture_output=True, timeout=PATIENCE, check=False)
    except OSError:
        return False
    except subprocess.TimeoutExpired:
        raise InputError(
            f"the installed fonts were not listed within {PATIENCE} s (fc-list); run it again when the machine is free"
        ) from None
    return bool(found.stdout.strip())
