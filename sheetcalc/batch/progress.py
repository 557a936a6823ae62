"""How far a run is: a bar with rate and time left on a terminal, a line now and then elsewhere, nothing when quiet. All on stderr."""

from __future__ import annotations

import sys
import time

STEP = 0.05  # share of the run between two lines
SILENCE = 30.0  # seconds after which a line comes anyway


class Progress:
    """Counts scenarios that have ended."""

    def __init__(self, total: int, quiet: bool = False, unit: str = "memos"):
        self.total, self.done, self.unit, self.bar = total, 0, unit, None
        self.began = self.last = time.monotonic()
        self.shown = 0.0
        self.quiet = quiet
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self.bar = tqdm(total=total, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True, smoothing=0.05)

    def step(self, count: int = 1) -> None:
        """So many more have ended."""
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
            return
        now, share = time.monotonic(), self.done / max(self.total, 1)
        if not self.quiet and (share - self.shown >= STEP or now - self.last >= SILENCE):
            self.shown, self.last = share, now
            print(self._line(now - self.began), file=sys.stderr, flush=True)

    def _line(self, seconds: float) -> str:
        rate = self.done / max(seconds, 1e-9)
        left = (self.total - self.done) / rate
        return (
            f"{self.done:,} of {self.total:,} {self.unit}, {rate:.1f} a second, {left / 60:.0f} min left"
            if left >= 90
            else f"{self.done:,} of {self.total:,} {self.unit}, {rate:.1f} a second, {left:.0f} s left"
        )

    def close(self) -> None:
        """Leave the bar as it is."""
        if self.bar is not None:
            self.bar.close()
