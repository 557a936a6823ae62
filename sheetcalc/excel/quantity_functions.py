"""Every scalar quantity as a spreadsheet function: its arguments are its direct parameters, in their display units.

Nothing is written a second time: the function is the quantity, and what is said about an argument is what its input says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from sheetcalc.axes import Choice, arrays_work, is_array, np
from sheetcalc.cells import missing
from sheetcalc.errors import InputError
from sheetcalc.excel.boundary import Cell, Parameter, failure, guarded, result, rows, shown, unit_shown, value, words
from sheetcalc.excel.registry import Argument, Function, argument_name, short
from sheetcalc.excel.text_values import texts
from sheetcalc.excel.typical import all_studies, allowed, elsewhere, example, fallback, typical_result, unknown
from sheetcalc.expr import Expr, walk
from sheetcalc.model import Input, Model
from sheetcalc.operations import OPS, is_truth, text_of
from sheetcalc.run import read
from sheetcalc.show import plain, sentence
from sheetcalc.study import Study
from sheetcalc.typed import factor

BLANK_ALLOWED = ("given", "stated", "known")


def functions() -> dict[str, Function]:
    """The scalar quantities of all studies, by name.

    A quantity counts as scalar when, in some study, it has one value and is worked out without reading along an axis. A copy that only
    reads other names is the same function and gets no second name.
    """
    found: dict[str, list[Study]] = {}
    for study in all_studies():
        for name, fn in study.functions.items():
            step = study.model.steps.get(name)
            if step and not step.axes and not hasattr(fn, "needs") and step.needs and _elementwise(step.expr):
                hosts = found.setdefault(name, [])
                if not hosts or hosts[0].functions[name] is fn:
                    hosts.append(study)
    units = Units(all_studies())
    return {name: QuantityFunction(name, hosts, units).function for name, hosts in found.items()}


def _elementwise(e: Expr) -> bool:
    return not any(x.op in OPS and OPS[x.op].along for x in walk(e))


class Units:
    """The display unit of each name, the same in every function: the quantity's own, else that of the first study that asks for it."""

    def __init__(self, all_of: list[Study]):
        self.of: dict[str, str] = {}
        for study in all_of:
            for name, step in study.model.steps.items():
                if name in study.functions:
                    self.of[name] = step.about.unit
        for study in all_of:
            for name in (*study.inputs, *study.model.inputs):
                self.of.setdefault(name, study.model.about(name).unit)


class QuantityFunction:
    """One quantity with what it needs; `hosts` are the studies in which it is a scalar."""

    def __init__(self, name: str, hosts: list[Study], units: Units):
        self.name, self.hosts, self.units = name, hosts, units
        self.model: Model = hosts[0].model
        self.step = self.model.steps[name]
        self.fn, self.unit, self.expr = self.step.fn, self.step.about.unit, self.step.expr

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(map(self._parameter, self.step.needs))

    def _parameter(self, name: str) -> Parameter:
        model = self.model
        about = model.inputs.get(model.typed.get(name, name))
        if about is None:
            about = Input(None, model.about(name).unit, model.about(name).label)
        about = about._replace(unit=self.units.of[name])
        truth, spelled = name in model.steps and is_truth(model.steps[name].expr), texts(model, name)
        if spelled is not None:
            about = about._replace(value="", choices=spelled)
        blank = any(x.op in BLANK_ALLOWED and x.args[0].op == "ref" and x.args[0].args[0] == name for x in walk(self.expr))
        kind = "truth" if truth else "number" if spelled is None else "text"
        return Parameter(argument_name(name), about, kind, blank)

    @property
    def function(self) -> Function:
        return Function(self.name, self._says(), self._arguments, guarded(self.call))

    def _says(self) -> str:
        about = self.step.about
        formula = text_of(self.expr, lambda n: self.model.about(n).label)
        unit = "TRUE or FALSE" if is_truth(self.expr) else unit_shown(about.unit)
        return short(f"{about.label}{f' [{unit}]' if unit else ''}: {formula}")

    def _arguments(self) -> Iterator[Argument]:
        typical = self._typical()
        ends_blank = len(self.parameters)
        while ends_blank and self.parameters[ends_blank - 1].may_be_blank:
            ends_blank -= 1
        for i, (p, name) in enumerate(zip(self.parameters, self.step.needs, strict=True)):
            x = example(typical[name], p)
            such = (
                ""
                if x is None
                else f"; such as {shown(float(f'{x:.6g}')) if isinstance(x, float) else x if isinstance(x, str) else shown(x)}"
            )
            unit = f" [{unit_shown(p.about.unit)}]" if p.about.unit and p.kind == "number" else ""
            says = short(f"{p.about.label}{unit}", f": {allowed(p)}{' or blank' if p.may_be_blank else ''}{such}")
            yield Argument(p.name, says, optional=i >= ends_blank, example=fallback(p) if x is None and not p.may_be_blank else x)

    def _typical(self) -> dict[str, Any]:
        """The values that the parameters have in a study: in the one that has most of them, else in any.

        Without numpy a study with thousands of draws is slow, and a description is not worth that: then only inputs have such a value.
        """
        if not arrays_work():
            own = {n: self.model.inputs[n].value if n in self.model.inputs else None for n in self.step.needs}
            return {n: x if isinstance(x, (str, float)) else math.nan for n, x in own.items()}
        found = [{n: typical_result(s.name).value(n) for n in self.step.needs} for s in self.hosts]
        best = min(found, key=lambda values: sum(unknown(x) for x in values.values()))
        return {n: elsewhere(n) if unknown(x) else x for n, x in best.items()}

    def call(self, *cells: Cell):
        """The value for a cell, or rows of values where arguments are ranges: of one shape, or single cells."""
        if len(cells) > len(self.parameters):
            raise InputError(f"takes {len(self.parameters)} arguments, not {len(cells)}", self.name)
        cells = (*cells, *[None] * (len(self.parameters) - len(cells)))
        if not any(isinstance(c, (list, tuple)) for c in cells):
            return self._one(cells)
        tables = [rows(c) for c in cells]
        shape, owner = (1, 1), ""
        for p, table in zip(self.parameters, tables, strict=True):
            size = len(table), len(table[0])
            if size != (1, 1):
                if shape not in ((1, 1), size):
                    both = f"{size[0]} × {size[1]} cells do not go with the {shape[0]} × {shape[1]} of {owner}"
                    raise InputError(f"{both}; give ranges of one shape, or one cell", p.name)
                shape, owner = size, p.name
        if shape == (1, 1):
            return self._one([t[0][0] for t in tables])
        found = self._many([t[0] if len(t) == 1 and len(t[0]) == 1 else [c for row in t for c in row] for t in tables], shape[0] * shape[1])
        return [found[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]

    def _one(self, cells) -> Cell:
        values = [value(p, c) for p, c in zip(self.parameters, cells, strict=True)]
        if None in values:
            known = {n: _blank(p, x) for n, p, x in zip(self.step.needs, self.parameters, values, strict=True)}
            found = read(self.expr, known)
        else:
            try:
                found = self.fn(*values)
            except (ArithmeticError, ValueError) as error:
                return failure(self._impossible(values, error))
        if type(found) is float and found - found == 0:
            return found / factor(self.unit)
        if isinstance(found, complex):
            return failure(self._impossible(values, ValueError()))
        return result(found, self.unit, lambda: self._absent(values))

    def _many(self, columns: list[list], count: int) -> list:
        if not arrays_work():
            return [self._safe([c[i] if len(c) > 1 else c[0] for c in columns]) for i in range(count)]
        known, bad = {}, set()
        for name, p, column in zip(self.step.needs, self.parameters, columns, strict=True):
            known[name] = self._column(p, column, bad) if len(column) > 1 else _blank(p, value(p, column[0]))
        good = [i for i in range(count) if i not in bad] if bad else range(count)
        if bad:
            part = np.array(good, int)
            known = {n: x[part] if is_array(x) else x for n, x in known.items()}
        out: list = [None] * count
        for i, x in zip(good, self._worked_out(known, len(good)), strict=True):
            out[i] = x
        for i, x in enumerate(out):
            if x is None or (isinstance(x, float) and not math.isfinite(x)):
                out[i] = self._safe([c[i] if len(c) > 1 else c[0] for c in columns])
        return out

    def _worked_out(self, known: dict, count: int) -> list:
        """The values of columns, in display units; None for all where one of them cannot be worked out with arrays."""
        try:
            with np.errstate(all="ignore"):
                found = read(self.expr, known)
        except (ArithmeticError, ValueError):
            return [None] * count
        return self._listed(found, count) if count else []

    def _safe(self, cells) -> Cell:
        try:
            return self._one(cells)
        except InputError as error:
            return failure(words(error))

    def _column(self, p: Parameter, column: list, bad: set[int]):
        if p.kind == "number" and set(map(type, column)) == {float}:
            array = np.array(column) * factor(p.about.unit)
            bad.update(np.flatnonzero(outside(p.about, array)).tolist())
            return array
        values = []
        for i, cell in enumerate(column):
            try:
                values.append(_blank(p, value(p, cell)))
            except InputError:
                bad.add(i)
                values.append("" if p.kind == "text" else False if p.kind == "truth" else math.nan)
        return Choice(values) if p.kind == "text" else np.array(values)

    def _listed(self, found, count: int) -> list:
        if isinstance(found, Choice):
            return found.list()
        if not is_array(found):
            return [result(found, self.unit, str)] * count if isinstance(found, (str, bool)) else [found / factor(self.unit)] * count
        if found.dtype.kind == "f":
            found = found / factor(self.unit)
        return np.broadcast_to(found, count).tolist()

    def _label(self, name: str) -> str:
        return argument_name(name)

    def _absent(self, values: list) -> str:
        """Why there is no value: the sentence of the check that is false, or the argument that is blank."""
        known = dict(zip(self.step.needs, values, strict=True))
        for x in walk(self.expr):
            if x.op == "when" and known.get(x.args[0].args[0]) is False:
                return self._not_so(x.args[0].args[0], known)
        blank = [argument_name(n) for n, x in known.items() if x is None]
        return (
            f"{blank[0]}: is blank; without it there is no {self.step.about.label.lower()}" if blank else "does not exist for these values"
        )

    def _not_so(self, check: str, known: dict) -> str:
        about = self.model.steps[check].about
        told = sentence(about.says, lambda n: known.get(n, math.nan), self.model.unit) if about.says else math.nan
        return f"{argument_name(check)}: FALSE ({about.label.lower()})" if missing(told) else told

    def _impossible(self, values: list, error: Exception) -> str:
        known = dict(zip(self.step.needs, values, strict=True))
        if isinstance(error, OverflowError):
            return "the result is too large for a number; check the units of what you gave"
        for x in walk(self.expr):
            if x.op == "/" and read(x.args[1], known) == 0:
                return f"{text_of(x.args[1], self._label)} is 0, and nothing can be divided by it"
        given = ", ".join(f"{argument_name(n)} {plain(x, self.units.of[n], 6)}" for n, x in known.items() if not isinstance(x, bool))
        return f"there is no {self.step.about.label.lower()} for {given}"


def _blank(p: Parameter, x):
    return ("" if p.kind == "text" else math.nan) if x is None else x


def outside(about: Input, array):
    """Which entries of an array in base units are outside the range of an input."""
    bad = ~np.isfinite(array)
    if about.high is not None:
        bad |= array > about.high
    if about.low is not None:
        bad |= array <= about.low if about.above else array < about.low
    return bad | (array != np.rint(array)) if about.whole else bad
