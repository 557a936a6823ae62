"""The plan in numbers: a million scenarios against the same outputs written by hand in numpy, and how long the command takes to start.

Ratios against a plain baseline in the same run; nothing here is a test. `python -m tests.bench_plan`
"""

from __future__ import annotations

import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np

from sheetcalc.axes import Choice
from sheetcalc.catalogue import find, fitted
from sheetcalc.many import CHUNK, chunks, failing
from sheetcalc.studies import study

ROWS, BAD, REPEATS = 1_000_000, 50_000, 3
GPUS = ["H100 SXM", "H200 SXM", "B200 SXM"]


def scenarios():
    """A million rows in columns, 50,000 of them with a batch that no replica holds."""
    draw = np.random.default_rng(1)
    columns = {
        "request_rate": draw.uniform(1, 400, ROWS),
        "prompt_tokens": draw.integers(100, 8000, ROWS).astype(float),
        "output_tokens": draw.integers(20, 900, ROWS).astype(float),
        "prefix_hit_share": draw.uniform(0, 0.7, ROWS),
        "batch": draw.integers(1, 32, ROWS).astype(float),
        "gpu_hour_price": draw.uniform(1.5, 5, ROWS),
        "utilization_cap": draw.uniform(0.4, 0.8, ROWS),
        "gpu": Choice.of(GPUS, draw.integers(0, 3, ROWS).astype("i4")),
    }
    columns["batch"][draw.choice(ROWS, BAD, replace=False)] = 2048.0
    return columns


class ByHand:
    """The plan's core outputs, masks and first failing check as a careful person writes them in numpy: every input of the plan may vary."""

    def __init__(self):
        plan = study("plan").evaluate({"request_rate": 1.0})
        self.p = SimpleNamespace(**{i["name"]: i["value"] for i in plan.used_inputs()})
        by_gpu = fitted.by_gpu()
        self.hbm, self.bandwidth, self.peak, self.attention, self.link = (
            np.array([find("gpus", g, f) for g in GPUS]) for f in ("hbm", "bandwidth", "peak_fp8", "peak_bf16", "link")
        )
        self.mfu, self.mbu = (np.array([by_gpu[g, "FP8"][n] for g in GPUS]) for n in ("mfu", "mbu"))

    def part(self, c, part):
        p, code, g = self.p, c["gpu"].codes[part], self.p.gpus_per_replica
        rate, prompt, out, hit, batch, price, cap = (
            c[n][part]
            for n in ("request_rate", "prompt_tokens", "output_tokens", "prefix_hit_share", "batch", "gpu_hour_price", "utilization_cap")
        )
        hbm, bandwidth, peak, attention_peak, link, mfu, mbu = (
            x.take(code) for x in (self.hbm, self.bandwidth, self.peak, self.attention, self.link, self.mfu, self.mbu)
        )
        moe = p.experts > 0
        weights = p.params * p.bytes_per_weight / g
        usable = hbm * p.memory_fraction - p.memory_reserve
        weights_fit = weights < usable
        room = np.where(weights_fit, usable - weights, np.nan)
        compute, attention, reached = g * peak * mfu * (p.moe_mfu_factor if moe else 1), g * attention_peak * mfu, bandwidth * mbu
        per_layer = p.kv_tensors * p.kv_heads * p.head_size * p.bytes_per_kv
        kv_token, kv_window = per_layer * p.kv_layers, per_layer * p.window_layers
        shards = g if p.attention_parallelism == "data" else min(g, p.kv_heads)
        prompt_load, output_load = rate * prompt, rate * out
        uncached, cached = prompt * (1 - hit), prompt * hit
        context = prompt + out / 2
        held = prompt + (out if p.residency_rule == "reserved" else out / 2)
        kv_sequence = kv_token * context + kv_window * np.minimum(context, p.window)
        kv_gpu = kv_sequence / shards
        resident = np.floor(np.round(room / ((kv_token * held + kv_window * np.minimum(held, p.window)) / shards), 9))
        one, fits = resident >= 1, batch <= resident
        sent = p.reduces_per_layer * p.layers * p.hidden * p.bytes_per_activation * 2 * (g - 1) / g
        transfer = p.tp_cost_on * sent / (p.link_share * link)
        prefill = p.flops_per_param * p.active_params / compute + transfer
        pairs = p.attention_on * p.flops_per_pair * p.kv_layers * p.query_heads * p.query_head_size
        request = uncached * prefill + pairs * uncached * (cached + uncached / 2) / attention
        prefill_demand = rate * request
        coverage = 1 - (1 - p.experts_per_token / p.experts) ** batch if p.experts_per_token < p.experts else 1.0
        read = (p.params - p.expert_params * (1 - coverage)) * p.bytes_per_weight / g
        read_time = read / reached
        ttft_compute = np.maximum(request, read_time)
        memory = np.where(fits, (read + batch * kv_gpu) / reached, np.nan)
        sequence = p.flops_per_param * p.active_params / compute + pairs * context / attention
        work = batch * sequence
        reduce_floor = p.all_reduce_on * p.reduces_per_layer * p.layers * p.all_reduce_latency
        reduce_rise = p.all_reduce_on * sent / p.all_reduce_bandwidth
        tp_floor = p.tp_cost_on * p.reduces_per_layer * p.layers * p.tp_layer_cost if g > 1 else 0.0
        layers = (p.layer_overhead + (p.moe_layer_overhead if moe else 0)) * p.layers
        step = (
            np.maximum(memory, work)
            + (1 - p.step_overlap) * np.minimum(memory, work)
            + reduce_floor
            + batch * reduce_rise
            + tp_floor
            + batch * (transfer if g > 1 else 0.0)
            + p.step_overhead
            + p.sequence_overhead * batch
            + layers
        )
        decode = output_load / (batch / step)
        tpot = step + (batch - p.own_prefill) / out * request
        demand = prefill_demand + decode
        replicas = np.maximum(p.min_replicas, np.ceil(np.round(demand / cap, 9)) + p.failure_reserve)
        gpus = replicas * g
        cost = gpus * price
        flop = rate * p.flops_per_param * p.active_params * (uncached + out) / (gpus * peak)
        byte = output_load * (read / batch + kv_gpu) * g / (gpus * bandwidth)
        share = rate / replicas
        floor = read_time + reduce_floor + tp_floor + p.step_overhead + layers
        rise = (kv_gpu / reached + (1 - p.step_overlap) * sequence + reduce_rise + (transfer if g > 1 else 0.0) + p.sequence_overhead) * (
            (prompt + out / 2 * (1 + p.output_cv**2)) / context
        )
        phi, tokens = share * request, share * out
        steady = share < 1 / (request + out * np.maximum(rise, sequence))
        running = np.maximum(
            tokens * (floor - p.own_prefill * request / out) / (1 - phi - tokens * rise), tokens * floor / (1 - tokens * rise)
        )
        running = np.where(steady & (running <= resident), running, batch)
        ttft = (
            p.ttft_offset
            + p.ttft_layer_overhead * p.layers
            + p.ttft_prefill_factor * ttft_compute * (1 + p.ttft_queue_slope * np.maximum(0, running - 1) / 2)
            + step
            + p.queue_wait
        ) * p.ttft_tail
        checks = (
            rate > 0,
            peak > 0,
            weights_fit,
            one,
            fits,
            None,
            tpot * p.tpot_tail <= p.tpot_target,
            ttft <= p.ttft_target,
            flop < 1,
            byte < 1,
        )
        first = np.full(len(rate), -1)
        for i in range(len(checks) - 1, -1, -1):
            if checks[i] is not None:
                first[~checks[i]] = i
        values = (
            prompt_load,
            output_load,
            np.full(len(rate), weights),
            np.full(len(rate), kv_token),
            kv_sequence,
            resident,
            prefill,
            prefill_demand,
            decode,
            demand,
            step,
            tpot,
            ttft_compute,
            replicas,
            gpus,
            cost,
            cost / (output_load * p.seconds_per_hour),
            cost / ((prompt_load + output_load) * p.seconds_per_hour),
            prefill_demand / demand,
            flop,
            byte,
        )
        return values, first, [np.where(np.isnan(step), np.nan, check) if check is not None else None for check in checks[6:]]

    def run(self, columns):
        with np.errstate(all="ignore"):
            return [self.part(columns, slice(at, min(at + CHUNK, ROWS))) for at in range(0, ROWS, CHUNK)]


def by_model(columns):
    """The same through the study."""
    plan = study("plan")
    keep = list(dict.fromkeys([*plan.core, *plan.model.errors]))
    return [(found, failing(plan.model, found)) for _, found in chunks(plan.model, columns, keep)]


def cpu(work, repeats=REPEATS):
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def command(*words, repeats=10):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print the ratios."""
    columns = scenarios()
    hand, plan = ByHand(), study("plan")
    ours, theirs = by_model(columns), hand.run(columns)
    for n, x in zip(plan.core, theirs[0][0]):
        np.testing.assert_allclose(ours[0][0][n], x, rtol=1e-9, err_msg=n)
    infeasible = sum(int((f >= 0).sum()) for _, f in ours)
    del ours, theirs
    a, b = cpu(lambda: by_model(columns)), cpu(lambda: hand.run(columns))
    print(
        f"a million scenarios, core outputs, checks and masks ({infeasible:,} infeasible): {a:.2f} s CPU; by hand in the same "
        f"chunks {b:.2f} s; ratio {a / b:.2f} (at most 1.5)"
    )
    nothing, words = command("-c", "pass"), ("-m", "sheetcalc")
    for label, line, most in (
        ("sheetcalc --help", ("--help",), 3),
        ("one evaluate of the core outputs", ("evaluate", "--set", "request_rate=200", "--outputs", "core"), 12),
    ):
        took = command(*words, *line)
        print(f"{label}: {took * 1e3:.0f} ms; python -c pass {nothing * 1e3:.0f} ms; ratio {took / nothing:.1f} (under {most})")


if __name__ == "__main__":
    main()
