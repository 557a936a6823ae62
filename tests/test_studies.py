"""What holds for every study, taken from the registry: readings agree, units go together, claims come out, names mean one thing."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from registry import PRESENT, SHORT, studies
from strategies import changes

from sheetcalc.cells import Cells, missing
from sheetcalc.errors import SheetcalcError
from sheetcalc.many import batch, failing
from sheetcalc.model import Link
from sheetcalc.operations import OPS
from sheetcalc.ranges import out_of_range
from sheetcalc.run import run
from sheetcalc.show import PLACE, derivation, uses_statistics
from sheetcalc.studies import study
from sheetcalc.units import check_units, dimension

CASES = 6
LARGE = 800  # steps; of a larger study one changed case is enough


def near(x, y, rel=1e-12):
    if missing(x) or missing(y):
        return (missing(x) or x == "") and (missing(y) or y == "")  # a text that does not exist is '' in an array
    if isinstance(x, str) or isinstance(y, str):
        return x == y
    return math.isclose(x, y, rel_tol=rel, abs_tol=1e-300)


@pytest.mark.parametrize("name", PRESENT)
def test_every_formula_measures_what_its_unit_says(name):
    model = study(name).model
    for step in model.steps.values():
        check_units(step.name, step.expr, step.about.unit, model.unit)


@pytest.mark.parametrize("name", PRESENT)
def test_the_direct_call_is_the_trace_read_as_arithmetic(name):
    found = study(name)
    cells = Cells(found.model, SHORT.get(name))
    for step in found.model.steps.values():
        if step.axes or any(found.model.home.get(n) for n in step.needs) or any(missing(cells[n]) for n in step.needs):
            continue
        assert near(step.fn(*(cells[n] for n in step.needs)), cells[step.name], 0), step.name


@pytest.mark.parametrize("name", PRESENT)
def test_arrays_agree_with_cells(name):
    found, draw = study(name), random.Random(name)
    for change in [{}] + [changes(found.model, draw) for _ in range(2 if name in SHORT else CASES)]:
        change = change | SHORT.get(name, {})
        cells, arrays = Cells(found.model, change), run(found.model, change)
        for step in found.model.steps.values():
            try:
                one = np.ravel(np.array(cells[step.name], dtype=object))
            except SheetcalcError:
                continue  # divides by zero: covered by the test of changed inputs in the workbook
            axes, order = cells.axes(step.name), list(found.model.axis)
            many = np.asarray(arrays[step.name], dtype=object)
            if axes:
                shape = [cells.length(a) if a in axes else 1 for a in order] + [1]
                many = np.broadcast_to(many, shape).reshape([cells.length(a) for a in order if a in axes])
                many = many.T if len(axes) == 2 and order.index(axes[0]) > order.index(axes[1]) else many
            many = many.ravel()
            rel = 1e-9 if uses_statistics(found.model, step.name) else 1e-12
            assert len(one) == len(many), step.name
            for x, y in zip(one, many):
                assert near(x, y, rel), (step.name, change, x, y)


@pytest.mark.parametrize("name", PRESENT)
def test_a_batch_is_its_scenarios_one_by_one(name):
    found, draw = study(name), random.Random(name)
    rows = [changes(found.model, draw, 0.3) for _ in range(12 if len(found.model.steps) < LARGE else 4)]
    names = sorted({n for row in rows for n in row})
    base = Cells(found.model)
    columns = {n: [row.get(n, base[n] if found.model.typed[n] == n else None) for row in rows] for n in names}
    columns = {n: c for n, c in columns.items() if n not in found.model.lengths and all(x is not None for x in c)}
    if not columns:
        pytest.skip("no input of this study takes other values in a batch")
    keep = [s.name for s in found.model.steps.values() if not s.axes]
    together = batch(found.model, columns, keep, size=5)
    order = failing(found.model, together)
    for i in range(len(rows)):
        one = found.evaluate({n: c[i] for n, c in columns.items()})
        for n in keep:
            try:
                expected = one.value(n)
            except SheetcalcError:
                continue
            got = together[n][i]
            assert near(expected, got.item() if hasattr(got, "item") else got, 1e-9), (n, i)
        failed = [n for n in found.model.errors if one.value(n) == 0] or [n for n in found.model.errors if missing(one.value(n))]
        assert (found.model.errors[order[i]] if order[i] >= 0 else None) == (failed[0] if failed else None)


@pytest.mark.parametrize("name", PRESENT)
def test_claims_come_out(name):
    found, evaluated = study(name), {}
    for claim in found.claims:
        result = evaluated.setdefault(repr(claim.changes), None) or found.evaluate(claim.changes)
        evaluated[repr(claim.changes)] = result
        got = result.value(claim.name)
        assert near(claim.value, got, claim.rel), (claim.name, claim.value, got, claim.source)


@pytest.mark.parametrize("name", PRESENT)
def test_inputs_have_label_source_and_range_and_their_default_lies_in_it(name):
    found = study(name)
    for key, about in found.model.inputs.items():
        if key in found.model.axis or found.model.home.get(key):
            continue
        assert about.label, key
        assert about.source, f"{key} has no source"
        if not about.is_text and not isinstance(about.value, Link):
            assert about.low is not None or about.high is not None, f"{key} has no range"
        if not isinstance(about.value, Link):
            assert not out_of_range(about, about.value), key


@pytest.mark.parametrize("name", PRESENT)
def test_sayings_charts_and_stories_name_what_exists(name):
    found = study(name)
    for saying in found.sayings.values():
        for flag, template in saying:
            names = [m[1] for m in PLACE.finditer(template)] + ([flag] if flag else [])
            for n in names:
                found.model.about(n)
        assert saying[-1][0] == "", "the last case of a saying is always true"
    for chart in found.charts:
        for n in [*chart.ys, *chart.marks, *([chart.x] if chart.x else [])]:
            found.model.about(n)
        assert chart.title in found.sayings
    if found.story:
        for n in (found.story.claim, found.story.decision, *found.story.argument):
            assert n in found.sayings, n
        for n in (*found.story.figures, *found.story.derivation):
            found.model.about(n)


@pytest.mark.parametrize("name", PRESENT)
def test_every_scalar_has_a_derivation(name):
    found = study(name).evaluate()
    for step in found.model.steps.values():
        if not step.axes:
            label, line, result = derivation(found.model, step.name, found.value)
            assert label and line and result and "nan" not in line.lower().split(), step.name


@pytest.mark.parametrize("name", PRESENT)
def test_links_lead_from_the_plan_to_inputs_of_the_same_kind(name):
    found, plan = study(name), study("plan").model
    given = {n: i for grid in found.grids for n, i in grid.typed.items()} | found.inputs
    for own, far in found.links.items():
        assert own in given, own
        assert dimension(plan.unit(far)) == dimension(given[own].unit), (own, far)


def test_a_name_is_one_function_over_all_studies():
    seen = {}
    for found in studies():
        for name, fn in found.functions.items():
            home, line = fn.__module__, fn.__qualname__
            assert seen.setdefault(name, (home, line)) == (home, line), f"{name} is defined twice: {seen[name]} and {(home, line)}"


def test_no_operation_is_without_one_of_its_readings():
    for name, op in OPS.items():
        assert callable(op.calc) and callable(op.array) and op.excel and op.text, name
