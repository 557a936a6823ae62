"""From benchmark files to a calibration: read, refuse, group, fit; and the sentence that cites it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sheetcalc.calibrate import checks, read
from sheetcalc.calibrate.facts import Facts, Machine, machine
from sheetcalc.calibrate.fit import Constant, Fit, fit, geometry
from sheetcalc.calibrate.run import OFFLINE, OPEN, Run
from sheetcalc.catalogue import fitted
from sheetcalc.errors import InputError

NOTHING = Facts()
NAMES = {"tpot_s": "TPOT", "ttft_s": "TTFT", "output_tok_s": "throughput"}


class Refused(NamedTuple):
    """A run that was left out, and why."""

    where: str
    says: str


class Source(NamedTuple):
    """A run that was used: its file, what wrote it, and the file's SHA-256."""

    where: str
    format: str
    scenario: str
    date: str
    sha256: str


class Calibration(NamedTuple):
    """Constants of one configuration, what stands behind them, and how far off they are."""

    machine: Machine
    purpose: str
    constants: dict[str, Constant]
    errors_before: dict[str, float]
    errors_after: dict[str, float]
    left_out: bool
    engine_version: str
    sources: tuple[Source, ...]
    refused: tuple[Refused, ...]
    notes: tuple[str, ...]

    def says(self) -> str:
        """One line that cites it: "calibrated on 3 runs of 2026-11-12, vLLM 0.25, TPOT error 6 %"."""
        dates = sorted({s.date for s in self.sources if s.date})
        when = f" of {dates[0]}" if len(dates) == 1 else f" of {dates[0]} to {dates[-1]}" if dates else ""
        engine = f"{self.machine.engine} {self.engine_version}".strip()
        errors = ", ".join(
            f"{NAMES[m]} error {e * 100:.0f} %" for m, e in sorted(self.errors_after.items(), key=lambda p: p[0] != "tpot_s")
        )
        count = len(self.sources)
        return f"calibrated on {count} run{'s' if count > 1 else ''}{when}, {engine}, {errors}"

    def inputs(self) -> dict[str, float]:
        """What a plan takes from it: input names to values in base units."""
        band = {"speed_low": fitted.constants()["calibrated_speed_low"], "speed_high": fitted.constants()["calibrated_speed_high"]}
        return {name: constant.value for name, constant in self.constants.items()} | band


def calibrate(
    paths: Iterable[str | Path],
    given: Facts = NOTHING,
    purpose: str = checks.LATENCY,
    engine_version: str = "",
    model: tuple[str, dict[str, Any]] | None = None,
) -> Calibration:
    """Constants from benchmark files of one configuration. `model` is a name and geometry that the catalogue does not hold.

    Raises InputError when no run may be used (with every reason), when something is not said, or when runs are of several configurations.
    """
    used: list[tuple[Run, float]] = []
    machines: dict[Machine, str] = {}
    sources, refused = [], []
    for path in map(Path, paths):
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for run in read.runs_in(path):
            run = run._replace(prompt_tokens=run.prompt_tokens or given.prompt_tokens)
            says = checks.refusal(run, purpose)
            if not says:
                one, replicas = machine(run, given, model[0] if model else "")
                says = _without_prompt(run) or faster_than_memory(run, one, model[1] if model else None)
            if says:
                refused.append(Refused(run.where, says))
                continue
            machines.setdefault(one, run.where)
            used.append((run, replicas))
            sources.append(Source(run.where, run.format, run.scenario, run.date, digest))
    if not used:
        raise InputError("no run may be used:\n" + "\n".join(f"  {r.where}: {r.says}" for r in refused))
    if len(machines) > 1:
        raise InputError(
            "these runs are of several configurations; calibrate each for itself:\n"
            + "\n".join(f"  {where}: {one}" for one, where in machines.items())
        )
    found: Fit = fit(next(iter(machines)), used, purpose, model[1] if model else None)
    version = engine_version or next((r.engine_version for r, _ in used if r.engine_version), "")
    return Calibration(
        next(iter(machines)),
        purpose,
        found.constants,
        found.before,
        found.after,
        found.left_out,
        version,
        tuple(sources),
        tuple(refused),
        (*dict.fromkeys(n for r, _ in used for n in r.notes), *_warnings(used, found, purpose)),
    )


def faster_than_memory(run: Run, one: Machine, model: dict[str, Any] | None = None) -> str:
    """A step cannot be shorter than one read of the parameters that a token uses, at the full data-sheet bandwidth."""
    known = geometry(one, model)
    floor = known["active_params"] * known["bytes_per_weight"] / (known["gpus_per_replica"] * known["bandwidth"])
    if run.tpot and run.tpot < floor:
        return (
            f"faster than its memory: {run.tpot * 1e3:.2f} ms per token, but reading {one.model}'s active weights "
            f"once takes {floor * 1e3:.2f} ms on "
            f"{one.gpus_per_replica:.0f} {one.gpu}: several tokens a step (speculation), or another machine than was said"
        )
    return ""


def _without_prompt(run: Run) -> str:
    return "" if run.prompt_tokens and run.output_tokens else "it does not say how long prompts and outputs were; write --prompt-tokens"


def _warnings(used: list[tuple[Run, float]], found: Fit, purpose: str) -> list[str]:
    out = []
    if purpose == checks.THROUGHPUT and all(r.scenario == OFFLINE for r, _ in used):
        out.append("fitted to offline runs: good for throughput, not for TPOT or TTFT")
    if len(used) == 1:
        out.append(
            "one run: the constants stay near the published ones; run a second at another concurrency and a third with a longer prompt"
        )
    if all(r.scenario == OPEN for r, _ in used):
        out.append(
            "all runs are at a given rate, so the running batch is inferred by Little's law; a run at a fixed concurrency is sharper"
        )
    for name in found.at_ceiling:
        out.append(
            f"{name} stands at the most that isolated kernels reach; "
            "if the error is large, the machine or the formats are not what was said"
        )
    if not found.left_out:
        out.append("the errors are those of the runs themselves; from three runs on each is predicted by the others")
    return out
