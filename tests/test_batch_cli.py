"""`sheetcalc run` and `evaluate` on tables, as a person types them."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sheetcalc.__main__ import main
from sheetcalc.batch.progress import Progress


@pytest.mark.slow
def test_a_run_with_a_refused_row_and_its_mended_second_run(tmp_path, capsys):
    source, out = tmp_path / "plan.csv", tmp_path / "out"
    source.write_text("sep=;\nscenario;request_rate;gpu;issue_date\nChat;40;h100 sxm;2026-11-30\nLarge;5x;H200 SXM;\n", "utf-8")
    assert main(["run", str(source), "-o", str(out), "--jobs", "1"]) == 1
    said = capsys.readouterr().err
    assert f"{source}:4:request_rate: '5x' is in x" in said and "1 done, 1 refused, 0 failed" in said
    assert {"Chat.pdf", "refused.csv", "summary.csv", "manifest.jsonl", "scenarios.xlsx"} <= {p.name for p in out.iterdir()}
    refused = out / "refused.csv"
    refused.write_text(refused.read_text("utf-8-sig").replace("5x", "5"), "utf-8")
    assert main(["run", str(refused), "-o", str(out), "--jobs", "1", "--quiet", "--decimal-out", ","]) == 0
    summary = list(csv.reader((out / "summary.csv").read_text("utf-8-sig").splitlines(), delimiter=";"))
    assert [row[1] for row in summary] == ["scenario", "Chat", "Large"]
    assert any("," in cell for cell in summary[1][3:])


@pytest.mark.parametrize(
    "arguments",
    [
        ["none.csv"],
        ["empty.csv"],
        ["unknown.csv"],
        ["titled.csv"],
        ["titled.csv", "--header-row", "9"],
        ["."],
        ["ok.csv", "--delimiter", "xx"],
        ["ok.csv", "--encoding", "klingon"],
        ["ok.csv", "--set", "nonsense=1"],
        ["ok.csv", "-o", "ok.csv"],
        ["ok.csv", "--dask", "tcp://127.0.0.1:9"],
    ],
)
def test_what_cannot_be_used_is_status_2_and_a_sentence(tmp_path, monkeypatch, capsys, arguments):
    from sheetcalc.batch import remote

    monkeypatch.setattr(remote, "CONNECT", 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "unknown.csv").write_text("scenario,request_rats\nA,1\n")
    (tmp_path / "titled.csv").write_text("Plan,,\nscenario,request_rate\nA,1\n")
    (tmp_path / "ok.csv").write_text("scenario,request_rate\nA,1\n")
    assert main(["run", *arguments]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert said and all(": " in line and "Traceback" not in line for line in said)


def test_a_header_below_titles(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("Plan,,\nscenario,request_rate,\nA,12.5,\n")
    assert main(["evaluate", str(tmp_path / "t.csv"), "--header-row", "2", "--format", "csv", "--outputs", "prompt_load"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "A,ok,,25000.0"


def test_progress_in_lines(capsys, monkeypatch):
    now = iter(range(0, 10_000, 2))
    monkeypatch.setattr("sheetcalc.batch.progress.time.monotonic", lambda: float(next(now)))
    bar = Progress(100)
    for _ in range(100):
        bar.step()
    lines = capsys.readouterr().err.splitlines()
    assert (
        len(lines) == 20
        and lines[0] == "5 of 100 scenarios, 30.0 a minute, 3 min left"
        and lines[-1] == "100 of 100 scenarios, 30.0 a minute, 0 s left"
    )
    quiet = Progress(100, quiet=True)
    quiet.step(100)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_progress_on_a_terminal_is_a_bar(monkeypatch):
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    with open(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        bar = Progress(10)
        bar.step(10)
        bar.close()
    shown = os.read(ours, 10_000).decode()
    assert "100%" in shown and "10/10" in shown


def test_a_run_that_is_over_at_once_needs_no_progress(capsys):
    bar = Progress(5)
    for _ in range(5):
        bar.step()
    assert capsys.readouterr().err == ""


def test_results_into_a_file_are_refused_as_what_they_are(tmp_path, capsys):
    (tmp_path / "ok.csv").write_text("scenario,request_rate\nA,1\n")
    assert main(["run", str(tmp_path / "ok.csv"), "-o", str(tmp_path / "ok.csv")]) == 2
    assert f"-o {tmp_path / 'ok.csv'}: is a file; name a folder" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["evaluate", "--format", "csv"], ["evaluate"], ["compare"]])
def test_each_command_says_how_it_read_a_file(tmp_path, capsys, words):
    table = tmp_path / "t.csv"
    table.write_bytes("scenario;request_rate;notes\nKäufer;1,5;größer\n".encode("cp1252"))
    assert main([words[0], str(table), *([str(table)] if words[0] == "compare" else []), *words[1:]]) == 0
    said = capsys.readouterr().err
    assert f"{table}: row 2 has byte 0xE4, which is not UTF-8; read as cp1252 (Windows), which gives 'Käufer', 'größer'" in said
    assert f"{table}: its numbers have a decimal comma" in said


def test_an_ambiguous_number_names_both_readings(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("scenario;prompt_tokens;request_rate\nA;1.200;2,5\n", "utf-8")
    assert main(["evaluate", str(table), "--format", "csv", "--outputs", "gpus"]) == 1
    said = capsys.readouterr().err
    assert "write 1200 if it is that; or say which mark the file uses: with --decimal , it is 1200, with --decimal . it is 1.200" in said


def test_a_pipe_that_lacks_a_letter_loses_no_line(tmp_path):
    for name, rate in (("old.csv", 1), ("new.csv", 2)):
        (tmp_path / name).write_text(f"scenario,request_rate\nŁódź,{rate}\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "sheetcalc", "compare", "old.csv", "new.csv"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert done.returncode == 0, done.stderr
    assert b"request_rate [req/s]: 1 \\u2192 2" in done.stdout
