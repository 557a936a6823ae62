"""What each region asks for at each hour of UTC, and the replicas that it needs by itself."""

from sheetcalc.model import quantity
from sheetcalc.operations import at, ceil, count, highest, highest_at, if_, total


@quantity("Regions", "")
def region_count(region_peak, region):
    """How many regions the table holds."""
    return count(region_peak > 0, region)


@quantity("Hours in the curve", "")
def hours_in_curve(hour):
    """How many hours the day has."""
    return count(hour >= 0, hour)


@quantity("Share of the peak", "%")
def peak_share(day_curve, hour):
    """Share of the busiest hour: the curve is rescaled, so that it may be typed as counts."""
    return day_curve / highest(day_curve, hour)


@quantity("Local hour", "")
def local_hour(hour, utc_offset, hours_in_curve):
    """Hour of the day in the region at this hour of UTC."""
    return hour + utc_offset + if_(hour + utc_offset < 0, hours_in_curve, 0) - if_(hour + utc_offset >= hours_in_curve, hours_in_curve, 0)


@quantity("Work of the region", "replica·s/s")
def region_work(region_peak, peak_share, hour, local_hour):
    """Replica-seconds per second."""
    return region_peak * at(peak_share, hour, local_hour)


@quantity("Work of all regions", "replica·s/s")
def hour_work(region_work, region):
    """Replica-seconds per second at this hour."""
    return total(region_work, region)


@quantity("Coincident peak", "replica·s/s")
def coincident_peak(hour_work, hour):
    """The most that all regions together ask for at one hour."""
    return highest(hour_work, hour)


@quantity("Hour of the coincident peak, UTC", "")
def coincident_peak_hour(hour_work, hour):
    """Hour of UTC, the first if there are several."""
    return highest_at(hour_work, hour)


@quantity("Sum of the peaks", "replica·s/s")
def sum_of_peaks(region_peak, region):
    """What they would ask for if all regions peaked at once."""
    return total(region_peak, region)


@quantity("Replicas for its own peak", "")
def local_need(region_work, hour, utilization_cap):
    """Whole replicas at the cap of a normal day."""
    return ceil(highest(region_work, hour) / utilization_cap)


@quantity("Replicas for local peaks", "")
def local_total(local_need, region):
    """The fleet without insurance: it survives no loss by design."""
    return total(local_need, region)


@quantity("Largest region", "")
def largest_local_need(local_need, region):
    """Replicas of the region whose loss takes most."""
    return highest(local_need, region)
