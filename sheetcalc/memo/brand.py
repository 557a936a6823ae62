"""What a company sets once: color, logo, paper, names, date and number style. One small TOML file."""

import difflib
import hashlib
import re
import tomllib
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from sheetcalc.errors import SheetcalcError

PAPERS = ("A4", "Letter")
LOGO_LIMIT = 1_000_000  # bytes
MOST_APPROVALS = 4
LONGEST_TEXT = 200


class BrandError(SheetcalcError):
    """The brand file cannot be used; the sentence says which line to mend."""


@dataclass(frozen=True)
class Brand:
    company: str = ""
    accent: str = "#17567d"
    logo: str = ""
    paper: str = "A4"
    language: str = "en-US"
    to: str = "Infrastructure investment committee"
    from_: str = "Capacity planning"
    confidentiality: str = ""
    date_format: str = "d MMMM yyyy"
    decimal_mark: str = "."
    currency: str = "$"
    approvals: tuple[str, ...] = ("Prepared", "Reviewed", "Approved")
    folder: str = ""

    def logo_path(self):
        return Path(self.folder) / self.logo


@lru_cache(maxsize=8)
def load(path):
    """The brand of a file. Raises BrandError in words that name the key."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BrandError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BrandError(f"{path}: is not valid TOML: {error}") from None
    known = {field.name.rstrip("_") for field in fields(Brand)} - {"folder"}
    for key, value in table.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"the keys are {', '.join(sorted(known))}"
            raise BrandError(f"{path}: unknown key '{key}': {hint}")
        _check(path, key, value)
    values = {("from_" if key == "from" else key): value for key, value in table.items()}
    if "approvals" in values:
        values["approvals"] = tuple(values["approvals"])
    brand = Brand(**values, folder=str(path.resolve().parent))
    if brand.logo:
        _check_logo(path, brand)
    return brand


def digest(path):
    """One value for a brand file and its logo together. Raises BrandError."""
    brand = load(path)
    parts = [Path(path).read_bytes(), brand.logo_path().read_bytes() if brand.logo else b""]
    return hashlib.sha256(b"|".join(parts)).hexdigest()


def _check(path, key, value):
    def refuse(what):
        raise BrandError(f"{path}: {key} = {value!r}: {what}")

    if key == "approvals":
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value) or len(value) > MOST_APPROVALS:
            refuse('write a list of at most four words, for example ["Prepared", "Approved"]')
        return
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or any(not c.isprintable() for c in value):
        refuse("write one line of text in quotes")
    rules = {
        "accent": (r"#[0-9a-fA-F]{6}", 'write a color as "#17567d"'),
        "paper": ("|".join(PAPERS), 'write "A4" or "Letter"'),
        "language": (r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", 'write a language tag such as "en-US"'),
        "decimal_mark": (r"[.,]", 'write "." or ","'),
        "logo": (r"([A-Za-z0-9_-]+\.(svg|png))?", "write the bare name of an .svg or .png file beside this file"),
        "currency": (r"[^\d\s<>&]{1,4}", 'write a symbol of at most four characters, such as "$", "US$" or "€"'),
        "date_format": (r"[dMy ,./-]{4,20}", 'write a pattern of d, M and y such as "d MMMM yyyy"'),
    }
    if key in rules and not re.fullmatch(rules[key][0], value):
        refuse(rules[key][1])


def _check_logo(path, brand):
    file = brand.logo_path()
    if not file.is_file():
        raise BrandError(f"{path}: logo = '{brand.logo}': no such file in {brand.folder}")
    if file.stat().st_size > LOGO_LIMIT:
        raise BrandError(f"{path}: logo = '{brand.logo}': larger than 1 MB; save a smaller one")
