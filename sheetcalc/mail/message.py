"""One memo as one message: plain-text summary in the body, PDF attached, built so that the same memo gives the same bytes."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP

from sheetcalc.errors import InputError
from sheetcalc.mail.addresses import header

SUBJECT_LIMIT = 200  # characters
SIZE_LIMIT = 10_000_000  # bytes of the PDF; base64 makes it 1.37 times as large and many hosts stop at 20 MB


@dataclass(frozen=True)
class Letter:
    """What goes to whom: `row` names the scenario, `summary` is plain text, `pdf` the memo under its file name."""

    row: str
    to: tuple[str, ...]
    subject: str
    summary: str
    file_name: str
    pdf: bytes

    @property
    def identity(self):
        """One value for one memo to one set of people; the sent log counts by it."""
        parts = [self.row, *sorted(address.lower() for address in self.to), self.file_name, hashlib.sha256(self.pdf).hexdigest()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def one_line(text, limit=SUBJECT_LIMIT):
    """Text for a header: no line break, no control or direction character, at most `limit` characters."""
    kept = "".join(
        " " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text if unicodedata.category(c) not in ("Cf", "Cs")
    )
    kept = re.sub(" +", " ", kept).strip()
    return kept if len(kept) <= limit else kept[: limit - 1].rstrip() + "…"


def compose(letter, sender, draft=True):
    """The message. Raises InputError when there is nobody to send to, the PDF is no PDF, or it is too large."""
    if not letter.to:
        raise InputError("has no recipient; add --to ADDRESS or a column recipients", letter.row)
    if not letter.pdf.startswith(b"%PDF-"):
        raise InputError(f"{letter.file_name} is not a PDF; run the scenarios again", letter.row)
    if len(letter.pdf) > SIZE_LIMIT:
        raise InputError(f"{letter.file_name} has {len(letter.pdf):,} bytes; mail takes at most {SIZE_LIMIT:,}", letter.row)
    message = EmailMessage(policy=SMTP)
    message["Subject"] = one_line(letter.subject)
    if sender:
        message["From"] = header([sender])
    message["To"] = header(letter.to)
    message["Message-ID"] = f"<{letter.identity[:40]}@sheetcalc.invalid>"
    if draft:
        message["X-Unsent"] = "1"
    message.set_content(_plain(letter.summary), charset="utf-8", cte="quoted-printable")
    message.add_attachment(letter.pdf, maintype="application", subtype="pdf", filename=ascii_name(letter.file_name))
    message.set_boundary(f"sheetcalc-{letter.identity[:32]}")
    return message


def _plain(text):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(c for c in line if c == "\t" or unicodedata.category(c) not in ("Cc", "Cs")) for line in lines) + "\n"


def ascii_name(name):
    """A file name that every mail program shows: old ones read RFC 2231 names as .dat files."""
    bare = name.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".pdf")
    plain = unicodedata.normalize("NFKD", bare).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-.")
    return f"{stem or 'memo'}.pdf"
