"""What many memos do to a process: memory that stays flat, and a quiet end."""

import ctypes
import gc
import subprocess
import sys
from pathlib import Path

import pytest

from sheetcalc import memo
from sheetcalc.studies.plan import STUDY as PLAN

ROUNDS = 10
MOST = 200_000  # bytes a round of ten; one leaked attribute list a line of text made a million of it


class Allocated(ctypes.Structure):
    """What glibc tells of its memory, mallinfo2(3)."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    ]


def in_use():
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("mallinfo2 is glibc's")
    library.mallinfo2.restype = Allocated
    found = library.mallinfo2()
    return found.uordblks + found.hblkhd


def growth():
    """Bytes that ten pages leave behind."""
    press, page = memo.press(), memo.compose(PLAN.evaluate({"request_rate": 200.0, "api_price_row": "gpt-6-astra"})).html
    for _ in range(3):
        press.run(page)
    gc.collect()
    before = in_use()
    for _ in range(ROUNDS):
        press.run(page)
    gc.collect()
    return in_use() - before


def test_memory_does_not_grow_with_the_pages_that_are_set():
    in_use()  # skips where it cannot be told
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_memo_process; print(test_memo_process.growth())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=True)
    assert int(done.stdout) < MOST


def test_a_process_that_made_memos_ends_without_a_word():
    done = subprocess.run([sys.executable, "-c", "from sheetcalc import memo; memo.press()"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
