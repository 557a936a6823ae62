"""How far each input moves one result: every input a quarter down and a quarter up, all cases worked out at once as arrays."""

import math
from dataclasses import dataclass, replace

from sheetcalc.cells import missing
from sheetcalc.memo import charts
from sheetcalc.memo.phrase import Name, phrase
from sheetcalc.memo.reading import amount
from sheetcalc.memo.standing import CATALOGUE, worked_out
from sheetcalc.model import Link

SHARE = 1 / 4
MOST = 7
CONVERSIONS = ("h/month", "day/month", "s/h", "h/day", "h/year", "FLOP")
FELT = 1e-6  # a smaller relative move is no move


@dataclass(frozen=True)
class Effect:
    name: str
    low: float
    high: float
    at_low: float
    at_high: float
    share: float = 0.0  # of the result

    def span(self, base):
        ends = [value if math.isfinite(value) else base for value in (self.at_low, self.at_high)]
        return abs(ends[1] - ends[0])


def movable(result, names):
    """Inputs whose value somebody could doubt: no conversions, no whole numbers, none that is worked out from other inputs."""
    found = []
    for name in names:
        own = result.model.inputs[result.model.typed[name]]
        if not (
            own.is_text
            or own.whole
            or worked_out(result, name)
            or own.unit in CONVERSIONS
            or (own.source == CATALOGUE and not own.unit.startswith("$"))
        ):
            found.append(name)
    return found


def effects(result, targets, names):
    """For each target, the effect of each numeric input on it, widest first; inputs that do not move it come last."""
    import numpy as np

    from sheetcalc.many import batch

    model, moved = result.model, []
    for name in names:
        own = model.inputs[model.typed[name]]
        value = result.value(name)
        if own.is_text or isinstance(value, (str, list)) or missing(value) or value == 0:
            continue
        moved.append((name, *_ends(own, value)))
    rows = 2 * len(moved)
    columns = {}
    for index, (name, low, high) in enumerate(moved):
        held = _held(result, name)
        column = np.full(rows, math.nan if held is None else float(held))
        column[2 * index], column[2 * index + 1] = low, high
        columns[name] = column
    for name in model.typed:
        if name not in columns and not model.home.get(model.typed[name]):
            held = _held(result, name)
            if held is not None or name in result.changes:
                columns[name] = held
    if not moved or not targets:
        return {}
    found = batch(model, columns, targets)
    return {target: _ordered(moved, found[target], result.value(target)) for target in targets}


def _ordered(moved, found, base):
    out = [Effect(name, low, high, float(found[2 * i]), float(found[2 * i + 1])) for i, (name, low, high) in enumerate(moved)]
    size = abs(base) or 1.0
    return sorted(
        (replace(effect, share=round(effect.span(base) / size, 9)) for effect in out), key=lambda effect: (-effect.share, effect.name)
    )


def _held(result, name):
    """What the scenario holds for an input: its own value, a link's value, or None for a blank."""
    if name in result.changes:
        return result.changes[name]
    value = result.model.inputs[result.model.typed[name]].value
    return result.value(name) if isinstance(value, Link) else value


def _ends(own, value):
    low, high = value * (1 - SHARE), value * (1 + SHARE)
    if own.whole:
        low, high = math.floor(low), math.ceil(high)
    low = low if own.low is None else max(low, own.low)
    high = high if own.high is None else min(high, own.high)
    return float(low), float(high)


def felt(moved):
    """The inputs that move any of the targets, by their largest effect."""
    largest = {}
    for found in moved.values():
        for effect in found:
            largest[effect.name] = max(largest.get(effect.name, 0.0), effect.share)
    return [name for name, share in sorted(largest.items(), key=lambda item: (-item[1], item[0])) if share > FELT]


def tornado(reader, found, target, alt, turning=None):
    """The widest effects as a chart; None when nothing moves the result."""
    base = reader.value(target)
    shown = [e for e in found if e.share > FELT and math.isfinite(e.at_low) and math.isfinite(e.at_high)][:MOST]
    if not shown:
        return None
    unit = reader.result.unit(target)
    ends = [value for e in shown for value in (e.at_low, e.at_high)]
    log = min(ends) > 0
    ranges = tuple(
        charts.Range(
            phrase(Name(reader.result.label(e.name))),
            e.at_low,
            e.at_high,
            amount(e.low, reader.result.unit(e.name), e.name),
            amount(e.high, reader.result.unit(e.name), e.name),
        )
        for e in shown
    )
    scale = _scale(unit, log)
    words = phrase("parity") if turning is not None else phrase("")
    inside = turning if turning is not None and (log or min(ends) <= turning) and _near(turning, [*ends, base]) else None
    return charts.Ranges(alt, scale, ranges, base, inside, words)


def _near(turning, values):
    return min(values) / 4 <= turning <= max(values) * 4


def _scale(unit, log):
    from sheetcalc.memo.plots import scale_of

    scale = scale_of(unit, log, from_zero=False)
    return charts.Scale(scale.unit, scale.factor, log, scale.prefix, "×" if unit == "x" else scale.suffix, False)
