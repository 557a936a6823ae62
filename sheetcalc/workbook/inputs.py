"""The Inputs sheet of a plan: what you type, the scenario's value, the default, and the value that is used, side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

from sheetcalc.provenance import readable
from sheetcalc.study import Result
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.rows import Writer, choices_words, display_unit, range_note
from sheetcalc.workbook.sheet import Sheet, address
from sheetcalc.workbook.styles import Style
from sheetcalc.workbook.validation import factor, in_cell

LABEL, YOURS, SCENARIO, PROFILE, DEFAULT, USED, UNIT, NAME, SOURCE, RANGE, ONE, BASE, OWN_BASE, PROFILE_BASE = range(1, 15)
HEADINGS = {
    LABEL: "Input",
    YOURS: "Your value",
    SCENARIO: "Scenario",
    PROFILE: "Profile",
    DEFAULT: "Default",
    USED: "Used",
    UNIT: "Unit",
    ONE: "One unit is",
    BASE: "Used, in base units",
    NAME: "Name",
    SOURCE: "Source and standing",
    RANGE: "Valid range and note",
    OWN_BASE: "Yours, base",
    PROFILE_BASE: "Profile, base",
}
WIDTHS = {
    LABEL: 42,
    YOURS: 16,
    SCENARIO: 16,
    PROFILE: 12,
    DEFAULT: 16,
    USED: 16,
    UNIT: 9,
    NAME: 25,
    SOURCE: 28,
    RANGE: 38,
    ONE: 12,
    BASE: 15,
    OWN_BASE: 13,
    PROFILE_BASE: 13,
}
FIRST = 6
TITLE = "Inputs"


class Picked(NamedTuple):
    """The scenario that the picker has chosen: a formula (without =) and its value for each input that the table has."""

    formulas: dict[str, str]
    values: dict[str, Any]


def places(study) -> tuple[dict[str, Place], dict[str, int]]:
    """Where the inputs of a plan live, and the row of each."""
    found, rows, model = {}, {}, study.model
    row = FIRST - 1
    for name in study.inputs:
        row = rows[name] = row + (2 if name in study.headings else 1)
        own = model.typed[name]
        found[name] = Place(TITLE, row, BASE)
        if own != name:
            found[own] = Place(TITLE, row, OWN_BASE)
        if f"profile_{name}" in model.steps:
            found[f"profile_{name}"] = Place(TITLE, row, PROFILE_BASE)
    return found, rows


def write(writer: Writer, sheet: Sheet, rows: dict[str, int], given: dict[str, Any], picked: Picked) -> None:
    """Every input of the plan. `given` are values that a person set for this workbook; `picked` comes from the scenario table."""
    result = writer.result
    sheet.put(1, 1, "Inputs", styles.TITLE)
    sheet.put(
        2,
        1,
        "Type into the blue cells. A blank cell takes the scenario's value, else the profile's, else the default.",
        styles.SUBTITLE._replace(wrap=False),
    )
    for col, words in HEADINGS.items():
        sheet.put(
            FIRST - 1,
            col,
            words,
            styles.HEADING_RIGHT
            if col in (YOURS, SCENARIO, PROFILE, DEFAULT, USED, ONE, BASE, OWN_BASE, PROFILE_BASE)
            else styles.HEADING
            if col == LABEL
            else styles.HEADING_IN,
        )
        sheet.width(col, WIDTHS[col])
    sheet.workings |= {ONE, BASE, OWN_BASE, PROFILE_BASE}
    sheet.frozen, sheet.heading_rows = f"B{FIRST}", f"{FIRST - 1}:{FIRST - 1}"
    for name, row in rows.items():
        if name in result.study.headings:
            sheet.put(row - 1, LABEL, result.study.headings[name], styles.SECTION)
        _row(writer, sheet, row, name, given, picked, result)


def _row(writer: Writer, sheet: Sheet, row: int, name: str, given, picked: Picked, result: Result) -> None:
    model, own = writer.model, writer.model.typed[name]
    about, unit = model.inputs[own], model.inputs[own].unit
    chained, scale = own != name, factor(unit)

    def display(x):
        return x if isinstance(x, str) or x != x else x / scale

    used = writer.cached(name)
    beside = [display(x) for x in (used, about.value, given.get(name), picked.values.get(name)) if isinstance(x, (int, float)) and x == x]
    form = styles.typed_format(unit, beside) if all(x % 1 == 0 for x in beside) else styles.number_format(unit)
    exact = styles.EXACT if scale != 1 else form

    def in_base(cell):
        return cell if scale == 1 or about.is_text else f"{cell}*{address(row, ONE)}"

    def in_display(name_or_cell):
        return name_or_cell if scale == 1 or about.is_text else f"{name_or_cell}/{address(row, ONE)}"

    sheet.put(row, LABEL, about.label, styles.LABEL)
    sheet.put(row, UNIT, display_unit(unit), styles.NAME)
    sheet.put(row, NAME, name, styles.NAME)
    sheet.put(row, SOURCE, readable(about.source), styles.NOTE)
    sheet.put(row, RANGE, range_note(about), styles.NOTE)
    if scale != 1:
        sheet.put(row, ONE, scale, styles.one_unit(scale))
    sheet.put(
        row,
        YOURS,
        given.get(name) if about.is_text or name not in given else in_cell(given[name], scale),
        styles.INPUT._replace(format=form, right=about.is_text, wrap=about.is_text),
        ("given", name),
    )
    yours, from_scenario, default = address(row, YOURS), address(row, SCENARIO), address(row, DEFAULT)
    if about.is_text:
        if about.choices:
            sheet.lists.append((yours, writer.choice_list(name, about), f"Choose {choices_words(about)}"))
    else:
        sheet.bounds.append((yours, about))
    has_scenario = name in picked.formulas
    if has_scenario:
        x = picked.values[name]
        sheet.formula(
            row, SCENARIO, picked.formulas[name], display(x), styles.LINK._replace(format=form, right=about.is_text, wrap=about.is_text)
        )
    if chained:
        _chain(writer, sheet, row, name, own, about, form, exact, in_display, given, picked, display)
        own_value = writer.cached(own)
        sheet.formula(
            row,
            OWN_BASE,
            _own(about, yours, from_scenario if has_scenario else "", in_base),
            own_value,
            Style(color=styles.QUIET, format=exact),
        )
        sheet.names[own] = address_of(row, OWN_BASE)
        sheet.formula(row, BASE, writer.printer.formula(model.steps[name].expr, {}, sheet.title), used, Style(format=exact))
        writer.use_names(sheet, name)
    else:
        blank = about.value is None or about.value == ""
        sheet.put(
            row,
            DEFAULT,
            None if blank else display(about.value),
            styles.INPUT._replace(format=form, right=about.is_text, wrap=about.is_text),
            ("default", name),
        )
        sheet.formula(
            row, BASE, _plain(about, yours, from_scenario if has_scenario else "", default, in_base, blank), used, Style(format=exact)
        )
    sheet.names[name] = address_of(row, BASE)
    sheet.formula(
        row, USED, in_display(address(row, BASE)), display(used), Style(format=form, bold=True, right=about.is_text, wrap=about.is_text)
    )


def _chain(writer, sheet, row, name, own, about, form, exact, in_display, given, picked, display) -> None:
    """The profile's value, and the catalogue's (the last of the chain)."""
    model = writer.model
    chain = model.steps[name].needs[1:]
    for link in chain:
        if link.startswith("profile_"):
            cell = address(row, PROFILE_BASE)
            sheet.formula(
                row,
                PROFILE_BASE,
                writer.printer.formula(model.steps[link].expr, {}, sheet.title),
                writer.cached(link),
                Style(color=styles.QUIET, format=exact),
            )
            writer.use_names(sheet, link)
            sheet.names[link] = address_of(row, PROFILE_BASE)
            sheet.formula(
                row, PROFILE, in_display(cell), display(writer.cached(link)), Style(format=form, right=about.is_text, wrap=about.is_text)
            )
        else:
            sheet.formula(
                row,
                DEFAULT,
                in_display(link),
                display(writer.cached(link)),
                styles.LINK._replace(format=form, right=about.is_text, wrap=about.is_text),
            )
            place = writer.layout.places[link]
            sheet.names[link] = place.address({}, "")


def _own(about, yours: str, scenario: str, in_base) -> str:
    """What a person typed, else the scenario's value, else nothing."""
    if about.is_text:
        rest = f"IF(ISTEXT({scenario}),{scenario},NA())" if scenario else "NA()"
        return f"IF(ISTEXT({yours}),{yours},{rest})"
    rest = f"IF(ISNUMBER({scenario}),{in_base(scenario)},NA())" if scenario else "NA()"
    return f"IF(ISNUMBER({yours}),{in_base(yours)},{rest})"


def _plain(about, yours: str, scenario: str, default: str, in_base, blank: bool) -> str:
    if about.is_text:
        rest = f"IF(ISTEXT({default}),{default},NA())" if blank else default
        rest = f"IF(ISTEXT({scenario}),{scenario},{rest})" if scenario else rest
        return f"IF(ISTEXT({yours}),{yours},{rest})"
    rest = f"IF(ISNUMBER({default}),{in_base(default)},NA())" if blank else in_base(default)
    rest = f"IF(ISNUMBER({scenario}),{in_base(scenario)},{rest})" if scenario else rest
    return f"IF(ISNUMBER({yours}),{in_base(yours)},{rest})"


def address_of(row: int, col: int) -> str:
    """Where a name of this sheet points."""
    return f"{TITLE}!{address(row, col, True)}"
