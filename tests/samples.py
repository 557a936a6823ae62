"""The committed samples, built anew: memos and summary in reports/, workbooks in workbooks/, and in place the page of the Excel functions.

python -m tests.samples [REPORTS WORKBOOKS]
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sheetcalc.__main__ import main as sheetcalc

ROOT = Path(__file__).parent.parent
SCENARIOS = ROOT / "workbooks" / "scenarios.csv"
FUNCTIONS = ROOT / "sheetcalc" / "excel" / "guide" / "functions.md"
WORKED = ("fleet_200_rps", "build_or_api_2000_staff")
WITH_STUDIES = ("little_law", "queue_ceiling", "finance")


def build(reports: Path, workbooks: Path) -> None:
    """Everything that is committed and can be made: the run of the scenario set, a memo of each worked plan, and the workbooks.

    Raises SystemExit when a command does not do all it should.
    """
    reports.mkdir(parents=True, exist_ok=True)
    workbooks.mkdir(parents=True, exist_ok=True)
    _do("run", SCENARIOS, "-o", reports, "--quiet")
    shutil.copyfile(reports / "scenarios.xlsx", workbooks / "scenarios.xlsx")
    for name in WORKED:
        _do("memo", "--study", name, "-o", reports / f"{name}.pdf")
        _do("workbook", "--study", name, "-o", workbooks / f"{name}.xlsx")
    _do(
        "workbook",
        "--set",
        "request_rate=200",
        *(word for name in WITH_STUDIES for word in ("--study", name)),
        "-o",
        workbooks / "plan_with_studies.xlsx",
    )


def _do(*words) -> None:
    status = sheetcalc([str(w) for w in words])
    if status:
        raise SystemExit(f"sheetcalc {' '.join(map(str, words))} ended with {status}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        build(*map(Path, sys.argv[1:3]))
    else:
        build(ROOT / "reports", ROOT / "workbooks")
        _do("addin", "export", "-o", FUNCTIONS)
