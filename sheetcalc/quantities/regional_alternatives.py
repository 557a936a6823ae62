"""What the other ways to survive a loss would cost: mirroring, one named partner, peaks at once, the normal cap, neighbors only."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, ceil, count, floor, highest, if_, most, negate, same, total, when


@quantity("Mirrored fleet", "")
def mirrored_fleet(local_total):
    """Everything twice."""
    return 2 * local_total


@quantity("Replicas that must remain if all peaks met", "")
def remain_if_peaks_meet(sum_of_peaks, shed_share, failover_cap):
    """Whole replicas for the sum of the peaks."""
    return ceil(sum_of_peaks * (1 - shed_share) / failover_cap)


@quantity("Fleet if all peaks met", "")
def fleet_if_peaks_meet(can_fail_over, local_total, remain_if_peaks_meet, largest_local_need, region_count):
    """What the time zones save is the distance to it."""
    return when(
        can_fail_over,
        most(local_total, remain_if_peaks_meet + largest_local_need, ceil(region_count * remain_if_peaks_meet / (region_count - 1))),
    )


@quantity("Replicas that must remain at the normal cap", "")
def remain_at_normal_cap(coincident_peak, shed_share, utilization_cap):
    """Whole replicas for the coincident peak when a bad day must run as cool as a normal one."""
    return ceil(coincident_peak * (1 - shed_share) / utilization_cap)


@quantity("Fleet if a bad day ran at the normal cap", "")
def fleet_at_normal_cap(can_fail_over, local_total, remain_at_normal_cap, largest_local_need, region_count):
    """What the higher failover cap saves is the distance to it."""
    return when(
        can_fail_over,
        most(local_total, remain_at_normal_cap + largest_local_need, ceil(region_count * remain_at_normal_cap / (region_count - 1))),
    )


@quantity("Work of the region and its partner", "replica·s/s")
def partnered_work(region_work, region, region_partner):
    """At this hour, in one place."""
    return region_work + at(region_work, region, region_partner)


@quantity("Replicas its partner needs", "")
def partner_need(partnered_work, hour, shed_share, failover_cap):
    """Whole replicas at the failover cap."""
    return ceil(highest(partnered_work, hour) * (1 - shed_share) / failover_cap)


@quantity("Replicas to hold for a partner", "")
def held_for_partner(region_partner, other_region, partner_need):
    """What the second region must hold when the first one falls onto it."""
    return if_(same(region_partner, other_region), partner_need, 0)


@quantity("Replicas with named partners", "")
def partner_capacity(local_need, region, other_region, held_for_partner):
    """One named partner for each region: the exact need of the region in the second list."""
    return most(at(local_need, region, other_region), highest(held_for_partner, region))


@quantity("Fleet with named partners", "")
def partner_fleet(partner_capacity, other_region):
    """Total of all regions."""
    return total(partner_capacity, other_region)


@quantity("From region", "")
def pair_from(pair, region_count):
    """Number of the region that fails."""
    return floor((pair - 1) / region_count) + 1


@quantity("To region", "")
def pair_to(pair, pair_from, region_count):
    """Number of the region that takes over."""
    return pair - (pair_from - 1) * region_count


@quantity("Near enough", "")
def pair_near(pair_round_trip, max_round_trip, pair_from, pair_to):
    """1 when the round trip is allowed and it is another region."""
    return if_(both(pair_round_trip <= max_round_trip, negate(same(pair_from, pair_to))), 1, 0)


@quantity("Neighbor", "")
def near_between(pair_near, pair, region, region_count, other_region):
    """1 when the second region may take over from the first."""
    return at(pair_near, pair, (region - 1) * region_count + other_region)


@quantity("Neighbors", "")
def neighbor_count(near_between, other_region):
    """Regions near enough."""
    return total(near_between, other_region)


@quantity("Regions without a neighbor", "")
def lonely_regions(neighbor_count, region):
    """Regions that nobody may take over."""
    return count(neighbor_count < 1, region)


@check(
    "Every region has a neighbor",
    "{lonely_regions:0} region(s) have no other region within {max_round_trip}: no spare can stand in for them",
    "alert",
)
def neighbors_exist(lonely_regions):
    """Else no plan exists under this distance limit."""
    return lonely_regions < 1


@quantity("Replicas of the other region", "")
def other_need(local_need, region, other_region):
    """The same needs along the second list of regions."""
    return at(local_need, region, other_region)


@quantity("Replicas of the neighbors", "")
def neighbor_replicas(near_between, other_need, other_region):
    """What they hold for themselves."""
    return total(near_between * other_need, other_region)


@quantity("Region that is lost", "")
def outage_region(outage, hours_in_curve):
    """Number of the region; the outages are every region at every hour."""
    return floor((outage - 1) / hours_in_curve) + 1


@quantity("Hour of the loss, UTC", "")
def outage_hour(outage, outage_region, hours_in_curve):
    """Hour of UTC."""
    return outage - 1 - (outage_region - 1) * hours_in_curve


@quantity("Local hour there", "")
def outage_local_hour(outage_hour, utc_offset, region, other_region, hours_in_curve):
    """Hour of the day in the other region."""
    return (
        outage_hour
        + at(utc_offset, region, other_region)
        + if_(outage_hour + at(utc_offset, region, other_region) < 0, hours_in_curve, 0)
        - if_(outage_hour + at(utc_offset, region, other_region) >= hours_in_curve, hours_in_curve, 0)
    )


@quantity("Carried by the neighbors", "")
def outage_carries(outage_region, other_region, pair_near, pair, region_count):
    """1 for the lost region and for those that take over."""
    return if_(same(other_region, outage_region), 1, at(pair_near, pair, (outage_region - 1) * region_count + other_region))


@quantity("Work to carry", "replica·s/s")
def outage_carried(outage_carries, region_peak, region, other_region, peak_share, hour, outage_local_hour):
    """The other region's work if it is one of them."""
    return outage_carries * at(region_peak, region, other_region) * at(peak_share, hour, outage_local_hour)


@quantity("Work of the lost region and its neighbors", "replica·s/s")
def outage_work(outage_carried, other_region):
    """What the neighbors must carry."""
    return total(outage_carried, other_region)


@quantity("Work of the region and its neighbors", "replica·s/s")
def exposed_work(outage_work, outage, region, hours_in_curve, hour):
    """The same, by region and hour."""
    return at(outage_work, outage, (region - 1) * hours_in_curve + hour + 1)


@quantity("Spare its neighbors need", "")
def neighbor_spare_need(exposed_work, hour, shed_share, failover_cap, neighbor_replicas):
    """Whole replicas beyond their own."""
    return most(0, ceil(highest(exposed_work, hour) * (1 - shed_share) / failover_cap) - neighbor_replicas)


@quantity("Planned spare of the other region", "")
def other_spare(spare_plan, region, other_region):
    """The plan along the second list of regions."""
    return at(spare_plan, region, other_region)


@quantity("Spare its neighbors have", "")
def neighbor_spare(near_between, other_spare, other_region):
    """Under the plan that is typed in."""
    return total(near_between * other_spare, other_region)


@quantity("Losses that the plan does not survive", "")
def losses_not_covered(neighbor_spare, neighbor_spare_need, region):
    """Regions whose neighbors lack spare."""
    return count(neighbor_spare < neighbor_spare_need, region)


@check(
    "The plan with neighbors holds",
    "the typed spare leaves {losses_not_covered:0} region(s) without enough spare among their neighbors",
    "alert",
)
def neighbor_plan_holds(losses_not_covered):
    """Every region's neighbors have the spare that they need."""
    return losses_not_covered < 1


@quantity("Fleet with neighbors only", "")
def neighbor_fleet(local_total, spare_plan, region):
    """Local peaks and the typed spare."""
    return local_total + total(spare_plan, region)


@quantity("No smaller fleet with neighbors only", "")
def neighbor_bound(local_total, neighbor_spare_need, region):
    """A lower bound: the region that needs most needs at least this."""
    return local_total + highest(neighbor_spare_need, region)
