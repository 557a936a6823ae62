"""A soak of minutes: 2,000 scenarios under random kills, full disks and poisoned rows (python -m tests.soak [ROUNDS] [SEED]).

A hundred times a run is started and its main process, or a worker, is killed with signal 9 at a random moment, or its files may not
grow. After each of them every file under a final name is whole and nothing that was done is lost. At the end the manifest shows every
scenario exactly once as done, refused or failed, and the folder has the same bytes as that of an undisturbed run.
"""

import contextlib
import csv
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sheetcalc.batch import manifest

COMMAND = [sys.executable, str(Path(__file__).parent / "batch_command.py")]
SCENARIOS = 2000
BAD = {"poison": 6, "crash": 4, "wrong": 4, "greedy": 2, "hang": 1, "cut": 3}  # rows that fail, by what they do to their worker
REFUSED = 30
DISTURBANCES = 100
SECONDS = "0.1"  # that a stand-in memo takes, so that the kills fall all over the run
LONGEST = 600  # seconds for a run that nobody disturbs


def table(path: Path, draws: random.Random) -> Path:
    """The scenarios, the bad ones spread among the good."""
    names = [f"{kind} {i}" for kind, count in BAD.items() for i in range(count)]
    rows = [[name, "1", "0.5", ""] for name in names] + [
        [f"bad {i}", draws.choice(["1,2,3", "nan", "1e999", "-5", "x"]), "0.5", "=1"] for i in range(REFUSED)
    ]
    rows += [[f"Plan {i}", str(i + 1), "0.5", ""] for i in range(SCENARIOS - len(rows))]
    draws.shuffle(rows)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["scenario", "request_rate", "mfu", "notes"], *rows])
    return path


def start(source: Path, out: Path, *more: str, **options) -> subprocess.Popen:
    return subprocess.Popen(
        [*COMMAND, str(source), str(out), "2", *more],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ | {"BATCH_WORK_SECONDS": SECONDS, "PYTHONPATH": str(Path(__file__).parent.parent)},
        **options,
    )


def members(session: int) -> list[int]:
    """The processes of a run, its main one first."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(status.parent.name))
    return sorted(found)


def disturb(source: Path, out: Path, draws: random.Random) -> str:
    """One run that is disturbed once, or a few times in its workers; says which way."""
    way = draws.choices(["main", "worker", "growth"], [6, 3, 1])[0]
    limit = draws.randrange(500, 900_000)
    process = start(
        source, out, "--resume", preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if way == "growth" else None
    )
    if way == "main":
        wait(process, draws.uniform(0.2, 4.0) if draws.random() < 0.7 else draws.uniform(4.0, 20.0))
        process.kill()
    elif way == "worker":
        wait(process, draws.uniform(1.0, 6.0))
        for _ in range(draws.randrange(1, 4)):
            children = members(process.pid)[3:]  # behind the main process, the resource tracker and the forkserver
            if children and process.poll() is None:
                kill(draws.choice(children))
            time.sleep(draws.uniform(0.1, 1.0))
        process.send_signal(draws.choice([signal.SIGKILL, signal.SIGINT]))
    process.wait(timeout=LONGEST)
    until = time.monotonic() + 30
    while members(process.pid):
        if time.monotonic() > until:
            raise AssertionError("workers outlive their parent")
        time.sleep(0.05)
    return way


def wait(process: subprocess.Popen, seconds: float) -> None:
    """So long, or until the run has ended by itself."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself meanwhile
        os.kill(pid, signal.SIGKILL)


def done(out: Path) -> set[str]:
    """The scenarios that are done; every file is checked."""
    for memo in out.glob("*.pdf"):
        content = memo.read_bytes()
        assert content.startswith(b"%PDF") and content.endswith(b"%%EOF\n"), f"{memo.name} is half written"
    entries = [e for e in manifest.scenarios(out) if e["status"] == "done"]
    for entry in entries:
        assert manifest.still_there(out, entry), f"{entry['scenario']}: its file is not as the manifest says"
    return {e["scenario"] for e in entries}


def tree(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")}


def through(source: Path, out: Path, *more: str) -> None:
    status = start(source, out, *more).wait(timeout=LONGEST)
    assert status == 1, f"exit status {status}: some rows are refused and failed, the rest is done"


def soak(folder: Path, seed: int) -> None:
    """One round. Raises AssertionError."""
    draws = random.Random(seed)
    source = table(folder / "scenarios.csv", draws)
    began = time.monotonic()
    through(source, folder / "undisturbed")
    print(f"undisturbed: {time.monotonic() - began:.0f} s", flush=True)
    out, before, ways = folder / "disturbed", set(), Counter()
    for i in range(DISTURBANCES):
        ways[disturb(source, out, draws)] += 1
        now = done(out) if out.exists() else set()
        assert before <= now, f"lost: {sorted(before - now)[:5]}"
        before = now
        if i % 10 == 9:
            print(f"{i + 1} disturbances, {len(now)} done", flush=True)
    through(source, out, "--resume")
    entries = manifest.scenarios(out)
    assert sorted(e["row"] for e in entries) == list(range(2, SCENARIOS + 2)), "each scenario once"
    ended = Counter(e["status"] for e in entries)
    assert ended == {"done": SCENARIOS - REFUSED - sum(BAD.values()), "refused": REFUSED, "failed": sum(BAD.values())}, ended
    assert tree(out) == tree(folder / "undisturbed"), "the same bytes"
    print(f"seed {seed}: {dict(ways)}, {dict(ended)}, the same {len(tree(out))} files, {time.monotonic() - began:.0f} s", flush=True)


def main(rounds: str = "1", seed: str = "1") -> None:
    """So many rounds; each must pass."""
    for i in range(int(rounds)):
        with tempfile.TemporaryDirectory() as folder:
            soak(Path(folder), int(seed) + i)


if __name__ == "__main__":
    main(*sys.argv[1:])
