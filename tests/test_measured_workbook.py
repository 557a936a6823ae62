"""The measured profile in the workbook: both outside engines say what Python says, and the textbook figure stands beside it."""

import pytest
import recalc

from sheetcalc.studies import study
from sheetcalc.workbook.book import build

PLAN = {
    "request_rate": 20.0,
    "model": "gpt-oss-120b",
    "gpu": "H200 SXM",
    "gpus_per_replica": 2.0,
    "weight_format": "FP4",
    "engine": "sglang",
}  # experts, windows, FP4 on Hopper


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measured")
    path = folder / "plan.xlsx"
    path.write_bytes(build(study("plan"), PLAN))
    return path, recalc.poisoned(path, folder / "bad.xlsx"), folder


def plain(cells):
    """Flags as numbers: the engines write them either way."""
    return {place: float(x) if isinstance(x, bool) else x for place, x in cells.items()}


@pytest.mark.parametrize("engine", ["IronCalc", "LibreOffice"])
def test_both_engines_agree_with_python(book, engine):
    path, bad, folder = book
    want = plain(recalc.cached(path))
    got = plain(recalc.iron(bad) if engine == "IronCalc" else recalc.libreoffice(bad, folder))
    assert len(want) > 1_000 and not recalc.differences(want, got)


def test_the_textbook_figure_stands_beside():
    plan = study("plan")
    beside = plan.evaluate(PLAN)
    names = plan.model.sweeps["by_profile"]
    for i, profile in enumerate(("measured", "textbook")):
        alone = plan.evaluate(PLAN | {"profile": profile})
        for name in ("tpot_worst", "replicas", "gpus", "cost_per_hour"):
            assert beside.value(names[name])[i] == pytest.approx(alone.value(name), rel=1e-12), (profile, name)
    gpus = beside.value(names["gpus"])
    assert gpus[0] > gpus[1], "measured machines are slower than the textbook's"
