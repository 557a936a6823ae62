"""Every trap is refused in words by the check that is named for it, and a clean run passes."""

import pytest

from sheetcalc.calibrate import checks, read
from tests import bench_files as files


def refusal(folder, content, purpose=checks.LATENCY, name="result.json"):
    return checks.refusal(read.runs_in(files.write(folder, name, content))[0], purpose)


@pytest.mark.parametrize(
    "content",
    [
        files.vllm(),
        files.sglang(),
        files.inferencex(),
        files.dashboard(),
        files.inference_perf(),
        files.guidellm(),
        files.aiperf(),
        files.llmd(),
    ],
)
def test_clean_runs_pass(tmp_path, content):
    assert refusal(tmp_path, content) == ""


@pytest.mark.parametrize(
    "content, says",
    [
        (files.vllm(completed=0, failed=200, total_input_tokens=0, total_output_tokens=0), "no request completed"),
        (files.vllm(completed=180, failed=20, total_output_tokens=36_000, output_throughput=600.0), "20 of 200 requests failed"),
        (files.vllm(num_prompts=8, completed=8, total_input_tokens=8_000, total_output_tokens=1_600, duration=2.4), "only 8 requests"),
        (files.vllm(request_rate=5.0, max_concurrency=None), r"saturated: 3.33 of 5 requests per second were carried \(67%"),
        (files.sglang(median_ttft_ms=6_000.0), "saturated: 71% of a request's time passed before its first token"),
        (files.speculative_vllm(), "speculation: the file holds spec_decode_acceptance_length, acceptance length 3.16"),
        (files.vllm(mean_itl_ms=45.7, mean_tpot_ms=23.0), "speculation hidden in the data: a chunk holds 1.99 tokens"),
        (files.sglang(accept_length=2.4), "speculation: the file holds accept_length"),
        (files.dashboard(spec_decoding="mtp"), "speculation: the file holds spec_decoding mtp"),
        (files.guidellm(per_iteration=2.5), "a chunk holds 2.50 tokens"),
        (files.guidellm(model="e2e-mock-model"), "mock server"),
        (files.llmd(consistent=False), r"contradicts itself: 500 requests of 100 tokens in 100 s are 500 tok/s, but it says 2,262"),
        (files.inferencex(median_tpot=124.0, median_ttft=1_700.0), "contradicts itself: first token and the rest make"),
        (files.vllm(median_tpot_ms=0.023, mean_tpot_ms=0.023, mean_itl_ms=0.023), "is the unit what the tool says"),
        (files.dashboard(disagg=True), "machines of their own"),
        (files.aiperf(was_cancelled=True), "the run was cancelled"),
        (files.aiperf(error_summary=[{"error_details": {}, "count": 100}]), "100 of 600 requests failed"),
        (files.inference_perf(successes=files.inference_perf()["successes"] | {"image": {"count": 1}}), "audio or image run"),
        (files.vllm(max_concurrency=None), "offline .* --for throughput"),
        (files.mlperf(), "offline"),
        (files.mlperf(result="INVALID"), "only a VALID performance run counts"),
        ({"_metadata": {"source": "BLIS simulated"}, "benchmarks": [{"model": "x", "estimated": True}]}, "simulated or estimated"),
        (files.vllm(median_ttft_ms=None, mean_ttft_ms=None), "does not hold time to first token"),
    ],
)
def test_traps(tmp_path, content, says):
    import re

    found = refusal(tmp_path, content)
    assert re.search(says, found), found


@pytest.mark.parametrize("name, says", [("vllm_eagle_stage_1.json", "eagle"), ("dsr1_mtp_c16.json", "mtp"), ("run-eagle3.json", "eagle3")])
def test_a_name_that_says_speculation(tmp_path, name, says):
    assert f"its name says '{says}'" in refusal(tmp_path, files.vllm(), name=name)
    assert refusal(tmp_path, files.vllm(), name="prompts_eagleton.json") == ""


def test_offline_serves_throughput(tmp_path):
    assert refusal(tmp_path, files.mlperf(), checks.THROUGHPUT) == ""
    assert refusal(tmp_path, files.vllm(max_concurrency=None), checks.THROUGHPUT) == ""


def test_the_knee(tmp_path):
    def at(rate):
        return files.vllm(request_rate=rate, max_concurrency=None)

    assert refusal(tmp_path, at(200 / 60 / 0.951)) == ""
    assert "saturated" in refusal(tmp_path, at(200 / 60 / 0.949))
