"""One benchmark run as every importer hands it over: base units, None for what the file does not say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

OPEN, CLOSED, OFFLINE = "open loop", "closed loop", "offline"


class Run(NamedTuple):
    """What was run, on what, and what came out. Times in seconds, rates per second; latencies are medians where the file has them."""

    where: str  # file, and which run in it
    format: str  # name of the tool that wrote it
    scenario: str  # OPEN: at a given rate; CLOSED: at a given concurrency; OFFLINE: all at once
    concurrency: float | None = None
    offered_rate: float | None = None  # requests per second
    achieved_rate: float | None = None  # requests per second that completed
    prompt_tokens: float | None = None  # mean per request
    output_tokens: float | None = None  # mean per request
    completed: float | None = None  # requests
    failed: float = 0.0  # requests
    duration: float | None = None
    output_rate: float | None = None  # tokens per second of the whole machine
    tpot: float | None = None
    ttft: float | None = None
    request_latency: float | None = None
    tokens_per_chunk: float | None = None  # inter-token latency over TPOT, or the acceptance length itself
    speculation: str = ""  # what in the file says that tokens were guessed ahead
    model: str | None = None
    gpu: str | None = None
    gpus: float | None = None
    tensor_parallel: float | None = None
    weight_format: str | None = None
    engine: str | None = None
    engine_version: str = ""
    date: str = ""
    example: str = ""  # why its numbers mean nothing, if they do not
    notes: tuple[str, ...] = ()


def dig(document: Any, *path: str | int) -> Any:
    """The value at the end of a path through a parsed file, or None."""
    for step in path:
        if isinstance(document, dict):
            document = document.get(step)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def number(value: Any) -> float | None:
    """A finite number, or None: a word, a blank, NaN and infinity are no numbers here."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    value = float(value)
    return value if value == value and abs(value) != float("inf") else None


def first(*values: Any) -> float | None:
    """The first that is a number."""
    return next((n for n in map(number, values) if n is not None), None)


def ratio(a: float | None, b: float | None) -> float | None:
    """a/b where both are known and b is not 0."""
    return a / b if a is not None and b else None


def scaled(value: Any, factor: float) -> float | None:
    """A number in another unit, or None."""
    value = number(value)
    return None if value is None else value * factor


def found_in(document: Any, *names: str) -> Any:
    """The value of the first of these keys, however deep it lies."""
    waiting: list[Any] = [document]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            for name in names:
                if part.get(name) not in (None, "", [], {}):
                    return part[name]
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return None


def day(text: Any) -> str:
    """A date as 2026-02-13, from that or from 20260213-081726; '' where there is none."""
    found = re.match(r"(\d{4})-?(\d{2})-?(\d{2})", text) if isinstance(text, str) else None
    return "-".join(found.groups()) if found else ""


def words(values: Iterable[Any]) -> str:
    """The first text among the values, or ''."""
    return next((v for v in values if isinstance(v, str) and v), "")
