"""`sheetcalc explain` and `--set`: every name can be found, every source is one that the reader has, every refusal names its option."""

import re

import pytest

from sheetcalc.__main__ import main
from sheetcalc.provenance import readable
from sheetcalc.studies import NAMES, study


@pytest.mark.parametrize("name", ["plan", "little_law", "finance"])
def test_without_a_name_it_lists_every_input_and_result(name, capsys):
    assert main(["explain", "--study", name]) == 0
    inputs, results = capsys.readouterr().out.split("\n\n")
    listed = set(re.findall(r"^  (\w+)", inputs, re.M))
    assert listed == {n for n, about in study(name).inputs.items() if not isinstance(about.value, list | tuple)}
    assert set(study(name).core) <= set(re.findall(r"^  (\w+)", results, re.M)) | listed


@pytest.mark.parametrize("name", NAMES)
def test_every_input_and_result_can_be_explained(name, capsys):
    result = study(name).evaluate({})
    for n in (*result.study.inputs, *result.model.steps):
        assert result.model.home.get(n) or isinstance(result.shown(n), str)
    blank = next((n for n, about in result.study.inputs.items() if about.value is None and n not in result.model.steps), None)
    if blank:
        assert main(["explain", blank, "--study", name]) == 0
        assert "value   not given" in capsys.readouterr().out


def test_no_source_is_a_paper_that_the_reader_lacks(capsys):
    sources = {about.source for name in NAMES for about in study(name).inputs.values()}
    said = {step.fn.__doc__ or "" for name in NAMES for step in study(name).model.steps.values()}
    assert any("file 000" in source for source in sources)
    assert not [
        readable(source) for source in sources | said if re.search(r"files? \d{3}|decisions? \d|calculators? [A-C]\b", readable(source))
    ]
    assert main(["explain", "gpus_per_replica"]) == 0
    assert "source  worked fleet example" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, says",
    [
        (["--set", "request_rate=x"], "--set request_rate: 'x' is not a number"),
        (["--set", "utilization_cap=65"], "--set utilization_cap: '65' would be 6,500 %"),
        (["--profile", "foo"], "--profile: 'foo' is not a known profile"),
        (["--model", "foo"], "--model: 'foo' is not a known model"),
    ],
)
def test_what_was_typed_wrong_names_its_option(capsys, words, says):
    assert main(["evaluate", *words]) == 2
    assert says in capsys.readouterr().err


def test_a_call_that_is_refused_leaves_the_file_of_an_earlier_one(tmp_path, capsys):
    out = tmp_path / "results.json"
    assert main(["evaluate", "--set", "request_rate=20", "-o", str(out)]) == 0
    before = out.read_bytes()
    assert main(["evaluate", "--set", "nonsense=1", "-o", str(out)]) == 2
    assert out.read_bytes() == before and list(tmp_path.iterdir()) == [out]
    assert main(["evaluate", "--set", "request_rate=20", "-o", str(tmp_path / "no" / "results.json")]) == 2
    assert "there is no folder" in capsys.readouterr().err
