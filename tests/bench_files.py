"""Small benchmark files with the keys that each tool writes; the numbers are made up for the tests and go together."""

from __future__ import annotations

import json

import yaml


def vllm(**changes) -> dict:
    """`vllm bench serve --save-result` at a fixed concurrency: 200 requests of 1,000 and 200 tokens."""
    found = {
        "date": "20261112-101500",
        "endpoint_type": "vllm",
        "backend": "vllm",
        "label": None,
        "model_id": "meta-llama/Llama-3.1-70B-Instruct-FP8",
        "tokenizer_id": "meta-llama/Llama-3.1-70B-Instruct",
        "num_prompts": 200,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 16,
        "duration": 60.0,
        "completed": 200,
        "failed": 0,
        "total_input_tokens": 200_000,
        "total_output_tokens": 40_000,
        "request_throughput": 200 / 60,
        "request_goodput": None,
        "output_throughput": 40_000 / 60,
        "total_token_throughput": 4_000.0,
        "max_concurrent_requests": 16,
        "mean_ttft_ms": 210.0,
        "median_ttft_ms": 200.0,
        "std_ttft_ms": 30.0,
        "p99_ttft_ms": 400.0,
        "mean_tpot_ms": 23.0,
        "median_tpot_ms": 22.9,
        "std_tpot_ms": 1.0,
        "p99_tpot_ms": 26.0,
        "mean_itl_ms": 23.1,
        "median_itl_ms": 22.5,
        "std_itl_ms": 4.0,
        "p99_itl_ms": 90.0,
    }
    return found | changes


def speculative_vllm() -> dict:
    """The same with speculation: chunks of 3.16 tokens."""
    return vllm(
        mean_itl_ms=45.7,
        mean_tpot_ms=14.5,
        median_tpot_ms=14.4,
        mean_ttft_ms=900.0,
        spec_decode_acceptance_rate=72.0,
        spec_decode_acceptance_length=3.16,
        spec_decode_num_drafts=1000,
        spec_decode_draft_tokens=3000,
        spec_decode_accepted_tokens=2160,
        spec_decode_per_position_acceptance_rates=[0.85, 0.72, 0.59],
    )


def sglang(**changes) -> dict:
    """A line of SGLang bench_serving, open loop, without TPOT as old releases wrote it."""
    found = {
        "backend": "sglang",
        "dataset_name": "random",
        "request_rate": 2.0,
        "max_concurrency": None,
        "total_input_tokens": 300_000,
        "total_output_tokens": 300_000,
        "total_output_tokens_retokenized": 299_000,
        "mean_e2e_latency_ms": 8_500.0,
        "median_e2e_latency_ms": 8_400.0,
        "median_ttft_ms": 90.0,
        "median_itl_ms": 15.0,
        "output_throughput": 970.0,
        "sharegpt_output_len": None,
        "random_input_len": 1024,
        "random_output_len": 1024,
        "random_range_ratio": 0.0,
        "duration": 309.0,
        "completed": 600,
    }
    return found | changes


def inferencex(**changes) -> dict:
    """An experimental InferenceX result: the same names as vLLM's, in seconds."""
    found = {
        "date": "20260213-081726",
        "model_id": "zai-org/GLM-5-FP8",
        "tokenizer_id": "zai-org/GLM-5-FP8",
        "num_prompts": 320,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 32,
        "duration": 180.0,
        "completed": 320,
        "good_completed": None,
        "total_input_tokens": 1_310_720,
        "total_output_tokens": 40_960,
        "request_throughput": 1.78,
        "request_goodput": None,
        "input_throughput": 7_280.0,
        "output_throughput": 227.6,
        "median_ttft": 1.7,
        "p99_ttft": 13.0,
        "median_e2el": 17.6,
        "p99_e2el": 28.0,
        "median_tpot": 0.124,
        "p99_tpot": 0.17,
    }
    return found | changes


def dashboard(**changes) -> dict:
    """An InferenceX dashboard row."""
    found = {
        "hw": "b200",
        "framework": "trt",
        "precision": "fp4",
        "model": "openai/gpt-oss-120b",
        "tp": 2,
        "ep": 1,
        "conc": 64,
        "isl": 1024,
        "osl": 1024,
        "tput_per_gpu": 9_000.0,
        "output_tput_per_gpu": 4_500.0,
        "mean_ttft": 0.2,
        "median_ttft": 0.19,
        "mean_tpot": 0.0071,
        "median_tpot": 0.007,
        "mean_itl": 0.0071,
        "mean_e2el": 7.4,
        "spec_decoding": "none",
        "disagg": False,
        "date": "2026-03-01",
    }
    return found | changes


def figure(mean: float) -> dict:
    return {"mean": mean, "min": mean, "p50": mean, "median": mean, "p99": mean, "max": mean}


def inference_perf(**changes) -> dict:
    """A stage of inference-perf; its own time per output token counts the empty chunks of the stream."""
    found = {
        "load_summary": {"count": 1_800, "send_duration": 60.0, "requested_rate": 30.0, "achieved_rate": 30.0},
        "successes": {
            "count": 1_800,
            "latency": {
                "request_latency": figure(0.65),
                "time_per_output_token": figure(0.005),
                "time_to_first_token": figure(0.03),
                "inter_token_latency": figure(0.005),
                "normalized_time_per_output_token": figure(0.01),
            },
            "throughput": {
                "input_tokens_per_sec": 6_000.0,
                "output_tokens_per_sec": 1_890.0,
                "total_tokens_per_sec": 7_890.0,
                "requests_per_sec": 30.0,
            },
            "prompt_len": figure(200.0),
            "output_len": figure(63.0),
        },
        "failures": {"count": 0, "request_latency": None, "prompt_len": None},
    }
    return found | changes


def guidellm(model="meta-llama/Llama-3.1-8B-Instruct", kind="concurrent", requests=300, per_iteration=1.0) -> dict:
    """A GuideLLM report of version 2 with one benchmark: TPOT counts the first token, ITL does not."""

    def metric(mean):
        return {"successful": {"mean": mean, "median": mean}, "errored": {"mean": 0.0}, "total": {"mean": mean}}

    strategy = {"type_": kind, "streams": 8} if kind == "concurrent" else {"type_": kind, "rate": 4.0, "max_concurrency": 512}
    rate = 8 / 2.1
    return {
        "metadata": {"version": 2, "guidellm_version": "0.8.0"},
        "benchmarks": [
            {
                "type_": "generative_benchmark",
                "config": {"strategy": strategy, "backend": {"kind": "openai_http", "model": model}},
                "metrics": {
                    "request_totals": {"successful": requests, "errored": 0, "incomplete": 0, "total": requests},
                    "requests_per_second": metric(rate),
                    "request_latency": metric(2.1),
                    "prompt_token_count": metric(512.0),
                    "output_token_count": metric(200.0),
                    "time_to_first_token_ms": metric(100.0),
                    "time_per_output_token_ms": metric(10.5),
                    "inter_token_latency_ms": metric(10.05),
                    "output_tokens_per_second": metric(rate * 200),
                    "output_tokens_per_iteration": metric(per_iteration),
                },
                "start_time": 1_790_000_000.0,
                "end_time": 1_790_000_000.0 + requests / rate,
                "duration": requests / rate,
            }
        ],
    }


def aiperf(unit="ms", **changes) -> dict:
    """AIPerf's export, schema 1.3."""

    def block(avg, unit, **more):
        return {"unit": unit, "avg": avg, "p50": avg, "p99": avg, "std": 0.0} | more

    factor = {"ms": 1.0, "s": 1e-3, "us": 1e3}[unit]
    found = {
        "schema_version": "1.3",
        "aiperf_version": "0.14.0",
        "benchmark_id": "x",
        "request_throughput": block(3.2, "requests/sec"),
        "request_latency": block(4_900.0 * factor, unit),
        "request_count": block(500, "requests"),
        "time_to_first_token": block(120.0 * factor, unit),
        "inter_token_latency": block(24.0 * factor, unit),
        "output_token_throughput": block(640.0, "tokens/sec"),
        "output_sequence_length": block(200.0, "tokens"),
        "input_sequence_length": block(1_000.0, "tokens"),
        "benchmark_duration": block(156.25, "sec"),
        "input_config": {"endpoint": {"model_names": ["Qwen/Qwen3-32B-FP8"]}, "loadgen": {"concurrency": 16}},
        "was_cancelled": False,
        "error_summary": [],
    }
    return found | changes


def mlperf(scenario="Offline", result="VALID") -> str:
    """A loadgen summary."""
    return f"""================================================
MLPerf Results Summary
================================================
SUT name : llama2-70b-{scenario}-SUT
Scenario : {scenario}
Mode     : PerformanceOnly
Samples per second: 100
Tokens per second: 29400
Result is : {result}

================================================
Test Parameters Used
================================================
samples_per_query : 24576
target_qps : 104
"""


def llmd(consistent=True) -> str:
    """An llm-d benchmark report of schema 0.2."""

    def block(mean, units):
        return {"units": units, "mean": mean, "p50": mean, "min": mean, "max": mean}

    rate = 5.0
    return yaml.safe_dump(
        {
            "version": "0.2",
            "run": {"uid": "x", "time": {"start": "2026-11-05T18:00:42Z", "duration": "PT100.0S"}},
            "scenario": {
                "stack": [
                    {
                        "metadata": {},
                        "standardized": {
                            "kind": "inference_engine",
                            "tool": "vllm",
                            "replicas": 1,
                            "role": "aggregate",
                            "model": {"name": "meta-llama/Llama-3.1-8B-Instruct"},
                            "accelerator": {
                                "model": "NVIDIA-H100-80GB-HBM3",
                                "count": 1,
                                "parallelism": {"tp": 1, "pp": 1, "dp": 1, "ep": 1},
                            },
                        },
                    }
                ],
                "load": {"standardized": {"tool": "inference-perf", "rate_qps": rate, "concurrency": None}},
            },
            "results": {
                "request_performance": {
                    "aggregate": {
                        "requests": {
                            "total": 500,
                            "failures": 0,
                            "input_length": block(512, "count"),
                            "output_length": block(100, "count"),
                        },
                        "throughput": {
                            "output_token_rate": block(rate * 100 if consistent else 2_262.4, "tokens/s"),
                            "request_rate": block(rate, "queries/s"),
                        },
                        "latency": {
                            "time_to_first_token": block(0.05, "s"),
                            "time_per_output_token": block(9.0, "ms/token"),
                            "inter_token_latency": block(9.0, "ms/token"),
                            "request_latency": block(941.0, "ms"),
                        },
                    }
                }
            },
        }
    )


def write(folder, name: str, content) -> str:
    """The file's path; a dictionary is written as JSON, a list of them as JSON lines."""
    text = (
        content if isinstance(content, str) else "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content)
    )
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
