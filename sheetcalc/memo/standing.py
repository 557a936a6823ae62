"""How far each input can be trusted: its standing (assumed, quoted, measured, chosen) and where it came from."""

from sheetcalc.memo.page import Column, Row
from sheetcalc.memo.phrase import Name, phrase
from sheetcalc.memo.reading import amount

STANDINGS = ("assumed", "quoted", "measured", "chosen", "defined", "fitted")
COLUMNS = (
    Column("Assumption", "54mm"), Column("Value", "31mm", number=True), Column("Source", "", quiet=True), Column("Standing", "27mm"),
)


def split(source):
    """Standing and place of a source: 'quoted: data sheet, page 2' is ('quoted', 'data sheet, page 2')."""
    head, mark, rest = source.partition(":")
    first = head.strip().lower().split(",")[0].split(" ")[0]
    if first in STANDINGS:
        return first, rest.strip() if mark else source.partition(",")[2].strip()
    return "", source.strip()


def rows(reader, names=None):
    """The inputs that a result rests on, those that a person gave first; what is defined (seconds in an hour) is left out."""
    found = []
    for item in reader.result.used_inputs(names):
        value = item["value"]
        standing, place = split(item["source"])
        if value is None or value == "" or value != value or standing == "defined":
            continue
        if item["given"]:
            standing, place = "given", "this scenario"
        found.append((not item["given"], Row((
            phrase(Name(item["label"])), amount(value, item["unit"], item["name"]), phrase(Name(_sentence(place))), phrase(standing or "default"),
        ))))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _sentence(text):
    return text[:1].upper() + text[1:] if text[:1].islower() and text[1:2].islower() else text


def needed(model, names):
    """The people's names of the inputs that these quantities read, directly or not."""
    steps = {step.name for step in model.upstream(names)}
    read = {need for step in steps for need in model.steps[step].needs} | set(names)
    return [typed for typed, own in model.typed.items() if own in read or typed in read]
