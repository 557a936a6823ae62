"""Where every name of a study lives: inputs and results as rows, grids as columns and blocks.

A row has the same columns everywhere: label, value, unit, one unit is, base value, name, how it is worked out, source.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sheetcalc.model import Grid, Link, Model
from sheetcalc.workbook.formulas import Place
from sheetcalc.workbook.validation import factor

LABEL, VALUE, UNIT, ONE, BASE, NAME, WORDS, SOURCE = range(1, 9)
FIRST_ROW = 6  # below title, verdict, blank, heading
STACKED = 80  # rows of a grid that still shares a sheet with others; longer ones get a sheet of their own


@dataclass
class GridPlan:
    """Where one grid stands: its sheet and heading row, what is shown in display units, what in base units, and its blocks."""

    grid: Grid
    sheet: str
    top: int
    down: str = ""
    across: str = ""
    shown: dict[str, int] = field(default_factory=dict)  # name -> column in display units
    based: dict[str, int] = field(default_factory=dict)  # name -> column in base units, where that is another
    rows_across: list[str] = field(default_factory=list)
    shown_rows: dict[str, int] = field(default_factory=dict)  # name -> row in display units, where the row of its place is in base units
    blocks: list[tuple[str, int, bool]] = field(default_factory=list)  # name, first row, in display units
    bottom: int = 0

    @property
    def first(self) -> int:
        """The first row of the columns: below title, label, unit, factor."""
        return self.top + 4


@dataclass
class Layout:
    """All places of a study, and the order in which its rows stand."""

    places: dict[str, Place] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    grids: list[GridPlan] = field(default_factory=list)
    input_row: int = 0
    result_row: int = 0
    bottom: int = 0


def lay_out(
    model: Model, sheet: str, grid_sheet, first_row: int = FIRST_ROW, inputs_sheet: str = "", hidden: frozenset[str] = frozenset()
) -> Layout:
    """Places for a study. `grid_sheet(grid)` names the sheet of a grid; grids of the same sheet stand below one another.

    With `inputs_sheet`, the scalar inputs stand there (the caller writes them) and `hidden` names have no row of their own here.
    """
    out = Layout()
    row = first_row
    if not inputs_sheet:
        out.input_row = row
        for name in model.inputs:
            if not model.home.get(name):
                out.inputs.append(name)
                out.places[name] = Place(sheet, row, BASE)
                row += 1
        row += 2
    out.result_row = row
    for name in model.steps:
        if not model.home[name] and name not in hidden:
            out.results.append(name)
            out.places[name] = Place(sheet, row, BASE)
            row += 1
    out.bottom = row + 1
    below: dict[str, int] = {}
    for grid in model.grids:
        target = grid_sheet(grid)
        plan = _grid(model, grid, target, below.get(target, 1), out.places)
        out.grids.append(plan)
        below[target] = plan.bottom + 2
    return out


def _grid(model: Model, grid: Grid, sheet: str, top: int, places: dict[str, Place]) -> GridPlan:
    axes = model.grid_axes(grid)
    across_only = not grid.rows
    plan = GridPlan(grid, sheet, top, "" if across_only else axes[0], axes[0] if across_only else axes[1] if len(axes) > 1 else "")
    owns = [a for a in axes if model.axis.get(a) == grid.name]
    renamed = model.sweeps.get(grid.name, {})
    shown = [renamed.get(n, n) for n in grid.show]
    row = plan.first
    if plan.down in owns:
        _columns(model, grid, plan, shown, places)
        row = plan.first + model.length(plan.down)
    if plan.across in owns:
        row += 1
        names = _with_home(model, {plan.across}, first=plan.across)
        names.sort(key=lambda n: 0 if n in model.inputs else 1 if n in shown else 2)  # typed, then what is read, then workings
        apart = [
            n
            for n in names
            if (n in model.inputs and (_needs_base(model, n) or "" in model.inputs[n].value)) or (n in shown and _needs_base(model, n))
        ]
        for name in names:
            if name in apart:
                plan.shown_rows[name] = row
            else:
                places[name] = Place(sheet, row, VALUE + 2, "", plan.across)
                plan.rows_across.append(name)
            row += 1
        for name in apart:
            row += 1 if name != apart[0] else 2
            places[name] = Place(sheet, row, VALUE + 2, "", plan.across)
            plan.rows_across.append(name)
        row += bool(apart)
    if plan.down and plan.across and not _earlier_block(model, grid):
        names = _with_home(model, {plan.down, plan.across})
        read = [(n, factor(model.unit(n)) != 1) for n in shown if n in names]
        for name, display in [*read, *((n, False) for n in names if (n, False) not in read)]:  # what is read stands above its workings
            row += 3
            plan.blocks.append((name, row, display))
            if not display:
                places[name] = Place(sheet, row, VALUE + 1, plan.down, plan.across)
            row += model.length(plan.down)
    plan.bottom = row
    return plan


def _earlier_block(model: Model, grid: Grid) -> bool:
    """Whether an earlier grid of the study holds the same pair of axes."""
    pair = set(model.grid_axes(grid))
    for other in model.grids:
        if other is grid:
            return False
        if set(model.grid_axes(other)) == pair:
            return True
    return False


def _with_home(model: Model, axes: set[str], first: str = "") -> list[str]:
    names = [n for n in [*model.inputs, *model.steps] if model.home.get(n) == axes]
    return sorted(names, key=lambda n: n != first)


def _columns(model: Model, grid: Grid, plan: GridPlan, shown: list[str], places: dict[str, Place]) -> None:
    """Left: the axis, what people type and what is shown, in display units; right: base units and workings."""
    names = _with_home(model, {plan.down}, first=plan.down)
    typed = [n for n in names if n in model.inputs]
    visible = [*typed, *(n for n in shown if n in names and n not in typed)]
    col = 1
    for name in visible:
        plan.shown[name] = col
        col += 1
    for name in names:
        if name in plan.shown and not _needs_base(model, name):
            places[name] = Place(plan.sheet, plan.first, plan.shown[name], plan.down)
        else:
            plan.based[name] = col
            places[name] = Place(plan.sheet, plan.first, col, plan.down)
            col += 1


def _needs_base(model: Model, name: str) -> bool:
    """What stands in another unit than base, or with blanks (which Excel counts as 0), is worked with in a column or row of its own."""
    typed = model.inputs[name].value if name in model.inputs else ()
    blanks = not isinstance(typed, Link) and any(v is None for v in typed)
    return factor(model.unit(name)) != 1 or blanks
