"""A cheap stand-in for making a memo, with scenarios that kill their worker, hang, or make it fail, by their name."""

import ctypes
import hashlib
import os
import signal
import time

from sheetcalc.batch import Made, Task
from sheetcalc.errors import InputError
from sheetcalc.model import FRACTION, POSITIVE, Input

INPUTS = {
    "request_rate": Input(10.0, "req/s", "Request rate", "assumed", **POSITIVE),
    "mfu": Input(0.5, "%", "Compute utilization", "assumed", **FRACTION),
}
SECONDS = float(os.environ.get("BATCH_WORK_SECONDS", "0"))  # that a memo takes


def fake_pdf(task: Task) -> bytes:
    seed = hashlib.sha256(repr((task.name, sorted(task.inputs.items()))).encode()).hexdigest().encode()
    return b"%PDF-1.7\n" + seed * 100 + b"\n%%EOF\n"


def work(task: Task) -> Made:
    kind = task.name.split()[0]
    if kind == "poison":
        os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "crash":
        ctypes.string_at(0)
    elif kind == "hang":
        time.sleep(1000)
    elif kind == "greedy":
        bytearray(20_000_000_000)
    elif kind == "wrong":
        raise KeyError("no such template")
    elif kind == "cut":
        return Made({".pdf": b"%PDF-1.7 half"}, "ok", [], {})
    elif kind == "unfit":
        return Made({}, "refused", ["the batch is larger than the resident sequences"], {})
    elif kind == "undrawable":
        raise InputError("a character cannot be drawn")
    elif kind == "pid":
        return Made({".pdf": fake_pdf(task)}, "ok", [], {"pid": os.getpid()})
    elif kind == "interrupted":
        raise KeyboardInterrupt
    time.sleep(0.3 if kind == "slow" else SECONDS)
    rate = task.inputs.get("request_rate", 10.0)
    return Made({".pdf": fake_pdf(task)}, "infeasible" if rate > 1e6 else "ok", [], {"gpus": 8 * rate, "decision": "build"})


def environment() -> str:
    return "a fixed environment"


def place() -> str:
    """An environment that no two processes share."""
    return str(os.getpid())
