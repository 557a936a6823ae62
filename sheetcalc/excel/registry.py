"""The one list of functions, from which every face is made: Excel, xlwings Lite, LibreOffice and the functions page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from sheetcalc.errors import ModelError

CATEGORY = "sheetcalc"
LONGEST_DOC = 255  # characters that Excel shows of a description
PREFIX = "SC_"

# VBA's keywords and reserved names (MS-VBAL 3.3.5.2) but those with a meaning in one statement only; `caller` is xlwings' own
WORDS = """
    abs addressof alias and any array as attribute boolean byref byte byval call case cbool cbyte ccur cdate cdbl cdec cint circle
    clng clnglng clngptr close const csng cstr currency cvar cverr date debug decimal declare defbool defbyte defcur defdate
    defdbl defint deflng defobj defsng defstr defvar dim do doevents double each else elseif empty end endif enum eqv erase error
    event exit false fix for friend function get global go gosub goto if imp implements in input inputb int integer is lbound len
    lenb let lib like line lock long longlong longptr loop lset me mod module new next not nothing null object on open option
    optional or paramarray preserve print private property pset public put raiseevent redim rem reset resume return rset scale
    seek select set sgn shared single spc static step stop string sub tab then to true type typeof ubound unlock until variant
    wend while width with withevents write xor caller
"""
RESERVED = frozenset(WORDS.split())


class Argument(NamedTuple):
    """One argument as the function wizard shows it; `example` is what the functions page writes into it."""

    name: str
    says: str
    optional: bool = False
    example: Any = None


@dataclass(frozen=True)
class Function:
    """One function. `call` takes cells or rows of cells and gives a value, a line that begins with #SC!, or rows of these; it never raises.

    `describe` gives the arguments; their examples are worked out when a face asks for them, not when a function is called.
    """

    name: str
    says: str
    describe: Callable[[], Iterable[Argument]]
    call: Callable

    @property
    def excel(self) -> str:
        """Its name in Excel."""
        return PREFIX + self.name.upper()

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(self.describe())


def general(name: str, says: str, arguments: tuple[Argument, ...], call: Callable) -> Function:
    """A function whose arguments are written out."""
    return Function(name, says, lambda: arguments, call)


def argument_name(name: str) -> str:
    """The name of a quantity or input as an argument in VBA."""
    return f"{name}_" if name.casefold() in RESERVED else name


def short(says: str, ending: str = "") -> str:
    """A description that fits into Excel's wizard; what is cut is marked, the ending stays."""
    says, room = " ".join(says.split()), LONGEST_DOC - len(ending)
    return (says if len(says) <= room else says[: room - 1].rstrip() + "…") + ending


@cache
def functions() -> dict[str, Function]:
    """Every function by its name without SC_, in alphabetical order.

    Raises ModelError when a quantity has the name of one of the general functions.
    """
    from sheetcalc.excel import catalogue_functions, plan_functions, quantity_functions, table_function

    written = {f.name: f for f in (*plan_functions.FUNCTIONS, *table_function.FUNCTIONS, *catalogue_functions.FUNCTIONS)}
    own = quantity_functions.functions()
    if clash := written.keys() & own.keys():
        raise ModelError(f"a quantity has the name of an Excel function: {', '.join(sorted(clash))}; call the quantity otherwise")
    return dict(sorted((written | own).items()))
