"""Build, API or hybrid over time and under uncertainty (calculators C, section i).

| spec | name |
|---|---|
| V0, g, M, r | start_volume, growth, horizon, discount_rate |
| k (input:output), c, b | prompt_ratio, api_cached_share, batch_share |
| pout, pin, pcache, bd, decline | api_output_price, api_input_price, api_cached_input_price, api_batch_discount, api_price_decline |
| commit, disc, fixed | api_commit, api_commit_discount, api_fixed |
| V_m, unit, list_m, API_m | daily_volume, api_unit_price, api_list_bill, api_bill |
| T, rho, act_h, pf, v1 | node_rate, utilization_cap, active_hours, peak_factor, node_volume |
| n_min, spare, n_m, res | min_nodes, spare_nodes, build_nodes, reserved_nodes |
| p_od, p_r1, p_r3, G | gpu_hour_price, reserved_price_one_year, reserved_price_three_years, gpus_per_node |
| capex, network, life, residual | node_price, network_share, node_life, residual_share |
| kW, load, PUE, colo | node_power, power_load, pue, colocation_price |
| fte, fte_node, setup | staff_fixed, staff_per_node, setup_cost |
| cloud_m, F, c, a, s | rent_bill, build_fixed_cost, node_cost, api_slope, api_slope (no cost of building depends on the volume) |
| cum_m, durable payback, Delta | cumulative_saving, durable_payback_month, build_advantage |
| first, permanent, u* | breakeven_first, breakeven_lasting, breakeven_utilization |
| V0 crossing, hybrid V0, x | start_crossing, hybrid_start, revisit_at |
| tau, p_min, reach, hyb_fixed | materiality, least_probability, reach, hybrid_fixed |

The node rate is the plan's (`kernel_node_rate`) unless `node_rate` is filled (decision 17). The worked plan of 2,000 employees (file 004)
runs at
720 hours and 30 days, without a spare node and with one for redundancy (decision 18): its rows are among the claims.
"""

from sheetcalc.studies.finance_grids import GRIDS
from sheetcalc.studies.finance_inputs import INPUTS, LINKS
from sheetcalc.studies.finance_tables import functions
from sheetcalc.studies.finance_words import CHARTS, SAYINGS, STORY
from sheetcalc.study import Claim, Study
from sheetcalc.verdict import by_present_value

SPEC, TO_CENT = "calculators C, i.7", 2e-8
LARGER, LARGEST = {"start_volume": 180e6}, {"start_volume": 400e6, "hybrid_allowed": "no"}
CHEAP = {"api_output_price": 0.6e-6, "api_input_price": 0.3e-6, "api_cached_input_price": 0.15e-6}
MANY = {"draws": 2000.0}
EMPLOYEES = {
    "start_volume": 16e6,
    "growth": 0.0,
    "prompt_ratio": 0.0,
    "batch_share": 0.0,
    "api_output_price": 10e-6,
    "api_price_decline": 0.0,
    "api_fixed": 0.0,
    "node_rate": 3600.0,
    "utilization_cap": 1.0,
    "active_hours": 8.0,
    "peak_factor": 3.0,
    "gpus_per_node": 4.0,
    "spare_nodes": 0.0,
    "min_nodes": 2.0,
    "build_mode": "on demand",
    "staff_fixed": 0.0,
    "staff_per_node": 0.0,
    "node_extras": 0.0,
    "storage_cost": 0.0,
    "setup_cost": 0.0,
    "hybrid_fixed": 0.0,
    "hours_per_month": 720.0,
    "days_per_month": 30.0,
}
SPARE, THREE = EMPLOYEES | {"spare_nodes": 1.0}, EMPLOYEES | {"api_output_price": 3e-6}
FILE_004 = "calculators C, i.7, file 004"

CLAIMS = [
    Claim("api_unit_price", 8.333333333333336e-06, SPEC),
    Claim("node_volume", 142213500.0, SPEC),
    Claim("npv_api", 635312.167294535, SPEC),
    Claim("npv_build", 1305929.3484080897, SPEC),
    Claim("npv_build", 1706612.9664737154, SPEC, changes={"build_mode": "on demand"}),
    Claim("npv_build", 1488058.265710647, SPEC, changes={"build_mode": "reserved 1 year"}),
    Claim("npv_build", 1546101.4364378168, SPEC, changes={"build_mode": "owned"}),
    Claim("residual_worth", 407866.6666666666, SPEC, changes={"build_mode": "owned"}),
    Claim("cheapest_mode", "reserved 3 years", SPEC),
    Claim("npv_hybrid", 635312.1672945351, SPEC),
    Claim("build_advantage", -670617.1811135547, SPEC),
    Claim("node_cost", 9392.666666666666, SPEC),
    Claim("build_fixed_cost", 18833.333333333332, SPEC),
    Claim("breakeven_first", 140522958.90410952, SPEC),
    Claim("breakeven_lasting", 177578958.9041095, SPEC),
    Claim("start_crossing", 193960396.92069048, SPEC),
    Claim("hybrid_start", 148135468.22081095, SPEC),
    Claim("build_utilization", 0.06313131313131314, SPEC),
    Claim("breakeven_utilization", 0.15615884876158842, SPEC),
    Claim("decision", "api", SPEC),
    Claim("revisit_at", 148135468.22081095, SPEC),
    Claim("turning_month", 30.57575240423066, SPEC),
    Claim("advantage_low", -1162899.5139381876, f"{SPEC}, 2,000 draws", rel=1e-6, changes=MANY),
    Claim("advantage_middle", -851136.6041088881, f"{SPEC}, 2,000 draws", rel=1e-6, changes=MANY),
    Claim("advantage_high", -551650.9399956948, f"{SPEC}, 2,000 draws", rel=1e-6, changes=MANY),
    Claim("build_probability", 0.0015, f"{SPEC}, 2,000 draws", rel=1e-6, changes=MANY),
    Claim("build_advantage", -74224.1899423874, SPEC, changes=LARGER),
    Claim("first_payback_month", 15.0, SPEC, changes=LARGER, note="undone later: no durable payback"),
    Claim("durable_payback_found", 0.0, SPEC, changes=LARGER),
    Claim("build_probability", 0.206, f"{SPEC}, 500 draws", rel=1e-6, changes=LARGER),
    Claim("build_probability", 0.204, f"{SPEC}, 2,000 draws", rel=1e-6, changes=LARGER | MANY),
    Claim("npv_hybrid", 1521174.1004502298, SPEC, changes=LARGER),
    Claim("decision", "hybrid", SPEC, changes=LARGER),
    Claim("threshold_api_output_price", 4.378800710542759e-06, SPEC, changes=LARGER),
    Claim("threshold_api_input_price", 1.0914900021226157e-06, SPEC, changes=LARGER),
    Claim("threshold_staff_fixed", 0.8701810856087814, SPEC, changes=LARGER),
    Claim("threshold_api_cached_share", 0.32003096110764073, SPEC, changes=LARGER),
    Claim("first_threshold_api_price_decline", 0.17707525117811906, f"{SPEC}, interpolated", changes=LARGER),
    Claim("first_threshold_node_rate", 6001.703474992844, f"{SPEC}, interpolated", changes=LARGER),
    Claim("first_threshold_reserved_price_three_years", 1.2731960379731393, SPEC, changes=LARGER),
    Claim("build_advantage", 1109043.174960367, SPEC, changes=LARGEST),
    Claim("durable_payback_month", 2.0, SPEC, changes=LARGEST),
    Claim("build_probability", 0.688, f"{SPEC}, 500 draws", rel=1e-6, changes=LARGEST),
    Claim("build_probability", 0.6705, f"{SPEC}, 2,000 draws", rel=1e-6, changes=LARGEST | MANY),
    Claim("decision", "build", SPEC, changes=LARGEST),
    Claim("decision", "api", SPEC, changes=CHEAP),
    Claim("rule_buy", 1.0, SPEC, changes=CHEAP),
    Claim("breakeven_found", 0.0, SPEC, changes=CHEAP),
    Claim("decision", "build", SPEC, changes={"data_must_stay": "yes"}),
    Claim("mandate_premium", 670617.1811135547, SPEC, changes={"data_must_stay": "yes"}),
    Claim("first_build_bill", 14400.0, FILE_004, changes=EMPLOYEES),
    Claim("first_api_bill", 4800.0, FILE_004, changes=EMPLOYEES),
    Claim("first_api_bill", 1440.0, FILE_004, changes=THREE),
    Claim(
        "build_utilization", 0.025720164609053495, f"{FILE_004}, two nodes", changes=EMPLOYEES, note="the text prints 5%, which is one node"
    ),
    Claim("breakeven_utilization", 0.07716049382716049, FILE_004, changes=EMPLOYEES),
    Claim("breakeven_first", 48e6, FILE_004, changes=EMPLOYEES, note="the text quotes this one; it uses the second node as capacity"),
    Claim("breakeven_lasting", 72e6, FILE_004, changes=EMPLOYEES),
    Claim("breakeven_first", 96e6, f"{FILE_004}, with a spare node", changes=SPARE),
    Claim("breakeven_lasting", 144e6, f"{FILE_004}, with a spare node", changes=SPARE),
    Claim("breakeven_found", 0.0, FILE_004, changes=THREE, note="a full node costs more than what it saves at $3"),
    Claim("hybrid_first_volume", 24e6, FILE_004, changes=EMPLOYEES),
    Claim("node_pays_when_full", 0.0, FILE_004, changes=THREE),
]

STUDY = Study(
    name="finance",
    title="Finance: build, API or hybrid over time",
    purpose="What each option costs over the months ahead, where the answer turns, how sure it is, and when to look again.",
    functions=functions(),
    inputs=INPUTS,
    grids=GRIDS,
    claims=CLAIMS,
    sayings=SAYINGS,
    story=STORY,
    charts=CHARTS,
    links=LINKS,
    decide=by_present_value,
    core=(
        "npv_api",
        "npv_build",
        "npv_hybrid",
        "build_advantage",
        "durable_payback_month",
        "breakeven_first",
        "breakeven_lasting",
        "build_probability",
        "decision",
        "revisit_at",
        "start_crossing",
        "build_utilization",
        "breakeven_utilization",
        "highest_gpu_price",
    ),
)
