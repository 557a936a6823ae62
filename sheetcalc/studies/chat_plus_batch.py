"""Chat and batch on one fleet. Source: calculators C, section c.

| specification | here |
|---|---|
| d_h, need_h, keep_h, rel_h | peak_share, hour_need, kept_replicas, released_replicas |
| R, idle_share, physical | carrying_replicas, unneeded_share, physical_idle |
| n, q, t_mem, x | filler_sequences, filler_prefill, filler_memory_time, filler_rate |
| Sb, Ob, kappa, O* | batch_prompt_tokens, batch_output_tokens, context_decode_time, filler_equal_output |
| y, pi, b_c, n_KV, n_TPOT, x_h | chat_rate, chat_prefill_duty, chat_sequences, mixed_by_memory, mixed_by_tpot, mixed_rate |
"""

from sheetcalc.model import AT_LEAST_0, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import attention_share, batch_filler, filler_money, idle_hours, mixed_hours, offline_memory, regional_demand
from sheetcalc.studies.day_curve import OFFICE_DAY
from sheetcalc.studies.worked_replica import CHAT, OFFLINE, REPLICA, SERVING, TIME, links, needed
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section c"
ASSUMED = "assumed: worked example of " + SPEC
LOAD = {
    "request_rate": Input(200.0, "req/s", "Chat requests per second at the peak", "assumed: worked fleet, file 000", **POSITIVE),
    "prompt_tokens": Input(2000.0, "tok", "Prompt tokens of a chat request", "assumed: worked fleet, file 000", low=1.0, high=1e7),
    "output_tokens": Input(300.0, "tok", "Output tokens of a chat request", "assumed: worked fleet, file 000", low=1.0, high=1e6),
    "prefix_hit_share": Input(0.0, "%", "Share of the chat prompt served from cache", "assumed: worked fleet, file 000", **FRACTION),
    "tpot_target": Input(
        0.050, "ms", "Target for the time per output token of chat", "assumed: worked fleet, file 000", low=1e-4, high=60.0
    ),
    "tpot_margin": Input(1.0, "x", "Share of the target that batch may use up", "chosen", **SHARE),
    "burst_margin": Input(0.15, "%", "Replicas kept for bursts of chat", ASSUMED, **AT_LEAST_0),
    "kept_floor": Input(4.0, "", "Fewest replicas that chat keeps", "chosen", low=0.0, whole=True),
    "kv_kept_for_chat": Input(0.10, "%", "KV cache kept for bursts of chat", ASSUMED, **FRACTION),
    "batch_prompt_tokens": Input(1000.0, "tok", "Prompt tokens of a batch request", ASSUMED, low=1.0, high=1e7),
    "batch_output_tokens": Input(1000.0, "tok", "Output tokens of a batch request", ASSUMED, low=1.0, high=1e6),
    "batch_demand": Input(4000e6, "Mtok/day", "Batch output wanted", ASSUMED, **AT_LEAST_0),
    "batch_price": Input(1.00e-6, "$/M tok", "Price of batch output", ASSUMED, **AT_LEAST_0),
    "switch_time": Input(0.05, "h", "Time to change a replica over to batch", ASSUMED, **AT_LEAST_0),
    "curve_step": Input(1.0, "h", "Length of a row of the curve", "defined", **POSITIVE),
    "curve_days": Input(1.0, "day", "Length of the curve", "defined", **POSITIVE),
}
FUNCTIONS = (
    quantities(idle_hours, batch_filler, filler_money, mixed_hours, attention_share)
    | CHAT
    | some(offline_memory, "kv_room", "context_decode_time")
    | some(regional_demand, "peak_share", "hours_in_curve")
)
INPUTS = needed(FUNCTIONS, SERVING, REPLICA, TIME, OFFLINE, LOAD)

STUDY = Study(
    name="chat_plus_batch",
    title="Chat and batch: one fleet",
    purpose="How many replica-hours a chat fleet leaves over, what batch can do with them, what binds it, and what it is worth.",
    functions=FUNCTIONS,
    inputs=INPUTS,
    grids=[
        Grid(
            "day",
            "Through the day",
            rows={"hour": Input([float(h) for h in range(24)], "", "Hour", "defined", low=0.0, whole=True)},
            typed={
                "day_curve": Input(OFFICE_DAY, "", "Chat load (any unit)", "illustrative office curve; or counts of requests", **AT_LEAST_0)
            },
            show=[
                "peak_share",
                "hour_need",
                "kept_replicas",
                "released_replicas",
                "mixed_by_memory",
                "mixed_by_tpot",
                "mixed_binding",
                "mixed_rate",
                "mixed_tpot",
                "mixed_compute_use",
            ],
        ),
        Grid(
            "lengths",
            "What binds by length of the output",
            rows={"batch_output_tokens": [100.0, 300.0, 500.0, 625.0, 800.0, 1000.0, 2000.0, 4000.0]},
            show=["filler_rate", "filler_compute_share", "filler_binding", "breakeven_batch_price"],
        ),
    ],
    claims=[
        Claim("carrying_replicas", 34, SPEC),
        Claim("unneeded_share", 0.5467427649131176, SPEC),
        Claim("physical_idle", 0.7053827971935264, SPEC),
        Claim("idle_replica_hours", 446.14209616910404, SPEC),
        Claim("released_hours", 358, SPEC),
        Claim("switches", 30, SPEC),
        Claim("batch_hours", 356.5, SPEC),
        Claim("filler_sequences", 431, SPEC),
        Claim("filler_rate", 9420.46745146253, SPEC),
        Claim("filler_compute_share", 0.7070173439011531, SPEC),
        Claim("compute_elasticity", 0.35350867195057667, SPEC),
        Claim("bandwidth_elasticity", 0.6464913280494233, SPEC),
        Claim("room_elasticity", 0.1615111592363452, SPEC),
        Claim("filler_equal_output", 624.9439730267445, SPEC),
        Claim("filler_capacity", 12090.22792720701e6, SPEC),
        Claim("mixed_capacity", 20590.430752223132e6, SPEC),
        Claim("hours_bound_by_kv", 16, SPEC),
        Claim("hours_bound_by_tpot", 8, SPEC),
        Claim("mixed_highest_use", 0.7490855065687285, SPEC),
        Claim("breakeven_batch_price", 0.29486623589432676e-6, SPEC),
        Claim("chat_only_cost", 3.4188034188034186e-6, SPEC),
        Claim("blended_cost", 1.2776351224400326e-6, SPEC),
        Claim("avoided_replicas", 4.914437264905447, SPEC),
        Claim("filler_revenue", 4000.0, SPEC),
        Claim("release_saving", 3580.0, SPEC),
    ],
    sayings={
        "claim": Saying(
            ("filler_pays", "The chat fleet's idle hours earn {filler_revenue} as batch, {release_saving} if they are released"),
            ("", "The chat fleet's idle hours are worth more released ({release_saving}) than as batch ({filler_revenue})"),
        ),
        "decision": Saying(
            (
                "filler_pays",
                "Fill the idle hours with batch: {filler_served} for {filler_revenue} without a new GPU, and {avoided_replicas:1} "
                "dedicated replicas less. Below {breakeven_batch_price} a replica that is paid by the hour is better released.",
            ),
            (
                "",
                "Release the idle hours: that saves {release_saving}; at {batch_price} batch earns {filler_revenue} and needs "
                "{breakeven_batch_price} to be worth a replica.",
            ),
        ),
        "heading": Saying(("", "{unneeded_share} of the chat fleet is not needed over the day")),
        "idle": Saying(
            (
                "",
                "Its {carrying_replicas} replicas do nothing {physical_idle} of the time. Chat keeps a floor of {kept_floor} and "
                "looks one hour ahead; of replica time {released_hours:0} are released, {batch_hours:1} after the changes between "
                "chat and batch.",
            ),
        ),
        "binds": Saying(
            (
                "compute_binds",
                "On a released replica arithmetic binds: {filler_compute_share} of its limit is reached, and more GPUs are the only cure.",
            ),
            (
                "",
                "On a released replica {filler_sequences} sequences give {filler_rate:0}, {filler_compute_share} of what arithmetic "
                "allows. What takes the larger half is {filler_binding}; the two meet at {filler_equal_output:0} of output. A tenth "
                "more bandwidth is worth {bandwidth_elasticity:0} of that in rate, a tenth more arithmetic {compute_elasticity:0}.",
            ),
        ),
        "meet": Saying(
            (
                "idle_hours_suffice",
                "Chat owns what it keeps and batch owns the rest: {filler_capacity} of capacity against {batch_demand} of demand, so "
                "no hardware is bought and every job ends within a day. Output comes down from {chat_only_cost} to {blended_cost}.",
            ),
            ("", "Idle hours carry {filler_capacity} of the {batch_demand} wanted: {extra_replicas} replicas have to be added."),
        ),
        "mixed": Saying(
            (
                "",
                "With batch inside the chat replicas the bound is {mixed_capacity}: KV cache binds {hours_bound_by_kv} hours and the "
                "TPOT target {hours_bound_by_tpot}. It needs priorities at every step and adds up to {mixed_ttft_longest} to the "
                "first token.",
            ),
        ),
        "once": Saying(
            ("", "Revenue of the hours and the saving of releasing them are alternatives: one or the other is booked, never both."),
        ),
        "stack": Saying(("", "Chat leaves {unneeded_share} of its replica-hours over")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("unneeded_share", "released_hours", "filler_capacity", "filler_revenue", "breakeven_batch_price"),
        argument=("heading", "idle", "binds", "meet", "mixed", "once"),
        derivation=(
            "carrying_replicas",
            "unneeded_share",
            "batch_hours",
            "filler_sequences",
            "filler_rate",
            "filler_capacity",
            "breakeven_batch_price",
            "release_saving",
            "blended_cost",
        ),
        not_counted=("Loads are averages within an hour.", "Batch beside chat leaves out the tail of the time to first token."),
    ),
    charts=[
        Chart(
            "day",
            "stacked",
            title="stack",
            x="hour",
            ys=("kept_replicas", "released_replicas"),
            x_label="Hour of the day",
            y_label="Replicas kept by chat and released",
        )
    ],
    links=links(INPUTS) | {n: n for n in ("request_rate", "prompt_tokens", "output_tokens", "prefix_hit_share", "tpot_target")},
    core=("carrying_replicas", "unneeded_share", "filler_capacity", "filler_revenue", "blended_cost"),
)
