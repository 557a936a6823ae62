"""A study's lists as tables of the memo: scalars with their units, and whether each check holds."""

from dataclasses import dataclass

from sheetcalc.memo.page import Column, Row
from sheetcalc.memo.phrase import Name, phrase

NUMBER, FLAG = "17mm", "15mm"


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple
    rows: tuple


def tables(reader):
    """Each list that the study declares."""
    return [_table(reader, listing) for listing in reader.result.study.listings]


def _table(reader, listing):
    checks = reader.model.checks
    columns = []
    for at, title in enumerate(listing.columns):
        held = [row[at] for row in listing.rows]
        number = any(_known(reader, name) and name not in checks for name in held)
        flag = any(name in checks for name in held)
        columns.append(
            Column(phrase(title), NUMBER if number else FLAG if flag else "", number=number, quiet=at == len(listing.columns) - 1)
        )
    rows = tuple(Row(tuple(_cell(reader, name) for name in row)) for row in listing.rows)
    return Table(listing.title, tuple(columns), rows)


def _known(reader, name):
    return name in reader.model.steps or name in reader.model.inputs


def _cell(reader, name):
    if name in reader.model.checks:
        value = reader.value(name)
        return phrase("not known" if value != value else "holds" if value else "broken")
    if not _known(reader, name):
        return phrase(Name(name))
    return reader.figure(name) if reader.has(name) else phrase("none")
