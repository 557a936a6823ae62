"""The same work on a dask.distributed cluster on loopback: the same bytes, and a worker that dies costs its scenario only."""

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import batch_work
import pytest

from sheetcalc import scenarios
from sheetcalc.batch import manifest, run
from sheetcalc.errors import InputError

distributed = pytest.importorskip("distributed", reason="the extra sheetcalc[dask] is not installed")
HERE = Path(__file__).parent


PYTHON = [sys.executable, "-m"]
LOCAL = ["--host", "127.0.0.1", "--no-dashboard"]
SILENT = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}


@contextmanager
def cluster(folder):
    """A scheduler and two workers of one thread, each a process of its own; gives the address and the scheduler's process."""
    contact = folder / "contact.json"
    known = {"PYTHONPATH": f"{HERE}:{HERE.parent}", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    once = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    scheduler = [*PYTHON, "distributed.cli.dask_scheduler", *LOCAL, "--port", "0", "--scheduler-file", str(contact)]
    running = [subprocess.Popen(scheduler, cwd=folder, env=once, **SILENT)]
    try:
        until = time.monotonic() + 60
        while not (contact.exists() and contact.read_text().rstrip().endswith("}")) and time.monotonic() < until:
            time.sleep(0.1)
        address = json.loads(contact.read_text())["address"]
        workers = [*PYTHON, "distributed.cli.dask_worker", address, *LOCAL, "--nthreads", "1", "--nworkers", "2"]
        running.append(subprocess.Popen(workers, cwd=folder, env=known, **SILENT))
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, running[0]
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(timeout=60)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


def go(folder, names, **options):
    source = folder / "t.csv"
    source.write_text("scenario,request_rate,mfu,notes\n" + "".join(f"{name},{i + 1},0.5,\n" for i, name in enumerate(names)))
    reading = scenarios.read(source, batch_work.INPUTS)
    out = folder / ("cluster" if "dask" in options else "here")
    return run(reading, out, batch_work.work, options.pop("environment", batch_work.environment), quiet=True, **options), out


def tree(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if not p.name.startswith(".")}


def test_the_cluster_gives_the_same_bytes(tmp_path, scheduler):
    names = [f"Plan {i}" for i in range(40)] + ["wrong one", "huge"]
    code, there = go(tmp_path, names, dask=scheduler)
    again, here = go(tmp_path, names, jobs=2)
    assert code == again == 1
    assert tree(there) == tree(here)


def test_a_poisoned_scenario_costs_itself_only(tmp_path, scheduler):
    code, out = go(tmp_path, [f"Plan {i}" for i in range(6)] + ["poison x"] + [f"Plan {i}" for i in range(6, 12)], dask=scheduler)
    found = {e["scenario"]: e["status"] for e in manifest.scenarios(out)}
    assert code == 1 and found.pop("poison x") == "failed" and set(found.values()) == {"done"} and len(found) == 12


def test_clusters_that_cannot_do_the_work(tmp_path, scheduler, monkeypatch):
    from sheetcalc.batch import remote

    monkeypatch.setattr(remote, "CONNECT", 2)
    with pytest.raises(InputError, match="no scheduler answers there"):
        go(tmp_path, ["A"], dask="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="have another sheetcalc"):
        go(tmp_path, ["A"], dask=scheduler, environment=batch_work.place)


@pytest.mark.slow
def test_real_memos_are_the_same_one_by_one_in_processes_and_on_the_cluster(tmp_path, scheduler):
    from sheetcalc.batch.pool import Given, Processes
    from sheetcalc.commands.memo_work import MemoWork
    from sheetcalc.studies import study

    source = tmp_path / "t.csv"
    source.write_text("scenario,request_rate,gpu,notes\nChat,40,H100 SXM,first\nLarge,500,H200 SXM,\n")
    ways = {"one": {"crew": Given(ThreadPoolExecutor(1))}, "processes": {"crew": Processes(2)}, "cluster": {"dask": scheduler}}
    for name, way in ways.items():
        assert (
            run(scenarios.read(source, study("plan").inputs), tmp_path / name, MemoWork("plan"), batch_work.environment, quiet=True, **way)
            == 0
        )
    assert len(list((tmp_path / "one").glob("*.pdf"))) == 2
    assert tree(tmp_path / "one") == tree(tmp_path / "processes") == tree(tmp_path / "cluster")


def test_a_scheduler_that_goes_away_loses_nothing_that_is_done(tmp_path, capsys):
    with cluster(tmp_path) as (address, process):
        threading.Timer(6, process.kill).start()
        code, out = go(tmp_path, [f"slow {i}" for i in range(400)], dask=address)
    done = [e for e in manifest.scenarios(out) if e["status"] == "done"]
    assert code == 1 and 0 < len(done) < 400 and len(done) == len(list(out.glob("*.pdf")))
    assert "the scheduler is gone after" in capsys.readouterr().err
