"""What a printed workbook shows: no number that its column is too narrow for."""

import subprocess

import pytest
from pypdf import PdfReader

from sheetcalc.studies import study
from sheetcalc.workbook.book import build

PLAN = {"request_rate": 200.0, "gpu": "H200 SXM"}
HALF_MISSING = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}  # several of its cases do not exist


@pytest.mark.parametrize("plan", [PLAN, HALF_MISSING], ids=["whole", "half missing"])
def test_no_cell_shows_hashes(tmp_path, plan):
    book = tmp_path / "plan.xlsx"
    book.write_bytes(build(study("plan"), plan, [study("little_law"), study("regions")]))
    subprocess.run(
        [
            "soffice",
            f"-env:UserInstallation=file://{tmp_path}/profile",
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            str(tmp_path),
            str(book),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    pages = [page.extract_text() for page in PdfReader(tmp_path / "plan.pdf").pages]
    assert len(pages) > 10
    assert not [text for text in pages if "###" in text]
