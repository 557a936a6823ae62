"""GuideLLM reports, versions 1 and 2, JSON or YAML.

Its `time_per_output_token_ms` counts the first token too (latency over tokens); what others call TPOT is its `inter_token_latency_ms`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, dig, first, found_in, number, scaled, words

NAME = "GuideLLM"
MS = 1e-3
STRATEGY = {"constant": OPEN, "poisson": OPEN, "async": OPEN, "concurrent": CLOSED, "synchronous": CLOSED, "throughput": OFFLINE}


def reads(document: Any) -> bool:
    runs_of = dig(document, "benchmarks")
    return isinstance(runs_of, list) and bool(runs_of) and dig(runs_of, 0, "metrics", "time_to_first_token_ms") is not None


def runs(document: dict, where: str) -> list[Run]:
    return [_run(document, b, f"{where}:{i}") for i, b in enumerate(document["benchmarks"], 1)]


def _run(document: dict, benchmark: dict, where: str) -> Run:
    def of(metric, figure):
        return number(dig(benchmark, "metrics", metric, "successful", figure))

    def middle(metric):
        return first(of(metric, "median"), of(metric, "mean"))

    strategy = dig(benchmark, "config", "strategy") or dig(benchmark, "args", "strategy") or dig(benchmark, "scheduler", "strategy") or {}
    kind = str(strategy.get("type_", ""))
    scenario = STRATEGY.get(kind, CLOSED)
    concurrency = (
        1.0 if kind == "synchronous" else first(strategy.get("streams"), strategy.get("max_concurrency")) if scenario == CLOSED else None
    )
    backend = dig(benchmark, "config", "backend") or dig(benchmark, "worker") or {}
    model = words([dig(backend, "model"), found_in(document, "backend_model", "model")])
    totals = dig(benchmark, "metrics", "request_totals") or dig(benchmark, "run_stats", "requests_made") or {}
    start, end = number(benchmark.get("start_time")), number(benchmark.get("end_time"))
    return Run(
        where,
        NAME,
        scenario,
        concurrency=concurrency,
        offered_rate=number(strategy.get("rate")) if scenario == OPEN else None,
        achieved_rate=of("requests_per_second", "mean"),
        prompt_tokens=of("prompt_token_count", "mean"),
        output_tokens=of("output_token_count", "mean"),
        completed=number(totals.get("successful")),
        failed=number(totals.get("errored")) or 0.0,
        duration=first(benchmark.get("duration"), end - start if start and end else None),
        output_rate=of("output_tokens_per_second", "mean"),
        tpot=scaled(middle("inter_token_latency_ms"), MS),
        ttft=scaled(middle("time_to_first_token_ms"), MS),
        request_latency=of("request_latency", "mean"),
        tokens_per_chunk=of("output_tokens_per_iteration", "mean"),
        model=model or None,
        date=datetime.fromtimestamp(start, UTC).strftime("%Y-%m-%d") if start else "",
        example=f"made against a mock server ({model})" if "mock" in model.lower() else "",
    )
