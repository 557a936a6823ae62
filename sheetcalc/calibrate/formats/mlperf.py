"""MLPerf loadgen `mlperf_log_summary.txt`: a text of `name : value` lines."""

from __future__ import annotations

import re
from typing import Any

from sheetcalc.calibrate.run import OFFLINE, OPEN, Run, number

NAME = "MLPerf loadgen"
NS = 1e-9
MODELS = {
    "llama2-70b": "Llama 2 70B",
    "llama3.1-405b": "Llama 3.1 405B",
    "llama3.1-8b": "Llama 3.1 8B",
    "mixtral-8x7b": "Mixtral 8x7B",
    "deepseek-r1": "DeepSeek-R1",
}
GPU = re.compile(r"(GB200|GB300|B200|B300|GH200|H200|H100|MI300X|MI325X|MI355X|L40S|A100)[^/\\]*?x(\d+)|(\d+)x(MI\d{3}X|B\d{3}|H\d{3})")


def reads(document: Any) -> bool:
    return isinstance(document, str) and "MLPerf Results Summary" in document


def runs(document: str, where: str) -> list[Run]:
    values = dict(re.findall(r"^\s*([^:\n]+?)\s*:\s*(.+?)\s*$", document, re.MULTILINE))

    def get(name):
        return number(_number(values.get(name)))

    scenario = OFFLINE if values.get("Scenario") == "Offline" else OPEN
    samples = get("Samples per second") or get("Completed samples per second")
    tokens = get("Tokens per second") or get("Completed tokens per second")
    named = values.get("SUT name", "") + " " + where
    valid = values.get("Result is") == "VALID" and values.get("Mode") == "PerformanceOnly"
    place = GPU.search(where)
    return [
        Run(
            where,
            NAME,
            scenario,
            offered_rate=get("target_qps") if scenario == OPEN else None,
            achieved_rate=samples,
            output_tokens=tokens / samples if tokens and samples else None,
            output_rate=tokens,
            completed=get("samples_per_query"),
            tpot=_ns(get("Mean Time per Output Token (ns)")),
            ttft=_ns(get("Mean First Token latency (ns)")),
            model=next((v for k, v in MODELS.items() if k in named.lower()), None),
            gpu=(place.group(1) or place.group(4)) if place else None,
            gpus=float(place.group(2) or place.group(3)) if place else None,
            example=""
            if valid
            else f"loadgen says {values.get('Result is', 'nothing')}, "
            f"mode {values.get('Mode', 'unknown')}: only a VALID performance run counts",
            notes=("the summary gives neither the prompt's length nor tensor parallelism",),
        )
    ]


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _ns(value: float | None) -> float | None:
    return None if value is None else value * NS
