"""Places for labels beside points: the first place that crosses no line, no dot and no other label."""

import math
import re

from sheetcalc.memo.canvas import GREY, SIZE, text_width
from sheetcalc.memo.phrase import Name, Number, phrase

LINE = 11.0
GAP = 6.0
AWAY = (0.0, 3.0, GAP, 12.0, 20.0, 32.0, 48.0, 70.0, 100.0)
LEADER_FROM = 13.0


def wrap(label, most, size=SIZE, weight=600):
    """A phrase in lines of at most `most` points; a number is never broken."""
    lines, line = [], []
    for word in _words(label):
        if line and text_width("".join(map(str, [*line, word])).strip(), size, weight) > most:
            lines.append(phrase(*line))
            line = [] if str(word) == " " else [word]
        elif line or str(word) != " ":
            line.append(word)
    return (*lines, phrase(*line)) if line else tuple(lines)


def _words(label):
    for piece in label.pieces:
        if isinstance(piece, Number):
            yield piece
            continue
        kind = Name if isinstance(piece, Name) else str
        for part in re.split("( )", str(piece)):
            if part:
                yield part if part == " " else kind(part)


def spread(wanted, low, high):
    """Tops of labels, highest first, moved apart so that none overlaps and all lie between low and high where they fit."""
    tops, ceiling = [], high
    for top, height in wanted:
        tops.append(min(top, ceiling))
        ceiling = tops[-1] - height
    floor = low
    for index in range(len(tops) - 1, -1, -1):
        height = wanted[index][1]
        tops[index] = max(tops[index], floor + height - LINE)
        floor = tops[index] + LINE
    return tops


class Labels:
    def __init__(self, canvas):
        self.canvas = canvas
        self.boxes, self.points = [], []

    def avoid_line(self, xs, ys):
        """Remember a polyline as points one and a half points apart."""
        for (x1, y1), (x2, y2) in zip(zip(xs, ys), zip(xs[1:], ys[1:])):
            count = max(1, int(max(abs(x2 - x1), abs(y2 - y1)) / 1.5))
            self.points += [(x1 + (x2 - x1) * k / count, y1 + (y2 - y1) * k / count) for k in range(count + 1)]

    def avoid_box(self, x, y, width, height):
        self.boxes.append((x, y, x + width, y + height))

    def near(self, x, y, lines, left, right, bottom, top):
        """Write a label of several lines near a point, in the place that crosses least; a hair line leads to a far one."""
        width = max(text_width(str(line)) for line in lines)
        height = LINE * len(lines)
        places = [
            (x0, y0)
            for away in AWAY
            for x0 in (x + away, x - away - width)
            for y0 in (*(y + lift for lift in AWAY), *(y - lift - height for lift in AWAY))
            if x0 >= left + 2 and x0 + width <= right and y0 >= bottom + 1 and y0 + height <= top
        ]
        if not places:
            places = [(min(max(x + GAP, left + 2), right - width), min(max(y + GAP, bottom + 1), top - height))]
        x0, y0 = min(places, key=lambda place: self._cost(place, width, height, x, y))
        near_x, near_y = min(max(x, x0), x0 + width), min(max(y, y0), y0 + height)
        if math.hypot(near_x - x, near_y - y) > LEADER_FROM:
            self.canvas.line([x, near_x], [y, near_y], GREY, 0.5)
            self.avoid_line([x, near_x], [y, near_y])
        self._write(x0, y0, lines, height)
        self.avoid_box(x0, y0, width, height)

    def above(self, x, top, lines, left, right):
        """Write a label right of an upright line at the top, or left of it where there is no room."""
        width = max(text_width(str(line)) for line in lines)
        x0 = x + 4 if x + 4 + width <= right else max(left, x - 4 - width)
        self._write(x0, top - LINE * len(lines), lines, LINE * len(lines))

    def _write(self, x, y, lines, height):
        for index, line in enumerate(lines):
            self.canvas.text(x, y + height - (index + 1) * LINE + (LINE - SIZE) / 2 + 1, line, cleared=True)

    def _cost(self, place, width, height, x, y):
        x0, y0 = place
        x1, y1 = x0 + width, y0 + height
        hits = sum(x0 - 2 <= px <= x1 + 2 and y0 - 1 <= py <= y1 + 1 for px, py in self.points)
        boxes = sum(x0 < bx1 + 2 and bx0 - 2 < x1 and y0 < by1 and by0 < y1 for bx0, by0, bx1, by1 in self.boxes)
        away = math.hypot(min(max(x, x0), x1) - x, min(max(y, y0), y1) - y)
        return 4 * hits + 200 * boxes + away
