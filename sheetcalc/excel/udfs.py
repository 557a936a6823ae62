"""The module that Excel loads through classic xlwings (and xlwings Lite through its main.py): every function under its Excel name.

On a machine without Excel the decorators of xlwings do nothing and the names are plain functions. Only public names of xlwings that
classic, BSD-licensed xlwings has are used.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

import xlwings as xw

from sheetcalc.excel import macros
from sheetcalc.excel.registry import CATEGORY, Function, functions

ROWS = {"ndim": 2, "err_to_str": True}  # rows of cells, whatever their shape; an error by its name instead of a blank


def face(function: Function) -> Callable:
    """A function with the name, arguments and descriptions that Excel shows."""
    call = function.call

    def udf(*cells):
        return call(*cells)

    udf.__name__ = udf.__qualname__ = function.excel
    udf.__doc__ = function.says
    udf.__signature__ = inspect.Signature(
        [
            inspect.Parameter(a.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None if a.optional else inspect.Parameter.empty)
            for a in function.arguments
        ]
    )
    for a in function.arguments:
        udf = xw.arg(a.name, doc=a.says, **ROWS)(udf)
    return xw.func(category=CATEGORY, volatile=False)(udf)  # last: xw.arg resets what it sets


__all__ = sorted(f.excel for f in functions().values())  # what the main.py of xlwings Lite takes over
globals().update({f.excel: face(f) for f in functions().values()})
if hasattr(xw, "sub"):  # not in a browser, where there are no files
    SheetcalcMakeMemo = xw.sub(macros.SheetcalcMakeMemo)
    SheetcalcCheckWorkbook = xw.sub(macros.SheetcalcCheckWorkbook)
