"""The LibreOffice extension (.oxt): the same functions as SHEETCALC.REPLICAS and so on, with the pure core of sheetcalc inside.

LibreOffice reads the interface from its source text, so that the file is made without LibreOffice's tools.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from sheetcalc import __version__
from sheetcalc.excel.registry import Function, functions

PACKAGE = Path(__file__).parent.parent
IMPLEMENTATION = "org.sheetcalc.Functions"
INTERFACE = "org.sheetcalc.XFunctions"
PREFIX = "SHEETCALC."
NOT_INSIDE = {
    "__main__.py",
    "backtest",
    "batch",
    "calibrate",
    "commands",
    "doctor.py",
    "mail",
    "memo",
    "templates",
    "workbook",
}  # need more than Python
NOT_OF_EXCEL = {"faults.py", "macros.py", "udfs.py", "vba.py", "guide"}
DATE = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes


def method(name: str) -> str:
    """The UNO method of a function: replicas_exact is scReplicasExact."""
    return "sc" + "".join(part.capitalize() for part in name.split("_"))


def display(name: str) -> str:
    """What a person types: SHEETCALC.REPLICAS."""
    return PREFIX + name.upper()


def extension() -> bytes:
    """The .oxt file."""
    made = list(functions().values())
    files = {
        "META-INF/manifest.xml": MANIFEST,
        "description.xml": DESCRIPTION,
        "functions.idl": interface(made),
        "CalcAddIns.xcu": configuration(made),
        "sheetcalc_functions.py": (PACKAGE / "excel" / "libreoffice_component.py").read_text(encoding="utf-8"),
    } | {f"pythonpath/sheetcalc/{path.relative_to(PACKAGE).as_posix()}": path.read_text(encoding="utf-8") for path in core()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def core() -> list[Path]:
    """The files that work out the functions: sources and catalogues."""

    def inside(path):
        parts = path.relative_to(PACKAGE).parts
        return parts[0] not in NOT_INSIDE and not (parts[0] == "excel" and parts[1] in NOT_OF_EXCEL) and path.suffix in (".py", ".csv")

    return sorted(path for path in PACKAGE.rglob("*") if path.is_file() and inside(path))


def interface(made: list[Function]) -> str:
    """The methods in UNO's interface language: each takes cells or ranges, and gives rows of cells."""
    lines = [
        f"  sequence< sequence<any> > {method(f.name)}({', '.join(f'[in] any {_place(i)}' for i in range(len(f.arguments)))});"
        for f in made
    ]
    return "\n".join(["module org { module sheetcalc {", "interface XFunctions {", *lines, "};", "}; };", ""])


def _place(i: int) -> str:
    return f"a{i:02}"


def configuration(made: list[Function]) -> str:
    """Names, descriptions and arguments for LibreOffice's function wizard."""

    def told(name, text):
        return f'<prop oor:name="{name}"><value xml:lang="en">{escape(text)}</value></prop>'

    def node(name, *inside):
        return f'<node oor:name="{name}" oor:op="replace">{"".join(inside)}</node>'

    nodes = []
    for f in made:
        arguments = [node(_place(i), told("DisplayName", a.name), told("Description", a.says)) for i, a in enumerate(f.arguments)]
        nodes.append(
            node(
                method(f.name),
                told("DisplayName", display(f.name)),
                told("Description", f.says),
                '<prop oor:name="Category"><value>Add-In</value></prop>',
                told("CompatibilityName", display(f.name)),
                f'<node oor:name="Parameters">{"".join(arguments)}</node>',
            )
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        'oor:name="CalcAddIns" oor:package="org.openoffice.Office"><node oor:name="AddInInfo">'
        f'<node oor:name="{IMPLEMENTATION}" oor:op="replace"><node oor:name="AddInFunctions">\n'
        + "\n".join(nodes)
        + "\n</node></node></node></oor:component-data>\n"
    )


MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">
<manifest:file-entry manifest:full-path="functions.idl" manifest:media-type="application/vnd.sun.star.uno-typelibrary;type=RDB"/>
<manifest:file-entry manifest:full-path="sheetcalc_functions.py" manifest:media-type="application/vnd.sun.star.uno-component;type=Python"/>
<manifest:file-entry manifest:full-path="CalcAddIns.xcu" manifest:media-type="application/vnd.sun.star.configuration-data"/>
</manifest:manifest>
"""

DESCRIPTION = f"""<?xml version="1.0" encoding="UTF-8"?>
<description xmlns="http://openoffice.org/extensions/description/2006">
<identifier value="org.sheetcalc.functions"/><version value="{__version__}"/>
<display-name><name lang="en">sheetcalc functions</name></display-name>
</description>
"""
