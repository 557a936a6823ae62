"""Everything about one calculator, declared; and what comes out of it for one scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

from sheetcalc import show
from sheetcalc.axes import arrays_work
from sheetcalc.cells import Cells, missing
from sheetcalc.errors import ModelError
from sheetcalc.model import About, Grid, Input, Link, Model, lookup
from sheetcalc.provenance import readable
from sheetcalc.ranges import canonical, check_input

UNSAID = "not available: a value that this sentence needs does not exist"
UNDECIDED = "Nothing can be decided before this holds"
LARGE = 2_000  # cells of a block beyond which a result is worked out as arrays
LONG = 300  # rows of a list beyond which it is, for lists may be compared row by row


class Claim(NamedTuple):
    """A value that must come out: in base units, from a source, to a relative tolerance, perhaps after changing inputs."""

    name: str
    value: float | str
    source: str
    rel: float = 1e-9
    changes: dict[str, Any] = {}
    note: str = ""


class Saying(tuple):
    """A sentence that depends on what came out: cases (flag, template), the first whose flag is true; '' is always true.

    A template holds {name} or {name:2} for values with their units.
    """

    def __new__(cls, *cases: tuple[str, str]):
        return super().__new__(cls, cases)


class Chart(NamedTuple):
    """A picture with one message.

    kind: line, bars, stacked, steps, scatter, waterfall or slope. `x` is an axis (or a column along it); `ys` are columns along the
    same axis, or, for bars without `x`, scalars. A waterfall takes a column along `x` from the first mark to the second, or, without
    `x`, the middle `ys` from the first to the last. `title` names a saying, which is the message and the text alternative. `marks` are
    scalars marked on the x axis, the first of them across bars with names. In a scatter the first of `ys` are points and the others
    lines among them. A slope joins the two `ys` of each row that `x` names, over the first two marks; rows for which the third, a
    column, does not hold are grey.
    """

    name: str
    kind: str
    title: str
    ys: tuple[str, ...]
    x: str = ""
    marks: tuple[str, ...] = ()
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    log_y: bool = False


class Listing(NamedTuple):
    """Scalars of one kind in a table: a cell is the name of a quantity or a check, else words."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Story(NamedTuple):
    """What the memo tells, by name: sayings for claim, decision and argument; quantities for figures and derivation."""

    claim: str
    decision: str
    figures: tuple[str, ...] = ()
    argument: tuple[str, ...] = ()
    derivation: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()


class _Declared(NamedTuple):
    """The parts of a study, as its file declares them."""

    name: str
    title: str
    purpose: str
    functions: dict[str, Callable]
    inputs: dict[str, Input]
    grids: tuple[Grid, ...] | list[Grid] = ()
    profiles: dict[str, dict[str, Any]] = {}
    claims: tuple[Claim, ...] | list[Claim] = ()
    sayings: dict[str, Saying] = {}
    story: Story | None = None
    charts: tuple[Chart, ...] | list[Chart] = ()
    listings: tuple[Listing, ...] = ()
    links: dict[str, str] = {}
    headings: dict[str, str] = {}  # input -> the heading of the group that begins with it
    core: tuple[str, ...] = ()  # the outputs of a summary row
    alerts: tuple[str, ...] = ()  # checks of its modules that only warn here
    decide: Callable[[Result], dict[str, Any]] | None = None


class Study(_Declared):
    """One calculator. `links` says which of its inputs are quantities of the plan when both are opened together."""

    @cached_property
    def model(self) -> Model:
        """The graph, with the profiles as a grid and the chain of each profiled input through it."""
        inputs, grids, functions = dict(self.inputs), list(self.grids), dict(self.functions)
        profiled = list(dict.fromkeys(n for values in self.profiles.values() for n in values))
        if profiled:
            columns = {}
            for name in profiled:
                if name not in inputs:
                    raise ModelError(f"{self.name}: the profiles set {name!r}, which is not an input")
                own, column = inputs[name], f"profiles_{name}"
                blank = "" if own.is_text else None
                columns[column] = own._replace(value=[values.get(name, blank) for values in self.profiles.values()], otherwise=())
                functions[f"profile_{name}"] = lookup(About(f"{own.label}, by profile", own.unit), column, "profile_name", "profile")
                inputs[name] = own._replace(value="" if own.is_text else None, otherwise=(f"profile_{name}", *own.chain))
            grids.append(
                Grid(
                    "profiles",
                    "Profiles: the defaults of a plan",
                    rows={},
                    columns={"profile_name": Input(list(self.profiles), "", "Profile", "defined")},
                    typed=columns,
                )
            )
        return Model(self.name, functions, inputs, grids, self.alerts)

    def linked(self) -> Study:
        """The same study with its linked inputs, columns of its grids among them, taken from the plan."""

        def linked(given: dict[str, Any]) -> dict[str, Any]:
            return {
                n: i._replace(value=Link("plan", self.links[n], i.is_text)) if n in self.links and isinstance(i, Input) else i
                for n, i in given.items()  # a sweep's own values of an input stay as they are
            }

        return self._replace(inputs=linked(self.inputs), grids=[g._replace(typed=linked(g.typed)) for g in self.grids])

    def worked(self, name: str, title: str, purpose: str, values: dict[str, Any], **more) -> Study:
        """A study with other input values (and sources, given as (value, source)): a worked example of this one."""
        inputs = dict(self.inputs) | more.pop("inputs", {})
        for key, value in values.items():
            if key not in inputs:
                raise ModelError(f"{name}: {key!r} is not an input of {self.name}")
            value, source = value if isinstance(value, tuple) else (value, inputs[key].source)
            inputs[key] = inputs[key]._replace(value=value, source=source, otherwise=())
        profiles = {p: {k: v for k, v in d.items() if k not in values} for p, d in self.profiles.items()}
        functions = self.functions | more.pop("functions", {})
        return self._replace(name=name, title=title, purpose=purpose, inputs=inputs, profiles=profiles, functions=functions, **more)

    def evaluate(self, changes: dict[str, Any] | None = None, plan: Result | None = None) -> Result:
        """What comes out for one scenario; changes in base units under the names that people type.

        Raises InputError when a change is not an input or lies outside its range.
        """
        return Result(self, dict(changes or {}), plan)


class Result:
    """One evaluated study: values by name in base units, NaN where a value does not exist."""

    def __init__(self, study: Study, changes: dict[str, Any], plan: Result | None = None):
        self.study, self.model, self.plan = study, study.model, plan
        self.changes = changes = {n: canonical(n, self.model, x) for n, x in changes.items()}
        linked = {n: plan.value(i.value.name) for n, i in study.model.inputs.items() if plan is not None and isinstance(i.value, Link)}
        for name, value in changes.items():
            check_input(name, self.model, value)
        self._cells = Cells(self.model, linked | changes)

    @cached_property
    def _arrays(self):
        from sheetcalc.run import run

        return run(self.model, self._cells.changes)

    @cached_property
    def _large(self) -> bool:
        sizes = [[self.model.length(a) for a in self.model.grid_axes(g)] for g in self.model.grids]
        return any((len(s) == 2 and math.prod(s) > LARGE) or max(s, default=0) > LONG for s in sizes) and arrays_work()

    def value(self, name: str):
        """A scalar, a column (list) or a block (list of rows), in base units; a person's name of an input gives the used value."""
        self.model.about(name)  # a wrong name raises with the nearest right one
        if not self._large or (name in self.model.inputs and not self.model.home.get(name)):
            return self._cells[name]
        return self._listed(name, self._arrays[name])

    def _listed(self, name, x):
        axes = self._cells.axes(name)
        if not axes:
            return x.item() if hasattr(x, "item") else x
        import numpy

        order = list(self.model.axis)
        shape = [self._cells.length(a) if a in axes else 1 for a in order] + [1]
        full = numpy.broadcast_to(x, shape)
        full = numpy.squeeze(full, tuple(i for i, a in enumerate(order) if a not in axes) + (len(order),))
        return (full.T if len(axes) == 2 and order.index(axes[0]) > order.index(axes[1]) else full).tolist()

    def unit(self, name: str) -> str:
        return self.model.unit(name)

    def label(self, name: str) -> str:
        return self.model.about(name).label

    def exists(self, name: str) -> bool:
        x = self.value(name)
        return isinstance(x, list) or not missing(x)

    def shown(self, name: str) -> str:
        """A scalar for a reader; the sentence of what is wrong where it does not exist."""
        x = self.value(name)
        return self.absent(name) if missing(x) else show.shown(x, self.unit(name))

    def plain_sentence(self, template: str):
        return show.sentence(template, self.value, self.unit)

    def says(self, name: str, pretty: bool = True):
        """A saying in words: the first case whose flag is true; the words of what is wrong where a number does not exist."""
        return self.fill(self.study.sayings[name], pretty)

    def fill(self, saying: Saying, pretty: bool = True) -> str:
        for flag, template in saying:
            if not flag or self.value(flag) == 1:
                text = show.sentence(template, self.value, self.unit, pretty)
                return self.status_sentence if missing(text) else text
        return ""

    @cached_property
    def checks(self) -> list[dict[str, Any]]:
        """Every check without an axis: name, label, kind, ok (None when it cannot be asked), and the sentence."""
        out = []
        for name in self.model.checks:
            if self.model.home[name]:
                continue
            about, x = self.model.steps[name].about, self.value(name)
            words = self.plain_sentence(about.says) if x == 0 else ""
            out.append(
                {
                    "name": name,
                    "label": about.label,
                    "kind": about.kind or "error",
                    "ok": None if missing(x) else bool(x),
                    "says": about.label if missing(words) else words,
                }
            )
        return out

    @cached_property
    def problems(self) -> list[str]:
        """One sentence a failed error check, in order; a failed plan's sentences first where the study rests on it."""
        rests = self.plan is not None and any(isinstance(i.value, Link) for i in self.model.inputs.values())
        errors = [c for c in self.checks if c["name"] in self.model.errors]
        own = [c["says"] for c in errors if c["ok"] is False]
        unasked = [c["label"] for c in errors if c["ok"] is None]
        if not own and unasked:  # a warning that took its number away says why, if there is one
            own = [c["says"] for c in self.checks if c["ok"] is False and c["name"] in self.model.reasons][:1] or [
                f"{unasked[0]}: not known"
            ]
        return (self.plan.problems if rests else []) + own

    @property
    def status(self) -> str:
        """ok; refused, when an input is missing; infeasible, when there is no such plan."""
        if any(c["kind"] == "input" and c["ok"] is False for c in self.checks):
            return "refused"
        return "infeasible" if self.problems else "ok"

    @property
    def status_sentence(self) -> str:
        return self.problems[0] if self.problems else UNSAID

    def absent(self, name: str) -> str:
        """Why a quantity has no value: the sentence of the first failed check that it rests on, or that asks about what it rests on."""
        if name not in self.model.steps:
            return "not given"
        upstream = {s.name for s in self.model.upstream([name])}
        failed, reads = [c for c in self.checks if c["ok"] is False], upstream | _reads(self.model, upstream)
        for asked in (lambda n: n in upstream, lambda n: not reads.isdisjoint(self.model.steps[n].needs)):
            for check in failed:
                if asked(check["name"]):
                    return check["says"]
        blank = [n for n in self.model.inputs if n in reads and self.model.inputs[n].value is None]
        if blank:
            return f"not given: {self.label(blank[0])}"
        listed = any(self.model.home.get(n) and n in self.model.inputs for n in self.model.steps[name].needs)
        return "the table has no value for it" if listed else "does not occur"

    def derivation(self, name: str) -> tuple[str, str, str]:
        return show.derivation(self.model, name, self.value)

    def used_inputs(self, names: Iterable[str] | None = None) -> list[dict[str, Any]]:
        """The scalar inputs as people know them: name, label, used value, unit, source, and whether a person gave it."""
        out = []
        for name, own in self.model.typed.items():
            if self.model.home.get(own) or (names is not None and name not in names):
                continue
            about = self.model.inputs[own]
            out.append(
                {
                    "name": name,
                    "label": about.label,
                    "value": self.value(name),
                    "unit": about.unit,
                    "source": readable(about.source),
                    "given": name in self.changes,
                    "note": about.note,
                }
            )
        return out


def _reads(model: Model, steps: set[str]) -> set[str]:
    return {n for s in steps for n in model.steps[s].needs}
