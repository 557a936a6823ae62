"""The functions page: every function with its arguments and a worked example, which a test works out again."""

from __future__ import annotations

from itertools import groupby

from sheetcalc.excel.boundary import Cell
from sheetcalc.excel.registry import PREFIX, Function, functions

HEAD = """# The functions

Made by `sheetcalc addin export -o functions.md`. In LibreOffice the same functions are called `SHEETCALC.` instead of `SC_`.
Each example can be typed into a cell of an English Excel as it stands; where numbers have a decimal comma, a `;` separates arguments.
Ranges are written here as `{row;row}` with `,` between columns. Where an argument has no value in any worked example, the example uses 1.
"""
GENERAL = ("plan", "study", "table", "grid", "explain", "decide", "checks", "gpu", "model", "api_price", "iserr", "version")
SHOWN = 12  # significant digits of a result on the page
MOST_ROWS = 4


def page() -> str:
    """The page, in Markdown."""
    made = functions()
    quantities = [f for n, f in made.items() if n not in GENERAL]
    by_letter = {letter: list(found) for letter, found in groupby(quantities, lambda f: f.excel[len(PREFIX)])}
    parts = [
        HEAD,
        "[Plans, tables and catalogues](#plans-tables-and-catalogues); one quantity each, by the first letter after `SC_`: "
        + " ".join(f"[{letter}](#{letter.lower()})" for letter in by_letter),
        "\n## Plans, tables and catalogues\n",
        *(entry(made[n]) for n in GENERAL),
    ]
    for letter, found in by_letter.items():
        parts += [f"\n## {letter}\n", *map(entry, found)]
    return "\n".join(parts).rstrip() + "\n"


def entry(f: Function) -> str:
    """One function: what it says, its arguments, its example and what that gives."""
    lines = [f"### {f.excel}", "", cleaned(f.says), ""]
    lines += [f"- `{a.name}`{' (may be left out)' if a.optional else ''}: {cleaned(a.says)}" for a in f.arguments]
    lines += [""] if f.arguments else []
    return "\n".join([*lines, "```", formula(f), *result(f), "```", ""])


def values(f: Function) -> list[Cell]:
    """The arguments of the example, without blanks at the end."""
    found = [a.example for a in f.arguments]
    while found and found[-1] is None:
        found.pop()
    return found


def formula(f: Function) -> str:
    """The example as it is typed."""
    return f"={f.excel}({', '.join(map(literal, values(f)))})"


def result(f: Function) -> list[str]:
    """What the example gives, a line a row."""
    found = f.call(*values(f))
    table = found if isinstance(found, list) else [[found]]
    shown = ["→ " + " | ".join(map(cell, row)) for row in table[:MOST_ROWS]]
    return shown + ([f"  … {len(table)} rows"] if len(table) > MOST_ROWS else [])


def literal(x: Cell) -> str:
    """A cell or range in a formula of Excel."""
    if x is None:
        return ""
    if isinstance(x, list):
        return "{" + ";".join(",".join(map(literal, row)) for row in x) + "}"
    if isinstance(x, bool):
        return "TRUE" if x else "FALSE"
    return '"' + x.replace('"', '""') + '"' if isinstance(x, str) else f"{x:.12g}"


def cell(x: Cell) -> str:
    """A value as a cell shows it."""
    if isinstance(x, bool):
        return "TRUE" if x else "FALSE"
    return x if isinstance(x, str) else f"{x:.{SHOWN}g}"


def cleaned(text: str) -> str:
    """A description as plain text of the page."""
    return text.replace("\\", "\\\\").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;").replace("|", "\\|")
