"""The closed form, from the kernel's own quantities: what it says for measured rows under given constants."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sheetcalc.axes import Choice
from sheetcalc.model import needs_of, quantities
from sheetcalc.quantities import decode, latency, memory, prefill

KERNEL = quantities(memory, prefill, decode, latency)
SHARED = {  # batch_fits: rows whose weights fill the memory are predicted too, at a batch of one
    "flops_per_param": 2.0,
    "flops_per_pair": 4.0,
    "reduces_per_layer": 2.0,
    "bytes_per_activation": 2.0,
    "cached_tokens": 0.0,
    "memory_fraction": 0.92,
    "all_reduce_on": 0.0,
    "all_reduce_latency": 0.0,
    "all_reduce_bandwidth": 1.0,
    "step_overhead": 0.0,
    "kv_allocator": "exact",
    "queue_wait": 0.0,
    "running_batch": np.nan,
    "ttft_tail": 1.0,
    "batch_fits": True,
}
MODEL_FACTS = (  # of the model catalogue, under the names that the formulas use
    "params",
    "active_params",
    "expert_params",
    "experts",
    "experts_per_token",
    "layers",
    "hidden",
    "query_heads",
    "kv_layers",
    "window_layers",
    "window",
    "kv_heads",
    "kv_tensors",
)
MEASURED = {
    "memory_reserve": 2e9,
    "residency_rule": "reserved",
    "attention_on": 1.0,
    "step_overlap": 0.0,
    "tp_cost_on": 1.0,
    "own_prefill": 1.0,
    "ttft_offset": 0.0,
}
TEXTBOOK = {
    "memory_reserve": 3e9,
    "residency_rule": "mean",
    "attention_on": 0.0,
    "step_overlap": 1.0,
    "tp_cost_on": 0.0,
    "own_prefill": 0.0,
    "mfu": 0.5,
    "mbu": 0.75,
    "moe_mfu_factor": 1.0,
    "tp_layer_cost": 0.0,
    "link_share": 1.0,
    "layer_overhead": 0.0,
    "moe_layer_overhead": 0.0,
    "sequence_overhead": 0.0,
    "ttft_offset": 0.0,
    "ttft_layer_overhead": 0.0,
    "ttft_prefill_factor": 1.0,
    "ttft_queue_slope": 0.0,
}
LARGEST = 2048.0  # sequences: the largest batch that the engines were run with
TURNS = 40  # Little's law at a measured rate is solved by going round; a turn shrinks the gap


class Rows(NamedTuple):
    """Measurements as columns: what was measured (`measured`, `metric`, …), and the inputs of the kernel for each row, in base units."""

    about: dict[str, np.ndarray]
    inputs: dict[str, np.ndarray]

    def where(self, keep) -> Rows:
        return Rows({n: v[keep] for n, v in self.about.items()}, {n: v[keep] for n, v in self.inputs.items()})

    def __len__(self) -> int:
        return len(self.about["measured"])


class Formulas:
    """Quantities worked out on demand from what is given."""

    def __init__(self, given: dict[str, Any]):
        self.given, self.known = given, dict(given)

    def __getitem__(self, name: str):
        if name not in self.known:
            self.known[name] = KERNEL[name](*(self[need] for need in needs_of(KERNEL[name])))
        return self.known[name]

    def at(self, **changes) -> Formulas:
        """The same, with other values; what rests on them is worked out again."""
        return Formulas({**self.given, **changes})


def _kernel(rows: Rows, constants: dict[str, Any]) -> Formulas:
    words = Choice.of(["tensor", "data"], rows.inputs["attention_parallelism"].astype("i4"))
    return Formulas({**SHARED, **rows.inputs, **constants, "attention_parallelism": words})


def formulas(rows: Rows, constants: dict[str, Any]) -> Formulas:
    """The kernel on these rows, with the batch that ran: the concurrency, else what memory holds, else Little's law at the rate."""
    found = _kernel(rows, constants)
    fits = np.clip(np.nan_to_num(found["resident_sequences"], nan=1.0), 1.0, LARGEST)
    asked, rate = rows.inputs["concurrency"], rows.inputs["arrival_rate"]
    batch = np.where(np.isnan(asked), fits, np.minimum(asked, fits))
    open_loop = ~np.isnan(rate)
    if open_loop.any():
        own = {n: v[..., open_loop] if np.shape(v)[-1:] == open_loop.shape else v for n, v in constants.items()}
        solved = _littles_law(_kernel(rows.where(open_loop), own), rate[open_loop], fits[..., open_loop])
        batch = np.broadcast_to(batch, solved.shape[:-1] + open_loop.shape).copy()
        batch[..., open_loop] = solved
    return found.at(batch=batch)


def _littles_law(found: Formulas, rate, fits):
    batch = np.ones_like(rate)
    for _ in range(TURNS):
        batch = np.clip(rate * found.known["output_tokens"] * found.at(batch=batch)["tpot_worst"], 1.0, fits)
    return batch


def predict(rows: Rows, constants: dict[str, Any]) -> np.ndarray:
    """What the closed form says for each row: output tokens per second, TPOT or TTFT, in base units."""
    with np.errstate(all="ignore"):
        found = formulas(rows, constants)
        metric, inputs = rows.about["metric"], rows.inputs
        request = found["prefill_request_time"] + inputs["output_tokens"] * found["step_time"] / found["batch"]
        rate = inputs["replicas"] * inputs["output_tokens"] / request
        rate = np.where(rows.about["latency_bound"], rate * constants.get("server_share", 1.0), rate)
        speed = np.where(metric == "tpot_s", found["tpot_worst"], rate)
        return np.where(metric == "ttft_s", found["ttft"], speed) if "ttft_prefill_factor" in constants else speed
