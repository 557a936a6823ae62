"""A memo over all scenarios of a run: total spend by decision, the five that matter, every scenario with its verdict and file."""

from dataclasses import dataclass

from sheetcalc import show
from sheetcalc.memo import charts
from sheetcalc.memo.page import Column, Picture, Row, compose, localized_text, plain
from sheetcalc.memo.phrase import Name, Number, phrase
from sheetcalc.memo.study_page import edges

TEMPLATE = "portfolio.html.j2"
MATTER = 5
MOST_ROWS = 400  # scenarios that are listed; of a longer table the largest, the rest is in the summary
DECISIONS = ("build", "hybrid", "api", "none")
WORDS = {"build": "Build", "hybrid": "Both together", "api": "Buy from an API", "none": "No option holds"}
ROLES = {"build": "own", "hybrid": "third", "api": "buy", "none": "quiet"}
LISTED = (
    Column("Scenario", ""),
    Column("Decision", "27mm"),
    Column("GPUs", "15mm", number=True),
    Column("Build, a month", "25mm", number=True),
    Column("API, a month", "27mm", number=True),
    Column("Memo", "42mm", quiet=True),
)
SPENT = (Column("Decision", ""), Column("Scenarios", "24mm", number=True), Column("Chosen bills, a month", "40mm", number=True))


@dataclass(frozen=True)
class Line:
    """One scenario of a run, in base units."""

    name: str
    verdict: str
    decision: str
    gpus: float | None
    build: float | None  # $/month
    api: float | None  # $/month
    both: float | None  # $/month; only where money was told over time
    file: str

    @property
    def chosen(self):
        """The bill of the decision, $/month; nothing has none."""
        return {"build": self.build, "api": self.api, "hybrid": self.both}.get(self.decision)

    @property
    def stake(self):
        """What hangs on the decision: the difference of the bills, or the one bill there is."""
        bills = [bill for bill in (self.build, self.api) if bill is not None]
        return abs(bills[0] - bills[-1]) if len(bills) > 1 else max(bills, default=0.0)


def line(entry):
    """A scenario of the manifest."""
    cells = entry["summary"]
    pdf = next((item["name"] for item in entry["files"] if item["name"].endswith(".pdf")), "")
    return Line(
        entry["scenario"],
        cells.get("verdict") or "",
        cells.get("decision") or "none",
        cells.get("gpus"),
        cells.get("build_cost_per_month [$/month]"),
        cells.get("api_cost_per_month [$/month]"),
        cells.get("hybrid_cost_per_month [$/month]"),
        pdf,
    )


def write(entries, brand):
    """The page over the finished scenarios of a run, or None when there is none."""
    lines = [line(entry) for entry in entries if entry.get("status") == "done"]
    if not lines:
        return None
    lines.sort(key=lambda item: (-item.stake, item.name.casefold()))
    return compose(TEMPLATE, view(lines, sum(entry.get("status") != "done" for entry in entries), brand), brand)


def view(lines, left_out, brand):
    counts = {decision: [item for item in lines if item.decision == decision] for decision in DECISIONS}
    most = max(DECISIONS, key=lambda decision: (len(counts[decision]), decision))
    total = sum(item.chosen or 0.0 for item in lines)
    claim = phrase(
        WORDS[most],
        " in ",
        count(len(counts[most])),
        " of ",
        count(len(lines)),
        " scenarios; what is chosen costs ",
        money(total),
        " a month",
    )
    decision = phrase("Each scenario has a memo of its own; this page shows where the money goes and which decisions weigh most.")
    if counts["none"]:
        decision += phrase(" In ", count(len(counts["none"])), f" scenario{'s' if len(counts['none']) > 1 else ''} no option holds.")
    if left_out:
        decision += phrase(
            " ",
            count(left_out),
            " row was refused or failed and is not counted." if left_out == 1 else " rows were refused or failed and are not counted.",
        )
    return {
        "title": plain(claim, brand),
        "claim": claim,
        "summary": plain(decision, brand),
        "decision": decision,
        "kind": phrase("Portfolio memo"),
        "masthead": [
            ("To", phrase(Name(brand.to))),
            ("Subject", phrase("All scenarios of a run")),
            ("From", phrase(Name(brand.from_))),
            ("Files", phrase("one memo each, named below")),
        ],
        **edges(brand, plain(claim, brand), "All scenarios of a run", (brand.confidentiality,)),
        "keywords": "sheetcalc, portfolio",
        "dated": None,
        "spent": [spent(decision, counts[decision]) for decision in DECISIONS if counts[decision]],
        "spent_columns": SPENT,
        "spend": spend(counts),
        "matter": [mattering(item, brand) for item in lines[:MATTER]],
        "panels": panels([item for item in lines[:MATTER] if item.decision != "none"]),
        "rows": [row(item) for item in sorted(lines[:MOST_ROWS], key=lambda item: item.name.casefold())],
        "listed_columns": LISTED,
        "unlisted": phrase(count(len(lines) - MOST_ROWS), " more scenarios, with less at stake, are in summary.csv.")
        if len(lines) > MOST_ROWS
        else None,
    }


def count(number):
    return Number(show.number(float(number)), float(number))


def money(bill):
    return Number(show.shown(bill, "$"), bill)


def bill(value):
    return phrase("none" if value is None else money(value))


def spent(decision, lines):
    total = sum(item.chosen or 0.0 for item in lines)
    return Row((phrase(WORDS[decision]), phrase(count(len(lines))), phrase(money(total)) if decision != "none" else phrase("none")))


def spend(counts):
    """What the decisions cost together, as bars."""
    bars = tuple(
        charts.Bar(phrase(WORDS[decision]), total, phrase(money(total)), ROLES[decision])
        for decision in DECISIONS
        if (total := sum(item.chosen or 0.0 for item in counts[decision])) > 0
    )
    if not bars:
        return None
    top = max(bars, key=lambda item: item.value)
    says = phrase(top.label, " carries ", top.shown, " a month" if len(bars) == 1 else " a month, the larger part")
    return Picture(says, phrase("Chosen bills a month, dollars"), charts.Bars(f"{says}.", bars, width=charts.WIDTH))


def panels(lines):
    """Build against API for each scenario that matters."""
    found = []
    for item in lines:
        bars = tuple(
            charts.Bar(phrase(label), value, phrase(money(value)), role)
            for label, value, role in (("Build", item.build, "own"), ("API", item.api, "buy"))
            if value is not None
        )
        if any(bar.value > 0 for bar in bars):
            says = phrase(Name(item.name if len(item.name) <= 60 else item.name[:59] + "…"))
            found.append(
                Picture(
                    says,
                    phrase(f"Decision: {WORDS[item.decision].lower().replace('an api', 'an API')}; dollars a month"),
                    charts.Bars(f"{item.name}: {item.verdict}", bars),
                )
            )
    return found


def mattering(item, brand):
    return phrase(Name(item.name), ": ", Name(localized_text(item.verdict, brand)))


def row(item):
    gpus = phrase("none" if item.gpus is None or item.build is None else count(item.gpus))
    return Row((phrase(Name(item.name)), phrase(WORDS[item.decision]), gpus, bill(item.build), bill(item.api), phrase(Name(item.file))))
