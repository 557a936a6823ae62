"""Speculative decoding against values worked out apart from the program (tests/data/golden_b.json), typed ones, and limits."""

from itertools import pairwise

import pytest
from golden_b import RESULTS, near

from sheetcalc.errors import InputError
from sheetcalc.studies.speculative_decoding import BATCHES, CONTEXTS, STUDY
from sheetcalc.tables import filled

GOLDEN = RESULTS["a_spec_decode"]
RESULT = STUDY.evaluate()
SCALARS = {
    "E_fixed": "tokens_per_verification_fixed",
    "kv_bytes_token": "kv_per_token",
    "kv_capacity_bytes": "draft_kv_room",
    "speedup_B1": "lone_gain",
    "ratio_peak": "peak_ratio",
    "loss_peak": "peak_loss",
    "extra_gpus_if_left_alone": "peak_extra_share",
    "compute_bound_limit_ratio": "compute_bound_gain_fixed",
    "Bstar_fixed": "turning_batch_fixed",
    "Bstar_off": "turning_batch_plain",
    "ctx_star_fixed": "free_context_fixed",
    "ctx_star_off": "free_context_plain",
}


def block(name, batch, draft, result=RESULT):
    return result.value(name)[BATCHES.index(batch)][draft]


@pytest.mark.parametrize("symbol, name", SCALARS.items())
def test_golden_scalars(symbol, name):
    assert RESULT.value(name) == near(GOLDEN[symbol])


def test_golden_steps():
    assert block("draft_step", 1.0, 0) == near(GOLDEN["T0_B1"])
    assert block("draft_step", 1.0, 5) == near(GOLDEN["T_spec_B1"])
    assert block("draft_step", 512.0, 0) == near(GOLDEN["T0_peak"])
    assert block("draft_step", 512.0, 5) == near(GOLDEN["T_spec_peak"])
    assert RESULT.value("drafter_pass")[0] == near(GOLDEN["draft_pass_B1"])


@pytest.mark.parametrize("draft, parts", [(0, "peak_parts_off"), (5, "peak_parts_on")])
def test_golden_parts_of_the_peak_step(draft, parts):
    want = GOLDEN[parts]
    assert RESULT.value("verify_memory_time")[-1] == near(want["mem"])
    assert block("verify_compute_time", 512.0, draft) == near(want["comp"])
    assert block("verify_all_reduce_time", 512.0, draft) == near(want["comm"])
    assert 512 * (draft + 1) * RESULT.value("token_gemm_time") == near(want["lin"])
    assert block("draft_step", 512.0, draft) - draft * RESULT.value("drafter_pass")[-1] == near(want["T"])


@pytest.mark.parametrize("context", CONTEXTS)
def test_golden_tables(context):
    columns = {
        "k": "best_draft",
        "gain": "best_gain",
        "gain_fixed": "fixed_gain",
        "T0": "plain_step",
        "tok_s": "best_draft_rate",
        "tpot": "best_draft_tpot",
    }
    found = {symbol: RESULT.value(f"cases_{name}") for symbol, name in columns.items()}
    for i, want in enumerate(GOLDEN["tables"][f"{context:.0f}"]):
        row = CONTEXTS.index(context) * len(BATCHES) + i
        for symbol in columns:
            if want.get(symbol) is None:
                assert symbol == "T0" or found[symbol][row] != found[symbol][row]
            else:
                assert found[symbol][row] == near(want[symbol]), (context, want["B"], symbol)


def test_plain_rate_is_batch_over_plain_step():
    assert RESULT.value("plain_rate") == [near(row["tok_s_off"]) for row in GOLDEN["tables"]["1024"]]


def test_map_is_the_table_of_cases():
    best = [[row["k"] for row in GOLDEN["tables"][f"{c:.0f}"]] for c in CONTEXTS]
    for row, want in zip(RESULT.value("best_draft_map"), best, strict=True):
        assert [None if k != k else k for k in row] == want


def test_typed_from_the_text():
    """Speed-up of the quiet hours, loss at 512, the GPUs that leaving 5 on takes, both turns."""
    assert RESULT.value("lone_gain") == pytest.approx(2.97, abs=5e-3)
    assert RESULT.value("peak_loss") == pytest.approx(0.340, abs=5e-4)
    assert RESULT.value("peak_extra_share") == pytest.approx(0.514, abs=5e-4)
    assert RESULT.value("turning_batch_fixed") == near(34.18591927994422)
    assert RESULT.value("free_context_plain") == near(2380.2408561588495)
    assert RESULT.value("best_draft") == [8, 8, 8, 7, 7, 5, 3, 1, 1, 0]


@pytest.mark.parametrize(
    "changes, gain, loss",
    [
        ({"bytes_per_weight": 2.0, "bytes_per_kv": 2.0, "peak_compute": 989e12}, 3.21, 0.356),
        ({"bytes_per_kv": 2.0}, 2.97, 0.243),
        ({"step_overlap": 0.0}, 2.93, 0.126),
        ({"acceptance": 0.7}, 2.36, 0.474),
        ({"acceptance": 0.85}, 3.34, 0.257),
    ],
)
def test_typed_sensitivity(changes, gain, loss):
    found = STUDY.evaluate(changes)
    assert found.value("lone_gain") == pytest.approx(gain, abs=5e-3)
    assert found.value("peak_loss") == pytest.approx(loss, abs=5e-4)


def test_decay_shortens_the_draft():
    found = STUDY.evaluate({"acceptance_kept": 0.95})
    assert found.value("best_gain")[0] == pytest.approx(2.69, abs=5e-3)
    assert found.value("best_draft")[0] == 5


def test_nothing_accepted_means_no_draft():
    found = STUDY.evaluate({"acceptance": 0.0})
    assert found.value("best_draft") == [0] * 10
    assert found.value("best_gain") == [1] * 10


def test_everything_accepted_yields_the_whole_draft():
    assert STUDY.evaluate({"acceptance": 1.0}).value("tokens_per_verification") == [k + 1 for k in range(9)]


def test_no_draft_gains_exactly_nothing():
    found = STUDY.evaluate({"fixed_draft": 0.0})
    assert found.value("lone_gain") == found.value("peak_ratio") == 1


def test_the_best_length_never_loses_and_falls_with_the_batch():
    for changes in ({}, {"bytes_per_kv": 2.0}, {"acceptance": 0.6}, {"step_overlap": 0.0}):
        found = STUDY.evaluate(changes)
        gains, lengths = found.value("best_gain"), found.value("best_draft")
        assert all(g >= 1 for g in gains)
        assert all(a >= b for a, b in pairwise(lengths))


def test_the_best_length_rises_with_context_from_a_batch_of_64_on():
    rows = RESULT.value("best_draft_map")
    for short, long in pairwise(rows):
        assert all(b >= a for a, b in zip(short[6:], long[6:], strict=True) if b == b)


def test_measured_acceptances_replace_the_model():
    measured = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.01]
    found = STUDY.evaluate({"measured_survival": measured})
    assert found.value("tokens_per_verification")[5] == pytest.approx(sum(measured[:6]))
    assert found.value("best_draft")[0] < 8


def test_a_batch_that_does_not_fit_has_no_gain():
    found = STUDY.evaluate({"decode_context": 8192.0})
    assert found.value("best_gain")[-1] != found.value("best_gain")[-1]
    assert found.status == "infeasible"
    assert found.problems == ["a batch of 512 does not fit at the peak: its KV cache is 687.2 GB, 491.5 GB are left for it"]


def test_weights_larger_than_the_group():
    found = STUDY.evaluate({"gpus_per_replica": 1.0})
    assert "weights and drafter do not fit" in " ".join(found.problems)


def test_never_compute_bound_is_said():
    found = STUDY.evaluate({"decode_context": 32768.0})
    assert found.value("turning_batch_fixed") != found.value("turning_batch_fixed")


@pytest.mark.parametrize(
    "name, value",
    [
        ("acceptance", 1.2),
        ("acceptance", -0.1),
        ("acceptance_kept", 0.0),
        ("fixed_draft", 9.0),
        ("fixed_draft", 2.5),
        ("decode_context", 0.0),
        ("drafter_params", -1.0),
        ("drafter_launch", -1e-6),
        ("gpus_per_replica", 0.0),
        ("mbu", 1.5),
        ("bandwidth", float("nan")),
        ("peak_batch", float("inf")),
    ],
)
def test_invalid_inputs_are_refused_in_words(name, value):
    with pytest.raises(InputError, match=name):
        STUDY.evaluate({name: value})


def test_a_peak_batch_between_two_rows_takes_the_row_below():
    assert STUDY.evaluate({"peak_batch": 300.0}).value("peak_bucket") == 256
    assert STUDY.evaluate({"peak_batch": 300.0}).value("peak_ratio") == near(GOLDEN["tables"]["1024"][8]["gain_fixed"])


def test_a_batch_below_the_table_is_said():
    found = STUDY.evaluate({"bucket": [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0]})
    assert "a batch of 1 or 512 is below the smallest of the table; add it there" in found.problems
    assert found.value("peak_ratio") != found.value("peak_ratio")


def test_a_draft_that_pays_at_the_peak_is_left_on():
    found = STUDY.evaluate({"peak_batch": 60.0})
    assert found.value("peak_ratio") > 1 and found.says("decision").startswith("Leave a draft of 5 tok on")


MEASURED = ["1", "75 %", "0.52", "0.36", "", "0.15"]


def test_acceptances_from_a_file(tmp_path):
    path = tmp_path / "accepted.csv"
    path.write_text("draft,measured_survival\n" + "".join(f"{i},{x}\n" for i, x in enumerate(MEASURED)))
    study = filled(STUDY, [path])
    found = study.evaluate()
    assert found.value("draft") == [0, 1, 2, 3, 4, 5]
    assert found.value("tokens_per_verification")[3] == pytest.approx(1 + 0.75 + 0.52 + 0.36)
    assert found.value("draft_survival")[4] == pytest.approx(0.8**4)
    assert found.status == "ok" and found.value("best_draft")[0] < 6
    assert study.evaluate({"fixed_draft": 8.0}).problems == [
        "a draft of 8 tok is longer than the table of drafts, which ends at 5 tok; enter a shorter one"
    ]


def test_a_file_that_begins_with_the_first_drafted_token_is_refused(tmp_path):
    path = tmp_path / "accepted.csv"
    path.write_text("draft,measured_survival\n1,0.75\n2,0.52\n")
    with pytest.raises(InputError, match="draft 1 where 0 should stand; begin with draft 0"):
        filled(STUDY, [path])
