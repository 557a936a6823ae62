"""What works on this machine, what is missing, and the exact command that mends it.

Nothing is imported that is looked for: packages are found by their metadata, and PDF is tried in a process of its own, since a broken
system library can end a process without a word.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

OLDEST_PYTHON = (3, 11)
XLWINGS = "xlwings>=0.33,<1"  # what the extra `excel` asks for
BAD_PANGO = ("1.56.4",)  # crashes: WeasyPrint issues 2623 and 2507
LEAST_SPACE = 200e6  # bytes; a memo is some 50 kB, a workbook of 10,000 scenarios some 20 MB
RENDER_SECONDS = 120

PDF_TRIAL = """
import json, time
from weasyprint import HTML, __version__
from weasyprint.text.ffi import harfbuzz_subset, pango
began = time.perf_counter()
HTML(string="<p>sheetcalc</p>").write_pdf()
number = pango.pango_version()
print(json.dumps({
    "weasyprint": __version__, "pango": f"{number // 10000}.{number // 100 % 100}.{number % 100}",
    "subset": bool(harfbuzz_subset), "seconds": time.perf_counter() - began}))
"""


class Finding(NamedTuple):
    """One thing looked at. `mend` is how to mend it when it is not `ok`; without what is not `needed` the main job runs all the same."""

    name: str
    ok: bool
    says: str
    mend: str = ""
    needed: bool = True


def examine(folder: str | Path = ".") -> list[Finding]:
    """Everything that sheetcalc needs or can use, and whether results can be written to `folder`."""
    found = [python(), *packages(), *pdf(), templates(), *where(Path(folder)), libreoffice(), excel(), *excel_in_use(Path(folder))]
    return [f._replace(mend="") if f.ok else f for f in found]


def python() -> Finding:
    """The version of Python, and that it is a 64-bit one."""
    bits = 64 if sys.maxsize > 2**32 else 32
    says = f"{sys.version.split()[0]}, {bits} bits, {sys.executable}"
    return Finding(
        "Python",
        sys.version_info >= OLDEST_PYTHON and bits == 64,
        says,
        "install a 64-bit Python 3.11 or newer, and make the virtual environment again with it",
    )


def packages() -> list[Finding]:
    """The packages that an installed sheetcalc asks for."""
    try:
        wanted = [w for w in metadata.requires("sheetcalc") or [] if "extra ==" not in w]
    except metadata.PackageNotFoundError:
        return [
            Finding(
                "sheetcalc",
                False,
                "runs from a folder and is not installed, so its packages cannot be listed",
                f"{sys.executable} -m pip install -e .",
                needed=False,
            )
        ]
    return [_package(re.match(r"[\w.-]+", w)[0], w.partition(";")[0].strip()) for w in wanted]


def _package(name: str, wanted: str, needed: bool = True) -> Finding:
    try:
        return Finding(name, True, metadata.version(name), needed=needed)
    except metadata.PackageNotFoundError:
        return Finding(name, False, "is not installed", f'{sys.executable} -m pip install "{wanted}"', needed)


def pdf() -> list[Finding]:
    """Whether a page can be made: weasyprint with Pango, HarfBuzz to embed only the letters that are used, and at least one font."""
    try:
        done = subprocess.run([sys.executable, "-c", PDF_TRIAL], capture_output=True, text=True, timeout=RENDER_SECONDS)
    except subprocess.TimeoutExpired:
        return [Finding("PDF", False, f"a page was not ready after {RENDER_SECONDS} s", pango_command())]
    if done.returncode and "PANGO_IS_FONT" in done.stderr:  # what Pango says before it crashes on a system without fonts
        return [Finding("System fonts", False, "there is none, and without one no page can be made", font_command())]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"the trial ended with status {done.returncode}"])[-1]
        return [Finding("PDF", False, f"no page could be made: {last}", pango_command())]
    found = json.loads(done.stdout.splitlines()[-1])
    says = f"weasyprint {found['weasyprint']}, Pango {found['pango']}, one page in {found['seconds']:.2f} s"
    subset = "found" if found["subset"] else "is missing, so a memo takes twice as long"
    return [
        Finding("PDF", found["pango"] not in BAD_PANGO, says, pango_command()),
        Finding("HarfBuzz subset", found["subset"], subset, pango_command()),
    ]


def _by_system(debian: str, mac: str, windows: str, other: str) -> str:
    if sys.platform == "darwin":
        return mac
    if sys.platform == "win32":
        return windows
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install -y {debian}" if shutil.which("apt-get") else other


def pango_command() -> str:
    """How to get Pango and HarfBuzz here."""
    return _by_system(
        "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
        "brew install pango",
        "in an MSYS2 window: pacman -S mingw-w64-ucrt-x86_64-pango",
        "install Pango, PangoFT2 and HarfBuzz (with its subset library) with the package manager of this system",
    )


def font_command() -> str:
    """How to get a font here."""
    return _by_system(
        "fonts-dejavu-core fontconfig",
        "brew install fontconfig",
        "install a font in Settings, Fonts",
        "install a font such as DejaVu, and fontconfig",
    )


def templates() -> Finding:
    """The memo's templates and fonts: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parent
    found = [f for f in (package / "templates", package.parent / "templates") if any(f.glob("fonts/*.otf")) and any(f.glob("*.j2"))]
    return Finding(
        "Templates",
        bool(found),
        str(found[0]) if found else "the memo's templates or fonts are missing",
        f"{sys.executable} -m pip install --force-reinstall --no-deps, then the folder or the wheel file that sheetcalc came from",
    )


def where(folder: Path) -> list[Finding]:
    """Whether results can be written there."""
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"sheetcalc")
    except OSError as error:
        says = f"{folder.resolve()}: {error.strerror}"
        return [Finding("Writing", False, says, "choose another folder with -o, or ask for permission to write")]
    free = shutil.disk_usage(folder).free
    says = f"{folder.resolve()}, {free / 1e9:,.1f} GB free"
    out = [Finding("Writing", free > LEAST_SPACE, says, "free some space, or choose another disk with -o")]
    if "onedrive" in str(folder.resolve()).casefold():
        out.append(
            Finding(
                "OneDrive",
                False,
                "the folder is synchronized, which can lock files while they are written",
                "choose a folder outside OneDrive with -o",
                needed=False,
            )
        )
    return out


def libreoffice() -> Finding:
    """LibreOffice with its Python bridge, which only the tests use, to recalculate workbooks."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    bridge = any(Path(p, "uno.py").exists() for p in ("/usr/lib/python3/dist-packages", *sys.path)) or sys.platform in ("win32", "darwin")
    lacks = [name for name, there in (("LibreOffice Calc", office), ("its Python bridge", bridge)) if not there]
    command = _by_system(
        "--no-install-recommends libreoffice-calc python3-uno",
        "brew install --cask libreoffice",
        "winget install TheDocumentFoundation.LibreOffice",
        "install LibreOffice Calc and python3-uno",
    )
    says = f"missing: {', '.join(lacks)}; only the tests use it" if lacks else str(office)
    return Finding("LibreOffice", not lacks, says, command, needed=False)


def excel() -> Finding:
    """The package behind the Excel functions."""
    return _package("xlwings", XLWINGS, needed=False)


def excel_in_use(folder: Path) -> list[Finding]:
    """The known reasons why the functions do not work in Excel, on Windows; elsewhere, what to use instead."""
    from sheetcalc.excel import faults

    return [Finding(f.name, f.ok, f.says, f.mend, needed=False) for f in faults.examine(faults.this_machine(folder))]
