"""What must not be used, and the check that catches it. Each returns a sentence, or '' where there is nothing to say."""

from __future__ import annotations

import re
from collections.abc import Callable

from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN, Run

MOST_FAILED = 0.05  # share of requests that may fail
KNEE = 0.95  # achieved over offered rate
SPECULATIVE = 1.1  # tokens per chunk
FEWEST = 20  # requests: with fewer a median says nothing
AGREE = 0.30  # how far a file's own figures may differ from each other
QUICKEST, SLOWEST = 2e-4, 5.0  # s per output token: outside, the unit is not what it seems
WAITING = 0.5  # share of a request's time before its first token from which the queue rules the run
HINTS = re.compile(r"(?:^|[^a-z])(eagle\d?|medusa|mtp|ngram|speculat\w*|draft)(?:[^a-z]|$)", re.IGNORECASE)

THROUGHPUT, LATENCY = "throughput", "latency"


def meaningless(run: Run, purpose: str) -> str:
    """Examples, mock servers, simulated data, invalid runs."""
    return f"{run.example}: its numbers must not set a constant" if run.example else ""


def failed(run: Run, purpose: str) -> str:
    """No request, or too many of them, did not come back."""
    if run.completed == 0:
        return "no request completed: every figure in it is zero"
    if run.completed is not None and run.failed > MOST_FAILED * (run.completed + run.failed):
        return f"{run.failed:,.0f} of {run.completed + run.failed:,.0f} requests failed: what is left is not the load that was asked for"
    return ""


def too_few(run: Run, purpose: str) -> str:
    """A handful of requests."""
    if run.completed is not None and 0 < run.completed < FEWEST:
        return f"only {run.completed:,.0f} requests: run at least {FEWEST}"
    return ""


def saturated(run: Run, purpose: str) -> str:
    """More was offered than was carried, or requests spent their time in the queue."""
    if run.scenario == OPEN and run.offered_rate and run.achieved_rate is not None and run.achieved_rate < KNEE * run.offered_rate:
        return (
            f"saturated: {run.achieved_rate:.3g} of {run.offered_rate:.3g} requests per second were carried "
            f"({run.achieved_rate / run.offered_rate:.0%}, at least {KNEE:.0%} is needed); "
            "past the knee a rate tells nothing: run it slower"
        )
    if run.scenario == OPEN and run.ttft and run.request_latency and run.ttft > WAITING * run.request_latency:
        share = run.ttft / run.request_latency
        return f"saturated: {share:.0%} of a request's time passed before its first token, so it waited in a queue; run it slower"
    return ""


def speculative(run: Run, purpose: str) -> str:
    """Tokens guessed ahead: TPOT is then not a step."""
    if run.speculation:
        length = f", acceptance length {run.tokens_per_chunk:.2f}" if run.tokens_per_chunk and run.tokens_per_chunk > SPECULATIVE else ""
        instead = "calibrate on a run without it and plan the gain with the study speculative_decoding"
        return f"speculation: the file holds {run.speculation}{length}; {instead}"
    if run.tokens_per_chunk and run.tokens_per_chunk > SPECULATIVE:
        return (
            f"speculation hidden in the data: a chunk holds {run.tokens_per_chunk:.2f} tokens "
            f"(inter-token latency over TPOT; above {SPECULATIVE}); "
            "calibrate on a run without it"
        )
    hint = HINTS.search(run.where) or HINTS.search(run.model or "")
    if hint:
        return f"its name says {hint.group(1)!r}, which guesses tokens ahead; rename the file if it does not, or calibrate on a plain run"
    return ""


def contradictory(run: Run, purpose: str) -> str:
    """Figures that do not go together: hand-edited examples, or a unit that is not what it seems."""
    if run.output_rate and run.duration and run.completed and run.output_tokens:
        counted = run.completed * run.output_tokens / run.duration
        if abs(counted / run.output_rate - 1) > AGREE:
            return (
                f"contradicts itself: {run.completed:,.0f} requests of {run.output_tokens:.3g} tokens "
                f"in {run.duration:.3g} s are {counted:,.0f} tok/s, "
                f"but it says {run.output_rate:,.0f} (an edited example?)"
            )
    if run.request_latency and run.tpot and run.ttft is not None and run.output_tokens and run.output_tokens > 1:
        told = run.ttft + run.tpot * (run.output_tokens - 1)
        if not 1 - AGREE < told / run.request_latency < 1 / (1 - AGREE):
            return (
                f"contradicts itself: first token and the rest make {told:.3g} s, but a request took {run.request_latency:.3g} s "
                "(an edited example, or seconds for milliseconds?)"
            )
    return ""


def implausible(run: Run, purpose: str) -> str:
    """A time per token that no machine has."""
    if run.tpot is not None and not QUICKEST <= run.tpot <= SLOWEST:
        bounds = f"{QUICKEST * 1e3:g} to {SLOWEST * 1e3:g} ms"
        return f"its time per output token is {run.tpot * 1e3:.3g} ms, outside {bounds}: is the unit what the tool says?"
    return ""


def wrong_kind(run: Run, purpose: str) -> str:
    """Offline results for a plan that promises latency."""
    if purpose == LATENCY and run.scenario == OFFLINE:
        return (
            "offline (all requests at once): constants from it were 52 % off in latency, nine in ten rows within 236 %; "
            "run it at a fixed concurrency, or calibrate with --for throughput"
        )
    return ""


def no_result(run: Run, purpose: str) -> str:
    """Nothing that a constant could be fitted to."""
    if run.scenario == OFFLINE:
        missing = [name for name, value in (("output tokens per second", run.output_rate),) if not value]
    else:
        missing = [name for name, value in (("time per output token", run.tpot), ("time to first token", run.ttft)) if not value]
        if run.scenario == CLOSED and not run.concurrency:
            missing.append("the concurrency")
    return f"it does not hold {' and '.join(missing)}" if missing else ""


ALL: tuple[Callable[[Run, str], str], ...] = (
    meaningless,
    failed,
    too_few,
    contradictory,
    saturated,
    speculative,
    implausible,
    wrong_kind,
    no_result,
)


def refusal(run: Run, purpose: str) -> str:
    """The first check that a run fails, in words; '' if it may be used."""
    return next((says for check in ALL if (says := check(run, purpose))), "")
