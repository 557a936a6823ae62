"""The charts that a study declares, as descriptions that can be drawn."""

import itertools
import math

from sheetcalc import show
from sheetcalc.memo import charts, slope, waterfall
from sheetcalc.memo.phrase import Number, phrase, row_name
from sheetcalc.memo.reading import amount, words
from sheetcalc.units import scale

ROLES = ("own", "buy", "third", "quiet")
MOST_SERIES = 4
MOST_RANGES = 7
HEIGHT = 140  # points


def scale_of(unit, log=False, from_zero=True):
    """The scale of an axis in a display unit."""
    prefix = "$" if unit.startswith("$") else ""
    suffix = "%" if unit == "%" else ""
    return charts.Scale(unit, scale(unit), log, prefix, suffix, from_zero)


def plot(reader, chart, width=charts.WIDTH):
    """The description of a declared chart, or None when it has nothing to show (every value is missing)."""
    alt = str(reader.says(chart.title))
    if chart.kind == "ranges":
        return _ranges(reader, chart, alt)
    if chart.kind == "waterfall":
        return waterfall.describe(reader, chart, alt)
    if chart.kind == "slope":
        return slope.describe(reader, chart, alt)
    if chart.kind == "bars" and not chart.x:
        return _scalar_bars(reader, chart, alt)
    xs = _column(reader, chart.x)
    columns = [(name, _along(reader, name, len(xs))) for name in chart.ys[:MOST_SERIES]]
    columns = [(name, ys) for name, ys in columns if any(_there(y) for y in ys)]
    if not columns:
        return None
    if chart.kind == "scatter":
        return _scatter(reader, chart, xs, columns, alt)
    if xs and isinstance(xs[0], str):
        return _named_bars(reader, chart, xs, columns[0], alt)
    columns = [(name, ys) for name, ys in columns if _comparable(reader.result.unit(name), reader.result.unit(columns[0][0]))]
    if chart.kind in ("bars", "stacked") and len(xs) <= 40:
        return _columns(reader, chart, xs, columns, alt)
    return _lines(reader, chart, xs, columns, alt, width)


def _comparable(unit, first):
    """Whether two columns may share an axis: the same unit, or two counts."""
    return unit == first or (scale(unit) == scale(first) == 1 and "$" not in unit + first)


def measure(reader, chart):
    """The line under the message: what is measured, in which unit, against what."""
    what = _named(reader, chart.ys[0], chart.y_label)
    against = f", against {_lower(_named(reader, chart.x, chart.x_label))}" if chart.x and chart.kind != "slope" else ""
    logs = " and ".join(name for name, on in (("across", chart.log_x), ("upwards", chart.log_y)) if on)
    cut = "; not all rows, which the workbook has" if _rows_of_names(reader, chart) > charts.MOST_ROWS else ""
    return words(f"{what[:1].upper()}{what[1:]}{against}{f'; logarithmic {logs}' if logs else ''}{cut}")


def _rows_of_names(reader, chart):
    """Names below one another."""
    return sum(isinstance(name, str) for name in reader.value(chart.x)) if chart.x and chart.kind in ("bars", "slope") else 0


def _named(reader, name, label):
    """The label that the study gives, else the quantity's own with its unit."""
    unit = reader.result.unit(name)
    return label or reader.result.label(name) + (f" ({unit})" if unit else "")


def _lower(text):
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _there(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def _column(reader, name):
    return list(reader.value(name))


def _along(reader, name, length):
    value = reader.value(name)
    return list(value) if isinstance(value, list) else [value] * length


def _lines(reader, chart, xs, columns, alt, width):
    def positive(v, log):
        return _there(v) and (v > 0 or not log)

    series = []
    for index, (name, ys) in enumerate(columns):
        points = [(float(x), float(y)) for x, y in zip(xs, ys) if positive(x, chart.log_x) and positive(y, chart.log_y)]
        if points:
            px, py = zip(*points)
            series.append(charts.Series(phrase(words(reader.result.label(name))), px, py, ROLES[index], chart.kind == "steps"))
    if not series or len({x for s in series for x in s.xs}) < 2:
        return None
    flat = not chart.log_y and max(max(s.ys) for s in series) == min(0.0, *(min(s.ys) for s in series))
    if flat:
        return None
    x_unit, y_unit = reader.result.unit(chart.x), reader.result.unit(columns[0][0])
    low, high = min(x for s in series for x in s.xs), max(x for s in series for x in s.xs)
    marks = []
    for name in chart.marks:
        if reader.has(name) and low <= reader.value(name) <= high:
            at = reader.value(name)
            marks = [mark for mark in marks if abs(mark.x - at) > 1e-9 * abs(at)]  # of two at one place the later says more
            marks.append(charts.Mark(at, _height(series[0], at), (phrase(reader.label(name), ": ", reader.tell(f"{{{name}}}")),)))
    return charts.Lines(
        alt,
        scale_of(x_unit, chart.log_x, from_zero=False),
        scale_of(y_unit, chart.log_y),
        tuple(series),
        tuple(marks),
        height=HEIGHT,
        width=width,
    )


def _scatter(reader, chart, xs, columns, alt):
    """Points of the first column, the others as lines among them."""

    def drawn(x, y):
        return _there(x) and _there(y) and (x > 0 or not chart.log_x) and (y > 0 or not chart.log_y)

    (name, ys), among = columns[0], columns[1:]
    points = tuple((float(x), float(y)) for x, y in zip(xs, ys) if drawn(x, y))
    if len(points) < 2:
        return None
    series = []
    for other, heights in among:
        px, py = zip(*sorted((float(x), float(y)) for x, y in zip(xs, heights) if drawn(x, y)))
        series.append(charts.Series(phrase(words(reader.result.label(other))), px, py, "quiet"))
    x_scale, y_scale = scale_of(reader.result.unit(chart.x), chart.log_x), scale_of(reader.result.unit(name), chart.log_y)
    return charts.Points(alt, x_scale, y_scale, points, tuple(series))


def _height(series, x):
    """The line's height at x: between its points, or the step's."""
    pairs = sorted(zip(series.xs, series.ys))
    for (x1, y1), (x2, y2) in itertools.pairwise(pairs):
        if x1 <= x <= x2:
            return y1 if series.step or x2 == x1 else y1 + (y2 - y1) * (x - x1) / (x2 - x1)
    return pairs[-1][1]


def _ranges(reader, chart, alt):
    """Two ends of each row of a table about one result."""
    names, (lows, highs) = _column(reader, chart.x), [_column(reader, name) for name in chart.ys[:2]]
    unit, plan = reader.result.unit(chart.ys[0]), reader.value(chart.marks[0])
    rows = tuple(
        charts.Range(phrase(row_name(name)), low, high, amount(low, unit, chart.ys[0]), amount(high, unit, chart.ys[1]))
        for name, low, high in zip(names, lows, highs)
        if _there(low) and _there(high) and low != high
    )[:MOST_RANGES]
    if not rows or not _there(plan):
        return None
    ends = [end for row in rows for end in (row.low, row.high)]
    zero = 0.0 if min(ends) <= 0 <= max(ends) else None
    return charts.Ranges(alt, scale_of(unit, from_zero=False), rows, plan, zero, phrase("both cost the same" if zero is not None else ""))


def _scalar_bars(reader, chart, alt):
    bars = [
        charts.Bar(
            phrase(reader.label(name)), reader.value(name), reader.figure(name), "own" if index == 0 else "buy" if index == 1 else "quiet"
        )
        for index, name in enumerate(chart.ys)
        if reader.has(name) and reader.value(name) >= 0
    ]
    return charts.Bars(alt, tuple(bars), width=charts.WIDTH) if bars and any(bar.value for bar in bars) else None


def _named_bars(reader, chart, xs, column, alt):
    """Bars from a table, with an upright line at the first mark."""
    name, ys = column
    unit = reader.result.unit(name)
    bars = [charts.Bar(phrase(row_name(x)), y, amount(y, unit, name)) for x, y in zip(xs, ys) if _there(y) and y >= 0][: charts.MOST_ROWS]
    marks = [m for m in chart.marks if reader.has(m)]
    line = charts.Mark(reader.value(marks[0]), 0.0, (phrase(reader.label(marks[0]), ": ", reader.figure(marks[0])),)) if marks else None
    return charts.Bars(alt, tuple(bars), line, width=charts.WIDTH) if bars and any(bar.value for bar in bars) else None


def _columns(reader, chart, xs, columns, alt):
    x_unit, y_unit = reader.result.unit(chart.x), reader.result.unit(columns[0][0])
    layers = tuple(
        charts.Layer(phrase(words(reader.result.label(name))), tuple(float(y) if _there(y) else 0.0 for y in ys), ROLES[index])
        for index, (name, ys) in enumerate(columns)
        if any(_there(y) and y for y in ys)
    )
    names = tuple(phrase(Number(show.number(show.display(x, x_unit)), x, scale(x_unit), chart.x)) for x in xs)
    if not layers or any(y < 0 for layer in layers for y in layer.ys):
        return None
    return charts.Stacked(alt, scale_of(y_unit), names, layers, beside=chart.kind == "bars", height=HEIGHT)
