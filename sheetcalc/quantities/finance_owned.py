"""Nodes that are bought: purchases as cash, depreciation in the P&L only, what they are worth at the end, power and floor space."""

from sheetcalc.model import quantity
from sheetcalc.operations import at, before, highest_so_far, if_, least, most, same, total


@quantity("Price of a node with its share of the network", "$")
def node_purchase(node_price, network_share):
    """Machine and network (calculators C, i.2)."""
    return node_price * (1 + network_share)


@quantity("Owned nodes", "")
def owned_nodes(owning, build_nodes, month):
    """Bought when first needed, and kept."""
    return owning * highest_so_far(build_nodes, month)


@quantity("Nodes bought", "")
def bought_nodes(owned_nodes, month):
    """Nodes that this month has more than the month before."""
    return owned_nodes - before(owned_nodes, month, 0)


@quantity("Purchases at the end of the month", "$/month")
def purchases(owned_nodes, month, horizon, node_purchase, one_month):
    """Nodes for the next month are paid at the end of this one (calculators C, i.2)."""
    return (at(owned_nodes, month, least(month + 1, horizon)) - at(owned_nodes, month, least(month, horizon))) * node_purchase / one_month


@quantity("Paid before the first month", "$")
def first_outlay(setup_cost, owned_nodes, month, node_purchase):
    """Setup, and nodes of the first month."""
    return setup_cost + at(owned_nodes, month, 1) * node_purchase


@quantity("Share of its price that a node is worth at the horizon", "%")
def worth_share(residual_share, horizon, month, residual_months):
    """Straight line through the residual share at its age, down to 0; age of a node paid at the end of this month (calculators C, i.2)."""
    return most(0, 1 - (1 - residual_share) * (horizon - month) / residual_months)


@quantity("The same for a node paid before the first month", "%")
def first_worth_share(residual_share, horizon, residual_months):
    """The oldest nodes."""
    return most(0, 1 - (1 - residual_share) * horizon / residual_months)


@quantity("Worth of the nodes at the horizon", "$")
def residual_worth(purchases, worth_share, month, one_month, first_worth_share, owned_nodes, node_purchase):
    """Each purchase at its age."""
    return total(purchases * worth_share, month) * one_month + first_worth_share * at(owned_nodes, month, 1) * node_purchase


@quantity("Worth received", "$/month")
def residual_income(month, horizon, residual_worth, one_month):
    """At the end of the horizon, as if the nodes were sold."""
    return if_(same(month, horizon), residual_worth / one_month, 0)


@quantity("Power and floor space of a node, a month", "$/month")
def node_site_cost(owning, node_power, power_load, pue, electricity_price, hours_per_month, colocation_price):
    """Power drawn with the cooling of the site, and space by rated power (calculators C, i.2); a rented node has both in its price."""
    return owning * node_power * (power_load * pue * electricity_price * hours_per_month + colocation_price)


@quantity("Maintenance of an owned node, a month", "$/month")
def node_maintenance(owning, node_price, maintenance_share, months_per_year):
    """Share of the price a year; idle nodes are maintained too."""
    return owning * node_price * maintenance_share / months_per_year


@quantity("Power and floor space", "$/month")
def site_bill(build_nodes, node_site_cost):
    """Nodes in service."""
    return build_nodes * node_site_cost


@quantity("Maintenance", "$/month")
def maintenance_bill(in_horizon, owned_nodes, node_maintenance):
    """Owned nodes."""
    return in_horizon * owned_nodes * node_maintenance


@quantity("Nodes still being written off", "")
def written_nodes(owned_nodes, month, node_life):
    """Owned nodes less those bought a life ago."""
    return owned_nodes - if_(month > node_life, at(owned_nodes, month, most(1, month - node_life)), 0)


@quantity("Depreciation", "$/month")
def depreciation(in_horizon, written_nodes, node_purchase, node_life, one_month):
    """Straight line over the life; an entry of the P&L and never a cash flow (calculators C, i.2)."""
    return in_horizon * written_nodes * node_purchase / node_life / one_month
