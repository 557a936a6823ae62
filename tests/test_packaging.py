"""What a wheel would hold and ask for, read from pyproject.toml and the sources."""

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DISTRIBUTIONS = {"yaml": "pyyaml"}


def imported_packages():
    """Third-party packages that sheetcalc imports, each with one file that does."""
    found = {}
    for path in sorted((ROOT / "sheetcalc").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for top in {n.split(".")[0] for n in names} - set(sys.stdlib_module_names) - {"sheetcalc", ""}:
                found.setdefault(DISTRIBUTIONS.get(top, top.replace("_", "-").lower()), path.relative_to(ROOT).as_posix())
    return found


def declared_packages():
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = PROJECT["project"]["dependencies"] + [w for name in extras if name != "test" for w in extras[name]]
    return {re.match(r"[\w.-]+", w)[0].replace("_", "-").lower() for w in wanted}


def test_every_package_that_is_imported_is_declared():
    found = imported_packages()
    assert "numpy" in found
    outside = {"uno", "unohelper", "com"}  # LibreOffice brings these itself
    assert not {n: f for n, f in found.items() if n not in declared_packages() | outside}


def test_every_data_file_goes_into_the_wheel():
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["sheetcalc"]
    packed = {p for pattern in patterns for p in (ROOT / "sheetcalc").glob(pattern)}
    data = {p for p in (ROOT / "sheetcalc").rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert data, "the catalogues are data"
    assert data <= packed, sorted(p.name for p in data - packed)


def test_every_pin_has_a_version():
    for wanted in PROJECT["project"]["dependencies"]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+,<\d+; sys_platform != 'emscripten'", wanted), wanted


def test_no_file_of_the_set_up_names_a_registry_or_this_machine():
    for path in [*(ROOT / ".ci").iterdir(), *ROOT.glob("*.toml"), *ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "setup.py"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pypi\.org|deb\.debian|index-url|\.\./shared|/work/|/root/", text), path.name


def test_nothing_tells_a_person_to_install_sheetcalc_by_its_name():
    """The sheetcalc of the public index is another program: only a folder or a wheel file of ours may be installed."""
    by_name = re.compile(r"""pip install (?:-\S+ )*["']?sheetcalc(?![\w.\\/-])""")
    told = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "sheetcalc").rglob("*.py"), *(ROOT / "sheetcalc").rglob("*.md")]
    found = [(path.name, hit[0]) for path in told for hit in by_name.finditer(path.read_text(encoding="utf-8"))]
    assert found == [("guide.md", "pip install sheetcalc")], "the guide may name it once, to warn of it"


def test_what_mends_a_missing_extra_is_what_the_extra_asks_for():
    from sheetcalc.doctor import XLWINGS

    assert PROJECT["project"]["optional-dependencies"]["excel"] == [XLWINGS]
