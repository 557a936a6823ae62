"""The known reasons why the functions do not work in Excel on Windows, each looked for, with its cure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sheetcalc.excel import settings
from sheetcalc.excel.vba import UDF_MODULE

MACRO_FILES = ("*.xlsm", "*.xlam", "*.xlsb", "*.xls")
FROM_THE_WEB = ("3", "4")  # zones internet and restricted, in the mark that Windows puts on a downloaded file
WITHOUT_MACROS = "the workbooks of `sheetcalc workbook` need no macros and no Python and work in the meantime"


class Fault(NamedTuple):
    """One thing looked at: its name, whether it is in order, what was found, and how to mend it."""

    name: str
    ok: bool
    says: str
    mend: str = ""


class Machine(NamedTuple):
    """What is looked at, so that another machine can be described in a test."""

    platform: str
    executable: Path
    prefix: Path
    config: Path
    startup: Path  # the folder from which Excel loads add-ins
    xlwings: Path | None  # the package
    version: str
    folder: Path  # where the person works


def this_machine(folder: Path) -> Machine:
    """The machine that this runs on."""
    found = find_spec("xlwings")
    try:
        version = metadata.version("xlwings")
    except metadata.PackageNotFoundError:
        version = ""
    roaming = Path(os.environ.get("APPDATA", Path.home() / "AppData" / "Roaming"))
    return Machine(
        sys.platform,
        Path(sys.executable),
        Path(sys.prefix),
        settings.FILE,
        roaming / "Microsoft" / "Excel" / "XLSTART",
        Path(found.submodule_search_locations[0]) if found else None,
        version,
        folder,
    )


def examine(machine: Machine) -> list[Fault]:
    """Everything that is known to go wrong between Excel and Python; elsewhere than on Windows, what to use instead."""
    if machine.platform != "win32":
        return [
            Fault(
                "Excel functions",
                True,
                "Excel calls Python on Windows only; here use LibreOffice (sheetcalc addin export -o sheetcalc.oxt) or "
                "xlwings Lite (sheetcalc addin export -o main.py)",
            )
        ]
    if machine.xlwings is None:
        return []  # the doctor names the missing package by itself
    return [*_interpreter(machine), *_conda(machine), *_places(machine), _addin(machine), _library(machine), *_blocked(machine)]


def _config(machine: Machine) -> dict[str, str]:
    try:
        return settings.read(machine.config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return {}


def _interpreter(machine: Machine) -> Iterator[Fault]:
    found = _config(machine)
    used = found.get(settings.INTERPRETER, "")
    right = used.replace("pythonw.exe", "python.exe").casefold() == str(machine.executable).casefold()
    if used or not found.get(settings.CONDA_PATH):
        yield Fault(
            "Excel's Python",
            right,
            f"Excel starts {used or 'the first Python on the path'}; sheetcalc is in {machine.executable}",
            f'in {machine.config} write the line "{settings.INTERPRETER}","{machine.executable}"',
        )
    modules = found.get(settings.MODULES, "").split(";")
    yield Fault(
        "Excel's function modules", UDF_MODULE in modules, ";".join(filter(None, modules)) or "none is set", "sheetcalc addin install"
    )
    if "windowsapps" in str(machine.executable).casefold():
        yield Fault(
            "Python of the Microsoft Store",
            False,
            "Excel may not start a Python from the Microsoft Store",
            "install Python from python.org, make a virtual environment with it, and install sheetcalc there as the guide says",
        )


def _conda(machine: Machine) -> Iterator[Fault]:
    if not (machine.prefix / "conda-meta").is_dir():
        return
    found = _config(machine)
    base = machine.prefix.parent.parent if machine.prefix.parent.name == "envs" else machine.prefix
    name = machine.prefix.name if base != machine.prefix else "base"
    right = (found.get(settings.CONDA_PATH, "").casefold(), found.get(settings.CONDA_ENV, "").casefold()) == (
        str(base).casefold(),
        name.casefold(),
    )
    yield Fault(
        "Conda",
        right,
        f"sheetcalc is in the conda environment {name}, whose libraries Excel finds only if it is told",
        f'in {machine.config} write the lines "{settings.CONDA_PATH}","{base}" and "{settings.CONDA_ENV}","{name}"',
    )


def _places(machine: Machine) -> Iterator[Fault]:
    for name, place in (("Python's folder", machine.executable), ("This folder", machine.folder.absolute())):
        if any(word in str(place).casefold() for word in ("onedrive", "sharepoint")):
            yield Fault(
                name,
                False,
                f"{place} is synchronized by OneDrive or SharePoint: Excel sees it as a web address, and files may be away",
                "keep Python and workbooks with functions in a folder of this computer, such as %LOCALAPPDATA%\\sheetcalc",
            )


def _addin(machine: Machine) -> Fault:
    place = machine.startup / "xlwings.xlam"
    return Fault(
        "xlwings add-in",
        place.is_file(),
        str(place) if place.is_file() else f"is not in {machine.startup}",
        "sheetcalc addin install; or use a standalone workbook, which needs no add-in: sheetcalc addin export -o starter.xlsm",
    )


def _library(machine: Machine) -> Fault:
    """The files that antivirus programs take away: the library beside Python, and the add-in inside the package."""
    library = f"xlwings64-{machine.version}.dll"
    places = [machine.executable.parent / library, machine.executable.parent.parent / library]
    lost = [
        name
        for name, there in (
            (library, any(p.is_file() for p in places)),
            ("xlwings.xlam", (machine.xlwings / "addin" / "xlwings.xlam").is_file()),
        )
        if not there
    ]
    return Fault(
        "xlwings files",
        not lost,
        f"missing: {', '.join(lost)}; an antivirus program may have taken them away" if lost else "all there",
        f"ask IT to allow them, then: {machine.executable} -m pip install --force-reinstall --no-deps "
        f'"xlwings=={machine.version}"; {WITHOUT_MACROS}',
    )


def _blocked(machine: Machine) -> Iterator[Fault]:
    files = [f for pattern in MACRO_FILES for f in sorted(machine.folder.glob(pattern))] + [machine.startup / "xlwings.xlam"]
    blocked = [f for f in files if _from_the_web(f)]
    if blocked:
        yield Fault(
            "Macros",
            False,
            f"Windows blocks the macros of {', '.join(f.name for f in blocked)}, which came from the internet or by mail",
            "; ".join(f"powershell Unblock-File '{f}'" for f in blocked) + "; or put the file into a trusted location; " + WITHOUT_MACROS,
        )
    elif files[:-1]:
        yield Fault("Macros", True, f"{len(files) - 1} files with macros here, none is blocked")


def _from_the_web(path: Path) -> bool:
    try:
        mark = Path(f"{path}:Zone.Identifier").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.strip().startswith("ZoneId=") and line.strip()[7:] in FROM_THE_WEB for line in mark.splitlines())
