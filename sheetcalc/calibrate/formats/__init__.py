"""The importers, one file a format. Each has NAME, `reads(document)`, which knows its files by their content, and `runs(document, where)`.

A document is a parsed JSON or YAML file, a list of the lines of a JSON-lines file, or the text of a log.
"""

from sheetcalc.calibrate.formats import (
    aiperf,
    guidellm,
    inference_perf,
    inferencex,
    llmd_report,
    mlperf,
    planner_data,
    sglang_bench,
    vllm_bench,
)

ALL = (planner_data, mlperf, llmd_report, inference_perf, guidellm, aiperf, inferencex, sglang_bench, vllm_bench)
