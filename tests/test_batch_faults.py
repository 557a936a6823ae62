"""Kills, full disks, missing rights and Ctrl-C: nothing is lost, nothing is half written, and the status and the words are right."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sheetcalc.batch import manifest

COMMAND = [sys.executable, str(Path(__file__).parent / "batch_command.py")]
HERE = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}


def table(path, names):
    path.write_text("scenario,request_rate,mfu,notes\n" + "".join(f"{name},{i + 1},0.5,\n" for i, name in enumerate(names)))
    return path


def start(source, out, *more, **options):
    return subprocess.Popen(
        [*COMMAND, str(source), str(out), *more], stderr=subprocess.PIPE, text=True, start_new_session=True, env=HERE, **options
    )


def through(source, out, *more, **options):
    process = start(source, out, *more, **options)
    said = process.communicate(timeout=120)[1]
    assert "Traceback" not in said, said
    return process.returncode, said


def tree(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if not p.name.startswith(".")}


def whole(folder):
    """Every memo under a final name is whole."""
    return all(p.read_bytes().startswith(b"%PDF") and p.read_bytes().endswith(b"%%EOF\n") for p in folder.glob("*.pdf"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    source = table(folder / "t.csv", [f"Plan {i}" for i in range(60)])
    assert through(source, folder / "out")[0] == 0
    return source, tree(folder / "out")


def test_kill_9_at_any_moment_loses_nothing(tmp_path, undisturbed):
    """A few kills here; a hundred in the soak."""
    source, expected = undisturbed
    draws, out, kept = random.Random(9), tmp_path / "out", 0
    for _ in range(5):
        process = start(source, out, "2", "--resume")
        time.sleep(draws.uniform(0.3, 1.6))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        if out.exists():
            assert whole(out)
            done = [e for e in manifest.scenarios(out) if e["status"] == "done"]
            assert len(done) >= kept, "what was done stays done"
            assert all(manifest.still_there(out, entry) for entry in done)
            kept = len(done)
    assert through(source, out, "2", "--resume")[0] == 0
    assert tree(out) == expected
    assert sorted(p.name for p in out.iterdir() if p.name.startswith(".")) == [".sheetcalc.lock"]


def processes_of(session):
    """Processes of a session that are still alive, the forkserver's among them."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_workers_end_with_their_parent(tmp_path):
    process = start(table(tmp_path / "t.csv", [f"slow {i}" for i in range(100)]), tmp_path / "out")
    until = time.monotonic() + 60
    while not list(tmp_path.glob("out/*.pdf")) and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    until = time.monotonic() + 20
    while processes_of(process.pid) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_of(process.pid) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done(tmp_path, number):
    out = tmp_path / "out"
    source = table(tmp_path / "t.csv", [f"slow {i}" for i in range(100)])
    process = start(source, out)
    until = time.monotonic() + 60
    while len(list(out.glob("*.pdf"))) < 3 and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, number) if number == signal.SIGINT else os.kill(process.pid, number)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "of 100 are done and kept; the same command with --resume does the rest" in said and "Traceback" not in said
    done = [e for e in manifest.scenarios(out) if e["status"] == "done"]
    assert 3 <= len(done) < 100 and len(done) == len(list(out.glob("*.pdf")))


def test_a_killed_worker_costs_nothing(tmp_path):
    slow = table(tmp_path / "t.csv", [f"slow {i}" for i in range(12)])
    process = start(slow, tmp_path / "out")
    until = time.monotonic() + 60
    while not list((tmp_path / "out").glob("*.pdf")) and time.monotonic() < until:
        time.sleep(0.05)
    children = [
        pid for pid in processes_of(process.pid) if pid != process.pid and b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    os.kill(max(children), signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 0 and len(list((tmp_path / "out").glob("*.pdf"))) == 12


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_file_that_may_not_grow(tmp_path, undisturbed):
    """As on a full disk: the limit stops the manifest (60 lines) while memos (6 kB) still fit."""
    source, expected = undisturbed
    code, said = through(source, tmp_path / "out", preexec_fn=limited(10_000))
    assert code == 1 and "the disk is full after" in said and "--resume" in said
    assert whole(tmp_path / "out")
    assert through(source, tmp_path / "out", "2", "--resume")[0] == 0
    assert tree(tmp_path / "out") == expected
    code, said = through(source, tmp_path / "none", preexec_fn=limited(1000))
    assert code == 2 and "the disk is full after 0 of 60" in said


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 200 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("only root may mount a disk; test_a_file_that_may_not_grow tries the same without")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk(small_disk, undisturbed):
    source, expected = undisturbed
    code, said = through(source, small_disk / "out")
    assert code == 1 and "the disk is full after" in said
    assert whole(small_disk / "out") and 0 < len(list((small_disk / "out").glob("*.pdf"))) < 60
    assert not list((small_disk / "out").glob("*.part"))
    (small_disk / "filler").write_bytes(b"x" * 1)
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    assert through(source, small_disk / "out", "2", "--resume")[0] == 0
    assert tree(small_disk / "out") == expected


def test_a_disk_that_is_full_from_the_start(small_disk, undisturbed):
    with pytest.raises(OSError, match="No space"), open(small_disk / "filler", "wb", buffering=0) as file:
        for _ in range(1000):
            file.write(b"x" * 4096)
    code, said = through(undisturbed[0], small_disk / "out")
    assert code == 2 and "the disk is full after 0 of 60" in said


def test_a_read_only_folder(small_disk, undisturbed):
    (small_disk / "out").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    code, said = through(undisturbed[0], small_disk / "out")
    assert code == 2 and "Read-only" in said


def test_a_second_run_on_the_same_folder_is_refused_at_once(tmp_path):
    source = table(tmp_path / "t.csv", [f"slow {i}" for i in range(30)])
    first = start(source, tmp_path / "out")
    until = time.monotonic() + 60
    while not list((tmp_path / "out").glob("*.pdf")) and time.monotonic() < until:
        time.sleep(0.05)
    code, said = through(source, tmp_path / "out")
    assert code == 2 and "another run is at work" in said
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    assert through(source, tmp_path / "out", "2", "--resume")[0] == 0
