"""inference-perf lifecycle metrics (a stage or the summary), JSON or YAML; all times in seconds.

Its `time_per_output_token` divides by the chunks of the stream, and an engine that sends an empty chunk with each token halves it: a plain
run of an 8B model in BF16 came out faster than its memory. TPOT is therefore taken from the latency of the request.
"""

from __future__ import annotations

from typing import Any

from sheetcalc.calibrate.run import OPEN, Run, dig, first, number, ratio

NAME = "inference-perf"


def reads(document: Any) -> bool:
    return isinstance(document, dict) and {"load_summary", "successes", "failures"} <= document.keys()


def runs(document: dict, where: str) -> list[Run]:
    done = dig(document, "successes") or {}
    latency, output, rate = (
        mean(done, "request_latency"),
        number(dig(done, "output_len", "mean")),
        number(dig(done, "throughput", "requests_per_sec")),
    )
    ttft = mean(done, "time_to_first_token")
    tpot = (latency - ttft) / (output - 1) if latency is not None and ttft is not None and output and output > 1 else None
    stated, completed = mean(done, "time_per_output_token"), number(done.get("count"))
    notes = (
        ()
        if not (stated and tpot and stated < 0.7 * tpot)
        else (
            f"TPOT is (latency − TTFT) / (output − 1), {tpot * 1e3:.2f} ms: "
            f"the file's own {stated * 1e3:.2f} ms counts the empty chunks of the stream as tokens",
        )
    )
    return [
        Run(
            where,
            NAME,
            OPEN,
            offered_rate=number(dig(document, "load_summary", "requested_rate")),
            achieved_rate=rate,
            prompt_tokens=number(dig(done, "prompt_len", "mean")),
            output_tokens=output,
            completed=completed,
            failed=number(dig(document, "failures", "count")) or 0.0,
            duration=ratio(completed, rate),
            output_rate=number(dig(done, "throughput", "output_tokens_per_sec")),
            tpot=tpot,
            ttft=first(dig(done, "latency", "time_to_first_token", "median"), ttft),
            request_latency=latency,
            notes=notes,
            example="an audio or image run: tokens of other kinds are not modeled"
            if any(k in done for k in ("audio", "image", "video"))
            else "",
        )
    ]


def mean(done: dict, name: str) -> float | None:
    return number(dig(done, "latency", name, "mean"))
