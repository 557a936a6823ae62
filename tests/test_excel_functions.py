"""The Excel functions: the registry, and every function through xlwings' own call path with every kind of cell in every argument."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sheetcalc.excel.boundary import Parameter, rows, value
from sheetcalc.excel.registry import LONGEST_DOC, functions
from sheetcalc.excel.typical import all_studies
from sheetcalc.model import SHARE, Input
from sheetcalc.studies import study

GENERAL = {"plan", "table", "grid", "iserr", "explain", "decide", "checks", "gpu", "model", "api_price", "study", "version"}
LOAD = [["request_rate", 200.0], ["gpu_hour_price", 2.5]]


def call(name, *cells):
    return functions()[name].call(*cells)


def test_every_function_through_xlwings():
    done = subprocess.run(
        [sys.executable, Path(__file__).parent / "excel_calls.py"],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["wrong"] == []
    assert answer["functions"] == len(functions()) and answer["calls"] > 10 * answer["functions"]


def test_every_scalar_quantity_is_a_function():
    assert functions().keys() >= GENERAL
    for s in all_studies():
        for name in s.functions:
            step = s.model.steps.get(name)
            along = step is None or step.axes or any(s.model.home.get(n) for n in step.needs)
            assert along or not step.needs or name in functions() or hasattr(s.functions[name], "needs"), name


def test_what_is_said_fits_into_the_function_wizard():
    for f in functions().values():
        assert 0 < len(f.says) <= LONGEST_DOC, f.name
        for a in f.arguments:
            assert 0 < len(a.says) <= LONGEST_DOC, (f.name, a.name)
            assert a.name.isidentifier() and "\n" not in a.says


def test_an_argument_says_its_unit_range_and_a_typical_value():
    (cap,) = [a for a in functions()["replicas_exact"].arguments if a.name == "utilization_cap"]
    own = study("plan").inputs["utilization_cap"]
    assert cap.says == f"{own.label} [fraction]: above 0 to 1; such as {own.value:g}"


SHARE_OF = Parameter("share", Input(0.5, "%", "Share", "test", **SHARE))
FLAG = Parameter("flag", Input(0.0, "", "Flag", "test", low=0.0, high=1.0, whole=True))
BYTES = Parameter("memory", Input(8e10, "GB", "Memory", "test", low=1e9, high=2e12))


@pytest.mark.parametrize(
    "parameter, cell, base",
    [
        (SHARE_OF, 0.65, 0.65),
        (SHARE_OF, "65%", 0.65),
        (SHARE_OF, " 0.65 ", 0.65),
        (SHARE_OF, 1, 1.0),
        (SHARE_OF._replace(may_be_blank=True), None, None),
        (FLAG, True, 1.0),
        (FLAG, 0.0, 0.0),
        (BYTES, 80.0, 8e10),
        (BYTES, "80", 8e10),
        (BYTES, "80 GiB", 80 * 2.0**30),
        (BYTES, "80,5 GB", None),
    ],
)
def test_a_cell_becomes_a_base_value(parameter, cell, base):
    if base is None and cell is not None:
        with pytest.raises(Exception, match="memory: "):
            value(parameter, cell)
    else:
        assert value(parameter, cell) == base


@pytest.mark.parametrize(
    "cell, says",
    [
        (65.0, "share: 65 is above 1; write 65% or 0.65"),
        (0.0, "share: 0 is not above 0; write a value in the range: above 0 to 1"),
        (None, "share: is blank; write a fraction such as 0.65"),
        ("", "share: is blank; write a fraction such as 0.65"),
        (True, "share: TRUE is a truth value; write a fraction such as 0.65"),
        ("#DIV/0!", "share: the cell holds #DIV/0!; mend the formula there"),
        (float("nan"), "share: the cell holds an error; mend the formula there"),
        (-2146826246, "share: the cell holds an error; mend the formula there"),
    ],
)
def test_a_bad_cell_is_named_with_what_to_write(cell, says):
    with pytest.raises(Exception) as caught:
        value(SHARE_OF, cell)
    assert str(caught.value) == says


def test_base_units_in_a_cell_are_noticed():
    with pytest.raises(Exception, match=r"memory: 80,?000,?000,?000 is above 2,000 GB; write 80, in GB"):
        value(BYTES, 8e10)


def test_ranges_keep_their_form():
    assert rows(5.0) == [[5.0]] and rows([1.0, 2.0]) == [[1.0, 2.0]] and rows(((1.0,), (2.0,))) == [[1.0], [2.0]] and rows([]) == [[None]]
    assert call("replicas_exact", [[10.0], [20.0]], 0.5) == [[20.0], [40.0]]
    assert call("replicas_exact", [[10.0, 20.0]], [[0.5, 0.25]]) == [[20.0, 80.0]]
    assert call("replicas_exact", [[10.0, 20.0]], [[0.5], [0.25]]).startswith(
        "#SC! utilization_cap: 2 × 1 cells do not go with the 1 × 2 of total_demand"
    )


def test_ten_thousand_rows_in_one_call():
    demand = [[float(i)] for i in range(10_000)]
    found = call("replicas_exact", demand, 0.65)
    assert len(found) == 10_000 and found[123] == [123 / 0.65]


def test_a_bad_row_does_not_spoil_the_others():
    found = call("replicas_exact", [[10.0], [None], ["x"], [20.0]], 0.5)
    assert found[0] == [20.0] and found[3] == [40.0]
    assert found[1] == ["#SC! total_demand: is blank; write a number in replica·s/s"] and found[2][0].startswith("#SC! total_demand: 'x'")


def test_a_message_is_handed_on_to_the_next_function():
    first = call("replicas_exact", 20.0, 65.0)
    assert call("carrying_replicas", first) == first
    assert call("iserr", first) is True and call("iserr", 4.0) is False and call("iserr", [["#N/A", 1.0]]) == [[True, False]]


def test_nothing_divided_by_nothing():
    assert call("utilization", 20.0, 0.0) == "#SC! replicas is 0, and nothing can be divided by it"


def test_a_false_check_is_told_in_its_own_words():
    told = 0
    for f in functions().values():
        q = getattr(f.call.__wrapped__, "__self__", None)
        if hasattr(q, "expr") and q.expr.op == "when" and not any(a.example is None for a in f.arguments):
            check = q.step.needs.index(q.expr.args[0].args[0])
            said = f.call(*(False if i == check else a.example for i, a in enumerate(f.arguments)))
            assert said.startswith("#SC! ") and "nan" not in said and "{" not in said, (f.name, said)
            told += 1
    assert told > 20


def test_plan_is_the_study():
    worked = study("plan").evaluate({"request_rate": 200.0, "gpu_hour_price": 2.5, "tpot_target": 0.06})
    assert call("plan", [*LOAD, ["tpot_target", 60.0]], "gpus, cost_per_hour") == [
        ["gpus", worked.value("gpus"), ""],
        ["cost_per_hour", worked.value("cost_per_hour"), "$/h"],
    ]
    shown = {n: (x, u) for n, x, u in call("plan", [*LOAD, ["tpot_target", "60 ms"]], "tpot_target, step_time, utilization_cap")}
    assert shown["tpot_target"] == (60.0, "ms") and shown["utilization_cap"] == (worked.value("utilization_cap"), "fraction")
    assert shown["step_time"] == (worked.value("step_time") / 1e-3, "ms")


@pytest.mark.parametrize(
    "inputs, says",
    [
        ([["reqest_rate", 1.0]], "#SC! inputs row 1: 'reqest_rate' is not an input of plan; did you mean request_rate?"),
        ([["request_rate", 200.0], ["utilization_cap", 65.0]], "#SC! utilization_cap: 65 is above 1; write 65% or 0.65"),
        ([["request_rate", 200.0], ["request_rate", 100.0]], "#SC! inputs row 2: request_rate is there twice; delete one of the two"),
        ([["gpu", "H100 XSM"]], "#SC! gpu: 'H100 XSM' is not a known gpu; write H100 SXM"),
        ([[1.0, 2.0, 3.0, 4.0]], "#SC! inputs: 1 × 4 cells; give two columns, names and values (a third may hold units)"),
        ([["day_curve", 1.0]], "#SC! inputs row 1: 'day_curve' is not an input of plan"),
        ("#REF!", "#SC! inputs: the cell holds #REF!; mend the formula there"),
        ([[5.0, 2.0]], "#SC! inputs row 1: 5 is not a name"),
        ([["gpu_hour_price [$/month]", 2.0]], "#SC! gpu_hour_price: $/month does not convert to $/h by a fixed factor; give it in $/h"),
    ],
)
def test_bad_inputs_of_a_plan(inputs, says):
    assert call("plan", inputs, "gpus").startswith(says)


def test_names_and_values_may_lie_across_have_a_header_and_units():
    wanted = call("plan", LOAD, "gpus")
    assert call("plan", [["request_rate", "gpu_hour_price", "people", "notes"], [200.0, 2.5, None, "mine"]], "gpus") == wanted
    assert call("plan", [["Name", "Value"], *LOAD, [None, None]], [["gpus"]]) == wanted
    assert call("plan", [["Request rate", 720_000.0, "req/h"], ["gpu_hour_price", 2.5, "$/h"]], "gpus") == wanted
    assert call("plan", call("plan", LOAD, "request_rate, gpu_hour_price, utilization_cap"), "gpus") == wanted


def test_a_plan_that_does_not_exist_says_why():
    refused = call("plan", [["request_rate", 200.0], ["model", "Llama 3.1 405B"], ["gpus_per_replica", 1.0]], "gpus, weights_per_gpu")
    assert refused[0][1].startswith("#SC! ") and "do not fit" in refused[0][1]
    assert isinstance(refused[1][1], float)
    assert "do not fit" in call("decide", [["request_rate", 200.0], ["model", "Llama 3.1 405B"], ["gpus_per_replica", 1.0]])
    checks = call("checks", [["request_rate", 200.0], ["model", "Llama 3.1 405B"], ["gpus_per_replica", 1.0]])
    assert checks[0][:2] == ["Status", "infeasible"] and any(row[1] == "fails" and "do not fit" in row[3] for row in checks[1:])


def test_a_table_is_its_rows():
    head = ["request_rate", "gpus_per_replica", "gpu", "notes"]
    body = [[float(40 + 7 * i), float(2 ** (i % 4)), ("H100 SXM", "h200  sxm", None)[i % 3], "x"] for i in range(40)]
    found = call("table", [head, *body], "replicas, gpus, cost_per_hour")
    assert found[0] == ["replicas", "gpus", "cost_per_hour [$/h]"] and len(found) == 41
    for row, answer in zip(body, found[1:], strict=True):
        alone = call("plan", [[n, x] for n, x in zip(head[:3], row, strict=False)], "replicas, gpus, cost_per_hour")
        assert (
            [r[1] for r in alone] == pytest.approx(answer, rel=1e-12) if isinstance(answer[0], float) else answer == [r[1] for r in alone]
        )


def test_a_table_refuses_rows_in_words():
    found = call(
        "table",
        [
            ["request_rate", "utilization_cap", "model"],
            [200.0, 0.65, None],
            [200.0, 65.0, None],
            [None, 0.65, None],
            ["abc", 0.65, None],
            [200.0, "65%", "Llama 3.1 405B"],
            [200.0, True, None],
        ],
        "gpus, cost_per_hour",
    )
    assert isinstance(found[1][0], float)
    assert found[2] == ["#SC! utilization_cap: 65 is above 1; write 65% or 0.65"] * 2
    assert found[3][0].startswith("#SC! no load is given") and found[4][0].startswith("#SC! request_rate: 'abc'")
    assert found[6][0].startswith("#SC! utilization_cap: TRUE is a truth value")
    assert call("table", [["requst_rate"], [1.0]], "gpus").startswith(
        "#SC! table column 1: 'requst_rate' is not an input of plan; did you mean request_rate?"
    )
    assert call("table", [["request_rate"]], "gpus").startswith("#SC! table: has a header and no scenario")
    assert call("table", [["request_rate"], [1.0]], "gpuz").startswith("#SC! outputs: ")


def test_a_row_that_cannot_be_says_what_its_plan_says():
    found = call(
        "table", [["request_rate", "model", "gpus_per_replica"], [200.0, "Llama 3.1 405B", 1.0], [200.0, "Llama 3.3 70B", 4.0]], "gpus"
    )
    alone = call("plan", [["request_rate", 200.0], ["model", "Llama 3.1 405B"], ["gpus_per_replica", 1.0]], "gpus")
    assert found[1][0] == alone[0][1] and isinstance(found[2][0], float)


def test_without_numpy_a_table_is_the_same(monkeypatch):
    table = [["request_rate", "gpu"], [100.0, "H100 SXM"], [200.0, "B200 SXM"], [None, None], [65.0, "nothing"]]
    at_once, column = call("table", table, "gpus, cost_per_hour"), call("replicas_exact", [[10.0], [None], [20.0]], 0.65)
    monkeypatch.setattr("sheetcalc.excel.table_function.arrays_work", lambda: False)
    monkeypatch.setattr("sheetcalc.excel.quantity_functions.arrays_work", lambda: False)
    alone = call("table", table, "gpus, cost_per_hour")
    assert [[pytest.approx(x, rel=1e-12) if isinstance(x, float) else x for x in row] for row in alone] == at_once
    assert call("replicas_exact", [[10.0], [None], [20.0]], 0.65) == column


def test_grid_is_many_plans():
    found = call("grid", "gpus", LOAD, "request_rate", [[100.0], [200.0]], "gpus_per_replica", [[4.0, 8.0]])
    assert found[0][1:] == [4.0, 8.0] and [row[0] for row in found[1:]] == [100.0, 200.0]
    for row in found[1:]:
        for per, x in zip((4.0, 8.0), row[1:], strict=True):
            assert x == call("plan", [["request_rate", row[0]], ["gpus_per_replica", per], ["gpu_hour_price", 2.5]], "gpus")[0][1]
    assert call("grid", "gpus", LOAD, "request_rate", [[100.0], ["x"]]).startswith("#SC! row_values: 'x'")
    assert call("grid", "gpus", LOAD, "request_rat", [[100.0]]).startswith("#SC! row_input: 'request_rat' is not an input of plan")
    assert call("grid", "gpus", LOAD, "request_rate", 100.0, "request_rate", 100.0).startswith(
        "#SC! column_input: request_rate runs down already"
    )


def test_study_gives_values_and_tables():
    worked = study("little_law").evaluate({"replica_rate": 6.0})
    assert call("study", "Little law", [["replica_rate", 6.0]], "running_batch") == [["running_batch", worked.value("running_batch"), ""]]
    found = call("study", "little_law", None, "rates_running_batch")
    assert found[0][1] == "rates_running_batch" and len(found) == 1 + len(worked.value("rates_replica_rate"))
    assert call("study", "litle_law", None).startswith("#SC! study: there is no study 'litle_law'; did you mean little_law?")
    assert call("study", "little_law", None, "running_batch, rates_running_batch").startswith("#SC! outputs: ")


def test_explain_shows_the_numbers_put_in():
    assert call("explain", "replicas", [["request_rate", 200.0], ["failure_reserve", 3.0]]).startswith("Replicas = ")
    assert " + 3) = " in call("explain", "replicas", [["request_rate", 200.0], ["failure_reserve", 3.0]])
    assert call("explain", "gpuss").startswith("#SC! quantity: there is no quantity 'gpuss'; did you mean gpus?")


def test_catalogue_values():
    assert call("gpu", "h100 sxm", "bandwidth") == 3.35
    assert call("gpu", [["H100 SXM"], ["H200 SXM"], [None]], "gpu_hbm")[:2] == [[80.0], [141.0]]
    assert call("gpu", [["H100 SXM"], [None]], "hbm")[1] == ["#SC! name: is blank; write a name from the catalogue"]
    assert call("model", "Llama 3.3 70B", "KV heads") == 8.0
    assert call("api_price", "nonesuch", "output").startswith("#SC! name: 'nonesuch' is not in the catalogue")


def test_a_fault_never_reaches_the_host(monkeypatch):
    monkeypatch.setattr("sheetcalc.excel.plan_functions.evaluated", lambda *a: 1 / 0)
    said = call("plan", LOAD)
    assert said.startswith("#SC! a fault in sheetcalc (ZeroDivisionError") and "\n" not in said
