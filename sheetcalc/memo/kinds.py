"""How each kind of chart is drawn. Direct labels, no legends; the message is the title, which the page sets."""

import math

from sheetcalc.memo import charts, slope, waterfall
from sheetcalc.memo.axis import Axis
from sheetcalc.memo.canvas import GREY, INK, RULE, SIZE, Canvas, text_width
from sheetcalc.memo.labels import LINE, Labels, spread, wrap
from sheetcalc.memo.phrase import phrase

CLEAR = 4.0  # points between an upright line and a label
SIDE = 0.34  # of the width at most for labels at the right


class Ink:
    """The colors of the roles, from the accent of the company."""

    def __init__(self, accent):
        self.of = {"own": accent, "buy": charts.WARM, "third": charts.THIRD, "quiet": "#8d8780"}

    def tint(self, role, share):
        """The color mixed with paper."""
        channels = [int(self.of[role][at : at + 2], 16) for at in (1, 3, 5)]
        return "#" + "".join(f"{round(255 - (255 - c) * share):02x}" for c in channels)


def lines(chart, ink):
    right = _side([s.label for s in chart.series], chart.width)
    canvas = Canvas(chart.width, chart.height)
    lows, highs = zip(*((min(s.ys), max(s.ys)) for s in chart.series))
    xs = [x for s in chart.series for x in s.xs]
    y = Axis(chart.y, min(lows), max(highs), 22, chart.height - 8, most_ticks=5)
    y.grow_to_tick()
    ticks = [y.tick_label(tick) for tick in y.ticks]
    left = max(text_width(str(tick)) for tick in ticks) + 6
    x = Axis(chart.x, min(xs), max(xs), left, chart.width - right, most_ticks=7)
    _frame(canvas, x, y, ticks)
    labels = Labels(canvas)
    for s in chart.series:
        px, py = _path(s, x, y)
        canvas.line(px, py, ink.of[s.role], 1.1 if s.light else 1.7)
        labels.avoid_line(px, py)
    for mark in chart.marks:
        if mark is chart.marks[0] and chart.shade:
            at, low, high = chart.shade
            canvas.line([x(at)] * 2, [y(low), y(high)], GREY, 0.7)
            labels.avoid_line([x(at)] * 2, [y(low), y(high)])
    for mark in chart.marks:
        canvas.dot(x(mark.x), y(mark.y))
        labels.avoid_box(x(mark.x) - 4, y(mark.y) - 4, 8, 8)
    _end_labels(canvas, labels, chart.series, x, y, ink)
    for mark in chart.marks:
        labels.near(x(mark.x), y(mark.y), mark.lines, left=x.start, right=chart.width, bottom=y.start, top=chart.height)
    return canvas


def points(chart, ink):
    canvas = Canvas(chart.width, chart.height)
    xs = [x for x, _ in chart.points] + [x for s in chart.series for x in s.xs]
    ys = [y for _, y in chart.points] + [y for s in chart.series for y in s.ys]
    y = Axis(chart.y, min(ys), max(ys), 22, chart.height - 8, most_ticks=5)
    y.grow_to_tick()
    ticks = [y.tick_label(tick) for tick in y.ticks]
    left = max(text_width(str(tick)) for tick in ticks) + 6
    x = Axis(chart.x, min(xs), max(xs), left, chart.width - max(60, _side([s.label for s in chart.series], chart.width)), most_ticks=7)
    _frame(canvas, x, y, ticks)
    labels = Labels(canvas)
    for s in chart.series:
        canvas.line(*_path(s, x, y), ink.of[s.role], 0.9)
    _end_labels(canvas, labels, chart.series, x, y, ink)
    for px, py in chart.points:
        canvas.dot(x(px), y(py), color=ink.of["own"], edge=ink.of["own"])
    return canvas


def _frame(canvas, x, y, ticks):
    for tick, label in zip(y.ticks, ticks):
        base = abs(tick - y.low) < 1e-12 * max(1, abs(y.high))
        canvas.line([x.start, x.end], [y(tick)] * 2, INK if base else RULE, 0.6 if base else 0.5)
        canvas.text(x.start - 5, y(tick) - 2.8, label, color=GREY, anchor="end")
    for tick in x.ticks:
        canvas.line([x(tick)] * 2, [y.start, y.start - 3], INK, 0.6)
        canvas.text(x(tick), y.start - 12.5, x.tick_label(tick), color=GREY, anchor="middle")


def _path(series, x, y):
    if not series.step:
        return [x(v) for v in series.xs], [y(v) for v in series.ys]
    px, py = [x(series.xs[0])], [y(series.ys[0])]
    for at, value in zip(series.xs[1:], series.ys[1:]):
        px += [x(at), x(at)]
        py += [py[-1], y(value)]
    return px, py


def _side(labels, width):
    """Room at the right for the widest label, once broken into lines."""
    lines = [part for label in labels for part in wrap(label, width * SIDE - 8)]
    return max(text_width(str(part), SIZE, 600) for part in lines) + 8


def _end_labels(canvas, labels, series, x, y, ink):
    """Names at the right ends, pushed apart where lines end close together."""
    wanted = [(y(s.ys[-1]), wrap(s.label, canvas.width * SIDE - 8), ink.of[s.role]) for s in series]
    for x0, y0, width, height in _side_labels(canvas, wanted, x.end + 5):
        labels.avoid_box(x0, y0, width, height)


def _side_labels(canvas, wanted, left):
    """Write them and return the boxes that they fill."""
    boxes = []
    wanted = sorted(wanted, key=lambda item: -item[0])
    tops = spread([(at - 2.8 + (len(parts) - 1) * LINE / 2, len(parts) * LINE) for at, parts, _ in wanted], 3.0, canvas.height - SIZE * 0.8)
    for top, (_, parts, color) in zip(tops, wanted):
        for index, part in enumerate(parts):
            canvas.text(left, top - index * LINE, part, color=color, weight=600)
            boxes.append((left, top - index * LINE - 2, text_width(str(part), SIZE, 600), LINE))
    return boxes


def bars(chart, ink):
    row, bar = 17, 11.5
    height = len(chart.bars) * row + (16 if chart.line else 4)
    canvas = Canvas(chart.width, height)
    left = max(text_width(str(b.label)) for b in chart.bars) + 6
    right = max(text_width(str(b.shown), SIZE, 600) for b in chart.bars) + 6
    longest = max([b.value for b in chart.bars] + ([chart.line.x] if chart.line else []))
    reach = (chart.width - left - right) / longest if longest > 0 else 0
    for index, b in enumerate(chart.bars):
        base = height - (index + 1) * row + 3
        canvas.text(0, base + 3, b.label)
        canvas.rectangle(left, base, max(b.value * reach, 0.6), bar, ink.of[b.role] if b.role != "quiet" else ink.tint("own", 0.3))
        end = left + max(b.value, 0) * reach + 4
        if chart.line and end - 4 < left + chart.line.x * reach + 4 < end + text_width(str(b.shown), SIZE, 600) + 4:
            end = left + chart.line.x * reach + 5
        canvas.text(end, base + 3, b.shown, weight=600)
    if chart.line:
        at = left + chart.line.x * reach
        canvas.line([at, at], [14, height], INK, 0.8)
        width = text_width(str(chart.line.lines[0]))
        canvas.text(min(max(at, width / 2), chart.width - width / 2), 3, chart.line.lines[0], color=GREY, anchor="middle")
    return canvas


def stack(chart, ink):
    """Parts side by side; a part too narrow for its label is named below with a hair line."""
    canvas = Canvas(chart.width, 62)
    whole = sum(part.value for part in chart.parts)
    shares = {"own": 1.0, "third": 0.45, "quiet": 0.16, "buy": 0.7}
    at, below_from = 0.0, 0.0
    for part in chart.parts:
        width = part.value / whole * chart.width
        canvas.rectangle(at, 26, max(width - 1, 0.4), 19, ink.tint("own", shares[part.role]))
        if width >= max(text_width(str(part.label), SIZE, 600), text_width(str(part.shown))) + 4:
            canvas.text(at, 50, part.label, weight=600)
            canvas.text(at, 15, part.shown, color=GREY)
        else:
            words = phrase(part.label, " ", part.shown)
            half = text_width(str(words)) / 2
            middle = min(max(at + width / 2, half, below_from + half), chart.width - half)
            canvas.line([at + width / 2] * 2, [25, 12], GREY, 0.5)
            canvas.text(middle, 2, words, color=GREY, anchor="middle")
            below_from = middle + half + 6
        at += width
    return canvas


def ranges(chart, ink):
    row = 15.5
    foot = 30 if chart.turning is not None else 20
    canvas = Canvas(chart.width, len(chart.ranges) * row + foot + 4)
    left = max(text_width(str(r.label)) for r in chart.ranges) + 14
    side = max(text_width(str(w)) for r in chart.ranges for w in (r.low_shown, r.high_shown)) + 8
    values = [v for r in chart.ranges for v in (r.low, r.high)] + [chart.plan]
    values += [chart.turning] if chart.turning is not None else []
    x = Axis(chart.x, min(values), max(values), left + side, chart.width - side)
    top = canvas.height
    ends = [sorted([(r.low, r.low_shown), (r.high, r.high_shown)], key=lambda end: end[0]) for r in chart.ranges]
    taken = [
        [(x(low) - 5 - text_width(str(a)), x(low) - 5), (x(high) + 5, x(high) + 5 + text_width(str(b)))] for (low, a), (high, b) in ends
    ]
    for tick in x.ticks:
        _past_labels(canvas, x(tick), foot, row, taken, RULE, 0.5)
        canvas.text(x(tick), foot - 11, x.tick_label(tick), color=GREY, anchor="middle")
    if chart.turning is not None:
        _past_labels(canvas, x(chart.turning), foot - 2, row, taken, INK, 0.9)
        width = text_width(str(chart.turning_label), SIZE, 600)
        middle = min(max(x(chart.turning), width / 2), chart.width - width / 2)
        canvas.text(middle, foot - 23, chart.turning_label, anchor="middle", weight=600)
    for index, (r, ((low, low_shown), (high, high_shown))) in enumerate(zip(chart.ranges, ends)):
        y = top - (index + 1 / 2) * row
        canvas.text(0, y - 2.8, r.label, size=8.5)
        canvas.line([x(low), x(high)], [y, y], ink.of["own"], 4.2)
        canvas.text(x(low) - 5, y - 2.8, low_shown, color=GREY, anchor="end")
        canvas.text(x(high) + 5, y - 2.8, high_shown, color=GREY)
        canvas.dot(x(chart.plan), y)
    return canvas


def _past_labels(canvas, x, foot, row, taken, color, width):
    """An upright line that is left out in each row in which it would touch a label."""
    top = canvas.height
    for index, labels in enumerate(taken):
        if not any(left - CLEAR <= x <= right + CLEAR for left, right in labels):
            canvas.line([x, x], [top - (index + 1) * row, top - index * row], color, width)
    canvas.line([x, x], [foot, top - len(taken) * row], color, width)


def columns(chart, ink):
    canvas = Canvas(chart.width, chart.height)
    y = Axis(chart.y, 0.0, max(chart.heights), 22, chart.height - (LINE * 2 if chart.marks else 6), most_ticks=4).grow_to_tick()
    ticks = [y.tick_label(tick) for tick in y.ticks]
    left = max(text_width(str(tick)) for tick in ticks) + 6
    x = Axis(chart.x, chart.edges[0], chart.edges[-1], left, chart.width - 14, most_ticks=8)
    _frame(canvas, x, y, ticks)
    for index, value in enumerate(chart.heights):
        start, end = x(chart.edges[index]), x(chart.edges[index + 1])
        role = chart.roles[index] if chart.roles else "own"
        if value > 0:
            canvas.rectangle(start + 0.4, y.start, max(end - start - 0.8, 0.4), y(value) - y.start, ink.of[role])
    canvas.line([x.start, x.end], [y.start] * 2, INK, 0.6)
    labels = Labels(canvas)
    for mark in chart.marks:
        canvas.line([x(mark.x)] * 2, [y.start, chart.height - LINE * len(mark.lines)], INK, 0.8)
        labels.above(x(mark.x), chart.height, mark.lines, x.start, chart.width)
    return canvas


def stacked(chart, ink):
    canvas = Canvas(chart.width, chart.height)
    join = max if chart.beside else sum
    sums = [join(layer.ys[i] for layer in chart.layers) for i in range(len(chart.names))]
    y = Axis(chart.y, 0.0, max(sums), 22, chart.height - 8, most_ticks=5).grow_to_tick()
    ticks = [y.tick_label(tick) for tick in y.ticks]
    left = max(text_width(str(tick)) for tick in ticks) + 6
    named = len(chart.layers) > 1
    right = _side([layer.label for layer in chart.layers], chart.width) if named else 0
    for tick, label in zip(y.ticks, ticks):
        canvas.line([left, chart.width - right], [y(tick)] * 2, INK if tick == 0 else RULE, 0.6 if tick == 0 else 0.5)
        canvas.text(left - 5, y(tick) - 2.8, label, color=GREY, anchor="end")
    pitch = (chart.width - right - left) / len(chart.names)
    every = math.ceil(max(text_width(str(name)) for name in chart.names) / pitch + 0.2)
    for index, name in enumerate(chart.names):
        at = left + (index + 1 / 2) * pitch
        base, width = 0.0, pitch * 0.72 / (len(chart.layers) if chart.beside else 1)
        for place, layer in enumerate(chart.layers):
            value = layer.ys[index]
            start = at - pitch * 0.36 + (place * width if chart.beside else 0)
            canvas.rectangle(start, y(base), width, y(base + value) - y(base), ink.of[layer.role])
            base += 0 if chart.beside else value
        if index % every == 0:
            canvas.text(at, y.start - 12.5, name, color=GREY, anchor="middle")
    if named:
        _layer_labels(canvas, chart, y, right, ink)
    return canvas


def _layer_labels(canvas, chart, y, right, ink):
    """Names beside the last column, each at the height of its layer in the tallest column."""
    tallest = max(range(len(chart.names)), key=lambda index: sum(layer.ys[index] for layer in chart.layers))
    base, wanted = 0.0, []
    for layer in chart.layers:
        value = layer.ys[tallest]
        wanted.append((y(value) if chart.beside else y(base + value / 2), wrap(layer.label, canvas.width * SIDE - 8), ink.of[layer.role]))
        base += value
    _side_labels(canvas, wanted, canvas.width - right + 5)


DRAW = {
    charts.Lines: lines,
    charts.Points: points,
    charts.Bars: bars,
    charts.Stack: stack,
    charts.Ranges: ranges,
    charts.Columns: columns,
    charts.Stacked: stacked,
    waterfall.Waterfall: waterfall.draw,
    slope.Slope: slope.draw,
}
