"""How far a run is: a bar with rate and time left on a terminal, a line now and then elsewhere, nothing when quiet. All on stderr."""

from __future__ import annotations

import sys
import time

STEPS = 20  # lines of a run, if it is not long
MINUTE = 60
SOONEST = 1.0  # seconds between two lines; a run that is over sooner needs none
SILENCE = 30.0  # seconds after which a line comes anyway


class Progress:
    """Counts scenarios that have ended."""

    def __init__(self, total: int, quiet: bool = False):
        self.total, self.done, self.bar = total, 0, None
        self.began = self.last = time.monotonic()
        self.shown = 0
        self.quiet = quiet
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self.bar = tqdm(total=total, unit=" scenarios", file=sys.stderr, dynamic_ncols=True, smoothing=0.05)

    def step(self, count: int = 1) -> None:
        """So many more have ended."""
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
            return
        now, steps = time.monotonic(), self.done * STEPS // max(self.total, 1)
        since, over = now - self.last, self.shown and self.done >= self.total
        if not self.quiet and ((steps > self.shown and (since >= SOONEST or over)) or since >= SILENCE):
            self.shown, self.last = steps, now
            print(self._line(now - self.began), file=sys.stderr, flush=True)

    def _line(self, seconds: float) -> str:
        rate = self.done / max(seconds, 1e-9)
        left = (self.total - self.done) / rate
        pace = f"{rate:.1f} a second" if rate >= 1 else f"{rate * MINUTE:.1f} a minute"
        time_left = f"{left / MINUTE:.0f} min" if left >= 2 * MINUTE else f"{left:.0f} s"
        return f"{self.done:,} of {self.total:,} scenarios, {pace}, {time_left} left"

    def close(self) -> None:
        """Leave the bar as it is."""
        if self.bar is not None:
            self.bar.close()
