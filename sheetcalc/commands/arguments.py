"""Every command with its arguments; only the one that is called is put together, so that the command line starts at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

WIDTH = 110  # of the help; asking the terminal for it costs more than the rest of a start
BRAND_HELP = "a small file with your accent color, logo and paper size"
EPILOG = "Exit status: 0 all done; 1 some rows refused or failed and the rest done; 2 nothing done; 130 interrupted."


def _table_options(p) -> None:
    p.add_argument("--encoding", help="encoding of the file, where it is not UTF-8")
    p.add_argument("--delimiter", help="what separates the cells: , ; or tab")
    p.add_argument("--decimal", choices=[".", ","], help="the decimal mark of the file")
    p.add_argument("--header-row", type=int, metavar="N", help="the row of the header, where titles stand above it")
    p.add_argument("--indian-groups", action="store_true", help="numbers of the file are grouped as 12,34,567")


def _scenario_options(p) -> None:
    p.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an input, in its display unit or with a unit (tpot_target=50ms)"
    )
    p.add_argument("--profile", help="set of defaults (textbook, measured)")
    p.add_argument("--calibration", metavar="FILE", help="a calibration file made by `sheetcalc calibrate`")
    p.add_argument("--model", metavar="NAME", help="a model of the catalogue, or the path of a model's own config.json")
    p.add_argument(
        "--prices", metavar="FILE", help="API prices of your own on top of ours: CSV as `sheetcalc catalogue prices --format csv` prints it"
    )


def _own_table_option(p) -> None:
    p.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="FILE",
        help="the study's own table (options, models, regions, hours) from a CSV or xlsx; may be repeated",
    )


def _run(p) -> None:
    p.add_argument("scenarios", metavar="SCENARIOS", help="CSV or xlsx, a row a scenario")
    p.add_argument("-o", "--out", metavar="DIR", default="reports", help="folder for the results (reports)")
    p.add_argument("--jobs", type=int, metavar="N", help="processes (all cores)")
    p.add_argument("--resume", action="store_true", help="do only what is missing or changed")
    p.add_argument("--dask", metavar="ADDRESS", help="send the work to a dask.distributed scheduler")
    p.add_argument(
        "--finance", action="store_true", help="tell money over time: present values, payback, thresholds, draws (the finance study)"
    )
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.add_argument("--brand", metavar="FILE", help=BRAND_HELP)
    _scenario_options(p)
    p.add_argument(
        "--decimal-out", choices=[".", ","], default=".", help="decimal mark of the CSV that is written; a comma goes with semicolons"
    )
    _table_options(p)


def _evaluate(p) -> None:
    p.add_argument("scenarios", nargs="?", metavar="SCENARIOS", help="CSV, xlsx or a workbook made by sheetcalc")
    p.add_argument("--study", default="plan", metavar="NAME", help="which study (plan)")
    p.add_argument("--format", choices=["json", "csv", "parquet"], default="json", help="what to write (json)")
    p.add_argument("--outputs", metavar="NAMES", help="comma-separated outputs, or 'core' (all)")
    p.add_argument("--display", action="store_true", help="values in display units instead of base units")
    p.add_argument(
        "--finance", action="store_true", help="the plan and money over time together: inputs and outputs of the finance study too"
    )
    p.add_argument("-o", "--out", metavar="FILE", help="write to a file")
    p.add_argument("--quiet", action="store_true", help="no progress")
    _own_table_option(p)
    _scenario_options(p)
    p.add_argument(
        "--decimal-out", choices=[".", ","], default=".", help="decimal mark of the CSV that is written; a comma goes with semicolons"
    )
    _table_options(p)


def _workbook(p) -> None:
    p.add_argument("scenarios", nargs="?", metavar="SCENARIOS", help="CSV or xlsx, a row a scenario")
    p.add_argument(
        "--study",
        action="append",
        default=[],
        metavar="NAME",
        help="add the sheets of a study; may be repeated; one alone, without scenarios, stands on its own inputs",
    )
    p.add_argument("-o", "--out", metavar="FILE", required=True, help="the .xlsx to write")
    _own_table_option(p)
    _scenario_options(p)
    _table_options(p)


def _memo(p) -> None:
    p.add_argument(
        "scenarios", nargs="?", metavar="SCENARIOS|PLAN.xlsx", help="CSV or xlsx, a row a scenario; or a workbook made by sheetcalc"
    )
    p.add_argument("--scenario", metavar="NAME", help="which scenario of the table")
    p.add_argument("--study", default="plan", metavar="NAME", help="which study (plan)")
    p.add_argument(
        "--finance", action="store_true", help="tell money over time: present values, payback, thresholds, draws (the finance study)"
    )
    p.add_argument("--brand", metavar="FILE", help=BRAND_HELP)
    p.add_argument("-o", "--out", metavar="FILE", help="the PDF to write (named after the scenario, in this folder)")
    _own_table_option(p)
    _scenario_options(p)
    _table_options(p)


def _explain(p) -> None:
    p.add_argument("quantity", nargs="?", metavar="QUANTITY", help="name of a result or an input; left out, all of them are listed")
    p.add_argument("--study", default="plan", metavar="NAME", help="which study (plan)")
    _own_table_option(p)
    _scenario_options(p)


def _compare(p) -> None:
    p.add_argument("old", metavar="OLD", help="a CSV or xlsx of scenarios, a workbook made by sheetcalc, or the folder of a run")
    p.add_argument("new", metavar="NEW", help="another of these")
    p.add_argument("--format", choices=["text", "json"], default="text", help="lines to read, or JSON (text)")


def _audit(p) -> None:
    p.add_argument("workbook", metavar="PLAN.xlsx", help="a workbook made by sheetcalc")
    p.add_argument("--format", choices=["text", "json"], default="text", help="lines to read, or JSON with every finding (text)")


def _catalogue(p) -> None:
    p.add_argument("which", nargs="?", choices=["gpus", "models", "prices", "formats"], default="gpus", help="which table (gpus)")
    p.add_argument("--format", choices=["text", "csv"], default="text", help="lines to read, or a table (text)")


def _calibrate(p) -> None:
    p.add_argument(
        "benchmarks",
        nargs="+",
        metavar="BENCHMARK",
        help="result files as the tool wrote them: vLLM bench serve, SGLang bench_serving, GuideLLM, AIPerf or genai-perf, inference-perf, "
        "InferenceX, MLPerf loadgen summary, llm-d benchmark report",
    )
    p.add_argument("-o", "--out", metavar="FILE", help="the calibration file to write")
    _calibrate_options(p)


def _mail(p) -> None:
    p.add_argument("folder", metavar="DIR", help="the folder of a run")
    p.add_argument("--to", action="append", default=[], metavar="ADDRESS", help="recipient; may be repeated; scenarios may name their own")
    p.add_argument("--from", dest="sender", metavar="ADDRESS", help="sender")
    p.add_argument("-o", "--out", metavar="DIR", help="folder for the drafts (DIR/mail)")
    p.add_argument("--send", action="store_true", help="send through SMTP instead of writing drafts")
    p.add_argument(
        "--smtp", metavar="HOST:PORT", help="mail server; user and password from SHEETCALC_SMTP_USER and SHEETCALC_SMTP_PASSWORD"
    )
    p.add_argument("--dry-run", action="store_true", help="say what would be sent, and send nothing")


def _addin(p) -> None:
    p.add_argument("action", choices=["export", "install", "status"], help="status also names the guide, a page to read first")
    p.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="what to export, by its ending: .bas VBA module (sheetcalc.bas), .xlsm workbook to start from, "
        ".oxt LibreOffice extension, .py main.py of xlwings Lite, .md the functions page",
    )


def _calibrate_options(p) -> None:
    for name, says in [
        ("gpu", "GPU, as in the catalogue"),
        ("model", "model, as in the catalogue, or its config.json"),
        ("weight-format", "format of the weights"),
        ("kv-format", "format of the KV cache (BF16)"),
        ("engine", "vllm, sglang or trtllm"),
        ("engine-version", "version of the engine, to be cited"),
    ]:
        p.add_argument(f"--{name}", help=says)
    p.add_argument("--gpus", type=float, help="GPUs of the run")
    p.add_argument("--tp", type=float, help="GPUs of one replica (tensor parallelism)")
    p.add_argument("--prompt-tokens", type=float, help="mean length of the prompts, where the file does not say it")
    p.add_argument(
        "--for",
        dest="purpose",
        choices=["latency", "throughput"],
        default="latency",
        help="what the plan promises; offline runs serve throughput only",
    )


def _nothing(p) -> None:
    """A command without arguments."""


COMMANDS: dict[str, tuple[str, Callable]] = {
    "run": ("The main job: a memo for each scenario, one workbook, a summary and a manifest.", _run),
    "evaluate": ("Results as JSON or CSV, for one plan or a table of scenarios.", _evaluate),
    "workbook": ("A workbook of live formulas.", _workbook),
    "memo": ("A PDF memo of one scenario, of a workbook, or of a study.", _memo),
    "explain": ("How a quantity is worked out: formula, numbers, sources, who uses it.", _explain),
    "compare": ("What changed between two tables, workbooks or runs.", _compare),
    "audit": ("What someone changed in a workbook: inputs, overwritten formulas, stale values.", _audit),
    "studies": ("The studies, a line each.", _nothing),
    "catalogue": ("GPUs, models and API prices with their sources.", _catalogue),
    "calibrate": ("Read benchmark results and fit the profile's constants to them.", _calibrate),
    "mail": ("A mail draft for each memo of a run, or, when told so, send them.", _mail),
    "addin": ("The Excel functions: export the VBA module, install the add-in, say how things stand.", _addin),
    "doctor": ("What works on this machine, what is missing, and the command that mends it.", _nothing),
}


def parser_of(name: str) -> argparse.ArgumentParser:
    """The arguments of one command."""
    import argparse  # the list of commands is shown without it

    says, add = COMMANDS[name]
    p = argparse.ArgumentParser(
        prog=f"sheetcalc {name}", description=says, epilog=EPILOG, formatter_class=lambda prog: argparse.HelpFormatter(prog, width=WIDTH)
    )
    add(p)
    return p
