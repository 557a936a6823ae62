"""A person's hand in a workbook: cells, names and sheets changed in the XML, everything else left as it was."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path


class Edited:
    """The parts of a workbook; change them, then `save`."""

    def __init__(self, path: Path):
        with zipfile.ZipFile(path) as archive:
            self.parts = {n: archive.read(n) for n in archive.namelist()}
        book, rels = self.parts["xl/workbook.xml"].decode(), self.parts["xl/_rels/workbook.xml.rels"].decode()
        self.order = re.findall(r'<sheet [^>]*?name="([^"]+)"', book)
        targets = {}
        for rel in re.findall(r"<Relationship [^>]*>", rels):
            targets[re.search(r'Id="([^"]+)"', rel)[1]] = re.search(r'Target="([^"]+)"', rel)[1].removeprefix("/xl/").removeprefix("xl/")
        self.part = {
            re.search(r'name="([^"]+)"', s)[1]: "xl/" + targets[re.search(r'r:id="([^"]+)"|\bid="([^"]+)"', s)[1]]
            for s in re.findall(r"<sheet [^>]*>", book)
        }

    def cell(self, sheet: str, at: str, formula: str | None = None, value=None) -> None:
        """What a cell holds from now on: a formula, a number, a text, or both a formula and its shown value."""
        kind = "str" if isinstance(value, str) else "b" if isinstance(value, bool) else "n"
        inner = ("" if formula is None else f"<f>{formula}</f>") + (
            "" if value is None else f"<v>{int(value) if isinstance(value, bool) else value}</v>"
        )
        name = self.part[sheet]
        pattern = re.compile(rf'<c r="{at}"((?: s="\d+")?)[^>]*?(?:/>|>.*?</c>)'.encode(), re.S)
        self.parts[name], n = pattern.subn(
            lambda m: b'<c r="%b"%b t="%b">%b</c>' % (at.encode(), m[1], kind.encode(), inner.encode()), self.parts[name], count=1
        )
        if not n:
            row, made = int(re.sub(r"\D", "", at)), f'<c r="{at}" t="{kind}">{inner}</c>'.encode()
            self.parts[name], n = re.subn(
                rf'(<row r="{row}"[^>]*>)(.*?)(</row>)'.encode(), lambda m: m[1] + m[2] + made + m[3], self.parts[name], count=1, flags=re.S
            )
        assert n == 1, (sheet, at)

    def shown(self, sheet: str, at: str, value: str | None) -> None:
        """Another shown value beside the same formula; None for none."""
        name = self.part[sheet]
        new = b"" if value is None else b"<v>%b</v>" % value.encode()
        self.parts[name], n = re.subn(
            rf'(<c r="{at}"[^>]*>)(<f[^>]*>.*?</f>)<v>.*?</v>'.encode(), lambda m: m[1] + m[2] + new, self.parts[name], count=1, flags=re.S
        )
        assert n == 1, (sheet, at)

    def book(self, old: str, new: str) -> None:
        """The workbook part with one text in place of another."""
        text = self.parts["xl/workbook.xml"].decode()
        assert old in text, old
        self.parts["xl/workbook.xml"] = text.replace(old, new, 1).encode()

    def name(self, sheet: str, name: str, reference: str | None) -> None:
        """A name of a sheet that means something else, or nothing any more."""
        text, where = self.parts["xl/workbook.xml"].decode(), self.order.index(sheet)
        new = "" if reference is None else rf'<definedName name="{name}" localSheetId="{where}">{reference}</definedName>'
        text, n = re.subn(rf'<definedName name="{name}" localSheetId="{where}"[^>]*>[^<]*</definedName>', lambda m: new, text)
        assert n == 1, (sheet, name)
        self.parts["xl/workbook.xml"] = text.encode()

    def sheet(self, title: str) -> None:
        """One sheet more, at the end, with a number on it."""
        n = len(self.order) + 1
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        self.order.append(title)
        self.part[title] = f"xl/worksheets/sheet{n}.xml"
        cell = '<row r="1"><c r="A1"><v>1</v></c></row>'
        self.parts[self.part[title]] = f'<worksheet xmlns="{main}"><sheetData>{cell}</sheetData></worksheet>'.encode()
        self.book("</sheets>", f'<sheet xmlns:r="{kind}" name="{title}" sheetId="{n + 900}" r:id="added{n}"/></sheets>')
        for part, end, more in (
            (
                "xl/_rels/workbook.xml.rels",
                "</Relationships>",
                f'<Relationship Id="added{n}" Type="{kind}/worksheet" Target="worksheets/sheet{n}.xml"/>',
            ),
            (
                "[Content_Types].xml",
                "</Types>",
                f'<Override PartName="/{self.part[title]}" '
                'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>',
            ),
        ):
            self.parts[part] = self.parts[part].decode().replace(end, more + end).encode()

    def save(self, path: Path) -> Path:
        """Write the parts as a workbook."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.parts.items():
                archive.writestr(name, data)
        return path
