"""The smallest fleet that survives the loss of any one region, in closed form, and where its spare stands.

With a total of X replicas the conditions are P_r ≤ C_r ≤ X − T and ΣC = X: they can be met exactly when the largest P is at most
X − T and ΣP ≤ X ≤ n(X − T). Source: calculators C, section d; tests/test_regions.py compares it with exhaustive search.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, highest, highest_at, if_, least, lowest, most, same, total, when


@check("There is somewhere to fail over to", "the table holds {region_count:0} region: it takes two to survive the loss of one")
def can_fail_over(region_count):
    """Two regions or more."""
    return region_count >= 2


@quantity("Replicas that must remain", "")
def must_remain(coincident_peak, shed_share, failover_cap):
    """Whole replicas for the coincident peak at the cap of a bad day."""
    return ceil(coincident_peak * (1 - shed_share) / failover_cap)


@quantity("Even spread", "")
def even_spread(can_fail_over, region_count, must_remain):
    """n regions of equal size of which n − 1 carry the peak."""
    return when(can_fail_over, ceil(region_count * must_remain / (region_count - 1)))


@quantity("Replicas that survive any one loss", "")
def regional_fleet(local_total, must_remain, largest_local_need, even_spread):
    """The smallest total; the largest of three terms binds."""
    return most(local_total, must_remain + largest_local_need, even_spread)


@quantity("Term that binds", "")
def binding_term(regional_fleet, local_total, must_remain, largest_local_need):
    """`local peaks`: the time zones already paid for the spare."""
    return if_(
        same(regional_fleet, local_total),
        "local peaks",
        if_(same(regional_fleet, must_remain + largest_local_need), "largest region", "even spread"),
    )


@quantity("Spare replicas", "")
def regional_spare(regional_fleet, local_total):
    """What the insurance adds to the local peaks."""
    return regional_fleet - local_total


@quantity("GPUs of the insured fleet", "")
def regional_gpus(regional_fleet, gpus_per_replica):
    """GPUs in all regions."""
    return regional_fleet * gpus_per_replica


@quantity("Most spare that may stand here", "")
def spare_room(regional_fleet, must_remain, local_need):
    """More would be lost with the region."""
    return regional_fleet - must_remain - local_need


@quantity("Work at risk", "1/year")
def region_risk(failures_per_year, region_peak):
    """Failures a year times peak work: only its order matters."""
    return failures_per_year * region_peak


@quantity("Region most likely to need the spare", "")
def riskiest_region(region_risk, region):
    """Number of the region."""
    return highest_at(region_risk, region)


@quantity("Name of the region most likely to need it", "")
def riskiest_name(region_name, region, riskiest_region):
    """Name of that region."""
    return at(region_name, region, riskiest_region)


@quantity("Distance from the region most likely to need it", "ms")
def placement_distance(region, riskiest_region, region_count, pair_round_trip, pair):
    """Round trip; the risky region itself comes after all others, for spare inside it is lost with it."""
    return if_(
        same(region, riskiest_region),
        total(pair_round_trip, pair),
        at(pair_round_trip, pair, (riskiest_region - 1) * region_count + region),
    )


@quantity("Distance of the other region", "ms")
def other_distance(placement_distance, region, other_region):
    """The same distances along the second list of regions."""
    return at(placement_distance, region, other_region)


@quantity("Room of the other region", "")
def other_room(spare_room, region, other_region):
    """The same rooms along the second list of regions."""
    return at(spare_room, region, other_region)


@quantity("Room in nearer regions", "")
def nearer_room(other_distance, placement_distance, other_region, region, other_room):
    """Replicas that are placed before this region is asked; equal distances in the order of the table."""
    return total(
        ((other_distance < placement_distance) + same(other_distance, placement_distance) * (other_region < region)) * other_room,
        other_region,
    )


@quantity("Spare placed here", "")
def spare_here(spare_room, regional_spare, nearer_room):
    """Nearest to the risk first, as much as may stand there."""
    return most(0, least(spare_room, regional_spare - nearer_room))


@quantity("Replicas to buy here", "")
def region_capacity(local_need, spare_here):
    """Local peak and spare."""
    return local_need + spare_here


@quantity("Replicas left when it is lost", "")
def left_after_loss(regional_fleet, region_capacity):
    """All regions but this."""
    return regional_fleet - region_capacity


@quantity("Fewest replicas left", "")
def worst_remainder(left_after_loss, region):
    """After the loss that takes most."""
    return lowest(left_after_loss, region)


@check("Every single loss is survived", "after the worst loss {worst_remainder:0} replicas are left and {must_remain:0} are needed")
def losses_survived(worst_remainder, must_remain):
    """What is left carries the coincident peak."""
    return worst_remainder >= must_remain


@check(
    "A bad day runs no cooler than a normal day",
    "the failover cap {failover_cap} is below the normal cap {utilization_cap}: the spare would have to carry more than its share",
    "alert",
)
def failover_cap_is_higher(failover_cap, utilization_cap):
    """The failover cap must be backed by a measured tail."""
    return failover_cap >= utilization_cap


@quantity("Where most of the spare stands", "")
def main_spare_region(spare_here, region):
    """Number of the region."""
    return highest_at(spare_here, region)


@quantity("Name of the region with most of the spare", "")
def main_spare_name(region_name, region, main_spare_region):
    """Name of that region."""
    return at(region_name, region, main_spare_region)


@quantity("Most spare in one region", "")
def main_spare(spare_here, region):
    """Replicas there."""
    return highest(spare_here, region)
