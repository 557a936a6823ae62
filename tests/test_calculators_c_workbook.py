"""Calculators C as live formulas: both engines give the worked values, and a change of the plan moves what rests on it."""

import openpyxl
import pytest
import recalc
from golden_c import RESULTS
from test_chat_plus_batch import HOURS, SCALARS
from test_corpus_passes import CUTS
from test_corpus_passes import VALUES as CORPUS
from test_cost_ledger import COLUMNS, FLAGS, GATES
from test_many_models import TIERS, WAITS
from test_many_models import VALUES as MODELS
from test_offline_batch import BASE, ROWS
from test_prefix_routing import VALUES as PREFIX
from test_regions import VALUES as REGIONS

from sheetcalc.show import uses_statistics
from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

SEVEN = ("offline_batch", "prefix_routing", "chat_plus_batch", "regions", "many_models", "corpus_passes", "cost_ledger")
PLAN = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}
CLOSED_SUM = {"random_hit_share": 1e-6}  # the worked value is the sum itself


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A workbook of the seven with their own inputs, and what both engines make of it after every cached value was spoiled."""
    folder = tmp_path_factory.mktemp("calculators_c")
    book = Book(study("plan"), PLAN, [study(name)._replace(links={}) for name in SEVEN])
    path = folder / "seven.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    bad = recalc.poisoned(path, folder / "bad.xlsx")
    return book, {"LibreOffice": recalc.libreoffice(path, folder), "IronCalc": recalc.iron(bad)}


def cell(book, engine, name, quantity, row=0):
    place = book.places[name][quantity]
    row, col = (0, row) if place.across else (row, 0)  # a table of few rows stands on its side
    return engine[place.sheet, f"{openpyxl.utils.get_column_letter(place.col + col)}{place.row + row}"]


def column(name, quantity, values, factor=1.0):
    for i, value in enumerate(values):
        yield name, quantity, i, value if isinstance(value, str) else float(value) / factor


def worked_values():
    """(study, quantity, row, worked value in base units) of every value that needs no change of an input."""
    a, c, d, e, f, g = (RESULTS[key] for key in "acdefg")
    for key, (name, factor) in BASE.items():
        yield "offline_batch", name, 0, a["baseline"][key] / factor
    for row in a["levers"]:
        yield "offline_batch", "levers_offline_cost", ROWS[row["lever"]] - 1, row["cost"]
        yield "offline_batch", "levers_offline_replicas", ROWS[row["lever"]] - 1, row["replicas"]
    yield "offline_batch", "stacked_cost", 0, a["stacked"]["cost"]
    yield "offline_batch", "speculation_turning_overlap", 0, a["spec_phi_star"]
    for name, key, factor in PREFIX:
        yield "prefix_routing", name, 0, RESULTS["b"][key] / factor
    yield "prefix_routing", "random_hit_share", 0, RESULTS["b"]["h_random"]
    for name, key, factor in SCALARS:
        yield "chat_plus_batch", name, 0, c[key] / factor
    for key, (name, factor) in HOURS.items():
        yield from column("chat_plus_batch", name, [row[key] for row in c["hours"]], factor)
    yield from column("chat_plus_batch", "mixed_binding", [row["bind"] for row in c["hours"]])
    for name, key in REGIONS:
        yield from column("regions", name, d[key] if isinstance(d[key], list) else [d[key]])
    yield from column("regions", "neighbor_spare_need", d["adjacency"]["need_spare"])
    for name, key in MODELS:
        yield "many_models", name, 0, e[key]
    for key, name in WAITS.items():
        yield "many_models", name, 0, e[key]
    yield from column("many_models", "model_tier", [TIERS[row["tier"]] for row in e["rows"]])
    yield from column("many_models", "model_shared_cost", [row["shared_month"] for row in e["rows"]])
    for name, key in CORPUS:
        yield "corpus_passes", name, 0, f[key]
    for row in f["cuts"]:
        yield "corpus_passes", "cut_cost", CUTS[row["cut"]] - 1, row["cost"]
    yield "corpus_passes", "one_pass_cost", 0, f["multi_label"]["one_pass"]
    for key, (name, factor) in COLUMNS.items():
        yield from column("cost_ledger", name, [row[key] for row in g["rows"]], factor)
    for key, name in GATES.items():
        yield from column("cost_ledger", name, [row["gates"][key] for row in g["rows"]])
    for i, name in enumerate(FLAGS, 1):
        yield from column("cost_ledger", name, [any(flag.startswith(f"M{i} ") for flag in row["flags"]) for row in g["rows"]])
    yield "cost_ledger", "chosen_name", 0, g["chosen"]
    yield "cost_ledger", "rollout_saving", 0, g["saving_month"]
    yield "cost_ledger", "canary_size", 0, g["canary_n_per_arm"]


@pytest.mark.parametrize("engine", ["LibreOffice", "IronCalc"])
def test_recalculated_sheets_give_the_worked_values(alone, engine):
    book, found = alone
    wrong, seen = [], 0
    for name, quantity, row, wanted in worked_values():
        got = cell(book, found[engine], name, quantity, row)
        rel = CLOSED_SUM.get(quantity, 1e-6 if uses_statistics(study(name).model, quantity) else 1e-9)
        seen += 1
        if got != (wanted if isinstance(wanted, str) else pytest.approx(wanted, rel=rel, abs=1e-9)):
            wrong.append((name, quantity, row, got, wanted))
    assert not wrong and seen > 500


@pytest.mark.parametrize("engine", ["LibreOffice", "IronCalc"])
def test_every_formula_is_what_was_cached(alone, tmp_path, engine):
    book, found = alone
    path = tmp_path / "again.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    wrong = []
    for at, value in recalc.cached(path).items():
        got = found[engine].get(at)
        if value == got or (value in (None, "") and got in (None, "")):
            continue
        if isinstance(value, (int, float)) and isinstance(got, (int, float)) and got == pytest.approx(value, rel=1e-6, abs=1e-12):
            continue
        wrong.append((at, value, got))
    assert not wrong


def test_the_plan_moves_what_rests_on_it():
    """Twice the load and a dearer GPU hour reach the linked studies; the others keep their own job."""

    def opened(**more):
        plan = study("plan").evaluate(PLAN | more)
        return {name: study(name).linked().evaluate({}, plan) for name in SEVEN}

    before, after = opened(gpu_hour_price=2.0), opened(gpu_hour_price=4.0, request_rate=400.0)
    for name, quantity in (
        ("offline_batch", "offline_cost"),
        ("regions", "insurance_per_year"),
        ("many_models", "separate_month_cost"),
        ("corpus_passes", "offline_cost"),
    ):
        assert after[name].value(quantity) == pytest.approx(2 * before[name].value(quantity)), name
    assert after["chat_plus_batch"].value("carrying_replicas") == 67 and before["chat_plus_batch"].value("carrying_replicas") == 34
    assert after["prefix_routing"].value("router_saving") > 2 * before["prefix_routing"].value("router_saving")
    assert after["cost_ledger"].value("rollout_saving") == before["cost_ledger"].value("rollout_saving")
