"""What many memos do to a process: memory that stays flat, and a quiet end."""

import ctypes
import subprocess
import sys

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


def test_memory_does_not_grow_with_the_pages_that_are_set():
    press, page = memo.press(), memo.compose(PLAN.evaluate({"request_rate": 200.0, "api_price_row": "gpt-6-astra"})).html
    for _ in range(3):
        press.run(page)
    before = in_use()
    for _ in range(ROUNDS):
        press.run(page)
    assert in_use() - before < MOST


def test_a_process_that_made_memos_ends_without_a_word():
    done = subprocess.run([sys.executable, "-c", "from sheetcalc import memo; memo.press()"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
