"""InferenceX result files. Their latencies are in SECONDS under the names that vLLM uses for milliseconds, without `_ms`."""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run, day, first, number, ratio, words

NAME = "InferenceX"
FORMATS = {"fp8": "FP8", "fp4": "FP4", "bf16": "BF16", "int4": "INT4"}


def reads(document: Any) -> bool:
    return (
        isinstance(document, dict)
        and any(k in document for k in ("median_tpot", "mean_tpot"))
        and ("num_prompts" in document or {"hw", "framework"} <= document.keys())
    )


def runs(document: dict, where: str) -> list[Run]:
    return [_dashboard(document, where) if "hw" in document else _experiment(document, where)]


def _experiment(d: dict, where: str) -> Run:
    rate, concurrency, completed = number(d.get("request_rate")), number(d.get("max_concurrency")), number(d.get("completed"))
    asked = number(d.get("num_prompts"))
    return Run(
        where,
        NAME,
        OPEN if rate is not None else CLOSED if concurrency else OFFLINE,
        concurrency=concurrency,
        offered_rate=rate,
        achieved_rate=number(d.get("request_throughput")),
        prompt_tokens=ratio(number(d.get("total_input_tokens")), completed),
        output_tokens=ratio(number(d.get("total_output_tokens")), completed),
        completed=completed,
        failed=asked - completed if asked is not None and completed is not None else 0.0,
        duration=number(d.get("duration")),
        output_rate=number(d.get("output_throughput")),
        tpot=first(d.get("median_tpot"), d.get("mean_tpot")),
        ttft=first(d.get("median_ttft"), d.get("mean_ttft")),
        request_latency=first(d.get("mean_e2el"), d.get("median_e2el")),
        tokens_per_chunk=ratio(number(d.get("mean_itl")), number(d.get("mean_tpot"))),
        model=words([d.get("model_id")]) or None,
        date=day(d.get("date")),
        **_from_name(where),
    )


def _dashboard(d: dict, where: str) -> Run:
    tensor, concurrency = number(d.get("tp")), number(d.get("conc"))
    method = words([d.get("spec_decoding"), d.get("spec_method")]).lower()
    precision = str(d.get("precision", "")).lower()
    gpus = first(d.get("num_gpus"), tensor)
    return Run(
        where,
        NAME,
        CLOSED,
        concurrency=concurrency,
        prompt_tokens=number(d.get("isl")),
        output_tokens=number(d.get("osl")),
        output_rate=None if gpus is None or number(d.get("output_tput_per_gpu")) is None else d["output_tput_per_gpu"] * gpus,
        tpot=first(d.get("median_tpot"), d.get("mean_tpot")),
        ttft=first(d.get("median_ttft"), d.get("mean_ttft")),
        request_latency=first(d.get("mean_e2el"), d.get("median_e2el")),
        tokens_per_chunk=ratio(number(d.get("mean_itl")), number(d.get("mean_tpot"))),
        speculation=f"spec_decoding {method}" if method and method != "none" else "",
        model=words([d.get("model"), d.get("model_prefix")]) or None,
        gpu=words([d.get("hw")]) or None,
        gpus=gpus,
        tensor_parallel=tensor,
        weight_format=FORMATS.get(precision),
        engine=next((e for e in ("vllm", "sglang", "trtllm") if e in str(d.get("framework")).lower().replace("trt", "trtllm")), None),
        example="prefill and decode ran on machines of their own (disagg): the closed form is of one machine"
        if d.get("disagg") in (True, "true")
        else "",
        date=day(d.get("date")),
    )


def _from_name(where: str) -> dict[str, Any]:
    """The experimental files say engine and tensor parallelism only in their names."""
    name = where.lower()
    known: dict[str, Any] = {}
    for engine in ("vllm", "sglang", "trtllm"):
        if f"_{engine}_" in name:
            known["engine"] = engine
    for part in name.replace("tep", "tp").split("_"):
        if part.startswith("tp") and part[2:].isdigit():
            known["tensor_parallel"] = known["gpus"] = float(part[2:])
    if "_fp8_" in name:
        known["weight_format"] = "FP8"
    return known
