"""What a result says, as phrases: figures, sentences, derivation lines, the words for what does not exist."""

import re

from sheetcalc import show
from sheetcalc.cells import missing
from sheetcalc.memo.phrase import Name, Number, phrase
from sheetcalc.operations import text_of
from sheetcalc.study import UNSAID
from sheetcalc.units import scale

PLACED = re.compile("\ue000(\\d+)\ue001")  # private-use marks around the place of an operand while a formula is written
LITERAL = re.compile(r"\d[\d.]*")
NAMED = re.compile(
    r"[A-Za-z][A-Za-z+.-]*\d[\w.+-]*|\b\d+(?:th|st|nd|rd|-[a-z]+)\b|\b[Pp]er 1,000\b"
)  # p99, N+1, FP8, H100, 95th, 4-bit and a unit: names, not numbers


def amount(value, unit, name=""):
    """A value with its unit: 35.6 µs, 65.5%, $1.57."""
    if isinstance(value, str):
        return phrase(Name(value))
    if isinstance(value, bool):
        return phrase("yes" if value else "no")
    return phrase(Number(show.shown(value, unit).replace(" 1/", "/"), value, scale(unit), name))


def words(text):
    """Words of a study: names in them that hold digits are marked, a bare number is not and is caught by the page test."""
    pieces, at = [], 0
    for found in NAMED.finditer(text):
        pieces += [text[at : found.start()], Name(found.group())]
        at = found.end()
    return phrase(*pieces, text[at:])


# Units as a sentence says them, longest first; tables keep the symbols.
SPOKEN = (
    ("/M tok", " per million tokens"),
    (" Mtok/day", " million tokens a day"),
    (" Mtok/h", " million tokens an hour"),
    (" Gtok/day", " billion tokens a day"),
    (" tok/s", " tokens a second"),
    (" req/s", " requests a second"),
    (" req/day", " requests a day"),
    (" tok", " tokens"),
    (" x", " times"),
    (" 1/month", " a month"),
    (" 1/day", " a day"),
    ("/month", " a month"),
    ("/day", " a day"),
    ("/year", " a year"),
    ("/h", " an hour"),
)
PLURAL = re.compile(r"^( [A-Za-z]+(?:-[A-Za-z]+)?)s\b")


def spoken(text, unit):
    """The printed value with its unit in words: $14,400 a month, 16.0 million tokens a day."""
    for symbol, said in SPOKEN:
        if unit and text.endswith(symbol) and (unit.endswith(symbol.strip()) if symbol[0] == " " else unit.endswith(symbol)):
            return text.removesuffix(symbol) + said
    return text


class Reader:
    """One evaluated study, read aloud."""

    def __init__(self, result):
        self.result, self.model = result, result.model

    def has(self, name):
        """Whether the study has a scalar of this name and it has a value."""
        known = name in self.model.steps or name in self.model.typed or name in self.model.inputs
        return known and not self.model.home.get(name) and not missing(self.result.value(name))

    def number(self, name):
        """Whether the study has a scalar number of this name."""
        return self.has(name) and not isinstance(self.result.value(name), (str, bool))

    def value(self, name):
        return self.result.value(name)

    def label(self, name):
        return Name(self.result.label(name))

    def figure(self, name):
        """A value for a reader, or the sentence that says why there is none."""
        value = self.result.value(name)
        return self.absent(name) if missing(value) else amount(value, self.result.unit(name), name)

    def tell(self, template):
        """A sentence with values of the study, as `fill`; an empty phrase where one of them does not exist."""
        return self.fill(template) or phrase("")

    def bare(self, name):
        """A bill without its "/month", for a column whose head says it."""
        value = self.result.value(name)
        if missing(value):
            return self.absent(name)
        return phrase(Number(show.shown(value, self.result.unit(name)).partition("/")[0], value, scale(self.result.unit(name)), name))

    def fill(self, template):
        """A sentence of a study with its numbers, "1 replicas" put right; None when one of the numbers does not exist."""
        pieces, at, single = [], 0, False
        for found in show.PLACE.finditer(template):
            name = found[1]
            value, unit = self.result.value(name), self.result.unit(name)
            if missing(value):
                return None
            pieces.append(words(_singular(template[at : found.start()], single)))
            single = value == 1 and not unit
            if isinstance(value, (str, bool)):
                pieces.append(amount(value, unit, name))
            else:
                text = show.sentence(found.group(), lambda _, value=value: value, lambda _, unit=unit: unit, pretty=True)
                pieces.append(Number(spoken(text, unit), value, scale(unit), name))
            at = found.end()
        return phrase(*pieces, words(_singular(template[at:], single)))

    def says(self, name):
        """A saying of the study: the first case that holds, or the first problem where a number of it does not exist."""
        for flag, template in self.result.study.sayings[name]:
            if not flag or self.result.value(flag) == 1:
                return self.fill(template) or self.status()
        return phrase("")

    def verdict(self, check):
        """The sentence of a check that is false."""
        about = self.model.steps[check["name"]].about
        return self.fill(about.says) or words(about.label)

    def problems(self):
        """The result's problems as phrases, in its order."""
        told = [(check["says"], self.verdict(check)) for check in self.result.checks if check["ok"] is False]
        if self.result.plan is not None:
            plan = Reader(self.result.plan)
            told += zip(self.result.plan.problems, plan.problems(), strict=True)
        known = dict(reversed(told))
        return [known.get(problem) or words(problem) for problem in self.result.problems]

    def status(self):
        problems = self.problems()
        return problems[0] if problems else phrase(UNSAID)

    def absent(self, name):
        """Why a quantity has no value: the first failed check that it rests on."""
        upstream = {step.name for step in self.model.upstream([name])}
        for check in self.result.checks:
            if check["ok"] is False and check["name"] in upstream:
                return self.verdict(check)
        return words(self.result.absent(name))

    def derivation(self, name):
        """Label, working, result: a line that a reader can retype."""
        step, operands = self.model.steps[name], []
        binary = any(re.match("[KMGT]i", self.model.unit(n)) for n in step.needs if not self.model.home.get(n))

        def place(needed):
            operands.append(self._operand(needed, binary))
            return f"\ue000{len(operands) - 1}\ue001"

        written = text_of(step.expr, place)
        pieces, at = [], 0
        for found in PLACED.finditer(written):
            pieces += [*_literals(written[at : found.start()]), operands[int(found[1])]]
            at = found.end()
        pieces += _literals(written[at:])
        return phrase(self.label(name)), phrase(*pieces), self.figure(name)

    def _operand(self, name, binary):
        if self.model.home.get(name):
            return Name(self.model.about(name).label.lower())
        value, unit = self.result.value(name), self.model.unit(name)
        if missing(value) or value == "":
            return "not given"
        if isinstance(value, (str, bool)):
            return amount(value, unit)
        return amount(value, unit, name) if binary else Number(show.operand(value, unit), value, 1.0, name)


def _singular(text, single):
    """The words after a count of one: " replicas for" becomes " replica for"."""
    return PLURAL.sub(r"\1", text) if single else text


def _literals(text):
    """Structural numbers of a formula (0, 1, 2, 4, 8), which are their own values."""
    pieces, at = [], 0
    for found in LITERAL.finditer(text):
        pieces += [text[at : found.start()], Number(found.group(), float(found.group()), 1.0, "literal")]
        at = found.end()
    return [*pieces, text[at:]]
