"""Offline throughput that NVIDIA published, as a table of the roofline study: what ran, and what came out.

The rule: all forty dense Llama rows in FP8 of one edition, those that calculators A (a) is tested against: 70B on two H100 and on one
H200, 8B on one H100 and on one H200, ten lengths each.
"""

from sheetcalc.model import POSITIVE, Grid, Input

OVERVIEW = "NVIDIA TensorRT-LLM, docs/source/performance/perf-overview.md, v1.0"
SOURCE = f"quoted: {OVERVIEW}, GitHub commit 00f37686, read 2026-12-01: total output tokens a second, offline"
LENGTHS = (
    (128.0, 128.0),
    (128.0, 2048.0),
    (128.0, 4096.0),
    (500.0, 2000.0),
    (1000.0, 1000.0),
    (1000.0, 2000.0),
    (2048.0, 128.0),
    (2048.0, 2048.0),
    (5000.0, 500.0),
    (20000.0, 2000.0),
)
SMALL = {"params": 8.03e9, "active_params": 8.03e9, "layers": 32.0, "kv_layers": 32.0, "hidden": 4096.0, "query_heads": 32.0}
LARGE = {"params": 70.55e9, "active_params": 70.55e9, "layers": 80.0, "kv_layers": 80.0, "hidden": 8192.0, "query_heads": 64.0}
H100 = {"hbm": 80e9, "bandwidth": 3.35e12}
H200 = {"hbm": 141e9, "bandwidth": 4.8e12}
RUNS = (  # model, its facts, GPU, its facts, GPUs, published tokens a second by length
    ("Llama 3.3 70B", LARGE, "H200", H200, 1, (3803, 4336, 2872, 3666, 2909, 2994, 442, 2003, 566, 283)),
    ("Llama 3.3 70B", LARGE, "H100", H100, 2, (6378, 6651, 4199, 5222, 4205, 4146, 762, 3082, 898, 437)),
    ("Llama 3.1 8B", SMALL, "H200", H200, 1, (27911, 26221, 18027, 20770, 17744, 16828, 3538, 12194, 3902, 1804)),
    ("Llama 3.1 8B", SMALL, "H100", H100, 1, (28312, 22714, 14325, 17660, 15220, 13899, 3450, 9305, 3459, 1351)),
)
ALIKE = {  # in every run: a dense model with weights and cache in FP8, lengths fixed, nothing cached, all memory but 3 GB in use
    "experts": 0.0,
    "bytes_per_weight": 1.0,
    "bytes_per_kv": 1.0,
    "window_layers": 0.0,
    "kv_heads": 8.0,
    "query_head_size": 128.0,
    "head_size": 128.0,
    "kv_tensors": 2.0,
    "peak_compute": 1979e12,
    "attention_peak": 1979e12,
    "memory_fraction": 1.0,
    "memory_reserve": 3e9,
    "prefix_hit_share": 0.0,
    "residency_rule": "mean",
    "output_cv": 0.0,
}
ROWS = [
    {
        "row": f"{model.split()[-1]}, {gpus} {gpu}, {prompt:,.0f} in, {output:,.0f} out",
        "model": model,
        "gpu": gpu,
        "rate": float(rate),
        "gpus_per_replica": float(gpus),
        "prompt_tokens": prompt,
        "output_tokens": output,
    }
    | model_facts
    | gpu_facts
    | ALIKE
    for model, model_facts, gpu, gpu_facts, gpus, rates in RUNS
    for (prompt, output), rate in zip(LENGTHS, rates, strict=True)
]
SWEPT = ("gpus_per_replica", "prompt_tokens", "output_tokens", *SMALL, *H100, *ALIKE)


def _column(name):
    return [row[name] for row in ROWS]


GRID = Grid(
    "backtest",
    f"Predicted and published, offline ({OVERVIEW})",
    rows={"backtest_row": Input(_column("row"), "", "Run", SOURCE)},
    typed={
        "backtest_model": Input(_column("model"), "", "Model", SOURCE),
        "backtest_gpu": Input(_column("gpu"), "", "GPU", SOURCE),
        "backtest_rate": Input(_column("rate"), "tok/s", "Published, all GPUs", SOURCE, **POSITIVE),
        "batch": "backtest_batch",
        "all_reduce_on": "backtest_reduces",
    }
    | {name: _column(name) for name in SWEPT},
    show=[
        "backtest_batch",
        "backtest_published",
        "backtest_predicted",
        "backtest_ratio",
        "backtest_corrected",
        "backtest_corrected_ratio",
        "line_work",
        "corrected_work",
    ],
)
