"""Inputs of the finance study: calculators C, section i.1. All prices there are illustrative; put your own in."""

from datetime import date, timedelta

from sheetcalc import catalogue
from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Input
from sheetcalc.quantities.finance_drivers import DRIVERS

SPEC = "calculators C, i.1"
OLD = 90  # days


def days_before(day: str, days: int) -> str:
    """A day as year-month-day."""
    return (date.fromisoformat(day) - timedelta(days)).isoformat()


ASSUMED, CHOSEN, DEFINED = f"assumed: {SPEC}", f"chosen: {SPEC}", "defined"
MODES = ("on demand", "reserved 1 year", "reserved 3 years", "spot", "owned")
DRIVER_LABELS = tuple(label for label, *_ in DRIVERS.values())

VOLUME = {
    "start_volume": Input(60e6, "Mtok/day", "Output tokens a day at the start", ASSUMED, low=0.0, high=1e15, above=True),
    "growth": Input(0.03, "%", "Growth of the volume a month", ASSUMED, low=-0.5, high=1.0),
    "horizon": Input(36.0, "", "Months that are counted", CHOSEN, low=1.0, high=84.0, whole=True),
    "discount_rate": Input(0.10, "%", "Discount rate a year", f"chosen: {SPEC}; use your house rate", low=0.0, high=1.0),
    "prompt_ratio": Input(20 / 3, "x", "Prompt tokens per output token", f"{ASSUMED}, 2,000 to 300", **AT_LEAST_0),
    "api_cached_share": Input(0.40, "%", "Share of prompt tokens that the API bills as cached", ASSUMED, **FRACTION),
    "batch_share": Input(0.10, "%", "Share that can wait and is sent as batch", ASSUMED, **FRACTION),
    "peak_factor": Input(
        24 / 11.05, "x", "Peak over the mean of the active hours", f"{ASSUMED}, the day curve beside", low=1.0, high=100.0
    ),
    "active_hours": Input(24.0, "h/day", "Hours of the day with traffic", ASSUMED, low=0.0, high=24.0, above=True),
}
API = {
    "api_output_price": Input(4e-6, "$/M tok", "API price, output", f"{ASSUMED}, illustrative", **POSITIVE),
    "api_input_price": Input(1e-6, "$/M tok", "API price, input", f"{ASSUMED}, illustrative", **AT_LEAST_0),
    "api_cached_input_price": Input(0.25e-6, "$/M tok", "API price, cached input", f"{ASSUMED}, illustrative", **AT_LEAST_0),
    "api_batch_discount": Input(0.50, "%", "Discount of the batch API", ASSUMED, **FRACTION),
    "api_price_decline": Input(0.20, "%", "Decline of API list prices a year", ASSUMED, low=0.0, high=0.95),
    "api_commit": Input(0.0, "$/month", "Commitment to the API provider", "chosen: none", **AT_LEAST_0),
    "api_commit_discount": Input(0.0, "%", "Discount for the commitment", "chosen: none", **FRACTION),
    "api_fixed": Input(2000.0, "$/month", "Fixed cost beside the API: gateway, monitoring, people", ASSUMED, **AT_LEAST_0),
    "kernel_class": Input("Llama 3.3 70B", "", "Class of the plan's model", "chosen: model of the worked plan"),
    "compared_class": Input(
        "",
        "",
        "Class of models whose API prices are compared",
        "chosen: the plan's",
        otherwise="kernel_class",
        note="blank: that of the plan's model; the Prices table names the classes",
    ),
    "api_price_row": Input("", "", "Row of the price list that the prices come from", "chosen: prices of your own", note="blank: your own"),
    "price_day": Input(
        catalogue.newest("prices"),
        "",
        "Day on which prices must be for sale",
        "catalogue: newest date of its prices; a scenario's issue_date goes before",
        note="year-month-day; in a cell with an apostrophe before it",
    ),
    "stale_before": Input(
        days_before(catalogue.newest("prices"), OLD),
        "",
        "Prices noted before this day are old",
        f"chosen: {OLD} days before the day above",
        note="year-month-day; in a cell with an apostrophe before it",
    ),
    "earliest_day": Input("2000-01-01", "", "Earliest day that is understood", "defined"),
    "latest_day": Input("2999-12-31", "", "Latest day that is understood", "defined"),
}
NODES = {
    "kernel_node_rate": Input(
        5500.0,
        "tok/s",
        "Output tokens a node gives by the plan, prompts worked off too",
        f"quoted: {SPEC}, two replicas of file 000",
        **POSITIVE,
    ),
    "node_rate": Input(
        None,
        "tok/s",
        "Output tokens a node gives, your own figure",
        "chosen: the plan's",
        otherwise="kernel_node_rate",
        note="blank: the plan's; a benchmark goes here (decision 17)",
        **POSITIVE,
    ),
    "utilization_cap": Input(0.65, "%", "Utilization cap", CHOSEN, **SHARE),
    "gpus_per_node": Input(8.0, "", "GPUs per node", ASSUMED, **COUNT),
    "spare_nodes": Input(1.0, "", "Spare nodes", f"chosen: {SPEC}, one node may fail", low=0.0, high=1000.0, whole=True),
    "min_nodes": Input(2.0, "", "Fewest nodes", CHOSEN, low=0.0, high=1000.0, whole=True),
    "build_lead": Input(0.0, "", "Months until own nodes serve", "chosen: none; orders of GPUs take some", low=0.0, high=24.0, whole=True),
    "build_overlap": Input(0.0, "", "Months in which both are paid after that", "chosen: none", low=0.0, high=24.0, whole=True),
    "build_mode": Input("reserved 3 years", "", "How nodes are paid for", f"chosen: {SPEC}", choices=(*MODES, "cheapest")),
    "gpu_hour_price": Input(2.50, "$/h", "GPU on demand", f"{ASSUMED}, illustrative", **POSITIVE),
    "one_year_share": Input(0.76, "%", "Usual price for a year, of on demand", f"{ASSUMED}: $1.90 over $2.50", **SHARE),
    "three_years_share": Input(0.56, "%", "Usual price for three years, of on demand", f"{ASSUMED}: $1.40 over $2.50", **SHARE),
    "spot_share": Input(0.50, "%", "Usual spot price, of on demand", "assumed: half (calculators C, a)", **SHARE),
    "reserved_price_one_year": Input(
        None,
        "$/h",
        "GPU reserved for a year",
        f"{ASSUMED}, illustrative",
        otherwise="reserved_one_year_usual",
        note="blank: the usual share of on demand",
        **POSITIVE,
    ),
    "reserved_price_three_years": Input(
        None,
        "$/h",
        "GPU reserved for three years",
        f"{ASSUMED}, illustrative",
        otherwise="reserved_three_years_usual",
        note="blank: the usual share of on demand",
        **POSITIVE,
    ),
    "long_lease_months": Input(36.0, "", "Months of the long reservation", "defined: three years", low=12.0, high=84.0, whole=True),
    "spot_price": Input(
        None,
        "$/h",
        "GPU on the spot market",
        "assumed: half of on demand (calculators C, a)",
        otherwise="spot_price_usual",
        note="blank: the usual share of on demand",
        **POSITIVE,
    ),
    "spot_lost_share": Input(0.05, "%", "Share of spot hours lost to interruptions", "assumed", low=0.0, high=0.9),
}
OWNED = {
    "node_price": Input(280000.0, "$", "Price of a node", f"{ASSUMED}, illustrative", **AT_LEAST_0),
    "network_share": Input(0.15, "%", "Network on top of it", ASSUMED, low=0.0, high=2.0),
    "node_life": Input(48.0, "", "Months of life, for depreciation", ASSUMED, **COUNT),
    "residual_share": Input(0.20, "%", "Worth of a node at the age below, of its price", ASSUMED, **FRACTION),
    "residual_months": Input(36.0, "", "Months of age for that worth", ASSUMED, **COUNT),
    "node_power": Input(10200.0, "kW", "Rated power of a node", ASSUMED, **AT_LEAST_0),
    "power_load": Input(0.70, "%", "Mean power, of the rated", ASSUMED, **FRACTION),
    "pue": Input(1.3, "x", "Power of the site over power of the machines (PUE)", ASSUMED, low=1.0, high=5.0),
    "electricity_price": Input(0.10e-3, "$/kWh", "Electricity", ASSUMED, **AT_LEAST_0),
    "colocation_price": Input(0.150, "$/kW/month", "Floor space by rated power", ASSUMED, **AT_LEAST_0),
    "maintenance_share": Input(0.05, "1/year", "Maintenance a year, of the price", ASSUMED, low=0.0, high=1.0),
}
PEOPLE = {
    "staff_fixed": Input(1.0, "", "People for the nodes, whatever their number", ASSUMED, **AT_LEAST_0),
    "staff_per_node": Input(0.05, "", "People for each node more", ASSUMED, **AT_LEAST_0),
    "staff_cost": Input(220000.0, "$/year", "Cost of a person a year", ASSUMED, **AT_LEAST_0),
    "licence_price": Input(0.0, "$/year", "Licence per GPU a year", ASSUMED, **AT_LEAST_0),
    "node_extras": Input(300.0, "$/month", "Network and extras per node", ASSUMED, **AT_LEAST_0),
    "storage_cost": Input(500.0, "$/month", "Storage", ASSUMED, **AT_LEAST_0),
    "setup_cost": Input(60000.0, "$", "Setup", ASSUMED, **AT_LEAST_0),
}
RULES = {
    "materiality": Input(0.05, "%", "Saving below which the simpler option wins", CHOSEN, **FRACTION),
    "least_probability": Input(0.60, "%", "Share of draws that building must win", CHOSEN, **FRACTION),
    "reach": Input(10.0, "x", "How far ahead volumes are looked at, of the start", CHOSEN, low=1.0, high=100.0, above=True),
    "hybrid_allowed": Input("yes", "", "Own nodes and API together are allowed", CHOSEN, choices=("yes", "no")),
    "curve_tolerance": Input(
        0.01,
        "%",
        "How far the peaks of the day curve and of the peak factor may be apart",
        "chosen: peak factors are typed rounded",
        **FRACTION,
    ),
    "hybrid_fixed": Input(5000.0, "$/month", "Cost of running both: routing, two contracts", ASSUMED, **AT_LEAST_0),
    "data_must_stay": Input("no", "", "Data may not leave (residency, air gap)", "chosen", choices=("no", "yes")),
    "no_equivalent_api": Input("no", "", "Fine-tuned model without an equivalent API", "chosen", choices=("no", "yes")),
}
TABLES = {
    "highest_decline": Input(
        0.95, "%", "Highest decline that draws and tornado may take", "chosen: a price stays above 0", low=0.0, high=0.99
    ),
    "licence_step": Input(
        1000.0, "$/year", "Licence added at the high end of the tornado", "chosen: a price of 0 has no other end", **POSITIVE
    ),
    "table_row": Input(DRIVER_LABELS[0], "", "Input down the two-way table", "chosen", choices=DRIVER_LABELS),
    "table_column": Input(DRIVER_LABELS[8], "", "Input across the two-way table", "chosen", choices=DRIVER_LABELS),
    "draws": Input(
        500.0,
        "",
        "Draws",
        "chosen: the share of draws is good to two points",
        low=10.0,
        high=10_000.0,
        whole=True,
        note="a workbook has the rows it was made with; change it before",
    ),
    "volume_spread": Input(
        0.35, "", "Spread of the volume in the draws (of its logarithm)", "assumed: calculators C, i.5", low=0.0, high=3.0
    ),
    "low_percentile": Input(0.10, "%", "Low percentile of the draws", CHOSEN, **FRACTION),
    "middle_percentile": Input(0.50, "%", "Middle of the draws", CHOSEN, **FRACTION),
    "high_percentile": Input(0.90, "%", "High percentile of the draws", CHOSEN, **FRACTION),
    "scan_steps": Input(100.0, "", "Steps of a scan", f"chosen: {SPEC[:13]}, i.4", low=100.0, high=100.0, whole=True),
    "scan_low_share": Input(
        0.2, "%", "Lowest reserved price scanned, of on demand", f"chosen: {SPEC[:13]}, i.4: $0.50 over $2.50", **SHARE
    ),
    "scan_high_share": Input(
        1.2, "%", "Highest reserved price scanned, of on demand", f"chosen: {SPEC[:13]}, i.4: $3.00 over $2.50", low=1.0, high=2.0
    ),
    "rate_from": Input(-0.90, "%", "Lowest rate of return looked for", "chosen", low=-0.99, high=0.0),
    "rate_to": Input(4.10, "%", "Highest rate of return looked for", "chosen", low=0.0, high=100.0, above=True),
    "rate_steps": Input(100.0, "", "Steps of the table of rates", "chosen", low=100.0, high=100.0, whole=True),
    "fiscal_month": Input(
        1.0, "", "Month of the fiscal year in which the plan begins", "chosen: the first", low=1.0, high=12.0, whole=True
    ),
    "currency": Input("USD", "", "Currency of the figures beside the dollars", "chosen"),
    "exchange_rate": Input(1.0, "1/$", "Units of that currency for a dollar", "chosen: 1 for USD", **POSITIVE),
    "tolerance": Input(
        1e-9, "", "Difference that the reconciliation allows, of both present values", "chosen: a billionth", low=0.0, high=1e-6, above=True
    ),
}
SCAN_RANGES = {
    "growth": (-0.02, 0.15),
    "api_price_decline": (0.0, 0.8),
    "node_rate": (500.0, 40000.0),
    "utilization_cap": (0.2, 0.95),
    "peak_factor": (1.0, 12.0),
    "discount_rate": (0.0, 0.5),
}
CONSTANTS = {
    "days_per_month": Input(
        365 / 12, "day/month", "Days of a month that are billed", "chosen: 365 / 12; others are 30 and 22 workdays", **POSITIVE
    ),
    "hours_per_month": Input(730.0, "h/month", "Hours of a month that are billed", "chosen: 8,760 / 12; another is 720", **POSITIVE),
    "hours_per_day": Input(24.0, "h/day", "Hours per day", DEFINED, **POSITIVE),
    "seconds_per_hour": Input(3600.0, "s/h", "Seconds per hour", DEFINED, **POSITIVE),
    "months_per_year": Input(12.0, "month/year", "Months per year", DEFINED, **POSITIVE),
    "annual_steps": Input(12.0, "", "Months in a year, as a count", DEFINED, **COUNT),
    "quarter_months": Input(3.0, "", "Months in a quarter", DEFINED, **COUNT),
    "one_month": Input(1.0, "month", "Length of a row of the table of months", DEFINED, **POSITIVE),
    "one_hour_daily": Input(1.0, "h/day", "One hour of each day", DEFINED, **POSITIVE),
}


def scan_inputs() -> dict[str, Input]:
    """The ends of each scan."""
    inputs = VOLUME | API | NODES
    price = inputs["reserved_price_three_years"]
    ends = {
        f"reserved_price_three_years_{end}": price._replace(
            label=f"{price.label}, scan {end}", source="chosen: calculators C, i.4", otherwise=usual
        )
        for end, usual in (("from", "reserved_scan_low"), ("to", "reserved_scan_high"))
    }
    return ends | {
        f"{name}_{end}": inputs[name]._replace(
            value=value, label=f"{inputs[name].label}, scan {end}", source="chosen: calculators C, i.4", otherwise=(), note=""
        )
        for name, ends in SCAN_RANGES.items()
        for end, value in zip(("from", "to"), ends, strict=False)
    }


INPUTS = {**VOLUME, **API, **NODES, **OWNED, **PEOPLE, **RULES, **TABLES, **CONSTANTS, **scan_inputs()}
LINKS = {  # what comes from the plan when both are opened together
    "start_volume": "output_tokens_per_day",
    "prompt_ratio": "prompt_per_output",
    "api_cached_share": "api_cached_share",
    "peak_factor": "peak_to_mean",
    "active_hours": "hours_per_day",
    "day_curve": "planned_load",
    "curve_tolerance": "curve_tolerance",
    "api_output_price": "api_output_price",
    "api_input_price": "api_input_price",
    "api_cached_input_price": "api_cached_input_price",
    "kernel_node_rate": "node_output_rate",
    "utilization_cap": "utilization_cap",
    "gpus_per_node": "gpus_per_node",
    "gpu_hour_price": "gpu_hour_price",
    "materiality": "materiality",
    "data_must_stay": "data_must_stay",
    "no_equivalent_api": "no_equivalent_api",
    "days_per_month": "days_per_month",
    "hours_per_month": "hours_per_month",
    "kernel_class": "model_price_class",
    "api_price_row": "api_price_row",
}
