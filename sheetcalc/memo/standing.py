"""How far each input can be trusted: its standing (assumed, quoted, measured, chosen) and where it came from."""

from dataclasses import dataclass
from itertools import zip_longest

from sheetcalc import provenance
from sheetcalc.memo.page import Column, Row
from sheetcalc.memo.phrase import Name, Number, Phrase, phrase
from sheetcalc.memo.reading import amount

STANDINGS = ("assumed", "quoted", "measured", "chosen", "defined", "fitted")
COLUMNS = (Column("Default", "72mm"), Column("Value", "26mm", number=True), Column("Standing", "20mm"), Column("Source", "", quiet=True))
OTHERS = "From other inputs of this plan"
PLANNING = "Planning default; change it"
CATALOGUE = "catalogue, by name"
MOST_NAMED = 6  # in small print
FOR_THE_PAGE = (("chosen by the planner", ""), (" (reports/backtest.md)", ""))


@dataclass(frozen=True)
class Assumptions:
    """What the scenario gives, as pairs of label and value; rows for the defaults that a reader may doubt; one sentence each for catalogue
    facts and for what the profile leaves out."""

    given: list
    rows: list
    further: Phrase
    catalogue: Phrase
    left_out: Phrase


def readable(place):
    """A source as small print has room for it; empty when it only names a standing."""
    place = provenance.readable(place)
    for long, short in FOR_THE_PAGE:
        place = place.replace(long, short)
    return "" if place.lower() in STANDINGS else place.strip(" ,;")


def worked_out(result, name):
    """Whether a value that nobody gave comes from other inputs, and not from the catalogue or a profile."""
    if name in result.changes or name not in result.model.steps:
        return False
    chain = result.model.steps[name].needs[1:]
    return bool(chain) and not chain[0].startswith("profile_") and not chain[-1].endswith("_catalogue")


def of_profile(source, reader):
    """The part of a source that is true of the profile in use: "fitted …; textbook: assumed" names one for each."""
    measured, mark, textbook = source.partition("; textbook: ")
    return textbook if mark and reader.has("profile") and reader.value("profile") == "textbook" else measured


def split(source):
    """Standing and place of a source: 'quoted: data sheet, page 2' is ('quoted', 'data sheet, page 2')."""
    head, mark, rest = source.partition(":")
    first = head.strip().lower().split(",")[0].split(" ")[0]
    if first in STANDINGS:
        return first, (rest if mark else source.partition(",")[2] if head.strip().lower().startswith(f"{first},") else source).strip()
    return "", source.strip()


def gather(reader, names=None, felt=(), most=99):
    """The inputs that a result rests on: those that a person gave, and defaults by their effect (`felt`); definitions are left out.

    With `felt`, a default that moves nothing here is only named; beyond `most` rows the rest is small print with value and source.
    """
    given, rows, catalogue, left_out = [], [], [], []
    order = {name: place for place, name in enumerate(felt)}
    for item in reader.result.used_inputs(names):
        value = item["value"]
        standing, place = split(of_profile(item["source"], reader))
        if worked_out(reader.result, item["name"]):
            standing, place = "worked out", OTHERS
        if value is None or value == "" or value != value or standing == "defined":
            continue
        label, shown = phrase(Name(item["label"])), amount(value, item["unit"], item["name"])
        if item["given"]:
            given.append((label, shown))
        elif item["source"] == CATALOGUE:
            catalogue += [phrase(Name(lower(item["label"])), " ", shown)] if value != 0 else []
        elif value == 0 or (felt and _moves_nothing(item, order)):
            left_out.append(item["name"])
        else:
            rows.append(
                (
                    (2 if isinstance(value, str) else 1, order.get(item["name"], -1)),
                    (label, shown, phrase(standing or "default"), phrase(Name(_sentence(readable(place)) or PLANNING))),
                )
            )
    rows = [cells for _, cells in sorted(rows, key=lambda pair: pair[0])]
    further = shortened([phrase(Name(lower(str(cells[0]))), " ", cells[1], _from(cells)) for cells in rows[most:]])
    return Assumptions(paired(given), [Row(cells) for cells in rows[:most]], further, shortened(catalogue), _unfelt(len(left_out)))


def _unfelt(count):
    """How many defaults are neither listed nor named, because they move nothing here."""
    if not count:
        return phrase("")
    words = " further default has no effect here; it is" if count == 1 else " further defaults have no effect here; they are"
    return phrase(Number(f"{count}", float(count)), f"{words} in the workbook.")


def paired(given):
    """Two inputs a row, read downwards: the first half at the left."""
    half = -(-len(given) // 2)
    return list(zip_longest(given[:half], given[half:]))


def _from(cells):
    standing, place = str(cells[2]), str(cells[3])
    where = [word for word in (standing, place) if word not in ("default", "chosen", PLANNING, OTHERS)]
    if len(where) == 2 and place.lower().startswith(standing):
        del where[0]
    return phrase(" (", Name(", ".join(where)), ")") if where else phrase("")


def _moves_nothing(item, order):
    return not isinstance(item["value"], str) and item["name"] not in order


def shortened(phrases):
    """The first of a long list, and how many more there are."""
    more = len(phrases) - MOST_NAMED
    if more <= 1:
        return joined(phrases)
    return phrase(joined(phrases[:MOST_NAMED]), "; and ", Number(f"{more}", float(more)), " more, in the workbook")


def joined(phrases):
    """Phrases with semicolons between them."""
    pieces = []
    for index, item in enumerate(phrases):
        pieces += ["; ", item] if index else [item]
    return phrase(*pieces)


def lower(label):
    """A label inside a sentence; TPOT and GPU stay."""
    return label[:1].lower() + label[1:] if label[1:2].islower() or label[1:2] == " " else label


def _sentence(text):
    return text[:1].upper() + text[1:] if text[:1].islower() and text[1:2].islower() else text


def needed(model, names):
    """The people's names of the inputs that these quantities read, directly or not."""
    steps = {step.name for step in model.upstream(names)}
    read = {need for step in steps for need in model.steps[step].needs} | set(names)
    return [typed for typed, own in model.typed.items() if own in read or typed in read]
