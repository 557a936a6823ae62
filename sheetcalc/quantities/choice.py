"""Build or API by monthly bills; exceptions that override cost."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, either, given, if_, same, when


@quantity("Checks that fail", "")
def failed_checks(weights_fit, one_sequence_fits, batch_fits, tpot_meets_target, ttft_meets_target, flop_floor_clear, byte_floor_clear):
    """How many of the checks that a fleet must pass it does not; missing where one of them cannot be asked."""
    return (
        if_(weights_fit, 0, 1)
        + if_(one_sequence_fits, 0, 1)
        + if_(batch_fits, 0, 1)
        + if_(tpot_meets_target, 0, 1)
        + if_(ttft_meets_target, 0, 1)
        + if_(flop_floor_clear, 0, 1)
        + if_(byte_floor_clear, 0, 1)
    )


@check("The plan holds", "the fleet cannot be built as asked", "alert")
def plan_holds(failed_checks):
    return failed_checks < 1


@quantity("Self-hosting is possible", "")
def build_possible(plan_holds):
    """1 when every check of the plan holds, else 0."""
    return given(if_(plan_holds, 1, 0), 0)


@quantity("Self-hosting per month", "$/month")
def build_cost_per_month(plan_holds, fleet_cost_per_month, fixed_cost_per_month):
    """GPUs and the fixed cost; it does not exist where the plan does not hold."""
    return when(plan_holds, fleet_cost_per_month + fixed_cost_per_month)


@quantity("Self-hosting is an obligation", "")
def must_build(data_must_stay, no_equivalent_api):
    """Residency, or a fine-tuned model without an equivalent: cost does not decide."""
    return if_(either(same(data_must_stay, "yes"), same(no_equivalent_api, "yes")), 1, 0)


@quantity("The API costs more by the materiality", "")
def build_clearly_cheaper(build_cost_per_month, materiality, api_cost_per_month):
    """1 when self-hosting costs at most (1 − materiality) of the API bill; 0 where either does not exist."""
    return given(if_(build_cost_per_month <= (1 - materiality) * api_cost_per_month, 1, 0), 0)


@quantity("There is an API bill", "")
def api_possible(api_cost_per_month, must_build):
    """1 when the API is an option."""
    return given(if_(both(api_cost_per_month >= 0, same(must_build, 0)), 1, 0), 0)


@quantity("Recommendation by monthly bills", "")
def choice_by_cost(build_possible, must_build, build_clearly_cheaper, api_possible):
    """build, api or none. Building wins, where it is possible, by an obligation, a clear saving, or for want of an API to compare with."""
    return if_(
        build_possible * (must_build + build_clearly_cheaper + (1 - api_possible)) > 0, "build", if_(api_possible > 0, "api", "none")
    )


@quantity("Premium of the obligation per month", "$/month")
def obligation_premium(build_cost_per_month, api_cost_per_month):
    """What self-hosting costs more than the API would."""
    return build_cost_per_month - api_cost_per_month


@quantity("The break-even is ahead", "")
def revisit_ahead(breakeven_volume, output_tokens_per_day):
    """1 when today's volume lies below the lasting break-even."""
    return given(if_(breakeven_volume > output_tokens_per_day, 1, 0), 0)


@check("Self-hosting has a bill", "self-hosting costs nothing at a GPU price of 0 and without fixed cost", "alert")
def build_billed(build_cost_per_month):
    return build_cost_per_month > 0


@quantity("API bill over self-hosting", "x")
def api_over_build(build_billed, api_cost_per_month, build_cost_per_month):
    """How many times the self-hosted bill the API bill is."""
    return when(build_billed, api_cost_per_month / build_cost_per_month)


# which sentence is true


@quantity("Says: build, by obligation", "")
def must_build_here(choice_by_cost, must_build):
    """1 when an obligation decides."""
    return if_(both(same(choice_by_cost, "build"), same(must_build, 1)), 1, 0)


@quantity("Says: build, by cost", "")
def says_build(choice_by_cost):
    """1 when building is recommended."""
    return if_(same(choice_by_cost, "build"), 1, 0)


@quantity("Says: API now, look again", "")
def says_revisit(choice_by_cost, revisit_ahead):
    """1 when the API is recommended and a lasting break-even lies ahead."""
    return if_(both(same(choice_by_cost, "api"), same(revisit_ahead, 1)), 1, 0)


@quantity("Says: API", "")
def says_api(choice_by_cost):
    """1 when the API is recommended."""
    return if_(same(choice_by_cost, "api"), 1, 0)


@quantity("Says: API, for want of a fleet", "")
def says_api_forced(choice_by_cost, build_possible):
    """1 when the API is recommended because the fleet cannot be built as asked."""
    return if_(both(same(choice_by_cost, "api"), same(build_possible, 0)), 1, 0)
