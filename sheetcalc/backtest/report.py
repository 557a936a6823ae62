"""The backtest as a page: what was compared, the errors by every cut, what each term is worth, how much data it needs, and the limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sheetcalc.backtest.rows import LEFT_OUT
from sheetcalc.backtest.score import Errors
from sheetcalc.calibrate.form import Rows

HEAD = "| {} | rows | median | P90 | bias | within 10 % | 20 % | 30 % |\n|---|---:|---:|---:|---:|---:|---:|---:|"


def line(name: str, error: np.ndarray) -> str:
    """One line of a table of errors."""
    error = error[~np.isnan(error)]
    if not len(error):
        return f"| {name} | 0 | – | – | – | – | – | – |"
    e = Errors.of(error)
    shares = " | ".join(f"{s:.0%}".replace("%", " %") for s in e.within)
    return f"| {name} | {e.rows:,} | {100 * e.median:.1f} % | {100 * e.p90:.1f} % | {100 * e.bias:+.1f} % | {shares} |"


def table(first: str, lines: list[tuple[str, np.ndarray]]) -> str:
    return "\n".join([HEAD.format(first), *(line(name, error) for name, error in lines)])


def cuts(rows: Rows, errors: np.ndarray, by: str) -> list[tuple[str, np.ndarray]]:
    """The errors by each value of a column, most rows first."""
    values, counts = np.unique(rows.about[by], return_counts=True)
    return [(str(v), errors[rows.about[by] == v]) for v in values[np.lexsort((values, -counts))]]


def targets(rows: Rows, errors: dict[str, np.ndarray]) -> list[tuple[str, np.ndarray]]:
    """The lines that the project promised, for one set of errors."""
    dense, tpot = rows.inputs["experts"] == 0, rows.about["metric"] == "tpot_s"
    offline = rows.about["scenario"] == "offline"
    return [
        ("throughput and TPOT together", errors),
        ("throughput offline, dense", errors[offline & dense]),
        ("throughput offline, experts", errors[offline & ~dense]),
        ("TPOT", errors[tpot]),
        ("TPOT, dense", errors[tpot & dense]),
        ("TPOT, experts", errors[tpot & ~dense]),
    ]


def groups(rows: Rows, engine: str) -> int:
    """How many configurations of model, GPU and count an engine's rows come from."""
    return len(set(rows.about["group_of"][rows.about["engine"] == engine].tolist()))


def page(found: dict) -> str:
    """The whole report in Markdown. `found` is what `__main__.work` gathers."""
    speed, ttft = found["speed"], found["ttft"]
    engines = sorted(set(ttft.about["engine"].tolist()))
    left_out = "\n".join(f"* {found['left_out'][reason]} rows: {says}" for reason, says in LEFT_OUT.items())
    first = [(f"{e}: one number for the engine", found["offset alone"][ttft.about["engine"] == e]) for e in engines]
    closed = [
        (f"{e}: closed form ({groups(ttft, e)} groups of model, GPU and count)", found["ttft errors"][ttft.about["engine"] == e])
        for e in engines
    ]
    parts = [
        "# How far off the numbers are",
        "Published measurements against the plan's formulas. Nothing here was measured by us; "
        "every row names its source (`sheetcalc/backtest/SOURCE.md`). "
        "Errors are predicted over measured, less one. The measured profile is judged out of fold: "
        "five folds by the hash of model, GPU and count, "
        "all constants refitted without the fold. The textbook profile has no fitted constant.",
        f"{len(speed):,} rows of throughput and TPOT and {len(ttft):,} of TTFT count. Left out, by rule:\n\n{left_out}",
        "![Predicted against published](backtest.png)",
        "## What was asked and what is reached",
        reached(found),
        "## The measured profile",
        table("out of fold", targets(speed, found["errors"])),
        "After one measurement of the same model, GPU, count and engine has set its scale (throughput and TPOT apart), "
        "the other rows of that configuration:",
        table("one calibration point", targets(speed, found["one point"])),
        "## The textbook profile",
        table("MFU 0.5, MBU 0.75, nothing fitted", targets(speed, found["textbook"])),
        "## Time to first token",
        "Compared with the least that could be said, one number for each engine.",
        table("out of fold", [("all", found["ttft errors"]), *[x for pair in zip(first, closed, strict=True) for x in pair]]),
        "## By GPU",
        table("measured profile, out of fold", cuts(speed, found["errors"], "gpu")),
        "## By model",
        table("measured profile, out of fold", cuts(speed, found["errors"], "model")),
        "## By engine",
        table("measured profile, out of fold", cuts(speed, found["errors"], "engine")),
        "## By scenario",
        table("measured profile, out of fold", cuts(speed, found["errors"], "scenario")),
    ]
    if "terms" in found:
        parts += [
            "## What each term is worth",
            "The form refitted without the term, out of fold, throughput and TPOT together, and TPOT alone.",
            term_table(speed, found["errors"], found["terms"]),
        ]
    if "curve" in found:
        parts += [
            "## How much data it takes",
            "Out of fold, with a share of the training configurations (mean of the draws):",
            curve_table(found["curve"]),
        ]
        parts += [
            "Calibration points for each configuration, on the rows that are left:",
            table("points", [(str(n), errors) for n, errors in found["points"].items()]),
        ]
    parts += ["## Honest limits", LIMITS]
    return "\n\n".join(parts) + "\n"


def reached(found: dict) -> str:
    """The lines that the project promised, with what came out."""
    rows, ttft = found["speed"], found["ttft"]
    lines = dict(targets(rows, found["errors"]))
    every, dense, tpot = (Errors.of(lines[n]) for n in ("throughput and TPOT together", "throughput offline, dense", "TPOT"))
    one = found["one point"]
    one = Errors.of(one[~np.isnan(one)])
    asked = [
        ("offline dense, median", 8.5, dense.median),
        ("throughput and TPOT together, median", 13.0, every.median),
        ("throughput and TPOT together, P90", 42.0, every.p90),
        ("TPOT, median", 15.0, tpot.median),
        ("signed bias, either way", 5.0, abs(every.bias)),
        ("after one calibration point, median", 9.0, one.median),
    ]
    for engine in sorted(set(ttft.about["engine"].tolist())):
        mine = ttft.about["engine"] == engine
        alone, form = Errors.of(found["offset alone"][mine]).median, Errors.of(found["ttft errors"][mine]).median
        asked.append((f"TTFT of {engine}, median: two thirds of one number's error", 200 * alone / 3, form))
    out = ["| line | asked, at most | reached | |", "|---|---:|---:|---|"]
    return "\n".join(
        out + [f"| {name} | {most:.1f} % | {100 * value:.1f} % | {'yes' if 100 * value <= most else 'no'} |" for name, most, value in asked]
    )


def term_table(rows: Rows, errors: np.ndarray, terms: dict[str, np.ndarray]) -> str:
    tpot = rows.about["metric"] == "tpot_s"
    lines = ["| without | median | P90 | TPOT median | TPOT P90 |", "|---|---:|---:|---:|---:|"]
    for name, error in {"nothing: the whole form": errors, **terms}.items():
        every, part = Errors.of(error), Errors.of(error[tpot])
        lines.append(
            f"| {name} | {100 * every.median:.1f} % | {100 * every.p90:.1f} % | {100 * part.median:.1f} % | {100 * part.p90:.1f} % |"
        )
    return "\n".join(lines)


def curve_table(curve: dict[float, list[np.ndarray]]) -> str:
    lines = ["| share of configurations | draws | median | P90 |", "|---:|---:|---:|---:|"]
    for share, draws in curve.items():
        each = [Errors.of(e) for e in draws]
        median, p90 = (100 * np.mean([getattr(e, name) for e in each]) for name in ("median", "p90"))
        lines.append(f"| {100 * share:.0f} % | {len(each)} | {median:.1f} % | {p90:.1f} % |")
    return "\n".join(lines)


LIMITS = """* Terms were chosen with these rows in sight, so even the errors out of fold are a little optimistic.
* Half of the rows come from one file whose makers do not say whether its latencies are means or medians.
* Nearly all rows are NVIDIA GPUs; AMD rests on one.
* The rows end in spring 2026. Software moves: the same configuration differed by 5 % in the median between three releases of one engine.
* MLPerf rows do not give tensor parallelism; the fewest GPUs that hold the weights are assumed.
* Where the weights nearly fill the memory, 1 GB of reserve decides the batch; those rows are predicted like the others and are the worst.
* Sparse attention (GLM-5), sliding windows and linear attention are modeled by what they keep, not by what their kernels cost.
* MFU, MBU and the overheads trade off against each other: their product is known better than each alone.
* Time to first token is the weakest line: plan it from a benchmark of your own."""


def plot(path: Path, rows: Rows, measured: np.ndarray, textbook: np.ndarray) -> None:
    """Predicted over published, for both profiles, as a picture: throughput and TPOT."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4.4), constrained_layout=True)
    for axis, metric, title, factor in zip(
        axes, ("output_tok_s", "tpot_s"), ("Output tokens per second", "Time per output token, ms"), (1, 1e3), strict=True
    ):
        mine = rows.about["metric"] == metric
        published = rows.about["measured"][mine] * factor
        for error, color, label in ((textbook, "#b7592f", "textbook"), (measured, "#20547a", "measured, out of fold")):
            axis.loglog(published, published * (1 + error[mine]), ".", color=color, markersize=3, alpha=0.55, label=label)
        ends = [published.min(), published.max()]
        axis.loglog(ends, ends, color="#555555", linewidth=0.8)
        axis.fill_between(ends, [0.7 * x for x in ends], [1.3 * x for x in ends], color="#999999", alpha=0.2, linewidth=0)
        axis.set_title(title, loc="left", fontsize=10)
        axis.set_xlabel("published")
        axis.set_ylabel("predicted (band: 30 %)")
        axis.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
