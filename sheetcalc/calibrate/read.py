"""A benchmark file opened and recognized by its content, not by its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sheetcalc.calibrate import formats
from sheetcalc.calibrate.run import Run
from sheetcalc.errors import InputError

LARGEST = 64 * 2**20  # bytes: a summary is far smaller; a file with every request in it is not what is wanted
KNOWN = (
    "vLLM bench serve, SGLang bench_serving, GuideLLM, AIPerf or genai-perf, inference-perf, InferenceX, MLPerf loadgen summary, "
    "llm-d benchmark report"
)


def runs_in(path: str | Path) -> list[Run]:
    """Every run that a file holds. Raises InputError when the file cannot be read or is in no known format."""
    path = Path(path)
    document = parse(text_of(path), path.name)
    for form in formats.ALL:
        if form.reads(document):
            try:
                return form.runs(document, path.name)
            except (TypeError, AttributeError, KeyError, ValueError) as error:
                if isinstance(error, InputError):
                    raise
                raise InputError(
                    f"looks like {form.NAME}, but its parts are not what that tool writes ({error}); give the file as the tool wrote it",
                    path.name,
                ) from None
    raise InputError(f"is no benchmark result that is known here; write one of {KNOWN}", path.name)


def text_of(path: Path) -> str:
    """The text of a file that is small enough, in UTF-8."""
    if not path.is_file():
        raise InputError("is not a file; give the result file that the benchmark wrote", str(path))
    size = path.stat().st_size
    if size > LARGEST:
        raise InputError(f"has {size / 1e6:.0f} MB; give the summary without the list of every request", path.name)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 text (byte {error.start}); give the JSON, YAML or log file itself, not an archive or a spreadsheet", path.name
        ) from None


def parse(text: str, where: str) -> Any:
    """JSON, JSON lines, YAML, or a log as it stands."""
    if not text.strip():
        raise InputError("is empty; give the result file that the benchmark wrote", where)
    if "MLPerf Results Summary" in text:
        return text
    try:
        if text.lstrip()[0] in "{[":
            return _json(text, where)
        return _yaml(text, where)
    except RecursionError:
        raise InputError("is nested too deeply to be a benchmark result; give the file as the tool wrote it", where) from None


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as whole:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise InputError(f"is broken JSON (line {whole.lineno}: {whole.msg}); give the whole file", where) from None
        rows = []
        for i, line in enumerate(lines, 1):
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise InputError(f"line {i} is broken JSON ({error.msg}); give the whole file", where) from None
        return rows


def _yaml(text: str, where: str) -> Any:
    import yaml

    class Plain(yaml.SafeLoader):
        """No aliases: a report needs none, and a few of them can stand for billions of values."""

        def compose_node(self, parent, index):
            if self.check_event(yaml.AliasEvent):
                raise InputError("holds YAML aliases, which no benchmark writes; give the file as the tool wrote it", where)
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Plain)  # SafeLoader: no objects are built
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        at = f" (line {line + 1})" if line is not None else ""
        raise InputError(f"is neither JSON nor YAML{at}; write one of {KNOWN}", where) from None
