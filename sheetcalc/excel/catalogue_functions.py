"""Catalogue values, the version, and the test for an error: SC_GPU, SC_MODEL, SC_API_PRICE, SC_ISERR, SC_VERSION."""

from __future__ import annotations

from functools import partial

from sheetcalc import __version__, catalogue
from sheetcalc.errors import InputError
from sheetcalc.excel.boundary import Cell, error_in, failure, guarded, result, rows, text, words
from sheetcalc.excel.registry import Argument, Function, general


def elementwise(one, first: Cell):
    """`one` for each cell of a range, a line in words where it cannot be; a single cell alone."""
    table = rows(first)
    found = [[_safe(one, cell) for cell in row] for row in table]
    return found[0][0] if len(found) == 1 and len(found[0]) == 1 else found


def _safe(one, cell):
    try:
        return one(cell)
    except InputError as error:
        return failure(words(error))


def entry(which: str, name: Cell, field: Cell) -> Cell:
    """A catalogue's value in its display unit."""
    table = catalogue.read(which)
    prefix = f"{table.kind.prefix}_"
    wanted = "_".join(catalogue.key(text("field", field, f"a column such as {next(iter(table.kind.columns))}")).split()).removeprefix(
        prefix
    )
    try:
        column = catalogue.match(wanted, table.kind.columns)
    except InputError as error:
        raise InputError(str(error), "field") from None

    def one(cell):
        wanted = text("name", cell, "a name from the catalogue")
        try:
            row = catalogue.match(wanted, table.rows)
        except InputError as error:
            raise InputError(error.says, "name") from None
        found = table.rows[row][column]
        if found in (None, ""):
            raise InputError(f"the catalogue has no {column} for {row}", "field")
        return result(found, table.units.get(column, ""), str)

    return elementwise(one, name)


def is_error(value: Cell):
    return elementwise(lambda cell: bool(error_in(cell)), value)


def version() -> str:
    return __version__


def _catalogued(function: str, which: str, says: str, name: str, field: str) -> Function:
    columns = list(catalogue.KINDS[which].columns)
    return general(
        function,
        says,
        (
            Argument("name", "Name in the catalogue, without regard to case and blanks; a range of names gives a range.", example=name),
            Argument("field", f"Which value: {', '.join(columns)}."[:250], example=field),
        ),
        guarded(partial(entry, which)),
    )


FUNCTIONS = (
    _catalogued("gpu", "gpus", "A value of the GPU catalogue, in its display unit.", "H100 SXM", "bandwidth"),
    _catalogued("model", "models", "A value of the model catalogue, in its display unit.", "Llama 3.3 70B", "kv_heads"),
    _catalogued("api_price", "prices", "A price of the API catalogue, in $ per million tokens.", "Together Llama 3.3 70B Turbo", "output"),
    general(
        "iserr",
        "TRUE where a cell holds a message of sheetcalc (#SC! …) or an error; IFERROR does not see such a message.",
        (Argument("value", "A cell or a range.", example="#SC! batch: is blank; write a number"),),
        guarded(is_error),
    ),
    general("version", "The version of sheetcalc that works out the functions.", (), guarded(version)),
)
