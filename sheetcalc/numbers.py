"""Numbers as finance people write them, read exactly or refused in words.

`$1,200`, `45 %`, `1.5M`, `(500)`, `−3`, `1'200` and `50 ms` are read; what has two readings (1,234 where a comma may be a decimal
mark) and what is no number (nan, 1_000, #REF!, 1-Mar) is refused with what to write instead. The libraries guess here (pandas
reads 1,,0 as 10), so this is our own, on Decimal.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from sheetcalc import conversions
from sheetcalc.errors import InputError

DIGITS = 15  # significant digits that a spreadsheet keeps (Excel specifications and limits)
LONGEST = 60  # characters; no number that people type is longer
SPACES = "\u00a0\u202f\u2007\u2009"
DOLLARS = ("$", "US$", "USD")
CURRENCIES = (*DOLLARS, "€", "EUR", "£", "GBP", "¥", "JPY", "CNY", "CHF", "₹", "INR", "A$", "C$", "R$", "kr")
_CURRENCY = "|".join(map(re.escape, sorted(CURRENCIES, key=len, reverse=True)))
_SHAPE = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[+\-−]?)\s*(?P<currency>{_CURRENCY})?\s*(?P<second>[+\-−]?)\s*"
    rf"(?P<body>[0-9][0-9.,'’_ {SPACES}]*|[.,][0-9]+)(?P<exponent>[eE][+\-−]?[0-9]+)?\s*"
    rf"(?P<rest>[^0-9()\s][^()]*?)?\s*(?P<close>\))?"
)
_MONTH = "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
_DATE = re.compile(
    rf"[0-9]{{1,2}}[-/. ]({_MONTH})[a-z]*([-/. ][0-9]{{2,4}})?|({_MONTH})[a-z]*[-/. ][0-9]{{1,4}}|"
    r"[0-9]{1,2}[/.\-][0-9]{1,2}[/.\-][0-9]{2,4}|[0-9]{1,2}/[0-9]{1,4}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ].*)?|"
    r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?",
    re.I,
)
_EXCEL_ERROR = re.compile(r"#(REF!|N/A|VALUE!|DIV/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|SC!.*|#+)", re.I)
_NOTHING = {"n/a", "na", "n.a.", "nil", "null", "none", "-", "–", "—", "?", "tbd", "tba", "x"}
_UNBOUNDED = {"nan", "inf", "infinity", "∞", "infinite"}
_GROUPED = {False: r"[1-9][0-9]{0,2}(?:SEP[0-9]{3})+", True: r"[1-9][0-9]?(?:SEP[0-9]{2})*SEP[0-9]{3}"}


class Unreadable(InputError):
    """A cell that cannot be used: `what` is wrong and what to write `instead`."""

    def __init__(self, what: str, instead: str, where: str = ""):
        super().__init__(f"{what}: {instead}", where)
        self.what, self.instead = what, instead


class Amount(NamedTuple):
    """A number in the column's unit (a share as 0.45), and the other unit that it was converted from, if any."""

    value: Decimal
    converted_from: str = ""


class Style:
    """How a file writes its numbers. `decimal` is the declared mark; `settled` the one that unambiguous cells of the file show."""

    def __init__(self, delimiter: str = ",", decimal: str | None = None, settled: str | None = None, indian: bool = False):
        self.delimiter, self.decimal, self.settled, self.indian = delimiter, decimal, settled, indian

    @property
    def mark(self) -> str | None:
        """The decimal mark that holds, if one is known."""
        return self.decimal or self.settled

    def settle(self, mark: str | None, text: str) -> None:
        """Note the mark that an unambiguous cell shows. Raises Unreadable when it contradicts the file's."""
        if mark is None:
            return
        if self.mark is None:
            self.settled = mark
        elif self.mark != mark:
            names = {".": "a point", ",": "a comma"}
            why = "--decimal says" if self.decimal else "the other cells of this file say"
            raise Unreadable(
                f"{quoted(text)} contradicts the decimal mark, which {why} is {names[self.mark]}",
                f"write it with {names[self.mark]} as the decimal mark",
            )


TYPED = Style(decimal=".")  # the command line, and numbers already read by a spreadsheet library


def quoted(text: str, most: int = 40) -> str:
    """A cell as a message shows it: short, on one line, without control characters."""
    shown = "".join(c if c.isprintable() else "�" for c in text.strip())
    return f"'{shown if len(shown) <= most else shown[: most - 3] + '…'}'"


def plain(x: float) -> str:
    """A number as a person would type it."""
    return f"{x:.12g}"


def decimal_mark(text: str) -> str | None:
    """The decimal mark that a cell shows beyond doubt, or None: '1.234,56' and '0,5' say comma, '1,234' says nothing."""
    found = _SHAPE.fullmatch(text.strip().strip(SPACES)) if len(text) <= LONGEST else None
    body = re.sub(rf"[ '’{SPACES}]", "", found["body"]) if found else ""
    marks = re.findall(r"[.,]", body)
    if not marks:
        return None
    if len(set(marks)) == 2:
        return marks[-1] if marks.count(marks[-1]) == 1 else None
    if len(marks) > 1:
        return "," if marks[0] == "." else "."
    return None if re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}", body) else marks[0]


def number(text: str, unit: str, style: Style = TYPED, header: str = "") -> Amount:
    """The number that a cell says, exactly as typed. `header` is the unit that the column's header names, if any.

    Raises Unreadable.
    """
    t = text.strip().strip(SPACES)
    _refuse_what_is_none(t, text)
    found = _SHAPE.fullmatch(t)
    if re.fullmatch(r"[0-9.,]+[\-−+]", t):
        raise Unreadable(f"{quoted(text)} has its sign behind", f"write {t[-1].replace('−', '-')}{t[:-1]}")
    if not found or bool(found["open"]) != bool(found["close"]):
        raise Unreadable(f"{quoted(text)} is not a number", "write digits, such as 1200 or 0.5")
    if (found["sign"] and found["second"]) or (found["open"] and (found["sign"] or found["second"])):
        raise Unreadable(f"{quoted(text)} has two signs", "write one minus sign or the parentheses")
    value = _digits(found["body"].rstrip(" " + SPACES), style, text)
    if found["exponent"]:
        value = value.scaleb(int(_exponent(found["exponent"], text)))
    if found["sign"] in ("-", "−") or found["second"] in ("-", "−") or found["open"]:
        value = -value
    return _in_unit(value, found["currency"] or "", (found["rest"] or "").strip().strip(SPACES), unit, header, text)


def as_float(value: Decimal, text: str) -> float:
    """The nearest float. Raises Unreadable when it is infinite or falls to 0."""
    x = float(value)
    if x in (float("inf"), float("-inf")) or (x == 0 and value != 0):
        raise Unreadable(f"{quoted(text)} is too {'large' if x else 'small'} for a number", "write a value in the range of the column")
    return x


def _refuse_what_is_none(t: str, text: str) -> None:
    low = t.casefold()
    if len(t) > LONGEST:
        raise Unreadable(f"{quoted(text)} is {len(t)} characters long", "write one number")
    if not t.translate(dict.fromkeys(map(ord, SPACES))).isprintable():
        raise Unreadable(f"{quoted(text)} holds a control character", "write one number")
    if _EXCEL_ERROR.fullmatch(t):
        raise Unreadable(f"{quoted(text)} is an error of a spreadsheet", "mend the formula there, or write the number")
    if low.lstrip("+-−") in _UNBOUNDED:
        raise Unreadable(f"{quoted(text)} is not a finite number", "write a number, or leave it empty for the default")
    if low in _NOTHING:
        raise Unreadable(f"{quoted(text)} is not a number", "write the number, or leave it empty for the default")
    if _DATE.fullmatch(t) and not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{3}){2,}", t):
        raise Unreadable(
            f"{quoted(text)} looks like a date",
            "a spreadsheet may have turned a number such as 1-3 or 3/1 into it, and the original is lost; write the number again",
        )
    foreign = [c for c in t if c.isnumeric() and not "0" <= c <= "9"]
    if foreign:
        ascii_form = "".join(str(int(c)) if c.isdecimal() else c for c in t)
        raise Unreadable(
            f"{quoted(text)} has the digit {foreign[0]}",
            f"write the digits 0 to 9: {ascii_form}" if ascii_form.isascii() else "write the digits 0 to 9",
        )


def _exponent(exponent: str, text: str) -> str:
    digits = exponent[1:].replace("−", "-")
    if len(digits.lstrip("+-")) > 3:
        raise Unreadable(
            f"{quoted(text)} is too {'small' if '-' in digits else 'large'} for a number", "write a value in the range of the column"
        )
    return digits


def _digits(body: str, style: Style, text: str) -> Decimal:
    """The digits and marks of a number, without sign, unit and exponent."""
    if "_" in body:
        raise Unreadable(f"{quoted(text)} has an underscore in a number", f"write {body.replace('_', '')}")
    grouped = re.compile(_GROUPED[style.indian].replace("SEP", rf"[ {SPACES}]")), re.compile(_GROUPED[False].replace("SEP", "['’]"))
    whole, mark, rest = body, "", ""
    spaced = re.search(rf"[ '’{SPACES}]", body)
    if spaced:
        head = re.match(r"([^.,]*)(?:([.,])([0-9]+))?$", body)
        if not head or not any(g.fullmatch(head[1]) for g in grouped) or len(set(re.findall(rf"[ '’{SPACES}]", head[1]))) > 1:
            raise Unreadable(
                f"{quoted(text)} has blanks or apostrophes that are not between groups of three digits",
                f"write {re.sub(r'[^0-9.,]', '', body)}",
            )
        whole, mark, rest = re.sub(r"[^0-9]", "", head[1]), head[2] or "", head[3] or ""
        style.settle(mark or None, text)
    elif "." in body or "," in body:
        whole, mark, rest = _marks(body, style, text)
    if mark and not rest:
        raise Unreadable(f"{quoted(text)} ends in a decimal mark", f"write {body[:-1]}")
    if len(whole) > 1 and whole.startswith("0"):
        raise Unreadable(
            f"{quoted(text)} begins with 0",
            f"a code belongs in notes; write {whole.lstrip('0') or '0'}{'.' + rest if rest else ''} if it is a number",
        )
    value = Decimal(f"{whole or '0'}.{rest}" if rest else whole)
    significant = len((whole + rest).lstrip("0").rstrip("0") if rest else whole.strip("0"))
    if significant > DIGITS:
        raise Unreadable(
            f"{quoted(text)} has {significant} significant digits; a spreadsheet keeps {DIGITS}",
            f"write {Decimal(f'{value:.{DIGITS}g}'):f}",
        )
    return value


def _marks(body: str, style: Style, text: str) -> tuple[str, str, str]:
    """Whole digits, decimal mark and decimals of a number that holds points or commas."""
    seen = re.findall(r"[.,]", body)
    shown = decimal_mark(body)
    if len(set(seen)) == 2 or len(seen) > 1:
        group = seen[0]
        whole, mark, rest = body.partition(shown) if shown and shown in seen else (body, "", "")
        if (
            shown is None
            or not re.fullmatch(_GROUPED[style.indian].replace("SEP", re.escape(group)), whole)
            or not re.fullmatch("[0-9]*", rest)
        ):
            raise Unreadable(
                f"{quoted(text)} has groups that are not of three digits",
                f"write {re.sub('[.,]', '', body)} without separators, or the decimals behind one mark",
            )
        style.settle(shown, text)
        return whole.replace(group, ""), mark, rest
    sign = seen[0]
    whole, _, rest = body.partition(sign)
    if shown and sign == style.delimiter == "," and not style.decimal and len(rest) == 3:
        raise Unreadable(f"{quoted(text)} has groups that are not of three digits", f"write {whole}{rest} or {whole}.{rest}")
    if shown:  # not a group of three: it can only be the decimal mark
        style.settle(sign, text)
        return whole, sign, rest
    by_nature = style.delimiter == "," and style.settled in (None, ".") and not style.decimal
    if style.decimal == sign or (by_nature and sign == "."):
        return whole, sign, rest
    if style.decimal or by_nature:
        return whole + rest, "", ""
    raise Unreadable(
        f"{quoted(text)} may be {whole}{rest} or {whole}.{rest}",
        f"write {whole}{rest} if it is that; or say which mark the file uses: with --decimal {',.'[sign == ',']} it is {whole}{rest}, "
        f"with --decimal {sign} it is {whole}.{rest}",
    )


def _in_unit(value: Decimal, currency: str, rest: str, unit: str, header: str, text: str) -> Amount:
    """The value in the column's unit, by what stands behind or before the digits, else by the header."""
    if currency and currency not in DOLLARS:
        raise Unreadable(f"{quoted(text)} is in {currency}", f"write it in {unit or 'plain numbers'}, at your own rate of exchange")
    suffix = re.match(r"(k|K|M|bn|m|mn|mio|B|T)(?![A-Za-z])\s*", rest) if conversions.is_count_or_money(unit) else None
    if suffix and suffix[1] not in conversions.THOUSANDS:
        raise Unreadable(
            f"{quoted(text)} ends in {suffix[1]}, which has several meanings", "write k for thousand, M for million or bn for 1e9"
        )
    if suffix:
        value, rest = value.scaleb(conversions.THOUSANDS[suffix[1]]), rest[suffix.end() :]
    typed = ("$" if currency else "") + rest
    if typed == "%" or (typed == "" and unit == "%"):
        return Amount(_share(value, typed, unit, header, text))
    if conversions.spelled_out(typed) == "$" and unit.startswith("$"):
        typed = ""  # the currency of the column, with or without its "per hour"
    source = typed or header
    if not source:
        return Amount(value)
    converted = exactly(value, source, unit)
    if converted is None:
        said = f"is in {typed}" if typed else f"stands under a header in {header}"
        raise Unreadable(
            f"{quoted(text)} {said}, which does not convert to {unit or 'a plain number'} by a fixed factor",
            f"write it in {unit or 'plain numbers'}",
        )
    return Amount(converted, "" if converted == value else source)


def exactly(value: Decimal, source: str, unit: str) -> Decimal | None:
    """`value` of the unit `source` in `unit`, or None where there is no fixed factor."""
    by = conversions.factor(source, unit)
    return None if by is None else value if by == 1 else value * by.numerator / by.denominator


def _share(value: Decimal, typed: str, unit: str, header: str, text: str) -> Decimal:
    """45% and 0.45 are the same share; a bare 45 has two readings."""
    if unit != "%":
        raise Unreadable(
            f"{quoted(text)} is a percentage, and this column is in {unit or 'plain numbers'}", f"write it in {unit or 'plain numbers'}"
        )
    if typed == "%":
        return value / 100
    if conversions.spelled_out(header) == "%":
        if 0 < abs(value) <= 1:
            raise Unreadable(
                f"{quoted(text)} under a header in % may be {value} % or {value * 100:f} %", f"write {value}% or {value * 100:f}%"
            )
        return value / 100
    if abs(value) > 1:
        raise Unreadable(f"{quoted(text)} would be {value * 100:,f} %", f"write {value}% or {value / 100}")
    return value
