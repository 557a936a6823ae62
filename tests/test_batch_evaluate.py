"""Tables of any length as arrays: the fast way and the row-by-row way accept, refuse and give the same, and the results appear whole."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheetcalc import scenarios
from sheetcalc.__main__ import main
from sheetcalc.axes import Choice
from sheetcalc.batch import million
from sheetcalc.batch import plain as plain_files
from sheetcalc.batch.columns import Blank, from_rows
from sheetcalc.batch.plain import Same, open_plain
from sheetcalc.studies import study

PLAN = study("plan")
HEADER = "scenario,request_rate,mfu,gpu,gpus_per_replica\n"
ROWS = [
    "A,200,0.5,H100 SXM,4",
    "B,12.5,,h200 sxm,8",
    "C,0.001,45%,,",
    "D,1e3,0.5,H100 SXM,4",
    "E,007,0.5,H100 SXM,4",
    "F,1,1.5,H100 SXM,4",
    "G,1,0.5,H10O,4",
    "H,-1,0.5,H100 SXM,4",
    "I,1,0.5,H100 SXM,2.5",
    ",1,0.5,H100 SXM,4",
    "J,9007199254740993,0.5,H100 SXM,4",
    "Ü,3,0.5,H100 SXM,4",
    "=K,3,0.5,H100 SXM,4",
    "L,50 req/h,0.5,H100 SXM,4",
    "M,1e400,0.5,,",
    "N,inf,0.5,,",
    "O,nan,0.5,,",
    "P, 5 ,0.5,,",
    "Q,+5,0.5,,",
    "R,.5,0.5,,",
    "S,5.,0.5,,",
    "T,0.1234567890123456,0.5,,",
    "U,123456789012345.6,0.5,,",
    "V,−3,0.5,,",
    "W,0,0.5,,",
]


def plain(path):
    return open_plain(path, PLAN.inputs, {}, None, None, None, None)


def found(parts):
    """Name to inputs, or to the problems."""
    out = {}
    for part in parts:
        for i, name in enumerate(part.names):
            refused = part.refused.get(i)
            out[name, i if not name else 0] = (
                refused.problems
                if refused
                else {n: (c.words[c.codes[i]] if isinstance(c, Choice) else float(c[i])) for n, c in part.columns.items()}
            )
    return out


def both_ways(path):
    blank = Blank(PLAN.model)
    fast, table = plain(path), scenarios.read(path, PLAN.inputs)
    assert fast is not None
    return found(fast.parts(blank)), found(from_rows(table, blank))


def same(a, b):
    assert a.keys() == b.keys()
    for name in a:
        assert repr(a[name]) == repr(b[name]), name


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_both_ways_read_alike(tmp_path, end):
    path = tmp_path / "t.csv"
    path.write_bytes((HEADER + "\n".join(ROWS) + "\n").replace("\n", end).encode())
    fast, slow = both_ways(path)
    same(fast, slow)
    assert sum(isinstance(v, dict) for v in fast.values()) == 10
    for text in (
        HEADER + "\n".join(ROWS),
        HEADER + "\n\n" + "\n".join(ROWS[:3]) + "\n,,,,\n" + ROWS[3],
        HEADER + "A,1,0.5\n" + "B,1,0.5,,,\n" + ROWS[1].replace("B", "X"),
        HEADER + "A,1,0.5,,,9\nB,2,0.5,\n",
    ):
        path.write_text(text)
        same(*both_ways(path))


numbers = (
    st.floats(1e-4, 1e6).map(lambda x: f"{x:.15g}")
    | st.integers(1, 10**9).map(str)
    | st.from_regex(r"-?[0-9]{0,4}[.,]?[0-9]{0,14}(e[0-9])?", fullmatch=True)
    | st.text("0123456789.%kM-+eE x", max_size=8)
)


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.tuples(numbers, numbers, st.sampled_from(["", "H100 SXM", "h200  sxm", "b200 SXM", "nope"])), min_size=1, max_size=20),
    st.sampled_from(",;\t|"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
    st.booleans(),
)
def test_both_ways_give_the_same_floats(tmp_path, rows, delimiter, quoting, encoding, comma):
    path = tmp_path / "t.csv"
    with open(path, "w", encoding=encoding, newline="") as file:
        out = csv.writer(file, delimiter=delimiter, quoting=quoting)
        out.writerow(["scenario", "request_rate", "mfu", "gpu"])
        for i, (a, b, c) in enumerate(rows):
            out.writerow([f"s{i}é", a.replace(".", ",") if comma else a, b, c])
    same(*both_ways(path))


@pytest.mark.parametrize("decimal", [",", ".", None])
def test_a_declared_decimal_mark_holds_in_both_ways(tmp_path, decimal):
    path = tmp_path / "t.csv"
    path.write_text("scenario;request_rate;mfu\nA;1,234;0,5\nB;1.234;50%\nC;2,5;0.5\nD;1.234,5;0,25\nE;12;0,4\n")
    fast = open_plain(path, PLAN.inputs, {}, None, None, decimal, None)
    table = scenarios.read(path, PLAN.inputs, decimal=decimal)
    blank = Blank(PLAN.model)
    same(found(fast.parts(blank)), found(from_rows(table, blank)))
    assert fast.notes == table.notes


def test_files_for_the_slow_way(tmp_path):
    path = tmp_path / "t.csv"
    for content in (
        b'scenario,request_rate\n"A\nB",1\n',
        b'scenario,request_rate\nA"B,1\n',
        b'scenario,request_rate\n"A"B,1\n',
        b"scenario,request_rate\rA,1\r",
        b"scenario,request_rate\nA,\x001\n",
        "scenario,request_rate\nA,1\n".encode("utf-16"),
    ):
        path.write_bytes(content)
        assert plain(path) is None


def test_blocks_cut_between_rows(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + "".join(f"s{i},{i + 1},0.5,H100 SXM,4\n" for i in range(500)) + "bad,x,0.5,,\n")
    monkeypatch.setattr(plain_files, "BLOCK", 100)
    monkeypatch.setattr(plain_files, "LONGEST_LINE", 100)
    fast, slow = both_ways(path)
    same(fast, slow)
    refused = [r for part in plain(path).parts(Blank(PLAN.model)) for r in part.refused.values()]
    assert [r.row_number for r in refused] == [502]


def test_the_same_name_twice_is_seen_at_the_end(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("scenario,request_rate\nPlan,1\nplan ,2\nother,3\n")
    with pytest.raises(Same):
        list(plain(path).parts(Blank(PLAN.model)))
    assert main(["evaluate", str(path), "--format", "csv", "-o", str(tmp_path / "r.csv"), "--outputs", "gpus", "--quiet"]) == 1
    lines = list(csv.reader((tmp_path / "r.csv").open()))
    assert [line[:2] for line in lines[1:]] == [["Plan", "refused"], ["plan", "refused"], ["other", "ok"]]


def test_results_are_those_of_single_evaluations(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "r.parquet"
    rates = [0.5, 200.0, 1e5]
    batches = [8, 128, 4000]
    path.write_text(
        "scenario,request_rate,batch,gpu\n"
        + "".join(f"s{r:g}b{b},{r!r},{b},{g}\n" for r in rates for b in batches for g in ("H100 SXM", "L4"))
    )
    assert main(["evaluate", str(path), "--format", "parquet", "-o", str(out), "--quiet"]) == 1
    path.write_text(
        "scenario,request_rate,batch,gpu\n"
        + "".join(f"s{r:g}b{b}{g},{r!r},{b},{g}\n" for r in rates for b in batches for g in ("H100 SXM", "L4"))
    )
    assert main(["evaluate", str(path), "--format", "parquet", "-o", str(out), "--quiet"]) == 0
    frame = pl.read_parquet(out)
    cases = [(r, b, g) for r in rates for b in batches for g in ("H100 SXM", "L4")]
    assert {"ok", "infeasible"} == set(frame["status"])
    for row, (rate, batch, gpu) in zip(frame.iter_rows(named=True), cases, strict=True):
        result = PLAN.evaluate({"request_rate": rate, "batch": float(batch), "gpu": gpu})
        assert row["status"] == result.status
        assert row["problem"] == (result.problems[0] if result.problems else None)
        for name in PLAN.core:
            value = result.value(name)
            column = next(c for c in frame.columns if c.split(" [")[0] == name)
            assert row[column] is None if value != value else row[column] == pytest.approx(value, rel=1e-12)


def test_refused_rows_of_an_evaluation_run_again(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "r.csv"
    path.write_text(HEADER + "\n".join(ROWS) + "\n")
    assert main(["evaluate", str(path), "--format", "csv", "-o", str(out), "--outputs", "gpus", "--quiet"]) == 1
    refused = tmp_path / "r.refused.csv"
    assert len(scenarios.read(refused, PLAN.inputs).header) == 9
    assert main(["evaluate", str(refused), "--format", "csv", "-o", str(tmp_path / "again.csv"), "--outputs", "gpus", "--quiet"]) == 1
    text = out.read_text()
    assert "'=K,ok" in text and "\n=K" not in text


def test_nothing_stays_of_a_failed_evaluation(tmp_path, monkeypatch):
    path, out = tmp_path / "t.csv", tmp_path / "r.csv"
    path.write_text("scenario,request_rate\nA,1\n")
    out.write_text("before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(million._Csv, "add", full)
    assert main(["evaluate", str(path), "--format", "csv", "-o", str(out), "--quiet"]) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.csv", "t.csv"] and out.read_text() == "before"


def test_what_is_no_column_of_results(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("scenario\nA\n")
    assert main(["evaluate", str(path), "--format", "parquet"]) == 2
    assert main(["evaluate", str(path), "--format", "csv", "--outputs", "gpuss"]) == 2
    assert main(["evaluate", str(tmp_path / "none.csv"), "--format", "csv"]) == 2
    said = capsys.readouterr().err
    assert "did you mean" in said and "Traceback" not in said


def test_a_share_that_is_shown_in_percent_has_its_unit_in_the_heading(capsys):
    for words, heading, value in (([], "prefill_share", 1.0), (["--display"], "prefill_share [%]", 100.0)):
        assert main(["evaluate", "--set", "request_rate=200", "--format", "csv", "--outputs", "prefill_share", *words]) == 0
        head, row = csv.reader(capsys.readouterr().out.splitlines())
        assert head[-1] == heading and value / 2 < float(row[-1]) < value


def test_memory_does_not_grow_with_the_table(tmp_path):
    """A table three times as long takes hardly more memory."""
    peaks = []
    for rows in (100_000, 300_000):
        path = tmp_path / "t.csv"
        rng = np.random.default_rng(1)
        pl.DataFrame({"scenario": [f"s{i}" for i in range(rows)], "request_rate": rng.uniform(1, 400, rows).round(1)}).write_csv(path)
        code = (
            "import resource, sys; from sheetcalc.__main__ import main; main(sys.argv[1:]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                code,
                "evaluate",
                str(path),
                "--format",
                "csv",
                "-o",
                str(tmp_path / "r.csv"),
                "--outputs",
                "gpus,replicas",
                "--quiet",
            ],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent.parent,
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < 1.5 * peaks[0]
