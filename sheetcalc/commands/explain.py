"""`sheetcalc explain`: how a quantity is worked out, or which inputs and results there are."""

from __future__ import annotations

from sheetcalc import show
from sheetcalc.cells import missing
from sheetcalc.commands.sources import chosen, settings
from sheetcalc.provenance import readable
from sheetcalc.ranges import range_words


def command(args) -> int:
    study = chosen(args.study, args)
    result = study.evaluate(settings(study, args))
    model, name = study.model, args.quantity
    if name is None:
        print(listing(result))
        return 0
    about = model.about(name)
    if name not in model.steps:
        print(f"{about.label} ({name}), an input" + (f", in {about.unit}" if about.unit else ""))
        print(f"  value   {_value(result, name)}\n  range   {range_words(about)}\n  source  {readable(about.source)}")
        print(_users(model, name))
        return 0
    step = model.steps[name]
    print(f"{about.label} ({name})" + (f", in {about.unit}" if about.unit else ""))
    print(f"  formula  {show.words(model, name)}")
    if not step.axes:
        _, worked, value = result.derivation(name)
        print(f"  numbers  {worked} = {value if not missing(result.value(name)) else result.absent(name)}")
    else:
        print(f"  varies along {', '.join(model.about(a).label.lower() for a in sorted(step.axes))}")
    if step.fn.__doc__ and "Excel:" not in step.fn.__doc__:
        print(f"  source   {readable(' '.join(step.fn.__doc__.split()))}")
    print("  reads")
    for need in step.needs:
        source = "" if need in model.steps else f"  [{readable(model.inputs[need].source)}]"
        value = "a column" if model.home.get(need) else result.shown(need)
        print(f"    {need:32} {value:>20}  {model.about(need).label}{source}")
    print(_users(model, name))
    return 0


def listing(result) -> str:
    """Every input that can be set, with its value, and every result, by name."""
    model = result.model
    inputs = [n for n, about in result.study.inputs.items() if not isinstance(about.value, list | tuple)]
    results = [n for n in model.steps if not model.home[n] and n not in inputs]
    return "\n".join(
        [
            f"Inputs of {result.study.name}: as columns of a table, or with --set NAME=VALUE",
            *(f"  {n:32} {_value(result, n):>24}  {model.about(n).label}" for n in inputs),
            "",
            "Results: sheetcalc explain NAME says how each is worked out",
            *(f"  {n:32} {model.about(n).label}" for n in results),
        ]
    )


def _value(result, name) -> str:
    return "not given" if missing(result.value(name)) else result.shown(name) or "blank"


def _users(model, name) -> str:
    users = model.users(name)
    return f"  used by  {', '.join(users)}" if users else "  used by  nothing else: a result"
