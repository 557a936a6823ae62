"""xlwings' Windows UDF code on a machine without Windows: the COM layer is replaced by stand-ins, in a process of its own.

What is real: the generation of VBA and `CallUDF` with all of xlwings' conversions. What is not: COM marshalling, MacroOptions, the grid.
"""

import ctypes
import datetime as dt
import sys
import types
from unittest import mock

RANGE_ID = "{00020846-0000-0000-C000-000000000046}"  # the interface id by which xlwings knows a Range
MISSING = -2147352572  # an omitted optional argument
DIV_0 = -2146826281  # #DIV/0! as COM gives it


class COMError(Exception):
    pass


def _module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made
    if "." in name:
        parent, child = name.rsplit(".", 1)
        setattr(sys.modules[parent], child, made)
    return made


def install():
    """Stand-ins for pywin32, then xlwings as it is on Windows; gives (udfs, XLPython)."""
    dispatch = object()
    _module("pywintypes", com_error=COMError, TimeType=dt.datetime, IID=str)
    pythoncom = _module(
        "pythoncom",
        CoInitialize=lambda: None,
        IID_IDispatch=dispatch,
        IID_IEnumVARIANT=object(),
        TypeIIDs={dispatch: type("PyIDispatch", (), {})},
        com_error=COMError,
    )
    for name in ("win32api", "win32con", "win32gui", "win32process", "win32event"):
        _module(name)
    sys.modules["win32process"].GetWindowThreadProcessId = lambda handle: (0, 1)
    _module("win32timezone", TimeZoneInfo=type("TimeZoneInfo", (), {"utc": staticmethod(lambda: dt.UTC)}))
    _module("win32com")
    _module(
        "win32com.client",
        Dispatch=lambda x, **k: x,
        DispatchEx=None,
        CDispatch=type("CDispatch", (), {}),
        DispatchBaseClass=type("DispatchBaseClass", (), {}),
        CoClassBaseClass=object,
    )
    _module("win32com.server")
    _module("win32com.server.util", wrap=lambda x, **k: x, unwrap=lambda x: x)
    _module("win32com.server.dispatcher")
    _module("win32com.server.policy")
    ctypes.oledll = ctypes.windll = mock.MagicMock()
    pythoncom.__file__ = "stub"
    real, ctypes.PyDLL = ctypes.PyDLL, mock.MagicMock()
    try:
        import xlwings
        import xlwings._xlwindows as windows
        import xlwings.udfs as udfs
    finally:
        ctypes.PyDLL = real
    xlwings._xlwindows = windows
    xlwings.func, xlwings.arg, xlwings.ret, xlwings.sub = udfs.xlfunc, udfs.xlarg, udfs.xlret, udfs.xlsub
    xlwings.engines.add(xlwings.main.Engine(impl=windows.engine))
    xlwings.engines.active = xlwings.engines["excel"]
    from xlwings.com_server import XLPython

    return udfs, XLPython()


class _Count:
    def __init__(self, count):
        self.Count = count


class FakeRange:
    """A Range as pywin32 gives it: Value is one cell, or a tuple of tuples."""

    Row = Column = 1
    Address = "$A$1"
    Worksheet = mock.MagicMock()

    def __init__(self, value):
        self.Value = self.Value2 = value
        self._oleobj_ = types.SimpleNamespace(
            GetTypeInfo=lambda: types.SimpleNamespace(GetTypeAttr=lambda: types.SimpleNamespace(iid=RANGE_ID))
        )

    def GetAddress(self, *_):
        return self.Address

    @property
    def Areas(self):
        return [self]

    @property
    def Rows(self):
        return _Count(len(self.Value) if isinstance(self.Value, tuple) else 1)

    @property
    def Columns(self):
        return _Count(len(self.Value[0]) if isinstance(self.Value, tuple) else 1)

    @property
    def Count(self):
        return self.Rows.Count * self.Columns.Count
