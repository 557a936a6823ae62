"""Start volumes at which the answer turns: from which volume building, or own nodes beside the API, would be the better plan.

Each is the start volume of a fresh plan with the same horizon and today's prices. Tables of start volumes find the place; from its upper
end a
few Newton steps find the volume itself. Between whole nodes the advantage is a straight line in the start volume, so the last step is exact
(calculators C, i.4). Windows narrower than a step of the finer table are missed; `sheetcalc.thresholds` looks at every piece.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, before, first, given, highest, if_, last, least, ln, lowest, lowest_ahead, same, total, when

TURN_STEPS = 4  # Newton steps that reach the last bits in random plans (tests)
NEAR_STEPS = 6


@quantity("Start volumes in the table", "")
def candidates(candidate):
    """Rows."""
    return highest(candidate, candidate)


@quantity("Start volume of the row", "Mtok/day")
def candidate_volume(start_volume, reach, candidate, candidates):
    """Even steps up to the reach."""
    return start_volume * reach * candidate / candidates


@quantity("API at the start of the step", "$")
def candidate_api_before(start_direct_npv_api, candidate):
    """Present value in the row above; 0 before the first."""
    return before(start_direct_npv_api, candidate, 0)


@quantity("The API may be cheaper somewhere in the step", "")
def candidate_doubt(candidate_api_before, start_direct_npv_build):
    """Both rise with the volume: in the whole step the API costs at least its start, building at most its end."""
    return candidate_api_before <= start_direct_npv_build


@quantity("The API is cheaper in this row", "")
def candidate_loses(start_direct_npv_api, start_direct_npv_build):
    """Or costs the same."""
    return start_direct_npv_api <= start_direct_npv_build


@quantity("Last step in which the API may be cheaper", "")
def doubtful_row(candidate_doubt, candidate):
    """Behind it building always wins."""
    return last(candidate_doubt, candidate)


@quantity("Last row in which the API is cheaper", "")
def losing_row(candidate_loses, candidate):
    """Missing where it is in none."""
    return last(candidate_loses, candidate)


@quantity("Start volume below the last crossing", "Mtok/day")
def fine_from(losing_row, candidate_volume, candidate):
    """That row's volume; 0 where there is none."""
    return given(at(candidate_volume, candidate, losing_row), 0)


@quantity("Start volume above the last crossing", "Mtok/day")
def fine_to(doubtful_row, candidate_volume, candidate):
    """The end of that step."""
    return at(candidate_volume, candidate, doubtful_row)


@quantity("Rows of the finer table", "")
def fine_candidates(fine_candidate):
    """How many."""
    return highest(fine_candidate, fine_candidate)


@quantity("Start volume of the row", "Mtok/day")
def fine_volume(fine_from, fine_to, fine_candidate, fine_candidates):
    """Even steps between both."""
    return fine_from + (fine_to - fine_from) * fine_candidate / fine_candidates


@quantity("Lowest advantage of building from here on", "$")
def fine_lowest(finer_direct_advantage, fine_candidate):
    """Over this and all larger start volumes of the table."""
    return lowest_ahead(finer_direct_advantage, fine_candidate)


@quantity("Building wins from here on", "")
def fine_settled(fine_lowest):
    """At this and at every larger start volume."""
    return fine_lowest > 0


@quantity("Advantage of building at the end of the reach", "$")
def reach_advantage(start_direct_advantage, candidate, candidates):
    """Last row of the table of start volumes."""
    return at(start_direct_advantage, candidate, candidates)


@check("Building wins at the end of the reach", "building costs more than the API even at {reach_volume}", "sensitivity")
def build_wins_in_reach(reach_advantage, reach_volume):
    return reach_advantage * reach_volume > 0


@quantity("First row from which building wins", "")
def settled_row(build_wins_in_reach, first_settled):
    """Missing where building does not win within reach."""
    return when(build_wins_in_reach, first_settled)


@quantity("First row of the finer table from which building wins", "")
def first_settled(fine_settled, fine_candidate):
    """May be missing."""
    return first(fine_settled, fine_candidate)


@quantity("API usage that grows with the volume, discounted", "$/month")
def discounted_over_commit(in_horizon, first_list_bill, list_bill_step, month, api_commit, discount_step):
    """Months in which more than the commitment is used."""
    return total(
        in_horizon
        * first_list_bill
        * list_bill_step ** (month - 1)
        * (first_list_bill * list_bill_step ** (month - 1) > api_commit)
        / discount_step**month,
        month,
    )


@quantity("Present value of the API by start volume", "$·day/Mtok")
def direct_slope(discounted_over_commit, api_discount_used, start_volume, one_month):
    """What a token a day more at the start adds to the API's present value."""
    return discounted_over_commit * (1 - api_discount_used) / start_volume * one_month


@quantity("Start volume above the last crossing", "Mtok/day")
def turn_volume_0(fine_volume, fine_candidate, settled_row):
    """Upper end of the fine step in which it lies."""
    return at(fine_volume, fine_candidate, settled_row)


@quantity("Present value of the API that does not move with the volume", "$")
def direct_rest(direct_npv_api, direct_slope, start_volume):
    """Fixed cost, and the commitment in months that do not exceed it."""
    return direct_npv_api - direct_slope * start_volume


def turn_volume(step: int, label: str):
    """The next start volume on the way to the last crossing (193.960M a day in calculators C, i.7): where the API's line from the one
    before meets the cost of building there."""

    def fn(build, rest, slope, volume):
        return if_(slope > 0, (build - rest) / slope, volume)

    made = quantity(label, "Mtok/day")(fn)
    before = f"turn_{step - 1}_"
    made.needs = f"{before}direct_npv_build", f"{before}direct_rest", f"{before}direct_slope", f"turn_volume_{step - 1}"
    return made


# own nodes beside the API


@quantity("Start volumes in the table of the hybrid", "")
def trials(trial):
    """Rows."""
    return highest(trial, trial)


@quantity("Start volume of the row", "Mtok/day")
def trial_volume(start_volume, reach, trial, trials):
    """Even steps up to the reach."""
    return start_volume * reach * trial / trials


@quantity("Step between the start volumes of the hybrid", "Mtok/day")
def trial_step(start_volume, reach, trials):
    """A stretch that is shorter, in which the hybrid pays and then no longer, is not seen."""
    return start_volume * reach / trials


@quantity("Hybrid against the API less the materiality", "$")
def hybrid_gap(npv_hybrid, materiality, direct_npv_api):
    """At or below 0 the hybrid saves enough to be worth it."""
    return npv_hybrid - (1 - materiality) * direct_npv_api


@quantity("The hybrid saves enough", "")
def trial_clears(trial_hybrid_gap):
    """By the materiality."""
    return trial_hybrid_gap <= 0


@check(
    "A hybrid saves enough within reach",
    "a hybrid saves less than {materiality} of the API at every volume that was tried up to {reach_volume}",
    "sensitivity",
)
def hybrid_clears_in_reach(trial_hybrid_gap, trial):
    return lowest(trial_hybrid_gap, trial) <= 0


@quantity("First row in which the hybrid saves enough", "")
def clearing_row(hybrid_clears_in_reach, trial_clears, trial):
    """Missing where it does not within reach."""
    return when(hybrid_clears_in_reach, first(trial_clears, trial))


@quantity("Share of tokens in hours that overflow", "%")
def overflow_share(hour_share, hybrid_load, paying_nodes, hour):
    """What of one token more goes to the API."""
    return total(hour_share * (hybrid_load * hour_share > paying_nodes), hour)


@quantity("Hybrid bill by start volume", "$·day/Mtok/month")
def hybrid_bill_slope(in_horizon, hybrid_price, growth, month, hybrid_on, overflow_share):
    """What a token a day more at the start adds to the bill of the month."""
    return in_horizon * hybrid_price * (1 + growth) ** (month - 1) * (1 - hybrid_on * (1 - overflow_share))


@quantity("Present value of the hybrid by start volume", "$·day/Mtok")
def hybrid_slope(hybrid_bill_slope, month_discount, month, one_month):
    """What a token a day more at the start adds to it."""
    return total(hybrid_bill_slope / month_discount, month) * one_month


@quantity("Present value of the hybrid that does not move with the volume", "$")
def hybrid_rest(npv_hybrid, hybrid_slope, start_volume):
    """Nodes, people, setup and fixed cost."""
    return npv_hybrid - hybrid_slope * start_volume


@quantity("Start volume at which the hybrid clears, upper end", "Mtok/day")
def near_volume_0(trial_volume, trial, clearing_row):
    """Upper end of the step in which it begins to save enough."""
    return at(trial_volume, trial, clearing_row)


def near_volume(step: int, label: str):
    """The next start volume on the way to where the hybrid begins to save enough (148.135M a day in calculators C, i.7): where both lines
    from the one before meet."""

    def fn(hybrid_rest, hybrid_slope, api_rest, api_slope, materiality, volume):
        return if_(
            hybrid_slope < (1 - materiality) * api_slope,
            (hybrid_rest - (1 - materiality) * api_rest) / ((1 - materiality) * api_slope - hybrid_slope),
            volume,
        )

    made = quantity(label, "Mtok/day")(fn)
    before = f"near_{step - 1}_"
    made.needs = (
        f"{before}hybrid_rest",
        f"{before}hybrid_slope",
        f"{before}direct_rest",
        f"{before}direct_slope",
        "materiality",
        f"near_volume_{step - 1}",
    )
    return made


# when to look again


@quantity("Start volume within reach", "Mtok/day")
def reach_volume(start_volume, reach):
    """The farthest that is looked at."""
    return start_volume * reach


@quantity("Nearest threshold", "Mtok/day")
def nearest_turn(start_crossing, hybrid_start, hybrid_possible, reach_volume):
    """The smaller of both, the hybrid's only where a hybrid is allowed; twice the reach where there is neither."""
    return least(
        given(start_crossing, 2 * reach_volume), if_(same(hybrid_possible, 1), given(hybrid_start, 2 * reach_volume), 2 * reach_volume)
    )


@check("The answer turns within reach", "no volume up to {reach_volume} turns the answer", "sensitivity")
def turn_found(nearest_turn, reach_volume):
    return nearest_turn <= reach_volume


@quantity("Volume at which the answer turns", "Mtok/day")
def turning_volume(turn_found, nearest_turn):
    """Start volume of a fresh plan at that day's prices (calculators C, i.6)."""
    return when(turn_found, nearest_turn)


@quantity("It lies above today's volume, within reach", "")
def turns_ahead(nearest_turn, start_volume, reach_volume):
    """1 when it does."""
    return if_(nearest_turn > start_volume, 1, 0) * if_(nearest_turn <= reach_volume, 1, 0)


@check("The volume grows towards it", "the volume does not grow towards a volume that turns the answer", "sensitivity")
def volume_reaches(growth, turns_ahead):
    return growth * turns_ahead > 0


@quantity("Months until that volume", "")
def turning_month(volume_reaches, turning_volume, start_volume, growth):
    """At today's growth (calculators C, i.6: 30.6)."""
    return when(volume_reaches, ln(turning_volume / start_volume) / ln(1 + growth))
