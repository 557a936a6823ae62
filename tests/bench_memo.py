"""What a memo costs beside weasyprint alone on the same final HTML; run: python -m tests.bench_memo [memos].

Prints CPU seconds (best of the runs, interleaved) and the ratio of the issue: all that we do for a memo, its evaluation included, over
weasyprint with the same style, fonts and options. Chart drawing (of a chart that is new) and the workbook are reported apart. Then memory
over many memos in one process, and memos a second on one and on two processes.
"""

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context

import weasyprint

from sheetcalc import memo
from sheetcalc.memo import charts
from sheetcalc.memo.details import Details
from sheetcalc.studies import study

RUNS = 5
CASE = {"request_rate": 20.0, "api_price_row": "gpt-6-astra"}
LIMIT = 1.25


def cpu(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def whole(rate=20.0):
    """One memo from inputs to bytes."""
    result = study("plan").evaluate(CASE | {"request_rate": rate})
    return memo.render(result, details=Details(scenario="Bench", issued=date(2026, 11, 30)))


def alone(html):
    """Weasyprint on the final page, with styles and fonts set up as ours are."""
    press = memo.press()
    page = weasyprint.HTML(string=html, base_url=press.base_url)
    return page.write_pdf(stylesheets=[press.style], font_config=press.fonts, pdf_variant="pdf/a-3a", pdf_tags=True)


def ratio():
    written = memo.compose(study("plan").evaluate(CASE), details=Details(scenario="Bench", issued=date(2026, 11, 30)))
    whole(), alone(written.html)
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(cpu(whole))
        theirs.append(cpu(lambda: alone(written.html)))
    charts.draw.cache_clear()
    drawing = cpu(lambda: memo.compose(study("plan").evaluate(CASE))) - cpu(lambda: memo.compose(study("plan").evaluate(CASE)))
    print(f"memo {min(ours):.3f} s, weasyprint alone {min(theirs):.3f} s, ratio {min(ours) / min(theirs):.3f} (limit {LIMIT})")
    print(f"drawing its charts the first time {drawing:.3f} s more; equal charts are drawn once")
    print(f"workbook attachment {workbook():.3f} s more")
    return min(ours) / min(theirs)


def workbook():
    from sheetcalc.workbook.book import build

    build(study("plan"), CASE)
    return min(cpu(lambda: build(study("plan"), CASE)) for _ in range(2))


def memory(memos):
    """Resident memory after one tenth of the memos and after all, in MB; each has inputs of its own."""
    marks = []
    for number in range(memos):
        whole(5.0 + number)
        if number in (memos // 10, memos - 1):
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(f"peak memory after {memos // 10 + 1} memos {marks[0]:.0f} MB, after {memos} {marks[-1]:.0f} MB")
    return marks


def throughput(processes, memos):
    with ProcessPoolExecutor(processes, get_context("forkserver")) as pool:
        list(pool.map(whole, [5.0] * processes))
        start = time.perf_counter()
        list(pool.map(whole, [5.0 + number for number in range(memos)]))
        spent = time.perf_counter() - start
    print(f"{processes} process{'es' if processes > 1 else ''}: {memos / spent:.2f} memos a second")
    return memos / spent


def main():
    memos = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    found = ratio()
    memory(memos)
    throughput(1, 6)
    throughput(2, 12)
    return 0 if found <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
