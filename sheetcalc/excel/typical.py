"""What a study has where a function asks for an argument: typical values for descriptions and examples."""

from __future__ import annotations

import math
from functools import cache
from importlib.util import find_spec

from sheetcalc import studies
from sheetcalc.cells import missing
from sheetcalc.excel.boundary import Parameter, asked
from sheetcalc.ranges import range_words
from sheetcalc.study import Result, Study
from sheetcalc.typed import factor


@cache
def all_studies() -> tuple[Study, ...]:
    """The studies that are there, the plan first."""
    return tuple(studies.study(name) for name in studies.NAMES if find_spec(f"sheetcalc.studies.{name}"))


def allowed(p: Parameter) -> str:
    """What may be written for a parameter, in a few words."""
    if p.kind != "number":
        return asked(p)
    bounds = range_words(p.about).removesuffix(f" {p.about.unit}")
    return "any number" if bounds == "any" else bounds


@cache
def typical_result(name: str) -> Result:
    """A study with its own inputs."""
    return studies.study(name).evaluate()


@cache
def elsewhere(name: str):
    """The value of a name in the first study that has one."""
    for study in all_studies():
        if (name in study.model.steps or name in study.model.typed) and not study.model.home.get(study.model.typed.get(name, name)):
            x = typical_result(study.name).value(name)
            if not unknown(x):
                return x
    return math.nan


def unknown(x) -> bool:
    """Whether a study has no value here."""
    return missing(x) or x == ""


def example(x, p: Parameter):
    """A value in base units as a person would type it; None where there is none."""
    if isinstance(x, bool):
        return x
    if unknown(x):
        return None
    return x if isinstance(x, str) else float(f"{x / factor(p.about.unit):.12g}")


def fallback(p: Parameter):
    """Something that may be written where no study has a value."""
    if p.kind == "truth":
        return True
    return next(iter(p.about.choices), "text") if p.kind == "text" else 1.0
