"""A study's own table from a file: options, models, regions with their round trips, hourly counts; and what is refused, in words."""

import json
import math
from pathlib import Path

import pytest

from sheetcalc.__main__ import main
from sheetcalc.errors import InputError
from sheetcalc.studies import study
from sheetcalc.tables import filled

OPTIONS = """option_name,option_gpu_price [$/h],option_replica_gpus,option_headline_rate,option_slo_rate,option_accepted_share,\
option_task_tokens,option_pass_rate,\
option_sample,option_ttft [s],option_tpot [ms],option_error_rate,option_staff,option_one_off,option_egress
H100 baseline,2.5,4,4200,1765,1,300,94%,4000,0.62,46,0.2%,20000,0,600
Prefix affinity,2.5,4,4200,2660,1,300,94%,4000,0.43,38,0.2%,20500,25000,600
"""
MODELS = """model_name;own_model_work;model_has_adapter;model_has_api
Search;1,5;0;1
Mail;0,2;1;0
Code;0,1;1;0
"""
REGIONS = """region_name,region_peak,utc_offset,failures_per_year
us-east,26,-5,0.35
us-west,14,-8,0.15
eu-west,12,1,0.30
ap-ne,6,9,0.20
"""
TRIPS = """from_region,to_region,pair_round_trip [ms]
us-east,us-west,65
us-east,eu-west,75
us-east,ap-ne,160
us-west,eu-west,140
us-west,ap-ne,110
eu-west,ap-ne,230
"""


def file(tmp_path, text, name="table.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_options_of_any_number(tmp_path):
    made = filled(study("cost_ledger"), [file(tmp_path, OPTIONS)])
    result = made.evaluate()
    assert result.value("option_name") == ["H100 baseline", "Prefix affinity"]
    assert result.value("rollout_saving") == pytest.approx(19_316.67, abs=0.005)  # the two rows of the worked example
    assert result.value("option_license") == [0.0, 0.0] and not made.claims


def test_a_thousand_options(tmp_path):
    head, first, second = OPTIONS.splitlines()
    rows = [second.replace("Prefix affinity", f"Option {i}").replace(",2660,", f",{2000 + i},") for i in range(999)]
    result = filled(study("cost_ledger"), [file(tmp_path, "\n".join([head, first, *rows]))]).evaluate()
    needed = result.value("option_peak_rate")[1] / 0.65
    fewest = math.ceil(needed / 2998)
    lowest = math.ceil(needed / fewest)  # the lowest rate at which the fewest replicas do
    assert result.value("chosen_name") == f"Option {lowest - 2000}"


def test_models_with_a_decimal_comma(tmp_path):
    result = filled(study("many_models"), [file(tmp_path, MODELS)]).evaluate()
    assert result.value("model_work") == [1.5, 0.2, 0.1] and result.value("model_revenue_rank") == [1.0, 2.0, 3.0]
    assert len(result.value("model_tier")) == 3


def test_regions_and_round_trips_give_the_worked_example_back(tmp_path):
    made = filled(study("regions"), [file(tmp_path, REGIONS), file(tmp_path, TRIPS, "trips.csv")])
    worked, result = study("regions").evaluate(), made.evaluate()
    for name in (
        "regional_fleet",
        "region_capacity",
        "neighbor_fleet",
        "spare_plan",
        "region_partner",
        "partner_fleet",
        "breakeven_request_value",
    ):
        assert result.value(name) == worked.value(name), name


def test_three_regions(tmp_path):
    three = "\n".join(REGIONS.splitlines()[:4])
    trips = "\n".join(r for r in TRIPS.splitlines() if "ap-ne" not in r)
    result = filled(study("regions"), [file(tmp_path, three), file(tmp_path, trips, "t.csv")]).evaluate()
    assert result.value("region_count") == 3 and result.status == "ok"
    assert result.value("losses_not_covered") == 0 and result.value("neighbor_fleet") >= result.value("neighbor_bound")


def test_hourly_counts_of_two_days_are_averaged(tmp_path):
    rows = [f"{h},{c}" for day in (1, 3) for h, c in enumerate(range(100 * day, 100 * day + 24))]
    result = filled(study("chat_plus_batch"), [file(tmp_path, "hour,day_curve\n" + "\n".join(rows))]).evaluate()
    assert result.value("day_curve") == [200.0 + h for h in range(24)]


@pytest.mark.parametrize(
    "name,text,says",
    [
        ("cost_ledger", OPTIONS.replace("94%,4000,0.62", "194%,4000,0.62"), "option_pass_rate"),
        ("cost_ledger", OPTIONS.replace(",1765,", ",,"), "write option_slo_rate for every row"),
        ("cost_ledger", REGIONS, "not a known column"),
        ("regions", OPTIONS, "no table of regions has these columns"),
        ("regions", REGIONS, "without the round trips"),
        ("offline_batch", OPTIONS, "no table of its own"),
        ("chat_plus_batch", "day_curve\n1\n2\n", "write 24"),
        ("chat_plus_batch", "hour,day_curve\n" + "\n".join(f"{23 - h},{h}" for h in range(24)), "sort the rows"),
        ("chat_plus_batch", "day_curve\n" + "0\n" * 24, "no request in any hour"),
        (
            "chat_plus_batch",
            "hour,day_curve\n" + "\n".join(f"{h},{'' if h == 5 else h}" for h in range(24)),
            "write a count for every hour",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(tmp_path, name, text, says):
    with pytest.raises(InputError, match=says):
        filled(study(name), [file(tmp_path, text)])


def test_a_missing_round_trip_is_named(tmp_path):
    with pytest.raises(InputError, match="no round trip between us-east and ap-ne"):
        filled(study("regions"), [file(tmp_path, REGIONS), file(tmp_path, TRIPS.replace("us-east,ap-ne,160\n", ""), "t.csv")])
    with pytest.raises(InputError, match="'us-aest' is not one of the regions"):
        filled(study("regions"), [file(tmp_path, REGIONS), file(tmp_path, TRIPS.replace("us-east,us-west", "us-aest,us-west"), "t.csv")])


def test_the_command_line_takes_tables(tmp_path, capsys):
    assert main(["evaluate", "--study", "cost_ledger", "--table", str(file(tmp_path, OPTIONS)), "--outputs", "chosen_name"]) == 0
    assert json.loads(capsys.readouterr().out)["scenarios"][0]["outputs"]["chosen_name"]["value"] == "Prefix affinity"
    assert main(["evaluate", "--table", str(file(tmp_path, OPTIONS))]) == 2
    assert "--table goes with --study" in capsys.readouterr().err


def test_a_memo_takes_a_table(tmp_path):
    out = tmp_path / "memo.pdf"
    assert main(["memo", "--study", "cost_ledger", "--table", str(file(tmp_path, OPTIONS)), "-o", str(out)]) == 0
    from pypdf import PdfReader

    text = "".join(page.extract_text() for page in PdfReader(out).pages)
    assert "Prefix affinity" in text and "Smaller model" not in text


@pytest.mark.parametrize(
    "name,files,output",
    [
        ("cost_ledger", ["options"], "rollout_saving"),
        ("many_models", ["models"], "sharing_saving"),
        ("regions", ["regions", "round_trips"], "breakeven_request_value"),
        ("chat_plus_batch", ["hours"], "filler_capacity"),
    ],
)
def test_the_sample_tables_are_the_worked_examples(name, files, output):
    folder = Path(__file__).parent.parent / "workbooks" / "tables"
    made = filled(study(name), [folder / f"{f}.csv" for f in files])
    assert made.evaluate().value(output) == pytest.approx(study(name).evaluate().value(output), rel=1e-12)
