"""The price of the spare against what its absence is expected to lose. Source: calculators C, section d."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import count, highest, most, total, when


@quantity("Cost of the spare", "$/year")
def insurance_per_year(regional_spare, gpus_per_replica, gpu_hour_price, hours_per_year):
    """On demand, every hour of the year."""
    return regional_spare * gpus_per_replica * gpu_hour_price * hours_per_year


@quantity("Spare as a share of the fleet", "%")
def insurance_share(regional_spare, local_total):
    """Of the replicas for local peaks."""
    return regional_spare / local_total


@quantity("What the others carry without spare", "replica·s/s")
def carried_without_spare(local_total, local_need, failover_cap):
    """Their own replicas at the failover cap."""
    return failover_cap * (local_total - local_need)


@quantity("Work that nobody carries", "replica·s/s")
def shortfall(hour_work, shed_share, carried_without_spare):
    """If this region is lost at this hour and there is no spare."""
    return most(0, hour_work * (1 - shed_share) - carried_without_spare)


@quantity("Worst shortfall", "replica·s/s")
def worst_shortfall(shortfall, hour):
    """At the worst hour."""
    return highest(shortfall, hour)


@quantity("Mean shortfall", "replica·s/s")
def mean_shortfall(shortfall, hour, hours_in_curve):
    """Over the day, for a loss comes at any hour."""
    return total(shortfall, hour) / hours_in_curve


@quantity("Requests lost until replicas start", "")
def lost_while_starting(worst_shortfall, start_time, seconds_per_minute, request_work):
    """At the worst hour, if autoscaling finds GPUs at all."""
    return worst_shortfall * start_time * seconds_per_minute / request_work


@quantity("Requests lost at the worst hour", "")
def worst_lost_while_starting(lost_while_starting, region):
    """Of the region that hurts most."""
    return highest(lost_while_starting, region)


@quantity("Expected shortfall", "replica·s/s/year")
def expected_shortfall(failures_per_year, mean_shortfall, region):
    """Failures a year times the mean shortfall."""
    return total(failures_per_year * mean_shortfall, region)


@quantity("Requests lost a year, no capacity to be had", "req/year")
def lost_per_year(expected_shortfall, outage_time, seconds_per_hour, request_work):
    """The whole outage is unserved."""
    return expected_shortfall * outage_time * seconds_per_hour / request_work


@quantity("Requests lost a year, autoscaling works", "req/year")
def lost_per_year_autoscaled(expected_shortfall, start_time, seconds_per_minute, request_work):
    """Only the minutes until replicas start are unserved."""
    return expected_shortfall * start_time * seconds_per_minute / request_work


@quantity("Outages a year that lose requests", "/year")
def hurting_outages(failures_per_year, mean_shortfall, region):
    """Failures of regions whose loss leaves a shortfall at some hour."""
    return total(failures_per_year * (mean_shortfall > 0), region)


@quantity("Expected loss without spare", "$/year")
def expected_loss(lost_per_year, request_value, hurting_outages, outage_credit):
    """Value of the lost requests and credits owed to customers."""
    return lost_per_year * request_value + hurting_outages * outage_credit


@check("Something is lost without spare", "without spare no request is lost: the other regions carry any one loss", "alert")
def loss_is_possible(lost_per_year):
    """Else the spare insures against nothing."""
    return lost_per_year > 0


@quantity("What a lost request must be worth", "$")
def breakeven_request_value(loss_is_possible, insurance_per_year, lost_per_year):
    """The spare pays for itself on expected losses above it."""
    return when(loss_is_possible, insurance_per_year / lost_per_year)


@quantity("Regions whose loss hurts", "")
def hurting_regions(mean_shortfall, region):
    """Regions that the others cannot carry without spare."""
    return count(mean_shortfall > 0, region)
