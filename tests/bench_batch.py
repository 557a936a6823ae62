"""What a batch costs, as ratios measured in one run (python -m tests.bench_batch [MEMOS] [OVERHEAD] [MILLION]).

CPU time, because the machine is shared; throughput is wall time and says how busy the machine was.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parent))

import batch_work
import bench_work

from sheetcalc import scenarios
from sheetcalc.batch import manifest, run
from sheetcalc.batch.million import Evaluation, evaluate
from sheetcalc.batch.plain import open_plain
from sheetcalc.studies import study

GPUS = ("H100 SXM", "H200 SXM", "B200 SXM")


def spent(action):
    """What an action gives, its CPU in this process, and its wall time."""
    own, wall = time.process_time(), time.perf_counter()
    found = action()
    return found, time.process_time() - own, time.perf_counter() - wall


def of_workers(found: list[dict]) -> float:
    """The CPU that all workers of a run have taken, their start included."""
    total = {}
    for summary in found:
        total[summary["pid"]] = max(total.get(summary["pid"], 0.0), summary["total"])
    return sum(total.values())


def table(path: Path, rows: int) -> Path:
    """A table of plans that hold, but for one in twenty."""
    draws = np.random.default_rng(1)
    pl.DataFrame(
        {
            "scenario": [f"Plan {i}" for i in range(rows)],
            "request_rate": draws.uniform(1, 400, rows).round(1),
            "prompt_tokens": draws.integers(100, 2000, rows),
            "output_tokens": draws.integers(50, 500, rows),
            "batch": np.where(draws.random(rows) < 0.05, 4000, draws.integers(8, 48, rows)),
            "mfu": draws.uniform(0.3, 0.6, rows).round(3),
            "gpu": np.array(GPUS)[draws.integers(0, len(GPUS), rows)],
            "gpu_hour_price": draws.uniform(1, 6, rows).round(2),
        }
    ).write_csv(path)
    return path


def overhead(folder: Path, rows: int) -> float:
    """CPU that a scenario costs beside its memo: reading, sending, writing, recording; the stand-in memo is as large as a real one."""
    reading = scenarios.read(table(folder / "overhead.csv", rows), study("plan").inputs)
    _, own, wall = spent(lambda: run(reading, folder / "overhead", bench_work.nothing, batch_work.environment, jobs=1, quiet=True))
    children = of_workers([e["summary"] for e in manifest.scenarios(folder / "overhead")])
    each = (own + children) / rows
    print(
        f"overhead of {rows:,} scenarios: {own / rows * 1e3:.2f} ms CPU each in the parent, "
        f"{children / rows * 1e3:.2f} ms in workers, wall {wall:.0f} s; "
        f"parent {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"
    )
    return each


def memos(folder: Path, rows: int, jobs: int, attach: bool) -> float:
    """CPU of a memo's rendering in the workers."""
    out = folder / f"memos{jobs}{attach}"
    reading = scenarios.read(table(folder / "memos.csv", rows), study("plan").inputs)
    work = bench_work.Timed("plan", attach=attach)
    _, own, wall = spent(lambda: run(reading, out, work, batch_work.environment, jobs=jobs, quiet=True))
    found = [e["summary"] for e in manifest.scenarios(out) if e["status"] == "done"]
    later = found[rows // 4 :]  # the first memos pay for set-up
    make, charts, book = (sum(f[k] for f in later) / len(later) for k in ("make", "charts", "book"))
    rss = [f["rss"] for f in found]
    print(
        f"{rows} memos, {jobs} process{'es' if jobs > 1 else ''}, {'with' if attach else 'without'} attachments: "
        f"{rows / wall:.2f} a second (wall, load "
        f"{os.getloadavg()[0]:.1f}), {make * 1e3:.0f} ms CPU each, of it charts {charts * 1e3:.0f}, workbook {book * 1e3:.0f}; "
        f"parent {own / rows * 1e3:.1f} ms each, "
        f"workers beside rendering {of_workers(found) - sum(f['make'] for f in found):.1f} s in all; "
        f"memory of a worker {rss[rows // 4]:.0f} MB after a quarter, {rss[-1]:.0f} MB at the end"
    )
    return make


def million(folder: Path, rows: int, kind: str, european: bool = False) -> None:
    """A long table evaluated to the core outputs, against polars reading it and writing a result of the same size."""
    path, out, plan = table(folder / "million.csv", rows), folder / f"results.{kind}", study("plan")
    if european:  # as Excel saves it where the comma is the decimal mark, with quotation marks around every cell
        path.write_text("".join('"' + line.replace(",", '";"').replace(".", ",") + '"\n' for line in path.read_text().splitlines()))
    evaluation = Evaluation(plan, list(plan.core), {})

    def ours():
        plain = open_plain(path, plan.inputs, {}, None, None, None, None)
        return evaluate(plain, plain.parts, evaluation, out, kind, True)

    _, there, _ = spent(lambda: pl.read_csv(path, separator=";", decimal_comma=True) if european else pl.read_csv(path))
    counts, own, wall = spent(ours)
    result = pl.read_csv(out) if kind == "csv" else pl.read_parquet(out)
    _, back, _ = spent(lambda: result.write_csv(folder / "again") if kind == "csv" else result.write_parquet(folder / "again"))
    source = " from a European CSV" if european else ""
    print(
        f"{rows:,} scenarios to {len(plan.core)} core outputs as {kind}{source}: {own:.2f} s CPU ({wall:.1f} s wall) "
        f"against {there + back:.2f} s of polars: "
        f"{own / (there + back):.2f} times; {counts.infeasible:,} infeasible; "
        f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"
    )


def main(count: str = "40", rows: str = "10000", many: str = "1000000") -> None:
    """Everything, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if int(many):
            million(folder, int(many), "csv")
            million(folder, int(many), "parquet")
            million(folder, int(many), "csv", european=True)
        each = overhead(folder, int(rows)) if int(rows) else 0.0
        if int(count):
            bare = memos(folder, int(count), 1, attach=False)
            memos(folder, int(count), 2, attach=False)
            memos(folder, int(count), 2, attach=True)
            print(f"overhead against rendering alone: {each / bare:.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
