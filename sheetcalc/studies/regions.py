"""Several regions, any one of which may be lost. Source: calculators C, section d.

| specification | here |
|---|---|
| peak_r, w_r(h) | region_peak, region_work |
| curve, tz, f, RTT | day_curve, utc_offset, failures_per_year, pair_round_trip |
| rho_n, rho_f, shed | utilization_cap, failover_cap, shed_share |
| P_r, T, X*, Z, cap_r | local_need, must_remain, regional_fleet, regional_spare, spare_room |
| t_up, outage, w_req | start_time, outage_time, request_work |
| q_k, s_r | neighbor_spare_need, spare_plan |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities
from sheetcalc.quantities import regional_alternatives, regional_demand, regional_fleet, regional_insurance
from sheetcalc.studies.day_curve import OFFICE_DAY
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section d"
ASSUMED = "assumed: worked example of " + SPEC
NAMES = ["us-east", "us-west", "eu-west", "ap-ne"]
ROUND_TRIPS = [0, 65, 75, 160, 65, 0, 140, 110, 75, 140, 0, 230, 160, 110, 230, 0]


def numbers(count: int, start: int = 1) -> list[float]:
    """Labels of an axis."""
    return [float(i) for i in range(start, start + count)]


STUDY = Study(
    name="regions",
    title="Regions: surviving the loss of any one",
    purpose="The smallest fleet over several regions that survives any single loss, where its spare stands, and what the insurance is "
    "worth.",
    functions=quantities(regional_demand, regional_fleet, regional_alternatives, regional_insurance),
    inputs={
        "utilization_cap": Input(0.65, "%", "Utilization cap of a normal day", "assumed: worked fleet, file 000", **SHARE),
        "failover_cap": Input(0.70, "%", "Utilization cap while a region is lost", ASSUMED + "; to be backed by a measured tail", **SHARE),
        "shed_share": Input(0.0, "%", "Traffic shed while a region is lost", ASSUMED, low=0.0, high=0.99),
        "start_time": Input(6.0, "min", "Time until new replicas serve", ASSUMED, **AT_LEAST_0),
        "outage_time": Input(2.0, "h", "Length of an outage", ASSUMED, **POSITIVE),
        "request_work": Input(
            0.109, "replica·s/req", "Work of a request", "assumed: worked fleet, file 000: 21.756 replica·s/s for 200 req/s", **POSITIVE
        ),
        "request_value": Input(0.01, "$", "Value of a lost request", ASSUMED, **AT_LEAST_0),
        "outage_credit": Input(0.0, "$", "Service credits owed for an outage", "chosen: none agreed", **AT_LEAST_0),
        "max_round_trip": Input(0.150, "ms", "Longest round trip to a neighbor", ASSUMED, **POSITIVE),
        "gpus_per_replica": Input(4.0, "", "GPUs per replica", "assumed: worked fleet, file 000", **COUNT),
        "gpu_hour_price": Input(2.50, "$/h", "Price of a GPU-hour", "assumed: worked fleet, file 000", **POSITIVE),
        "hours_per_year": Input(8760.0, "h/year", "Hours in a year", "defined", **POSITIVE),
        "seconds_per_hour": Input(3600.0, "s/h", "Seconds in an hour", "defined", **POSITIVE),
        "seconds_per_minute": Input(60.0, "s/min", "Seconds in a minute", "defined", **POSITIVE),
    },
    grids=[
        Grid(
            "regions",
            "Regions",
            rows={"region": Input(numbers(4), "", "Region", "order of the table", **COUNT)},
            typed={
                "region_name": Input(NAMES, "", "Name", ASSUMED),
                "region_peak": Input([26.0, 14.0, 12.0, 6.0], "replica·s/s", "Work at its local peak", ASSUMED, **POSITIVE),
                "utc_offset": Input([-5.0, -8.0, 1.0, 9.0], "", "Hours from UTC", "time zones, winter", low=-12.0, high=14.0, whole=True),
                "failures_per_year": Input([0.35, 0.15, 0.30, 0.20], "1/year", "Losses a year", ASSUMED, **AT_LEAST_0),
                "region_partner": Input([2.0, 1.0, 1.0, 2.0], "", "Named partner", "chosen: the nearest", **COUNT),
                "spare_plan": Input(
                    [0.0, 20.0, 0.0, 0.0], "", "Spare, neighbors only", "exact search, sheetcalc.spare_search", low=0.0, whole=True
                ),
            },
            show=["local_need", "spare_here", "region_capacity"],
        ),
        Grid(
            "hours",
            "Hours of UTC",
            rows={"hour": Input(numbers(24, 0), "", "Hour", "defined", low=0.0, whole=True)},
            typed={"day_curve": Input(OFFICE_DAY, "", "Requests, local hour", ASSUMED, **AT_LEAST_0)},
            show=["peak_share", "hour_work"],
        ),
        Grid(
            "distances",
            "Round trips",
            rows={"pair": Input(numbers(16), "", "Pair", "order of the table: from each region to each", **COUNT)},
            typed={"pair_round_trip": Input([t / 1000 for t in ROUND_TRIPS], "ms", "Round trip", ASSUMED, **AT_LEAST_0)},
            show=["pair_from", "pair_to"],
        ),
        Grid(
            "others",
            "Regions as the other side",
            rows={"other_region": Input(numbers(4), "", "Other region", "order of the table", **COUNT)},
            show=["partner_capacity"],
        ),
        Grid(
            "outages",
            "Each region lost at each hour",
            rows={"outage": Input(numbers(96), "", "Loss", "every region at every hour", **COUNT)},
            show=["outage_work"],
        ),
        Grid("work", "Work by region and hour", rows="region", columns="hour", show=["region_work"]),
        Grid("between", "Between regions", rows="other_region", columns="region", show=["near_between"]),
        Grid("carried", "What neighbors carry", rows="outage", columns="other_region", show=["outage_carried"]),
    ],
    claims=[
        Claim("coincident_peak", 42.72, SPEC),
        Claim("coincident_peak_hour", 19, SPEC),
        Claim("sum_of_peaks", 58.0, SPEC),
        Claim("must_remain", 62, SPEC),
        Claim("regional_fleet", 102, SPEC),
        Claim("regional_spare", 11, SPEC),
        Claim("binding_term", "largest region", SPEC),
        Claim("local_total", 91, SPEC),
        Claim("mirrored_fleet", 182, SPEC),
        Claim("fleet_if_peaks_meet", 123, SPEC),
        Claim("fleet_at_normal_cap", 106, SPEC),
        Claim("partner_fleet", 139, SPEC),
        Claim("neighbor_fleet", 111, SPEC),
        Claim("neighbor_bound", 111, SPEC),
        Claim("regional_gpus", 408, SPEC),
        Claim("worst_lost_while_starting", 23185.32110091744, SPEC),
        Claim("insurance_per_year", 963600.0, SPEC),
        Claim("insurance_share", 0.1208791208791209, SPEC),
        Claim("lost_per_year", 28879.816513761503, SPEC),
        Claim("lost_per_year_autoscaled", 1443.9908256880751, SPEC),
        Claim("breakeven_request_value", 33.365862956256514, SPEC),
    ],
    sayings={
        "claim": Saying(
            (
                "loss_is_possible",
                "Surviving the loss of any one region costs {insurance_per_year}: it pays if a lost request is worth "
                "{breakeven_request_value}",
            ),
            ("", "The other regions carry the loss of any one: no spare is needed against it"),
        ),
        "decision": Saying(
            (
                "loss_is_possible",
                "Buy {regional_spare} spare replicas on top of {local_total}, {main_spare} of them in {main_spare_name}, for "
                "{insurance_per_year}, if a dropped request is worth {breakeven_request_value} or a promise to customers demands it. "
                "At {request_value:2} a request the expected loss without spare is {expected_loss}.",
            ),
            ("", "Buy no spare: the {local_total} replicas for local peaks already survive any one loss."),
        ),
        "time_zones": Saying(("", "What must be left after a loss sizes the fleet, not what the regions peak at")),
        "why": Saying(
            (
                "",
                "{must_remain} replicas must be left after any loss: all regions together peak at {coincident_peak} (hour "
                "{coincident_peak_hour} of UTC), not at the sum of their peaks, {sum_of_peaks}. What binds: {binding_term}. If all "
                "peaks met, the fleet would be {fleet_if_peaks_meet} instead of {regional_fleet}; mirroring takes {mirrored_fleet}.",
            ),
        ),
        "placement": Saying(
            (
                "",
                "The spare stands nearest to {riskiest_name}, the region whose failures weigh most, and never inside it: {main_spare} "
                "replicas in {main_spare_name}.",
            ),
        ),
        "autoscaling": Saying(
            (
                "loss_is_possible",
                "Autoscaling does not replace the spare: in the {start_time} until replicas serve, {worst_lost_while_starting} "
                "requests are lost at the worst hour; if the other regions have no GPUs to give, {lost_per_year} in expectation.",
            ),
            ("", "Autoscaling is not needed for it: no hour has a shortfall."),
        ),
        "others": Saying(
            (
                "neighbor_plan_holds",
                "One named partner each takes {partner_fleet} replicas; neighbors within {max_round_trip} take {neighbor_fleet}, and "
                "no plan under that limit takes fewer than {neighbor_bound}; a bad day at the normal cap takes {fleet_at_normal_cap}. "
                "These are alternatives: their differences are never added.",
            ),
            (
                "",
                "One named partner each takes {partner_fleet} replicas; a bad day at the normal cap takes {fleet_at_normal_cap}. The "
                "spare typed for neighbors within {max_round_trip} leaves {losses_not_covered} of the regions uncovered. These are "
                "alternatives: their differences are never added.",
            ),
        ),
        "fleets": Saying(
            ("", "Surviving any one loss takes {regional_fleet} replicas, {insurance_share} more than local peaks need"),
        ),
        "day": Saying(("", "All regions together peak at {coincident_peak}, below the sum of their peaks")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("regional_fleet", "regional_spare", "insurance_per_year", "breakeven_request_value", "lost_per_year"),
        argument=("time_zones", "why", "placement", "autoscaling", "others"),
        derivation=("must_remain", "regional_fleet", "regional_spare", "insurance_per_year", "lost_per_year", "breakeven_request_value"),
        not_counted=(
            "Load is fluid and routing instant, one loss at a time.",
            "Distance is round-trip time; data that must stay in its region is left out.",
            "The cap of a bad day must be backed by a measured tail.",
        ),
    ),
    charts=[
        Chart(
            "fleets",
            "bars",
            title="fleets",
            ys=(
                "local_total",
                "regional_fleet",
                "fleet_at_normal_cap",
                "neighbor_fleet",
                "fleet_if_peaks_meet",
                "partner_fleet",
                "mirrored_fleet",
            ),
            y_label="Replicas",
        ),
        Chart("day", "steps", title="day", x="hour", ys=("hour_work",), x_label="Hour of UTC", y_label="Replica-seconds per second"),
    ],
    links={"utilization_cap": "utilization_cap", "gpus_per_replica": "gpus_per_replica", "gpu_hour_price": "gpu_hour_price"},
    core=("regional_fleet", "regional_spare", "regional_gpus", "insurance_per_year", "breakeven_request_value"),
)
