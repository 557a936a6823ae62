"""The command line: what may be typed, and which module does it."""
from __future__ import annotations

import argparse
import sys
from importlib import import_module

from sheetcalc import __version__

EPILOG = "Exit status: 0 all done; 1 some rows refused or failed and the rest done; 2 nothing done; 130 interrupted."


def _table_options(p) -> None:
    p.add_argument("--encoding", help="encoding of the file, where it is not UTF-8")
    p.add_argument("--delimiter", help="what separates the cells: , ; or tab")
    p.add_argument("--decimal", choices=[".", ","], help="the decimal mark of the file")


def _scenario_options(p) -> None:
    p.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an input, in its display unit or with a unit (tpot_target=50ms)")
    p.add_argument("--profile", help="set of defaults (textbook, measured)")
    p.add_argument("--calibration", metavar="FILE", help="a calibration file made by `sheetcalc calibrate`")
    p.add_argument("--model", metavar="NAME", help="a model of the catalogue, or the path of a model's own config.json")


def _own_table_option(p) -> None:
    p.add_argument("--table", action="append", default=[], metavar="FILE", help="the study's own table (options, models, regions, hours) from a CSV or xlsx; may be repeated")


def parser() -> argparse.ArgumentParser:
    """Every command with its arguments."""
    top = argparse.ArgumentParser(prog="sheetcalc", description="LLM capacity and cost, where every number shows its formula, its unit and its source.", epilog=EPILOG)
    top.add_argument("--version", action="version", version=f"sheetcalc {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name, says):
        return commands.add_parser(name, help=says, description=says, epilog=EPILOG)

    p = command("run", "The main job: a memo for each scenario, one workbook, a summary and a manifest.")
    p.add_argument("scenarios", metavar="SCENARIOS", help="CSV or xlsx, a row a scenario")
    p.add_argument("-o", "--out", metavar="DIR", default="reports", help="folder for the results (reports)")
    p.add_argument("--jobs", type=int, metavar="N", help="processes (all cores)")
    p.add_argument("--resume", action="store_true", help="do only what is missing or changed")
    p.add_argument("--dask", metavar="ADDRESS", help="send the work to a dask.distributed scheduler")
    p.add_argument("--finance", action="store_true", help="tell money over time: present values, payback, thresholds, draws (the finance study)")
    p.add_argument("--quiet", action="store_true", help="no progress")
    _scenario_options(p)
    _table_options(p)

    p = command("evaluate", "Results as JSON or CSV, for one plan or a table of scenarios.")
    p.add_argument("scenarios", nargs="?", metavar="SCENARIOS", help="CSV, xlsx or a workbook made by sheetcalc")
    p.add_argument("--study", default="plan", metavar="NAME", help="which study (plan)")
    p.add_argument("--format", choices=["json", "csv", "parquet"], default="json")
    p.add_argument("--outputs", metavar="NAMES", help="comma-separated outputs, or 'core' (all)")
    p.add_argument("--display", action="store_true", help="values in display units instead of base units")
    p.add_argument("-o", "--out", metavar="FILE", help="write to a file")
    p.add_argument("--quiet", action="store_true", help="no progress")
    _own_table_option(p)
    _scenario_options(p)
    _table_options(p)

    p = command("workbook", "A workbook of live formulas.")
    p.add_argument("scenarios", nargs="?", metavar="SCENARIOS", help="CSV or xlsx, a row a scenario")
    p.add_argument("--study", action="append", default=[], metavar="NAME", help="add the sheets of a study; may be repeated")
    p.add_argument("-o", "--out", metavar="FILE", required=True)
    _own_table_option(p)
    _scenario_options(p)
    _table_options(p)

    p = command("memo", "A PDF memo of one scenario, of a workbook, or of a study.")
    p.add_argument("scenarios", nargs="?", metavar="SCENARIOS|PLAN.xlsx")
    p.add_argument("--scenario", metavar="NAME", help="which scenario of the table")
    p.add_argument("--study", default="plan", metavar="NAME")
    p.add_argument("--finance", action="store_true", help="tell money over time: present values, payback, thresholds, draws (the finance study)")
    p.add_argument("--brand", metavar="FILE", help="a small file with your accent color, logo and paper size")
    p.add_argument("-o", "--out", metavar="FILE", required=True)
    _scenario_options(p)
    _table_options(p)

    p = command("explain", "How a quantity is worked out: formula, numbers, sources, who uses it.")
    p.add_argument("quantity")
    p.add_argument("--study", default="plan", metavar="NAME")
    _own_table_option(p)
    _scenario_options(p)

    p = command("compare", "What changed between two tables, workbooks or runs.")
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("--format", choices=["text", "json"], default="text")

    p = command("audit", "What someone changed in a workbook: inputs, overwritten formulas, stale values.")
    p.add_argument("workbook", metavar="PLAN.xlsx")
    p.add_argument("--format", choices=["text", "json"], default="text")

    command("studies", "The studies, a line each.")

    p = command("catalogue", "GPUs, models and API prices with their sources.")
    p.add_argument("which", nargs="?", choices=["gpus", "models", "prices", "formats"], default="gpus")
    p.add_argument("--format", choices=["text", "csv"], default="text")

    p = command("calibrate", "Read benchmark results and fit the profile's constants to them.")
    p.add_argument("benchmarks", nargs="+", metavar="BENCHMARK")
    p.add_argument("-o", "--out", metavar="FILE", help="the calibration file to write")
    _calibrate_options(p)

    p = command("mail", "A mail draft for each memo of a run, or, when told so, send them.")
    p.add_argument("folder", metavar="DIR")
    p.add_argument("--to", action="append", default=[], metavar="ADDRESS", help="recipient; may be repeated; scenarios may name their own")
    p.add_argument("--from", dest="sender", metavar="ADDRESS", help="sender")
    p.add_argument("-o", "--out", metavar="DIR", help="folder for the drafts (DIR/mail)")
    p.add_argument("--send", action="store_true", help="send through SMTP instead of writing drafts")
    p.add_argument("--smtp", metavar="HOST:PORT", help="mail server; user and password from SHEETCALC_SMTP_USER and SHEETCALC_SMTP_PASSWORD")
    p.add_argument("--dry-run", action="store_true", help="say what would be sent, and send nothing")

    p = command("addin", "The Excel functions: export the VBA module, install the add-in, say how things stand.")
    p.add_argument("action", choices=["export", "install", "status"])
    p.add_argument("-o", "--out", metavar="FILE.bas")

    command("doctor", "What works on this machine, what is missing, and the command that mends it.")
    return top


def _calibrate_options(p) -> None:
    for name, says in [("gpu", "GPU, as in the catalogue"), ("model", "model, as in the catalogue, or its config.json"), ("weight-format", "format of the weights"),
                       ("kv-format", "format of the KV cache (BF16)"), ("engine", "vllm, sglang or trtllm"), ("engine-version", "version of the engine, to be cited")]:
        p.add_argument(f"--{name}", help=says)
    p.add_argument("--gpus", type=float, help="GPUs of the run")
    p.add_argument("--tp", type=float, help="GPUs of one replica (tensor parallelism)")
    p.add_argument("--prompt-tokens", type=float, help="mean length of the prompts, where the file does not say it")
    p.add_argument("--for", dest="purpose", choices=["latency", "throughput"], default="latency", help="what the plan promises; offline runs serve throughput only")


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status of the contract."""
    args = parser().parse_args(argv)
    from sheetcalc.errors import SheetcalcError
    try:
        return import_module(f"sheetcalc.commands.{args.command}").command(args)
    except SheetcalcError as error:
        print(f"sheetcalc: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"sheetcalc: {error.filename or ''}: {error.strerror or error}: check the path, the rights and the space on the disk", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
