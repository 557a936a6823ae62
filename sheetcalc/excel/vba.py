"""The VBA module with every function, for an IT department to embed without trusting the VBA project.

It calls xlwings (its add-in, or the `xlwings` module of a standalone workbook) as the module does that xlwings would import; the common
part stands once, so that a function is three lines.
"""

from __future__ import annotations

import re

from sheetcalc import __version__
from sheetcalc.excel.registry import CATEGORY, Function, functions

MODULE, DESCRIPTIONS = "sheetcalc_functions", "sheetcalc_descriptions"
UDF_MODULE = "sheetcalc.excel.udfs"
MACROS = ("SheetcalcMakeMemo", "SheetcalcCheckWorkbook")
DESCRIBED_AT_ONCE = 20  # functions of one procedure; a procedure of VBA may not grow without end
LONGEST_LINE = 1023  # characters of a line of VBA
END = "\r\n"


def module() -> str:
    """The .bas file with every function and the two macros: ASCII, lines end as Windows ends them."""
    lines = [
        *HEAD.splitlines(),
        "",
        *(line for f in functions().values() for line in _function(f)),
        *(line for m in MACROS for line in _macro(m)),
    ]
    return END.join(lines)


def descriptions() -> str:
    """A second .bas file: what the function wizard shows. Excel keeps it while a workbook is open; it is told again at each opening."""
    made = list(functions().values())
    parts = [made[i : i + DESCRIBED_AT_ONCE] for i in range(0, len(made), DESCRIBED_AT_ONCE)]
    lines = [
        f'Attribute VB_Name = "{DESCRIPTIONS}"',
        "' What the function wizard shows of the functions in the module " + MODULE + "; they work without it.",
        "Option Explicit",
        "",
        "Public Sub Auto_Open()",
        "    On Error Resume Next",
        *(f"    Describe{i + 1}" for i in range(len(parts))),
        "End Sub",
        "",
    ]
    for i, part in enumerate(parts):
        lines += [
            f"Private Sub Describe{i + 1}()",
            "    On Error Resume Next",
            *(line for f in part for line in _description(f)),
            "End Sub",
            "",
        ]
    return END.join(lines)


HEAD = f'''Attribute VB_Name = "{MODULE}"
' The functions of sheetcalc {__version__}; made by: sheetcalc addin export
' Needs the xlwings add-in (Tools, References, xlwings) or the module xlwings in this workbook.
Option Explicit

Private Function Answer(ByVal FunctionName As String, ByVal Arguments As Variant) As Variant
    Dim Caller As Variant
    If TypeName(Application.Caller) = "Range" Then
        Set Caller = Application.Caller
        On Error GoTo Failed
    Else
        Set Caller = Nothing
    End If
    Answer = XLPy.CallUDF("{UDF_MODULE}", FunctionName, Arguments, ThisWorkbook, Caller)
    Exit Function
Failed:
    Answer = Left("#SC! Python cannot be reached; run sheetcalc doctor. " & Replace(Replace(Err.Description, vbCr, " "), vbLf, " "), 250)
End Function
'''


def _function(f: Function) -> list[str]:
    names = [a.name for a in f.arguments]
    signature = ", ".join(f"Optional {a.name}" if a.optional else a.name for a in f.arguments)
    return [
        f"Public Function {f.excel}({signature})",
        f'    {f.excel} = Answer("{f.excel}", Array({", ".join(names)}))',
        "End Function",
        "",
    ]


def _macro(name: str) -> list[str]:
    return [f"Public Sub {name}()", f'    XLPy.CallUDF "{UDF_MODULE}", "{name}", Array(), ThisWorkbook, Nothing', "End Sub", ""]


def _description(f: Function) -> list[str]:
    out = [f'    Application.MacroOptions Macro:="{f.excel}", Category:="{CATEGORY}", _', f"        Description:={literal(f.says)}"]
    if f.arguments:
        said = [literal(a.says) for a in f.arguments]
        out[-1] += ", _"
        out += [
            f"        {'ArgumentDescriptions:=Array(' if i == 0 else ''}{s}{', _' if i + 1 < len(said) else ')'}"
            for i, s in enumerate(said)
        ]
    return out


def literal(text: str) -> str:
    """A text in VBA, in ASCII: the editor reads a file in the code page of the machine."""
    parts = [p for p in re.split(r"([^\x20-\x7e])", text) if p]
    spelled = [f"ChrW({ord(p)})" if re.fullmatch(r"[^\x20-\x7e]", p) else '"' + p.replace('"', '""') + '"' for p in parts]
    return " & ".join(spelled) or '""'
