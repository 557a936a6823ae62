"""llm-d benchmark reports, schema 0.1 and 0.2, YAML or JSON; each figure says its own unit."""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, day, dig, first, found_in, number, words
from sheetcalc.errors import InputError

NAME = "llm-d benchmark report"
TIMES = {"ms": 1e-3, "s": 1.0, "us": 1e-6, "ns": 1e-9}


def reads(document: Any) -> bool:
    return (
        isinstance(document, dict)
        and str(document.get("version", "")).startswith("0.")
        and "scenario" in document
        and ("metrics" in document or "results" in document)
    )


def runs(document: dict, where: str) -> list[Run]:
    figures = dig(document, "metrics") or dig(document, "results", "request_performance", "aggregate") or {}
    requests, latency, rates = figures.get("requests") or {}, figures.get("latency") or {}, figures.get("throughput") or {}
    load = dig(document, "scenario", "load", "standardized") or {}
    rate = first(load.get("rate_qps"), found_in(dig(document, "scenario", "load"), "qps_values"))
    concurrency = number(load.get("concurrency"))
    engines = _engines(document)
    accelerators = [dig(e, "accelerator") for e in engines] or dig(document, "scenario", "host", "accelerator") or []
    parts = [a for a in accelerators if isinstance(a, dict)]
    roles = {r for r in (dig(e, "role") for e in engines) if r} | set(map(str, dig(document, "scenario", "host", "type") or []))

    def middle(name):
        return _time(latency.get(name), where, name)

    def mean(name):
        return _time(latency.get(name), where, name, "mean")

    itl, tpot = mean("inter_token_latency"), mean("time_per_output_token")
    return [
        Run(
            where,
            NAME,
            OPEN if rate is not None else CLOSED if concurrency else OFFLINE,
            concurrency=concurrency,
            offered_rate=rate,
            achieved_rate=first(dig(rates, "request_rate", "mean"), rates.get("requests_per_sec")),
            prompt_tokens=number(dig(requests, "input_length", "mean")),
            output_tokens=number(dig(requests, "output_length", "mean")),
            completed=number(requests.get("total")),
            failed=number(requests.get("failures")) or 0.0,
            duration=_duration(document),
            output_rate=first(dig(rates, "output_token_rate", "mean"), rates.get("output_tokens_per_sec")),
            tpot=middle("time_per_output_token"),
            ttft=middle("time_to_first_token"),
            request_latency=mean("request_latency"),
            tokens_per_chunk=itl / tpot if itl and tpot else None,
            model=words([*(dig(e, "model", "name") for e in engines), dig(document, "scenario", "model", "name")]) or None,
            gpu=words(a.get("model") for a in parts) or None,
            gpus=first(*(a.get("count") for a in parts)),
            tensor_parallel=first(*(dig(a, "parallelism", "tp") for a in parts)),
            engine="vllm" if "vllm" in str(document.get("scenario")).lower() else None,
            date=day(str(dig(document, "run", "time", "start") or "")),
            example="prefill and decode ran on machines of their own: the closed form is of one machine"
            if {"prefill", "decode"} <= roles
            else "",
        )
    ]


def _engines(document: dict) -> list[dict]:
    stack = dig(document, "scenario", "stack") or []
    return [s["standardized"] for s in stack if dig(s, "standardized", "kind") == "inference_engine"]


def _time(block: Any, where: str, name: str, *figures: str) -> float | None:
    value = first(*(dig(block, f) for f in (*figures, "p50", "mean")))
    if value is None:
        return None
    unit = str(dig(block, "units")).split("/")[0]
    if unit not in TIMES:
        raise InputError(f"{name} has the unit {dig(block, 'units')!r}, which is no unit of time; expected s or ms", where)
    return value * TIMES[unit]


def _duration(document: dict) -> float | None:
    found = first(dig(document, "metrics", "time", "duration"))
    text = dig(document, "run", "time", "duration")
    if found is None and isinstance(text, str) and text.startswith("PT") and text.endswith("S") and not set("HM") & set(text[2:]):
        try:
            return float(text[2:-1])
        except ValueError:
            return None
    return found
