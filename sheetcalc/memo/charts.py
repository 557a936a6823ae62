"""The kinds of chart: each a plain description that is hashable, so that equal charts are drawn once.

Every label is a phrase, so a number in a chart is held against the model like one in the text. Lengths are points.
"""

from dataclasses import dataclass
from functools import lru_cache

from sheetcalc.memo.phrase import Phrase

WIDTH, HALF = 480, 226  # the text area of A4 and the half of it, less the gutter
MOST_ROWS = 20  # names below one another that a page has room for
NOTHING = Phrase(())
WARM, THIRD = "#b4532a", "#6d7f3a"


@dataclass(frozen=True)
class Scale:
    """One axis: what it measures, the prefix or suffix of its labels, base units in one display unit."""

    unit: str = ""
    factor: float = 1.0
    log: bool = False
    prefix: str = ""
    suffix: str = ""
    from_zero: bool = True


@dataclass(frozen=True)
class Series:
    label: Phrase
    xs: tuple
    ys: tuple
    role: str = "own"  # own, buy, third, quiet
    step: bool = False
    light: bool = False


@dataclass(frozen=True)
class Mark:
    """A point worth naming; its label may have several lines."""

    x: float
    y: float
    lines: tuple


@dataclass(frozen=True)
class Lines:
    """Lines or steps over one measure, named at their right ends."""

    alt: str
    x: Scale
    y: Scale
    series: tuple
    marks: tuple = ()
    shade: tuple = ()  # the two roles between which the gap of one x is drawn: (x, low, high)
    height: int = 200
    width: int = WIDTH


@dataclass(frozen=True)
class Points:
    """Points over one measure, each (x, y), among lines named at their right ends."""

    alt: str
    x: Scale
    y: Scale
    points: tuple
    series: tuple
    height: int = 200
    width: int = WIDTH


@dataclass(frozen=True)
class Bar:
    label: Phrase
    value: float
    shown: Phrase
    role: str = "own"


@dataclass(frozen=True)
class Bars:
    """Horizontal bars from zero with their value at the end."""

    alt: str
    bars: tuple
    line: Mark | None = None  # an upright line at x with its label
    width: int = HALF


@dataclass(frozen=True)
class Part:
    label: Phrase
    value: float
    shown: Phrase
    role: str = "own"


@dataclass(frozen=True)
class Stack:
    """One bar in parts: what fills a whole."""

    alt: str
    parts: tuple
    width: int = HALF


@dataclass(frozen=True)
class Range:
    label: Phrase
    low: float
    high: float
    low_shown: Phrase
    high_shown: Phrase


@dataclass(frozen=True)
class Ranges:
    """How far each input moves one result; the upright line is the plan."""

    alt: str
    x: Scale
    ranges: tuple
    plan: float
    turning: float | None = None
    turning_label: Phrase = NOTHING
    width: int = WIDTH


@dataclass(frozen=True)
class Columns:
    """Upright columns over a measure: a distribution or a day."""

    alt: str
    x: Scale
    y: Scale
    edges: tuple
    heights: tuple
    roles: tuple = ()
    marks: tuple = ()
    height: int = 130
    width: int = WIDTH


@dataclass(frozen=True)
class Layer:
    label: Phrase
    ys: tuple
    role: str = "own"


@dataclass(frozen=True)
class Stacked:
    """Upright columns with names below, each made of layers, or with the layers side by side."""

    alt: str
    y: Scale
    names: tuple
    layers: tuple
    beside: bool = False
    height: int = 170
    width: int = WIDTH


@dataclass(frozen=True)
class Drawn:
    svg: str
    words: tuple


@lru_cache(maxsize=256)
def draw(chart, accent):
    """The SVG of a chart and its phrases in reading order. Equal charts are drawn once a process."""
    from sheetcalc.memo import kinds

    canvas, alt = kinds.DRAW[type(chart)](chart, kinds.Ink(accent)), chart.alt
    return Drawn(canvas.svg(alt), tuple(canvas.words))
