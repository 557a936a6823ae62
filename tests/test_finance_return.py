"""The rate of return in words: one, one of perhaps several, several, none; against the cash of plain loops."""

import finance_reference as reference
import numpy as np
import pytest

from sheetcalc.studies.finance import STUDY

RATES = np.linspace(-0.9, 4.1, 101)
WORDS = {
    "one": "The rate of return of building against the API is",
    "one, perhaps others": "and the only one between",
    "several": "rates of return between",
    "all pay": "its savings are worth more than the outlay",
    "none pays": "at no rate between",
    "above only": "it saves first and pays later",
}


def cash(p):
    return np.array([0.0, *reference.api_bills(p)]) - reference.build_flows(p)


def changes_of_sign(flows):
    signs = np.sign(flows[flows != 0])
    return int((signs[1:] != signs[:-1]).sum())


def worth(flows, rate):
    return sum(flow / (1 + rate) ** (month / 12) for month, flow in enumerate(flows))


def kind(flows):
    above = np.array([worth(flows, rate) > 0 for rate in RATES])
    passings = int((above[1:] != above[:-1]).sum())
    if passings > 1:
        return "several"
    if passings == 0:
        return "all pay" if above[0] else "none pays"
    if not above[0]:
        return "above only"
    return "one, perhaps others" if changes_of_sign(flows) > 1 else "one"


@pytest.fixture(scope="module")
def cases():
    rng, found = np.random.default_rng(60), []
    for i in range(120):
        mode = {"mode": "owned", "fte": 0.2, "setup": 5e3} if i % 4 == 0 else {}
        p = reference.random_case(rng, V0=10 ** float(rng.uniform(1.5, 2.9)), p_out=10 ** float(rng.uniform(0.3, 1.3)), **mode)
        found.append((p, STUDY.evaluate(reference.changes(p))))
    for volume in np.linspace(207, 213, 13):  # falling prices take back what was earned: low and high rates lose, those between pay
        p = reference.DEFAULT | {"V0": float(volume), "setup": 1e4, "api_decline": 0.25}
        found.append((p, STUDY.evaluate(reference.changes(p))))
    return found


def test_changes_of_sign_are_those_of_the_cash(cases):
    counts = set()
    for p, result in cases:
        assert result.value("cash_turns") == changes_of_sign(cash(p)), p
        counts.add(result.value("cash_turns"))
    assert {0, 1, 2, 3} <= counts


def test_the_words_say_which_case_it_is(cases):
    seen = dict.fromkeys(WORDS, 0)
    for p, result in cases:
        expected, said = kind(cash(p)), result.says("return")
        assert WORDS[expected] in said and (expected != "one" or WORDS["one, perhaps others"] not in said), (p, said)
        assert result.exists("build_irr") == expected.startswith("one")
        seen[expected] += 1
    assert all(n >= 3 for n in seen.values()), seen


def test_the_check_names_how_often():
    p = reference.RESULTS["i_V0_180"]["inputs"]
    result = STUDY.evaluate(reference.changes(p))
    says = next(c["says"] for c in result.checks if c["name"] == "rate_exists")
    assert f"changes sign {changes_of_sign(cash(p))} times" in says
