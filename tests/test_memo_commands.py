"""`sheetcalc memo` and the look of `sheetcalc run`: where the PDF goes, what is refused in words, whose colors it has."""

import io

import pikepdf
import pytest

from sheetcalc.__main__ import main

TABLE = "scenario,request_rate\nChat,40\nVoice agents,5\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "brand.toml").write_text('company = "Acme"\npaper = "Letter"\n', encoding="utf-8")
    return tmp_path


def letter(pdf):
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return [float(x) for x in document.pages[0].MediaBox] == [0, 0, 612, 792]


@pytest.mark.parametrize(
    "out, words",
    [("memo.txt", "a memo is a PDF, and memo.txt is not named like one; write memo.pdf"), ("memo", "write memo.pdf"), (".", "is a folder")],
)
def test_a_name_that_is_not_a_pdfs_is_refused_in_words(folder, capsys, out, words):
    assert main(["memo", "plans.csv", "--scenario", "Chat", "-o", out]) == 2
    assert words in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["brand.toml", "plans.csv"]


def test_without_a_name_the_memo_is_named_after_its_scenario(folder, capsys):
    assert main(["memo", "plans.csv", "--scenario", "voice agents"]) == 0
    name = capsys.readouterr().out.strip()
    assert name.endswith(".pdf") and (folder / name).read_bytes().startswith(b"%PDF")
    assert main(["memo", "plans.csv"]) == 2
    assert "name one with --scenario (Chat, Voice agents), or make them all with sheetcalc run" in capsys.readouterr().err


def test_a_run_takes_a_brand_and_a_changed_brand_is_a_changed_run(folder, capsys):
    run = ["run", "plans.csv", "-o", "out", "--jobs", "1", "--quiet", "--brand", "brand.toml"]
    assert main(run) == 0
    made = {path.name: path.read_bytes() for path in (folder / "out").glob("*.pdf")}
    assert len(made) == 3 and all(map(letter, made.values()))
    (folder / "brand.toml").write_text('company = "Acme"\npaper = "A4"\n', encoding="utf-8")
    from sheetcalc.memo import brand, press

    brand.load.cache_clear(), press.cache_clear()  # another process would read the file anew
    assert main([*run, "--resume"]) == 0
    assert not any(letter(path.read_bytes()) for path in (folder / "out").glob("*.pdf"))


def test_a_brand_that_cannot_be_used_stops_a_run_before_it_begins(folder, capsys):
    (folder / "brand.toml").write_text('paper = "A3"\n', encoding="utf-8")
    assert main(["run", "plans.csv", "-o", "out", "--brand", "brand.toml"]) == 2
    assert 'write "A4" or "Letter"' in capsys.readouterr().err
    assert not (folder / "out").exists()
