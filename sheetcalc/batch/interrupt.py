"""Ctrl-C asks politely: what is done is kept and what runs gets a few seconds; a second Ctrl-C ends at once."""

from __future__ import annotations

import signal
import threading


class Interrupt:
    """While it is open, SIGINT and SIGTERM only set `asked`; the second one raises KeyboardInterrupt."""

    def __init__(self):
        self.asked = False
        self._before = {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._ask)
        return self

    def _ask(self, number, frame) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(self, *_) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
