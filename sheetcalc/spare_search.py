"""Exact searches over regions that no closed form answers: the smallest spare under a distance limit, the placement that moves
work least far.

The workbook holds what comes out as inputs, with live checks that it is feasible and a bound that no plan can beat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from sheetcalc.errors import InputError

MOST_REGIONS = 8  # the search is exhaustive; beyond it the bound in the workbook must do


def smallest_spare(neighbors: Sequence[Sequence[int]], need: Sequence[int]) -> list[int]:
    """Fewest whole spare replicas s so that for every region k the spare of its neighbors is at least need[k].

    Branch and bound over the regions in the order of the table; of equal totals the one in fewest regions. Raises InputError when a
    region that needs spare has no neighbor, or when there are too many regions.
    """
    regions = range(len(need))
    if len(need) > MOST_REGIONS:
        raise InputError(f"{len(need)} regions are too many for an exact search; group them to {MOST_REGIONS} or fewer")
    for k in regions:
        if need[k] > 0 and not neighbors[k]:
            raise InputError(f"region {k + 1} has no neighbor near enough to hold its spare; raise max_round_trip")
    best = [max(need)] * len(need)

    def search(r, left, plan):
        nonlocal best
        if (sum(plan) + max(left, default=0), _hosts(plan)) >= (sum(best), _hosts(best)):
            return
        if r == len(need):
            best = plan
            return
        served = [k for k in regions if r in neighbors[k]]
        last = [left[k] for k in served if all(other <= r for other in neighbors[k])]  # nobody later can serve these
        for amount in range(max(last, default=0), max((left[k] for k in served), default=0) + 1):
            search(r + 1, [max(0, left[k] - amount) if k in served else left[k] for k in regions], [*plan, amount])

    search(0, [max(0, n) for n in need], [])
    return best


def moved_work_distance(
    capacity: Sequence[float],
    work: Sequence[Sequence[float]],
    failures: Sequence[float],
    distances: Sequence[Sequence[float]],
    failover_cap: float,
) -> float:
    """Failures a year × moved work × round trip, the mean over the hours: each lost region's work goes to the nearest room first."""
    total = 0.0
    for lost, others in _others(len(capacity)):
        nearest = sorted(others, key=lambda r: distances[lost][r])
        for hour, left in enumerate(work[lost]):
            for r in nearest:
                moved = min(left, max(0.0, failover_cap * capacity[r] - work[r][hour]))
                total += failures[lost] * moved * distances[lost][r] / len(work[lost])
                left -= moved
    return total


def best_placement(need: Sequence[int], spare: int, room: Sequence[int], work, failures, distances, failover_cap: float) -> list[int]:
    """Of all ways to spread `spare` within `room`, the capacities with the least moved_work_distance; the first of equals."""
    plans = (
        [p + s for p, s in zip(need, split, strict=True)]
        for split in _splits(spare, len(need))
        if all(s <= r for s, r in zip(split, room, strict=True))
    )
    return min(plans, key=lambda plan: moved_work_distance(plan, work, failures, distances, failover_cap))


def _hosts(plan) -> int:
    return sum(s > 0 for s in plan)


def _others(count: int) -> Iterator[tuple[int, list[int]]]:
    for k in range(count):
        yield k, [r for r in range(count) if r != k]


def _splits(total: int, parts: int) -> Iterator[list[int]]:
    """Every way to write `total` as an ordered sum of `parts` whole numbers."""
    for bars in combinations(range(total + parts - 1), parts - 1):
        edges = [-1, *bars, total + parts - 1]
        yield [b - a - 1 for a, b in pairwise(edges)]
