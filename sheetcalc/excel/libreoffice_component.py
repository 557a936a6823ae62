"""The part of the extension that LibreOffice loads: one UNO method for each function. It runs in LibreOffice's own Python.

Beside it in the extension lie the interface (functions.idl) and the pure core of sheetcalc (pythonpath/).
"""

import uno
import unohelper

from sheetcalc.excel.boundary import rows
from sheetcalc.excel.libreoffice import IMPLEMENTATION, INTERFACE, method
from sheetcalc.excel.registry import functions


class Functions(unohelper.Base, uno.getClass(INTERFACE)):
    """The add-in; its methods are set below."""

    def __init__(self, context):
        self.context = context


def _cell(x):
    return float(x) if isinstance(x, bool) else x  # LibreOffice takes any truth value in a table for true


def _method(call):
    def answer(self, *cells):
        return tuple(tuple(map(_cell, row)) for row in rows(call(*cells)))

    return answer


for _name, _function in functions().items():
    setattr(Functions, method(_name), _method(_function.call))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, IMPLEMENTATION, ("com.sun.star.sheet.AddIn",))
