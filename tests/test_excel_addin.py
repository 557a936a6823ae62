"""The files that `sheetcalc addin` writes, the settings of xlwings, the macros, and the failures that are found with their cures."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pytest

from sheetcalc import __version__
from sheetcalc.__main__ import main
from sheetcalc.errors import SheetcalcError
from sheetcalc.excel import faults, macros, settings, starter
from sheetcalc.excel.lite import MAIN, REQUIREMENTS
from sheetcalc.excel.vba import UDF_MODULE

PYTHON = r"C:\Tools\sheetcalc\Scripts\python.exe"


@pytest.mark.parametrize(
    "name, files", [("my.bas", {"my.bas", "my_descriptions.bas"}), ("my.xlsm", {"my.xlsm"}), ("main.py", {"main.py", "requirements.txt"})]
)
def test_export_writes_what_the_ending_asks_for(tmp_path, name, files):
    assert main(["addin", "export", "-o", str(tmp_path / name)]) == 0
    assert {p.name for p in tmp_path.iterdir()} == files


def test_export_takes_no_file_away_that_nobody_named(tmp_path, capsys):
    (tmp_path / "requirements.txt").write_text("pandas\n")
    assert main(["addin", "export", "-o", str(tmp_path / "main.py")]) == 2
    assert "requirements.txt: is there already" in capsys.readouterr().err
    assert (tmp_path / "requirements.txt").read_text() == "pandas\n" and not (tmp_path / "main.py").exists()
    (tmp_path / "requirements.txt").write_text(REQUIREMENTS.replace(__version__, "0.0.9"))
    assert main(["addin", "export", "-o", str(tmp_path / "main.py")]) == 0
    assert (tmp_path / "requirements.txt").read_text() == REQUIREMENTS


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    assert main(["addin", "export", "-o", str(tmp_path / "no" / "my.bas")]) == 2
    said = capsys.readouterr().err
    assert f"there is no folder {tmp_path / 'no'}" in said and ".part" not in said


def test_export_refuses_another_ending(tmp_path, capsys):
    assert main(["addin", "export", "-o", str(tmp_path / "my.txt")]) == 2
    assert "'my.txt' has none of the endings .bas, .xlsm, .oxt, .py, .md" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows it installs")
def test_install_elsewhere_says_what_to_use(capsys):
    assert main(["addin", "install"]) == 2
    assert "LibreOffice Calc" in capsys.readouterr().err
    assert main(["addin", "status"]) == 0
    told = capsys.readouterr().out
    assert "functions" in told and Path(told.partition("The guide: ")[2].strip()).is_file()


def test_the_starter_is_xlwings_workbook_with_our_settings():
    made = starter.starter(PYTHON)
    assert made == starter.starter(PYTHON)
    book = openpyxl.load_workbook(io.BytesIO(made), keep_vba=True)
    found = {str(row[0]).upper(): row[1] for row in book["xlwings.conf"].iter_rows(min_row=1, max_row=9, max_col=2, values_only=True)}
    assert (found["INTERPRETER_WIN"], found["UDF MODULES"]) == (PYTHON, UDF_MODULE)
    source = starter.xlwings_file("quickstart_standalone.xlsm")
    with zipfile.ZipFile(source) as theirs, zipfile.ZipFile(io.BytesIO(made)) as ours:
        assert sorted(theirs.namelist()) == ours.namelist()
        changed = {n for n in theirs.namelist() if theirs.read(n) != ours.read(n)}
    assert changed == {starter.WORKBOOK, starter.SETTINGS}


def test_another_workbook_of_xlwings_is_refused_in_words():
    with pytest.raises(SheetcalcError, match="follow the guide"):
        starter._replaced(b"<sheets/>", "_xlwings.conf", "xlwings.conf")
    with pytest.raises(SheetcalcError, match=r"xlwings has no nothing\.xlsm: .*pip install"):
        starter.xlwings_file("nothing.xlsm")


def test_settings_are_completed_and_nothing_is_overwritten():
    text, said = settings.completed("", PYTHON)
    assert settings.read(text) == {"INTERPRETER_WIN": PYTHON, "UDF MODULES": UDF_MODULE} and len(said) == 2
    again, said = settings.completed(text, PYTHON)
    assert again == text and said == []
    other, said = settings.completed('"Interpreter_Win","D:\\other\\python.exe"\n"UDF MODULES","theirs"\n"SHOW CONSOLE","True"\n', PYTHON)
    assert settings.read(other) == {
        "INTERPRETER_WIN": "D:\\other\\python.exe",
        "UDF MODULES": f"theirs;{UDF_MODULE}",
        "SHOW CONSOLE": "True",
    }
    assert said[0].startswith("kept INTERPRETER_WIN D:\\other\\python.exe")
    conda, _ = settings.completed('"CONDA PATH","C:\\conda"\n"CONDA ENV","base"\n', PYTHON)
    assert "INTERPRETER_WIN" not in settings.read(conda)


@pytest.fixture
def windows(tmp_path):
    """A Windows machine in order, described by its files."""
    for folder in ("venv/Scripts", "startup", "xlwings/addin", "work"):
        (tmp_path / folder).mkdir(parents=True)
    for file in (
        "venv/Scripts/python.exe",
        "venv/Scripts/xlwings64-0.37.8.dll",
        "startup/xlwings.xlam",
        "xlwings/addin/xlwings.xlam",
        "work/plan.xlsm",
    ):
        (tmp_path / file).touch()
    python = tmp_path / "venv/Scripts/python.exe"
    (tmp_path / "xlwings.conf").write_text(settings.completed("", str(python))[0], encoding="utf-8")
    return faults.Machine(
        "win32",
        python,
        tmp_path / "venv",
        tmp_path / "xlwings.conf",
        tmp_path / "startup",
        tmp_path / "xlwings",
        "0.37.8",
        tmp_path / "work",
    )


def bad(machine):
    return {f.name: f for f in faults.examine(machine) if not f.ok}


def test_a_machine_in_order_has_no_fault(windows):
    found = faults.examine(windows)
    assert bad(windows) == {} and {f.name for f in found} == {
        "Excel's Python",
        "Excel's function modules",
        "xlwings add-in",
        "xlwings files",
        "Macros",
    }


def test_the_wrong_interpreter(windows):
    windows.config.write_text('"INTERPRETER_WIN","C:\\Python39\\python.exe"\n', encoding="utf-8")
    found = bad(windows)
    assert found.keys() == {"Excel's Python", "Excel's function modules"}
    assert f'"INTERPRETER_WIN","{windows.executable}"' in found["Excel's Python"].mend
    windows.config.unlink()
    assert "the first Python on the path" in bad(windows)["Excel's Python"].says


def test_a_python_without_a_window_is_the_same(windows):
    windows.config.write_text(settings.completed("", str(windows.executable).replace("python.exe", "pythonw.exe"))[0], encoding="utf-8")
    assert bad(windows) == {}


def test_a_conda_environment(windows):
    (windows.prefix / "conda-meta").mkdir()
    inside = windows._replace(prefix=windows.prefix.parent / "envs" / "plans")
    (inside.prefix / "conda-meta").mkdir(parents=True)
    assert f'"CONDA PATH","{windows.prefix}" and "CONDA ENV","base"' in bad(windows)["Conda"].mend
    assert f'"CONDA PATH","{windows.prefix.parent}" and "CONDA ENV","plans"' in bad(inside)["Conda"].mend
    windows.config.write_text(f'"CONDA PATH","{windows.prefix}"\n"CONDA ENV","base"\n"UDF MODULES","{UDF_MODULE}"\n', encoding="utf-8")
    assert bad(windows) == {}


def test_onedrive_the_store_and_a_missing_addin(windows, tmp_path):
    cloud = tmp_path / "OneDrive - Firm"
    cloud.mkdir()
    assert "%LOCALAPPDATA%" in bad(windows._replace(folder=cloud))["This folder"].mend
    assert "Python of the Microsoft Store" in bad(
        windows._replace(executable=Path("C:/Users/x/AppData/Local/Microsoft/WindowsApps/python.exe"))
    )
    (windows.startup / "xlwings.xlam").unlink()
    assert "sheetcalc addin install" in bad(windows)["xlwings add-in"].mend


def test_what_an_antivirus_program_took(windows):
    (windows.executable.parent / "xlwings64-0.37.8.dll").unlink()
    found = bad(windows)["xlwings files"]
    assert "antivirus" in found.says and "--force-reinstall" in found.mend and "need no macros" in found.mend


@pytest.mark.skipif(sys.platform == "win32", reason="the mark is a file of that name elsewhere only")
def test_a_blocked_macro_file(windows):
    (windows.folder / "plan.xlsm:Zone.Identifier").write_text("[ZoneTransfer]\r\nZoneId=3\r\n", encoding="utf-8")
    found = bad(windows)["Macros"]
    assert "plan.xlsm" in found.says and f"Unblock-File '{windows.folder / 'plan.xlsm'}'" in found.mend
    (windows.folder / "plan.xlsm:Zone.Identifier").write_text("[ZoneTransfer]\r\nZoneId=1\r\n", encoding="utf-8")
    assert bad(windows) == {}


def test_without_xlwings_the_doctor_names_the_package(windows):
    assert faults.examine(windows._replace(xlwings=None)) == []


class Book:
    """A workbook as xlwings gives it to a macro."""

    def __init__(self, fullname, content=b"PK"):
        self.fullname, self.name, self.told = fullname, Path(str(fullname)).name, []
        self.api = SimpleNamespace(SaveCopyAs=lambda path: Path(path).write_bytes(content))
        self.app = SimpleNamespace(alert=lambda says, title: self.told.append((title, says)))


def test_the_memo_macro_writes_beside_the_workbook(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(macros, "command", lambda *args: asked.append(args) or (0, ""))
    said = macros.memo(Book(tmp_path / "plan.xlsx"))
    assert said == f"The memo is ready: {tmp_path / 'plan.pdf'}"
    ((verb, copy, option, target),) = asked
    assert (verb, option, target) == ("memo", "-o", str(tmp_path / "plan.pdf"))
    assert Path(copy).name == "plan.xlsx" and Path(copy).parent != tmp_path and not Path(copy).exists()


def test_both_macros_on_a_workbook_of_sheetcalc(tmp_path):
    assert main(["workbook", "--set", "request_rate=200", "-o", str(tmp_path / "made.xlsx")]) == 0
    content = (tmp_path / "made.xlsx").read_bytes()
    book = Book(tmp_path / "plan.xlsm", content)
    assert macros.checked(book) == "plan.xlsm: as issued"
    assert macros.memo(book) == f"The memo is ready: {tmp_path / 'plan.pdf'}"
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF") and not (tmp_path / "plan.xlsm").exists()


@pytest.mark.parametrize(
    "fullname, says", [("https://firm.sharepoint.com/plan.xlsx", "OneDrive or SharePoint"), ("Book1", "Save this workbook first")]
)
def test_a_workbook_without_a_folder_is_told_so(fullname, says):
    assert says in macros.memo(Book(fullname))


def test_the_check_macro_says_what_the_audit_says(tmp_path):
    said = macros.checked(Book(tmp_path / "plan.xlsx", b"not a workbook"))
    assert said and "Traceback" not in said
    book = Book(tmp_path / "plan.xlsx")
    macros.tell(book, "x" * 5000)
    assert book.told == [("sheetcalc", "x" * 999 + "…")]


def test_a_command_never_raises_into_excel(monkeypatch):
    monkeypatch.setattr("sheetcalc.__main__.main", lambda argv: 1 / 0)
    assert macros.command("audit", "x") == (2, "a fault in sheetcalc (ZeroDivisionError: division by zero)")


def test_lite_takes_every_function_and_nothing_else():
    space = {}
    exec(compile(MAIN, "main.py", "exec"), space)
    from sheetcalc.excel.registry import functions

    assert {n for n in space if not n.startswith("__")} == {f.excel for f in functions().values()}
    assert space["SC_REPLICAS_EXACT"]([[20.0]], [[0.5]]) == 40.0
    assert REQUIREMENTS.split() == ["xlwings", "numpy", f"https://YOUR-SERVER/sheetcalc-{__version__}-py3-none-any.whl"]


def test_only_the_free_part_of_xlwings_is_used():
    program = (
        "import sys, xlwings; own = set(sys.modules); import sheetcalc.excel.udfs, sheetcalc.excel.macros; "
        "print([m for m in set(sys.modules) - own if m.startswith('xlwings')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env={"PYTHONPATH": str(Path(__file__).parent.parent)}
    )
    assert done.stdout.strip() == "[]", done.stderr[-1000:]
    for path in (Path(__file__).parent.parent / "sheetcalc").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "xlwings.pro" not in text and "xlwings.server" not in text and "LICENSE_KEY" not in text, path.name
