"""`--calibration` and `--model` on the command line: in every command, refused where they do not belong."""

import json
from pathlib import Path

import pytest

from sheetcalc.__main__ import main
from tests import bench_files as files

CONFIGS = json.loads((Path(__file__).parent / "data" / "model_configs.json").read_text(encoding="utf-8"))


@pytest.fixture
def calibrated(tmp_path):
    out = tmp_path / "c.toml"
    run = files.write(tmp_path, "run.json", files.vllm())
    assert (
        main(
            [
                "calibrate",
                run,
                "-o",
                str(out),
                "--gpu",
                "H100 SXM",
                "--gpus",
                "4",
                "--tp",
                "4",
                "--weight-format",
                "FP8",
                "--engine",
                "vllm",
            ]
        )
        == 0
    )
    return str(out)


def evaluated(capsys, *options):
    capsys.readouterr()
    code = main(["evaluate", "--set", "request_rate=20", *options])
    said = capsys.readouterr()
    return code, json.loads(said.out)["scenarios"][0], said.err


def test_evaluate_cites_the_calibration(calibrated, capsys):
    code, found, _ = evaluated(capsys, "--calibration", calibrated)
    assert code == 0 and found["inputs"]["mfu"]["source"].startswith("calibrated on 1 run of 2026-11-12, vllm, TPOT error ")
    assert found["inputs"]["model"]["value"] == "Llama 3.1 70B"


def test_another_machine_is_refused(calibrated, capsys):
    code, found, err = evaluated(capsys, "--calibration", calibrated, "--set", "gpu=B200 SXM")
    assert code == 2 and found["status"] == "refused" and found["outputs"] == {}
    assert "the calibration is of gpu H100 SXM, the plan has B200 SXM" in err


def test_rows_of_a_table(calibrated, capsys, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("scenario,request_rate,gpu\nsame,20,H100 SXM\nother,20,H200 SXM\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["evaluate", str(table), "--calibration", calibrated]) == 1
    assert [s["status"] for s in json.loads(capsys.readouterr().out)["scenarios"]] == ["ok", "refused"]


def test_a_model_by_name_and_by_its_own_file(capsys, tmp_path):
    path = tmp_path / "Own 20B.json"
    path.write_text(json.dumps(CONFIGS["gpt-oss-20b"]), encoding="utf-8")
    _, mine, _ = evaluated(capsys, "--model", str(path))
    _, theirs, _ = evaluated(capsys, "--model", "gpt-oss-20b", "--set", "weight_format=FP4")
    assert mine["inputs"]["model"]["value"] == "Own 20B" and theirs["inputs"]["model"]["value"] == "gpt-oss-20b"
    assert mine["outputs"]["gpus"] == theirs["outputs"]["gpus"]


@pytest.mark.parametrize(
    "options, says",
    [
        (["--study", "finance", "--calibration", "x.toml"], "use --study plan"),
        (["--calibration", "nowhere.toml"], "does not exist"),
        (["--model", "nowhere.json"], "does not exist"),
        (["--model", "Lama"], "Lama"),
    ],
)
def test_what_does_not_go_is_said(options, says, capsys):
    assert main(["evaluate", "--set", "request_rate=20", *options]) == 2
    assert says in capsys.readouterr().err


def test_explain_says_where_a_constant_is_from(calibrated, capsys):
    assert main(["explain", "mbu", "--calibration", calibrated]) == 0
    assert "calibrated on 1 run" in capsys.readouterr().out


def test_workbook_and_memo_carry_it(calibrated, tmp_path):
    from openpyxl import load_workbook

    book, memo = tmp_path / "plan.xlsx", tmp_path / "plan.pdf"
    table = tmp_path / "t.csv"
    table.write_text("scenario,request_rate\none,20\n", encoding="utf-8")
    assert main(["workbook", str(table), "-o", str(book), "--calibration", calibrated]) == 0
    cells = [str(c.value) for sheet in load_workbook(book) for row in sheet.iter_rows() for c in row if c.value]
    assert any("calibrated on 1 run of 2026-11-12" in c for c in cells)
    assert main(["memo", str(table), "-o", str(memo), "--calibration", calibrated]) == 0
    assert memo.stat().st_size > 10_000
