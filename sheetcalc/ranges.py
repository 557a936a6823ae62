"""What an input may be, in words: its range, whether a value lies in it, and what to write instead."""

from __future__ import annotations

import difflib
import math

from sheetcalc import show
from sheetcalc.declare import Input
from sheetcalc.errors import InputError
from sheetcalc.model import Model
from sheetcalc.units import scale


def canonical(name: str, model: Model, value):
    """A text as the choices of its input spell it, without regard to case and blanks; other values as they are."""
    about = model.inputs.get(model.typed.get(name, name))
    return value if about is None else canonical_choice(about, value)


def canonical_choice(about: Input, value):
    """A text as the choices of an input spell it."""
    if not about.choices or not isinstance(value, str):
        return value
    wanted = " ".join(value.split()).casefold()
    return next((c for c in about.choices if " ".join(c.split()).casefold() == wanted), value)


def check_input(name: str, model: Model, value) -> None:
    """Raise InputError when a value lies outside the range of its input, saying what to write instead."""
    own = model.typed.get(name, name)
    if own not in model.inputs:
        model.renamed({name: value})
    about = model.inputs[own]
    for x in value if isinstance(value, (list, tuple)) else [value]:
        if problem := out_of_range(about, x):
            raise InputError(f"{name}: {problem}")


def out_of_range(about: Input, x) -> str:
    """What is wrong with a value (base units) for an input, in words; '' when nothing is."""
    if x is None:
        return ""
    if about.is_text:
        if not isinstance(x, str):
            return f"{x!r} is a number; write a text" + (f", one of {', '.join(about.choices)}" if about.choices else "")
        return _not_a_choice(about, x) if about.choices and x and x not in about.choices else ""
    if isinstance(x, (str, bool)) or not isinstance(x, (int, float)):
        return f"{x!r} is not a number; write a number in {about.unit or 'plain units'}"
    if x != x or math.isinf(x):
        return "is not a finite number; write one"
    low, high = about.low, about.high
    if (low is not None and (x < low or (about.above and x == low))) or (high is not None and x > high):
        return f"{show.number(show.display(x, about.unit), 15)} is outside {range_words(about)}{_instead(about, x)}"
    if about.whole and x != round(x):
        return f"{show.number(show.display(x, about.unit), 15)} is not whole; write {math.floor(x)} or {math.ceil(x)}"
    return ""


def _not_a_choice(about: Input, x: str) -> str:
    near = difflib.get_close_matches(x.casefold(), [c.casefold() for c in about.choices], 1, 0.4)
    meant = next((c for c in about.choices if near and c.casefold() == near[0]), "")
    if len(about.choices) <= 6 or not meant:
        listed = ", ".join(about.choices[:40])
        start = [c for c in about.choices if x and c.casefold().startswith(x.casefold())]
        return f"{x!r} is not one of {listed}" + (f"; write {start[0]}" if len(start) == 1 else "")
    return f"{x!r} is not known; did you mean {meant!r}?"


def _instead(about: Input, x: float) -> str:
    """A value typed in the wrong scale is the usual slip: say what to write."""
    s = scale(about.unit)
    inside = about._replace(whole=False)
    if about.unit == "%" and not out_of_range_number(inside, x / 100):
        return f"; write {x:.15g}% or {x / 100:.15g}"
    if s != 1 and not out_of_range_number(inside, x / s):
        return f"; write {x / s:.15g}"
    return ""


def out_of_range_number(about: Input, x: float) -> bool:
    return (about.low is not None and (x < about.low or (about.above and x == about.low))) or (about.high is not None and x > about.high)


def range_words(about: Input) -> str:
    """The valid range in display units: 'above 0', '0 to 1', 'whole, from 1', 'bf16, fp8'."""
    if about.choices:
        return ", ".join(about.choices)
    unit = f" {about.unit}" if about.unit and about.unit != "%" else ""

    def value(x):
        text = f"{x:.6g}" if about.unit == "%" else show.number(show.display(x, about.unit), 6)
        return text.rstrip("0").rstrip(".") if "." in text else text

    low, high = about.low, about.high
    if low is None and high is None:
        words = "any"
    elif high is None:
        words = f"{'above' if about.above else 'from'} {value(low)}"
    elif low is None:
        words = f"up to {value(high)}"
    else:
        words = f"{'above ' if about.above else ''}{value(low)} to {value(high)}"
    return ("whole, " if about.whole else "") + words + unit
