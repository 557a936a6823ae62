"""Ten thousand scenarios in one workbook against a hand-written write-only script that writes the same cells.

`python -m tests.bench_workbook [ROWS]`

Both run in processes of their own; the script's file then gets the same shown values by a streaming rewrite, as ours does.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

ROWS = 10_000


def rows(n: int) -> list:
    """Scenarios that differ in six inputs."""
    from sheetcalc.workbook.table import Row

    draw = random.Random(1)
    return [
        Row(
            f"Scenario {i}",
            {
                "request_rate": draw.uniform(1, 500),
                "prompt_tokens": float(draw.randint(100, 8000)),
                "output_tokens": float(draw.randint(50, 900)),
                "mfu": draw.uniform(0.3, 0.6),
                "gpu_hour_price": draw.uniform(1, 6),
                "tpot_target": draw.uniform(0.02, 0.08),
            },
        )
        for i in range(n)
    ]


def ours(n: int, path: Path) -> None:
    """The workbook of the scenarios, as `sheetcalc workbook` makes it."""
    from sheetcalc.studies import study
    from sheetcalc.workbook.book import build

    path.write_bytes(build(study("plan"), {}, rows=rows(n)))


def dumped(n: int, path: Path) -> None:
    """Every cell of our workbook as a line of JSON a row, so that the script by hand need not hold them."""
    from openpyxl import load_workbook
    from openpyxl.utils.cell import coordinate_to_tuple

    from sheetcalc.workbook.read import read

    formats = load_workbook(path.with_name("ours.xlsx"), read_only=True)
    with open(path.with_name("cells.jsonl"), "w") as out:
        for title, held in read(path.with_name("ours.xlsx")).sheets.items():
            form = {(c.row, c.column): c.number_format for row in formats[title] for c in row if hasattr(c, "row")}
            lines: dict[int, list] = {}
            for at, h in held.items():
                row, col = coordinate_to_tuple(at)
                lines.setdefault(row, []).append((col, h.formula, None if h.value != h.value else h.value, form.get((row, col), "General")))
            for row in range(1, max(lines, default=0) + 1):
                out.write(json.dumps([title, sorted(lines.get(row, []), key=lambda x: x[0])]) + "\n")


def by_hand(n: int, path: Path) -> None:
    """The same cells and number formats written by a plain script: values and formulas are at hand, nothing is worked out."""
    import zipfile

    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book, sheets = Workbook(write_only=True), {}

    def lines():
        with open(path.with_name("cells.jsonl")) as file:
            yield from map(json.loads, file)

    for title, cells in lines():
        if title not in sheets:
            sheets[title] = book.create_sheet(title)
        row = []
        for col, formula, value, form in cells:
            cell = "=" + formula if formula else value
            if form != "General":
                cell = WriteOnlyCell(sheets[title], cell)
                cell.number_format = form
            row += [None] * (col - 1 - len(row)) + [cell]
        sheets[title].append(row)
    raw = path.with_name("raw.xlsx")
    book.save(raw)
    values = (("#N/A" if value is None else str(value)).encode() for _, cells in lines() for _, formula, value, _ in cells if formula)
    with zipfile.ZipFile(raw) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for i in range(1, len(sheets) + 1):
            name, left = f"xl/worksheets/sheet{i}.xml", b""
            with old.open(name) as source, new.open(name, "w") as out:
                while block := source.read(1 << 16):
                    *whole, left = (left + block).split(b"</f><v />")
                    for part in whole:
                        out.write(part + b"</f><v>" + next(values) + b"</v>")
                    keep = max(len(left) - 16, 0)
                    out.write(left[:keep])
                    left = left[keep:]
                out.write(left)


def measured(what: str, n: int, folder: Path) -> tuple[float, float]:
    """Seconds of CPU and megabytes of one way, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench_workbook", what, str(n), str(folder)], capture_output=True, text=True, check=True
    )
    said = json.loads(done.stdout.splitlines()[-1])
    return said["seconds"], said["mb"]


def main() -> None:
    if sys.argv[1:] and sys.argv[1] in ("ours", "dumped", "by_hand"):
        what, n, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
        {"ours": ours, "dumped": dumped, "by_hand": by_hand}[what](n, folder / f"{what}.xlsx")
        print(json.dumps({"seconds": time.process_time(), "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
        return
    import tempfile

    n = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        a = measured("ours", n, Path(folder))
        measured("dumped", n, Path(folder))
        b = measured("by_hand", n, Path(folder))
    print(
        f"{n:,} scenarios: ours {a[0]:.1f} s of CPU, {a[1]:.0f} MB; by hand {b[0]:.1f} s, {b[1]:.0f} MB; ratio {a[0] / b[0]:.2f} in time, "
        f"{a[1] / b[1]:.2f} in memory"
    )


if __name__ == "__main__":
    main()
