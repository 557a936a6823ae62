"""The fit finds what is true, says how sure it is, and its file comes back as it was written."""

import numpy as np
import pytest

from sheetcalc import __main__, catalogue
from sheetcalc.calibrate import calibration, ceilings, checks, file, fit, solve
from sheetcalc.calibrate.facts import Facts, Machine, format_in, machine
from sheetcalc.calibrate.run import CLOSED, OFFLINE, Run
from sheetcalc.catalogue import fitted
from sheetcalc.errors import InputError
from tests import bench_files as files

ONE = Machine("Llama 3.1 70B", "H100 SXM", 4.0, "FP8", "BF16", "vllm")
GIVEN = Facts(gpu="H100 SXM", gpus=4, tensor_parallel=4, weight_format="FP8", engine="vllm")
TRUE = {
    "mfu": 0.45,
    "mbu": 0.70,
    "layer_overhead": 50e-6,
    "ttft_layer_overhead": 0.5e-3,
    "ttft_prefill_factor": 1.5,
    "ttft_queue_slope": 0.10,
}


def invented(concurrency, prompt, noise=1.0, scenario=CLOSED, output=400.0) -> Run:
    """A run as the closed form itself would measure it under the true constants."""
    run = Run(
        "run", "test", scenario, concurrency=concurrency, prompt_tokens=prompt, output_tokens=output, tpot=1.0, ttft=1.0, output_rate=1.0
    )
    data = fit.rows(ONE, [(run, 1.0)])
    values = fit._values(fit.defaults(ONE) | TRUE, list(TRUE), np.log(list(TRUE.values()))[None], data)
    found = dict(zip(data.about["metric"].tolist(), np.ravel(fit.predict(data, values)).tolist(), strict=True))
    return run._replace(
        tpot=found.get("tpot_s", 1.0) * noise, ttft=found.get("ttft_s", 1.0) * noise, output_rate=found.get("output_tok_s", 1.0) * noise
    )


SWEEP = [invented(c, p) for c in (1.0, 8.0, 32.0, 96.0) for p in (200.0, 2_000.0, 8_000.0)]


def test_true_constants_are_found():
    found = fit.fit(ONE, [(r, 1.0) for r in SWEEP], checks.LATENCY)
    assert found.after["tpot_s"] < 0.01 and found.after["ttft_s"] < 0.03
    assert found.before["tpot_s"] > 0.05  # the published constants were off
    for name, true in TRUE.items():
        assert found.constants[name].low <= true <= found.constants[name].high, name


def test_more_runs_say_more():
    few, many = (fit.fit(ONE, [(r, 1.0) for r in runs], checks.LATENCY).constants for runs in (SWEEP[:1], SWEEP))

    def width(constant):
        return np.log(constant.high / constant.low)

    assert all(width(many[n]) <= width(few[n]) * 1.001 for n in TRUE)
    assert width(many["ttft_queue_slope"]) < 0.5 * width(few["ttft_queue_slope"])


def test_one_run_moves_the_speed_and_not_much_else():
    found = fit.fit(ONE, [(SWEEP[5], 1.0)], checks.LATENCY)
    assert found.after["tpot_s"] < 0.03 and not found.left_out
    start = fit.defaults(ONE)
    assert all(abs(np.log(found.constants[n].value / start[n])) < 2 * fit.SPREAD[n][0] for n in TRUE)


def test_an_odd_run_does_not_decide():
    odd = SWEEP[4]._replace(tpot=SWEEP[4].tpot * 4)
    found = fit.fit(ONE, [(r, 1.0) for r in [*SWEEP, odd]], checks.LATENCY)
    assert found.after["tpot_s"] < 0.05


def test_ceilings_hold():
    quick = [r._replace(tpot=r.tpot / 3, ttft=r.ttft / 3) for r in SWEEP]
    found = fit.fit(ONE, [(r, 1.0) for r in quick], checks.LATENCY)
    assert found.constants["mfu"].value <= ceilings.mfu("H100 SXM", "FP8") and found.constants["mbu"].value <= ceilings.MBU
    assert set(found.at_ceiling) == {"mfu", "mbu"}


def test_offline_runs_fit_throughput():
    runs = [invented(None, p, scenario=OFFLINE, output=o) for p, o in ((128.0, 1_024.0), (2_000.0, 200.0), (1_000.0, 1_000.0))]
    found = fit.fit(ONE, [(r, 1.0) for r in runs], checks.THROUGHPUT)
    assert set(found.constants) == {"mfu", "mbu", "layer_overhead"} and found.after["output_tok_s"] < 0.05


def test_the_solver_stays_between_its_bounds_and_says_what_it_does_not_know():
    target = np.array([3.0, 0.5])

    def residuals(x):
        return np.concatenate([x[..., :2] - target, 0 * x[..., 2:]], axis=-1)

    found = solve.fit(residuals, np.array([1.0, 1.0, 1.0]), np.zeros(3), np.array([2.0, 2.0, 2.0]))
    assert found[:2] == pytest.approx([2.0, 0.5])
    assert np.isnan(solve.uncertainty(residuals, found)[2])


def test_names_meet_the_catalogue():
    run = Run(
        "f",
        "test",
        CLOSED,
        model="meta-llama/Llama-3.1-70B-Instruct-FP8",
        gpu="NVIDIA-H100-80GB-HBM3",
        gpus=8.0,
        tensor_parallel=4.0,
        engine="vllm",
    )
    assert machine(run, Facts()) == (ONE, 2.0)
    assert machine(run._replace(gpu="b200"), Facts())[0].gpu == "B200 SXM"
    assert machine(run._replace(gpu="H100 PCIe"), Facts())[0].gpu == "H100 PCIe"
    assert format_in("nvidia/DeepSeek-R1-NVFP4") == "FP4" and format_in("Qwen/Qwen3-32B") is None


@pytest.mark.parametrize(
    "given, says",
    [
        ({}, "write --gpu, --weight-format, --engine, --gpus, --tp too"),
        ({"gpu": "H100"}, "--gpu 'H100' may be H100 SXM, H100 PCIe, H100 NVL"),
        ({"gpu": "Voodoo 2"}, "--gpu 'Voodoo 2' is not in the catalogue"),
        ({"gpu": "H100 SXM", "gpus": 4}, "--tp"),
        ({"gpu": "H100 SXM", "gpus": 6, "tensor_parallel": 4, "weight_format": "FP8", "engine": "vllm"}, "do not divide"),
        ({"gpu": "H100 SXM", "gpus": 4, "tensor_parallel": 4, "weight_format": "FP7", "engine": "vllm"}, "write one of BF16"),
        ({"gpu": "H100 SXM", "gpus": 4, "tensor_parallel": 4, "weight_format": "FP8", "engine": "tgi"}, "write one of vllm"),
        (
            {"gpu": "H100 SXM", "gpus": 4, "tensor_parallel": 4, "weight_format": "FP8", "engine": "vllm", "kv_format": "FP4"},
            "write one of BF16, FP8",
        ),
        ({"model": "Lama 99B"}, "--model 'Lama 99B' is not in the catalogue"),
    ],
)
def test_what_is_not_said_is_asked(given, says):
    with pytest.raises(InputError, match=says):
        machine(Run("f", "test", CLOSED, model="meta-llama/Llama-3.1-70B-Instruct"), Facts(**given))


def test_ambiguous_gpus_are_asked():
    with pytest.raises(InputError, match="it says 'H100', which may be H100 SXM, H100 PCIe, H100 NVL"):
        machine(
            Run("f", "test", CLOSED, model="Llama-3.1-70B", gpu="H100", gpus=4.0, tensor_parallel=4.0, engine="vllm", weight_format="FP8"),
            Facts(),
        )


def calibrated(folder, contents=None, given=GIVEN, **more):
    contents = contents or [
        files.vllm(),
        files.vllm(
            max_concurrency=64,
            median_tpot_ms=33.0,
            mean_tpot_ms=33.0,
            mean_itl_ms=33.0,
            output_throughput=1_500.0,
            duration=40_000 / 1_500,
            median_ttft_ms=700.0,
            mean_ttft_ms=700.0,
        ),
        files.vllm(date="20261113-000000"),
    ]
    return calibration.calibrate([files.write(folder, f"run{i}.json", c) for i, c in enumerate(contents)], given, **more)


def test_the_sentence_that_cites_it(tmp_path):
    says = calibrated(tmp_path, engine_version="0.25").says()
    assert says.startswith("calibrated on 3 runs of 2026-11-12 to 2026-11-13, vllm 0.25, TPOT error ")
    assert calibrated(tmp_path, [files.vllm()]).says().startswith("calibrated on 1 run of 2026-11-12, vllm, TPOT error ")


def test_the_file_comes_back(tmp_path):
    one = calibrated(tmp_path)
    path = tmp_path / "calibration.toml"
    file.write(one, path)
    again = file.read(path)
    assert file.text(again) == file.text(one) == path.read_text(encoding="utf-8")
    assert again.says() == one.says() and again.sources == one.sources
    assert again.inputs() == pytest.approx(one.inputs(), rel=1e-5)
    assert set(again.inputs()) == {*fit.SPREAD, "speed_low", "speed_high"}


def test_text_of_others_stays_text(tmp_path):
    nasty = 'a"]\nmfu = 1\\\u202e<script>'
    one = calibrated(tmp_path, [files.vllm()])._replace(notes=(nasty,), engine_version=nasty)
    file.write(one, tmp_path / "c.toml")
    assert file.read(tmp_path / "c.toml").notes == (nasty,)


@pytest.mark.parametrize(
    "change, says",
    [
        (("sheetcalc_calibration = 1", "sheetcalc_calibration = 7"), "of version 1"),
        (("mfu = {", "mfo = {"), "no constant"),
        (("[machine]", "[machines]"), "lacks a part"),
        (("value = ", "value = 1e9 #"), "is no calibration file|outside"),
        (("[errors]", "[errors"), "is no calibration file"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path, change, says):
    path = tmp_path / "c.toml"
    path.write_text(file.text(calibrated(tmp_path, [files.vllm()])).replace(*change), encoding="utf-8")
    with pytest.raises(InputError, match=says):
        file.read(path)
    with pytest.raises(InputError, match="does not exist"):
        file.read(tmp_path / "none.toml")


def test_refused_runs_are_listed_and_several_configurations_are_not_mixed(tmp_path):
    one = calibrated(tmp_path, [files.vllm(), files.speculative_vllm()])
    assert len(one.sources) == 1 and "speculation" in one.refused[0].says
    with pytest.raises(InputError, match=r"no run may be used:\n.*speculation"):
        calibrated(tmp_path, [files.speculative_vllm()])
    with pytest.raises(InputError, match="several configurations"):
        calibrated(tmp_path, [files.vllm(), files.vllm(model_id="meta-llama/Llama-3.1-8B-Instruct-FP8")])


def test_faster_than_its_memory(tmp_path):
    with pytest.raises(
        InputError, match=r"faster than its memory: 2\.29 ms per token, but reading Llama 3\.1 70B's active weights once takes 5\.26 ms"
    ):
        calibrated(tmp_path, [files.vllm(median_tpot_ms=2.29, mean_tpot_ms=2.29, mean_itl_ms=2.29)])


def test_the_command(tmp_path, capsys):
    run, out = files.write(tmp_path, "run.json", files.vllm()), tmp_path / "c.toml"
    options = ["--gpu", "H100 SXM", "--gpus", "4", "--tp", "4", "--weight-format", "FP8", "--engine", "vllm", "--engine-version", "0.25"]
    assert __main__.main(["calibrate", run, "-o", str(out), *options]) == 0
    assert "calibrated on 1 run of 2026-11-12, vllm 0.25" in capsys.readouterr().out and out.is_file()
    bad = files.write(tmp_path, "bad.json", files.speculative_vllm())
    assert __main__.main(["calibrate", run, bad, *options]) == 1
    assert "bad.json: refused: speculation" in capsys.readouterr().err
    assert __main__.main(["calibrate", bad, *options]) == 2
    assert __main__.main(["calibrate", run]) == 2
    assert "write --gpu" in capsys.readouterr().err


def test_every_published_constant_stands_under_its_ceiling():
    for (gpu, form), found in fitted.by_gpu().items():
        assert found["mfu"] <= ceilings.mfu(gpu, form) and found["mbu"] <= ceilings.MBU
        assert 0 < found["speed_low"] < 1 < found["speed_high"]
        assert (found["rows"] == 0) == str(found["standing"]).startswith("no measurement")
    formats = {(g, f) for g, row in catalogue.read("gpus").rows.items() for f in fitted.FORMATS if row[f"peak_{f.lower()}"]}
    assert set(fitted.by_gpu()) == formats


def test_a_gpu_without_rows_has_the_widest_band():
    found = fitted.by_gpu()
    widest = min(f["speed_low"] for f in found.values()), max(f["speed_high"] for f in found.values())
    assert all((f["speed_low"], f["speed_high"]) == widest for f in found.values() if f["rows"] < 30)
