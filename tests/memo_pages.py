"""A memo read back from its PDF, and its digits held against the ledger of what the page printed."""

import io
import re

from pypdf import PdfReader

from sheetcalc.memo.phrase import Number, holds


def pages(pdf, title):
    """The text of each page without running header, footer and the numerals of ordered lists."""
    out = []
    for number, page in enumerate(PdfReader(io.BytesIO(pdf)).pages):
        lines = [line for line in page.extract_text().split("\n") if not re.fullmatch(r"\s*\d+\.\s*", line)]
        lines = [line for line in lines if not re.search(r"Page \d+ of \d+\s*$", line)]
        if number:  # the running header is drawn last
            header = [place for place, line in enumerate(lines) if _running(squeezed(line).strip("•"), squeezed(title))]
            lines = [line for place, line in enumerate(lines) if place not in header[-1:]]
        out.append("\n".join(lines))
    return out


def _running(line, title):
    """Whether a line is the title in the running header, which cuts a long one."""
    return line == title or (line.endswith("…") and len(line) > 40 and title.startswith(line[:-1]))


def squeezed(text):
    return re.sub(r"\s+", "", text)


def stray_digits(pdf, memo):
    """Every digit of the PDF that the ledger does not explain, in words; an empty list is a clean memo."""
    text = squeezed("".join(pages(pdf, memo.title)))
    at, troubles = 0, []
    for entry in memo.ledger.entries:
        wanted = squeezed(entry.text)
        found = text.find(wanted, at)
        if found < 0:
            troubles.append(f"{entry.text!r} is in the ledger and not on the page after …{text[max(0, at - 40) : at]}")
            continue
        if re.search(r"\d", text[at:found]):
            troubles.append(f"typed: {text[max(0, at - 20) : found]!r} before {entry.text!r}")
        at = found + len(wanted)
    if re.search(r"\d", text[at:]):
        troubles.append(f"typed at the end: {text[at:]!r}")
    return troubles


def wrong_numbers(memo):
    """Printed numbers that are not their value, rounded."""
    return [entry for entry in memo.ledger.entries if isinstance(entry, Number) and not holds(entry)]
