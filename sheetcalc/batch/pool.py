"""Many tasks on an executor where a worker may die: what was in its hands is done again alone, and a task that kills again is named.

The standard pool loses every task when one worker dies, so this is our own loop around it. At any time few tasks are under way.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from itertools import chain, islice

from sheetcalc.batch import worker
from sheetcalc.batch.worker import Failed, Made, Task

AHEAD = 2  # tasks under way for each worker, so that none waits for the next
ENDING = 5.0  # seconds for the thread of a pool whose workers are dead
LASTS = 1000  # tasks of a worker until all are started anew: the libraries that set a page keep some kilobytes of each
ALONE = 2  # times that a task whose worker died is tried alone
PATIENCE = 5.0  # seconds that running tasks get after Ctrl-C
POLL = 0.2  # seconds between looks at the keyboard


class Processes:
    """A crew of processes on this machine, started without what this process has open."""

    lost = (BrokenExecutor,)

    def __init__(self, jobs: int, seconds: float = worker.SECONDS, memory: int = worker.MEMORY):
        self.jobs, self.seconds, self.memory = jobs, seconds, memory
        self.at_once, self.lasts = jobs * AHEAD, jobs * LASTS

    def start(self, jobs: int | None = None) -> Executor:
        """New workers."""
        context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
        return ProcessPoolExecutor(jobs or self.jobs, context, worker.begin, (self.memory,))

    def stop(self, executor: Executor) -> None:
        """End the workers at once, whatever they do."""
        processes = list((getattr(executor, "_processes", None) or {}).values())
        manager = getattr(executor, "_executor_manager_thread", None)
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        if manager:
            manager.join(ENDING)  # else it closes its pipes while the interpreter ends, which then complains

    def submit(self, executor: Executor, work: Callable[[Task], Made], task: Task) -> Future:
        return executor.submit(worker.carry_out, work, self.seconds, task)


class Given:
    """A crew around an executor that someone else has made, such as a thread or a cluster's."""

    lost, lasts = (BrokenExecutor,), None

    def __init__(self, executor: Executor, at_once: int = 1):
        self.executor, self.at_once, self.seconds = executor, at_once, 0.0

    def start(self, jobs: int | None = None) -> Executor:
        return self.executor

    def stop(self, executor: Executor) -> None:
        executor.shutdown(wait=False, cancel_futures=True)

    def submit(self, executor: Executor, work: Callable[[Task], Made], task: Task) -> Future:
        return executor.submit(worker.answer, work, task)


def each(
    work: Callable[[Task], Made], tasks: Iterable[Task], crew, stopped: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Task, Made | Failed]]:
    """Every task with what came of it, in the order in which they end.

    When `stopped` says so, what runs gets a little time and the rest is left.
    """
    waiting = iter(tasks)
    for first in waiting:
        if stopped():
            return
        rest = None if crew.lasts is None else crew.lasts - 1
        yield from _by_one_crew(work, chain([first], islice(waiting, rest)), crew, stopped)


def _by_one_crew(work, waiting: Iterator[Task], crew, stopped) -> Iterator[tuple[Task, Made | Failed]]:
    """What one set of workers makes of its share of the tasks."""
    running: dict[Future, Task] = {}
    executor = crew.start()
    try:
        while not stopped():
            suspects = _submit(executor, work, waiting, running, crew)
            if not running and not suspects:
                return
            for future in _ended(running):
                task = running.pop(future)
                found = _result(future, crew)
                if found is None:
                    suspects.append(task)
                else:
                    yield task, found
            if suspects:
                suspects += yield from _drain(running, crew)
                crew.stop(executor)
                yield from _alone(work, sorted(suspects), crew, stopped)
                executor = crew.start()
        yield from _last(running, crew)
    finally:
        crew.stop(executor)


def _submit(executor, work, waiting, running, crew) -> list[Task]:
    """Keep enough tasks under way; returns the task that a broken executor would not take."""
    while len(running) < crew.at_once:
        task = next(waiting, None)
        if task is None:
            break
        try:
            running[crew.submit(executor, work, task)] = task
        except crew.lost:
            return [task]
    return []


def _ended(running) -> set[Future]:
    return wait(running, POLL, FIRST_COMPLETED).done if running else set()


def _result(future: Future, crew) -> Made | Failed | None:
    """What came of a task, or None where its worker died."""
    try:
        return future.result()
    except (*crew.lost, CancelledError):
        return None
    except Exception as error:  # the answer could not be carried back
        return Failed(" ".join(f"{type(error).__name__}: {error}".split())[:300])


def _drain(running, crew):
    """Yield what ended well before the pool broke; return the tasks that did not."""
    suspects = []
    for future in list(running):
        task = running.pop(future)
        found = _result(future, crew) if future.done() else None
        if found is None:
            suspects.append(task)
        else:
            yield task, found
    return suspects


def _alone(work, suspects, crew, stopped):
    """Each task by itself in a process of its own, so that one that kills its worker harms no other."""
    executor = None
    try:
        for task in suspects:
            for attempt in range(ALONE):
                if stopped():
                    return
                executor = executor or crew.start(1)
                began = time.monotonic()
                found = _one(executor, work, task, crew, stopped)
                if stopped() and found is None:
                    return
                if found is not None:
                    yield task, found
                    break
                crew.stop(executor)
                executor = None
                if attempt == ALONE - 1:
                    took = time.monotonic() - began
                    slow = crew.seconds and took >= crew.seconds
                    yield (
                        task,
                        Failed(
                            f"it took more than {crew.seconds:g} seconds" if slow else "its worker died, and died again when it ran alone"
                        ),
                    )
    finally:
        if executor:
            crew.stop(executor)


def _one(executor, work, task, crew, stopped) -> Made | Failed | None:
    try:
        future = crew.submit(executor, work, task)
    except crew.lost:
        return None
    while not future.done() and not stopped():
        wait([future], POLL)
    return _result(future, crew) if future.done() else None


def _last(running, crew):
    """After a stop: what ends within a few seconds is kept."""
    until = time.monotonic() + PATIENCE
    while running and time.monotonic() < until:
        for future in _ended(running):
            task = running.pop(future)
            found = _result(future, crew)
            if found is not None:
                yield task, found
