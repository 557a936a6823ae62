"""sheetcalc calibrate BENCHMARK... [-o FILE]: constants from benchmark results."""

import sys

from sheetcalc.calibrate import calibration, file
from sheetcalc.calibrate.facts import Facts
from sheetcalc.calibrate.fit import UNITS, defaults
from sheetcalc.units import scale

FIGURES = calibration.NAMES


def command(args) -> int:
    """0 every run was used; 1 some were refused; 2 (an InputError) none could be."""
    model = None
    if args.model and args.model.lower().endswith(".json"):
        from sheetcalc import model_config

        model = model_config.catalogue_row(args.model)
    given = Facts(
        None if model else args.model, args.gpu, args.gpus, args.tp, args.weight_format, args.kv_format, args.engine, args.prompt_tokens
    )
    found = calibration.calibrate(args.benchmarks, given, args.purpose, args.engine_version or "", model)
    for refused in found.refused:
        print(f"{refused.where}: refused: {refused.says}", file=sys.stderr)
    if args.out:
        file.write(found, args.out)
    print(f"{found.machine}\n{found.says()}\n")
    published = defaults(found.machine)
    for name, constant in found.constants.items():
        unit = scale(UNITS[name])
        print(
            f"  {name:<20} {constant.value / unit:9.4g} {UNITS[name]:<3} "
            f"({constant.low / unit:.4g} to {constant.high / unit:.4g}; published {published[name] / unit:.4g})"
        )
    for name, after in found.errors_after.items():
        print(f"  {FIGURES[name]} error: {found.errors_before[name]:.0%} with the published constants, {after:.0%} now")
    for note in found.notes:
        print(f"  note: {note}")
    print(f"\nwritten to {args.out}; use it with --calibration {args.out}" if args.out else "\nnothing was written: give -o FILE")
    return 1 if found.refused else 0
