"""Sentences with numbers as live formulas: every case in a row of its own, the first true one chosen by INDEX."""

from __future__ import annotations

from sheetcalc import show
from sheetcalc.operations import is_truth
from sheetcalc.show import PLACE, WORDS, is_grouped, sentence_digits
from sheetcalc.study import Result
from sheetcalc.units import scale
from sheetcalc.workbook import styles
from sheetcalc.workbook.formulas import Place, text_literal
from sheetcalc.workbook.sheet import Sheet

LONGEST_LITERAL = 250  # characters of a text inside a formula (Excel's limit is 255)


def sentence_formula(template: str, result: Result, places: dict[str, Place], here: str) -> str:
    """A template as text joined with rounded values: "…"&ROUND(cell,1)&" GB"; never TEXT, whose formats follow the host's language.

    FIXED groups thousands as the host does."""
    parts, end = [], 0
    for m in PLACE.finditer(template):
        parts += _literals(template[end : m.start()])
        name, unit = m[1], result.unit(m[1])
        digits = sentence_digits(unit) if m[2] is None else int(m[2])
        value = places[name].address({}, here)
        if isinstance(result.value(name), str):
            parts.append(value)
        else:
            before, after = ("$", unit[1:]) if unit.startswith("$") else ("", unit if unit in ("%", "") else f" {unit}")
            shown = value if scale(unit) == 1 else _scaled(value, name, places, here, unit)
            rounded = f"ROUND({shown},{digits})"
            parts += _literals(before) + [f"FIXED({rounded},{digits})" if is_grouped(unit) else rounded]
            parts += [f'IF(ROUND({shown},{digits})=1,"{after}","{after}s")'] if unit in WORDS else _literals(after)
        end = m.end()
    return "&".join(_merged(parts + _literals(template[end:]))) or '""'


def _scaled(value: str, name: str, places, here: str, unit: str) -> str:
    """The value in its display unit: over the factor that stands in its row; a share times 100 is written as the share over one percent."""
    place = places[name]
    if unit == "%":
        return f"{value}/{ONE_PERCENT}"
    return f"{value}/{place._replace(col=place.col - 1).address({}, here)}"


ONE_PERCENT = "one_percent"  # a name on the Checks sheet: no number is typed in a formula


def _literals(text: str) -> list[str]:
    return [text_literal(text[i : i + LONGEST_LITERAL]) for i in range(0, len(text), LONGEST_LITERAL)]


def _merged(parts: list[str]) -> list[str]:
    """Neighboring literals joined where they stay short enough."""
    out: list[str] = []
    for part in parts:
        if out and part.startswith('"') and out[-1].startswith('"') and len(out[-1]) + len(part) < LONGEST_LITERAL:
            out[-1] = out[-1][:-1] + part[1:]
        else:
            out.append(part)
    return out


def cached_sentence(template: str, result: Result):
    """The same characters from Python; NaN where a value does not exist."""
    return show.sentence(template, result.value, result.unit)


def write_cases(sheet: Sheet, row: int, name: str, saying, result: Result, places: dict[str, Place]) -> tuple[int, int]:
    """The cases of a saying from `row` on: name, whether it is true, its words. Returns the first and the last row."""
    first = row
    flagged = styles.RESULT._replace(format=styles.FLAG)
    for case, (flag, template) in enumerate(saying, 1):
        sheet.put(row, 1, f"{name}, case {case}", styles.LABEL)
        if flag:
            value = result.value(flag)
            cell = places[flag].address({}, sheet.title)  # in Excel TRUE=1 is false: a truth stands as it is
            truth = flag in result.model.steps and is_truth(result.model.steps[flag].expr)
            sheet.formula(row, 2, f"IFERROR({cell if truth else f'{cell}=1'},FALSE)", bool(value == 1), flagged)
        else:
            sheet.formula(row, 2, "TRUE", True, flagged)
        sheet.formula(
            row,
            3,
            sentence_formula(template, result, places, sheet.title),
            cached_sentence(template, result),
            styles.TEXT._replace(indent=1),
        )
        row += 1
    return first, row - 1
