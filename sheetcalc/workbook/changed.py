"""A changed input in words: what it is, what it was and where that came from, what it is now."""

from __future__ import annotations

from typing import Any

from sheetcalc.workbook import inputs
from sheetcalc.workbook.origin import Change, Returned, about_of, is_number, name_of
from sheetcalc.workbook.rows import display_unit
from sheetcalc.workbook.sheet import Sheet


def changed(back: Returned, c: Change) -> str:
    """One change: 'Prompt tokens per request (prompt_tokens): 1800 tok (scenario Support chat) → 2500 tok'."""
    about = about_of(back, c)
    unit = display_unit(about.unit)
    was, now = (shown(x, unit) for x in (c.was, c.now))
    if c.key[0] == "given":
        was = was if c.was not in (None, "") else _instead(back, c.key[1], unit)
        now = now if c.now not in (None, "") else "blank"
    says = f"{about.label}{_which(back, c)}: {was} → {now}"
    return says + (f" (holds ={c.formula}, taken at its shown value)" if c.formula else "")


def _which(back: Returned, c: Change) -> str:
    """The name of the input, and which of several cells it is."""
    kind, *rest = c.key
    more = {
        "scenario": lambda: f" of {back.rows[rest[0]].name}",
        "grid": lambda: f", row {_row_label(back, c)}",
        "study": lambda: f" of {rest[0]}",
        "share": lambda: f", to the {rest[1]} end",
        "load": lambda: f", step {rest[0] + 1}",
        "default": lambda: ", default",
    }
    return name_of(c) + more.get(kind, str)()


def _row_label(back: Returned, c: Change) -> str:
    """The row of a table by the first text in it, else by what it runs over."""
    _, of, name, i = c.key
    study = next(s for s in (back.plan, *back.studies) if s.name == of)
    grid = next(g for g in study.model.grids if name in g.typed or name in (*g.rows, *g.columns))
    columns = [study.model.inputs[n] for n in (*study.model.grid_axes(grid), *grid.typed) if n in study.model.inputs]
    texts = [about for about in columns if about.is_text]
    return shown((texts or columns)[0].value[i])


def _instead(back: Returned, name: str, unit: str) -> str:
    """What a blank cell of Inputs left in force: the scenario's value, the profile's, or the default."""
    sheet: Sheet = next(s for s in back.issued if s.title == inputs.TITLE)
    row = inputs.places(back.plan)[1][name]
    for col, words in (
        (inputs.SCENARIO, f"scenario {back.rows[0].name}" if back.rows else ""),
        (inputs.PROFILE, "profile"),
        (inputs.DEFAULT, "default"),
    ):
        if (row, col) in sheet.cells and (x := sheet.value_at(row, col)) not in (None, "") and x == x:
            return f"{shown(x, unit)} ({words})"
    return "blank"


def shown(x: Any, unit: str = "") -> str:
    """A cell's value for a reader."""
    if x is None or x == "":
        return "blank"
    if isinstance(x, bool):
        return str(x).upper()
    if isinstance(x, str):
        return repr(x)
    if x != x:
        return "an error"
    return f"{x:.15g}" + (f" {unit}" if unit and unit != "share" and is_number(x) else "")
