"""Tables of the finance study: its axes and what each shows."""

from sheetcalc import catalogue
from sheetcalc.model import FRACTION, Grid, Input
from sheetcalc.quantities.finance_drivers import DRIVERS
from sheetcalc.quantities.finance_scans import SCANNED
from sheetcalc.studies.day_curve import OFFICE_DAY
from sheetcalc.studies.finance_inputs import MODES, SPEC


def whole(n: int, first: int = 1) -> list[float]:
    return [float(i) for i in range(first, first + n)]


ALPHAS = [0.8986537126286992, 0.8075784952213447, 0.7257334129697597, 0.6521830259439715, 0.5860866975779693, 0.5266889867007357]
FACTOR = {"low": 0.0, "high": 100.0}
ENDS = {  # input -> factor at its low and its high end: the ranges of calculators C over the values of i.1
    "start_volume": (0.5, 2.0),
    "growth": (0.0, 2.0),
    "api_price_decline": (0.25, 2.25),
    "node_rate": (3500 / 5500, 7000 / 5500),
    "utilization_cap": (0.5 / 0.65, 0.8 / 0.65),
    "peak_factor": (1.5 * 11.05 / 24, 4 * 11.05 / 24),
    "discount_rate": (0.6, 1.5),
    "reserved_price_three_years": (1.1 / 1.4, 2.0 / 1.4),
    "api_output_price": (0.625, 1.25),
    "api_input_price": (0.5, 1.25),
    "api_cached_input_price": (0.5, 1.5),
    "api_fixed": (0.5, 2.0),
    "api_cached_share": (0.25, 1.75),
    "batch_share": (0.0, 2.0),
    "prompt_ratio": (0.5, 1.5),
    "staff_fixed": (0.5, 2.0),
    "staff_cost": (16 / 22, 28 / 22),
    "licence_price": (0.5, 2.0),
    "node_extras": (0.5, 2.0),
    "setup_cost": (1 / 3, 2.5),
    "node_price": (0.8, 1.2),
    "colocation_price": (0.7, 1.5),
    "electricity_price": (0.5, 2.0),
}

GRIDS = [
    Grid(
        "months",
        "Both bills by month; nothing is counted beyond the horizon",
        rows={"month": Input(whole(84), "", "Month")},
        typed={
            "actual_volume": Input([None] * 84, "Mtok", "Output tokens that really came", "paste your own", low=0.0),
            "actual_nodes": Input([None] * 84, "", "Nodes that really ran", "paste your own", low=0.0),
            "actual_bill": Input([None] * 84, "$/month", "Bill that was really paid", "paste your own", low=0.0),
        },
        show=[
            "daily_volume",
            "api_bill",
            "build_nodes",
            "reserved_nodes",
            "rent_bill",
            "staff_bill",
            "other_bill",
            "site_bill",
            "maintenance_bill",
            "purchases",
            "residual_income",
            "build_bill",
            "build_saving",
            "cumulative_saving",
            "cumulative_discounted",
            "depreciation",
            "build_expense",
            "hybrid_nodes",
            "hybrid_bill",
            "api_unit_cost",
            "build_unit_cost",
            "actual_utilization",
            "actual_unit_cost",
            "actual_over_plan",
        ],
    ),
    Grid(
        "years",
        "Fiscal years",
        rows={"year": Input(whole(8), "", "Fiscal year")},
        show=["year_tokens", "year_api", "year_opex", "year_capex", "year_depreciation", "year_expense", "year_hybrid"],
    ),
    Grid(
        "quarters",
        "Fiscal quarters",
        rows={"quarter": Input(whole(32), "", "Fiscal quarter")},
        show=["quarter_api", "quarter_opex", "quarter_capex", "quarter_expense", "quarter_hybrid"],
    ),
    Grid(
        "day",
        "Load through the day",
        rows={"hour": Input(whole(24, 0), "", "Hour of the day")},
        typed={
            "day_curve": Input(
                OFFICE_DAY, "%", "Load of the hour over the highest hour", f"assumed: {SPEC}, illustrative office curve", **FRACTION
            )
        },
        show=["hour_share"],
    ),
    Grid(
        "modes",
        "Ways to pay for nodes",
        rows={"sourcing": Input(list(MODES), "", "Way to pay")},
        typed={
            "mode_firm": Input(
                [1.0, 1.0, 1.0, 0.0, 1.0], "", "Nodes stay as long as they are paid (1 yes, 0 no)", "chosen", low=0.0, high=1.0, whole=True
            )
        },
        show=["mode_direct_npv_build"],
    ),
    Grid(
        "leases",
        "Reservations, term by term",
        rows={"term": Input(whole(7), "", "Term")},
        show=["lease_start", "lease_length", "lease_needed", "lease_month", "lease_nodes"],
    ),
    Grid(
        "terms",
        "Terms of the reservations, by way to pay",
        rows="month",
        columns="sourcing",
        show=["mode_term_start", "mode_term_months", "mode_term_needed", "mode_fleet_month"],
    ),
    Grid(
        "crossings",
        "Where the bills of a steady month cross",
        rows={"segment": Input(whole(400), "", "Busy nodes")},
        show=[
            "segment_from",
            "segment_to",
            "segment_cost",
            "segment_api_from",
            "segment_api_to",
            "jump_crossing",
            "root_crossing",
            "equal_volume",
        ],
    ),
    Grid(
        "tornado",
        "What moves the result",
        rows={"driver": Input([DRIVERS[n][0] for n in ENDS], "", "Input")},
        typed={
            "driver_place": Input(whole(len(ENDS)), "", "Place in the table", "defined", low=1.0, high=100.0, whole=True),
            "driver_low_factor": Input(
                [low for low, _ in ENDS.values()], "x", "Low end, of the value", f"assumed: {SPEC[:13]}, i.7", **FACTOR
            ),
            "driver_high_factor": Input(
                [high for _, high in ENDS.values()], "x", "High end, of the value", f"assumed: {SPEC[:13]}, i.7", **FACTOR
            ),
        },
        show=["low_direct_advantage", "high_direct_advantage", "driver_swing", "threshold_move", "driver_turns"],
    ),
    Grid(
        "ranking",
        "Largest swings first",
        rows={"swing_rank": Input(whole(12), "", "Rank")},
        show=["ranked_driver", "ranked_swing", "ranked_low", "ranked_high"],
    ),
    Grid(
        "two_way",
        "Advantage of building for two inputs at once",
        rows={"row_factor": Input([0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.5, 2.0, 3.0], "x", "Input down, of its value", "chosen", **FACTOR)},
        columns={
            "column_factor": Input([0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0], "x", "Input across, of its value", "chosen", **FACTOR)
        },
        show=["pair_direct_advantage"],
    ),
    Grid(
        "scans",
        "Inputs that act in steps or powers, 101 values each",
        rows={"scan_step": Input(whole(101, 0), "", "Step")},
        columns={"scanned": Input([label for label, _ in SCANNED.values()], "", "Input")},
        show=["scan_direct_advantage", "scan_turns", "scan_place"],
    ),
    Grid(
        "drawn_inputs",
        "What is drawn",
        rows={"drawn": Input(["volume", "growth", "API prices", "API price decline", "node rate", "people"], "", "Drawn input")},
        typed={
            "draw_alpha": Input(ALPHAS, "", "Step of its points", "calculators C, i.5: powers of 1 / phi, phi^7 = phi + 1", **FRACTION),
            "draw_low_factor": Input(
                [1.0, 0.0, 0.6, 0.25, 3500 / 5500, 0.5], "x", "Lowest, of its value", "assumed: calculators C, i.5", **FRACTION
            ),
            "draw_high_factor": Input(
                [1.0, 2.0, 1.2, 2.25, 7000 / 5500, 2.0], "x", "Highest, of its value", "assumed: calculators C, i.5", low=1.0, high=100.0
            ),
        },
        show=["factor_mean", "spread_share"],
    ),
    Grid(
        "draws",
        "Draws",
        rows={"draw": Input([], "", "Draw")},
        length="draws",
        show=[
            "drawn_start_volume",
            "drawn_growth",
            "drawn_output_price",
            "drawn_decline",
            "drawn_node_rate",
            "drawn_staff",
            "draw_direct_npv_api",
            "draw_direct_npv_build",
            "draw_direct_advantage",
        ],
    ),
    Grid("draw_points", "Points and factors of the draws", rows="draw", columns="drawn", show=["draw_factor"]),
    Grid(
        "starts",
        "Start volumes: building against the API",
        rows={"candidate": Input(whole(100), "", "Row")},
        show=["candidate_volume", "start_direct_npv_api", "start_direct_npv_build", "start_direct_advantage"],
    ),
    Grid(
        "fine_starts",
        "Start volumes around the last crossing",
        rows={"fine_candidate": Input(whole(100), "", "Row")},
        show=["fine_volume", "finer_direct_advantage"],
    ),
    Grid(
        "trials",
        "Start volumes: the hybrid against the API",
        rows={"trial": Input(whole(24), "", "Row")},
        show=["trial_volume", "trial_npv_hybrid", "trial_direct_npv_api"],
    ),
    Grid("trial_months", "The hybrid by month and start volume", rows="month", columns="trial", show=["trial_hybrid_bill"]),
    Grid(
        "distribution",
        "Distribution of the advantage",
        rows={"share_of_draws": Input([i / 40 for i in range(1, 40)], "%", "Share of draws below", "chosen", **FRACTION)},
        show=["advantage_at_share"],
    ),
    Grid(
        "rates",
        "Rate of return of building against the API",
        rows={"rate_step": Input(whole(101, 0), "", "Step")},
        show=["trial_rate", "saving_at_rate"],
    ),
    Grid(
        "fine_rates",
        "Rate of return, within the step that holds it",
        rows={"fine_rate_step": Input(whole(101, 0), "", "Step")},
        show=["fine_trial_rate", "fine_saving_at_rate"],
    ),
    Grid(
        "view",
        "Both bills of a steady month by volume",
        rows={"view": Input(whole(240), "", "Point")},
        show=["view_volume", "view_build_cost", "view_api_cost"],
    ),
    catalogue.prices(),
]
