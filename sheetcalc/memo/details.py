"""What a memo is told beside the result: scenario, date, number, the attached workbook."""

import re
from dataclasses import dataclass
from datetime import date

from sheetcalc.errors import InputError

UNDATED = "undated: ages not checked"


@dataclass(frozen=True)
class Details:
    scenario: str = ""
    notes: str = ""
    issued: date | None = None
    number: str = ""
    workbook: str = ""
    fingerprint: str = ""

    def date_words(self, brand):
        """The issue date in the company's pattern (CLDR letters d, M, y)."""
        if self.issued is None:
            return UNDATED
        return _written(self.issued, brand.date_format)


def read_date(text):
    """A date of a scenario, written 2026-11-30. Raises InputError."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"issue_date: '{text}' is not a date; write it like 2026-11-30") from None


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _written(day, pattern):
    parts = {
        "dd": f"{day.day:02d}",
        "d": str(day.day),
        "MMMM": MONTHS[day.month - 1],
        "MMM": MONTHS[day.month - 1][:3],
        "MM": f"{day.month:02d}",
        "M": str(day.month),
        "yyyy": f"{day.year:04d}",
        "yy": f"{day.year % 100:02d}",
    }
    return re.sub(r"d{1,2}|M{1,4}|y{2,4}", lambda found: parts.get(found.group(), found.group()), pattern)
