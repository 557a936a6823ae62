"""File names from scenario names."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetcalc.batch.names import stem
from sheetcalc.typed import folded

HOSTILE = [
    "..",
    ".",
    "../../etc/passwd",
    "..\\..\\x",
    "/etc/passwd",
    "C:\\x",
    "CON",
    "con",
    "nul.txt",
    "COM1",
    "LPT9",
    "aux",
    "CONIN$",
    "a\u202etxt.exe",
    "-rf",
    "--help",
    " ",
    "x.",
    "x ",
    "a:b",
    "a*b?",
    'a"b',
    "a<b>",
    "a|b",
    "a\nb",
    "日本語",
    "😀",
    "é",
    "e\u0301",
    "n" * 200,
    "ＣＯＮ",
    "=cmd()",
    "%PATH%",
    "~",
    "$HOME",
    "a\x00b",
    "desktop.ini",
    ".htaccess",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_plain_ascii_inside_the_folder(name, tmp_path):
    found = stem(name)
    assert found.isascii() and 1 <= len(found) <= 75
    assert all(c.isalnum() or c in "-_" for c in found) and found[0] not in "-_."
    assert found.split(".")[0].upper() not in {"CON", "PRN", "AUX", "NUL", *(f"{d}{i}" for d in ("COM", "LPT") for i in range(10))}
    (tmp_path / f"{found}.pdf").write_text("x")
    assert [p.parent for p in tmp_path.iterdir()] == [tmp_path]


def test_plain_names_stay_readable_and_do_not_depend_on_other_rows():
    assert stem("Chat for staff") == "Chat-for-staff"
    assert stem("fleet_200_rps") == "fleet_200_rps"
    assert [stem(name).rsplit("-", 1)[0] for name in ("Straße", "Łódź", "Smørrebrød")] == ["Strasse", "Lodz", "Smorrebrod"]
    assert stem("Chat, big") == stem("Chat, big") != stem("Chat big")


names = st.text(min_size=1, max_size=20) | st.text("aA bB-_.éÉ/ß", min_size=1, max_size=5)


@given(st.lists(names, min_size=2, max_size=30))
def test_names_that_are_apart_give_files_that_are_apart_without_regard_to_case(found):
    apart = {folded(name): name for name in found if folded(name)}
    stems = {unicodedata.normalize("NFD", stem(name)).casefold() for name in apart.values()}
    assert len(stems) == len(apart)


def test_no_plain_name_passes_for_the_file_of_another():
    other = stem("Chat, big")
    assert stem(other.replace("-", " ")) != other
    assert stem(other.replace("-", "_")) != other
