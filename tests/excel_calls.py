"""Run as a program: every function through xlwings' CallUDF with every kind of cell in every argument. Prints what went wrong as JSON.

The value must equal the quantity's own function called directly, to the last bit; or the line must name the argument.
"""

import datetime as dt
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from com_stub import DIV_0, MISSING, FakeRange, install

xlwings_udfs, server = install()

from sheetcalc.excel.registry import functions  # noqa: E402
from sheetcalc.operations import is_truth  # noqa: E402
from sheetcalc.run import read  # noqa: E402
from sheetcalc.typed import factor  # noqa: E402

MODULE = "sheetcalc.excel.udfs"
wrong, calls = [], 0


def excel(name, *cells):
    """A call as VBA makes it, from a cell."""
    global calls
    calls += 1
    try:
        return server.CallUDF(MODULE, name, cells, None, FakeRange(None))
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"


def note(name, what, found, expected):
    if len(wrong) < 40:
        wrong.append(f"{name} {what}: {found!r} instead of {expected!r}")


def same(a, b):
    return type(a) is type(b) and a == b


def direct(q, values):
    """The quantity's own function, with base values, in display units; None where it gives no finite number."""
    base = [x * factor(p.about.unit) if p.kind == "number" else x for p, x in zip(q.parameters, values, strict=True)]
    try:
        found = q.fn(*base)
    except (ArithmeticError, ValueError):
        return None
    if isinstance(found, (bool, str)):
        return found
    return found / factor(q.unit) if not isinstance(found, complex) and math.isfinite(found) else None


def without(q, values, i):
    """The quantity where argument i is blank, read as a sheet reads it."""
    base = {
        n: x * factor(p.about.unit) if p.kind == "number" and isinstance(x, float) else x
        for n, p, x in zip(q.step.needs, q.parameters, values, strict=True)
    }
    base = {n: math.nan if x is None else x for n, x in base.items()}
    base[q.step.needs[i]] = "" if q.parameters[i].kind == "text" else math.nan
    found = read(q.expr, base)
    if isinstance(found, (bool, str)):
        return found
    return found / factor(q.unit) if math.isfinite(found) else None


def expect(name, what, found, expected):
    if expected is None:
        if not (isinstance(found, str) and found.startswith("#SC! ") and "\n" not in found):
            note(name, what, found, "a line that begins with #SC!")
    elif not same(found, expected):
        note(name, what, found, expected)


def refused(name, what, found, argument):
    if not (isinstance(found, str) and found.startswith(f"#SC! {argument}: ") and "\n" not in found and len(found) < 400):
        note(name, what, found, f"#SC! {argument}: …")


def outside(about):
    """Values outside the range of an input, in its display unit."""
    by = factor(about.unit)
    if about.high is not None:
        yield about.high / by * 1.5 + 1
    if about.low is not None:
        yield (about.low if about.above else about.low - abs(about.low) * 0.5 - 1) / by
    if about.whole:
        yield (max(about.low or 0.0, 0.0) + 0.5) / by


def scalar(f, q):
    values = [a.example for a in f.arguments]
    cells = [FakeRange(x) for x in values]
    if any(x is None for x in values):
        known = {
            n: (math.nan if x is None else x * factor(p.about.unit) if p.kind == "number" else x)
            for n, p, x in zip(q.step.needs, q.parameters, values, strict=True)
        }
        found = read(q.expr, known)
        expected = found if isinstance(found, (bool, str)) else found / factor(q.unit) if math.isfinite(found) else None
    else:
        expected = direct(q, values)
    expect(f.excel, values, excel(f.excel, *cells), expected)
    expect(f.excel, "as plain values", excel(f.excel, *(MISSING if x is None else x for x in values)), expected)
    one = excel(f.excel, *cells)
    for i, (a, p) in enumerate(zip(f.arguments, q.parameters, strict=True)):

        def put(cell, i=i):
            return excel(f.excel, *cells[:i], cell, *cells[i + 1 :])

        if p.may_be_blank:
            expect(f.excel, f"{a.name} blank", put(FakeRange(None)), without(q, values, i))
        else:
            refused(f.excel, f"{a.name} blank", put(FakeRange(None)), a.name)
        refused(f.excel, f"{a.name} #DIV/0!", put(FakeRange(DIV_0)), a.name)
        refused(f.excel, f"{a.name} a date", put(FakeRange(dt.datetime(2026, 3, 4))), a.name)
        if p.kind == "number":
            for y in outside(p.about):
                refused(f.excel, f"{a.name} {y}", put(FakeRange(y)), a.name)
        x = a.example
        if x is not None:
            ranges(f, a, put, x, one)
        if i == 0:  # what the kind of cell decides, and not the argument
            kinds_of_cells(f, a, p, put, expected)


def ranges(f, a, put, x, one):
    """Ranges of one value: the same value in each place; a bad cell spoils its own place only."""
    for what, cells, form in (("1 × 3", ((x, x, x),), [one, one, one]), ("3 × 1", ((x,), (x,), (x,)), [[one], [one], [one]])):
        found = put(FakeRange(cells))
        if found != form and not near(found, form):
            note(f.excel, f"{a.name} {what}", found, form)
    mixed = put(FakeRange(((x, x), (DIV_0, x))))
    if not (isinstance(mixed, list) and near([mixed[0], mixed[1][1:]], [[one, one], [one]]) and mixed[1][0].startswith(f"#SC! {a.name}: ")):
        note(f.excel, f"{a.name} with an error in a range", mixed, f"#SC! {a.name}: … in its place")


def kinds_of_cells(f, a, p, put, expected):
    """Empty text, an omitted argument, an error as a plain value, a message of another function, other texts, a number as text, TRUE."""
    if not p.may_be_blank:
        for blank in (FakeRange(""), FakeRange(" "), MISSING):
            refused(f.excel, f"{a.name} blank", put(blank), a.name)
    refused(f.excel, f"{a.name} of an error", put(DIV_0), a.name)
    if put(FakeRange("#SC! batch: is blank")) != "#SC! batch: is blank":
        note(f.excel, f"{a.name} holds a message", put(FakeRange("#SC! batch: is blank")), "the message")
    if p.kind != "text" or p.about.choices:
        refused(f.excel, f"{a.name} not a number", put(FakeRange("abc def")), a.name)
    if p.kind != "number":
        return
    if not (p.about.whole and (p.about.low, p.about.high) == (0, 1)):
        refused(f.excel, f"{a.name} TRUE", put(FakeRange(True)), a.name)
    if a.example is None or "e" in f"{a.example:.15g}":
        return
    typed = put(FakeRange(f"{a.example:.15g}"))
    if p.about.unit == "%" and abs(a.example) > 1:
        refused(f.excel, f"{a.name} as text", typed, a.name)  # 65 may be 65% or 6,500%
    else:
        expect(f.excel, f"{a.name} as text", typed, expected)


def near(a, b):
    """Arrays may differ from single values in the last bits of powers, exponentials and logarithms."""
    if not (isinstance(a, list) and len(a) == len(b)) or (isinstance(b[0], list) and [len(r) for r in a] != [len(r) for r in b]):
        return False
    pairs = [(x, y) for r, s in zip(a, b, strict=True) for x, y in (zip(r, s, strict=True) if isinstance(r, list) else [(r, s)])]
    return all(x == y or (isinstance(x, float) and isinstance(y, float) and math.isclose(x, y, rel_tol=1e-12)) for x, y in pairs)


def as_cells(x):
    if isinstance(x, list):
        return FakeRange(tuple(tuple(row) for row in x))
    return FakeRange(x)


def general(f):
    values = [a.example for a in f.arguments]
    cells = [MISSING if x is None else as_cells(x) for x in values]
    found, expected = excel(f.excel, *cells), f.call(*values)
    if found != (expected if not isinstance(expected, tuple) else list(expected)):
        note(f.excel, values, found, expected)
    if "#SC!" in str(found) and f.name != "iserr":
        note(f.excel, "its example", found, "a value")
    for i, a in enumerate(f.arguments if f.name != "iserr" else ()):

        def put(cell, i=i):
            return excel(f.excel, *cells[:i], cell, *cells[i + 1 :])

        pair = i + 1 if a.name == "column_input" else i - 1 if a.name == "column_values" else None
        found = put(FakeRange(DIV_0))
        if not (isinstance(found, str) and found.startswith("#SC! ") and (a.name in found or pair is not None)):
            note(f.excel, f"{a.name} #DIV/0!", found, f"#SC! {a.name}: …")
        for what, cell in (
            ("blank", FakeRange(None)),
            ("date", FakeRange(dt.datetime(2026, 3, 4))),
            ("TRUE", FakeRange(True)),
            ("1 × 3", FakeRange(((1.0, 2.0, None),))),
            ("3 × 1", FakeRange(((None,), (DIV_0,), ("x",)))),
            ("text", FakeRange("no such thing")),
            ("number", FakeRange(-1.0)),
        ):
            found = put(cell)
            lines = [x for row in found for x in row] if isinstance(found, list) else [found]
            if any(
                x is None
                or (isinstance(x, float) and x != x)
                or (isinstance(x, str) and (x.startswith("raised") or "Traceback" in x or "fault" in x))
                for x in lines
            ):
                note(f.excel, f"{a.name} {what}", found, "a value or a line that begins with #SC!")


for f in functions().values():
    own = getattr(getattr(f.call, "__wrapped__", None), "__self__", None)
    if own is not None and hasattr(own, "parameters"):
        scalar(f, own)
    else:
        general(f)
print(
    json.dumps(
        {
            "functions": len(functions()),
            "calls": calls,
            "wrong": wrong,
            "truths": sum(
                is_truth(f.call.__wrapped__.__self__.expr)
                for f in functions().values()
                if hasattr(getattr(f.call.__wrapped__, "__self__", None), "expr")
            ),
        }
    )
)
