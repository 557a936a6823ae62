"""Every importer: recognized by content, right units, what is there and what is not; what is none of them is said in words."""

import contextlib
import json

import pytest

from sheetcalc.calibrate import read
from sheetcalc.calibrate.run import CLOSED, OFFLINE, OPEN
from sheetcalc.errors import InputError
from tests import bench_files as files


def only(folder, content, name="result"):
    runs = read.runs_in(files.write(folder, name, content))
    assert len(runs) == 1
    return runs[0]


@pytest.mark.parametrize(
    "content, form, scenario, tpot, ttft, output",
    [
        (files.vllm(), "vLLM bench serve", CLOSED, 0.0229, 0.200, 200.0),
        (files.vllm(request_rate=3.5, max_concurrency=None), "vLLM bench serve", OPEN, 0.0229, 0.200, 200.0),
        (files.vllm(max_concurrency=None), "vLLM bench serve", OFFLINE, 0.0229, 0.200, 200.0),
        (files.sglang(), "SGLang bench_serving", OPEN, (8.5 - 0.09) / 499, 0.090, 500.0),
        (
            files.sglang(median_tpot_ms=16.0, max_concurrency=32, request_rate=float("inf")),
            "SGLang bench_serving",
            CLOSED,
            0.016,
            0.090,
            500.0,
        ),
        (files.inferencex(), "InferenceX", CLOSED, 0.124, 1.7, 128.0),
        (files.dashboard(), "InferenceX", CLOSED, 0.007, 0.19, 1024.0),
        (files.inference_perf(), "inference-perf", OPEN, (0.65 - 0.03) / 62, 0.03, 63.0),
        (files.guidellm(), "GuideLLM", CLOSED, 0.01005, 0.1, 200.0),
        (files.guidellm(kind="constant"), "GuideLLM", OPEN, 0.01005, 0.1, 200.0),
        (files.aiperf(), "AIPerf", CLOSED, 0.024, 0.12, 200.0),
        (files.aiperf("s"), "AIPerf", CLOSED, 0.024, 0.12, 200.0),
        (files.aiperf("us"), "AIPerf", CLOSED, 0.024, 0.12, 200.0),
        (files.mlperf(), "MLPerf loadgen", OFFLINE, None, None, 294.0),
        (files.llmd(), "llm-d benchmark report", OPEN, 0.009, 0.05, 100.0),
    ],
)
def test_recognized_by_content(tmp_path, content, form, scenario, tpot, ttft, output):
    run = only(tmp_path, content)
    assert (run.format, run.scenario) == (form, scenario)
    assert run.tpot == pytest.approx(tpot) and run.ttft == pytest.approx(ttft) and run.output_tokens == pytest.approx(output)


def test_json_lines_are_one_run_each(tmp_path):
    runs = read.runs_in(files.write(tmp_path, "llama_3_3_70b_online.jsonl", [files.sglang(), files.sglang(request_rate=float("inf"))]))
    assert [r.scenario for r in runs] == [OPEN, OFFLINE]
    assert runs[1].where == "llama_3_3_70b_online.jsonl:2" and runs[0].model == "Llama 3.3 70B"


def test_what_the_files_say_of_the_machine(tmp_path):
    report, row, experiment = (
        only(tmp_path, files.llmd()),
        only(tmp_path, files.dashboard()),
        only(tmp_path, files.inferencex(), "glm5_fp8_vllm_tp8_isl4096.json"),
    )
    assert (report.gpu, report.gpus, report.tensor_parallel, report.engine, report.date) == (
        "NVIDIA-H100-80GB-HBM3",
        1.0,
        1.0,
        "vllm",
        "2026-11-05",
    )
    assert (row.gpu, row.gpus, row.weight_format, row.engine) == ("b200", 2.0, "FP4", "trtllm")
    assert row.output_rate == 9_000.0
    assert (experiment.gpus, experiment.engine, experiment.weight_format, experiment.date) == (8.0, "vllm", "FP8", "2026-02-13")
    mlperf = only(tmp_path, files.mlperf(), "v5_H200x8_llama2-70b_summary.txt")
    assert (mlperf.gpu, mlperf.gpus, mlperf.model) == ("H200", 8.0, "Llama 2 70B")


def test_genai_perf_is_the_same_family(tmp_path):
    run = only(
        tmp_path,
        {
            "request_throughput": {"unit": "requests/sec", "avg": 2.0},
            "request_latency": {"unit": "ms", "avg": 2_100.0},
            "time_to_first_token": {"unit": "ms", "avg": 110.0, "p50": 100.0},
            "inter_token_latency": {"unit": "ms", "avg": 20.0, "p50": 20.0},
            "output_sequence_length": {"unit": "tokens", "avg": 100.0},
            "input_sequence_length": {"unit": "tokens", "avg": 300.0},
            "input_config": {"model": ["my_model"], "perf_analyzer": {"stimulus": {"concurrency": 4}}},
        },
    )
    assert (run.format, run.concurrency, run.model, run.tpot, run.ttft) == ("AIPerf", 4.0, "my_model", 0.02, 0.1)


def test_a_unit_that_is_no_time_is_refused(tmp_path):
    document = files.aiperf()
    document["inter_token_latency"]["unit"] = "tokens"
    with pytest.raises(InputError, match="inter_token_latency has the unit 'tokens'"):
        only(tmp_path, document)


@pytest.mark.parametrize(
    "content, says",
    [
        ("", "is empty"),
        ("   \n", "is empty"),
        ("{", "broken JSON"),
        ('{"a": 1}\n{"b": ', "line 2 is broken JSON"),
        ("a: [1", "neither JSON nor YAML"),
        ('{"hello": 1}', "no benchmark result that is known"),
        ("[1, 2]", "no benchmark result"),
        ("api: 1\ndata: 2", "no benchmark result"),
        ("a: &x [1, 1]\nb: *x", "aliases"),
        ("[" * 100_000, "nested too deeply|broken JSON"),
        ("!!python/object/apply:os.system ['ls']", "neither JSON nor YAML"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path, content, says):
    with pytest.raises(InputError, match=says):
        read.runs_in(files.write(tmp_path, "other.json", content))


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="is not a file"):
        read.runs_in(tmp_path / "none.json")
    (tmp_path / "zip.json").write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read.runs_in(tmp_path / "zip.json")
    monkeypatch.setattr(read, "LARGEST", 10)
    with pytest.raises(InputError, match="without the list of every request"):
        read.runs_in(files.write(tmp_path, "big.json", files.vllm()))


@pytest.mark.parametrize(
    "build", [files.vllm, files.sglang, files.inferencex, files.dashboard, files.inference_perf, files.guidellm, files.aiperf]
)
def test_a_file_with_any_part_missing_never_ends_in_a_traceback(tmp_path, build):
    document = build()
    for key in document:
        for value in (None, "word", [], {}, -1):
            changed = json.loads(json.dumps(document)) | {key: value}
            with contextlib.suppress(InputError):
                read.runs_in(files.write(tmp_path, "part.json", changed))
