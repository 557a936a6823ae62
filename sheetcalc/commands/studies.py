"""`sheetcalc studies`: the studies, a line each."""

from importlib.util import find_spec

from sheetcalc.studies import NAMES, study


def command(args) -> int:
    for name in NAMES:
        if find_spec(f"sheetcalc.studies.{name}"):
            found = study(name)
            print(f"{name:26}{found.title}: {found.purpose}")
    return 0
