# ruff: noqa: E501  (the table of the docstring)
"""Worked plan: build or API for 2,000 employees (file 004).

Rows of table f.2 of calculators A and the names under which they come out:

| row | name | row | name |
|---|---|---|---|
| kv_token_layer, kv_token | kv_per_token_layer, kv_per_token | kv_conv_8k, kv_conv_4k | conversation_kv, short_conversation_kv |
| weights_gib, hbm_total | staff_weights, node_memory | kv_left_text, kv_left_exact | printed_room, staff_kv_room |
| convs_text, convs_decimal_hbm | conversations_by_print, conversations_decimal | two_cards_left, weights_per_gpu_gib | two_cards_room, card_weights |
| step, passes_per_s | staff_step, staff_passes | tok_user_text, tok_user, node_tput | user_speed_printed, user_speed, staff_node_rate |
| demand_day, avg_rate, peak_rate | staff_tokens, staff_mean_rate, staff_peak_rate | node_day_capacity | node_day |
| util_one_node, util_fleet_two_nodes | node_use, staff_fleet_use | covers_x_* | day_cover, mean_cover, peak_cover |
| self_host_month | staff_build_cost | api_10, api_3, api_10_22days | staff_api_high, staff_api_low, staff_api_workdays |
| ratio_10, ratio_3 | staff_ratio_high, staff_ratio_low | break_even_tokens_day, _employees, _multiple, _peak | fixed_fleet_breakeven, breakeven_staff, breakeven_growth, breakeven_peak |
| break_even_util_two_nodes, _3usd | breakeven_use_high, breakeven_use_low | price_at_which_30pct_breaks_even | stated_use_price |
| break_even_tokens_day_N+1, _employees_N+1 | policy_staff_breakeven_first, policy_staff_at_first, row 2 | convs_4k, convs_fp8_kv, convs_fp8_weights | short_conversations, conversations_narrow_kv, conversations_narrow_weights |
| concurrent_at_peak | running_free | step_with_kv_full, node_tput_with_kv_full, _half | fill_staff_step_kv, fill_staff_node_rate_kv (rows full, half) |
| concurrent_at_peak_fixed_point_* | fill_running_at_peak | tok_user_at_peak_* | fill_user_speed_at_peak |

Break-evens of calculators C, i.7: 48M first and 72M lasting with two fixed nodes as the least, 96M and 144M with one to spare
(policy_staff_breakeven_*), 24M with the API as the spare (hybrid_breakeven); at $3 a million none (node_pays is false).
"""

from sheetcalc.model import COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import memory, staff_bills, staff_node
from sheetcalc.study import Chart, Claim, Saying, Story, Study

TEXT, PRINTED, SOURCE = "file 004", "file 004, printed there", "file 004; calculators A, f.2"
GIB = 2.0**30


def _claims(values, note=""):
    return [Claim(name, value, SOURCE, 1e-12, note=note) for name, value in values.items()]


CLAIMS = [
    *_claims(
        {
            "kv_per_token_layer": 4096.0,
            "kv_per_token": 327680.0,
            "conversation_kv": 2684354560.0,
            "staff_weights": 130.385160446167 * GIB,
            "node_memory": 320.0 * GIB,
            "two_cards_room": 10.0 * GIB,
            "staff_step": 0.010447761194029851,
            "user_speed_printed": 57.599999999999994,
            "user_speed": 57.42857142857142,
            "staff_tokens": 16000000.0,
            "staff_mean_rate": 555.5555555555555,
            "staff_peak_rate": 1666.6666666666665,
            "node_day": 311040000.0,
            "staff_build_cost": 14400.0,
            "staff_api_high": 4800.0,
            "staff_api_low": 1440.0,
            "staff_ratio_high": 3.0,
            "staff_ratio_low": 10.0,
            "fixed_fleet_breakeven": 48e6,
            "breakeven_staff": 6000.0,
            "breakeven_growth": 3.0,
            "short_conversation_kv": 1.25 * GIB,
        }
    ),
    *_claims({"staff_kv_room": 169.614839553833 * GIB, "card_weights": 32.59629011154175 * GIB}, "rounded in the text"),
    *_claims({"conversations_by_print": 68.0, "conversations_decimal": 59.0}, "printed 'about 64': 64 × 2.5 is 160 GiB"),
    *_claims({"staff_passes": 95.71428571428571, "staff_node_rate": 3675.428571428571}, "printed 96 and 3,600"),
    *_claims({"node_use": 0.051440329218107, "staff_fleet_use": 0.0257201646090535}, "the text's 5 percent is one node; two run at 2.6%"),
    *_claims(
        {"day_cover": 19.44, "mean_cover": 6.48, "peak_cover": 2.16},
        "printed 'ten times over', which is none of them; from unrounded rates",
    ),
    *_claims({"staff_api_workdays": 3520.0}, "demand is per workday: 22, not 30"),
    *_claims({"breakeven_peak": 5000.0}, "above one node: the spare is gone"),
    *_claims(
        {"breakeven_use_high": 0.07716049382716049, "breakeven_use_low": 0.257201646090535, "stated_use_price": 2.57201646090535e-6},
        "the 30% rule holds at $2.57 only",
    ),
    *_claims(
        {"short_conversations": 136.0, "conversations_narrow_kv": 136.0, "conversations_narrow_weights": 93.9229679107666}, "printed 128"
    ),
    *_claims({"running_free": 29.021558872305143}, "if KV reads were free"),
    *_claims(
        {"staff_step_kv": 0.023268559092537312, "staff_node_rate_kv": 1650.2955703997864}, "left out in the text: KV reads at full contexts"
    ),
    *_claims({"running_at_peak": 65.43140156903752, "user_speed_at_peak": 25.471969523809527}, "more than the 64 that fit"),
    Claim("staff_breakeven_first", 48e6, "calculators C, i.7", 1e-12),
    Claim("staff_breakeven_lasting", 72e6, "calculators C, i.7", 1e-12),
    Claim("hybrid_breakeven", 24e6, "calculators C, i.7", 1e-12),
    Claim("staff_breakeven_first", 96e6, "calculators C, i.7", 1e-12, {"spare_policy": 1.0}),
    Claim("staff_breakeven_lasting", 144e6, "calculators C, i.7", 1e-12, {"spare_policy": 1.0}),
    Claim("staff_at_first", 12000.0, SOURCE, 1e-12, {"spare_policy": 1.0}),
    Claim("staff_node_rate_kv", 2277.8286404699297, SOURCE, 1e-12, {"context_fill": 0.5}),
    Claim("running_at_peak", 40.20882487664392, SOURCE, 1e-12, {"context_fill": 0.5}),
    Claim("user_speed_at_peak", 41.450270476190475, SOURCE, 1e-12, {"context_fill": 0.5}),
    Claim("staff_step_kv", 0.010447761194029851, SOURCE, 1e-12, {"kv_reads_on": 0.0}, "KV reads switched off: the text's step"),
]

STUDY = Study(
    name="build_or_api_2000_staff",
    title="Build or API for 2,000 employees",
    purpose="Whether a company of 2,000 should run its own model, and at what volume the answer turns.",
    functions=quantities(staff_node, staff_bills) | some(memory, "kv_per_token_layer", "kv_per_token"),
    inputs={
        "staff": Input(2000.0, "", "Employees", TEXT, **POSITIVE),
        "interactions": Input(10.0, "1/day", "Interactions per employee and workday", TEXT, **POSITIVE),
        "interaction_tokens": Input(800.0, "tok", "Output tokens per interaction", TEXT, **POSITIVE),
        "workday_hours": Input(8.0, "h/day", "Hours of a workday", TEXT, low=0.0, high=24.0, above=True),
        "workday_peak": Input(3.0, "x", "Peak over the workday's mean", TEXT, low=1.0, high=100.0),
        "staff_must_stay": Input("no", "", "Data may not leave", TEXT, choices=("no", "yes")),
        "staff_params": Input(70e9, "Gparam", "Parameters", f"{TEXT}: 70e9, not 70.55e9", low=1e6, high=1e14),
        "staff_weight_bytes": Input(2.0, "B", "Bytes per weight", TEXT, low=0.1, high=8.0),
        "kv_layers": Input(80.0, "", "Layers that keep the whole context", TEXT, **COUNT),
        "kv_heads": Input(8.0, "", "KV heads", TEXT, **COUNT),
        "head_size": Input(128.0, "", "Size of a head", TEXT, **COUNT),
        "kv_tensors": Input(2.0, "", "Tensors kept per token", "keys and values", low=1.0, high=2.0, whole=True),
        "bytes_per_kv": Input(2.0, "B", "Bytes per KV element", TEXT, low=0.1, high=8.0),
        "conversation_context": Input(8192.0, "tok", "Context of a conversation", TEXT, **POSITIVE),
        "short_context": Input(4096.0, "tok", "Shorter context", TEXT, **POSITIVE),
        "context_fill": Input(1.0, "%", "Mean fill of the context", "calculators A, f.2: full; half-full is the other case", **SHARE),
        "kv_reads_on": Input(
            1.0, "", "Count KV reads in the step (1) or not (0)", "the text leaves them out", low=0.0, high=1.0, whole=True
        ),
        "conversations": Input(64.0, "", "Conversations on a node", PRINTED, **COUNT),
        "node_cards": Input(4.0, "", "Cards of a node", TEXT, **COUNT),
        "card_memory": Input(80 * GIB, "GiB", "Memory of a card", f"{TEXT}: 80 GB read as GiB", low=1e9, high=2e12),
        "card_memory_decimal": Input(80e9, "GB", "Memory of a card, decimal", "data sheet", low=1e9, high=2e12),
        "card_bandwidth": Input(3.35e12, "TB/s", "Bandwidth of a card", "data sheet", low=1e10, high=1e14),
        "node_overhead": Input(20 * GIB, "GiB", "Overhead of a node", TEXT, low=0.0, high=1e12),
        "node_efficiency": Input(0.6, "%", "Share of the steps that is reached", TEXT, **SHARE),
        "printed_room": Input(170 * GIB, "GiB", "Memory left for KV cache, as printed", PRINTED, **POSITIVE),
        "printed_weights": Input(130 * GIB, "GiB", "Weights, as printed", PRINTED, **POSITIVE),
        "printed_passes": Input(96.0, "1/s", "Steps per second, as printed", PRINTED, **POSITIVE),
        "node_rate": Input(3600.0, "tok/s", "Output tokens per second of a node, as planned", f"{PRINTED}: 3,675 rounded down", **POSITIVE),
        "staff_nodes": Input(2.0, "", "Nodes that are run", TEXT, **COUNT),
        "least_nodes": Input(2.0, "", "Fewest nodes", TEXT, **COUNT),
        "spare_policy": Input(
            0.0, "", "Nodes to spare at the peak", "decision 17: 0 as in the text, 1 beside it", low=0.0, high=10.0, whole=True
        ),
        "card_hour_price": Input(2.50, "$/h", "Price of a card hour", f"{TEXT}, illustrative", **POSITIVE),
        "api_high": Input(10e-6, "$/M tok", "API price, high", f"{TEXT}, illustrative", **POSITIVE),
        "api_low": Input(3e-6, "$/M tok", "API price, low", f"{TEXT}, illustrative", **POSITIVE),
        "billed_days": Input(30.0, "day/month", "Days billed per month", TEXT, **POSITIVE),
        "workdays": Input(22.0, "day/month", "Workdays per month", "usual count", **POSITIVE),
        "stated_use": Input(0.30, "%", "Utilization at which self-hosting is said to pay", PRINTED, **FRACTION),
        "hours_per_day": Input(24.0, "h/day", "Hours per day", "defined", **POSITIVE),
        "seconds_per_hour": Input(3600.0, "s/h", "Seconds per hour", "defined", **POSITIVE),
    },
    grids=[
        Grid(
            "rows",
            "Where the bills cross, by nodes that carry",
            rows={"carrying_nodes": Input([float(n) for n in range(1, 21)], "", "Nodes that carry")},
            show=["row_from", "row_to", "row_bill", "row_api_bill", "row_starts_api", "row_ends_build", "row_equal"],
        ),
        Grid(
            "policy",
            "Break-even by policy: nodes to spare",
            rows={"spare_policy": [0.0, 1.0, 2.0]},
            columns="carrying_nodes",
            show=["staff_breakeven_first", "staff_breakeven_lasting", "staff_at_first"],
        ),
        Grid(
            "fill",
            "What KV reads do to the node, by fill of the context",
            rows={"context_fill": [1.0, 0.5, 0.25]},
            show=["staff_step_kv", "staff_node_rate_kv", "running_at_peak", "user_speed_at_peak"],
        ),
    ],
    claims=CLAIMS,
    sayings={
        "headline": Saying(
            ("staff_says_build", "Build: two nodes for {staff_build_cost}"),
            ("", "Use the API now: {staff_api_high} against {staff_build_cost}, and look again at {staff_breakeven_lasting}"),
        ),
        "decision": Saying(
            (
                "node_pays",
                "Self-hosting costs {staff_ratio_high:1} the API bill at today's volume; it stays cheaper from "
                "{staff_breakeven_lasting} of output on, "
                "{breakeven_growth:1} today's volume being only the first crossing.",
            ),
            ("", "A full node costs more than the API it replaces: no volume makes building cheaper for good."),
        ),
        "idle": Saying(("", "The two nodes stand idle: they run at {staff_fleet_use:1} of what they could make.")),
        "kv": Saying(
            (
                "",
                "With full contexts a node makes {staff_node_rate_kv:0} and the peak asks for {staff_peak_rate:0}: KV reads decide "
                "whether one node is enough.",
            )
        ),
        "spare": Saying(("", "With the API as the spare a single node pays from {hybrid_breakeven} on.")),
        "staircase": Saying(("", "Each further node turns the answer back, until the crossing lasts")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("staff_build_cost", "staff_api_high", "staff_breakeven_lasting", "hybrid_breakeven", "staff_fleet_use"),
        argument=("idle", "kv", "spare"),
        derivation=(
            "staff_tokens",
            "staff_peak_rate",
            "staff_weights",
            "staff_kv_room",
            "conversation_kv",
            "staff_step",
            "user_speed",
            "staff_node_rate",
            "staff_step_kv",
            "staff_node_rate_kv",
            "node_use",
            "staff_fleet_use",
            "staff_node_cost",
            "staff_build_cost",
            "staff_api_high",
            "fixed_fleet_breakeven",
            "staff_breakeven_first",
            "staff_breakeven_lasting",
            "hybrid_breakeven",
        ),
        not_counted=("input tokens, which the text leaves free", "staff and licences", "tax"),
    ),
    charts=[
        Chart(
            "staircase",
            "line",
            title="staircase",
            x="row_to",
            ys=("row_bill", "row_api_bill"),
            marks=("staff_breakeven_lasting",),
            x_label="output, Mtok a day",
            y_label="$ a month",
        )
    ],
    core=("staff_build_cost", "staff_api_high", "staff_breakeven_first", "staff_breakeven_lasting", "hybrid_breakeven", "staff_choice"),
)
