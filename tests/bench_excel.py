"""Speed of the Excel functions against the least that they could cost, as ratios: python -m tests.bench_excel

A table of 10,000 scenarios: at most 3 times copying its cells into arrays and evaluating these, and under 1/50 of 10,000 calls of one row.
One function: at most 3 times xlwings' own overhead for a function that does nothing (both without COM, which costs the same for either).
Exit status 1 when a ratio is above its limit.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

ROWS, SINGLES, CALLS, REPEATS = 10_000, 60, 1_000, 5
HEAD = ("request_rate", "prompt_tokens", "output_tokens", "gpus_per_replica", "utilization_cap", "gpu_hour_price", "gpu")
OUTPUTS = ("replicas", "gpus", "cost_per_hour")


def best(run, repeats=REPEATS) -> float:
    """The least processor time of some runs, in seconds; the machine may be shared."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def table() -> list[tuple]:
    """Scenarios as COM gives them: a tuple for each row, numbers as floats."""
    names = ("H100 SXM", "H200 SXM", "B200 SXM")
    return [
        (50.0 + i % 997, 500.0 + i % 1511, 100.0 + i % 401, float(2 ** (i % 4)), 0.5 + (i % 40) / 100, 1.5 + (i % 50) / 10, names[i % 3])
        for i in range(ROWS)
    ]


def copied_and_evaluated(body) -> None:
    """The least that a table can cost: its cells into arrays by hand, in base units, and the arrays through the model."""
    import numpy as np

    from sheetcalc.axes import Choice
    from sheetcalc.many import batch
    from sheetcalc.studies import study

    columns = list(zip(*body, strict=True))
    arrays = {name: Choice(c) if isinstance(c[0], str) else np.array(c, float) for name, c in zip(HEAD, columns, strict=True)}
    batch(study("plan").model, arrays, OUTPUTS)


def ratios() -> list[tuple[str, float, float]]:
    """What was compared, the ratio, and its limit."""
    from com_stub import FakeRange, install

    _, server = install()
    import xlwings

    from sheetcalc.excel.registry import functions

    call, body = functions()["table"].call, table()
    whole = best(lambda: call((HEAD, *body), ", ".join(OUTPUTS)))
    least = best(lambda: copied_and_evaluated(body))
    one = best(lambda: [call((HEAD, row), ", ".join(OUTPUTS)) for row in body[:SINGLES]], 3) / SINGLES

    @xlwings.func
    def empty(total_demand, utilization_cap):
        return 0.0

    module = sys.modules["bench_empty"] = type(sys)("bench_empty")
    module.__file__, module.empty = __file__, empty
    where = FakeRange(None)

    def excel(name, function):
        return best(lambda: [server.CallUDF(name, function, (FakeRange(20.0), FakeRange(0.65)), None, where) for _ in range(CALLS)])

    nothing = excel("bench_empty", "empty")
    function = excel("sheetcalc.excel.udfs", "SC_REPLICAS_EXACT")
    print(
        f"a table of {ROWS:,} rows {whole * 1e3:.1f} ms; copying and evaluating {least * 1e3:.1f} ms; one row {one * 1e3:.2f} ms; "
        f"a function {function / CALLS * 1e6:.0f} µs; one that does nothing {nothing / CALLS * 1e6:.0f} µs"
    )
    return [
        ("SC_TABLE over copying and evaluating", whole / least, 3.0),
        (f"SC_TABLE over {ROWS:,} calls of one row", whole / (one * ROWS), 1 / 50),
        ("one function over one that does nothing", function / nothing, 3.0),
    ]


def main() -> int:
    found = ratios()
    for name, ratio, limit in found:
        print(f"{'ok  ' if ratio <= limit else 'slow'}  {name}: {ratio:.4f}, limit {limit:.4f}")
    return 0 if all(ratio <= limit for _, ratio, limit in found) else 1


if __name__ == "__main__":
    if status := main():
        sys.exit(status)
