"""Every benchmark, one after the other: ratios against a plain baseline in the same run. `python -m tests.bench [NAME …]`"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

WORK_ALONE = ("bench_files", "bench_work")  # what benchmarks share


def main(names: list[str]) -> None:
    """Run `tests/bench_NAME.py` for each name, or all of them."""
    here = Path(__file__).parent
    found = [p.stem for p in sorted(here.glob("bench_*.py")) if p.stem not in WORK_ALONE]
    for module in [f"bench_{n}" for n in names] or found:
        print(f"\n{module.removeprefix('bench_')}", flush=True)
        runpy.run_module(f"tests.{module}", run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
