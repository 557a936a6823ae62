"""A contact sheet of every page and every sheet, to be looked at. `python -m tests.look [FOLDER [FILE …]]`

PDF pages go through pdftoppm; workbooks through LibreOffice to PDF first. Without files it takes those in reports/ and workbooks/.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).parent.parent
WIDTH, COLUMNS, GAP = 620, 4, 12  # pixels of a page, pages a row, pixels between


def pages(path: Path, work: Path) -> list[Path]:
    """The pages of a PDF or a workbook as PNG files."""
    pdf = path
    if path.suffix == ".xlsx":
        subprocess.run(
            [
                "soffice",
                f"-env:UserInstallation=file://{work}/profile",
                "--headless",
                "--convert-to",
                "pdf",
                "--outdir",
                str(work),
                str(path),
            ],
            check=True,
            capture_output=True,
            timeout=300,
        )
        pdf = work / f"{path.stem}.pdf"
    subprocess.run(
        ["pdftoppm", "-r", "72", "-scale-to-x", str(WIDTH), "-scale-to-y", "-1", "-png", str(pdf), str(work / path.stem)],
        check=True,
        timeout=300,
    )
    return sorted(work.glob(f"{path.stem}-*.png"))


def contact_sheet(images: list[Path], title: str, to: Path) -> None:
    """All pages of one file on one picture."""
    opened = [Image.open(p) for p in images]
    height = max(i.height for i in opened)
    rows = -(-len(opened) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (WIDTH + GAP) + GAP, rows * (height + GAP) + GAP + 24), "#888")
    ImageDraw.Draw(sheet).text((GAP, 6), title, fill="white")
    for n, image in enumerate(opened):
        sheet.paste(image, (GAP + n % COLUMNS * (WIDTH + GAP), 24 + GAP + n // COLUMNS * (height + GAP)))
    sheet.save(to)


def main(folder: Path, files: list[Path]) -> None:
    """One picture a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        with tempfile.TemporaryDirectory() as work:
            images = pages(path, Path(work))
            to = folder / f"{path.stem}-{path.suffix[1:]}.png"
            contact_sheet(images, f"{path.name}: {len(images)} pages", to)
            print(to)


if __name__ == "__main__":
    given = [Path(a) for a in sys.argv[2:]]
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "look",
        given or [*sorted((ROOT / "reports").glob("*.pdf")), *sorted((ROOT / "workbooks").glob("*.xlsx"))],
    )
