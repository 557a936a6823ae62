"""The same work on a cluster of dask.distributed that runs already (an optional package: pip install distributed)."""

from __future__ import annotations

import errno
import pickle
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial

from sheetcalc.batch import worker
from sheetcalc.batch.pool import AHEAD
from sheetcalc.batch.worker import Made, Task
from sheetcalc.errors import InputError

CONNECT = 10  # seconds to reach the scheduler


class Cluster:
    """A crew of the workers of a scheduler. They must run the same sheetcalc with the same fonts, else their files would differ."""

    seconds = 0.0

    def __init__(self, address: str, environment: Callable[[], str]):
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise InputError("--dask needs dask.distributed, which is not installed: write pip install distributed") from None
        try:
            self.client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(
                f"--dask {address}: no scheduler answers there ({' '.join(str(error).split())[:120]}): check the address"
            ) from None
        self.lost = (BrokenExecutor, KilledWorker)
        self.lasts = None  # its workers are others' to renew
        self.at_once = AHEAD * sum(self.client.nthreads().values())
        if not self.at_once:
            self.close()
            raise InputError(f"--dask {address}: the scheduler has no workers: start dask worker {address} --nthreads 1")
        self._same_everywhere(address, environment)

    def _same_everywhere(self, address: str, environment: Callable[[], str]) -> None:
        here = environment()
        try:
            others = [name for name, there in self.client.run(environment).items() if there != here]
        except Exception as error:  # whatever a foreign worker says, it cannot do this work
            self.close()
            raise InputError(
                f"--dask {address}: its workers cannot run sheetcalc ({' '.join(str(error).split())[:120]}): install it there"
            ) from None
        if others:
            self.close()
            raise InputError(
                f"--dask {address}: {len(others)} of its workers have another sheetcalc, PDF library or fonts: install the same there"
            )

    def start(self, jobs: int | None = None) -> Executor:
        """The cluster as an executor."""
        return self.client.get_executor(pure=False)

    def stop(self, executor: Executor) -> None:
        """Let go of what is still under way; the workers stay."""
        executor.shutdown(wait=False)

    def submit(self, executor: Executor, work: Callable[[Task], Made], task: Task) -> Future:
        """Send one task, as bytes that only a worker opens: the scheduler need not have sheetcalc."""

        def there(parcel: bytes):
            import pickle

            return pickle.loads(parcel)()

        if self.client.status != "running":
            raise ConnectionError(errno.ECONNRESET, "the scheduler is gone")
        return executor.submit(there, pickle.dumps(partial(worker.answer, work, task)))

    def close(self) -> None:
        """Leave the cluster."""
        self.client.close()
