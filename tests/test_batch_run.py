"""Runs of many scenarios: each ends in exactly one of done, refused and failed, and nothing done is lost or done again."""

import json
from concurrent.futures import ThreadPoolExecutor

import batch_work
import pytest

from sheetcalc import scenarios
from sheetcalc.batch import manifest, run
from sheetcalc.batch.pool import Given, Processes, each
from sheetcalc.batch.worker import Failed, Made, Task
from sheetcalc.errors import InputError

HEADER = "scenario,request_rate,mfu,notes\n"


def table(path, rows):
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), "utf-8")
    return path


def go(source, out, crew=None, **options):
    reading = scenarios.read(source, batch_work.INPUTS)
    return run(
        reading,
        out,
        batch_work.work,
        options.pop("environment", batch_work.environment),
        quiet=True,
        crew=crew or Given(ThreadPoolExecutor(1)),
        **options,
    )


def tree(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if not p.name.startswith(".")}


def entries(folder):
    return {e["scenario"]: e for e in manifest.scenarios(folder)}


def test_every_scenario_ends_once(tmp_path, capsys):
    source = table(
        tmp_path / "t.csv",
        [
            "A,10,0.5,",
            "B,1e400,0.5,",
            "unfit one,3,0.5,",
            "wrong one,3,0.5,",
            "cut one,3,0.5,",
            "huge,2000000,0.5,",
            ",1,0.5,",
            "undrawable x,1,0.5,",
        ],
    )
    assert go(source, tmp_path / "out") == 1
    found = entries(tmp_path / "out")
    assert {n: e["status"] for n, e in found.items()} == {
        "A": "done",
        "B": "refused",
        "unfit one": "refused",
        "wrong one": "failed",
        "cut one": "failed",
        "huge": "done",
        "": "refused",
        "undrawable x": "failed",
    }
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        ".sheetcalc.lock",
        "A.pdf",
        "huge.pdf",
        "manifest.jsonl",
        "refused.csv",
        "summary.csv",
    ]
    said = capsys.readouterr().err.splitlines()
    assert all(line.startswith(f"{source}:") and "Traceback" not in line for line in said)
    assert any("failed: KeyError: 'no such template': run this row again, alone" in line for line in said)
    summary = (tmp_path / "out" / "summary.csv").read_text("utf-8-sig").splitlines()
    assert summary == [
        "row,scenario,status,gpus,decision,problems,files",
        "2,A,ok,80,build,,A.pdf",
        "7,huge,infeasible,16000000,build,,huge.pdf",
    ]


def test_only_good_rows_leave_status_0_and_no_refused_file(tmp_path):
    assert go(table(tmp_path / "t.csv", ["A,10,0.5,", "B,11,0.5,"]), tmp_path / "out") == 0
    assert not (tmp_path / "out" / "refused.csv").exists()


def test_all_rows_refused_is_status_1_with_a_summary(tmp_path):
    assert go(table(tmp_path / "t.csv", ["A,x,0.5,"]), tmp_path / "out") == 1
    assert (tmp_path / "out" / "summary.csv").exists() and (tmp_path / "out" / "refused.csv").exists()


def test_one_by_one_and_in_processes_give_the_same_bytes(tmp_path):
    source = table(tmp_path / "t.csv", [f"Plan {i},{i + 1},0.5," for i in range(40)] + ["B,x,0.5,", "wrong w,1,0.5,"])
    go(source, tmp_path / "one")
    go(source, tmp_path / "many", Processes(2))
    assert tree(tmp_path / "one") == tree(tmp_path / "many")


def test_workers_are_renewed_after_their_share_and_nothing_changes(tmp_path):
    """A library that keeps a little of each page cannot grow for ever; a killed worker between two renewals costs what it always does."""
    tasks = [Task(i, name := f"{'poison' if i == 7 else 'pid'} {i}", name, {}) for i in range(20)]
    crew = Processes(2)
    crew.lasts = 6
    found = {task.name: made for task, made in each(batch_work.work, tasks, crew)}
    assert len(found) == 20 and isinstance(found["poison 7"], Failed)
    pids = [made.summary["pid"] for made in found.values() if isinstance(made, Made)]
    assert len(pids) == 19 and len(set(pids)) >= 4


def test_poisoned_scenarios_cost_themselves_only(tmp_path, capsys):
    good = [f"Plan {i},{i + 1},0.5," for i in range(12)]
    bad = ["poison a,1,0.5,", "crash b,1,0.5,", "greedy c,1,0.5,", "hang d,1,0.5,"]
    source = table(tmp_path / "t.csv", good[:4] + bad[:2] + good[4:8] + bad[2:] + good[8:])
    assert go(source, tmp_path / "out", Processes(2, seconds=3)) == 1
    found = entries(tmp_path / "out")
    assert sorted(n for n, e in found.items() if e["status"] == "failed") == ["crash b", "greedy c", "hang d", "poison a"]
    assert sum(e["status"] == "done" for e in found.values()) == 12
    said = capsys.readouterr().err
    assert (
        "its worker died, and died again when it ran alone" in said
        and "it took more than 3 seconds" in said
        and "more memory than a worker may use" in said
    )


def test_resume_does_only_what_is_missing_or_changed(tmp_path, capsys):
    rows = [f"Plan {i},{i + 1},0.5," for i in range(6)]
    source, out = table(tmp_path / "t.csv", rows), tmp_path / "out"
    go(source, out)
    whole = tree(out)
    times = {p.name: p.stat().st_mtime_ns for p in out.glob("*.pdf")}

    def redone():
        return sorted(p.name for p in out.glob("*.pdf") if times.get(p.name) != p.stat().st_mtime_ns)

    assert go(source, out, resume=True) == 0
    assert redone() == [] and tree(out) == whole
    (out / "Plan-1.pdf").unlink()
    (out / "Plan-2.pdf").write_bytes(b"%PDF cut")
    go(source, out, resume=True)
    assert redone() == ["Plan-1.pdf", "Plan-2.pdf"] and tree(out) == whole
    times.update({p.name: p.stat().st_mtime_ns for p in out.glob("*.pdf")})
    go(table(tmp_path / "t.csv", ["New,5,0.5,", *rows[:3], "Plan 3,99,0.5,"]), out, resume=True)
    assert redone() == ["New.pdf", "Plan-3.pdf"]
    assert [e["scenario"] for e in manifest.scenarios(out)] == ["New", "Plan 0", "Plan 1", "Plan 2", "Plan 3"]
    assert "no longer in the table are left there: Plan-4.pdf, Plan-5.pdf" in capsys.readouterr().err
    times.update({p.name: p.stat().st_mtime_ns for p in out.glob("*.pdf")})
    go(source, out, resume=True, environment=lambda: "another version")
    assert len(redone()) == 5


def test_a_torn_manifest_costs_only_the_torn_line(tmp_path):
    source, out = table(tmp_path / "t.csv", [f"Plan {i},{i + 1},0.5," for i in range(4)]), tmp_path / "out"
    go(source, out)
    whole = tree(out)
    text = (out / "manifest.jsonl").read_bytes()
    for cut in (0, 10, len(text) // 2, len(text) - 1):
        (out / "manifest.jsonl").write_bytes(text[:cut])
        assert go(source, out, resume=True) == 0
        assert tree(out) == whole
    (out / "manifest.jsonl").write_bytes(b"\xff\xfe not json\n[1]\n{}\n" + text)
    assert go(source, out, resume=True) == 0
    assert tree(out) == whole


def test_mended_rows_join_the_run_that_refused_them(tmp_path):
    source, out = table(tmp_path / "t.csv", ["A,10,0.5,", "B,x,0.5,", "C,y,0.5,", "D,4,0.5,"]), tmp_path / "out"
    assert go(source, out) == 1
    refused = out / "refused.csv"
    refused.write_text(refused.read_text("utf-8-sig").replace(",x,", ",7,"), "utf-8")
    assert go(refused, out) == 1
    assert [(e["scenario"], e["row"], e["status"]) for e in manifest.scenarios(out)] == [
        ("A", 2, "done"),
        ("B", 3, "done"),
        ("C", 4, "refused"),
        ("D", 5, "done"),
    ]
    assert "B,7," in refused.read_text("utf-8-sig"), "what a person has mended is never overwritten"
    again = out / "refused (2).csv"
    again.write_text(again.read_text("utf-8-sig").replace(",y,", ",8,"), "utf-8")
    assert go(again, out) == 0
    straight = tmp_path / "straight"
    go(table(tmp_path / "good.csv", ["A,10,0.5,", "B,7,0.5,", "C,8,0.5,", "D,4,0.5,"]), straight)
    assert (out / "summary.csv").read_bytes() == (straight / "summary.csv").read_bytes()


def test_a_mended_table_takes_its_old_refusals_away(tmp_path):
    out = tmp_path / "out"
    assert go(table(tmp_path / "t.csv", ["A,x,0.5,"]), out) == 1
    assert go(table(tmp_path / "t.csv", ["A,1,0.5,"]), out) == 0
    assert not (out / "refused.csv").exists()


def test_files_of_the_run_as_a_whole(tmp_path):
    seen = []

    def finish(found):
        seen.extend(e["scenario"] for e in found)
        return {"all.txt": b"all"}

    source = table(tmp_path / "t.csv", ["B,1,0.5,", "A,2,0.5,"])
    go(source, tmp_path / "out", finish=finish)
    assert seen == ["B", "A"] and (tmp_path / "out" / "all.txt").read_bytes() == b"all"
    last = json.loads((tmp_path / "out" / "manifest.jsonl").read_text().splitlines()[-1])
    assert [f["name"] for f in last["files"]] == ["summary.csv", "all.txt"]


def test_the_folder_belongs_to_one_run(tmp_path):
    from sheetcalc.batch.lock import alone

    source = table(tmp_path / "t.csv", ["A,1,0.5,"])
    (tmp_path / "out").mkdir()
    with alone(tmp_path / "out"), pytest.raises(InputError, match="another run is at work"):
        go(source, tmp_path / "out")
    assert go(source, tmp_path / "out") == 0


def test_a_file_held_open_costs_its_scenario_only(tmp_path, monkeypatch, capsys):
    from sheetcalc import files

    out = tmp_path / "out"
    source = table(tmp_path / "t.csv", ["A,1,0.5,", "B,2,0.5,"])
    go(source, out)
    before, real = (out / "A.pdf").read_bytes(), files.os.replace
    monkeypatch.setattr(files, "PAUSE", 0.0)

    def held(part, final):
        if final.name in ("A.pdf", "summary.csv"):
            raise PermissionError(13, "held open", str(final))
        real(part, final)

    monkeypatch.setattr(files.os, "replace", held)
    assert go(table(tmp_path / "t.csv", ["A,3,0.5,", "B,4,0.5,"]), out) == 1
    assert (out / "A.pdf").read_bytes() == before
    assert "A.pdf is open in another program" in capsys.readouterr().err
    assert (out / "summary (2).csv").exists()
    monkeypatch.undo()
    assert go(source, out, resume=True) == 0
    assert not list(out.glob(".*.part"))


def test_folders_that_cannot_be_written(tmp_path):
    source = table(tmp_path / "t.csv", ["A,1,0.5,"])
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file; name a folder"):
        go(source, tmp_path / "file")
    with pytest.raises(OSError):
        go(source, tmp_path / "file" / "below")
