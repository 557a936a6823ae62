"""The top of a study's sheet beside a plan: the decision in words, the key figures and the charts; its rows stand below."""

from __future__ import annotations

from sheetcalc.study import UNDECIDED, Result, Study
from sheetcalc.workbook import chart_data, front, styles
from sheetcalc.workbook.checks import TITLE as CHECKS
from sheetcalc.workbook.checks import Anchors
from sheetcalc.workbook.formulas import Place, quoted
from sheetcalc.workbook.layout import FIRST_ROW, SOURCE
from sheetcalc.workbook.sheet import Sheet

CLAIM, DECISION, FIGURES = 3, 4, 6  # rows
SECOND = "F"  # column at which the chart at the right begins


def first_row(study: Study) -> int:
    """The row at which the inputs of a study begin, below its top."""
    figures = FIGURES + len(study.story.figures) + 2 if study.story else FIRST_ROW - 2
    return figures + chart_data.rows(study) + 2


def write(sheet: Sheet, result: Result, places: dict[str, Place], anchors: Anchors) -> None:
    """Claim, decision, key figures and charts, all live."""
    name, story, row = result.study.name, result.study.story, FIRST_ROW - 2
    if story:
        status, problem = anchors.status[name]
        status = f"{quoted(CHECKS)}!{status}"
        lines = (CLAIM, story.claim, styles.VERDICT, status, problem), (DECISION, story.decision, styles.TEXT, f'"{UNDECIDED}"', UNDECIDED)
        for at, saying, style, instead, told in lines:
            cell, words = anchors.sayings[name, saying]
            formula = f'IF({status}="ok",{quoted(CHECKS)}!{cell},{instead})'
            sheet.formula(at, 1, formula, words if problem == "ok" else told, style._replace(wrap=False))
        row = front.figures(sheet, FIGURES, result, places, story.figures)
    chart_data.section(sheet, row, SOURCE + 2, result, places, anchors.sayings, SECOND)
