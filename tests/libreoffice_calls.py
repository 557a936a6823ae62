"""Run as an ordinary user with the system's Python: installs the extension, opens a real document, calls every function in cells.

Arguments: folder to work in, the .oxt file, a JSON with calls [[formula, kind], …] and cells. Prints the results as JSON.
"""

import contextlib
import json
import os
import subprocess
import sys
import time

folder, extension, asked = sys.argv[1:4]
sys.path[:0] = ["/usr/lib/python3/dist-packages", "/usr/lib/libreoffice/program"]
PROFILE = f"-env:UserInstallation=file://{folder}/profile"
PIPE = f"sheetcalc{os.getpid()}"

added = subprocess.run(["unopkg", "add", "-f", PROFILE, extension], capture_output=True, text=True, timeout=120, cwd=folder)
if added.returncode or "rror" in added.stderr:
    sys.exit(f"unopkg: {added.stdout} {added.stderr}")
office = subprocess.Popen(
    ["soffice", PROFILE, "--headless", "--invisible", "--norestore", f"--accept=pipe,name={PIPE};urp;"],
    cwd=folder,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
try:
    import uno
    from com.sun.star.beans import PropertyValue

    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(300):
        try:
            context = resolver.resolve(f"uno:pipe,name={PIPE};urp;StarOffice.ComponentContext")
            break
        except Exception:
            time.sleep(0.2)
    else:
        sys.exit("LibreOffice did not start")
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    hidden = PropertyValue()
    hidden.Name, hidden.Value = "Hidden", True
    document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (hidden,))
    sheet = document.Sheets.getByIndex(0)
    with open(asked, encoding="utf-8") as file:
        work = json.load(file)
    for address, content in work["cells"].items():
        cell = sheet.getCellRangeByName(address)
        if isinstance(content, str):
            cell.Formula = content
        else:
            cell.Value = content
    out = []
    column, started = 30, time.perf_counter()
    for formula, height, width in work["calls"]:
        target = sheet.getCellRangeByPosition(column, 0, column + width - 1, height - 1)
        if (height, width) == (1, 1):
            cell = sheet.getCellByPosition(column, 0)
            cell.Formula = formula
        else:
            target.setArrayFormula(formula)
        out.append([list(row) for row in target.getDataArray()])
        target.clearContents(1 | 2 | 4 | 16)
    seconds = time.perf_counter() - started
    errors = sum(x is None for table in out for row in table for x in row)
    print(json.dumps({"version": sys.version, "results": out, "seconds": seconds, "errors": errors}))
    document.close(True)
finally:
    with contextlib.suppress(Exception):
        desktop.terminate()
    try:
        office.wait(30)
    except subprocess.TimeoutExpired:
        office.terminate()
