"""What an attacker reaches with a table or a folder: refusal in words or safe text, no file outside the folder, bounded memory and time."""

import csv
import io
import json
import resource
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import batch_work
import pytest

from sheetcalc import scenarios
from sheetcalc.batch import manifest, run
from sheetcalc.batch.pool import Given

LIVE = [
    "=1+1",
    "=cmd|'/C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    '=HYPERLINK("http://127.0.0.1")',
    "＝1+1",
    " =1",
    "'=1",
    "==x",
    "-cmd",
    "+cmd|x",
    "@x",
    '=DDE("a";"b")',
]


def go(source, out, **options):
    return run(
        scenarios.read(source, batch_work.INPUTS),
        out,
        batch_work.work,
        batch_work.environment,
        quiet=True,
        crew=Given(ThreadPoolExecutor(1)),
        **options,
    )


def written(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["scenario", "request_rate", "mfu", "notes"], *rows])
    return path


def cells(path):
    return [cell for row in csv.reader(io.StringIO(path.read_text("utf-8-sig"))) for cell in row]


@pytest.mark.parametrize("rate", ["1", "x"])
def test_no_cell_of_our_tables_is_live(tmp_path, rate):
    """Names, notes and cells that are formulas, in rows that are done (1) and in rows that are refused (x)."""
    source = written(
        tmp_path / "t.csv", [[f"{text} {i}", rate, "0.5", text] for i, text in enumerate(LIVE)] + [["last", rate + "=1", "=1+1", ""]]
    )
    go(source, tmp_path / "out")
    for path in (tmp_path / "out").glob("*.csv"):
        for cell in cells(path):
            assert not cell.strip().startswith(("=", "@", "＝")), cell
            assert not cell.startswith(("\t", "\r", "+", "-")), cell
    assert len(cells(tmp_path / "out" / "refused.csv")) > 8


def test_nothing_leaves_the_folder(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.pdf").write_text("kept")
    out = tmp_path / "out"
    out.mkdir()
    names = ["../escaped", "..", "/tmp/x", "C:\\x", "a/../../b", "CON", "x\u200b", "%2e%2e%2f", "~root", "link"]
    (out / "link.pdf").symlink_to(outside / "kept.pdf")
    (out / "manifest.jsonl").symlink_to(outside / "kept.pdf")
    (out / "summary.csv").symlink_to(outside / "new.csv")
    assert go(written(tmp_path / "t.csv", [[name, "1", "0.5", ""] for name in names]), out) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "outside", "t.csv"]
    assert [(p.name, p.read_text()) for p in outside.iterdir()] == [("kept.pdf", "kept")]
    assert len(list(out.glob("*.pdf"))) == len(names) and not any(p.is_symlink() for p in out.iterdir())


@pytest.mark.parametrize(
    "line",
    [
        {
            "row": 2,
            "scenario": "A",
            "status": "done",
            "result": "ok",
            "key": "k",
            "problems": [],
            "summary": {},
            "files": [{"name": "../../secret", "sha256": "", "bytes": 1}],
        },
        {"row": "x", "scenario": "A", "status": "done", "files": []},
        {"row": 2, "scenario": 5, "status": "done", "files": []},
        {"scenario": "A", "files": None},
        {"end": True, "files": [{"name": "refused.csv"}]},
        {"end": True, "files": [{"name": "..", "sha256": "", "bytes": 0}]},
        {"end": True},
        [],
        5,
        None,
        "x",
    ],
)
def test_a_manifest_made_by_someone_else(tmp_path, line):
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.jsonl").write_text(json.dumps({"run": {}}) + "\n" + json.dumps(line) + "\n")
    assert go(written(tmp_path / "t.csv", [["A", "1", "0.5", ""]]), out, resume=True) == 0
    assert [e["scenario"] for e in manifest.scenarios(out)] == ["A"]


HEAD = '<?xml version="1.0"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = HEAD + '{doctype}<worksheet xmlns="' + MAIN + '"><sheetData>{rows}</sheetData></worksheet>'
ROW = '<row r="{r}"><c r="A{r}" t="inlineStr"><is><t>{text}</t></is></c></row>'
BOOK = f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{LINKED}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'


def links(target, kind):
    one = f'<Relationship Id="rId1" Target="{target}" Type="{LINKED}/{kind}"/>'
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{one}</Relationships>'


def book(path, rows, doctype="", target="worksheets/sheet1.xml", more=()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f'{HEAD}<Types xmlns="{PACKAGE}/content-types"/>')
        archive.writestr("_rels/.rels", links("xl/workbook.xml", "officeDocument"))
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", links(target, "worksheet"))
        archive.writestr("xl/worksheets/sheet1.xml", SHEET.format(doctype=doctype, rows=rows))
        for name, content in more:
            archive.writestr(name, content)
    return path


def xlsx_problem(path):
    began = time.monotonic()
    try:
        return [row.name for row in scenarios.read(path, batch_work.INPUTS)]
    except scenarios.TableError as error:
        return str(error)
    finally:
        assert time.monotonic() - began < 60


def test_a_workbook_that_is_fine_is_read(tmp_path):
    assert xlsx_problem(book(tmp_path / "t.xlsx", ROW.format(r=1, text="scenario") + ROW.format(r=2, text="A"))) == ["A"]


def test_workbooks_that_attack_their_reader(tmp_path):
    rows = ROW.format(r=1, text="scenario") + ROW.format(r=2, text="&x;")
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    entity = f'<!DOCTYPE w [<!ENTITY x SYSTEM "file://{secret}">]>'
    laughs = (
        "<!DOCTYPE w [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 12)) + "<!ENTITY x '&a11;'>]>"
    )
    for name, doctype in [("xxe", entity), ("laughs", laughs)]:
        found = xlsx_problem(book(tmp_path / f"{name}.xlsx", rows, doctype))
        assert "the secret" not in str(found) and "haha" not in str(found)
    bomb = book(tmp_path / "bomb.xlsx", ROW.format(r=1, text="scenario"), more=[("xl/big.xml", b" " * 250_000_000)])
    assert "far more than a table" in xlsx_problem(bomb)
    dense = book(tmp_path / "dense.xlsx", ROW.format(r=1, text="scenario") + " " * 50_000_000)
    assert "far more than a table" in xlsx_problem(dense)
    many = book(tmp_path / "many.xlsx", ROW.format(r=1, text="scenario"), more=[(f"xl/p{i}.xml", b"") for i in range(2100)])
    assert "far more than a table" in xlsx_problem(many)
    away = book(
        tmp_path / "away.xlsx",
        ROW.format(r=1, text="scenario") + ROW.format(r=2, text="A") + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    )
    assert isinstance(xlsx_problem(away), str) or len(xlsx_problem(away)) <= 2
    for target in ("../../../../etc/passwd", "http://127.0.0.1/x", "worksheets/none.xml"):
        assert isinstance(xlsx_problem(book(tmp_path / "target.xlsx", rows, target=target)), str)


def test_the_parent_stays_small_while_a_workbook_attacks(tmp_path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    test_workbooks_that_attack_their_reader(tmp_path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000, "kB"


@pytest.mark.parametrize(
    "content",
    [
        b"scenario," + b"x" * 5_000_000,
        b"\n" * 3_000_000,
        b"," * 3_000_000,
        b'"' * 3_000_001,
        b"scenario,request_rate\n" + b'"' * 1_000_000,
        bytes(range(256)) * 4000,
        b"scenario,request_rate\n" + b"(" * 900_000 + b"\n",
        b"scenario,request_rate\nA," + b"9" * 900_000 + b"\n",
        b"scenario,request_rate\nA," + b"1,234," * 100_000 + b"\n",
        ("scenario,request_rate\nA,1" + "\u0301" * 500_000 + "\n").encode(),
        b"\xff\xfe" + b"\x00\xd8" * 1000,
        b"scenario\n" + b"\xed\xa0\x80\n",
    ],
    ids=range(12),
)
def test_tables_that_attack_their_reader(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    began = time.monotonic()
    try:
        found = list(scenarios.read(path, batch_work.INPUTS))
        assert all(isinstance(row, scenarios.Refusal) for row in found)
        assert all(len(line) < 2000 for row in found for line in row.lines("t.csv"))
    except scenarios.TableError as error:
        assert all(len(line) < 2000 for line in error.lines)
    assert time.monotonic() - began < 30
