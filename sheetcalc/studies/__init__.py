"""The studies by name; each is imported when it is asked for."""

from __future__ import annotations

import difflib
from importlib import import_module

from sheetcalc.errors import InputError

NAMES = (
    "plan",
    "fleet_200_rps",
    "build_or_api_2000_staff",
    "roofline_breaks",
    "kv_tiers",
    "little_law",
    "queue_ceiling",
    "autoscaling",
    "speculative_decoding",
    "tensor_parallel",
    "tp_or_pp",
    "two_generations",
    "coding_assistant",
    "voice",
    "capacity_unit",
    "disaggregation",
    "architectures",
    "offline_batch",
    "prefix_routing",
    "chat_plus_batch",
    "regions",
    "many_models",
    "corpus_passes",
    "cost_ledger",
    "finance",
)

WORKED = ("fleet_200_rps", "build_or_api_2000_staff")  # worked plans: each is a plan of its own, not a study beside one


def study(name: str):
    """The study of that name.

    Raises InputError, with the nearest name, when there is none.
    """
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, 1)
        raise InputError(
            f"there is no study {name!r}" + (f"; did you mean {near[0]!r}?" if near else f"; choose one of {', '.join(NAMES)}")
        )
    return import_module(f"sheetcalc.studies.{name}").STUDY
