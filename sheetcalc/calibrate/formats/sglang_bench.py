"""SGLang `bench_serving`: a JSON object a line, latencies in milliseconds; old files hold no TPOT, only ITL, which is per chunk."""

from __future__ import annotations

import re
from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, first, number, ratio, scaled, words

NAME = "SGLang bench_serving"
MS = 1e-3


def reads(document: Any) -> bool:
    lines = document if isinstance(document, list) else [document]
    return bool(lines) and all(
        isinstance(line, dict) and {"backend", "dataset_name", "output_throughput", "completed"} <= line.keys() for line in lines
    )


def runs(document: Any, where: str) -> list[Run]:
    lines = document if isinstance(document, list) else [document]
    return [_run(line, f"{where}:{i}" if len(lines) > 1 else where) for i, line in enumerate(lines, 1)]


def _run(line: dict, where: str) -> Run:
    rate, concurrency, completed = number(line.get("request_rate")), number(line.get("max_concurrency")), number(line.get("completed"))
    latency = scaled(first(line.get("mean_e2e_latency_ms"), line.get("median_e2e_latency_ms")), MS)
    ttft = scaled(first(line.get("median_ttft_ms"), line.get("mean_ttft_ms")), MS)
    output = ratio(number(line.get("total_output_tokens")), completed)
    tpot = scaled(first(line.get("median_tpot_ms"), line.get("mean_tpot_ms")), MS)
    notes = ()
    if tpot is None and latency is not None and ttft is not None and output and output > 1:
        tpot, notes = (
            max(latency - ttft, 0.0) / (output - 1),
            ("TPOT is (mean latency − median TTFT) / (output − 1): the file holds ITL only, which is per chunk",),
        )
    accepted = number(line.get("accept_length"))
    itl, mean_tpot = number(line.get("mean_itl_ms")), number(line.get("mean_tpot_ms"))
    return Run(
        where,
        NAME,
        OPEN if rate is not None else CLOSED if concurrency else OFFLINE,
        concurrency=concurrency,
        offered_rate=rate,
        achieved_rate=first(line.get("request_throughput"), ratio(completed, number(line.get("duration")))),
        prompt_tokens=ratio(number(line.get("total_input_tokens")), completed),
        output_tokens=output,
        completed=completed,
        duration=number(line.get("duration")),
        output_rate=number(line.get("output_throughput")),
        tpot=tpot,
        ttft=ttft,
        request_latency=latency,
        tokens_per_chunk=first(accepted, ratio(itl, mean_tpot)),
        speculation="accept_length" if accepted and accepted > 1 else "",
        model=words([line.get("model_id"), line.get("model")]) or _model_of(where),
        engine="sglang" if "sglang" in str(line.get("backend")) else None,
        notes=notes,
    )


def _model_of(where: str) -> str | None:
    """These files do not name the model; people put it into the file's name."""
    found = re.search(r"llama[_-]?(\d)[_.-](\d)[_-](\d+)b", where.lower())
    return f"Llama {found.group(1)}.{found.group(2)} {found.group(3)}B" if found else None
