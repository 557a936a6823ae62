"""The nine studies of calculators B as live formulas: both engines give the worked values, and a change of the plan moves what
rests on it."""

import openpyxl
import pytest
import recalc
import test_architectures as architectures
import test_capacity_unit as capacity
import test_coding_assistant as assistant
import test_disaggregation as disaggregation
import test_speculative_decoding as drafts
import test_tensor_parallel as tensor
import test_tp_or_pp as layouts
import test_two_generations as generations
import test_voice as voice
from golden_b import PER_MILLION, RESULTS

from sheetcalc.studies import study
from sheetcalc.workbook.book import Book
from sheetcalc.workbook.save import to_bytes

NINE = (
    "speculative_decoding",
    "tensor_parallel",
    "tp_or_pp",
    "two_generations",
    "coding_assistant",
    "voice",
    "capacity_unit",
    "disaggregation",
    "architectures",
)
PLAN = {"request_rate": 200.0, "profile": "textbook", "batch": 128.0}
ENGINES = ["LibreOffice", "IronCalc"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A workbook of the nine with their own inputs, and what both engines make of it after every cached value was spoiled."""
    folder = tmp_path_factory.mktemp("calculators_b")
    book = Book(study("plan"), PLAN, [study(name)._replace(links={}) for name in NINE])
    path = folder / "nine.xlsx"
    path.write_bytes(to_bytes(book.sheets(), active="Summary"))
    bad = recalc.poisoned(path, folder / "bad.xlsx")
    return book, path, {"LibreOffice": recalc.libreoffice(path, folder), "IronCalc": recalc.iron(bad)}


def cell(book, engine, name, quantity, row, col):
    place = book.places[name][quantity]
    if place.across and not place.down:  # a table of few rows stands on its side
        row, col = 0, row
    return engine[place.sheet, f"{openpyxl.utils.get_column_letter(place.col + col)}{place.row + row}"]


def scalars(name, table, worked):
    for symbol, quantity in table.items():
        yield name, quantity, 0, 0, worked[symbol]


def speculation():
    worked = RESULTS["a_spec_decode"]
    yield from scalars("speculative_decoding", drafts.SCALARS, worked)
    yield "speculative_decoding", "draft_step", 0, 0, worked["T0_B1"]
    yield "speculative_decoding", "draft_step", 0, 5, worked["T_spec_B1"]
    yield "speculative_decoding", "draft_step", 9, 0, worked["T0_peak"]
    yield "speculative_decoding", "draft_step", 9, 5, worked["T_spec_peak"]
    columns = {"k": "best_draft", "gain": "best_gain", "gain_fixed": "fixed_gain", "tok_s": "best_draft_rate", "tpot": "best_draft_tpot"}
    for i, context in enumerate(drafts.CONTEXTS):
        for j, row in enumerate(worked["tables"][f"{context:.0f}"]):
            for symbol, quantity in columns.items():
                yield "speculative_decoding", f"cases_{quantity}", 10 * i + j, 0, row[symbol]
            yield "speculative_decoding", "best_draft_map", i, j, row["k"]


def tensor_parallel():
    for i, row in enumerate(RESULTS["b_tp_scaling"]["rows"]):
        for symbol, quantity in tensor.BY_WIDTH.items():
            yield "tensor_parallel", quantity, i, 0, row[symbol]
        for j, workload in enumerate(("chat", "long")):
            for symbol, quantity in tensor.BY_WORKLOAD.items():
                if row[workload][symbol] is not None or not quantity.startswith("split_prefill"):
                    yield "tensor_parallel", quantity, j, i, row[workload][symbol]
    for symbol, quantity in (
        ("winner_chat_cost", "short_tp"),
        ("winner_long_cost", "long_tp"),
        ("winner_chat_decode", "short_fast_tp"),
        ("crossover_ctx_tp8_vs_tp4", "crossover_context"),
        ("full_HBM_sweep_s", "full_memory_sweep"),
    ):
        yield "tensor_parallel", quantity, 0, 0, RESULTS["b_tp_scaling"][symbol]


def tp_or_pp():
    worked = RESULTS["c_tp_vs_pp"]
    yield from scalars("tp_or_pp", layouts.SCALARS, worked)
    for symbol, (quantity, row) in layouts.BY_LAYOUT.items():
        yield "tp_or_pp", quantity, row, 0, worked[symbol]
    for i, row in enumerate(worked["grid"]):
        for symbol, quantity in (
            ("tp_T", "tensor_tpot"),
            ("pp_T", "staged_tpot"),
            ("tp_tok_s", "tensor_rate"),
            ("pp_tok_s", "staged_rate"),
        ):
            yield "tp_or_pp", f"curve_{quantity}", i, 0, row[symbol]
    for i, row in enumerate(worked["precision_fit"]):
        for symbol, quantity in (("weight_bytes", "format_weights"), ("raw_over", "format_over"), ("nodes_min", "format_nodes")):
            yield "tp_or_pp", quantity, i, 0, row[symbol]
    for i, row in enumerate(worked["block_shards"]):
        yield "tp_or_pp", "shard_columns", i, 0, row["cols"]


def two_generations():
    worked, name = RESULTS["d_two_generations"], "two_generations"
    yield from scalars(name, generations.PARAMS, worked["params"])
    yield from scalars(name, generations.SCALARS, worked)
    for build, key in generations.FITS.items():
        for symbol, quantity in (
            ("total_bytes", "moe_weight_bytes"),
            ("nodes_raw_memory", "nodes_raw"),
            ("nodes_usable_memory", "nodes_usable"),
            ("nodes_ep_any", "nodes_longest"),
            ("nodes_ep", "instance_nodes"),
            ("nodes_tp", "nodes_tensor"),
        ):
            yield name, quantity, build, 0, worked[key][symbol]
        for i, row in enumerate(worked[key]["rows"]):
            for symbol, quantity in (
                ("w_gpu", "fit_weights"),
                ("kv_gpu", "fit_kv_room"),
                ("ep_tokens_per_gpu", "fit_tokens"),
                ("tp_tokens", "fit_tensor_tokens"),
            ):
                yield name, quantity, i, build, row[symbol]
    for build, key in ((0, "decode_H100"), (1, "decode_B200"), (2, "decode_B200_fp4")):
        for symbol, quantity in (
            ("B_gpu", "best_gpu_batch"),
            ("Bcap_gpu", "gpu_batch_room"),
            ("B", "instance_batch"),
            ("T", "best_moe_step"),
            ("tok_s", "instance_rate"),
        ):
            yield name, quantity, build, 0, worked[key][symbol]
    for key, (phase, build) in generations.POOLS.items():
        for symbol in ("work", "instances", "gpus"):
            yield name, f"pool_{phase}_{symbol}", build, 0, worked[key][symbol]
    for i, row in enumerate(worked["tpot_sweep"]):
        for symbol, quantity in (
            ("usd_M_H100", "old_target_cost"),
            ("usd_M_B200", "new_target_cost"),
            ("usd_M_B200_fp4", "narrow_target_cost"),
        ):
            yield name, quantity, i, 0, None if row[symbol] is None else row[symbol] / PER_MILLION
        yield name, "old_decodes", i, 0, float(row["fp8_decode_on"] == "H100")
    for i, cost in enumerate(worked["options_usd_h"].values()):
        yield name, "option_cost", i, 0, cost


def capacity_unit():
    worked = RESULTS["g_capacity_unit"]
    yield from scalars("capacity_unit", capacity.SCALARS, worked)
    for i, row in enumerate(worked["pools"]):
        for symbol, quantity in (capacity.BY_POOL | {"binding": "unit_binding"}).items():
            yield "capacity_unit", quantity, i, 0, row[symbol]
        for route, prefix in (("route_gpu", "gpu_routed"), ("route_cu", "unit_routed")):
            yield "capacity_unit", f"{prefix}_tpot", i, 0, row[route]["tpot"]
            yield "capacity_unit", f"{prefix}_ttft", i, 0, row[route]["ttft"]
            yield "capacity_unit", f"{prefix}_holds", i, 0, float(row[route]["ok"])
        yield "capacity_unit", "growth_cost", i, 0, worked["buy"][i]["usd_h"]
    for i, row in enumerate(worked["mixes"]):
        for j, unit in enumerate(row["cu_gpu"]):
            yield "capacity_unit", "mixes_unit_per_gpu", i, j, unit
        yield "capacity_unit", "mixes_unit_ratio", i, 0, row["ratio"]


def other_attention_and_phases():
    worked = RESULTS["h_disagg_vs_colocated"]
    yield from scalars("disaggregation", disaggregation.SCALARS, worked)
    for i, row in enumerate(worked["table"]):
        for symbol, quantity in (
            ("step", "memory_step"),
            ("replicas", "together_replicas"),
            ("gpus", "together_gpus"),
            ("tpot_worst", "together_tpot_worst"),
        ):
            yield "disaggregation", f"batches_{quantity}", i, 0, row[symbol]
    worked = RESULTS["h_roofline_general"]
    yield from scalars("architectures", architectures.SCALARS, worked)
    yield from scalars("architectures", architectures.PARAMS, worked["params"])
    for i, kept in enumerate(worked["kv_bytes_per_sequence"].values()):
        yield "architectures", "sequence_memory", i, 0, kept
    for i, row in enumerate(worked["coverage"]):
        for symbol, quantity in architectures.COLUMNS.items():
            yield "architectures", quantity, i, 0, row[symbol]


def worked_values():
    """(study, quantity, row, column, worked value) of every value that needs no change of an input; None where nothing exists."""
    yield from speculation()
    yield from tensor_parallel()
    yield from tp_or_pp()
    yield from two_generations()
    yield from scalars("coding_assistant", assistant.SCALARS, RESULTS["e_coding_assistant"])
    yield from scalars("voice", voice.SCALARS, RESULTS["f_voice"])
    yield from capacity_unit()
    yield from other_attention_and_phases()


@pytest.mark.parametrize("engine", ENGINES)
def test_recalculated_sheets_give_the_worked_values(alone, engine):
    book, _, found = alone
    wrong, seen = [], 0
    for name, quantity, row, col, wanted in worked_values():
        got = cell(book, found[engine], name, quantity, row, col)
        seen += 1
        if wanted is None:
            agree = got == "#N/A"
        elif isinstance(wanted, str):
            agree = got == wanted
        else:
            agree = isinstance(got, int | float) and got == pytest.approx(float(wanted), rel=1e-9, abs=1e-12)
        if not agree:
            wrong.append((name, quantity, row, col, got, wanted))
    assert not wrong and seen > 900


def numbered(cells):
    """Flags as 1 and 0: LibreOffice saves a flag under a number's format as a number."""
    return {at: float(x) if isinstance(x, bool) else x for at, x in cells.items()}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_formula_is_what_was_cached(alone, engine):
    _, path, found = alone
    assert recalc.differences(numbered(recalc.cached(path)), numbered(found[engine])) == []


def test_the_plan_moves_what_rests_on_it():
    """Twice the price of a GPU hour and another model's size reach the linked studies; what a study has of its own stays."""

    def opened(**more):
        plan = study("plan").evaluate(PLAN | more)
        return {name: study(name).linked().evaluate({}, plan) for name in NINE}

    before, after = opened(gpu_hour_price=2.0), opened(gpu_hour_price=4.0, request_rate=400.0)
    for name, quantity, factor in (
        ("tensor_parallel", "short_cheapest_cost", 4),
        ("tp_or_pp", "format_cost", None),
        ("voice", "call_hour_cost", 2),
        ("coding_assistant", "hit_point_value", 2),
        ("disaggregation", "split_saving", None),
        ("architectures", "leanest_cost", 2),
    ):
        old, new = before[name].value(quantity), after[name].value(quantity)
        if factor:
            assert new == pytest.approx(factor * old), name
    assert after["disaggregation"].value("together_gpus") > 1.9 * before["disaggregation"].value("together_gpus")
    assert after["coding_assistant"].value("request_rate") == before["coding_assistant"].value("request_rate") == 40
    assert after["two_generations"].value("roles_cost") > before["two_generations"].value("roles_cost")
    assert after["capacity_unit"].value("unit_ratio") == before["capacity_unit"].value("unit_ratio")
    assert after["speculative_decoding"].value("peak_work") == pytest.approx(2 * before["speculative_decoding"].value("peak_work"))
