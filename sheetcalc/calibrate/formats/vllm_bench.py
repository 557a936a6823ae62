"""`vllm bench serve --save-result`: one JSON object, latencies in milliseconds; TPOT is per token, ITL per chunk."""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, day, first, number, ratio, scaled, words

NAME = "vLLM bench serve"
MS = 1e-3


def reads(document: Any) -> bool:
    return (
        isinstance(document, dict)
        and {"num_prompts", "request_throughput"} <= document.keys()
        and any(k in document for k in ("mean_tpot_ms", "median_tpot_ms"))
    )


def runs(document: dict, where: str) -> list[Run]:
    rate, concurrency = number(document.get("request_rate")), number(document.get("max_concurrency"))
    scenario = OPEN if rate is not None else CLOSED if concurrency else OFFLINE
    completed = number(document.get("completed"))
    accepted = number(document.get("spec_decode_acceptance_length"))
    speculation = "spec_decode_acceptance_length" if accepted or any(k.startswith("spec_decode") for k in document) else ""
    asked = number(document.get("num_prompts"))
    failed = first(document.get("failed"), asked - completed if asked is not None and completed is not None else None) or 0.0
    return [
        Run(
            where,
            NAME,
            scenario,
            concurrency=concurrency,
            offered_rate=rate,
            achieved_rate=number(document.get("request_throughput")),
            prompt_tokens=ratio(number(document.get("total_input_tokens")), completed),
            output_tokens=ratio(number(document.get("total_output_tokens")), completed),
            completed=completed,
            failed=failed,
            duration=number(document.get("duration")),
            output_rate=number(document.get("output_throughput")),
            tpot=scaled(first(document.get("median_tpot_ms"), document.get("mean_tpot_ms")), MS),
            ttft=scaled(first(document.get("median_ttft_ms"), document.get("mean_ttft_ms")), MS),
            request_latency=scaled(first(document.get("mean_e2el_ms"), document.get("median_e2el_ms")), MS),
            tokens_per_chunk=first(accepted, ratio(number(document.get("mean_itl_ms")), number(document.get("mean_tpot_ms")))),
            speculation=speculation,
            model=words([document.get("model_id")]) or None,
            engine=_engine(document),
            date=day(document.get("date")),
        )
    ]


def _engine(document: dict) -> str | None:
    backend = words([document.get("backend"), document.get("endpoint_type")]).lower()
    return next((e for e in ("vllm", "sglang", "trtllm") if e in backend.replace("tensorrt-llm", "trtllm")), None)
