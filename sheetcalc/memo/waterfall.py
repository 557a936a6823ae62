"""A waterfall: one amount at the top, what is taken off step by step, and what is left at the foot. Rows, for their names are long."""

from dataclasses import dataclass

from sheetcalc.memo import charts
from sheetcalc.memo.canvas import GREY, INK, SIZE, Canvas, text_width
from sheetcalc.memo.phrase import Phrase, phrase, row_name
from sheetcalc.memo.reading import amount

ROW, BAR = 17, 11.5  # points


@dataclass(frozen=True)
class Step:
    """A row: from where to where its bar reaches."""

    label: Phrase
    start: float
    end: float
    shown: Phrase
    role: str = "third"


@dataclass(frozen=True)
class Waterfall:
    alt: str
    steps: tuple
    width: int = charts.WIDTH


def describe(reader, chart, alt):
    """The description of a declared waterfall, or None when nothing is taken off.

    With `x` the steps are a column along it, between the two marks; else `ys` are the first amount, the steps and what is left.
    """
    if chart.x:
        names, column = reader.value(chart.x), chart.ys[0]
        taken = [(phrase(row_name(name)), value, column) for name, value in zip(names, reader.value(column))]
        first, last = chart.marks
    else:
        first, *between, last = chart.ys
        taken = [(phrase(reader.label(name)), reader.value(name), name) for name in between if reader.has(name)]
    taken = [(label, value, name) for label, value, name in taken if value == value and value]
    if not taken or not reader.has(first) or not reader.has(last):
        return None
    at = reader.value(first)
    steps = [Step(phrase(reader.label(first)), 0.0, at, reader.figure(first), "own")]
    for label, value, name in taken:
        shown = phrase("−" if value > 0 else "+", amount(abs(value), reader.result.unit(name), name))
        steps.append(Step(label, at, at - value, shown))
        at -= value
    return Waterfall(alt, (*steps, Step(phrase(reader.label(last)), 0.0, reader.value(last), reader.figure(last), "own")))


def draw(chart, ink):
    canvas = Canvas(chart.width, len(chart.steps) * ROW + 4)
    left = max(text_width(str(s.label)) for s in chart.steps) + 6
    right = max(text_width(str(s.shown), SIZE, 600) for s in chart.steps) + 6
    reach = (chart.width - left - right) / max(max(s.start, s.end) for s in chart.steps)
    before = None
    for index, step in enumerate(chart.steps):
        base = canvas.height - (index + 1) * ROW + (ROW - BAR) / 2
        low, high = sorted((left + max(step.start, 0.0) * reach, left + max(step.end, 0.0) * reach))
        canvas.text(0, base + 3, step.label)
        canvas.rectangle(low, base, max(high - low, 0.6), BAR, ink.of[step.role])
        if before is not None:
            canvas.line([before] * 2, [base + BAR, base + ROW], GREY, 0.6)
        before = left + step.end * reach
        canvas.text(high + 4, base + 3, step.shown, weight=600)
    canvas.line([left, left], [2, canvas.height], INK, 0.6)
    return canvas
