"""The generated VBA: names that Excel and VBA allow, lines that fit, blocks that close, and the same functions as xlwings would import."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sheetcalc.excel import vba
from sheetcalc.excel.registry import LONGEST_DOC, RESERVED, functions

MOST_ARGUMENTS, MOST_CONTINUATIONS, LONGEST_NAME, MOST_LINES = 60, 24, 255, 65_534  # of VBA
CELL = re.compile(r"[a-z]{1,3}[0-9]+|r[0-9]*c[0-9]*|r|c", re.I)  # addresses in both styles
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
TEXT, TOLD = vba.module(), vba.descriptions()
LINES = TEXT.split("\r\n")


def signatures(lines):
    return {
        m[1]: [a.strip() for a in m[2].split(",") if a.strip()]
        for m in (re.match(r"(?:Public )?Function (\w+)\((.*)\)$", line) for line in lines)
        if m
    }


@pytest.mark.parametrize("text, name", [(TEXT, vba.MODULE), (TOLD, vba.DESCRIPTIONS)])
def test_the_file_is_what_windows_reads(text, name):
    lines = text.split("\r\n")
    assert text.isascii() and text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert len(lines) < MOST_LINES and max(map(len, lines)) <= vba.LONGEST_LINE
    assert lines[0] == f'Attribute VB_Name = "{name}"'


def test_names_are_allowed():
    found = signatures(LINES)
    assert found.keys() == {f.excel for f in functions().values()}
    assert len({n.casefold() for n in found}) == len(found)
    for name, arguments in found.items():
        assert NAME.fullmatch(name) and len(name) <= LONGEST_NAME and not CELL.fullmatch(name) and name.casefold() not in RESERVED
        names = [a.removeprefix("Optional ") for a in arguments]
        assert len(names) <= MOST_ARGUMENTS and len({n.casefold() for n in names}) == len(names), name
        for n in names:
            assert NAME.fullmatch(n) and n.casefold() not in RESERVED and n.casefold() != name.casefold(), (name, n)
        optional = [a.startswith("Optional ") for a in arguments]
        assert optional == sorted(optional), f"{name}: what may be left out comes last"


@pytest.mark.parametrize("name", ["currency", "Date", "step", "caller"])
def test_a_reserved_argument_gets_another_name(name):
    from sheetcalc.excel.registry import argument_name

    assert argument_name(name) == f"{name}_" and argument_name("batch") == "batch"


@pytest.mark.parametrize("text", [TEXT, TOLD])
def test_blocks_close_and_lines_continue(text):
    opened, run = None, 0
    for line in text.split("\r\n"):
        run = run + 1 if line.endswith(" _") else 0
        assert run <= MOST_CONTINUATIONS
        start = re.match(r"(?:Public |Private )?(Function|Sub) ", line)
        end = re.match(r"End (Function|Sub)$", line)
        if start:
            assert opened is None
            opened = start[1]
        if end:
            assert opened == end[1]
            opened = None
    assert opened is None


def spoken(expression):
    """The text that a VBA expression of literals and ChrW gives."""
    parts = re.findall(r'"((?:[^"]|"")*)"|ChrW\((\d+)\)', expression)
    return "".join(chr(int(code)) if code else text.replace('""', '"') for text, code in parts)


@pytest.mark.parametrize("text", ["plain", 'say "yes"', "2 × µs − 1", "", "a\nb", "ends in ×"])
def test_a_literal_says_its_text(text):
    assert spoken(vba.literal(text)) == text and vba.literal(text).isascii()


def test_descriptions_are_whole():
    joined = re.sub(r" _\r\n\s*", " ", TOLD)
    for f in functions().values():
        (said,) = re.findall(rf'MacroOptions Macro:="{f.excel}", (.*)', joined)
        description, _, arguments = said.partition(", ArgumentDescriptions:=Array(")
        assert spoken(description.split("Description:=")[1]) == f.says and len(f.says) <= LONGEST_DOC
        assert spoken(arguments) == "".join(a.says for a in f.arguments)


def test_xlwings_would_import_the_same_functions():
    program = (
        "import io, json, sys, types; sys.path.insert(0, sys.argv[1]); from com_stub import install; udfs, _ = install(); "
        "import sheetcalc.excel.udfs as module; out = io.StringIO(); "
        "udfs.generate_vba_wrapper(module.__name__, module, out, types.SimpleNamespace(Name='b.xlsm')); print(json.dumps(out.getvalue()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, Path(__file__).parent],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    theirs = json.loads(done.stdout.splitlines()[-1]).splitlines()
    assert signatures(theirs) == signatures(LINES)
    subs = [re.match(r"Sub (\w+)\(", line)[1] for line in theirs if line.startswith("Sub ")]
    assert sorted(subs) == sorted(vba.MACROS)
    assert not any("Volatile" in line or "CommandBars" in line for line in theirs)


def test_the_same_every_time():
    assert (vba.module(), vba.descriptions()) == (TEXT, TOLD)
