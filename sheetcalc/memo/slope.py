"""A slope chart: two prices of each row, both over the price of one row, joined by a line. A line that rises looks cheap and is not."""

from dataclasses import dataclass

from sheetcalc.memo import charts
from sheetcalc.memo.canvas import GREY, INK, SIZE, Canvas, text_width
from sheetcalc.memo.labels import LINE, spread
from sheetcalc.memo.phrase import Phrase, phrase, row_name
from sheetcalc.memo.reading import amount

HEIGHT, HEADER, FOOT = 190.0, 24.0, 8.0  # points


@dataclass(frozen=True)
class Pair:
    """One line: its ends over those of the base, and what they are called."""

    label: Phrase
    left: float
    right: float
    left_shown: Phrase
    right_shown: Phrase
    role: str


@dataclass(frozen=True)
class Slope:
    alt: str
    pairs: tuple
    left_header: Phrase
    right_header: Phrase
    width: int = charts.WIDTH


def describe(reader, chart, alt):
    """The description of a declared slope, or None when fewer than two rows have both ends. Of many rows, those lowest at the right.

    `x` names the rows, `ys` are the two ends; the marks are the two ends of the base, and a column that tells which rows count: others
    are grey.
    """
    (left, right), (left_base, right_base, counts) = chart.ys, chart.marks
    bases = reader.value(left_base), reader.value(right_base)
    rows = [row for row in zip(*(reader.value(n) for n in (chart.x, left, right, counts))) if row[1] == row[1] and row[2] == row[2]]
    if len(rows) < 2 or not all(base > 0 for base in bases):
        return None
    lowest = set(sorted(range(len(rows)), key=lambda i: rows[i][2])[: charts.MOST_ROWS])
    pairs = tuple(
        Pair(
            phrase(row_name(name)),
            a / bases[0],
            b / bases[1],
            amount(a, reader.result.unit(left), left),
            amount(b, reader.result.unit(right), right),
            "own" if counted == 1 else "quiet",
        )
        for i, (name, a, b, counted) in enumerate(rows)
        if i in lowest
    )
    return Slope(alt, pairs, phrase(reader.label(left)), phrase(reader.label(right)))


def draw(chart, ink):
    height = max(HEIGHT, HEADER + 2 * FOOT + LINE * len(chart.pairs))  # a line of text for each name
    canvas = Canvas(chart.width, height)
    names = [phrase(p.right_shown, "  ", p.label) for p in chart.pairs]
    left = max(text_width(str(s)) for s in (chart.left_header, *(p.left_shown for p in chart.pairs))) + 14
    right = chart.width - max(text_width(str(s), SIZE, 600) for s in (chart.right_header, *names)) - 14
    ends = [end for p in chart.pairs for end in (p.left, p.right)]
    low, high = min(ends), max(ends)

    def y(value):
        return FOOT + (value - low) / ((high - low) or 1.0) * (height - HEADER - 2 * FOOT)

    for x, header, anchor in ((left, chart.left_header, "end"), (right, chart.right_header, "start")):
        canvas.line([x, x], [FOOT / 2, height - HEADER], INK, 0.6)
        canvas.text(x, height - SIZE, header, color=GREY, anchor=anchor)
    for p in sorted(chart.pairs, key=lambda p: p.role != "quiet"):
        canvas.line([left, right], [y(p.left), y(p.right)], ink.of[p.role], 1.7 if p.role == "own" else 1.1)
        for x, at in ((left, p.left), (right, p.right)):
            canvas.dot(x, y(at), color=ink.of[p.role], edge=ink.of[p.role])
    _labels(canvas, left - 7, "end", {(y(p.left), str(p.left_shown)): (p.left_shown, GREY, 400) for p in chart.pairs})
    told = {
        (y(p.right), str(n)): (n, ink.of[p.role] if p.role == "own" else GREY, 600 if p.role == "own" else 400)
        for p, n in zip(chart.pairs, names)
    }
    _labels(canvas, right + 7, "start", told)
    return canvas


def _labels(canvas, x, anchor, labels):
    """One label for all ends at one height that say the same, moved apart where they would touch."""
    highest_first = sorted(labels, reverse=True)
    tops = spread([(at - 2.8, LINE) for at, _ in highest_first], 2.0, canvas.height - HEADER)
    for top, key in zip(tops, highest_first):
        words, color, weight = labels[key]
        canvas.text(x, top, words, color=color, anchor=anchor, weight=weight)
