"""The header: which column is which input, in which unit."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from sheetcalc import conversions
from sheetcalc.numbers import quoted
from sheetcalc.scenarios.problems import Problem, TableError

ABOUT = ("scenario", "notes", "recipients", "issue_date")  # what a row says about itself
REASONS = ("refused_row", "refused_column", "refused_because", "refused_instead")  # the last columns of refused.csv
_UNIT = re.compile(r"^(.*?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))$", re.S)


class Column(NamedTuple):
    """A column of the table: its place from 0, the input's name, and the unit of its header ('' if it names none)."""

    place: int
    name: str
    unit: str = ""


def split(cell: str) -> tuple[str, str]:
    """The name and the unit of a header's cell: 'GPU hour price [$/h]' is gpu_hour_price and $/h."""
    cell = " ".join(unicodedata.normalize("NFKC", cell).split())
    found = _UNIT.match(cell)
    name, unit = (found[1], (found[2] if found[2] is not None else found[3]).strip()) if found else (cell, "")
    return re.sub(r"[\s\-]+", "_", name.strip().casefold()), unit


def names(inputs: Mapping) -> dict[str, str]:
    """Every name that may head a column, folded, with the name as it is kept; tables (inputs that are lists) are no columns."""
    single = [name for name, given in inputs.items() if not isinstance(given.value, list | tuple)]
    return {name.casefold(): name for name in (*single, *ABOUT, *REASONS)}


def columns(path: str, row: int, cells: list, inputs: Mapping) -> list[Column]:
    """The columns of a header. Raises TableError that names every cell that is wrong."""
    known = names(inputs)
    out, problems, seen = [], [], {}
    for place, cell in enumerate(cells):
        name, unit = split(str(cell))
        where = f"column {place + 1}"
        if not name:
            problems.append(Problem(where, "has no name in the header", "name the column, or delete it"))
        elif name not in known:
            problems.append(Problem(where, f"{quoted(str(cell))} is not a known column", _nearest(name, known, inputs)))
        elif known[name] in seen:
            problems.append(
                Problem(where, f"{quoted(str(cell))} stands in column {seen[known[name]] + 1} already", "delete one of the two")
            )
        else:
            name = known[name]
            seen[name] = place
            wrong = _wrong_unit(cell, unit, inputs.get(name))
            problems += [wrong._replace(column=where)] if wrong else []
            out.append(Column(place, name, "" if wrong or conversions.spelled_out(unit) == _own(inputs.get(name)) != "%" else unit))
    if not problems and not any(column.name not in REASONS for column in out):
        problems.append(Problem("", "has no column that is known", "write a header row of input names"))
    if problems:
        raise TableError(path, [(row, problem) for problem in problems])
    return out


def _own(given) -> str:
    return given.unit if given is not None else ""


def _wrong_unit(cell: str, unit: str, given) -> Problem | None:
    if not unit:
        return None
    if given is None or given.is_text:
        return (
            None
            if given is not None and given.unit == unit
            else Problem("", f"{quoted(cell)} names a unit, but this column holds text", "leave the unit out")
        )
    own = given.unit
    if (conversions.spelled_out(unit) == "%" and own == "%") or conversions.factor(unit, own) is not None:
        return None
    return Problem(
        "",
        f"{quoted(cell)} is in {unit}, which does not convert to {own or 'a plain number'} by a fixed factor",
        f"give it in {own or 'plain numbers'}",
    )


OTHER_WORDS = {  # what people call an input of the plan
    "users": "people",
    "employees": "people",
    "seats": "people",
    "rps": "request_rate",
    "qps": "request_rate",
    "requests_per_second": "request_rate",
    "requests_per_user_day": "requests_per_person_day",
    "input_tokens": "prompt_tokens",
    "completion_tokens": "output_tokens",
    "residency_required": "data_must_stay",
    "tensor_parallel": "gpus_per_replica",
    "tp": "gpus_per_replica",
    "cache_hit_rate": "prefix_hit_share",
    "gpu_price": "gpu_hour_price",
    "batch_size": "batch",
    "itl": "tpot_target",
    "tpot": "tpot_target",
    "ttft": "ttft_target",
}


def _nearest(name: str, known: dict[str, str], inputs: Mapping) -> str:
    if name in inputs:
        return f"{name} is a table and cannot be a column; give it in the workbook"
    near = [OTHER_WORDS[name]] if OTHER_WORDS.get(name) in known else []
    near = near or difflib.get_close_matches(name, [k for k in known if k not in REASONS], 1, 0.6)
    labels = {given.label.casefold(): key for key, given in inputs.items()}
    by_label = difflib.get_close_matches(name.replace("_", " "), labels, 1, 0.8)
    return (
        f"did you mean {known[near[0]] if near else labels[by_label[0]]}?"
        if near or by_label
        else "delete it; `sheetcalc explain` lists the inputs, and notes may hold any text"
    )
