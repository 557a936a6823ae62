"""Two macros for a button or the ribbon: make the memo from this workbook, check this workbook."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

TITLE = "sheetcalc"
LONGEST = 1000  # characters that a message box of Excel shows


def SheetcalcMakeMemo() -> None:
    """Writes the memo of this workbook beside it, as PDF, and says where it is."""
    import xlwings as xw

    book = xw.Book.caller()
    tell(book, memo(book))


def SheetcalcCheckWorkbook() -> None:
    """Says what was changed in this workbook since sheetcalc made it: inputs, overwritten formulas, old values."""
    import xlwings as xw

    book = xw.Book.caller()
    tell(book, checked(book))


def memo(book) -> str:
    """The memo of an open workbook, beside it; what to tell the person."""
    place = folder_of(book)
    if isinstance(place, str):
        return place
    target = place / f"{Path(book.name).stem}.pdf"
    with copied(book) as path:
        status, said = command("memo", str(path), "-o", str(target))
        said = said.replace(str(path), book.name)
    return f"The memo is ready: {target}" if status == 0 else f"There is no memo.\n{said}"


def checked(book) -> str:
    """What `sheetcalc audit` says of an open workbook."""
    with copied(book) as path:
        status, said = command("audit", str(path))
        said = said.replace(str(path), book.name)
    return said or ("Nothing was changed but inputs." if status == 0 else "The workbook could not be checked.")


def folder_of(book) -> Path | str:
    """The folder of a workbook, or what to do where it has none that can be written to."""
    full = str(book.fullname)
    if full.casefold().startswith(("http://", "https://")):
        return (
            "This workbook is open from OneDrive or SharePoint, which has no folder to write to. "
            "Save a copy on this computer and run the macro there."
        )
    if not Path(full).is_absolute():
        return "Save this workbook first; the memo is written beside it."
    return Path(full).parent


@contextlib.contextmanager
def copied(book):
    """A copy of the workbook as it is on the screen, saved or not; the workbook itself is not touched."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{Path(book.name).stem}{Path(book.name).suffix or '.xlsx'}")
        book.api.SaveCopyAs(str(path))
        yield path


def command(*args: str) -> tuple[int, str]:
    """A command of the command line: its exit status and what it said."""
    from sheetcalc.__main__ import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = main(list(args))
        except SystemExit as stop:
            status = int(stop.code or 0)
        except Exception as error:
            status = 2
            said.write(f"a fault in sheetcalc ({type(error).__name__}: {error})")
    return status, said.getvalue().strip()


def tell(book, says: str) -> None:
    """A message box; what does not fit is marked."""
    book.app.alert(says if len(says) <= LONGEST else says[: LONGEST - 1] + "…", title=TITLE)
