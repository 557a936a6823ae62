"""Text made of words and numbers, where each number remembers the value it was printed from.

The page prints numbers from phrases only, and the ledger of a page lists them in reading order; the tests read the PDF back and hold
every digit on it against the ledger.
"""

import re
from dataclasses import dataclass, field

LONGEST_ROW = 44  # letters
LAST_BITS = 1e-11  # an operand is shown to twelve figures, a display value to fourteen
TOLERANCE = 1e-9  # for the last printed digit, so that a value that sits exactly on the half does not fail


@dataclass(frozen=True)
class Number:
    """A printed number: `text` is what stands on the page, `value` what the model holds, in base units."""

    text: str
    value: float
    scale: float = 1.0
    name: str = ""

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Name:
    """Words that may hold digits and are no number: a scenario, a GPU, a document, a date, a label."""

    text: str

    def __str__(self):
        return self.text


def row_name(text) -> Name:
    """The name of a row in a chart, cut where it would leave no room for the picture."""
    words = str(text)
    return Name(words if len(words) <= LONGEST_ROW else words[: LONGEST_ROW - 1].rstrip() + "…")


@dataclass(frozen=True)
class Phrase:
    """Words, names and numbers in reading order."""

    pieces: tuple

    def __str__(self):
        return "".join(str(piece) for piece in self.pieces)

    def __add__(self, other):
        return Phrase(self.pieces + phrase(other).pieces)

    def __bool__(self):
        return bool(str(self))


def phrase(*parts):
    """One phrase of strings, numbers, names and phrases."""
    pieces = []
    for part in parts:
        pieces.extend(part.pieces if isinstance(part, Phrase) else (part,))
    return Phrase(tuple(piece for piece in pieces if str(piece)))


def sentence(words):
    """A sentence as a heading: without its full stop."""
    last = words.pieces[-1] if words.pieces else ""
    return phrase(*words.pieces[:-1], last.removesuffix(".")) if isinstance(last, str) else words


@dataclass
class Ledger:
    """What a page printed, in reading order: numbers and names."""

    entries: list = field(default_factory=list)

    def note(self, piece):
        if isinstance(piece, (Number, Name)) and any(c.isdigit() for c in piece.text):
            self.entries.append(piece)

    def numbers(self):
        return [entry for entry in self.entries if isinstance(entry, Number)]


def holds(number):
    """Whether the printed digits are the value, rounded to them."""
    found = re.search(r"([−-]?)[^\d−-]*(\d[\d,]*(?:\.\d+)?(?:e[−-]?\d+)?)", number.text)
    if not found:
        return False
    digits = (found[1] + found[2]).replace(",", "").replace("−", "-")
    mantissa, _, power = digits.partition("e")
    places = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(power or 0) - places)
    value = number.value / number.scale
    return abs(float(digits) - value) <= unit * (1 / 2 + TOLERANCE) + abs(value) * LAST_BITS
