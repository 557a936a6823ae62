"""Build, API or hybrid: the rules in their order, each with the sentence that says why (calculators C, i.6)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, either, given, highest, if_, most, same, when


@quantity("A hybrid is allowed", "")
def hybrid_possible(hybrid_allowed):
    """1 when policy allows it."""
    return if_(same(hybrid_allowed, "yes"), 1, 0)


@quantity("Building saves enough against the API", "")
def build_material(npv_build, materiality, npv_api):
    """1 when its present value is at most (1 − materiality) of the API's."""
    return if_(npv_build <= (1 - materiality) * npv_api, 1, 0)


@quantity("Building is likely enough to win", "")
def build_likely(build_probability, least_probability):
    """1 when enough draws say so."""
    return if_(build_probability >= least_probability, 1, 0)


@quantity("Building costs no more than the hybrid", "")
def build_over_hybrid(hybrid_possible, npv_build, npv_hybrid):
    """1 when it does, or where a hybrid is not allowed."""
    return if_(either(same(hybrid_possible, 0), npv_build <= npv_hybrid), 1, 0)


@quantity("Hybrid saves enough against the API", "")
def hybrid_material(npv_hybrid, materiality, npv_api):
    """1 when its present value is at most (1 − materiality) of the API's."""
    return if_(npv_hybrid <= (1 - materiality) * npv_api, 1, 0)


@quantity("Rule 0: an obligation decides", "")
def rule_override(must_build):
    """Residency, or a model without an equivalent API: build, whatever it costs."""
    return must_build + 0


@quantity("Rule 1: build", "")
def rule_build(must_build, build_material, build_likely, build_over_hybrid):
    """Cheaper by the materiality, likely enough, and no dearer than a hybrid that is allowed."""
    return (1 - must_build) * build_material * build_likely * build_over_hybrid


@quantity("Rule 2: hybrid", "")
def rule_hybrid(must_build, rule_build, hybrid_possible, npv_hybrid, npv_build, hybrid_material):
    """Allowed, cheaper than building, and cheaper than the API by the materiality."""
    return (1 - must_build) * (1 - rule_build) * hybrid_possible * if_(npv_hybrid < npv_build, 1, 0) * hybrid_material


@quantity("Rule 3: use the API now, look again", "")
def rule_revisit(must_build, rule_build, rule_hybrid, turns_ahead):
    """The answer turns within reach."""
    return (1 - must_build) * (1 - rule_build) * (1 - rule_hybrid) * turns_ahead


@quantity("Rule 4: use the API", "")
def rule_buy(must_build, rule_build, rule_hybrid, rule_revisit):
    """None of the others."""
    return (1 - must_build) * (1 - rule_build) * (1 - rule_hybrid) * (1 - rule_revisit)


@quantity("Decision", "")
def decision(must_build, rule_build, rule_hybrid):
    """build, hybrid or api."""
    return if_(must_build + rule_build > 0, "build", if_(rule_hybrid > 0, "hybrid", "api"))


@check("Look again", "the answer is {decision}, and there is no larger volume to look again at", "sensitivity")
def revisit_set(rule_revisit):
    return same(rule_revisit, 1)


@quantity("Look again at", "Mtok/day")
def revisit_at(revisit_set, turning_volume):
    """Start volume of a fresh plan with that day's prices; only where the answer is to use the API now."""
    return when(revisit_set, turning_volume)


@quantity("Premium of the obligation", "$")
def mandate_premium(must_build, npv_build, npv_api):
    """What building costs more than the API would, in present value; 0 without an obligation."""
    return must_build * most(0, npv_build - npv_api)


@quantity("Present value of the decision", "$")
def npv_decision(decision, npv_build, npv_hybrid, npv_api):
    """Of the option that is recommended."""
    return if_(same(decision, "build"), npv_build, if_(same(decision, "hybrid"), npv_hybrid, npv_api))


@quantity("Saved against the API", "$")
def decision_saving(npv_api, npv_decision):
    """Present values; 0 where the API is recommended, negative for an obligation."""
    return npv_api - npv_decision


@quantity("Hybrid against building", "$")
def hybrid_over_build(npv_build, npv_hybrid):
    """What the hybrid saves: it has no spare node, since the API is the spare."""
    return npv_build - npv_hybrid


@quantity("First month: API", "$/month")
def first_api_bill(api_bill, month):
    """For the table of options."""
    return at(api_bill, month, 1)


@quantity("First month: building", "$/month")
def first_build_bill(running_bill, month):
    """Operating cash, without purchases."""
    return at(running_bill, month, 1)


@quantity("First month: hybrid", "$/month")
def first_hybrid_bill(hybrid_bill, month):
    """For the table of options."""
    return at(hybrid_bill, month, 1)


@quantity("First month: own nodes of the hybrid", "")
def first_hybrid_nodes(hybrid_nodes, month):
    """0 where all goes to the API at first."""
    return at(hybrid_nodes, month, 1)


@quantity("Most own nodes of the hybrid", "")
def most_hybrid_nodes(hybrid_nodes, month):
    """Over the horizon; 0 where no own node pays beside the API."""
    return highest(hybrid_nodes, month)


@quantity("Highest GPU price at which building costs no more than the API", "$/h")
def highest_gpu_price(
    npv_api, npv_build, discounted_rent, one_month, direct_ownership, node_site_cost, discounted_nodes, hours_per_month, gpus_per_node
):
    """What is left of the API's present value after all but the GPUs, over all GPU-hours of the nodes; below 0 no price is low enough."""
    return (npv_api - npv_build + discounted_rent * one_month + direct_ownership + node_site_cost * discounted_nodes * one_month) / (
        hours_per_month * gpus_per_node * discounted_nodes * one_month
    )


# in another currency


@quantity("API, in your currency", "")
def local_npv_api(npv_api, exchange_rate):
    """Present value times the exchange rate."""
    return npv_api * exchange_rate


@quantity("Building, in your currency", "")
def local_npv_build(npv_build, exchange_rate):
    """Present value times the exchange rate."""
    return npv_build * exchange_rate


@quantity("Hybrid, in your currency", "")
def local_npv_hybrid(npv_hybrid, exchange_rate):
    """Present value times the exchange rate."""
    return npv_hybrid * exchange_rate


@quantity("Another currency is shown", "")
def local_shown(currency):
    """1 unless it is USD."""
    return if_(same(currency, "USD"), 0, 1)


# flags for sentences


@quantity("One crossing", "")
def breakeven_single(breakeven_found, breakeven_first, breakeven_lasting):
    """1 where the first break-even is the lasting one."""
    return given(if_(same(breakeven_first, breakeven_lasting), breakeven_found, 0), 0)


@quantity("Own nodes can be cheap enough", "")
def gpu_price_found(highest_gpu_price):
    """1 when some price of a GPU is low enough."""
    return if_(highest_gpu_price > 0, 1, 0)


@quantity("Own throughput figure", "")
def node_rate_own(node_rate, kernel_node_rate):
    """1 when a figure of your own replaces the plan's."""
    return given(if_(same(node_rate, kernel_node_rate), 0, 1), 1)


@quantity("There is a rate of return", "")
def irr_found(build_irr):
    """1 when there is exactly one."""
    return given(if_(build_irr * build_irr >= 0, 1, 0), 0)


@quantity("There is one in the table, and perhaps others outside it", "")
def irr_not_alone(irr_found, cash_turns_often):
    """1 when the cash changes sign more than once."""
    return irr_found * cash_turns_often


@quantity("A commitment is left out of the hybrid", "")
def hybrid_uncommitted(hybrid_possible, api_commit):
    """1 when there is one: what the hybrid leaves to the API is billed at list price."""
    return hybrid_possible * if_(api_commit > 0, 1, 0)
