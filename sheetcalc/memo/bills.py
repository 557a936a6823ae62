"""Cost against tokens per day: the API's line, our own staircase of whole replicas, today's volume and where the bills meet.

Every height is worked out by the plan's own quantities, called with another volume.
"""

from sheetcalc.memo import charts
from sheetcalc.memo.page import Picture
from sheetcalc.memo.phrase import phrase
from sheetcalc.memo.plots import scale_of

MOST_STEPS = 160
NEEDED = ("output_tokens_per_day", "volume_per_replica", "replica_cost_per_month", "fixed_cost_per_month", "failure_reserve")
API = ("api_price_per_output", "days_per_month")
CROSSINGS = (
    ("breakeven_first", "First break-even"),
    ("breakeven_lasting", "Lasting break-even"),
    ("breakeven_volume", "Lasting break-even"),
)


def picture(reader):
    """The chart, or None where the plan has no fleet to draw."""
    if not all(map(reader.has, NEEDED)):
        return None
    today = reader.value("output_tokens_per_day")
    crossings = _crossings(reader)
    reach = max([today * 1.3] + [volume * 1.3 for volume, _ in crossings if volume < today * 40])
    fleet = _staircase(reader, reach)
    series = [charts.Series(phrase("Our own replicas"), *fleet, "own", step=True)]
    marks = []
    if all(map(reader.has, API)):
        bill = _function(reader, "api_cost_per_month")
        api = charts.Series(phrase("API at ", reader.tell("{api_price_per_output}")), (0.0, reach), (0.0, bill(reach)), "buy")
        series.insert(0, api)
        marks.append(charts.Mark(today, bill(today), (reader.tell("Planned: {output_tokens_per_day}"),)))
        for volume, words in crossings:
            if volume <= reach:
                marks.append(charts.Mark(volume, bill(volume), (words,)))
    else:
        marks.append(charts.Mark(today, _at(fleet, today), (reader.tell("Planned: {output_tokens_per_day}"),)))
    says = _message(reader)
    measure = phrase("Bill in dollars a month, against output tokens a day in millions; each step is one more replica")
    alt = f"{says}. {'; '.join(' '.join(map(str, mark.lines)) for mark in marks)}."
    chart = charts.Lines(alt, scale_of("Mtok/day"), scale_of("$/month"), tuple(series), tuple(marks), height=160)
    return Picture(says, measure, chart)


def _function(reader, name):
    """The bill at another volume, by the plan's own quantity."""
    step = reader.model.steps[name]
    values = {need: reader.value(need) for need in step.needs}
    return lambda volume: step.fn(**{**values, "output_tokens_per_day": volume})


def _staircase(reader, reach):
    step = reader.model.steps["lasting_fleet_cost"]
    fixed = {need: reader.value(need) for need in step.needs if need != "lasting_replicas"}
    volume = reader.value("volume_per_replica")
    last = int(reach // volume) + 1
    every = max(1, -(-last // MOST_STEPS))
    counts = list(range(1, last + 1, every))

    def cost(count):
        return step.fn(**fixed, lasting_replicas=float(count))

    xs = [0.0] + [(count - 1) * volume for count in counts[1:]] + [reach]
    ys = [cost(counts[0])] + [cost(count) for count in counts[1:]] + [cost(counts[-1])]
    return tuple(xs), tuple(ys)


def _at(fleet, volume):
    return [y for x, y in zip(*fleet) if x <= volume][-1]


def _crossings(reader):
    """The volumes at which the bills meet, each named once."""
    found = []
    for name, words in CROSSINGS:
        if reader.has(name) and all(abs(reader.value(name) - volume) > 1e-9 * volume for volume, _ in found):
            found.append((reader.value(name), phrase(f"{words}: ", reader.tell(f"{{{name}}}"))))
    return found


def _message(reader):
    if not all(map(reader.has, API)):
        return phrase("Our own bill rises by whole replicas")
    if reader.has("breakeven_volume"):
        ahead = reader.value("breakeven_volume") > reader.value("output_tokens_per_day")
        return reader.tell(
            "Self-hosting stays cheaper only from {breakeven_volume}" if ahead else "Self-hosting has been cheaper since {breakeven_volume}"
        )
    return phrase("The API stays cheaper at every volume")
