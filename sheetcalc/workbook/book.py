"""A workbook from evaluated studies: sheets in reading order, each study linked to the plan's cells."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sheetcalc.model import Grid, Link
from sheetcalc.study import Listing, Result, Study
from sheetcalc.workbook import (
    chart_data,
    checks,
    front,
    grids,
    header,
    inputs,
    listing,
    sensitivity,
    study_head,
    styles,
    summary_charts,
    versions,
)
from sheetcalc.workbook.cases import Cases
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.layout import FIRST_ROW, STACKED, Layout, lay_out
from sheetcalc.workbook.rows import WIDTHS, Writer
from sheetcalc.workbook.save import to_bytes
from sheetcalc.workbook.sheet import Sheet
from sheetcalc.workbook.table import FIRST as FIRST_SCENARIO
from sheetcalc.workbook.table import TITLE as TABLE
from sheetcalc.workbook.table import Row, Table

CATALOGUES = {"gpus": "GPUs", "models": "Models", "prices": "Prices", "formats": "Formats", "profiles": "Profiles"}
MODEL = "Model"


def build(
    plan: Study,
    given: dict[str, Any],
    studies: list[Study] = (),
    issue_date: str = "",
    rows: list[Row] = (),
    own: dict[str, str] | None = None,
) -> bytes:
    """The workbook of one plan, or of a table of scenarios, with the sheets of the studies that are asked for, as bytes of an xlsx file.

    `given` are input values in base units under the names that people type; `rows` are scenarios, of which the first is picked; `own` is
    what the studies have of their own (`own.lines`), so that the workbook can be read back. Raises InputError on a value outside its range.
    """
    return to_bytes(Book(plan, given, studies, issue_date, rows, own).sheets(), active="Summary")


class Edits(NamedTuple):
    """What a person changed in a workbook beside the inputs of the plan and the scenarios; values in base units."""

    studies: dict[str, dict[str, Any]]
    shares: dict[tuple[str, str], float]
    loads: dict[int, float]
    picked: str


UNCHANGED = Edits({}, {}, {}, "")


class Book:
    """Puts the sheets of a workbook together."""

    def __init__(
        self,
        plan: Study,
        given: dict[str, Any],
        studies=(),
        issue_date: str = "",
        rows: list[Row] = (),
        own: dict[str, str] | None = None,
        edits: Edits = UNCHANGED,
    ):
        self.given, self.issue_date, self.edits = given, issue_date, edits
        self.table = Table(plan, list(rows), given) if rows else None
        self.picked = next((i for i, row in enumerate(rows) if edits.picked and row.name.casefold() == edits.picked.casefold()), 0)
        self.plan = plan.evaluate(self.table.inputs_of(self.picked) if self.table else given)
        self.origin = versions.Origin(
            [plan.name, *(s.name for s in studies if s.name != plan.name)],
            own or {},
            given,
            self.table.typed_rows() if self.table else [],
            date=issue_date,
        )
        self.results = [self.plan, *(self._linked(s) for s in studies if s.name != plan.name)]
        self.layouts: dict[str, Layout] = {}
        self.by_title: dict[str, Sheet] = {}

    def _linked(self, study: Study) -> Result:
        linked = study.linked()
        return linked.evaluate(
            self.edits.studies.get(study.name, {}), self.plan if any(isinstance(i.value, Link) for i in linked.inputs.values()) else None
        )

    @property
    def places(self) -> dict[str, dict[str, Place]]:
        return {name: layout.places for name, layout in self.layouts.items()}

    def sheets(self) -> list[Sheet]:
        """All sheets in reading order, complete."""
        about, summary = Sheet("About", landscape=False), Sheet("Summary")
        check_sheet, made_from = Sheet(checks.TITLE), Sheet(versions.TITLE)
        body: list[Sheet] = []
        for result in self.results:
            body += self._lay_out(result)
        for sheet in body:
            self.by_title[sheet.title] = sheet
        for result in self.results:
            self._write(result)
        anchors = checks.write(check_sheet, self.results, self.places)
        check_sheet.frozen = "A5"
        for result in self.results[1:]:
            study_head.write(self.by_title[self._title(result)], result, self.places[result.study.name], anchors)
        below = front.summary(summary, self.plan, self.places[self.plan.study.name], anchors)
        versions.write(made_from, self.origin)
        if self.table:
            body.append(self._worked(self.table))
        if sensitivity.DAY in self.plan.model.steps:  # a plan with a load; a worked plan may have none of its outputs
            ranges, cases = self._sensitivity()
            summary_charts.write(summary, below, self.plan, self.places[self.plan.study.name], cases, ranges)
            body += [ranges, self._worked(cases)]
        else:
            chart_data.section(summary, below, summary_charts.DATA, self.plan, self.places[self.plan.study.name], anchors.sayings, "D")
            summary.one_page = True
        out = [about, summary, *body, check_sheet, made_from]
        summary.tab, self.by_title[inputs.TITLE].tab, check_sheet.tab = styles.HEAD, styles.TYPED, styles.WRONG
        front.about(about, self.plan, [(s.title, self._purpose(s.title)) for s in out[1:]], self.issue_date)
        for sheet in out:
            if sheet not in (summary, check_sheet):  # which have it in their rows
                header.write(sheet, anchors)
        return out

    def _sensitivity(self) -> tuple[Sheet, Cases]:
        cases, sheet = Cases(self.plan, self.edits.shares, self.edits.loads), Sheet(sensitivity.TITLE)
        sensitivity.write(sheet, cases, inputs.places(self.plan.study)[1])
        return sheet, cases

    def _worked(self, table: Table) -> Sheet:
        """A sheet with the plan in a row, for each scenario or case."""
        sheet = Sheet(table.title)
        table.write(sheet, self.layouts[self.plan.study.name].places, {a: self.plan.model.length(a) for a in self.plan.model.axis})
        return sheet

    def _picker(self, sheet: Sheet) -> inputs.Picked:
        """The cell that chooses a scenario, and what it pulls into the model."""
        if self.table is None:
            return inputs.Picked({}, {})
        sheet.put(3, 1, "Scenario in the model: choose", styles.HEADING)
        sheet.put(3, 2, self.table.rows[self.picked].name, styles.INPUT._replace(bold=True, rule=True), ("picked",))
        sheet.lists.append(("B3", f"{TABLE}!$A${FIRST_SCENARIO}:$A${self.table.last}", "Choose a scenario of the Scenarios sheet"))
        return self.table.picked(self.picked, "$B$3")

    def _purpose(self, title: str) -> str:
        fixed = {
            "Summary": "verdict, key figures, master check",
            inputs.TITLE: "everything that may be changed, with its source",
            MODEL: "every quantity, a row each",
            checks.TITLE: "every check in words, sentences, claims",
            versions.TITLE: "version, date, fingerprint of the inputs",
            TABLE: "one row a scenario",
            sensitivity.TITLE: "each input alone, low and high; the load in steps",
            Cases.title: "the workings of Sensitivity",
        }
        if title in fixed:
            return fixed[title]
        for result in self.results:
            for plan in self.layouts[result.study.name].grids:
                if plan.sheet == title:
                    return plan.grid.label
            if title in self._listed(result):
                return self._listed(result)[title].title
            if self._title(result) == title:
                return result.study.purpose
        return ""

    def _title(self, result: Result) -> str:
        return MODEL if result is self.plan else sheet_name(result.study.title.split(":")[0])

    def _lay_out(self, result: Result) -> list[Sheet]:
        title, model = self._title(result), result.model
        seen: list[str] = []

        def grid_sheet(grid: Grid) -> str:
            if result is self.plan:
                name = CATALOGUES.get(grid.name, grid.name.replace("_", " ").capitalize())
            else:
                long = any(model.length(a) > STACKED for a in model.grid_axes(grid))
                name = sheet_name(f"{title[:20]} {grid.name.replace('_', ' ') if long else 'tables'}")
            if name not in seen:
                seen.append(name)
            return name

        if result is self.plan:
            found, _ = inputs.places(result.study)
            layout = lay_out(model, title, grid_sheet, FIRST_ROW, inputs.TITLE, frozenset(found))
            layout.places = found | layout.places
            first = [
                inputs.TITLE,
                *(n for n in seen if n in CATALOGUES.values()),
                title,
                *(n for n in seen if n not in CATALOGUES.values()),
            ]
        else:
            layout = lay_out(model, title, grid_sheet, study_head.first_row(result.study))
            first = [title, *seen]
        self.layouts[result.study.name] = layout
        return [Sheet(name) for name in (*first, *self._listed(result))]

    def _listed(self, result: Result) -> dict[str, Listing]:
        """The lists of a study by the title of their sheet."""
        before = "" if result is self.plan else f"{self._title(result)[:20]} "
        return {sheet_name((before + found.name).capitalize()): found for found in result.study.listings}

    def _write(self, result: Result) -> None:
        layout = self.layouts[result.study.name]
        writer = Writer(result, layout, self.by_title, self.places)
        sheet = self.by_title[self._title(result)]
        for col, width in enumerate(WIDTHS, 1):
            sheet.width(col, width)
        sheet.put(1, 1, result.study.title, styles.TITLE)
        sheet.put(2, 1, result.study.purpose, styles.SUBTITLE._replace(wrap=False))
        heading = (layout.input_row or layout.result_row) - 1
        sheet.frozen, sheet.heading_rows = f"B{FIRST_ROW if result is self.plan else study_head.DECISION}", f"{heading}:{heading}"
        if result is self.plan:
            inputs.write(
                writer, self.by_title[inputs.TITLE], inputs.places(result.study)[1], self.given, self._picker(self.by_title[inputs.TITLE])
            )
        elif layout.inputs:
            writer.headings(sheet, layout.input_row, "Inputs")
        for name in layout.inputs:
            writer.input_row(sheet, layout.places[name].row, name)
        writer.headings(sheet, layout.result_row, "Results")
        for name in layout.results:
            writer.result_row(sheet, layout.places[name].row, name)
        for plan in layout.grids:
            target = self.by_title[plan.sheet]
            alone = sum(p.sheet == plan.sheet for p in layout.grids) == 1 and not plan.blocks
            if alone and plan.down:
                target.frozen, target.heading_rows = f"B{plan.first}", f"{plan.top + 1}:{plan.first - 1}"
            grids.write(writer, target, plan)
        for title, found in self._listed(result).items():
            listing.write(self.by_title[title], found, result, layout.places)


def sheet_name(text: str) -> str:
    """A text as Excel takes it for a sheet: at most 31 characters, none of []:*?/\\."""
    return re.sub(r"[\[\]:*?/\\]", " ", text)[:31].strip()
