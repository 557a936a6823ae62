"""The wheel in Pyodide, the Python of browsers and xlwings Lite: it loads without numpy, and every function is called there."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sheetcalc.excel import lite
from sheetcalc.excel.registry import functions

ROOT = Path(__file__).parent.parent
SOURCES = ("sheetcalc", "templates", "pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in")
PYODIDE = "pyodide@314.0.7"  # MPL-2.0; CPython 3.14; only this test uses it


def run(*command, cwd, seconds=180):
    """A program of the set-up; the test is skipped, saying why, where it cannot run (no npm, no network)."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{command[0]} does not work here: {error}")
    if done.returncode:
        pytest.skip(f"{' '.join(command[:3])} does not work here: {(done.stderr or done.stdout).strip()[-200:]}")


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory):
    if not shutil.which("npm") or not shutil.which("node"):
        pytest.skip("node and npm are not installed; Pyodide runs in them")
    folder = tmp_path_factory.mktemp("pyodide")
    run("npm", "install", "--no-audit", "--no-fund", PYODIDE, cwd=folder)
    return folder / "node_modules" / "pyodide"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", ".", cwd=folder)
    (made,) = (folder / "dist").glob("*.whl")
    assert made.name.endswith("-py3-none-any.whl")
    return made


def close(a, b) -> bool:
    """Alike but for the last bits of powers and exponentials, which another C library may round otherwise."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(close, a, b))
    return a == b or (isinstance(a, float) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-12))


def test_every_function_in_pyodide(pyodide, wheel, tmp_path):
    calls = [(f.excel, [a.example for a in f.arguments], f.call(*(a.example for a in f.arguments))) for f in functions().values()]
    many = [[0.5], [0.65], [65.0]]
    calls.append(("SC_REPLICAS_EXACT", [20.0, many], [[40.0], [20 / 0.65], ["#SC! utilization_cap: 65 is above 1; write 65% or 0.65"]]))
    (tmp_path / "work.json").write_text(
        json.dumps({"main": lite.MAIN, "calls": [[name, cells] for name, cells, _ in calls]}), encoding="utf-8"
    )
    done = subprocess.run(
        ["node", Path(__file__).parent / "pyodide_calls.mjs", pyodide, wheel, tmp_path / "work.json"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["registered"] == len(functions())
    assert not answer["numpy"] and answer["outside"] == []
    wrong = [
        (name, cells, found, value) for (name, cells, value), found in zip(calls, answer["results"], strict=True) if not close(found, value)
    ]
    assert not wrong, wrong[:10]
