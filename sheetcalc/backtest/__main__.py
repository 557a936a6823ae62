"""python -m sheetcalc.backtest [--quick] [--write] [-o DIR]: the table on the screen, the report and its picture in DIR."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sheetcalc.backtest import fit, report, rows, score, write
from sheetcalc.catalogue import FOLDER

TERMS = {
    "per-layer cost of tensor parallelism": ("tp_cost_on",),
    "attention arithmetic": ("attention_on",),
    "adding memory and compute time (the longer alone instead)": ("step_overlap",),
    "overhead per layer by engine": ("layer_overhead",),
    "overhead per expert layer": ("moe_layer_overhead",),
    "overhead per sequence": ("sequence_overhead",),
    "lower MFU of experts": ("moe_mfu_factor",),
    "expert coverage (all experts read at every step)": ("expert_coverage",),
}
SHARES = (0.25, 0.5, 0.75)
DRAWS = 3
POINTS = (1, 2, 3)


def work(quick: bool) -> dict:
    """Every figure of the report."""
    every, left_out = rows.read()
    first = every.about["metric"] == "ttft_s"
    speed, ttft = every.where(~first), every.where(first)
    errors, ttft_errors = score.out_of_fold(speed, ttft)
    found = {
        "speed": speed,
        "ttft": ttft,
        "left_out": left_out,
        "errors": errors,
        "ttft errors": ttft_errors,
        "offset alone": score.offset_alone(ttft),
        "textbook": score.textbook(speed),
        "one point": score.calibrated(speed, errors),
    }
    if not quick:
        found["terms"] = {name: score.out_of_fold(speed, without=without)[0] for name, without in TERMS.items()}
        found["curve"] = {
            share: [score.out_of_fold(speed, keep=score.some_of(share, draw))[0] for draw in range(DRAWS)] for share in SHARES
        }
        found["curve"][1.0] = [errors]
        found["points"] = {0: errors, **{n: score.calibrated(speed, errors, n) for n in POINTS}}
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sheetcalc.backtest", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("reports"), help="folder of backtest.md and backtest.png")
    parser.add_argument(
        "--quick", action="store_true", help="without the worth of each term and the learning curve (seconds instead of minutes)"
    )
    parser.add_argument("--write", action="store_true", help="refit on all rows and write the constants of the catalogue")
    options = parser.parse_args(arguments)
    found = work(options.quick)
    page = report.page(found)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "backtest.md").write_text(page, encoding="utf-8")
    report.plot(options.output / "backtest.png", found["speed"], found["errors"], found["textbook"])
    if options.write:
        constants = fit.ttft(found["ttft"], fit.speed(found["speed"])[0])
        write.write(FOLDER, constants, found["speed"], found["errors"], found["one point"], found["ttft"])
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
