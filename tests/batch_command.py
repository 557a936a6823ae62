"""A run of stand-in memos as a process of its own, so that tests can kill it, fill its disk and take its rights away.

python batch_command.py TABLE FOLDER [jobs] [--resume]
"""

import sys

import batch_work

from sheetcalc import scenarios
from sheetcalc.batch import run
from sheetcalc.batch.pool import Processes
from sheetcalc.errors import SheetcalcError


def main(table, out, jobs="2", *flags):
    try:
        reading = scenarios.read(table, batch_work.INPUTS)
        return run(
            reading,
            out,
            batch_work.work,
            batch_work.environment,
            resume="--resume" in flags,
            quiet=True,
            crew=Processes(int(jobs), seconds=5),
        )
    except (SheetcalcError, OSError) as error:
        print(f"sheetcalc: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
