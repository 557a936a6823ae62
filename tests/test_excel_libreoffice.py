"""The functions in a real spreadsheet: an ordinary user installs the extension in LibreOffice, and every function is called in a cell."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from sheetcalc.excel.libreoffice import display, extension, method
from sheetcalc.excel.registry import functions

PYTHON = "/usr/bin/python3"
SCRIPT = Path(__file__).parent / "libreoffice_calls.py"
ORDINARY = 65534  # the user id of nobody
LACKS = [
    name
    for name, there in (
        ("soffice", shutil.which("soffice")),
        ("unopkg", shutil.which("unopkg")),
        ("python3-uno", any(Path(p, "uno.py").exists() for p in ("/usr/lib/python3/dist-packages", "/usr/lib/libreoffice/program"))),
    )
    if not there
]
needs_libreoffice = pytest.mark.skipif(
    bool(LACKS), reason=f"LibreOffice is not complete here, missing: {', '.join(LACKS)}; see .ci/setup.sh"
)


def literal(x) -> str:
    """A cell as a person writes it in a formula of LibreOffice."""
    if x is None:
        return ""
    if isinstance(x, bool):
        return "TRUE()" if x else "FALSE()"
    if isinstance(x, str):
        return '"' + x.replace('"', '""') + '"'
    return "{" + "|".join(";".join(map(literal, row)) for row in x) + "}" if isinstance(x, list) else repr(x)


def table(x):
    """What a function gives, as LibreOffice holds it: rows, truth values as numbers."""
    rows = x if isinstance(x, list) else [[x]]
    return [[float(c) if isinstance(c, (bool, int)) else c for c in row] for row in rows]


def examples():
    for f in functions().values():
        values = [a.example for a in f.arguments]
        while values and values[-1] is None:
            values.pop()
        yield f"={display(f.name)}({';'.join(map(literal, values))})", table(f.call(*values))


CELLS = {
    "A1": 200.0,
    "A2": "=1/0",
    "A4": "65%x",
    "A5": "'45 %",
    "A6": 65.0,
    "A7": 0.65,
    "A8": 0.7,
    "C1": "request_rate",
    "D1": 200.0,
    "C2": "gpu_hour_price",
    "D2": 2.5,
    "C3": "tpot_target",
    "C4": "utilization_cap",
    "D4": "'65%",
    "F1": "request_rate",
    "G1": "gpus_per_replica",
    "F2": 100.0,
    "G2": 4.0,
    "F3": 200.0,
    "G3": 8.0,
    "F4": 1e9,
    "G4": 4.0,
}
BY_HAND = [
    ("=SHEETCALC.REPLICAS_EXACT(A1;A7)", [[200.0 / 0.65]]),
    ("=SHEETCALC.REPLICAS_EXACT(A1;A7:A8)", [[200.0 / 0.65], [200.0 / 0.7]]),
    ("=SHEETCALC.REPLICAS_EXACT(A1;A6)", [["#SC! utilization_cap: 65 is above 1; write 65% or 0.65"]]),
    ("=SHEETCALC.REPLICAS_EXACT(A1;A5)", [[200.0 / 0.45]]),
    ("=SHEETCALC.REPLICAS_EXACT(A1)", [["#SC! utilization_cap: is blank; write a fraction such as 0.65"]]),
    ("=SHEETCALC.ISERR(SHEETCALC.REPLICAS_EXACT(A1;A6))", [[1.0]]),
    ("=SUM(SHEETCALC.REPLICAS_EXACT(A1;A7:A8))", [[200.0 / 0.65 + 200.0 / 0.7]]),
    ('=SHEETCALC.GPU("h100  sxm";"bandwidth")', [[3.35]]),
    ('=SHEETCALC.GPU("H100";"weight")', [["#SC! field: 'weight' is not in the catalogue; did you mean 'price_high'?"]]),
]
INPUTS = [["request_rate", 200.0], ["gpu_hour_price", 2.5], ["tpot_target", None], ["utilization_cap", "65%"]]
SCENARIOS = [["request_rate", "gpus_per_replica"], [100.0, 4.0], [200.0, 8.0], [1e9, 4.0]]
AS_IN_PYTHON = [  # the range of a document, and the same cells in Python
    ('=SHEETCALC.PLAN(C1:D4;"gpus, cost_per_hour, gpu")', "plan", (INPUTS, "gpus, cost_per_hour, gpu")),
    ('=SHEETCALC.TABLE(F1:G4;"gpus, cost_per_hour")', "table", (SCENARIOS, "gpus, cost_per_hour")),
    ("=SHEETCALC.DECIDE(C1:D4)", "decide", (INPUTS,)),
    ("=SHEETCALC.CHECKS(C1:D4)", "checks", (INPUTS,)),
    ('=SHEETCALC.PLAN(C1:D4;"gpuss")', "plan", (INPUTS, "gpuss")),
]


@needs_libreoffice
def test_every_function_works_in_a_document():
    asked = [*examples(), *BY_HAND, *((formula, table(functions()[name].call(*cells))) for formula, name, cells in AS_IN_PYTHON)]
    folder = Path(tempfile.mkdtemp(prefix="sheetcalc-lo-"))
    try:
        (folder / "sheetcalc.oxt").write_bytes(extension())
        shutil.copy(SCRIPT, folder / "calls.py")
        (folder / "work.json").write_text(
            json.dumps({"cells": CELLS, "calls": [[formula, len(rows), len(rows[0])] for formula, rows in asked]}), encoding="utf-8"
        )
        as_root = os.geteuid() == 0
        if as_root:
            for path in (folder, *folder.iterdir()):
                os.chown(path, ORDINARY, ORDINARY)
        done = subprocess.run(
            [PYTHON, folder / "calls.py", folder, folder / "sheetcalc.oxt", folder / "work.json"],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=folder,
            env={"HOME": str(folder), "TMPDIR": str(folder), "PATH": os.environ["PATH"]},
            **({"user": ORDINARY, "group": ORDINARY, "extra_groups": []} if as_root else {}),
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 0, done.stderr[-2000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    wrong = [(formula, found, rows) for (formula, rows), found in zip(asked, answer["results"], strict=True) if not alike(found, rows)]
    assert not wrong, wrong[:10]
    assert len(asked) > len(functions())


def alike(found, rows) -> bool:
    """The same values to the last bit; where LibreOffice has no numpy, powers and exponentials of ranges may differ in the last bits."""
    return all(
        x == y or (isinstance(x, float) and isinstance(y, float) and abs(x - y) <= 1e-12 * abs(y))
        for r, s in zip(found, rows, strict=True)
        for x, y in zip(r, s, strict=True)
    )


def test_the_extension_is_the_same_every_time():
    assert extension() == extension()


def test_methods_are_names_of_their_own():
    names = [method(name) for name in functions()]
    assert len({n.casefold() for n in names}) == len(names)
    assert all(n.isascii() and n.isalnum() for n in names)
