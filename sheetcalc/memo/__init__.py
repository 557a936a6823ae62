"""Memos: an evaluated study as a PDF that a committee can act on."""

import atexit
from functools import lru_cache
from pathlib import Path

from sheetcalc.memo.templates import FOLDER


def render(result, brand=None, details=None, attached=(), finance=None):
    """The memo of an evaluated study as PDF bytes; the same result gives the same bytes.

    `finance` is the finance study worked out with this plan: then the plan's memo tells money over time.

    `brand` is the path of a brand file (templates/brand.toml when left out); `attached` are files to carry inside (see Attached).
    Raises SheetcalcError subclasses in words: a brand file, a text that cannot be drawn, a template that asks for a foreign file.
    """
    memo = compose(result, brand, details, attached, finance)
    return press(brand).run(memo.html, attached, memo.dated)


def compose(result, brand=None, details=None, attached=(), finance=None):
    """The page before printing: HTML, the ledger of its numbers, title and one-paragraph summary."""
    from dataclasses import replace

    from sheetcalc.memo import page, plan_page, study_page
    from sheetcalc.memo.details import Details
    from sheetcalc.memo.pdf import fingerprint

    kind = plan_page if plan_page.fits(result) else study_page
    details = details or Details()
    books = [item for item in attached if item.relationship == "Source"]
    if books:
        details = replace(details, workbook=books[0].name, fingerprint=fingerprint(books[0].content))
    look = _brand(brand)
    view = kind.view(result, look, details, finance) if kind is plan_page else kind.view(result, look, details)
    return page.compose(kind.TEMPLATE, view, look)


def verdict(result, finance=None):
    """The title of a result's memo as plain text, for summaries and letters."""
    from sheetcalc.memo import plan_page
    from sheetcalc.memo.reading import Reader

    return str(plan_page.claim(Reader(result), finance and Reader(finance)))


def problems(result):
    """What does not hold, as the memo says it: figures rounded and grouped."""
    from sheetcalc.memo.reading import Reader

    return [str(problem) for problem in Reader(result).problems()]


def render_portfolio(entries, brand=None):
    """The memo over the manifest entries of a run as PDF bytes; None where no scenario is done."""
    from sheetcalc.memo import portfolio

    memo = portfolio.write(entries, _brand(brand))
    return memo and press(brand).run(memo.html)


@lru_cache(maxsize=4)
def press(brand=None):
    """Styles and fonts, set up once a process and brand."""
    from sheetcalc.memo.page import environment
    from sheetcalc.memo.pdf import Press

    look = _brand(brand)
    css = environment().get_template("memo.css.j2").render(brand=look)
    return Press(css, FOLDER, look.folder)


atexit.register(press.cache_clear)  # fonts are given back while the library that holds them is still there


def _brand(path):
    from sheetcalc.memo.brand import load

    return load(Path(path) if path else FOLDER / "brand.toml")
