"""Files of one's own on the command line: `--calibration FILE`, `--model config.json`, `--prices FILE`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetcalc.errors import InputError
from sheetcalc.studies import study as find
from sheetcalc.study import Study

if TYPE_CHECKING:
    from sheetcalc.calibrate.calibration import Calibration


class Own(NamedTuple):
    """Files of one's own, by absolute path, '' for none; small enough to be handed to every worker."""

    calibration: str = ""
    model: str = ""
    prices: str = ""

    def digest(self) -> str:
        """What the files hold, so that a changed file is a changed run."""
        import hashlib
        from pathlib import Path

        return hashlib.sha256(b"|".join(Path(path).read_bytes() if path else b"" for path in self)).hexdigest() if any(self) else ""


def own(args) -> Own:
    """The files that a command names; a `--model` that is no file is a name of the catalogue (see `settings`)."""

    def path(given: str | None) -> str:
        return os.path.abspath(given) if given else ""

    model = path(args.model) if is_config(getattr(args, "model", None)) else ""
    return Own(path(getattr(args, "calibration", None)), model, path(getattr(args, "prices", None)))


def is_config(model: str | None) -> bool:
    """Whether `--model` names a configuration rather than a model of the catalogue."""
    return bool(model) and model.lower().endswith(".json")


@cache
def taken(name: str, files: Own) -> tuple[Study, Calibration | None]:
    """The study with one's own model and calibration in it. Raises InputError when it cannot take them, or a file is broken."""
    study = find(name)
    if (files.calibration or files.model) and name != "plan":
        raise InputError(f"--calibration and --model go into the plan; {name} takes its machine from it: use --study plan")
    if not any(files):
        return study, None
    from sheetcalc import adopt  # numpy, which a plain evaluation does not need

    if files.prices:
        study = adopt.prices(study, files.prices)
    if files.model:
        study, _ = adopt.model(study, files.model)
    return adopt.calibration(study, files.calibration) if files.calibration else (study, None)


def carried(studies: Iterable[Study]) -> dict[str, str]:
    """What studies have of their own, as a workbook of them carries it."""
    from sheetcalc.workbook.own import lines

    return lines((study, find(study.name)) for study in studies)


def problems(name: str, files: Own, inputs: dict[str, Any]) -> list[str]:
    """Why a scenario must not use the calibration: its machine is not the one that was measured."""
    study, calibration = taken(name, files)
    if calibration is None:
        return []
    from sheetcalc import adopt

    return adopt.unlike(study, inputs)
