"""What a benchmark file does not say, from the person who ran it; names matched to the catalogue, never guessed in silence."""

from __future__ import annotations

import re
from typing import NamedTuple

from sheetcalc import catalogue
from sheetcalc.calibrate.run import Run
from sheetcalc.errors import InputError

ENGINES = ("vllm", "sglang", "trtllm")
IN_NAMES = {
    "nvfp4": "FP4",
    "fp4": "FP4",
    "mxfp4": "FP4",
    "w8a8": "FP8",
    "fp8": "FP8",
    "awq": "INT4",
    "gptq": "INT4",
    "int4": "INT4",
    "w4a16": "INT4",
    "bf16": "BF16",
    "fp16": "BF16",
}
OPTIONS = {
    "model": "--model",
    "gpu": "--gpu",
    "gpus": "--gpus",
    "tensor_parallel": "--tp",
    "weight_format": "--weight-format",
    "engine": "--engine",
}


class Facts(NamedTuple):
    """What is known of the machine: given by a person, or None."""

    model: str | None = None
    gpu: str | None = None
    gpus: float | None = None
    tensor_parallel: float | None = None
    weight_format: str | None = None
    kv_format: str | None = None
    engine: str | None = None
    prompt_tokens: float | None = None


class Machine(NamedTuple):
    """One configuration: names as in the catalogue, GPUs of a replica and replicas."""

    model: str
    gpu: str
    gpus_per_replica: float
    weight_format: str
    kv_format: str
    engine: str

    def __str__(self) -> str:
        return (
            f"{self.model} in {self.weight_format} on {self.gpus_per_replica:.0f} {self.gpu}, KV cache in {self.kv_format}, {self.engine}"
        )


def machine(run: Run, given: Facts, model_path: str = "") -> tuple[Machine, float]:
    """The configuration of a run and its number of replicas. Raises InputError naming every option that is still to be given."""
    found = {
        "model": model_path or _named("models", given.model, run.where, "--model") if given.model else _in_catalogue("models", run.model),
        "gpu": _named("gpus", given.gpu, run.where, "--gpu") if given.gpu else _gpu(run.gpu),
        "weight_format": given.weight_format or run.weight_format or format_in(run.model),
        "engine": given.engine or run.engine,
    }
    gpus, tensor = given.gpus or run.gpus, given.tensor_parallel or run.tensor_parallel
    found["gpus"], found["tensor_parallel"] = gpus or tensor, tensor or (gpus if gpus == 1 else None)
    missing = [OPTIONS[name] for name, value in found.items() if not value]
    if missing:
        said = f" (it says {run.gpu!r}{_choice(run.gpu)})" if run.gpu and not found["gpu"] else ""
        said += f" (it says the model is {run.model!r})" if run.model and not found["model"] else ""
        raise InputError(f"does not say everything{said}; write {', '.join(missing)} too", run.where)
    _one_of("weight_format", found["weight_format"], tuple(catalogue.read("formats").rows), run.where)
    _one_of("engine", found["engine"], ENGINES, run.where)
    if found["gpus"] % found["tensor_parallel"]:
        raise InputError(
            f"{found['gpus']:.0f} GPUs do not divide into replicas of {found['tensor_parallel']:.0f}; mend --gpus or --tp", run.where
        )
    one = Machine(
        found["model"], found["gpu"], float(found["tensor_parallel"]), found["weight_format"], given.kv_format or "BF16", found["engine"]
    )
    _one_of("kv_format", one.kv_format, tuple(n for n, r in catalogue.read("formats").rows.items() if r["bytes_per_kv"]), run.where)
    return one, found["gpus"] / found["tensor_parallel"]


def _one_of(name: str, value: str, choices: tuple[str, ...], where: str) -> None:
    if value not in choices:
        raise InputError(f"{name} {value!r} is not known; write one of {', '.join(choices)}", where)


def _named(kind: str, wanted: str, where: str, option: str) -> str:
    rows = catalogue.read(kind).rows
    exact = [n for n in rows if catalogue.key(n) == catalogue.key(wanted)]
    found = exact[0] if exact else _gpu(wanted) if kind == "gpus" else _in_catalogue(kind, wanted)
    if not found and kind == "gpus" and len(_chips(wanted)) > 1:
        raise InputError(f"{option} {wanted!r}{_choice(wanted).removeprefix(', which')}; write one of them", where)
    if not found:
        raise InputError(f"{option} {wanted!r} is not in the catalogue; see `sheetcalc catalogue {kind}`", where)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _in_catalogue(kind: str, name: str | None) -> str | None:
    """The catalogue's name that lies in a published name such as `meta-llama/Llama-3.1-70B-Instruct`; the longest one."""
    if not name:
        return None
    plain = _plain(name.split("/")[-1])
    found = [n for n in catalogue.read(kind).rows if _plain(n) in plain]
    return max(found, key=lambda n: len(_plain(n)), default=None)


def _gpu(name: str | None) -> str | None:
    """A GPU's catalogue name, where only one fits: H100 alone may be SXM, PCIe or NVL."""
    found = _chips(name or "")
    return found[0] if len(found) == 1 else None


def _chips(name: str) -> list[str]:
    words = set(re.findall(r"[a-z]+\d*[a-z]*|\d+gb|\d+", name.lower()))
    chip = [n for n in catalogue.read("gpus").rows if n.lower().split()[0] in words]
    if len(chip) > 1 and {"hbm3", "sxm"} & words:
        chip = [n for n in chip if "sxm" in n.lower()]
    return [n for n in chip if any(w in words for w in n.lower().split()[1:])] or chip


def _choice(name: str) -> str:
    found = _chips(name)
    return f", which may be {', '.join(found)}" if len(found) > 1 else ", which the catalogue does not hold"


def format_in(model: str | None) -> str | None:
    """The weight format that a published model name ends in."""
    parts = re.findall(r"[a-z0-9]+", (model or "").lower())
    return next((IN_NAMES[p] for p in reversed(parts) if p in IN_NAMES), None)
