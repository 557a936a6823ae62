"""The guide and the functions page: what they show is what comes out."""

import re
from pathlib import Path

import pytest

from sheetcalc.commands.arguments import parser_of
from sheetcalc.excel import lite, page
from sheetcalc.excel.registry import functions

FOLDER = Path(page.__file__).parent / "guide"
GUIDE = (FOLDER / "guide.md").read_text(encoding="utf-8")
PAGE = (FOLDER / "functions.md").read_text(encoding="utf-8")
RANGES = {
    "A1:B3": [["request_rate", 200.0], ["gpu_hour_price", 2.5], ["utilization_cap", 0.65]],
    "A1:B1": [["replica_rate", 6.0]],
    "D2:D6": [[100.0], [200.0], [300.0], [400.0], [500.0]],
    "E1:G1": [[4.0, 8.0, 16.0]],
    "B5": 20.0,
    "J1:M5001": [["request_rate", "gpu"], *([100.0 + i, "H100 SXM"] for i in range(50))],
}


def read(text):
    """The arguments of a formula: texts, numbers, truth values, {…} and the ranges of the guide."""
    token = re.compile(r'\s*(?:"((?:[^"]|"")*)"|(TRUE|FALSE)|([A-Z]+[0-9]+(?::[A-Z]+[0-9]+)?)|(-?[0-9.]+(?:e[+-]?[0-9]+)?%?)|([{},;]))')
    out, stack, place, waiting = [], [], 0, True
    while place < len(text):
        found = token.match(text, place)
        assert found, text[place : place + 40]
        place = found.end()
        string, truth, address, digits, sign = found.groups()
        if sign == "{":
            stack.append([[]])
            continue
        if sign == "}":
            x, sign = stack.pop(), None
        elif sign == ";":
            stack[-1].append([])
            continue
        elif sign == ",":
            if waiting and not stack:
                out.append(None)
            waiting = True
            continue
        else:
            x = (
                string.replace('""', '"')
                if string is not None
                else truth == "TRUE"
                if truth
                else RANGES[address]
                if address
                else (float(digits[:-1]) / 100 if digits.endswith("%") else float(digits))
            )
        (stack[-1][-1] if stack else out).append(x)
        waiting = False
    return out


def called(formula):
    name, _, arguments = formula.removeprefix("=").partition("(")
    found = {f.excel: f for f in functions().values()}[name].call(*read(arguments.removesuffix(")")))
    return [f"→ {' | '.join(map(page.cell, row))}" for row in (found if isinstance(found, list) else [[found]])]


def test_the_committed_page_is_the_one_that_is_generated():
    assert page.page() == PAGE, "functions.md is old: make samples, or sheetcalc addin export -o sheetcalc/excel/guide/functions.md"


def test_every_example_of_the_page_comes_out():
    wrong, seen = [], 0
    for head, block in re.findall(r"### (SC_\w+)\n.*?```\n(.*?)\n```", PAGE, re.S):
        formula, *shown = block.split("\n")
        assert formula.startswith(f"={head}(")
        found = called(formula)
        seen += 1
        if [s for s in shown if s.startswith("→")] != found[: page.MOST_ROWS]:
            wrong.append((formula, shown, found[: page.MOST_ROWS]))
    assert not wrong, wrong[:5]
    assert seen == len(functions())


def test_the_page_is_about_values_that_exist():
    told = re.findall(r"^=(SC_\w+)\(.*\n→ #SC!", PAGE, re.M)
    assert len(told) < len(functions()) / 20, told


@pytest.mark.parametrize("formula", re.findall(r"`(=SC_[A-Z_]+\([^`]+\))`", GUIDE))
def test_every_formula_of_the_guide_works(formula):
    found = called(formula)
    if formula == "=SC_REPLICAS_EXACT(20, 65)":
        assert found == ["→ #SC! utilization_cap: 65 is above 1; write 65% or 0.65"] and found[0][2:] in GUIDE
    else:
        assert "#SC!" not in "".join(found)


def test_every_command_of_the_guide_can_be_typed():
    commands = set(re.findall(r"sheetcalc (addin (?:export -o [\w.]+|install|status)|doctor|studies)\b", GUIDE))
    assert len(commands) >= 6
    for command in commands:
        name, *words = command.split()
        parser_of(name).parse_args(words)


def test_the_guide_names_what_was_not_run_in_excel():
    assert "The automatic tests run on Linux, without Excel" in GUIDE
    assert len(re.findall(r"^\| \d+ \|", GUIDE, re.M)) == 10


def test_the_guide_shows_what_the_export_for_lite_writes():
    shown = [line.strip() for line in GUIDE.splitlines()]
    wanted = [line.partition("  #")[0] for line in (*lite.MAIN.splitlines(), *lite.REQUIREMENTS.splitlines()) if not line.startswith("#")]
    assert len(wanted) == 4 and not [line for line in wanted if line not in shown]
    assert set(re.findall(r"sheetcalc-[\d.]+-py3-none-any.whl", GUIDE)) == {lite.WHEEL}
