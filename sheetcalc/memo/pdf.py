"""HTML to PDF/A-3a with PDF/UA marks: one set-up of styles and fonts a process, nothing read outside the template folder.

PDF/A-3a and PDF/UA-1 are claimed in the metadata; tests check the structure. Whether a file is *valid* is for veraPDF to say
(docs/memo.md tells how to run it).
"""

import hashlib
import io
import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import weasyprint
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from sheetcalc.errors import SheetcalcError

# The identifier of PDF/UA-1, ISO 14289-1 clause 5: pdfuaid:part is 1.
UA_MARK = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
    b'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description></rdf:RDF>'
)
UNDATED = datetime(1980, 1, 1)  # the zip epoch: what a file carries when no issue date is given
TYPES = {".otf": "font/otf", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}


class PrintError(SheetcalcError):
    """The page cannot be made into a PDF; the sentence says why."""


@dataclass(frozen=True)
class Attached:
    """A file inside the PDF: `relationship` is Source (the workbook) or Data (the scenario), as PDF/A-3 names them."""

    name: str
    content: bytes
    description: str
    relationship: str = "Data"


class TemplateFiles(URLFetcher):
    """Gives files of the named folders and refuses every other address."""

    def __init__(self, *folders):
        super().__init__(allowed_protocols=["file"], allow_redirects=False)
        self.folders = [Path(folder).resolve() for folder in folders]

    def fetch(self, url, headers=None):
        parts = urlsplit(url)
        path = Path(url2pathname(parts.path)).resolve()
        inside = any(path.is_relative_to(folder) for folder in self.folders)
        if parts.scheme != "file" or parts.netloc or not inside or path.suffix not in TYPES:
            raise FatalURLFetchingError(f"a template asked for {url[:200]}: a memo uses only files of its template folder")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": TYPES[path.suffix]})


class Press:
    """Styles and fonts, set up once; `run` makes one PDF. One run at a time in a process."""

    def __init__(self, css, templates, *folders):
        self.base_url = Path(templates).resolve().as_uri() + "/"
        self.files = TemplateFiles(templates, *folders)
        self.fonts = FontConfiguration()
        self.style = weasyprint.CSS(string=css, base_url=self.base_url, url_fetcher=self.files, font_config=self.fonts)

    def run(self, html, attached=(), dated=None):
        """The PDF as bytes. Same arguments, same bytes. Raises PrintError."""
        try:
            document = self.layout(html)
        except FatalURLFetchingError as error:
            raise PrintError(str(error)) from None
        document.metadata.xmp_metadata.append(UA_MARK)
        moment = datetime.combine(dated, datetime.min.time()) if dated else UNDATED
        files = [
            weasyprint.Attachment(
                file_obj=io.BytesIO(item.content),
                name=item.name,
                description=item.description,
                relationship=item.relationship,
                created=moment,
                modified=moment,
                url_fetcher=self.files,
            )
            for item in attached
        ]
        return document.write_pdf(pdf_variant="pdf/a-3a", pdf_tags=True, attachments=files, finisher=_name_each_attachment_once)

    def layout(self, html):
        page = weasyprint.HTML(string=html, base_url=self.base_url, url_fetcher=self.files)
        return page.render(font_config=self.fonts, stylesheets=[self.style], pdf_variant="pdf/a-3a", pdf_tags=True)


def _name_each_attachment_once(document, pdf):
    """WeasyPrint 70 lists an attachment twice in /AF: once from the name tree, once from the objects."""
    if "AF" in pdf.catalog:
        once = dict.fromkeys(pdf.catalog["AF"])
        pdf.catalog["AF"].clear()
        pdf.catalog["AF"].extend(once)


def fingerprint(content):
    """The first sixteen digits of the SHA-256 of an attachment, as printed in the memo."""
    return hashlib.sha256(content).hexdigest()[:16]


logging.getLogger("fontTools").setLevel(logging.ERROR)
