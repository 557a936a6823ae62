"""The page: what every memo shows, gathered from a result and set in a template."""

import re
from dataclasses import dataclass
from functools import lru_cache

import jinja2
from markupsafe import Markup, escape

from sheetcalc.memo import charts
from sheetcalc.memo.clean import clean
from sheetcalc.memo.phrase import Ledger, Name, Number, phrase
from sheetcalc.memo.templates import FOLDER


@dataclass(frozen=True)
class Picture:
    """A chart with the sentence above it."""

    says: object
    measure: object
    chart: object
    source: object = None


@dataclass(frozen=True)
class Column:
    title: str
    width: str = ""
    number: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class Row:
    cells: tuple
    chosen: bool = False


@dataclass(frozen=True)
class Memo:
    """A page ready to print, and the ledger of every number and name on it in reading order."""

    html: str
    ledger: Ledger
    title: str
    summary: str
    dated: object = None


def localized(text, brand):
    """Digits of a number in the company's style."""
    if brand.decimal_mark == ",":
        text = text.translate(str.maketrans(",.", ".,"))
    return text.replace("$", brand.currency) if brand.currency != "$" else text


def written(piece, brand):
    """A piece of a phrase as the company writes it: digits of numbers, the word for its money; names stay."""
    if isinstance(piece, Number):
        return localized(piece.text, brand)
    if isinstance(piece, str) and brand.currency != "$":
        piece = piece.replace("dollars", brand.currency).replace("$", brand.currency)
    return clean(str(piece))


def plain(words, brand):
    """A phrase as text for a title or an attribute."""
    return "".join(written(piece, brand) for piece in phrase(words).pieces)


def localized_text(text, brand):
    """A finished sentence, such as a verdict, with its numbers in the company's style."""
    return re.sub(r"\$?\d[\d,]*(?:\.\d+)?", lambda found: localized(found[0], brand), text)


@jinja2.pass_context
def say(context, value):
    """The filter through which everything that may hold a number reaches the page."""
    if value is None or isinstance(value, jinja2.Undefined):
        raise ValueError("a template says something that is not there")
    ledger, brand = context["ledger"], context["brand"]
    out = []
    for piece in phrase(value).pieces:
        ledger.note(piece)
        text = written(piece, brand)
        out.append(escape(text.replace(" ", "\u00a0") if isinstance(piece, Number) else text))
    return Markup("").join(out)


@jinja2.pass_context
def draw(context, picture):
    """A chart as SVG; its labels join the ledger in the order in which they are drawn."""
    brand = context["brand"]
    drawn = charts.draw(picture.chart, brand.accent)
    labels = [phrase(words).pieces for words in drawn.words]
    for pieces in labels:
        for piece in pieces:
            context["ledger"].note(piece)
    if (brand.decimal_mark, brand.currency) == (".", "$"):
        return Markup(drawn.svg)
    told = iter([f"{plain(picture.says, brand)}. {plain(picture.measure, brand)}.", *(plain(words, brand) for words in drawn.words)])
    return Markup(re.sub(r"(<title>|<text [^>]*>)[^<]*", lambda found: f"{found[1]}{escape(next(told))}", drawn.svg))


@jinja2.pass_context
def tell(context, template):
    """A sentence of a template with values of the plan; nothing where one of them does not exist."""
    return say(context, context["reader"].tell(template))


def groups(pictures):
    """Narrow charts in pairs, wide ones alone."""
    out = []
    for picture in pictures:
        narrow = picture.chart.width <= charts.HALF
        if narrow and out and len(out[-1]) == 1 and out[-1][0].chart.width <= charts.HALF:
            out[-1].append(picture)
        else:
            out.append([picture])
    return out


@lru_cache(maxsize=4)
def environment(folder=FOLDER):
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, auto_reload=False
    )
    env.filters.update(say=say, tell=tell, draw=draw, groups=groups, name=Name)
    return env


def compose(template, view, brand, folder=FOLDER):
    """Set a view in a template. The same view gives the same page."""
    ledger = Ledger()
    html = environment(folder).get_template(template).render(**view, brand=brand, ledger=ledger)
    return Memo(html, ledger, view["title"], view["summary"], view.get("dated"))
