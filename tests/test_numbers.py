"""The number grammar: nothing that has two readings is read, everything clean is read exactly (design rules 37, 43, 44)."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetcalc import conversions, units
from sheetcalc.model import COUNT, FRACTION, Input
from sheetcalc.numbers import Style, Unreadable, as_float, decimal_mark, number
from sheetcalc.typed import typed

COMMA, SEMICOLON = Style(","), Style(";")
STYLES = [Style(","), Style(";"), Style("\t"), Style(",", decimal="."), Style(";", decimal=","), Style(";", settled=",")]


def read(text, unit="", style=COMMA, header=""):
    return float(number(text, unit, Style(**vars(style)), header).value)


@pytest.mark.parametrize(
    ("text", "unit", "style", "value"),
    [
        ("1200", "", COMMA, 1200),
        ("1,200", "", COMMA, 1200),
        ("$1,200", "$/h", COMMA, 1200),
        ("1,234,567", "", COMMA, 1234567),
        ("1.234", "", COMMA, 1.234),
        ("0,5", "", SEMICOLON, 0.5),
        ("1.234,56", "", SEMICOLON, 1234.56),
        ("1,234.56", "", SEMICOLON, 1234.56),
        ("1.234", "", Style(";", decimal="."), 1.234),
        ("1.234", "", Style(";", decimal=","), 1234),
        ("1,234", "", Style(";", decimal=","), 1.234),
        ("0,125", "", SEMICOLON, 0.125),
        ("1234,567", "", SEMICOLON, 1234.567),
        ("1.234.567", "", SEMICOLON, 1234567),
        ("45%", "%", COMMA, 0.45),
        ("45 %", "%", COMMA, 0.45),
        ("45\u00a0%", "%", COMMA, 0.45),
        ("0.45", "%", COMMA, 0.45),
        ("1", "%", COMMA, 1),
        ("(500)", "$", COMMA, -500),
        ("($1,500)", "$", COMMA, -1500),
        ("−3", "", COMMA, -3),
        ("+5", "", COMMA, 5),
        ("-$5", "$", COMMA, -5),
        ("1'200", "", COMMA, 1200),
        ("1’200’000", "", SEMICOLON, 1200000),
        ("1\u00a0200", "", COMMA, 1200),
        ("1\u202f200,5", "", SEMICOLON, 1200.5),
        (" 12 ", "", COMMA, 12),
        ("\u00a012", "", COMMA, 12),
        (".5", "", COMMA, 0.5),
        ("1e6", "", COMMA, 1e6),
        ("1.5E+06", "", COMMA, 1.5e6),
        ("1.5M", "", COMMA, 1.5e6),
        ("1.5 bn", "$", COMMA, 1.5e9),
        ("2k", "req/s", COMMA, 2000),
        ("$1.5M", "$", COMMA, 1.5e6),
        ("2 K", "", COMMA, 2000),
        ("5 USD", "$/h", COMMA, 5),
        ("US$5", "$/h", COMMA, 5),
        ("$2.50/h", "$/h", COMMA, 2.5),
        ("2.5 $/h", "$/h", COMMA, 2.5),
        ("50 ms", "s", COMMA, 0.05),
        ("0.05s", "ms", COMMA, 50),
        ("80 GiB", "GB", COMMA, 85.89934592),
        ("3600 req/h", "req/s", COMMA, 1),
        ("1.979 PFLOP/s", "TFLOP/s", COMMA, 1979),
        ("200 GPUs", "", COMMA, 200),
        ("12,34,567", "", Style(",", indian=True), 1234567),
    ],
)
def test_clean_cells_are_read_exactly(text, unit, style, value):
    assert read(text, unit, style) == value


NEVER = (Path(__file__).parent / "data" / "never_numbers.txt").read_text("utf-8").splitlines()
NEVER += ["1\u200b000", "1\xad0", "- ", "1\xa020", "1\n2", "1\t2", "1\x002", "\x00", "$ ", "9" * 400, "1" * 61, "0." + "1" * 70]


@pytest.mark.parametrize("style", STYLES, ids=lambda s: f"{s.delimiter!r}{s.decimal}{s.settled}")
def test_malformed_cells_are_refused_in_every_style(style):
    """Over 300 cells and styles; a cell that a style reads must be one of the few that it may read."""
    may = {"1000,000": 1000.0, "$1,2345": 1.2345, "$1,23": 1.23, "100,0000": 100.0}  # a decimal comma, in a file that has one
    accepted = {}
    for text in NEVER:
        try:
            amount = number(text, "", Style(**vars(style)))
            accepted[text] = as_float(amount.value, text)
        except Unreadable as error:
            assert error.what and error.instead and error.instead != text
    if style.mark == ".":
        assert accepted == {}
    assert {k: v for k, v in accepted.items() if k not in may} == {}
    assert len(NEVER) * len(STYLES) > 300


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("text", ["1.234", "1,234", "999,999", "$1,200", "12.345", "-1,234", "(1,234)", "1,234 k"])
def test_one_separator_and_three_digits_needs_a_declared_mark(text, delimiter):
    with pytest.raises(Unreadable, match="--decimal"):
        number(text, "$", Style(delimiter))
    with pytest.raises(Unreadable, match="--decimal"):
        number(text, "$", Style(delimiter, settled=","))
    number(text, "$", Style(delimiter, decimal="."))
    number(text, "$", Style(delimiter, decimal=","))


def test_a_cell_that_contradicts_the_file_is_refused():
    style = Style(";")
    number("0,5", "", style)
    with pytest.raises(Unreadable, match="contradicts"):
        number("0.5", "", style)


def test_bare_shares_have_one_reading():
    for text, header in [("45", ""), ("1.5", ""), ("0.45", "%"), ("1", "%")]:
        with pytest.raises(Unreadable):
            number(text, "%", COMMA, header)
    assert read("45", "%", header="%") == 0.45
    assert read("0.45", "%", header="fraction") == 0.45
    assert read("45%", "%", header="%") == 0.45


@pytest.mark.parametrize(
    ("typed_unit", "unit", "by"),
    [
        ("ms", "s", Decimal("0.001")),
        ("min", "s", 60),
        ("h", "s", 3600),
        ("day", "h", 24),
        ("USD k", "$", 1000),
        ("USD/hour", "$/h", 1),
        ("GB", "MB", 1000),
        ("GiB", "MiB", 1024),
        ("TB/s", "GB/s", 1000),
        ("req/min", "req/s", Decimal(1) / 60),
        ("$/1M tokens", "$/M tok", 1),
        ("TFLOPS", "TFLOP/s", 1),
    ],
)
def test_fixed_factors(typed_unit, unit, by):
    assert float(conversions.factor(typed_unit, unit)) == pytest.approx(float(by), rel=1e-15)


@pytest.mark.parametrize(
    ("typed_unit", "unit"),
    [("$/month", "$/h"), ("month", "h"), ("tok/s", "req/s"), ("GB", "GB/s"), ("s", "B"), ("%", ""), ("ms", "%"), ("€", "$"), ("GPU", "$")],
)
def test_what_needs_an_assumption_does_not_convert(typed_unit, unit):
    assert conversions.factor(typed_unit, unit) is None


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 6), st.sampled_from([",", "."]))
def test_every_way_to_group_a_number_reads_back(digits, places, mark):
    value = Decimal(digits).scaleb(-places)
    text = f"{value:,f}"
    if mark == ",":
        text = text.translate(str.maketrans(",.", ".,"))
    style = Style(";", decimal=mark)
    if len(str(abs(digits)).lstrip("0")) <= 15:
        assert float(number(text, "", style).value) == float(value)


@given(st.floats(1e-6, 1e12, allow_nan=False))
def test_fifteen_digits_come_back_as_the_same_float(x):
    text = f"{x:.15g}"
    assert as_float(number(text, "", COMMA).value, text) == float(text)


@given(st.text(max_size=30))
def test_no_text_at_all_makes_it_fail(text):
    for style in STYLES:
        try:
            number(text, "%", Style(**vars(style)))
        except Unreadable as error:
            assert "\n" not in error.what
    decimal_mark(text)


def test_typed_values_are_base_units_as_a_sheet_works_them_out():
    given_ = Input(0.05, "ms", "TPOT target", "chosen", low=0.0, above=True)
    assert typed("tpot_target", "35.6", given_).value == 35.6 * units.scale("ms")
    assert typed("tpot_target", "50", given_).value == 50 * 1e-3
    found = typed("tpot_target", "0.05 s", given_)
    assert (found.value, found.conversion) == (50 * 1e-3, "tpot_target: 0.05 s (s) is 50 ms")
    assert typed("mfu", "45%", Input(0.5, "%", "MFU", "assumed", **FRACTION)).value == 0.45


def test_ranges_say_what_to_write():
    peak = Input(1979e12, "TFLOP/s", "Peak compute", "quoted", low=10e12, high=1e17)
    with pytest.raises(Unreadable, match=r"outside 10 to 100,000 TFLOP/s: write 1979 TFLOP/s"):
        typed("peak_compute", "1.979e15", peak)
    with pytest.raises(Unreadable, match=r"2\.5 is not a whole number: write 2 or 3"):
        typed("gpus", "2.5", Input(2.0, "", "GPUs", "chosen", **COUNT))
    with pytest.raises(Unreadable, match="not above 0"):
        typed("rate", "0", Input(2.0, "req/s", "Rate", "chosen", low=0.0, above=True))


def test_catalogue_words_match_without_regard_to_case_and_blanks():
    gpu = Input("H100", "", "GPU", "chosen")
    assert typed("gpu", " b200\u00a0 sxm", gpu, ["H100", "B200 SXM"]).value == "B200 SXM"
    with pytest.raises(Unreadable, match="write H100"):
        typed("gpu", "H10O", gpu, ["H100", "B200 SXM"])


def test_dates_have_one_reading():
    day = Input(None, "", "Issue date", "chosen")
    assert typed("issue_date", "2026-03-04", day).value == "2026-03-04"
    with pytest.raises(Unreadable, match="2026-03-04"):
        typed("issue_date", "3/4/2026", day)
