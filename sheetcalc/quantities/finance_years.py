"""Fiscal years and quarters: operating cost, purchases, P&L and tokens, and what really happened beside the plan."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import floor, if_, known, same, total, when


@quantity("Fiscal year of the month", "")
def fiscal_year(month, fiscal_month, annual_steps):
    """The first month of the plan is the `fiscal_month`-th of its fiscal year."""
    return floor((month + fiscal_month - 2) / annual_steps) + 1


@quantity("Fiscal quarter of the month", "")
def fiscal_quarter(month, fiscal_month, quarter_months):
    """Counted from the first quarter of the first fiscal year."""
    return floor((month + fiscal_month - 2) / quarter_months) + 1


@quantity("Output tokens", "Mtok")
def year_tokens(month_volume, fiscal_year, year, month):
    """Tokens of the months of the year within the horizon."""
    return total(month_volume * same(fiscal_year, year), month)


@quantity("API", "$")
def year_api(api_bill, fiscal_year, year, month, one_month):
    """Bills of the year."""
    return total(api_bill * same(fiscal_year, year), month) * one_month


@quantity("Building, operating cost", "$")
def year_opex(running_bill, fiscal_year, year, month, one_month):
    """Opex: rent, people, power, licences, the API beside the build."""
    return total(running_bill * same(fiscal_year, year), month) * one_month


@quantity("Building, outlay and purchases", "$")
def year_capex(purchases, fiscal_year, year, month, one_month, first_outlay):
    """Capex of the year; setup and first nodes in the first year."""
    return total(purchases * same(fiscal_year, year), month) * one_month + first_outlay * if_(same(year, 1), 1, 0)


@quantity("Building, depreciation", "$")
def year_depreciation(depreciation, fiscal_year, year, month, one_month):
    """Entry of the P&L."""
    return total(depreciation * same(fiscal_year, year), month) * one_month


@quantity("Building, cost in the P&L", "$")
def year_expense(year_opex, year_depreciation, setup_cost, year):
    """Operating cost, depreciation, and the setup as cost of the first year."""
    return year_opex + year_depreciation + setup_cost * if_(same(year, 1), 1, 0)


@quantity("Hybrid", "$")
def year_hybrid(hybrid_bill, fiscal_year, year, month, one_month, hybrid_used, setup_cost):
    """Bills of the year, and the setup in the first."""
    return total(hybrid_bill * same(fiscal_year, year), month) * one_month + hybrid_used * setup_cost * if_(same(year, 1), 1, 0)


@quantity("API", "$")
def quarter_api(api_bill, fiscal_quarter, quarter, month, one_month):
    """Bills of the quarter."""
    return total(api_bill * same(fiscal_quarter, quarter), month) * one_month


@quantity("Building, operating cost", "$")
def quarter_opex(running_bill, fiscal_quarter, quarter, month, one_month):
    """Opex of the quarter."""
    return total(running_bill * same(fiscal_quarter, quarter), month) * one_month


@quantity("Building, outlay and purchases", "$")
def quarter_capex(purchases, fiscal_quarter, quarter, month, one_month, first_outlay, first_quarter):
    """Capex of the quarter; setup and first nodes in the quarter in which the plan begins."""
    return total(purchases * same(fiscal_quarter, quarter), month) * one_month + first_outlay * if_(same(quarter, first_quarter), 1, 0)


@quantity("Fiscal quarter in which the plan begins", "")
def first_quarter(fiscal_month, quarter_months):
    """Counted from the first quarter of the first fiscal year."""
    return floor((fiscal_month - 1) / quarter_months) + 1


@quantity("Building, cost in the P&L", "$")
def quarter_expense(build_expense, fiscal_quarter, quarter, month, one_month, setup_cost, first_quarter):
    """Operating cost and depreciation, and the setup as cost of the quarter in which the plan begins."""
    return total(build_expense * same(fiscal_quarter, quarter), month) * one_month + setup_cost * if_(same(quarter, first_quarter), 1, 0)


@quantity("Hybrid", "$")
def quarter_hybrid(hybrid_bill, fiscal_quarter, quarter, month, one_month, hybrid_used, setup_cost, first_quarter):
    """Bills of the quarter, and the setup in the one in which the plan begins."""
    return total(hybrid_bill * same(fiscal_quarter, quarter), month) * one_month + hybrid_used * setup_cost * if_(
        same(quarter, first_quarter), 1, 0
    )


# what really happened


@check("Nodes and tokens of the month are known", "not entered", "sensitivity")
def actual_entered(actual_volume, actual_nodes):
    """Both were pasted in."""
    return known(actual_volume + actual_nodes)


@quantity("Real utilization", "%")
def actual_utilization(actual_entered, actual_volume, actual_nodes, node_full_day, days_per_month, one_month):
    """Tokens of the month over what the nodes could give."""
    return when(actual_entered, actual_volume / (actual_nodes * node_full_day * days_per_month * one_month))


@quantity("Really paid, per million output tokens", "$/M tok")
def actual_unit_cost(actual_bill, actual_volume, one_month):
    """Bill over tokens; missing where either is blank."""
    return actual_bill * one_month / actual_volume


@quantity("Volume over plan", "%")
def actual_over_plan(actual_volume, month_volume):
    """Real tokens over those of the plan, less one; missing where blank."""
    return actual_volume / month_volume - 1
