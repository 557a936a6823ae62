"""The committed samples are what the program makes now: workbooks by the XML of their parts, memos by their text and structure.

Bytes are not compared, for another machine's libraries may pack and subset otherwise. `make samples` builds them anew.
"""

import zipfile
from pathlib import Path

import pytest
import samples
from pypdf import PdfReader

MEMOS = sorted(p.name for p in (samples.ROOT / "reports").glob("*.pdf"))
BOOKS = sorted(p.name for p in (samples.ROOT / "workbooks").glob("*.xlsx"))


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Folders `reports` and `workbooks`, built now."""
    folder = tmp_path_factory.mktemp("samples")
    samples.build(folder / "reports", folder / "workbooks")
    return folder


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pages(path: Path) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def bookmarks(outline: list) -> list:
    return [bookmarks(entry) if isinstance(entry, list) else entry["/Title"] for entry in outline]


def structure(path: Path) -> tuple:
    """What a reader for the blind and an archive see: language, title, bookmarks, names of what is attached."""
    pdf = PdfReader(path)
    return (
        pdf.trailer["/Root"]["/Lang"],
        pdf.metadata.title,
        bookmarks(pdf.outline),
        sorted(pdf.attachments),
    )


def test_no_sample_is_left_over_or_missing(made):
    assert sorted(p.name for p in (made / "reports").glob("*.pdf")) == MEMOS
    assert sorted(p.name for p in (made / "workbooks").glob("*.xlsx")) == BOOKS


@pytest.mark.parametrize("name", BOOKS)
def test_a_committed_workbook_is_what_is_made_now(made, name):
    committed, now = parts(samples.ROOT / "workbooks" / name), parts(made / "workbooks" / name)
    assert committed.keys() == now.keys()
    assert not [part for part in now if committed[part] != now[part]], "run `make samples`"


@pytest.mark.parametrize("name", MEMOS)
def test_a_committed_memo_is_what_is_made_now(made, name):
    committed, now = samples.ROOT / "reports" / name, made / "reports" / name
    assert pages(committed) == pages(now), "run `make samples`"
    assert structure(committed) == structure(now)


def test_the_committed_summary_is_what_is_made_now(made):
    assert (samples.ROOT / "reports" / "summary.csv").read_bytes() == (made / "reports" / "summary.csv").read_bytes()
