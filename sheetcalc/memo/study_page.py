"""A calculator's memo: claim, decision, figures, argument, charts, derivation, inputs; one or two pages."""

from sheetcalc.memo import plots, standing
from sheetcalc.memo.clean import clean
from sheetcalc.memo.page import Column, Picture, Row
from sheetcalc.memo.phrase import Name, phrase
from sheetcalc.memo.reading import Reader

TEMPLATE = "study.html.j2"
DERIVATION = (Column("Quantity", "50mm"), Column("Working", "", quiet=True), Column("Result", "31mm", number=True))
TIGHT = 9  # characters of a key figure beyond which it is set smaller
MOST_FIGURES = 5
PER = {"month": "a month", "day": "a day", "h": "per hour", "year": "a year", "M tok": "per million"}


def view(result, brand, details):
    """Everything that the template of a calculator shows."""
    reader, story = Reader(result), result.study.story
    claim = reader.says(story.claim)
    problems = reader.problems()
    decision = reader.says(story.decision)
    return {
        **frame(reader, brand, details, claim, decision, phrase(words_of(result.study.title))),
        "decision": decision, "problems": problems, "figures": figures(reader, story.figures),
        "argument": [reader.says(name) for name in story.argument], "argument_heading": "The argument",
        "not_counted": not_counted(reader), "charts": pictures(reader, result.study.charts),
        "derivation": derivation(reader, story.derivation), "derivation_columns": DERIVATION,
        "assumptions": standing.gather(reader, standing.needed(reader.model, [*story.derivation, *story.figures])),
        "assumption_columns": standing.COLUMNS, "checks": checks(reader),
        "closing": closing(details),
    }


def words_of(text):
    return Name(text)


def frame(reader, brand, details, claim, decision, kind):
    """What the shell shows: title, masthead, footer, metadata."""
    scenario = clean(details.scenario)
    dated = details.date_words(brand)
    masthead = [("To", phrase(Name(brand.to))), ("Subject", phrase(Name(scenario or reader.result.study.title)))]
    masthead += [("From", phrase(Name(", ".join(filter(None, (brand.from_, brand.company)))))), ("Date", phrase(Name(dated)))]
    footer = " · ".join(filter(None, (scenario[:60], details.number, dated, brand.confidentiality)))
    title = clean(str(claim))
    return {
        "title": title, "claim": claim, "summary": clean(str(decision)), "kind": kind, "masthead": masthead, "footer": footer,
        "keywords": ", ".join(filter(None, ("sheetcalc", reader.result.study.name, scenario))), "dated": details.issued,
    }


def figures(reader, names):
    """Label, value and whether the value is long, for the strip under the lead. "per month" moves from the value to the label."""
    found = []
    for name in names[:MOST_FIGURES]:
        if reader.has(name):
            label, value = str(reader.label(name)), reader.figure(name)
            unit = reader.result.unit(name)
            per = unit.partition("/")[2]
            if unit.startswith("$") and per in PER:
                value = reader.bare(name)
                label += "" if per in label.lower() or PER[per] in label.lower() else f", {PER[per]}"
            found.append((phrase(Name(label)), value, len(str(value)) > TIGHT))
    return found


def pictures(reader, declared):
    found = []
    for chart in declared:
        drawn = plots.plot(reader, chart)
        if drawn is not None:
            found.append(Picture(reader.says(chart.title), plots.measure(reader, chart), drawn))
    return found


def derivation(reader, names):
    return [Row(reader.derivation(name)) for name in names]


def not_counted(reader):
    return [reader.fill(text) or phrase(text) for text in reader.result.study.story.not_counted]


def checks(reader):
    """What holds, by name, and the sentence of each check that does not."""
    asked = [check for check in reader.result.checks if check["ok"] is not None]
    holding = [check["label"] for check in asked if check["ok"]]
    broken = [reader.verdict(check) for check in asked if not check["ok"]]
    return {"holding": phrase(Name("; ".join(_lower(label) for label in holding))) if holding else None, "broken": broken}


def _lower(label):
    return label[:1].lower() + label[1:] if label[1:2].islower() or label[1:2] == " " else label


def closing(details):
    words = "Every figure on these pages is worked out by the formulas shown"
    if not details.workbook:
        return phrase(words, ".")
    return phrase(f"{words}; the attached workbook ", Name(details.workbook), " holds them live. SHA-256 ", Name(details.fingerprint), ".")
