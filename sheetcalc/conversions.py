"""Units that people write in headers and cells, and the fixed factors between them.

Only factors that need no assumption convert: ms and s, GB and GiB, req/h and req/s, % and a share. A month has no fixed number of hours, so
$/month never becomes $/h by itself.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from sheetcalc.units import MEASURED, PREFIX, SCALED, words

SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86400, "week": 604800}  # SI brochure, 9th edition, table 8: min, h, d
SYNONYMS = {
    "us": "µs",
    "μs": "µs",
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "hr": "h",
    "hrs": "h",
    "hour": "h",
    "hours": "h",
    "d": "day",
    "days": "day",
    "weeks": "week",
    "mo": "month",
    "months": "month",
    "yr": "year",
    "years": "year",
    "usd": "$",
    "us$": "$",
    "dollar": "$",
    "dollars": "$",
    "token": "tok",
    "tokens": "tok",
    "request": "req",
    "requests": "req",
    "reqs": "req",
    "bytes": "B",
    "byte": "B",
    "fraction": "",
    "share": "",
    "1": "",
    "gpus": "GPU",
    "nodes": "node",
    "replicas": "replica",
}
COUNTS = {
    "tok",
    "req",
    "param",
    "GPU",
    "node",
    "replica",
    "people",
    "persons",
    "users",
    "staff",
    "employees",
    "seats",
    "calls",
    "sequences",
    "layers",
    "machines",
    "servers",
    "copies",
    "draws",
}
THOUSANDS = {"k": 3, "K": 3, "M": 6, "bn": 9}
COUNTED = ("%", "x")  # units that are neither a count nor an amount of money
_WORD = re.compile(rf"^(Ki|Mi|Gi|Ti|[µmkMGTP])?({'|'.join(map(re.escape, SCALED))})$")


@lru_cache(4096)
def spelled_out(unit: str) -> str:
    """A unit as people write it in the spelling of the product: 'USD k / hour' is 'k$/h'."""
    unit = unit.strip().replace("\u00a0", " ").replace("\u202f", " ")
    unit = re.sub(r"^(?:USD|US\$|\$)\s*(k|M|bn)\b", r"\1$", unit)  # USD k
    unit = re.sub(r"\b1 ?([kM]) ?(?=tok)", r"\1", re.sub(r"\b([kMGTP]?)FLOPS\b", r"\1FLOP/s", unit))  # $/1M tokens, TFLOPS
    parts = []
    for part in re.split(r"\s*/\s*|\s+per\s+", unit):
        words = [SYNONYMS.get(w.casefold(), SYNONYMS.get(w, w)) for w in re.split(r"\s*·\s*", part)]
        parts.append("·".join(words))
    return re.sub(r"\b([kMG]) ?(tok|param|req)[a-z]*", r"\1\2", "/".join(parts))


@lru_cache(4096)
def _taken_apart(unit: str) -> tuple[Fraction, tuple]:
    """The factor to seconds, bytes and the like, and what is measured or counted, with its power."""
    if unit == "%":
        return Fraction(1, 100), ()
    factor, kinds = Fraction(1), {}
    for word, power in words(unit):
        thousands = re.match(r"^(bn)(\$)$", word)
        found = thousands or _WORD.match(word)
        prefix, name = (found[1] or "", found[2]) if found else ("", word)
        scale = Fraction(10**9) if prefix == "bn" else Fraction(str(PREFIX[prefix])) if prefix else Fraction(1)
        if name in SECONDS:
            scale, name = scale * SECONDS[name], "s"
        factor *= scale if power > 0 else 1 / scale
        kinds[name] = kinds.get(name, 0) + power
    return factor, tuple(sorted((k, v) for k, v in kinds.items() if v))


@lru_cache(4096)
def factor(typed: str, unit: str) -> Fraction | None:
    """How many `unit` one `typed` unit is, or None where there is no fixed factor.

    A column without a unit takes a count of any kind ('200 GPUs').
    """
    typed = spelled_out(typed)
    if typed.startswith("/"):  # '1200 /min' in a column of req/s: what is counted goes without saying
        typed = unit.split("/")[0] + typed
    if typed == unit:
        return Fraction(1)
    if (typed == "%") != (unit == "%") and (typed or unit) not in ("", "%"):
        return None
    if unit == "%":  # a share is typed as 0.45, and shown in %
        return Fraction(1) if typed == "" else None
    if typed == "%":
        return None
    (a, of), (b, to) = _taken_apart(typed), _taken_apart(unit)
    if of == to:
        return a / b
    return Fraction(1) if unit == "" and typed in COUNTS else None


@lru_cache(4096)
def is_count_or_money(unit: str) -> bool:
    """True where people write 1.5M: a count (also per time) or dollars, without a prefix of its own."""
    if unit in COUNTED:
        return False
    upper = [w for w, power in words(unit) if power > 0]
    return all(
        w == "$" or (w not in MEASURED and not (_WORD.match(w) and _WORD.match(w)[1]) and _WORD.sub(r"\2", w) not in MEASURED)
        for w in upper
    )
