"""A calculator's memo: claim, decision, figures, argument, charts, derivation, inputs; one or two pages."""

from sheetcalc import show
from sheetcalc.memo import listing, plots, sensitivity, standing
from sheetcalc.memo.canvas import text_width
from sheetcalc.memo.clean import clean
from sheetcalc.memo.page import Column, Picture, Row, plain
from sheetcalc.memo.phrase import Name, Number, phrase, sentence
from sheetcalc.memo.reading import Reader, words
from sheetcalc.study import UNDECIDED
from sheetcalc.units import scale

TEMPLATE = "study.html.j2"
DERIVATION = (Column("Quantity", "50mm"), Column("Working", "", quiet=True), Column("Result", "31mm", number=True))
TIGHT = 9  # characters of a key figure beyond which it is set smaller
MOST_FIGURES = 5
LINE_SIZE, LINE_WIDTH, COMPANY_WIDTH = 8.0, 390.0, 84.0  # points: the lines at the edges of a page, the company at the right of one
MOST_ASSUMPTIONS = 10
HEADING = 90  # characters of a sentence that may stand as a heading
PER = {"month": "a month", "day": "a day", "h": "per hour", "year": "a year", "M tok": "per million"}


def view(result, brand, details):
    """Everything that the template of a calculator shows."""
    reader, story = Reader(result), result.study.story
    names = standing.needed(reader.model, [*story.derivation, *story.figures])
    moved = sensitivity.effects(result, [name for name in story.figures if reader.number(name)], names)
    problems = reader.problems()
    claim = problems[0] if problems else reader.says(story.claim)
    decision = phrase(f"{UNDECIDED}.") if problems else reader.says(story.decision)
    return {
        **frame(reader, brand, details, claim, decision, phrase(Name(result.study.title) if details.scenario else "Calculator memo")),
        "decision": decision,
        "problems": problems,
        "figures": figures(reader, story.figures),
        "argument": argument(reader),
        "not_counted": not_counted(reader),
        "charts": pictures(reader, result.study.charts),
        "first": 1,
        "listings": listing.tables(reader),
        "derivation": derivation(reader, story.derivation),
        "derivation_columns": DERIVATION,
        "assumptions": standing.gather(reader, names, sensitivity.felt(moved), MOST_ASSUMPTIONS),
        "assumption_columns": standing.COLUMNS,
        "checks": checks(reader),
        "closing": closing(details),
    }


def frame(reader, brand, details, claim, decision, kind):
    """What the shell shows: title, masthead, footer, metadata."""
    scenario = clean(details.scenario)
    dated = details.date_words(brand)
    masthead = [("To", phrase(Name(brand.to))), ("Subject", phrase(Name(scenario or reader.result.study.title)))]
    masthead += [("From", phrase(Name(", ".join(filter(None, (brand.from_, brand.company)))))), ("Date", phrase(Name(dated)))]
    title = plain(claim, brand)
    return {
        "title": title,
        "claim": claim,
        "summary": plain(decision, brand),
        "kind": kind,
        "masthead": masthead,
        **edges(brand, title, scenario or reader.result.study.title, (details.number, dated, brand.confidentiality)),
        "keywords": ", ".join(filter(None, ("sheetcalc", reader.result.study.name, scenario))),
        "dated": details.issued,
    }


def edges(brand, title, name, more):
    """The lines at the edges of a page; a long name gives way to what stands after it."""
    after = " · ".join(filter(None, more))
    footer = " · ".join(filter(None, (short(name, LINE_WIDTH - min(text_width(after, LINE_SIZE), LINE_WIDTH / 2)), after)))
    return {"running": short(title, LINE_WIDTH), "footer": short(footer, LINE_WIDTH), "company": short(brand.company, COMPANY_WIDTH)}


def short(text, most):
    """A text for the edge of a page: cut with an ellipsis where it is wider than `most` points."""
    if text_width(text, LINE_SIZE) <= most:
        return text
    kept = max((n for n in range(len(text)) if text_width(text[:n], LINE_SIZE) <= most - text_width("… · ", LINE_SIZE)), default=0)
    return text[:kept].rstrip() + "…"


def figures(reader, names, notes=None):
    """The strip under the lead. "per month" moves from the value to the label; `notes` are words after a label, by name."""
    return [tile(reader, name, (notes or {}).get(name, "")) for name in names[:MOST_FIGURES] if reader.has(name)]


def tile(reader, name, note=""):
    """One key figure: label with its note, value, whether the value is long."""
    label, value = str(reader.label(name)), reader.figure(name)
    unit = reader.result.unit(name)
    per = unit.partition("/")[2]
    if unit.startswith("$") and per in PER:
        value = reader.bare(name)
        label += "" if per in label.lower() or PER[per] in label.lower() else f", {PER[per]}"
    elif unit == "Mtok/day" and "tokens a day" in label.lower():
        shown = show.number(show.display(reader.value(name), unit))
        value = phrase(Number(f"{shown} M", reader.value(name), scale(unit), name))
    return phrase(Name(label), note), value, len(str(value)) > TIGHT


def pictures(reader, declared):
    found = []
    for chart in declared:
        drawn = plots.plot(reader, chart)
        if drawn is not None:
            found.append(Picture(sentence(reader.says(chart.title)), plots.measure(reader, chart), drawn))
    return found


def derivation(reader, names):
    return [Row(reader.derivation(name)) for name in names]


def argument(reader):
    """The sentences of the argument; a short first one becomes the heading."""
    said = [reader.says(name) for name in reader.result.study.story.argument]
    if said and len(str(said[0])) <= HEADING:
        return {"heading": sentence(said[0]), "sentences": said[1:]}
    return {"heading": phrase("Why"), "sentences": said}


def not_counted(reader):
    """What the study leaves out, as sentences or as one list of words."""
    items = reader.result.study.story.not_counted
    if not items:
        return None
    if all(item.endswith(".") for item in items):
        return phrase(*(piece for item in items for piece in (reader.fill(item) or words(item), " ")))
    return phrase(words(_capital(", ".join(item.rstrip(".") for item in items))), ".")


def _capital(text):
    return text[:1].upper() + text[1:]


def checks(reader, named=True):
    """What holds, by name or by number, and the sentence of each check that does not; those of a list stand there."""
    listed = {name for found in reader.result.study.listings for row in found.rows for name in row}
    asked = [check for check in reader.result.checks if check["ok"] is not None and check["name"] not in listed]
    holding = [standing.lower(check["label"]) for check in asked if check["ok"]]
    broken = [reader.verdict(check) for check in asked if not check["ok"]]
    if not holding:
        told = None
    elif named:
        told = phrase("These hold: " if broken else "All hold: ", Name("; ".join(holding)), ".")
    else:
        count = Number(f"{len(holding)}", float(len(holding)))
        told = phrase(count, " other checks hold; the workbook lists them." if broken else " checks hold; the workbook lists them.")
    return {"holding": told, "broken": broken}


def closing(details):
    words = "Every figure on these pages is worked out by the formulas shown"
    if not details.workbook:
        return phrase(words, ".")
    return phrase(f"{words}; the attached workbook ", Name(details.workbook), " holds them live. SHA-256 ", Name(details.fingerprint), ".")
