// Runs in Node: Pyodide with the wheel, the main.py of xlwings Lite on a stand-in for xlwings, and every function called once.
// Arguments: folder of pyodide, the wheel, a JSON with {main, calls: [[name, arguments], …]}. Prints the results as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, work] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: folder + path.sep });
py.unpackArchive(new Uint8Array(fs.readFileSync(wheel)).buffer, "wheel");
py.globals.set("work", fs.readFileSync(work, "utf8"));
console.log(py.runPython(`
import json, sys, types
lite = types.ModuleType("xlwings")
registered = []

def func(f=None, **options):
    def mark(g):
        registered.append(g.__name__)
        return g
    return mark if f is None else mark(f)

lite.func, lite.arg = func, lambda name, **options: (lambda f: f)
sys.modules["xlwings"] = lite
todo, space = json.loads(work), {}
exec(compile(todo["main"], "main.py", "exec"), space)
json.dumps({
    "python": sys.version.split()[0], "registered": len(registered), "numpy": "numpy" in sys.modules,
    "outside": sorted({m.split(".")[0] for m in sys.modules} & {"openpyxl", "weasyprint", "jinja2", "polars", "matplotlib"}),
    "results": [space[name](*cells) for name, cells in todo["calls"]]})
`));
