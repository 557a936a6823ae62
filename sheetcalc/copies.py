"""The same quantities a second time, under a prefix, with some of their inputs replaced by columns.

Tornado, thresholds, draws and start volumes are one model worked out with other inputs. Nothing is written twice: a copy is the same
function that reads other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType

from sheetcalc.errors import ModelError
from sheetcalc.model import needs_of


def copies(
    functions: dict[str, Callable], prefix: str, replaced: dict[str, str], show: Iterable[str], keep: Iterable[str] = ()
) -> dict[str, Callable]:
    """`show` and all that it rests on and that a replaced input reaches, as `<prefix>_<name>`.

    `replaced` says which name is read instead of an input. What is in `keep` is read as it is, although a replaced input reaches it.
    Raises ModelError when a quantity in `show` is unknown or is not reached.
    """
    reached: dict[str, bool] = dict.fromkeys(replaced, True) | dict.fromkeys(keep, False)

    def reaches(name):
        if name not in reached:
            reached[name] = False  # a loop is found and named when the names are placed
            reached[name] = name in functions and any(reaches(n) for n in needs_of(functions[name]))
        return reached[name]

    made: dict[str, Callable] = {}

    def copy(name):
        new = f"{prefix}_{name}"
        if new not in made:
            made[new] = functions[name]  # holds the place while what it needs is copied
            needs = tuple(replaced.get(n) or (copy(n) if reaches(n) else n) for n in needs_of(functions[name]))
            made[new] = renamed(functions[name], new, needs)
        return new

    for name in show:
        if name not in functions or not reaches(name):
            raise ModelError(f"{prefix}: {name!r} is not a quantity that {', '.join(sorted(replaced))} reach")
        copy(name)
    return made


def renamed(fn: Callable, name: str, needs: tuple[str, ...]) -> Callable:
    """The same function under another name, reading other names."""
    new = FunctionType(fn.__code__, fn.__globals__, name, fn.__defaults__, fn.__closure__)
    new.about, new.needs, new.copy_of = fn.about, needs, fn
    return new
