"""`sheetcalc addin`: the files of the spreadsheet functions, the installation in Excel, and how things stand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.files import write_whole

XLWINGS = "import sys; from xlwings.cli import main; sys.argv = ['xlwings', 'addin', 'install']; main()"
ELSEWHERE = """Excel calls Python on Windows only. On this computer:
  LibreOffice Calc           sheetcalc addin export -o sheetcalc.oxt, then: unopkg add sheetcalc.oxt
  Excel on Mac or the web    sheetcalc addin export -o main.py, and paste it into xlwings Lite"""
GUIDE = Path(__file__).parent.parent / "excel" / "guide" / "guide.md"


def command(args) -> int:
    return {"export": export, "install": install, "status": status}[args.action](args)


def export(args) -> int:
    """Writes the file that the ending of its name asks for, and what belongs beside it."""
    path = Path(args.out or "sheetcalc.bas")
    made = KINDS.get(path.suffix.lower())
    if made is None:
        raise InputError(f"{path.name!r} has none of the endings {', '.join(KINDS)}: write one of them, such as sheetcalc.bas", "-o")
    (first, data), *beside = made(path)
    for target, _ in beside:  # nobody named these, so they must not take the place of somebody's file
        if target.is_file() and not _is_ours(target):
            raise InputError("is there already and is not of sheetcalc; export into a folder of its own", str(target))
    for target, content in ((first, data), *beside):
        write_whole(target, content)
        print(target)
    return 0


def _is_ours(path: Path) -> bool:
    """Whether an earlier export has written the file."""
    return b"sheetcalc" in path.read_bytes()


def _vba(path: Path) -> list[tuple[Path, bytes]]:
    from sheetcalc.excel.vba import descriptions, module

    return [(path, module().encode("ascii")), (path.with_stem(f"{path.stem}_descriptions"), descriptions().encode("ascii"))]


def _oxt(path: Path) -> list[tuple[Path, bytes]]:
    from sheetcalc.excel.libreoffice import extension

    return [(path, extension())]


def _lite(path: Path) -> list[tuple[Path, bytes]]:
    from sheetcalc.excel.lite import MAIN, REQUIREMENTS

    return [(path, MAIN.encode()), (path.with_name("requirements.txt"), REQUIREMENTS.encode())]


def _starter(path: Path) -> list[tuple[Path, bytes]]:
    from sheetcalc.excel.starter import starter

    return [(path, starter())]


def _page(path: Path) -> list[tuple[Path, bytes]]:
    from sheetcalc.excel.page import page

    return [(path, page().encode())]


KINDS: dict[str, Callable[[Path], list[tuple[Path, bytes]]]] = {".bas": _vba, ".xlsm": _starter, ".oxt": _oxt, ".py": _lite, ".md": _page}


def install(args) -> int:
    """The xlwings add-in for this user, and the settings that name our functions."""
    if sys.platform != "win32":
        print(f"{ELSEWHERE}\nThe guide: {GUIDE}", file=sys.stderr)
        return 2
    from sheetcalc.excel import settings

    done = subprocess.run([sys.executable, "-c", XLWINGS], capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        print(f"sheetcalc: xlwings could not install its add-in: {why}: run sheetcalc doctor", file=sys.stderr)
        return 2
    before = settings.FILE.read_text(encoding="utf-8") if settings.FILE.is_file() else ""
    text, said = settings.completed(before)
    if text != before:
        settings.FILE.parent.mkdir(parents=True, exist_ok=True)
        write_whole(settings.FILE, text.encode())
    print(
        "\n".join(
            [
                "The xlwings add-in is installed.",
                *said,
                "Next: sheetcalc addin export -o sheetcalc.bas, start Excel again, Alt-F11, File, Import File, sheetcalc.bas.",
                f"The guide: {GUIDE}",
            ]
        )
    )
    return 0


def status(args) -> int:
    """What was found out about Excel and its functions; 1 when something is to be mended."""
    from sheetcalc.excel.faults import examine, this_machine
    from sheetcalc.excel.registry import functions

    found = examine(this_machine(Path()))
    print(f"{len(functions())} functions")
    for fault in found:
        print(f"{'ok     ' if fault.ok else 'missing'}  {fault.name}: {fault.says}" + ("" if fault.ok else f"\n         {fault.mend}"))
    print(f"The guide: {GUIDE}")
    return 0 if all(fault.ok for fault in found) else 1
