"""How the bytes of a text file are to be read: byte order mark, UTF-8, UTF-16, else Windows-1252 under strict rules, else a refusal.

A file is read block by block, so its size does not matter.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sheetcalc.numbers import quoted
from sheetcalc.scenarios.problems import TableError, unusable

BLOCK = 1 << 20
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # bytes without a character in Windows-1252
UTF8_PAIR = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
SHOWN = 3  # lines of a preview


class Encoding(NamedTuple):
    """The name of a codec, and the sentence to print and record where it was not plain UTF-8."""

    name: str
    note: str = ""


def detect(path: Path, declared: str | None = None) -> Encoding:
    """The encoding of a text file. Raises TableError in words where there is no certain one."""
    if declared:
        return _declared(path, declared)
    with open(path, "rb") as file:
        head = file.read(4096)
    for mark, name in MARKS:
        if head.startswith(mark):
            _decodes(path, name)
            return Encoding(name)
    wide = _zeros_show(head)
    if wide:
        _decodes(path, wide)
        return Encoding(wide, f"read as {wide}, which its zero bytes show (it has no byte order mark)")
    place = _first_undecodable(path, "utf-8")
    return _with_windows_bytes(path, place) if place is not None else Encoding("utf-8")


def _declared(path: Path, name: str) -> Encoding:
    try:
        codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        raise unusable(
            str(path), f"{quoted(name)} is not a known encoding", "write utf-8, utf-16, cp1252 or another name that Python knows"
        ) from None
    _decodes(path, name)
    return Encoding(name, f"read as {name}, as declared")


def _zeros_show(head: bytes) -> str:
    """UTF-16 without its mark has a zero at every second byte; any other zero is damage of one row."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return "utf-16-le" if odd > len(head) * 0.4 and not even else "utf-16-be" if even > len(head) * 0.4 and not odd else ""


def _blocks(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            yield block


def _first_undecodable(path: Path, name: str) -> tuple[int, bytes] | None:
    """The line and the bytes at which a file stops being text of that encoding."""
    decoder, line = codecs.getincrementaldecoder(name)("strict"), 1
    for block in [*_blocks(path), b""] if path.stat().st_size < BLOCK else _and_end(path):
        pending = decoder.getstate()[0]
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            whole = pending + block
            return line + whole[: error.start].count(b"\n"), whole[error.start : error.start + 1]
        line += block.count(b"\n")
    return None


def _and_end(path: Path) -> Iterator[bytes]:
    yield from _blocks(path)
    yield b""


def _decodes(path: Path, name: str) -> None:
    place = _first_undecodable(path, name)
    if place:
        raise unusable(
            str(path),
            f"has the byte 0x{place[1].hex().upper()}, which is not {name}",
            "save it again as CSV UTF-8, or name its --encoding",
            place[0],
        )


def _with_windows_bytes(path: Path, place: tuple[int, bytes]) -> Encoding:
    """Text that is not UTF-8 is Windows-1252 only if every byte can be, and nothing in it looks like UTF-8."""
    line, byte = place
    at = f"row {line} has byte 0x{byte.hex().upper()}, which is not UTF-8"
    lines, carried, number = [], b"", 1
    for block in _blocks(path):
        text = carried + block
        bad = UNDEFINED.search(text)
        if bad:
            raise _refused(
                path,
                line,
                at,
                f"and byte 0x{bad[0].hex().upper()} in row {number + text[: bad.start()].count(10)} is no Windows character either",
            )
        mixed = UTF8_PAIR.search(text)
        if mixed:
            row = number + text[: mixed.start()].count(b"\n")
            raise unusable(
                str(path),
                f"{at}, but row {row} holds the UTF-8 character {mixed[0].decode('utf-8', 'replace')}: two encodings in one file",
                "save it again as CSV UTF-8, or name its --encoding",
                line,
            )
        lines += _with_letters(text, SHOWN - len(lines))
        carried = text[-3:] if not text.endswith(b"\n") else b""
        number += text[: len(text) - len(carried)].count(b"\n")
    preview = ", ".join(dict.fromkeys(quoted(found) for found in lines))
    return Encoding("cp1252", f"{at}; read as cp1252 (Windows), which gives {preview}; if that is wrong name the --encoding")


def _with_letters(text: bytes, few: int) -> list[str]:
    """The first cells that hold a byte above ASCII, or what stands around it in a long one."""
    found = []
    for match in re.finditer(rb'[^\r\n\t,;|"]{0,20}[\x80-\xff][^\r\n\t,;|"]{0,18}', text):
        if len(found) >= few:
            break
        found.append(match[0].decode("cp1252", "replace"))
    return found


def _refused(path: Path, line: int, at: str, why: str) -> TableError:
    from charset_normalizer import from_bytes

    with open(path, "rb") as file:
        guess = from_bytes(file.read(BLOCK)).best()
    look = f"; it may be {guess.encoding}, which would read {quoted(next(iter(_lines_of(str(guess))), ''))}" if guess else ""
    return unusable(str(path), f"{at}, {why}{look}", "save it again as CSV UTF-8, or name its --encoding", line)


def _lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.isascii()]
