"""inference-perf lifecycle metrics (a stage or the summary), JSON or YAML; all times in seconds."""
from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import OPEN, Run, dig, first, number, ratio

NAME = "inference-perf"


def reads(document: Any) -> bool:
    return isinstance(document, dict) and {"load_summary", "successes", "failures"} <= document.keys()


def runs(document: dict, where: str) -> list[Run]:
    done, latency = dig(document, "successes") or {}, dig(document, "successes", "latency") or {}
    middle = lambda name: first(dig(latency, name, "median"), dig(latency, name, "mean"))
    mean = lambda name: number(dig(latency, name, "mean"))
    return [Run(
        where, NAME, OPEN, offered_rate=number(dig(document, "load_summary", "requested_rate")),
        achieved_rate=number(dig(done, "throughput", "requests_per_sec")), prompt_tokens=number(dig(done, "prompt_len", "mean")),
        output_tokens=number(dig(done, "output_len", "mean")), completed=number(done.get("count")),
        failed=number(dig(document, "failures", "count")) or 0.0, duration=ratio(number(done.get("count")), number(dig(done, "throughput", "requests_per_sec"))),
        output_rate=number(dig(done, "throughput", "output_tokens_per_sec")), tpot=middle("time_per_output_token"), ttft=middle("time_to_first_token"),
        request_latency=mean("request_latency"), tokens_per_chunk=ratio(mean("inter_token_latency"), mean("time_per_output_token")),
        example="an audio or image run: tokens of other kinds are not modeled" if any(k in done for k in ("audio", "image", "video")) else "")]
