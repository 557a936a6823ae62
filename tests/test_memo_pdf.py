"""The PDF itself: standards in structure, fonts, attachments, reading order, same bytes, nothing read outside the templates."""

import hashlib
import html
import io
import logging
import os
import re
import subprocess
import sys
import threading
from datetime import date
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pikepdf
import pytest
from memo_pages import pages, squeezed

from sheetcalc import memo
from sheetcalc.memo.brand import BrandError, load
from sheetcalc.memo.details import Details
from sheetcalc.memo.pdf import Attached, Press, PrintError
from sheetcalc.memo.templates import FOLDER
from sheetcalc.studies.plan import STUDY as PLAN

BOOK = Attached("plan.xlsx", b"PK\x03\x04 a workbook", "The live workbook", "Source")
ROW = Attached("scenario.csv", b"scenario,request_rate\nA,200\n", "The scenario as typed", "Data")
DETAILS = Details(scenario="Helpdesk assistant", notes="Two lines\nof notes.", issued=date(2026, 11, 30), number="CP-14")


@pytest.fixture(scope="module")
def result():
    return PLAN.evaluate({"request_rate": 200.0, "api_price_row": "gpt-6-astra"})


@pytest.fixture(scope="module")
def pdf(result):
    return memo.render(result, details=DETAILS, attached=(BOOK, ROW))


@pytest.fixture(scope="module")
def opened(pdf):
    return pikepdf.open(io.BytesIO(pdf))


def elements(node, found=None):
    """The structure tree in reading order, as (tag, element)."""
    found = [] if found is None else found
    for kid in node.K if isinstance(node.get("/K"), pikepdf.Array) else [node.get("/K")]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            found.append((str(kid.S), kid))
            if "/K" in kid:
                elements(kid, found)
    return found


def test_it_claims_pdf_a_3a_and_pdf_ua_1_and_has_their_structure(opened):
    root = opened.Root
    metadata = bytes(root.Metadata.read_bytes()).decode()
    assert re.search(r'pdfaid:part[=">]+3', metadata) and re.search(r'pdfaid:conformance[=">]+A', metadata)
    assert re.search(r'pdfuaid:part[=">]+1', metadata)
    assert str(root.Lang) == "en-US" and root.MarkInfo.Marked and root.ViewerPreferences.DisplayDocTitle
    assert root.OutputIntents[0].S == "/GTS_PDFA1"
    assert "Helpdesk assistant" in str(opened.docinfo["/Keywords"])
    assert str(opened.docinfo["/Title"]).startswith("Build")
    assert "/Encrypt" not in opened.trailer and not any("/JS" in obj for obj in opened.objects if isinstance(obj, pikepdf.Dictionary))


def test_every_picture_has_a_text_alternative_and_every_table_its_headers(opened):
    tree = elements(opened.Root.StructTreeRoot)
    tags = [tag for tag, _ in tree]
    figures = [element for tag, element in tree if tag == "/Figure"]
    assert len(figures) >= 3
    assert all(len(str(figure.Alt)) > 20 for figure in figures)
    for tag in ("/H1", "/H2", "/Table", "/THead", "/TH", "/TD", "/Caption", "/L", "/P"):
        assert tag in tags, tag
    assert tags.count("/H1") == 1 and tags.index("/H1") < tags.index("/H2")
    for tag, element in tree:
        if tag == "/TD":
            assert len(element.A.Headers) >= 1


def test_the_text_is_drawn_in_reading_order(pdf, result):
    """Screen readers follow the tags, copying follows the drawing: both must tell the story in the same order."""
    written = memo.compose(result, details=DETAILS, attached=(BOOK, ROW))
    drawn = squeezed("".join(pages(pdf, written.title))).casefold()
    at = 0
    for part in re.split(r"<(?:title|style|svg).*?</(?:title|style|svg)>", written.html[written.html.index("<body>") :], flags=re.S):
        for wanted in html.unescape(re.sub(r"<[^>]+>", " ", part)).casefold().split():
            found = drawn.find(wanted, at)
            assert found >= 0, f"{wanted!r} is drawn before its turn or not at all"
            at = found + len(wanted)


def test_fonts_are_ours_embedded_and_subset(opened):
    names = set()
    for obj in opened.objects:
        if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/FontDescriptor":
            assert any(key in obj for key in ("/FontFile", "/FontFile2", "/FontFile3")), obj.FontName
            names.add(str(obj.FontName))
    assert names
    for name in names:
        assert re.fullmatch(r"/[A-Z]{6}\+Memo-(Serif|Sans)(-[A-Za-z-]+)?", name), name


def test_greek_cyrillic_and_arrows_are_drawn_with_our_fonts_too(result):
    made = pikepdf.open(io.BytesIO(memo.render(result, details=Details(scenario="Ωmega Жизнь → ✓ Σ", notes="αβγ привет √ ∑"))))
    names = {str(obj.FontName) for obj in made.objects if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/FontDescriptor"}
    assert all(re.fullmatch(r"/[A-Z]{6}\+Memo-(Serif|Sans)(-[A-Za-z-]+)?", name) for name in names), names


def test_the_workbook_and_the_scenario_ride_inside_each_once(opened):
    files = opened.attachments
    assert {name: files[name].get_file().read_bytes() for name in files} == {"plan.xlsx": BOOK.content, "scenario.csv": ROW.content}
    af = list(opened.Root.AF)
    assert [str(item.AFRelationship) for item in af] == ["/Source", "/Data"]
    assert all(str(item.EF.F.Params.ModDate) == "D:20261130000000Z" for item in af)


def test_the_fingerprint_of_the_workbook_is_printed(pdf):
    assert hashlib.sha256(BOOK.content).hexdigest()[:16] in squeezed("".join(pages(pdf, "")[-1:]))


def test_same_input_same_bytes_in_another_process(pdf):
    code = (
        "import sys; sys.path[:0] = {paths}\nfrom test_memo_pdf import *\n"
        "import hashlib\nr = PLAN.evaluate({'request_rate': 200.0, 'api_price_row': 'gpt-6-astra'})\n"
        "print(hashlib.sha256(memo.render(r, details=DETAILS, attached=(BOOK, ROW))).hexdigest())"
    ).replace("{paths}", repr([str(Path(__file__).parent), str(Path(__file__).parent.parent)]))
    env = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=240, check=True)
    assert out.stdout.strip() == hashlib.sha256(pdf).hexdigest()


def test_a_memo_renders_without_a_warning(result, caplog):
    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        memo.render(result, details=DETAILS)
    assert [record.getMessage() for record in caplog.records] == []


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src='file:///etc/passwd'>",
    '<img src="http://127.0.0.1:{port}/x.png">',
    "<style>@import url(http://127.0.0.1:{port}/a.css);</style>",
    "</title><link rel=attachment href='file:///etc/passwd'>",
    '"><object data="http://127.0.0.1:{port}/o"></object>',
    "{{ 7 * 7 }} {% raw %}",
    "url(http://127.0.0.1:{port}/b)",
    "&lt;b&gt; &#x41;",
    "‮gnp.exe‬ right to left",
    "é ẞ ﬁ ½ −5 €",
    "📈 growth 🚀",
    "x" * 300,
    "word " * 400,
    "=HYPERLINK(1)",
    "a‑b­c​d",
]


class Trap(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        Trap.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_hostile_text_is_text_and_nothing_outside_the_templates_is_read(result):
    server = HTTPServer(("127.0.0.1", 0), Trap)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    memo.render(result)  # set up, so that the watch below sees the rendering alone
    read, watching = [], [True]

    def watch(event, args):
        if watching[0] and event == "open" and isinstance(args[0], str):
            read.append(args[0])

    sys.addaudithook(watch)
    try:
        for part in (HOSTILE[:8], HOSTILE[8:]):
            texts = [text.replace("{port}", str(server.server_port)) for text in part]
            details = Details(scenario=texts[1][:200], notes="\n".join(texts))
            made = memo.render(result, details=details)
            shown = squeezed("".join(pages(made, memo.compose(result, details=details).title)))
            assert pikepdf.open(io.BytesIO(made)).attachments == {}
            for text in texts:
                assert not text.isascii() or squeezed(text) in shown
    finally:
        watching[0] = False
        server.shutdown()
    assert Trap.asked == []
    allowed = (str(FOLDER), sys.prefix, sys.base_prefix, str(Path(memo.__file__).parent))
    assert [path for path in read if not path.startswith(allowed)] == []


def test_text_that_reorders_the_page_loses_its_marks_and_symbols_are_spelled(result):
    made = memo.render(result, details=Details(scenario="Plan \u202egnp", notes="📈 up"))
    shown = "".join(pages(made, ""))
    assert "\u202e" not in shown
    assert "[chartwithupwardstrend]up" in squeezed(shown)


def test_a_letter_without_a_font_is_refused_in_words(result, monkeypatch):
    from sheetcalc.errors import InputError
    from sheetcalc.memo import clean

    monkeypatch.setattr(clean, "_system_draws", lambda c: False)
    clean._character.cache_clear()
    with pytest.raises(InputError, match=r"U\+4E2D.*no font here has it"):
        memo.render(result, details=Details(scenario="中文"))
    clean._character.cache_clear()


def test_a_busy_machine_changes_no_answer(result, monkeypatch):
    from sheetcalc.errors import InputError
    from sheetcalc.memo import clean

    def busy(command, **_):
        raise subprocess.TimeoutExpired(command, clean.PATIENCE)

    clean._character.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(clean.subprocess, "run", busy)
        with pytest.raises(InputError, match="run it again when the machine is free"):
            clean.clean("中")
    monkeypatch.setattr(clean, "_system_draws", lambda c: True)
    assert clean.clean("中") == "中"  # the failure was not kept
    clean._character.cache_clear()


def test_a_template_that_asks_for_a_foreign_file_is_refused_in_words():
    press = Press("p { color: black }", FOLDER)
    for address in ("file:///etc/passwd", "http://127.0.0.1:9/x.png", "file://host/x.png", "../pyproject.toml", "data:image/png;base64,AA"):
        with pytest.raises(PrintError, match="only files of its template folder"):
            press.run(f'<html lang="en"><title>t</title><img src="{address}" alt="x">')


def test_a_brand_sets_color_paper_logo_and_numbers(result, tmp_path):
    (tmp_path / "logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
    )
    brand = tmp_path / "brand.toml"
    brand.write_text(
        'company = "Acme"\naccent = "#aa0000"\nlogo = "logo.svg"\npaper = "Letter"\n'
        'decimal_mark = ","\ndate_format = "dd.MM.yyyy"\ncurrency = "€"\n'
    )
    made = memo.render(result, brand=str(brand), details=DETAILS)
    document = pikepdf.open(io.BytesIO(made))
    assert [float(x) for x in document.pages[0].MediaBox] == [0, 0, 612, 792]
    text = "".join(pages(made, ""))
    assert "30.11.2026" in text and "€" in text and "$" not in text and "Acme" in text
    assert re.search(r"\d,\d\d?%", text)
    labels = [squeezed(label) for label in re.findall(r"<text [^>]*>([^<]+)", memo.compose(result, brand=str(brand), details=DETAILS).html)]
    assert len(labels) > 30 and any("€" in label for label in labels)
    assert [label for label in labels if html.unescape(label) not in squeezed(text)] == []
    assert "dollars" not in text


@pytest.mark.parametrize(
    "line, words",
    [
        ('colour = "#112233"', "unknown key 'colour'"),
        ('acent = "#112233"', "did you mean 'accent'"),
        ('accent = "red; } @import url(http://x)"', 'write a color as "#17567d"'),
        ('paper = "A3"', 'write "A4" or "Letter"'),
        ('logo = "../secret.png"', "bare name"),
        ('logo = "missing.png"', "no such file"),
        ('company = "a\\u0007"', "one line of text"),
        ("approvals = 3", "at most four words"),
        ("accent = ", "not valid TOML"),
    ],
)
def test_a_brand_that_cannot_be_used_says_what_to_write(tmp_path, line, words):
    file = tmp_path / "brand.toml"
    file.write_text(line)
    with pytest.raises(BrandError, match=re.escape(words)):
        load(str(file))


def test_the_page_is_read_back_on_both_papers_without_cut_rows(result, tmp_path):
    """No line of text leaves the page: every word lies inside the media box."""
    for paper in ("A4", "Letter"):
        brand = tmp_path / f"{paper}.toml"
        brand.write_text(f'paper = "{paper}"\n')
        from pypdf import PdfReader

        for page in PdfReader(io.BytesIO(memo.render(result, brand=str(brand), details=DETAILS))).pages:
            width = float(page.mediabox.width)
            places = []
            page.extract_text(
                visitor_text=lambda text, cm, tm, *_, places=places: (
                    places.append((text, tm[4] * cm[0] + cm[4], tm[5])) if text.strip() else None
                )
            )
            assert places
            assert all(0 <= x <= width for _, x, _ in places), [p for p in places if not 0 <= p[1] <= width][:3]
