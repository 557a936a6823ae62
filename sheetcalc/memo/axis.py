"""Where a value lies on the drawing, and which round values an axis names."""

import math

from sheetcalc.memo.phrase import Number, phrase

STEPS = (1, 2, 5, 10)
FINEST = 6  # decimals that an axis writes out


class Axis:
    """A scale laid over a stretch of points."""

    def __init__(self, scale, low, high, start, end, most_ticks=6):
        self.scale, self.start, self.end = scale, start, end
        if high <= low * (1 + 1e-12) if low > 0 else high <= low:  # one value: give it room
            low, high = (low / 2, high * 2) if scale.log else (min(low, 0.0), max(high, 0.0) or 1.0)
        if scale.log:
            self.low, self.high = low, high
            self.ticks = _log_ticks(low / scale.factor, high / scale.factor, scale.factor)
            self.step = 0.0
            if len(self.ticks) < 3:  # less than a decade: round values at equal steps name it better
                self.step = step = _round_step((high - low) / scale.factor, 4)
                first = math.ceil(low / scale.factor / step - 1e-9)
                last = math.floor(high / scale.factor / step + 1e-9)
                self.ticks = [index * step * scale.factor for index in range(first, last + 1)]
        else:
            low = min(low, 0.0) if scale.from_zero else low
            step = _round_step((high - low) / scale.factor, most_ticks)
            self.low = math.floor(low / scale.factor / step + 1e-9) * step * scale.factor
            count = math.ceil((high - self.low) / scale.factor / step - 1e-9)
            self.high = max(high, self.low + step * scale.factor * 1e-6)
            self.step = step
            self.ticks = [self.low + index * step * scale.factor for index in range(count + 1)]
            self.ticks = [tick for tick in self.ticks if tick <= self.high * (1 + 1e-9) + 1e-300]

    def __call__(self, value):
        if self.scale.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def grow_to_tick(self):
        """End the axis at the next round value, so that no point lies beyond the last label."""
        if self.scale.log:
            return self._grow_log()
        last = self.ticks[-1]
        if last < self.high * (1 - 1e-9):
            last += self.step * self.scale.factor
            self.ticks.append(last)
        self.high = last
        return self

    def _grow_log(self):
        if not self.step:
            unit = self.scale.factor
            around = [tick * unit for tick in _one_two_five(self.low / unit / 10, self.high / unit * 10)]
            self.low = max([tick for tick in around if tick <= self.low * (1 + 1e-9)], default=self.low)
            self.high = min([tick for tick in around if tick >= self.high * (1 - 1e-9)], default=self.high)
            self.ticks = _log_ticks(self.low / unit, self.high / unit, unit)
        return self

    def tick_label(self, value):
        """The round value as it stands at the axis."""
        shown = value / self.scale.factor
        places = _places(self.step) if self.step else 0 if shown >= 1 else _places(shown)
        digits = f"{abs(shown):,.{places}f}" if places <= FINEST else f"{abs(shown):.3g}"
        sign = "−" if shown < 0 and float(digits.replace(",", "")) else ""
        unit = self.scale.factor
        if self.scale.prefix and max(abs(self.low), abs(self.high)) / unit >= 1e4 and (self.step or shown >= 1e3):
            return _thousands(self.scale, value, sign, self.step or abs(shown))
        text = f"{sign}{self.scale.prefix}{digits}{self.scale.suffix}"
        return phrase(Number(text, value, self.scale.factor, "axis"))


def _thousands(scale, value, sign, step):
    size, word = (1e6, "M") if abs(step) >= 1e5 else (1e3, "k")
    shown = abs(value) / scale.factor / size
    digits = f"{shown:,.{_places(step / size)}f}"
    text = f"{sign}{scale.prefix}{digits}{word}" if value else f"{scale.prefix}0"
    return phrase(Number(text, value, scale.factor * size, "axis"))


def _places(step):
    return max(0, -math.floor(math.log10(abs(step)) + 1e-9)) if step else 0


def _round_step(span, most):
    rough = max(span, 1e-300) / most
    power = 10 ** math.floor(math.log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1 - 1e-9))


def _one_two_five(low, high):
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]


def _log_ticks(low, high, factor):
    inside = _one_two_five(low, high)
    if len(inside) > 7:
        inside = [tick for tick in inside if abs(math.log10(tick) - round(math.log10(tick))) < 1e-9]
    return [tick * factor for tick in inside]
