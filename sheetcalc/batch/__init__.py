"""Many scenarios: a pool that loses nothing, files that appear whole, a manifest to go on from, and results of millions as arrays."""

from sheetcalc.batch.run import run
from sheetcalc.batch.worker import Made, Task

__all__ = ["Made", "Task", "run"]
