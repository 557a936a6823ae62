"""The memo over all scenarios of a run."""

import io

import pikepdf
import pytest
from memo_pages import pages, squeezed, stray_digits, wrong_numbers

from sheetcalc import memo
from sheetcalc.memo import portfolio


def entry(name, decision="build", gpus=16.0, build=1000.0, api=4000.0, status="done"):
    return {
        "scenario": name,
        "status": status,
        "files": [{"name": f"{name}.pdf"}],
        "problems": [],
        "summary": {
            "gpus": gpus,
            "build_cost_per_month [$/month]": build,
            "api_cost_per_month [$/month]": api,
            "decision": decision,
            "verdict": f"{decision}: as worked out",
        },
    }


ENTRIES = [
    entry("Chat", build=1234.0),
    entry("Voice", "api", build=9000.0, api=800.0),
    entry("Records", build=5000.0, api=None),
    entry("Stuck", "none", None, None, 700.0),
    entry("Mixed", "hybrid") | {"summary": entry("Mixed", "hybrid")["summary"] | {"hybrid_cost_per_month [$/month]": 900.0}},
    entry("Bad", status="refused"),
]


def test_totals_counts_and_order_are_those_of_the_scenarios():
    written = portfolio.write(ENTRIES, memo._brand(None))
    pdf = memo.press().run(written.html)
    text = squeezed("".join(pages(pdf, written.title)))
    assert written.title == "Build in 2 of 5 scenarios; what is chosen costs $7,934 a month"  # 1,234 + 800 + 5,000 + 900
    assert "Build2$6,234" in text and "Bothtogether1$900" in text and "BuyfromanAPI1$800" in text and "Nooptionholds1none" in text
    assert "1rowswererefused" in text or "1rowwasrefused" in text
    matter = [item.name for item in sorted(map(portfolio.line, ENTRIES[:5]), key=lambda item: (-item.stake, item.name))]
    assert matter == ["Voice", "Records", "Mixed", "Chat", "Stuck"]
    assert stray_digits(pdf, written) == [] and wrong_numbers(written) == []


def test_a_long_table_lists_the_largest_and_says_how_many_are_not_listed():
    many = [entry(f"S{number:04d}", build=float(number)) for number in range(portfolio.MOST_ROWS + 7)]
    written = portfolio.write(many, memo._brand(None))
    assert written.html.count('<th scope="row">S0') == portfolio.MOST_ROWS
    assert "7 more scenarios" in written.html.replace("\u00a0", " ")


def test_nothing_done_gives_no_memo():
    assert memo.render_portfolio([entry("Bad", status="failed")]) is None


@pytest.mark.parametrize("name", ["<b>x</b>", "a" * 200, "=1+1", "Ünï ✓ 日"])
def test_names_are_text(name, monkeypatch):
    from sheetcalc.memo import clean

    monkeypatch.setattr(clean, "_system_draws", lambda c: True)
    assert pikepdf.open(io.BytesIO(memo.render_portfolio([entry(name), entry("b")]))).pages


def test_a_plan_that_cannot_work_shows_no_gpus_and_a_verdict_has_the_companys_numbers(tmp_path):
    brand = tmp_path / "brand.toml"
    brand.write_text('currency = "€"\ndecimal_mark = ","\n', encoding="utf-8")
    stuck = entry("Stuck", "none", 288.0, None, 65700.0)
    stuck["summary"]["verdict"] = "No option holds: 15.5 ms against a target of 5 ms, and $1,234.50 a month"
    text = " ".join(" ".join(pages(memo.render_portfolio([stuck, entry("Chat")], str(brand)), "")).split())
    assert "288" not in text and "In 1 scenario no option holds." in text
    assert "No option holds: 15,5 ms against a target of 5 ms, and €1.234,50 a month" in text
