"""The functions that work out a whole plan or study: SC_PLAN, SC_STUDY, SC_GRID, SC_EXPLAIN, SC_DECIDE, SC_CHECKS."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable

from sheetcalc import show, studies
from sheetcalc.axes import arrays_work
from sheetcalc.errors import InputError
from sheetcalc.excel.boundary import Cell, Rows, guarded, refuse_errors, result, rows, text, unit_shown, value
from sheetcalc.excel.named_inputs import evaluated, named, names_in, parameter
from sheetcalc.excel.registry import Argument, general
from sheetcalc.excel.typical import all_studies
from sheetcalc.provenance import readable
from sheetcalc.study import Result, Study

INPUTS = (
    "Two columns: names of inputs and their values, as people type them (65% or 0.65; 50 or 50ms). A third column may hold units. "
    "What is not named keeps the plan's default."
)
EXAMPLE = [["request_rate", 200.0], ["gpu_hour_price", 2.5]]
LARGEST = 10_000  # cells of a sensitivity table
PATIENCE = 15_000  # cells that are worked out one by one, where there is no numpy, before a person is told to add it


def plan() -> Study:
    return studies.study("plan")


def outputs_of(study: Study, cells: Cell) -> list[str]:
    """The outputs asked for; the study's main ones when none is. Raises InputError with the nearest name."""
    names = names_in(cells, "outputs")
    for name in names:
        _known(study, name, "outputs")
    return names or list(study.core) or [n for n in study.functions if not study.model.home.get(n)]


def _known(study: Study, name: str, argument: str) -> None:
    try:
        study.model.about(name)
    except InputError as error:
        raise InputError(str(error), argument) from None


def cell_of(worked: Result, name: str) -> Cell:
    """A scalar for a cell, in its display unit."""
    return result(worked.value(name), worked.unit(name), lambda: worked.absent(name))


def refuse_slow(worked: Result, names: list[str]) -> None:
    """Raise InputError where, without numpy, a cell would be worked out for a minute and more."""
    model = worked.model
    if not arrays_work():
        cells = sum(math.prod(map(model.length, step.axes)) for step in model.upstream(names))
        if cells > PATIENCE:
            raise InputError(
                f"needs numpy here, for {cells:,} cells; add numpy to the Python of this spreadsheet (Debian: python3-numpy; xlwings Lite: "
                "the line numpy in requirements.txt), or ask for other results",
                "outputs",
            )


def listed(worked: Result, names: list[str]) -> Rows:
    """Rows of name, value and unit; or, where the outputs are columns of one table, that table with a header row."""
    model = worked.model
    refuse_slow(worked, names)
    if not any(model.home.get(n) for n in names):
        return [[n, cell_of(worked, n), unit_shown(worked.unit(n))] for n in names]
    homes = {model.home.get(n, frozenset()) for n in names}
    if len(homes) > 1:
        raise InputError(f"{', '.join(names)} do not stand in one table; ask for each table by itself", "outputs")
    axes = worked._cells.axes(names[0])
    if len(axes) == 2:
        return _block(worked, names, *axes)
    columns = [*axes, *(n for n in names if n not in axes)]
    values = [[_entry(worked, n, x) for x in worked.value(n)] for n in columns]
    return [[_head(worked, n) for n in columns], *map(list, zip(*values, strict=True))]


def _block(worked: Result, names: list[str], down: str, across: str) -> Rows:
    if len(names) > 1:
        raise InputError(f"{names[0]} fills rows and columns; ask for it by itself", "outputs")
    head = [_head(worked, names[0]), *(_entry(worked, across, x) for x in worked.value(across))]
    body = [
        [_entry(worked, down, label), *(_entry(worked, names[0], x) for x in row)]
        for label, row in zip(worked.value(down), worked.value(names[0]), strict=True)
    ]
    return [head, *body]


def _head(worked: Result, name: str) -> str:
    unit = unit_shown(worked.unit(name))
    return f"{name} [{unit}]" if unit else name


def _entry(worked: Result, name: str, x) -> Cell:
    return result(x, worked.unit(name), lambda: f"there is no {worked.label(name).lower()} in this row")


def sc_plan(inputs: Cell, outputs: Cell = None) -> Rows:
    return listed(evaluated(plan(), inputs), outputs_of(plan(), outputs))


def sc_study(study: Cell, inputs: Cell = None, outputs: Cell = None) -> Rows:
    there = {s.name: s for s in all_studies()}
    wanted = "_".join(text("study", study, f"the name of a study, one of {', '.join(there)}").casefold().split())
    if wanted not in there:
        near = difflib.get_close_matches(wanted, there, 1)
        raise InputError(
            f"there is no study {wanted!r}; " + (f"did you mean {near[0]}?" if near else f"write one of {', '.join(there)}"), "study"
        )
    found = there[wanted]
    return listed(evaluated(found, inputs), outputs_of(found, outputs))


def home_of(name: str, argument: str) -> Study:
    """The plan, or the first study that knows the name. Raises InputError with the nearest name."""
    there = all_studies()
    for study in there:
        if name in study.model.steps or name in study.model.typed:
            return study
    near = difflib.get_close_matches(name, [n for s in there for n in s.functions], 1)
    raise InputError(f"there is no quantity {name!r}" + (f"; did you mean {near[0]}?" if near else "; see the functions page"), argument)


def _name(argument: str, cell: Cell, says: str) -> str:
    names = names_in(text(argument, cell, says), argument)
    if len(names) != 1:
        raise InputError(f"{len(names)} names; write {says}", argument)
    return names[0]


def sc_grid(output: Cell, inputs: Cell, row_input: Cell, row_values: Cell, column_input: Cell = None, column_values: Cell = None) -> Rows:
    name = _name("output", output, "the name of a quantity, such as gpus")
    study = home_of(name, "output")
    if study.model.home.get(name):
        raise InputError(f"{name} is a column of a table, not one value; ask SC_STUDY for it", "output")
    given = named(study, inputs)
    down_name, down = _series(study, "row_input", row_input, "row_values", row_values)
    blank = rows(column_input) == [[None]] and rows(column_values) == [[None]]
    across_name, across = ("", [(None, None)]) if blank else _series(study, "column_input", column_input, "column_values", column_values)
    if across_name == down_name:
        raise InputError(f"{down_name} runs down already; name another input", "column_input")
    if len(down) * len(across) > LARGEST:
        raise InputError(f"{len(down)} × {len(across)} values are more than {LARGEST:,}; give fewer, or use SC_TABLE", "row_values")
    corner = down_name if blank else f"{down_name} ↓ {across_name} →"
    body = []
    for label, x in down:
        row = [label]
        for _, y in across:
            changes = given | {down_name: x} | ({across_name: y} if across_name else {})
            row.append(cell_of(study.evaluate(changes), name))
        body.append(row)
    return [[corner, name] if blank else [corner, *(label for label, _ in across)], *body]


def _series(study: Study, argument: str, cell: Cell, values: str, cells: Cell) -> tuple[str, list[tuple[Cell, object]]]:
    """The name of an input that varies, and its values: as given, and in base units."""
    name = _name(argument, cell, "the name of an input, such as request_rate")
    try:
        p = parameter(study, name)._replace(name=values, may_be_blank=False)
    except InputError as error:
        raise InputError(str(error), argument) from None
    flat = [c for row in rows(cells) for c in row]
    return name, [(c, value(p, c)) for c in flat]


def sc_explain(quantity: Cell, inputs: Cell = None) -> str:
    name = _name("quantity", quantity, "the name of a quantity, such as total_demand")
    study = home_of(name, "quantity")
    worked = evaluated(study, inputs)
    label = worked.label(name)
    refuse_slow(worked, [name])
    if name in study.inputs or name not in study.model.steps:
        source = readable(study.model.inputs[study.model.typed.get(name, name)].source)
        return f"{label} = {worked.shown(name)} (an input: {source})"
    if study.model.home.get(name):
        return f"{label} = {show.words(study.model, name)}, in each row of its table"
    _, formula, _ = worked.derivation(name)
    return f"{label} = {formula} = {worked.shown(name)}"


def sc_decide(inputs: Cell) -> str:
    worked = evaluated(plan(), inputs)
    told = [worked.says(n) for n in ("headline", "decision") if n in worked.study.sayings]
    lines = [] if worked.status == "ok" else [f"{worked.status}: {'; '.join(worked.problems)}"]
    return " ".join(f"{s}." if s[-1] not in ".!?" else s for s in [*lines, *dict.fromkeys(filter(None, told))])


def sc_checks(inputs: Cell) -> Rows:
    worked = evaluated(plan(), inputs)
    answers = {True: "holds", False: "fails", None: "cannot be asked"}
    told = [[c["label"], answers[c["ok"]], c["kind"], c["says"] if c["ok"] is False else ""] for c in worked.checks]
    return [["Status", worked.status, "", worked.problems[0] if worked.problems else ""], *told]


def _whole(call: Callable) -> Callable:
    """An error cell in place of a range is named before anything is read."""

    def answer(*cells):
        names = call.__code__.co_varnames[: call.__code__.co_argcount]
        for name, cell in zip(names, cells, strict=False):
            table = rows(cell)
            if len(table) == 1 and len(table[0]) == 1:
                refuse_errors(name, table[0][0])
        return call(*cells)

    return guarded(answer)


_INPUTS = Argument("inputs", INPUTS, example=EXAMPLE)
_OUTPUTS = Argument(
    "outputs", 'Names of what is wanted, in cells or in one text with commas: "gpus, cost_per_hour". Left out: the main results.', True
)

FUNCTIONS = (
    general(
        "plan",
        "The plan for your inputs: a table of names, values and units.",
        (_INPUTS, _OUTPUTS._replace(example="replicas, gpus, cost_per_hour")),
        _whole(sc_plan),
    ),
    general(
        "study",
        "One study (calculator) with your inputs: names, values and units, or a table where the outputs are columns of one.",
        (
            Argument("study", "Name of the study, such as little_law; `sheetcalc studies` lists them.", example="little_law"),
            _INPUTS._replace(optional=True, example=[["replica_rate", 6.0]], says=INPUTS.replace("plan's", "study's")),
            _OUTPUTS._replace(example="running_batch, running_tpot"),
        ),
        _whole(sc_study),
    ),
    general(
        "grid",
        "A sensitivity table: one result for a series of values of one input, or of two.",
        (
            Argument("output", "Name of the result, such as gpus.", example="gpus"),
            _INPUTS,
            Argument("row_input", "Name of the input that runs down.", example="request_rate"),
            Argument("row_values", "Its values, in its display unit: a range.", example=[[100.0], [200.0], [400.0]]),
            Argument("column_input", "Name of the input that runs across; may be left out.", True, "gpus_per_replica"),
            Argument("column_values", "Its values, in its display unit: a range.", True, [[4.0, 8.0]]),
        ),
        _whole(sc_grid),
    ),
    general(
        "explain",
        "How a quantity is worked out, with the numbers put in.",
        (Argument("quantity", "Name of the quantity, such as total_demand.", example="gpus"), _INPUTS._replace(optional=True)),
        _whole(sc_explain),
    ),
    general("decide", "The verdict in words: build, API or look again, and why.", (_INPUTS,), _whole(sc_decide)),
    general("checks", "Every check of the plan: name, whether it holds, kind, and what is wrong.", (_INPUTS,), _whole(sc_checks)),
)
