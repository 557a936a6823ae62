"""`sheetcalc catalogue`: GPUs, models and prices with their sources."""

import csv
import sys

from sheetcalc import catalogue
from sheetcalc.show import display


def command(args) -> int:
    table = catalogue.read(args.which)
    columns = list(table.kind.columns)
    rows = [[name, *(_shown(row[c], table.units.get(c, "")) for c in columns)] for name, row in table.rows.items()]
    head = ["name", *(f"{c} [{table.units[c]}]" if table.units.get(c) else c for c in columns)]
    if args.format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows([head, *rows])
        return 0
    for row in rows:
        print(row[0])
        for label, value in zip(head[1:], row[1:]):
            if value:
                print(f"    {label:32} {value}")
    return 0


def _shown(value, unit) -> str:
    return "" if value is None else value if isinstance(value, str) else f"{display(value, unit):.12g}"
