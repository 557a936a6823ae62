"""AIPerf `profile_export_aiperf.json` and genai-perf `profile_export_genai_perf.json`: each metric says its own unit, which is read."""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, day, dig, first, found_in, number, words
from sheetcalc.errors import InputError

NAME = "AIPerf"
TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "seconds": 1.0}


def reads(document: Any) -> bool:
    return isinstance(document, dict) and all(
        isinstance(document.get(k), dict) and "unit" in document[k] for k in ("request_throughput", "request_latency")
    )


def runs(document: dict, where: str) -> list[Run]:
    concurrency, rate = (
        number(found_in(document.get("input_config"), "concurrency")),
        number(found_in(document.get("input_config"), "request_rate")),
    )
    scenario = OPEN if rate else CLOSED if concurrency else OFFLINE
    completed = _figure(document, "request_count")
    model = found_in(document.get("input_config"), "model_names", "model", "models")
    model = model[0] if isinstance(model, list) and model else model
    model = found_in(model, "name") if isinstance(model, dict) else model
    errors = document.get("error_summary")
    notes = () if "input_sequence_length" in document else ("the file does not hold the prompt's length (a data set from a file)",)
    return [
        Run(
            where,
            NAME,
            scenario,
            concurrency=concurrency,
            offered_rate=rate,
            achieved_rate=_figure(document, "request_throughput"),
            prompt_tokens=_figure(document, "input_sequence_length"),
            output_tokens=_figure(document, "output_sequence_length"),
            completed=completed,
            failed=_failures(document, errors),
            duration=_time(document, "benchmark_duration", where),
            output_rate=_figure(document, "output_token_throughput"),
            tpot=_time(document, "inter_token_latency", where),
            ttft=_time(document, "time_to_first_token", where),
            request_latency=_time(document, "request_latency", where, "avg"),
            model=model if isinstance(model, str) else None,
            notes=notes,
            tokens_per_chunk=_chunk(document, where),
            speculation=_speculation(document),
            example="the run was cancelled" if document.get("was_cancelled") is True else "",
            date=day(words([dig(document, "run_info", "start_time"), document.get("start_time")])),
        )
    ]


def _figure(document: dict, name: str, figure: str = "avg") -> float | None:
    return number(dig(document, name, figure))


def _time(document: dict, name: str, where: str, *figures: str) -> float | None:
    block = document.get(name)
    if not isinstance(block, dict):
        return None
    value = first(*(block.get(f) for f in (*figures, "p50", "avg")))
    if value is None:
        return None
    unit = str(block.get("unit", "")).split("/")[0].strip()
    if unit not in TIMES:
        raise InputError(f"{name} has the unit {block.get('unit')!r}, which is no unit of time; expected ms", where)
    return value * TIMES[unit]


def _chunk(document: dict, where: str) -> float | None:
    """Inter-chunk latency over inter-token latency: how many tokens come at a time."""
    chunk = document.get("inter_chunk_latency")
    token = _time(document, "inter_token_latency", where)
    return (
        _time(document, "inter_chunk_latency", where) / token
        if isinstance(chunk, dict) and token and first(chunk.get("p50"), chunk.get("avg"))
        else None
    )


def _failures(document: dict, errors: Any) -> float:
    counted = _figure(document, "error_request_count")
    if counted is not None:
        return counted
    return float(sum(number(e.get("count")) or 0 for e in errors if isinstance(e, dict))) if isinstance(errors, list) else 0.0


def _speculation(document: dict) -> str:
    return next((k for k in document if k.startswith(("acceptance", "spec_decode", "accepted_"))), "")
