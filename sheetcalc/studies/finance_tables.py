"""Quantities of the finance study: the plan month by month, and the same model for tornado, thresholds, draws, start volumes and prices."""

from sheetcalc.copies import copies
from sheetcalc.model import quantities
from sheetcalc.quantities import (
    choice,
    demand,
    finance_api,
    finance_bills,
    finance_compare,
    finance_decision,
    finance_direct,
    finance_draws,
    finance_drivers,
    finance_hybrid,
    finance_nodes,
    finance_owned,
    finance_return,
    finance_scans,
    finance_start,
    finance_steady,
    finance_views,
    finance_volume,
    finance_years,
)
from sheetcalc.quantities.finance_draws import DRAWN
from sheetcalc.quantities.finance_drivers import DRIVERS, LINEAR
from sheetcalc.quantities.finance_scans import SCANNED
from sheetcalc.quantities.finance_start import NEAR_STEPS, TURN_STEPS

PRICED = {"api_output_price": "price_output", "api_input_price": "price_input", "api_cached_input_price": "price_cached_used"}


def functions():
    """All quantities: the plan month by month, and its copies under other inputs."""
    base = quantities(
        finance_volume,
        finance_api,
        finance_nodes,
        finance_owned,
        finance_bills,
        finance_steady,
        finance_hybrid,
        finance_direct,
        finance_drivers,
        finance_scans,
        finance_draws,
        finance_start,
        finance_decision,
        finance_return,
        finance_compare,
        finance_years,
        finance_views,
    )
    base |= {"curve_total": demand.curve_total, "must_build": choice.must_build}
    made = copies(base, "mode", {"chosen_mode": "sourcing"}, ["direct_npv_build"])
    kept = ("chosen_mode",)
    for end in ("low", "high"):
        made |= {f"{end}_{name}": finance_drivers.moved(name, end) for name in DRIVERS}
        made |= copies(base, end, {name: f"{end}_{name}" for name in DRIVERS}, ["direct_advantage"], kept)
    made |= {f"pair_{name}": finance_drivers.paired(name) for name in DRIVERS}
    made |= copies(base, "pair", {name: f"pair_{name}" for name in DRIVERS}, ["direct_advantage"], kept)
    made |= {f"threshold_{name}": finance_drivers.threshold(name) for name in LINEAR}
    made |= {f"decides_{name}": finance_drivers.decides(name) for name in LINEAR}
    made |= {f"scan_{name}": finance_scans.scanned_value(name) for name in SCANNED}
    made |= copies(base, "scan", {name: f"scan_{name}" for name in SCANNED}, ["direct_advantage"], kept)
    made |= {f"{which}_threshold_{name}": finance_scans.crossing_at(name, which) for name in SCANNED for which in ("first", "last")}
    made |= copies(base, "draw", DRAWN, ["direct_advantage"], kept)
    made |= copies(base, "start", {"start_volume": "candidate_volume"}, ["direct_advantage"], kept)
    made |= copies(base, "finer", {"start_volume": "fine_volume"}, ["direct_advantage"], kept)
    made |= copies(base, "trial", {"start_volume": "trial_volume"}, ["hybrid_gap"], kept)
    made |= copies(base, "row", PRICED, ["direct_npv_api"])
    made |= copies(
        base,
        "fine",
        {"rate_from": "bracket_from", "rate_to": "bracket_to", "rate_step": "fine_rate_step"},
        ["rate_between"],
        ("passing_row", "bracket_from", "bracket_to"),
    )
    for k in range(TURN_STEPS):
        made |= copies(base, f"turn_{k}", {"start_volume": f"turn_volume_{k}"}, ["direct_npv_build", "direct_rest", "direct_slope"], kept)
        made[f"turn_volume_{k + 1}"] = finance_start.turn_volume(k + 1, f"Start volume, step {k + 1} towards the last crossing")
    for k in range(NEAR_STEPS):
        made |= copies(
            base, f"near_{k}", {"start_volume": f"near_volume_{k}"}, ["hybrid_rest", "hybrid_slope", "direct_rest", "direct_slope"], kept
        )
        made[f"near_volume_{k + 1}"] = finance_start.near_volume(k + 1, f"Start volume, step {k + 1} towards the hybrid's threshold")
    made["start_crossing"] = finance_start.turn_volume(TURN_STEPS, "Start volume from which building costs less than the API")
    made["hybrid_start"] = finance_start.near_volume(NEAR_STEPS, "Start volume from which own nodes beside the API save enough")
    del made[f"turn_volume_{TURN_STEPS}"], made[f"near_volume_{NEAR_STEPS}"]
    return base | made
