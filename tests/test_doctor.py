"""The doctor: finds what is there, names what is missing, and says the command that mends it."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from sheetcalc import doctor


def test_every_finding_is_in_words_and_what_fails_can_be_mended(tmp_path):
    findings = doctor.examine(tmp_path)
    assert {"Python", "PDF", "HarfBuzz subset", "Templates", "Writing", "LibreOffice", "xlwings"} <= {f.name for f in findings}
    assert all(f.says for f in findings)
    assert all(bool(f.mend) != f.ok for f in findings)


def test_pdf_works_here():
    page, subset = doctor.pdf()
    assert page.ok and "Pango" in page.says, page
    assert subset.ok


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    def version(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", lambda name: ["openpyxl<4,>=3.1", 'xlwings; extra == "excel"'])
    monkeypatch.setattr(metadata, "version", version)
    (found,) = doctor.packages()
    assert (found.name, found.ok, found.needed) == ("openpyxl", False, True)
    assert found.mend == f'{sys.executable} -m pip install "openpyxl<4,>=3.1"'
    assert not doctor.excel().needed


def test_without_an_install_it_says_how_to_install(monkeypatch):
    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    assert doctor.packages()[0].mend.endswith("-m pip install -e .")


def test_a_system_without_fonts_is_noticed(monkeypatch, tmp_path):
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}</cachedir></fontconfig>", encoding="utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    assert [(f.name, f.ok) for f in doctor.pdf()] == [("System fonts", False)]


@pytest.mark.parametrize(
    "trial, says",
    [
        ("raise OSError('cannot load library gobject')", "cannot load library gobject"),
        ("import os; os.kill(os.getpid(), 11)", "status -11"),
    ],
)
def test_a_library_that_fails_or_crashes_is_reported_in_one_line(monkeypatch, trial, says):
    monkeypatch.setattr(doctor, "PDF_TRIAL", trial)
    (found,) = doctor.pdf()
    assert not found.ok and says in found.says and "\n" not in found.says
    assert "pango" in found.mend


def test_a_trial_that_hangs_is_reported(monkeypatch):
    monkeypatch.setattr(doctor, "PDF_TRIAL", "import time; time.sleep(30)")
    monkeypatch.setattr(doctor, "RENDER_SECONDS", 0.5)
    assert "not ready" in doctor.pdf()[0].says


@pytest.mark.parametrize("pango, subset, bad", [("1.50.12", "false", "HarfBuzz subset"), ("1.56.4", "true", "PDF")])
def test_each_part_of_pdf_is_told_apart(monkeypatch, pango, subset, bad):
    answer = f'{{"weasyprint": "70.0", "pango": "{pango}", "subset": {subset}, "seconds": 0.5}}'
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, answer, ""))
    assert [f.name for f in doctor.pdf() if not f.ok] == [bad]


def test_a_folder_that_cannot_be_written(tmp_path):
    (found,) = doctor.where(tmp_path / "not there")
    assert not found.ok and "-o" in found.mend
    (tmp_path / "OneDrive - Firm").mkdir()
    assert [f.name for f in doctor.where(tmp_path / "OneDrive - Firm") if not f.ok] == ["OneDrive"]


def test_missing_templates_and_libreoffice(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "__file__", str(tmp_path / "sheetcalc" / "doctor.py"))
    assert not doctor.templates().ok
    monkeypatch.setattr("shutil.which", lambda name: None)
    found = doctor.libreoffice()
    assert not found.ok and not found.needed and "LibreOffice Calc" in found.says


def test_the_setup_script_and_the_doctor_name_the_same_libraries(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    script = (Path(__file__).parent.parent / ".ci" / "setup.sh").read_text(encoding="utf-8")
    libraries = script.split("memo_packages=(")[1].split(")")[0]
    assert doctor.pango_command().endswith(libraries)
