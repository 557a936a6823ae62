"""`sheetcalc run` and `evaluate` on tables, as a person types them."""

import csv
import os
import sys

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
