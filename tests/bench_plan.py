"""The plan in numbers: a million scenarios against the same outputs written by hand in numpy, and how long the command takes to start.

Ratios against a plain baseline in the same run; nothing here is a test. `python -m tests.bench_plan`
"""
from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

from sheetcalc.axes import Choice
from sheetcalc.catalogue import find, fitted
from sheetcalc.run import CHUNK, chunks, failing
from sheetcalc.studies import study

ROWS, BAD, REPEATS = 1_000_000, 50_000, 3
GPUS = ["H100 SXM", "H200 SXM", "B200 SXM"]


def scenarios():
    """A million rows in columns, 50,000 of them with a batch that no replica holds."""
    draw = np.random.default_rng(1)
    columns = {"request_rate": draw.uniform(1, 400, ROWS), "prompt_tokens": draw.integers(100, 8000, ROWS).astype(float),
               "output_tokens": draw.integers(20, 900, ROWS).astype(float), "prefix_hit_share": draw.uniform(0, 0.7, ROWS),
               "batch": draw.integers(1, 32, ROWS).astype(float), "gpu_hour_price": draw.uniform(1.5, 5, ROWS),
               "utilization_cap": draw.uniform(0.4, 0.8, ROWS), "gpu": Choice.of(GPUS, draw.integers(0, 3, ROWS).astype("i4"))}
    columns["batch"][draw.choice(ROWS, BAD, replace=False)] = 2048.0
    return columns


class ByHand:
    """The plan's core outputs, masks and first failing check for Llama 3.3 70B on four GPUs, as a careful person writes them."""

    def __init__(self):
        constants, by_gpu, engine = fitted.constants(), fitted.by_gpu(), fitted.engines()["vllm"]
        self.hbm, self.bandwidth, self.peak, self.attention, self.link = (
            np.array([find("gpus", g, f) for g in GPUS]) for f in ("hbm", "bandwidth", "peak_fp8", "peak_bf16", "link"))
        self.mfu, self.mbu = (np.array([by_gpu[g, "FP8"][n] for g in GPUS]) for n in ("mfu", "mbu"))
        self.params, self.g, self.layers, self.hidden = 70.55e9, 4.0, 80.0, 8192.0
        self.kv_token = 2 * 80 * 8 * 128 * 2.0
        self.tp, self.share, self.sequence = constants["tp_layer_cost"], constants["link_share"], constants["sequence_overhead"]
        self.layer, self.ttft_layer, self.factor, self.slope = (engine[n] for n in ("layer_overhead", "ttft_layer_overhead", "ttft_prefill_factor", "ttft_queue_slope"))
        g = self.g
        self.usable = self.hbm * 0.92 - 2e9
        self.budget = self.usable - self.params / g
        self.compute, self.attention_compute = g * self.peak * self.mfu, g * self.attention * self.mfu
        self.reached = self.bandwidth * self.mbu
        transfer = 2 * self.layers * self.hidden * 2 * 2 * (g - 1) / g / (self.share * self.link)
        self.transfer, self.prefill = transfer, 2 * self.params / self.compute + transfer
        self.read = self.params / g / self.reached

    def part(self, c, part):
        g, code = self.g, c["gpu"].codes[part]
        rate, prompt, out, hit, batch, price, cap = (c[n][part] for n in ("request_rate", "prompt_tokens", "output_tokens", "prefix_hit_share", "batch",
                                                                         "gpu_hour_price", "utilization_cap"))
        budget, compute, attention, reached, transfer, prefill, read, peak, bandwidth = (
            x.take(code) for x in (self.budget, self.compute, self.attention_compute, self.reached, self.transfer, self.prefill, self.read, self.peak, self.bandwidth))
        prompt_load, output_load = rate * prompt, rate * out
        uncached, cached = prompt * (1 - hit), prompt * hit
        context = prompt + out / 2
        kv_sequence = self.kv_token * context
        kv_gpu = kv_sequence / g
        resident = np.floor(np.round(budget / (self.kv_token * (prompt + out) / g), 9))
        request = uncached * prefill + 4 * 80 * 64 * 128 * uncached * (cached + uncached / 2) / attention
        prefill_demand = rate * request
        ttft_compute = np.maximum(request, read)
        one, fits = resident >= 1, batch <= resident
        memory = np.where(fits, (self.params / g + batch * kv_gpu) / reached, np.nan)
        sequence = 2 * self.params / compute + 4 * 80 * 64 * 128 * context / attention
        step = memory + batch * sequence + 2 * 80 * self.tp + batch * transfer + self.sequence * batch + self.layer * 80
        decode = output_load / (batch / step)
        tpot = step + (batch - 1) / out * request
        demand = prefill_demand + decode
        replicas = np.ceil(np.round(demand / cap, 9))
        gpus = replicas * g
        cost = gpus * price
        flop = rate * 2 * self.params * (uncached + out) / (gpus * peak)
        byte = output_load * (self.params / g / batch + kv_gpu) * g / (gpus * bandwidth)
        share = rate / replicas
        floor = self.read[0] * 0 + read + 2 * 80 * self.tp + self.layer * 80
        rise = kv_gpu / reached + sequence + transfer + self.sequence
        phi, tokens = share * request, share * out
        steady = share < 1 / (request + out * np.maximum(rise, sequence))
        running = np.maximum(tokens * (floor - request / out) / (1 - phi - tokens * rise), tokens * floor / (1 - tokens * rise))
        running = np.where(steady & (running <= resident), running, batch)
        ttft = self.ttft_layer * 80 + self.factor * ttft_compute * (1 + self.slope * np.maximum(0, running - 1) / 2) + step
        promised = tpot * 1.4
        first = np.full(len(rate), -1)
        for i, bad in ((9, ~(byte < 1)), (8, ~(flop < 1)), (7, ~(ttft <= 2.0)), (6, ~(promised <= 0.05)), (4, ~fits), (3, ~one)):
            first[bad] = i
        values = (prompt_load, output_load, np.full(len(rate), self.params / g), np.full(len(rate), self.kv_token), kv_sequence, resident, prefill, prefill_demand,
                  decode, demand, step, tpot, ttft_compute, replicas, gpus, cost, cost / (output_load * 3600), cost / ((prompt_load + output_load) * 3600),
                  prefill_demand / demand, flop, byte)
        return values, first

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
    print(f"a million scenarios, core outputs, checks and masks ({infeasible:,} infeasible): {a:.2f} s CPU; by hand in the same chunks {b:.2f} s; ratio {a / b:.2f} (at most 1.5)")
    nothing, words = command("-c", "pass"), ("-m", "sheetcalc")
    for label, line, most in (("sheetcalc --help", ("--help",), 3), ("one evaluate of the core outputs", ("evaluate", "--set", "request_rate=200", "--outputs", "core"), 12)):
        took = command(*words, *line)
        print(f"{label}: {took * 1e3:.0f} ms; python -c pass {nothing * 1e3:.0f} ms; ratio {took / nothing:.1f} (under {most})")


if __name__ == "__main__":
    main()
