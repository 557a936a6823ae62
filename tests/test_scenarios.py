"""The scenario table: real finance files are read, anything uncertain is refused in words, and refused.csv runs again when mended."""

import csv
import io
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetcalc import scenarios
from sheetcalc.model import COUNT, FRACTION, POSITIVE, Input
from sheetcalc.scenarios import Refusal, Scenario, TableError
from sheetcalc.scenarios.refused import Writer, defused, restored

INPUTS = {
    "request_rate": Input(10.0, "req/s", "Request rate", "assumed", **POSITIVE),
    "mfu": Input(0.5, "%", "Compute utilization", "assumed", **FRACTION),
    "tpot_target": Input(0.05, "ms", "TPOT target", "chosen", **POSITIVE),
    "gpu": Input("H100", "", "GPU", "chosen"),
    "gpu_hour_price": Input(2.5, "$/h", "GPU-hour price", "quoted", **POSITIVE),
    "gpus_per_replica": Input(4.0, "", "GPUs per replica", "chosen", **COUNT),
    "day_curve": Input([1.0, 2.0], "", "Day curve", "assumed"),
}
KEYS = {"gpu": ["H100", "H200", "B200 SXM"]}
TEXT = "scenario,request_rate,gpu\nMünchen,10,h100\nErlös,12.5,H200\n"


def table(tmp_path, content, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return scenarios.read(path, INPUTS, KEYS, **options)


def rows(tmp_path, content, **options):
    return list(table(tmp_path, content, **options))


def refused(tmp_path, content, **options):
    with pytest.raises(TableError) as error:
        rows(tmp_path, content, **options)
    return str(error.value)


def problems(row):
    assert isinstance(row, Refusal)
    return [p.column for p in row.problems]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path, codec, end):
    found = rows(tmp_path, TEXT.replace("\n", end).encode(codec))
    assert [(r.name, r.inputs["request_rate"], r.inputs["gpu"]) for r in found] == [("München", 10.0, "H100"), ("Erlös", 12.5, "H200")]


def test_windows_bytes_are_read_with_a_preview_only_when_certain(tmp_path):
    assert "which gives 'München', 'Erlös'; if" in table(tmp_path, TEXT.encode("cp1252")).notes[0]
    mixed = refused(tmp_path, TEXT.encode("cp1252") + "Zürich,1,H100\n".encode())
    assert "t.csv:2:" in mixed and "row 4 holds the UTF-8 character ü" in mixed
    undefined = refused(tmp_path, TEXT.encode("mac_roman") + b"\x81,1,H100\n")
    assert "0x81" in undefined and "--encoding" in undefined
    assert rows(tmp_path, TEXT.encode("mac_roman"), encoding="mac_roman")[0].name == "München"
    assert "not a known encoding" in refused(tmp_path, TEXT, encoding="klingon")
    assert "not utf-8" in refused(tmp_path, TEXT.encode("cp1252"), encoding="utf-8")


def test_encoding_is_found_in_a_file_larger_than_a_block(tmp_path):
    line = "Übersicht über Kosten,1,H100\n"
    many = "scenario,request_rate,gpu\n" + "".join(f"{i}{line}" for i in range(60_000))
    assert table(tmp_path, many).count == 60_000
    assert "row 60002 has byte 0xFC" in "".join(
        table(tmp_path, b"scenario,request_rate,gpu\n" + b"".join(b"%dx,1,H100\n" % i for i in range(60_000)) + b"\xfc,1,H100\n").notes
    )


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(tmp_path, separator):
    found = rows(tmp_path, "scenario,gpu,gpus_per_replica\nA,H100,4\nB,H200,8\n".replace(",", separator))
    assert [r.inputs["gpus_per_replica"] for r in found] == [4.0, 8.0]


def test_a_first_line_that_names_the_separator(tmp_path):
    found = table(tmp_path, "sep=;\nscenario;mfu\nA;0,5\n")
    assert [(r.row_number, r.inputs) for r in found] == [(3, {"mfu": 0.5})]
    assert "as the first line says" in found.notes[0]


def test_one_column_and_declared_separators(tmp_path):
    assert [r.name for r in rows(tmp_path, "scenario\n112\n113\n")] == ["112", "113"]
    assert rows(tmp_path, "scenario/mfu\nA/0.5\n", delimiter="/", decimal=".")[0].inputs == {"mfu": 0.5}
    assert "cannot separate" in refused(tmp_path, TEXT, delimiter="ab")
    assert "more than one character" in refused(tmp_path, "a,b;c\n1,2;3\n")


def test_titles_above_the_header(tmp_path):
    text = "Plan 2026,,\n\nscenario,mfu,gpu\nA,0.5,H100\n"
    assert "--header-row 3" in refused(tmp_path, text)
    assert [r.row_number for r in rows(tmp_path, text, header_row=3)] == [4]


def test_headers_in_other_spellings_and_units(tmp_path):
    found = rows(tmp_path, "Scenario;Request rate [req/h]; GPU-hour price (USD/hour) ;tpot\u00a0target [s];mfu [%]\nA;3600;2,5;0,05;45\n")
    assert found[0].inputs == {"request_rate": 1.0, "gpu_hour_price": 2.5, "tpot_target": 0.05, "mfu": 0.45}
    assert found[0].conversions == ("request_rate: 3600 (req/h) is 1 req/s", "tpot_target: 0,05 (s) is 50 ms")


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("scenario,mfus", "did you mean mfu"),
        ("scenario,rps", "did you mean request_rate"),
        ("scenario,zzz", "delete it"),
        ("scenario,mfu,MFU", "stands in column 2 already"),
        ("scenario,,mfu", "column 2: has no name"),
        ("scenario,gpu_hour_price [$/month]", r"$/month, which does not convert to $/h"),
        ("scenario,gpu [GB]", "holds text"),
        ("scenario,day_curve", "is a table"),
        ("scenario,compute utilisation", "did you mean mfu"),
        ("scenario,request_rate [tok/s]", "tok/s, which does not convert"),
    ],
)
def test_headers_that_cannot_be_used(tmp_path, head, says):
    assert says in refused(tmp_path, head + "\nA" + ",1" * head.count(",") + "\n")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "scenario,mfu\n",
        "scenario,mfu\n\n,,\n",
        "\ufeff",
        "\n\n\n",
        b"\x00\x01\x02",
        '"scenario,mfu\nA,0.5\n',
        'scenario,mfu\n"A,0.5\n' * 2 + '"',
    ],
)
def test_files_that_hold_nothing_or_break_off(tmp_path, content):
    assert refused(tmp_path, content)


def test_missing_files(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(TableError):
            scenarios.read(path, INPUTS)


def test_bad_rows_do_not_stop_the_others(tmp_path):
    found = rows(
        tmp_path,
        'scenario,request_rate,mfu\nA,10,0.5\nB,1e400,45\nC,1\nD,1,0.1,9\n"E"x,1,0.1\nF,-1,0.1\n,5,0.1\nG,,\n;,1,1%\n'
        '"H\nI",3,0.2\nJ,\x00,0.1\n\n  ,, \nK,3,0.3,,,\n',
    )
    assert [r.name for r in found if isinstance(r, Scenario)] == ["A", "G", ";", "K"]
    by_row = {r.row_number: problems(r) for r in found if isinstance(r, Refusal)}
    assert by_row == {
        3: ["request_rate", "mfu"],
        4: [""],
        5: [""],
        6: [""],
        7: ["request_rate"],
        8: ["scenario"],
        11: ["scenario"],
        12: ["request_rate"],
    }
    assert next(r for r in found if r.name == "G").inputs == {}
    for row in found:
        if isinstance(row, Refusal):
            assert all(p.what and p.instead for p in row.problems)
            assert all(line.startswith("x.csv:") and line.count(": ") >= 2 for line in row.lines("x.csv"))


def test_the_place_of_a_row_behind_quoted_line_breaks(tmp_path):
    found = rows(tmp_path, 'scenario,notes,mfu\nA,"one\ntwo\nthree",0.5\nB,x\n')
    assert found[0].notes == "one\ntwo\nthree"
    assert found[1].row_number == 3 and "line 5" in found[1].problems[0].what


def test_names_that_are_the_same_refuse_both_rows(tmp_path):
    found = rows(tmp_path, "scenario,mfu\nCafe\u0301,0.1\nPLAN,0.2\nCAFÉ,0.3\nplan ,0.4\nother,0.5\n")
    assert [r.name for r in found if isinstance(r, Scenario)] == ["other"]
    assert [(r.row_number, r.problems[0].what) for r in found if isinstance(r, Refusal)] == [
        (2, "'Café' is also the name of row 4"),
        (3, "'PLAN' is also the name of row 5"),
        (4, "'CAFÉ' is also the name of row 2"),
        (5, "'plan' is also the name of row 3"),
    ]


@pytest.mark.parametrize("name", ["a\u202eb", "a\u2066b", "x\x07", "\x9f", "a\u2028b", "n" * 201, " \u00a0 ", "\ufffe"])
def test_names_that_are_not_plain_text(tmp_path, name):
    assert problems(rows(tmp_path, f"scenario,mfu\n{name},0.5\n")[0]) == ["scenario"]


@pytest.mark.parametrize(
    "name",
    [
        "=cmd|'/C calc'!A0",
        "@SUM(A1)",
        "+1",
        "-2",
        "../../etc/passwd",
        "CON",
        "<b>x</b>",
        "日本語 計画",
        "😀",
        "a\u0301",
        "n" * 200,
        "NA",
        "null",
    ],
)
def test_names_that_look_dangerous_stay_text(tmp_path, name):
    import unicodedata

    assert rows(tmp_path, f'scenario,mfu\n"{name}",0.5\n')[0].name == unicodedata.normalize("NFC", name)


def test_notes_and_recipients(tmp_path):
    found = rows(
        tmp_path, f'scenario,notes,recipients\nA,"x\ny",a@b.example\nB,{"n" * 2001},\nC,a\x00b,\nD,,"a@b.example\nBcc: c@d.example"\n'
    )
    assert (found[0].notes, found[0].recipients) == ("x\ny", "a@b.example")
    assert [problems(r) for r in found[1:]] == [["notes"], ["notes"], ["recipients"]]


def test_numbers_follow_the_file(tmp_path):
    comma = rows(tmp_path, "scenario;gpu_hour_price;request_rate\nA;2,5;1.234,5\nB;3,1;1234\nC;4.5;1\nD;1,5;1.234\n")
    assert [r.inputs.get("request_rate") for r in comma[:2]] == [1234.5, 1234.0]
    assert [problems(r) for r in comma[2:]] == [["gpu_hour_price"], ["request_rate"]]
    declared = rows(tmp_path, "scenario;request_rate\nA;1.234\nB;1,5\n", decimal=",")
    assert [r.inputs["request_rate"] for r in declared] == [1234.0, 1.5]
    assert rows(tmp_path, 'scenario,request_rate\nA,"1,200"\nB,"$1,200"\n')[0].inputs == {"request_rate": 1200.0}


def test_the_limit_of_rows(tmp_path):
    assert "more than 3 scenarios" in refused(tmp_path, "scenario\n" + "".join(f"{i}\n" for i in range(4)), limit=3)


def test_long_lines_and_cells(tmp_path):
    assert "more than 1,048,576 characters" in refused(tmp_path, "scenario,mfu\n" + "x" * 1_100_000)
    assert "never closed" in refused(tmp_path, 'scenario,mfu\n"' + "x\n" * 600_000)
    found = rows(tmp_path, "scenario,notes\nA," + "x" * 40_000 + "\nB,y\n")
    assert [type(r) for r in found] == [Refusal, Scenario]


def written(path, found, **options):
    text = io.StringIO(newline="")
    writer = Writer(text, found.header, found.delimiter)
    for row in found:
        if isinstance(row, Refusal):
            writer.write(row.row_number, row.cells, row.problems)
    path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return writer.count


def test_refused_rows_are_mended_and_run_again(tmp_path):
    source = table(
        tmp_path,
        'scenario;request_rate;notes;mfu\nA;1;;0,5\n=B;x;"-1+2";0,5\n@C;−3;;45\nD;5\nE;5;a;0,1;more\n"F\nx";1;;0,1\nG;(5);\'=x;0,2\n',
    )
    path = tmp_path / "refused.csv"
    assert written(path, source) == 6
    lines = list(csv.reader(io.StringIO(path.read_text("utf-8-sig")), delimiter=";"))
    assert lines[0] == ["scenario", "request_rate", "notes", "mfu", "refused_row", "refused_column", "refused_because", "refused_instead"]
    assert lines[1][:3] == ["'=B", "x", "'-1+2"]
    again = list(scenarios.read(path, INPUTS, KEYS))
    first = [r for r in source if isinstance(r, Refusal)]
    assert [type(r) for r in again] == [Refusal] * 6
    assert [r.name for r in again] == [r.name for r in first]
    assert [r.cells[:4] for r in again if "(missing)" not in r.cells] == [r.cells[:4] for r in first if len(r.cells) >= 4]
    second = tmp_path / "second.csv"
    written(second, scenarios.read(path, INPUTS, KEYS))
    assert [line[:4] for line in csv.reader(io.StringIO(second.read_text("utf-8-sig")), delimiter=";")] == [line[:4] for line in lines]
    path.write_text(path.read_text("utf-8-sig").replace(";x;", ";7;").replace(";−3;", ";3;").replace(";45;", ";45%;"), "utf-8")
    mended = [r for r in scenarios.read(path, INPUTS, KEYS) if isinstance(r, Scenario)]
    assert [(r.name, r.inputs["request_rate"], r.notes) for r in mended] == [("=B", 7.0, "-1+2"), ("@C", 3.0, "")]


@given(st.text(max_size=12) | st.from_regex(r"'{0,2}[ \t]?[=+\-@＝][a-z0-9.,%]{0,4}", fullmatch=True))
def test_defusing_is_undone(cell):
    assert restored(defused(cell)) == cell
    shown = defused(cell)
    assert not shown.lstrip().startswith(("=", "@", "\t", "\r")) and (shown[:1] not in "+-" or shown[:1] == "" or shown[1:2].isdigit())


def workbook(tmp_path, lines, name="t.xlsx"):
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(line)
    book.save(tmp_path / name)
    return tmp_path / name


def test_a_workbook_as_a_table(tmp_path):
    import datetime

    path = workbook(
        tmp_path,
        [
            ["scenario", "request_rate", "mfu", "gpu", "tpot_target [s]"],
            ["A", 1.234, 0.45, "h100", 0.05],
            ["B", "1,5", "45%", None, None],
            [7, 1.0, None, None, None],
            ["C", datetime.date(2026, 3, 1), None, None, None],
            ["D", True, None, None, None],
            [],
            ["E", "1,234", None, None, None],
        ],
    )
    found = list(scenarios.read(path, INPUTS, KEYS))
    assert found[0].inputs == {"request_rate": 1.234, "mfu": 0.45, "gpu": "H100", "tpot_target": 0.05}
    assert found[2].name == "7"
    assert [problems(r) for r in found[3:]] == [["request_rate"], ["request_rate"], ["request_rate"]]
    assert [r.row_number for r in found] == [2, 3, 4, 5, 6, 8]


def test_error_cells_and_formulas_without_a_value_are_no_defaults(tmp_path):
    path = workbook(
        tmp_path, [["scenario", "request_rate", "mfu"], ["A", "#REF!", 0.5], ["B", "=1+1", 0.5], ["C", 3, 0.5], ["D", 3, "#N/A"]]
    )
    found = list(scenarios.read(path, INPUTS))
    assert [type(r) for r in found] == [Refusal, Refusal, Scenario, Refusal]
    assert "error of a spreadsheet" in found[0].problems[0].what and "no spreadsheet has calculated" in found[1].problems[0].what


def test_merged_cells_are_refused(tmp_path):
    path = workbook(tmp_path, [["scenario", "request_rate"], ["A", 1], ["B", 2]])
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("B2:B3")
    book.save(path)
    assert ["merged" in r.problems[0].what for r in scenarios.read(path, INPUTS)] == [True, True]


def test_workbooks_that_are_no_tables(tmp_path):
    path = workbook(tmp_path, [["scenario"], ["A"]])
    whole = path.read_bytes()
    cases = {
        "cut.xlsx": whole[:200],
        "old.xls": b"\xd0\xcf\x11\xe0" + b"\0" * 600,
        "text.xlsx": b"scenario,mfu\n",
        "zeros.xlsx": b"PK\x03\x04" + b"\0" * 100,
    }
    with zipfile.ZipFile(tmp_path / "macro.xlsm", "w") as archive, zipfile.ZipFile(path) as source:
        for part in source.namelist():
            archive.writestr(part, source.read(part))
        archive.writestr("xl/vbaProject.bin", b"x")
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
    for name in [*cases, "macro.xlsm"]:
        with pytest.raises(TableError):
            scenarios.read(tmp_path / name, INPUTS)
