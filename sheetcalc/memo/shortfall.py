"""A plan that cannot work: what misses its limit and by how much, and the single changes with which it would hold."""

import math
from dataclasses import dataclass

from sheetcalc import show
from sheetcalc.catalogue import read
from sheetcalc.errors import InputError
from sheetcalc.memo.phrase import Number, phrase
from sheetcalc.units import scale

LATER = 5 / 4  # a latency target is also tried this much above the nearest that holds, where batches are no longer of one
STEPS = 90  # of a search along round values
TARGETS = (("tpot_target", "tpot_promised"), ("ttft_target", "ttft"))
COUNTS = tuple(2.0**power for power in range(8))


@dataclass(frozen=True)
class Gap:
    """A check that fails: the two quantities that its sentence compares, and how far apart they are where both have one unit."""

    says: object
    names: tuple
    times: float | None


@dataclass(frozen=True)
class Remedy:
    """One input at another value, with which every check holds; `result` is the plan worked out with it."""

    name: str
    value: object
    result: object


def gaps(reader):
    """The checks that fail, in the order of the result's problems."""
    found = []
    for check in reader.result.checks:
        if check["ok"] is False and check["name"] in reader.model.errors:
            head = reader.model.steps[check["name"]].about.says.partition(";")[0]
            names = tuple(dict.fromkeys(m[1] for m in show.PLACE.finditer(head) if reader.number(m[1])))[:2]
            found.append(Gap(reader.fill(head) or phrase(check["label"]), names, _times(reader, names)))
    return found


def _times(reader, names):
    """How many times the limit the value is, at least one; None where there is no pair to compare."""
    if len(names) < 2 or reader.result.unit(names[0]).lstrip("kMGTmµn") != reader.result.unit(names[1]).lstrip("kMGTmµn"):
        return None
    one, other = (reader.value(name) for name in names)
    return max(one / other, other / one) if one > 0 and other > 0 else None


def times(gap):
    """The distance as a number for a sentence: 3.1."""
    return Number(f"{gap.times:,.1f}" if gap.times < 100 else f"{gap.times:,.0f}", gap.times)


def remedies(reader):
    """Single changes that make the plan hold, the cheapest first; those whose bill is not known come last."""
    result, found = reader.result, []
    for name, values in _candidates(reader):
        tried = (Remedy(name, value, _evaluated(result, {name: value})) for value in values)
        if nearest := next((remedy for remedy in tried if remedy.result is not None), None):
            found.append(nearest)
            if name in dict(TARGETS):
                later = _up(nearest.value * LATER, result.unit(name))
                found += [Remedy(name, later, again)] if (again := _evaluated(result, {name: later})) else []
    return sorted(found, key=lambda remedy: (not priced(reader, remedy), remedy.result.value("build_cost_per_month")))


def both_targets(reader):
    """The plan with both latency targets at what it reaches, where it misses both and then holds; else None."""
    changes = {
        name: _up(reader.value(reached), reader.result.unit(name))
        for name, reached in TARGETS
        if reader.has(reached) and reader.value(reached) > reader.value(name)
    }
    return _evaluated(reader.result, changes) if len(changes) == len(TARGETS) else None


def priced(reader, remedy):
    """Whether the bill with this change is known: the price of a GPU hour that a scenario gives is that of its own GPU."""
    return not (remedy.name == "gpu" and "gpu_hour_price" in reader.result.changes)


def _evaluated(result, changes):
    """The plan with these inputs changed, or None where it does not hold either."""
    try:
        again = result.study.evaluate(result.changes | changes, plan=result.plan)
    except InputError:
        return None
    return again if not again.problems and again.exists("build_cost_per_month") else None


def _candidates(reader):
    """Inputs with the values to try, nearest first."""
    value, unit = reader.value, reader.result.unit
    yield "gpus_per_replica", [count for count in COUNTS if count > value("gpus_per_replica")]
    yield "gpu", _larger_gpus(str(value("gpu")))
    for name, column in (("weight_format", "bytes_per_weight"), ("kv_format", "bytes_per_kv")):
        yield name, _narrower(str(value(name)), column)
    for name, reached in TARGETS:
        if reader.has(reached) and value(reached) > value(name):
            yield name, [_up(value(reached), unit(name))]
    if reader.result.changes.get("batch") is not None:
        yield "batch", _down(value("batch"), 1.0)
    yield "prompt_tokens", _down(value("prompt_tokens"), 1.0)
    if reader.has("ttft") and value("ttft") > value("ttft_target"):
        yield "utilization_cap", [share for share in (x / 20 for x in range(19, 0, -1)) if share < value("utilization_cap")]


def _larger_gpus(name):
    """GPUs of the catalogue with more memory, the smallest first."""
    rows = read("gpus").rows
    mine = rows[name]["hbm"] if name in rows and rows[name]["hbm"] else math.inf
    return sorted((other for other, row in rows.items() if (row["hbm"] or 0) > mine), key=lambda other: (rows[other]["hbm"], other))


def _narrower(name, column):
    """Number formats with fewer bytes, the widest first."""
    rows = read("formats").rows
    fits = [other for other, row in rows.items() if row[column] and name in rows and row[column] < (rows[name][column] or 0)]
    return sorted(fits, key=lambda other: (-rows[other][column], other))


def _up(value, unit):
    """The next value of two figures in the display unit."""
    step = 10.0 ** (math.floor(math.log10(value / scale(unit))) - 1)
    return math.ceil(value / scale(unit) / step - 1e-9) * step * scale(unit)


def _down(value, least):
    """Whole values of two figures below, nearest first."""
    found, at = [], value
    while at > least and len(found) < STEPS:
        step = max(1.0, 10.0 ** (math.floor(math.log10(at)) - 1))
        at = (math.ceil(at / step - 1e-9) - 1) * step
        found += [at] if at >= least else []
    return found
