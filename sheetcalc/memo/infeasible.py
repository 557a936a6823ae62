"""The parts of a plan's page where the fleet cannot be built as asked: by how much, what would make it work, what is left."""

from sheetcalc.memo import api_row, shortfall
from sheetcalc.memo.page import Column, Row
from sheetcalc.memo.phrase import Name, Number, phrase
from sheetcalc.memo.reading import Reader, amount
from sheetcalc.memo.standing import lower
from sheetcalc.memo.study_page import MOST_FIGURES, derivation, tile

MOST_REMEDIES = 7
REMEDY_COLUMNS = (
    Column("Change one input", ""),
    Column("As asked", "26mm", number=True),
    Column("Works with", "30mm", number=True),
    Column("GPUs", "18mm", number=True),
    Column("Self-hosting, a month", "36mm", number=True),
)
API_DERIVATION = ("output_tokens_per_day", "api_price_per_output", "api_cost_per_month")


def view(reader):
    """What the page of a plan shows instead of a fleet, its bill and its thresholds."""
    found, changes = shortfall.gaps(reader), shortfall.remedies(reader)
    return {
        "decision": lead(reader, changes),
        "problems": reader.problems() if len(reader.problems()) > 1 or not changes else [],
        "figures": figures(reader, found),
        "bills": None,
        "cost_claim": None,
        "remedy_claim": remedy_claim(changes),
        "remedy_text": remedy_text(reader, changes),
        "remedies": remedy_rows(reader, changes),
        "remedy_columns": REMEDY_COLUMNS,
        "capacity_claim": capacity_claim(found),
        "derivation": derivation(reader, steps(reader, found)),
        "derivation_caption": "How far the sizing went, line by line",
        "options_claim": phrase("The options as asked"),
        "ranges": None,
        "range_rows": [],
        "trust_claim": phrase("How far these figures can be trusted"),
        "reversals": [],
        "checks": remarks(reader),
        "to_sign": api_told(reader),  # else there is nothing to approve
        "asks": asks(reader, changes),
    }


def remarks(reader):
    """What does not hold beside the problems, where it matters to a fleet that is not there yet."""
    broken = [
        check for check in reader.result.checks if check["ok"] is False and check["kind"] == "alert" and check["name"] != "plan_holds"
    ]
    ruled_out = api_row.obligation(reader)
    return {"broken": [reader.verdict(c) for c in broken if not (ruled_out and c["name"] == "api_comparable")], "holding": None}


def api_left(reader):
    """Whether the API is an option at all."""
    return reader.value("choice_by_cost") == "api"


def api_told(reader):
    """Whether the API is an option at a price that is one for this model."""
    return api_left(reader) and api_row.serves(reader)


def claim(reader, found):
    """The title: what is left, and what fails first."""
    start = (
        "No option holds" if not api_left(reader) else "Use the API" if api_row.serves(reader) else "Only an API of another model is left"
    )
    return phrase(f"{start}: ", _low(found[0].says), *_and_more(len(found) - 1))


def _and_more(count):
    if count <= 0:
        return ()
    return ("; one more check fails",) if count == 1 else ("; ", Number(f"{count}", float(count)), " more checks fail")


def _low(said):
    """A sentence after a colon."""
    first, *rest = said.pieces
    return phrase(first if isinstance(first, (Name, Number)) else lower(first), *rest)


def lead(reader, changes):
    """What is left to do, in one paragraph."""
    ruled_out = api_row.obligation(reader)
    if api_told(reader):
        said = phrase("Through ", api_row.named(reader), reader.tell(", {output_tokens_per_day} of output cost {api_cost_per_month}. "))
    elif api_left(reader):
        said = api_row.caution(reader) + phrase(" ")
    elif ruled_out:
        said = phrase(f"Nothing can be approved as asked, and an API is ruled out: {ruled_out}. ")
    else:
        said = phrase("Nothing can be approved as asked, and there is no API bill: ", reader.absent("api_cost_per_month"), ". ")
    if not changes:
        return said + phrase("No single change that we tried makes the fleet work.")
    return said + phrase("Self-hosting would work with one change: ", _with(reader, changes[0]), *_at_the_cost_of(reader, changes[0]), ".")


def _with(reader, remedy):
    shown = amount(remedy.value, reader.result.unit(remedy.name), remedy.name)
    return phrase(Name(lower(reader.result.label(remedy.name))), " ", shown, " instead of ", reader.figure(remedy.name))


def _at_the_cost_of(reader, remedy):
    said = Reader(remedy.result).tell(", on {gpus} GPUs" + (" for {build_cost_per_month}" if shortfall.priced(reader, remedy) else ""))
    return said.pieces


def figures(reader, found):
    """The two sides of each check that fails and how far apart they are, then the API bill where it is comparable and may be used."""
    shown = []
    for gap in found[:2]:
        shown += [tile(reader, name) for name in gap.names]
        if gap.times:
            shown.append((phrase("between the two"), phrase(shortfall.times(gap), " times"), False))
    shown = [item for index, item in enumerate(shown) if str(item[0]) not in {str(before[0]) for before in shown[:index]}]
    if api_told(reader):
        shown[MOST_FIGURES - 1 :] = [tile(reader, "api_cost_per_month", phrase(", ", api_row.named(reader)))]
    return shown[:MOST_FIGURES]


def remedy_claim(changes):
    if not changes:
        return phrase("No single change makes it work")
    names = len({remedy.name for remedy in changes})
    return phrase("One change is enough, and there is one" if names == 1 else "One change is enough: these are the ones that work")


def remedy_text(reader, changes):
    if changes:
        return [phrase("Each row changes one input to the nearest value with which every check holds, and leaves the others as asked.")]
    tried = phrase(
        "We tried more GPUs per replica, larger GPUs, narrower formats, later targets, shorter prompts and smaller batches, each alone."
    )
    both = shortfall.both_targets(reader)
    if both is None:
        return [tried + phrase(" Change two of them together, or the model.")]
    later = Reader(both)
    return [
        tried,
        phrase("Both targets together would do: ", later.figure("tpot_target"), " for each output token and ")
        + phrase(later.figure("ttft_target"), " for the first, ", later.tell("on {gpus} GPUs for {build_cost_per_month}.")),
    ]


def remedy_rows(reader, changes):
    """A row a change, with the fleet that it makes and its bill."""
    rows = []
    for remedy in changes[:MOST_REMEDIES]:
        again, unit = Reader(remedy.result), reader.result.unit(remedy.name)
        note = ", across nodes" if remedy.name == "gpus_per_replica" and remedy.value > reader.value("gpus_per_node") else ""
        bill = again.bare("build_cost_per_month") if shortfall.priced(reader, remedy) else phrase("at its own price")
        label = phrase(reader.label(remedy.name), note)
        rows.append(
            Row((label, reader.figure(remedy.name), amount(remedy.value, unit, remedy.name), again.figure("gpus"), bill)),
        )
    return rows


def capacity_claim(found):
    gap = next((gap for gap in found if gap.times), None)
    if gap is None:
        return phrase("Where the sizing stops")
    return phrase("The plan misses by a factor of ", shortfall.times(gap))


def steps(reader, found):
    """The derivation up to the checks that fail, and the API bill where it is an option."""
    wanted = [name for gap in found for name in gap.names if name in reader.model.steps]
    if api_told(reader):
        wanted += [name for name in API_DERIVATION if reader.has(name)]
    read = {step.name for step in reader.model.upstream(wanted)}
    return [name for name in reader.result.study.story.derivation if name in read and reader.has(name)]


def asks(reader, changes):
    """What the committee can decide as things stand."""
    found = []
    if api_told(reader):
        found.append(phrase("Approve API spend of ", reader.tell("{api_cost_per_month}"), " with ", api_row.named(reader), "."))
    elif api_left(reader):
        words = " can do the work of "
        found.append(
            phrase("Decide whether ", api_row.named(reader), words, Name(str(reader.value("model"))), "; approve no spend before that.")
        )
    else:
        found.append(phrase("Approve no GPUs and no API spend on this plan."))
    if changes:
        found.append(phrase("Say which one of the changes above is acceptable; the plan is then worked out again."))
    else:
        found.append(phrase("Say which of the targets can give way, or which other model may be used."))
    return found
