"""A Hugging Face `config.json` as the geometry of a model: parameters, active parameters, KV cache, kind of attention.

Dense, mixture-of-experts, MLA, sliding-window and hybrid (linear attention, Mamba) configurations.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sheetcalc.errors import InputError
from sheetcalc.model_reader import Geometry, Reader


def read(path: str | Path) -> Geometry:
    """The geometry in a config.json. Raises InputError, in words, where it cannot be told."""
    where = Path(path).name if Path(path).name != "config.json" else f"{Path(path).absolute().parent.name}.json"
    try:
        config = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("does not exist; give the model's config.json", str(path)) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"is no JSON ({error}); give the model's config.json", where) from None
    if not isinstance(config, dict):
        raise InputError("is no model configuration (no object); give the model's config.json", where)
    return geometry(config, where)


def geometry(config: dict[str, Any], where: str = "config.json") -> Geometry:
    """The geometry of a parsed configuration; see `read`."""
    text = config.get("text_config") if isinstance(config.get("text_config"), dict) else config
    try:
        return Reader(config, text, where).geometry()
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, AttributeError, KeyError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"holds a value that no model has ({error}); give the config.json as it was published", where) from None


def catalogue_row(path: str | Path) -> tuple[str, dict[str, Any]]:
    """The model's name and its row as the catalogue of models would hold it (`sheetcalc.catalogue` column names)."""
    found = read(path)
    return found.name, {k: v for k, v in found._asdict().items() if k not in ("name", "notes")} | {"class": "", "source": Path(path).name}
