"""Imports point one way, and the core needs nothing outside the standard library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "sheetcalc"
CORE = [
    "errors",
    "expr",
    "special",
    "axes",
    "operations",
    "units",
    "declare",
    "model",
    "show",
    "ranges",
    "cells",
    "run",
    "many",
    "provenance",
    "study",
]
ONLY_IN = {
    "openpyxl": ("workbook", "excel", "scenarios", "batch"),
    "weasyprint": ("memo", "doctor"),
    "jinja2": ("memo",),
    "xlwings": ("excel", "doctor"),
    "matplotlib": ("memo", "backtest"),
    "polars": ("batch", "commands", "scenarios", "excel"),
}
FREE_OF = {
    "quantities": {"studies", "workbook", "memo", "batch", "commands", "excel"},
    "studies": {"workbook", "memo", "batch", "commands", "excel"},
    "workbook": {"memo", "batch", "commands"},
    "memo": {"batch", "commands"},
    "catalogue": {"studies", "workbook", "memo", "batch", "commands"},
}


def imports(path: Path, top_only: bool = False):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_only else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{a.name}" for a in node.names)


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_the_core_reads_only_the_standard_library_and_lower_layers():
    for i, name in enumerate(CORE):
        for imported in imports(PACKAGE / f"{name}.py"):
            words = imported.split(".")
            if words[0] == "sheetcalc" and len(words) > 1:
                assert words[1] in CORE[: i + 1] or words[1] == "errors", f"{name} imports {imported}"
            else:
                assert words[0] in sys.stdlib_module_names or words[0] in ("numpy", "__future__"), f"{name} imports {imported}"


def test_each_library_is_used_in_its_own_part():
    for path in modules():
        for imported in imports(path):
            allowed = ONLY_IN.get(imported.split(".")[0])
            assert allowed is None or part(path) in allowed, f"{path.relative_to(PACKAGE)} imports {imported}"


def test_layers_do_not_look_up():
    for path in modules():
        for imported in imports(path):
            words = imported.split(".")
            if words[0] == "sheetcalc" and len(words) > 1:
                assert words[1] not in FREE_OF.get(part(path), ()), f"{path.relative_to(PACKAGE)} imports {imported}"


def test_quantities_meet_by_name():
    for path in (PACKAGE / "quantities").glob("*.py"):
        for imported in imports(path):
            assert imported.startswith(("sheetcalc.operations", "sheetcalc.model")), f"{path.name} imports {imported}"


@pytest.mark.parametrize(
    "code",
    [
        "import sheetcalc, sheetcalc.study, sheetcalc.run, sheetcalc.cells",
        "from sheetcalc.studies import study; study('plan').evaluate({'request_rate': 200.0}).value('gpus')",
    ],
)
def test_the_core_runs_without_numpy(code):
    block = "import sys; sys.modules['numpy'] = None; sys.modules['openpyxl'] = None; "
    subprocess.run([sys.executable, "-c", block + code], check=True)
