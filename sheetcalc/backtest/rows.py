"""Published measurements as inputs of the kernel, and the rule that leaves rows out.

`measured.csv` names each row's source; `SOURCE.md` beside it says what is known to be weak.
"""

from __future__ import annotations

import csv
import hashlib
import re
from pathlib import Path

import numpy as np

from sheetcalc import catalogue
from sheetcalc.calibrate.form import MODEL_FACTS, Rows

HERE = Path(__file__).parent
GPUS = {
    "A100": "A100 80GB SXM",
    "B200": "B200 SXM",
    "B300": "B300 SXM",
    "GH200": "GH200",
    "H100": "H100 SXM",
    "H100NVL": "H100 NVL",
    "H200": "H200 SXM",
    "L40S": "L40S",
    "MI300X": "MI300X",
    "H800": "H100 SXM",
}
MODELS = {
    "gpt-oss-120b": "gpt-oss-120b",
    "Llama-3.1-70B": "Llama 3.1 70B",
    "MiniMax-M2.5": "MiniMax-M2.5",
    "DeepSeek-R1": "DeepSeek-R1",
    "Qwen3.5-397B-A17B": "Qwen3.5 397B-A17B",
    "Qwen3-235B-A22B": "Qwen3 235B-A22B",
    "Llama-3.1-8B": "Llama 3.1 8B",
    "Mixtral-8x7B": "Mixtral 8x7B",
    "Llama-3.3-70B": "Llama 3.3 70B",
    "GLM-5": "GLM-5",
    "Kimi-K2.5": "Kimi K2.5",
    "Llama-2-70B": "Llama 2 70B",
    "Llama-3.1-405B": "Llama 3.1 405B",
    "Mistral-7B": "Mistral 7B",
    "Mixtral-8x22B": "Mixtral 8x22B",
    "Llama-4-Maverick": "Llama 4 Maverick",
}
FORMATS = {16: "BF16", 8: "FP8", 4: "FP4"}
ENGINES = ("vllm", "sglang", "trtllm", "mlperf")
FOLDS = 5
KNEE = 0.95  # achieved over offered rate below which an open-loop run is past the knee (the check of the calibration importers)
GH200_96 = {"hbm": 96e9, "bandwidth": 4.0e12}  # the TensorRT-LLM rows ran on the 96 GB HBM3 variant, the catalogue holds the 144 GB one
WEIGHT_ROOM = 0.65  # MLPerf does not give tensor parallelism: the fewest GPUs, in powers of two, that leave 35 % of the memory free

LEFT_OUT = {
    "speculation": "may hide multi-token prediction (flag mtp_unknown)",
    "several nodes": "expert parallelism over several nodes, or prefill and decode apart: another machine than the closed form",
    "past the knee": f"open-loop run that carried less than {100 * KNEE:.0f} % of the rate offered: past the knee a rate tells nothing",
    "offered load": "open-loop output rate below the knee: it is the rate offered, not what the machine can do",
}


def read(path: Path = HERE / "measured.csv") -> tuple[Rows, dict[str, int]]:
    """The rows that count, and how many were left out for each reason of LEFT_OUT."""
    with path.open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    achieved = {_run(r): float(r["value"]) / float(r["osl"]) for r in records if r["group"] == "trt014" and r["metric"] == "output_tok_s"}
    reasons = [_left_out(r, achieved) for r in records]
    counts = {reason: reasons.count(reason) for reason in LEFT_OUT}
    kept = [r for r, reason in zip(records, reasons, strict=True) if not reason]
    return _columns(kept, achieved), counts


def _run(record) -> tuple:
    return record["model"], record["gpu"], record["gpus"], record["isl"], record["osl"], _offered(record)


def _offered(record) -> float:
    found = re.search(r"offered QPS (\d+)", record["notes"])
    return float(found.group(1)) if found else np.inf


def _left_out(record, achieved) -> str:
    if "mtp_unknown" in record["flags"]:
        return "speculation"
    if record["group"] in ("deepseek", "sglang-ep"):
        return "several nodes"
    if record["group"] == "trt014":
        if achieved[_run(record)] < KNEE * _offered(record):
            return "past the knee"
        if record["metric"] == "output_tok_s":
            return "offered load"
    return ""


def fold_of(model: str, gpu: str, gpus: str) -> int:
    """One of five folds: a configuration's rows stay together, so that no fold is judged by constants that saw it."""
    return int(hashlib.sha256(f"{model}|{gpu}|{gpus}".encode()).hexdigest(), 16) % FOLDS


def _columns(records, achieved) -> Rows:
    def number(r, name):
        return float(r[name]) if r[name] else np.nan

    def column(f):
        return np.array([f(r) for r in records])

    def of_model(name):
        return column(lambda r: models[MODELS[r["model"]]][name])

    models, gpus = catalogue.read("models", HERE / "models.csv").rows, catalogue.read("gpus").rows
    formats = catalogue.read("formats").rows
    weight = column(lambda r: FORMATS[int(r["weight_bits"])])
    gpu = column(lambda r: GPUS[r["gpu"]])
    compute = np.array([_compute_format(gpus[g], formats[w]["compute"]) for g, w in zip(gpu, weight, strict=True)])
    count = column(lambda r: float(r["gpus"]))
    data_parallel = column(lambda r: "attention_dp=" in r["notes"] and "attention_dp=1 " not in r["notes"])
    small_gh200 = (gpu == "GH200") & column(lambda r: r["group"] == "trt017")
    hbm = np.where(small_gh200, GH200_96["hbm"], [gpus[g]["hbm"] for g in gpu])
    bytes_per_weight = np.array([formats[w]["bytes_per_weight"] for w in weight])
    tensor = column(lambda r: number(r, "tp"))
    tensor = np.where(np.isnan(tensor), _fewest(of_model("params") * bytes_per_weight, hbm, count), tensor)
    silicon = column(lambda r: r["group"] == "silicon")
    per_replica = np.where(silicon, count, tensor)
    about = {
        "id": column(lambda r: r["id"]),
        "measured": column(lambda r: float(r["value"])),
        "metric": column(lambda r: r["metric"]),
        "model": column(lambda r: r["model"]),
        "gpu": gpu,
        "engine": column(lambda r: r["stack"]),
        "group": column(lambda r: r["group"]),
        "scenario": column(lambda r: r["scenario"]),
        "format": compute,
        "weight_format": weight,
        "gpus": count,
        "fold": column(lambda r: fold_of(r["model"], r["gpu"], r["gpus"])),
        "group_of": column(lambda r: f"{r['model']}|{r['gpu']}|{r['gpus']}"),
        "configuration": column(lambda r: f"{r['model']}|{r['gpu']}|{r['gpus']}|{r['tp']}|{r['stack']}|{r['weight_bits']}|{r['group']}"),
        "latency_bound": column(lambda r: r["group"] == "mlperf41-server"),
    }
    inputs = {
        "concurrency": column(lambda r: number(r, "concurrency_or_batch")) / (count / per_replica),
        "arrival_rate": column(lambda r: achieved.get(_run(r), np.nan) if r["group"] == "trt014" else np.nan),
        "replicas": count / per_replica,
        "gpus_per_replica": per_replica,
        "prompt_tokens": column(lambda r: float(r["isl"])),
        "uncached_tokens": column(lambda r: float(r["isl"])),
        "output_tokens": column(lambda r: float(r["osl"])),
        "attention_parallelism": data_parallel,
        "hbm": hbm,
        "bandwidth": np.where(small_gh200, GH200_96["bandwidth"], [gpus[g]["bandwidth"] for g in gpu]),
        "peak_compute": np.array([gpus[g][f"peak_{c.lower()}"] for g, c in zip(gpu, compute, strict=True)]),
        "attention_peak": np.array([gpus[g]["peak_bf16"] for g in gpu]),
        "link_bandwidth": np.array([gpus[g]["link"] for g in gpu]),
        "bytes_per_weight": bytes_per_weight,
        "bytes_per_kv": column(lambda r: float(r["kv_bits"]) / 8),
        "query_head_size": of_model("query_head_dim"),
        "head_size": of_model("head_dim"),
        **{name: of_model(name) for name in MODEL_FACTS},
    }
    return Rows(about, inputs)


def _compute_format(gpu, wanted: str) -> str:
    return wanted if gpu[f"peak_{wanted.lower()}"] else "BF16"


def _fewest(weights, hbm, count):
    gpus = np.ones_like(count)
    for _ in range(4):
        gpus = np.where((gpus < count) & (weights > WEIGHT_ROOM * 0.92 * hbm * gpus), gpus * 2, gpus)
    return gpus
