"""A calibration, or a model of your own, taken into a study: its inputs get other defaults and say where they come from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sheetcalc import catalogue, model_config
from sheetcalc.calibrate import file
from sheetcalc.calibrate.calibration import Calibration
from sheetcalc.catalogue import key
from sheetcalc.errors import InputError
from sheetcalc.study import Study

MACHINE = ("model", "gpu", "gpus_per_replica", "weight_format", "kv_format", "engine")


def calibration(study: Study, path: str | Path) -> tuple[Study, Calibration]:
    """The study with the constants of a calibration file, which also settles the machine where a scenario does not.

    Raises InputError when the study has no such constants, and when the file is broken.
    """
    found = file.read(path)
    values = {**found.inputs(), **found.machine._asdict()}
    missing = [name for name in values if name not in study.inputs]
    if missing:
        raise InputError(f"{study.name} has no input {missing[0]}, so it cannot be calibrated; use --study plan", str(path))
    choices = study.inputs["model"].choices
    if found.machine.model not in choices:
        raise InputError(
            f"the calibration is of {found.machine.model}, which is not in the catalogue; give its config.json with --model too",
            Path(path).name,
        )
    says = found.says()
    one_profile = [
        grid for grid in study.grids if grid.name != "by_profile"
    ]  # the constants are typed now: another profile would be half of each
    return study.worked(
        study.name, study.title, study.purpose, {name: (value, says) for name, value in values.items()}, grids=one_profile
    ), found


def unlike(study: Study, inputs: dict[str, Any]) -> list[str]:
    """Sentences on where a scenario's machine is not the one that was measured, which the calibrated study has as its defaults; such a
    scenario must not use the calibration."""
    profile = inputs.get("profile", study.inputs["profile"].value)
    wrong = [] if profile == "measured" else [f"a calibration sets constants of the measured profile; leave profile {profile} out"]
    return wrong + [
        f"the calibration is of {name} {study.inputs[name].value}, the plan has {inputs[name]}: measure that one"
        for name in MACHINE
        if name in inputs and inputs[name] != study.inputs[name].value
    ]


def calibrated(study: Study) -> bool:
    """Whether a plan has taken in a calibration: then its whole machine comes from that one source."""
    return set(MACHINE) <= set(study.inputs) and len({study.inputs[name].source for name in MACHINE}) == 1


def model(study: Study, path: str | Path) -> tuple[Study, model_config.Geometry]:
    """The study with one model more, from its config.json, chosen by default in the format that it ships in.

    Raises InputError when the configuration cannot be told, and when the catalogue already has a model of that name.
    """
    geometry = model_config.read(path)
    name = re.sub(r"[^A-Za-z0-9 ._-]", "_", geometry.name).strip() or "own model"
    catalogue = next((g for g in study.grids if "model_name" in g.rows), None)
    if catalogue is None:
        raise InputError(f"{study.name} has no catalogue of models; use --study plan", str(path))
    names = catalogue.rows["model_name"]
    if key(name) in map(key, names.value):
        raise InputError(f"the catalogue already has {name}; rename the file or its folder, or write the catalogue's name", Path(path).name)
    row = geometry._asdict()
    typed = {
        column: found._replace(value=[*found.value, _cell(row.get(column.removeprefix("model_")), found.is_text)])
        for column, found in catalogue.typed.items()
    }
    longer = catalogue._replace(rows={"model_name": names._replace(value=[*names.value, name])}, typed=typed)
    chosen = study.inputs["model"]
    inputs = {**study.inputs, "model": chosen._replace(value=name, source=f"{Path(path).name}", choices=(*chosen.choices, name))}
    shipped = geometry.native_format
    if shipped and shipped in inputs["weight_format"].choices:
        inputs["weight_format"] = inputs["weight_format"]._replace(value=shipped, source=f"{Path(path).name}: the format it ships in")
    return study._replace(inputs=inputs, grids=[longer if g is catalogue else g for g in study.grids]), geometry


def prices(study: Study, path: str | Path) -> Study:
    """The study with API prices of one's own on top of the catalogue's.

    Raises InputError when the study has no price list, and when the file is broken.
    """
    if all(grid.name != "prices" for grid in study.grids):
        raise InputError(f"{study.name} has no API prices", "--prices")
    own, inputs = catalogue.prices(path), dict(study.inputs)
    if row := inputs.get("api_price_row"):
        inputs["api_price_row"] = row._replace(choices=tuple(own.rows["price_name"].value) if row.choices else ())
    return study._replace(inputs=inputs, grids=[own if grid.name == "prices" else grid for grid in study.grids])


def _cell(value: Any, text: bool) -> Any:
    if text:
        return value if isinstance(value, str) else ""
    return float(value) if isinstance(value, (int, float)) else None
