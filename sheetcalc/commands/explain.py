"""`sheetcalc explain`: how a quantity is worked out."""

from __future__ import annotations

from sheetcalc import show
from sheetcalc.cells import missing
from sheetcalc.commands.sources import chosen, settings
from sheetcalc.ranges import range_words


def command(args) -> int:
    study = chosen(args.study, args)
    result = study.evaluate(settings(study, args))
    model, name = study.model, args.quantity
    about = model.about(name)
    if name not in model.steps:
        print(f"{about.label} ({name}), an input" + (f", in {about.unit}" if about.unit else ""))
        print(f"  value   {result.shown(name)}\n  range   {range_words(about)}\n  source  {about.source or 'not named'}")
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
        print(f"  source   {' '.join(step.fn.__doc__.split())}")
    print("  reads")
    for need in step.needs:
        source = "" if need in model.steps else f"  [{model.inputs[need].source}]"
        value = "a column" if model.home.get(need) else result.shown(need)
        print(f"    {need:32} {value:>20}  {model.about(need).label}{source}")
    print(_users(model, name))
    return 0


def _users(model, name) -> str:
    users = model.users(name)
    return f"  used by  {', '.join(users)}" if users else "  used by  nothing else: a result"
