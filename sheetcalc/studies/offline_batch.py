"""A batch job with a deadline. Source: calculators C, section a.

| specification | here |
|---|---|
| N, S, Sp, O, D | items, sent_prompt_tokens, shared_prefix_tokens, answer_tokens, deadline |
| h, n_prefix, phi | shared_prefix_hit_share, resident_prefixes, phase_overlap |
| gamma, alpha, c_d | draft_length, acceptance, draft_cost |
| util, price_mult, lambda | offline_utilization, price_multiplier, preemption_rate |
| B, M, Cd, Cp, w | offline_batch, offline_decode_memory, offline_decode_compute, prefill_request_time, offline_request |
| rep_h, R, finish, cost | offline_replica_hours, offline_replicas, offline_finish, offline_cost |
| phi* | speculation_turning_overlap |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, Grid, Input, quantities
from sheetcalc.quantities import attention_share, offline_job, offline_levers, offline_memory
from sheetcalc.studies.worked_replica import ARITHMETIC, CACHE, FLAG, OFFLINE, REPLICA, TIME, links
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section a"
ASSUMED = "assumed: worked example of " + SPEC
JOB = {
    "items": Input(10e6, "", "Requests", ASSUMED, **POSITIVE),
    "sent_prompt_tokens": Input(4000.0, "tok", "Prompt tokens of a request", ASSUMED, low=1.0, high=1e7),
    "shared_prefix_tokens": Input(2000.0, "tok", "Tokens of it that many requests share", ASSUMED, **AT_LEAST_0),
    "answer_tokens": Input(256.0, "tok", "Output tokens of a request", ASSUMED, low=1.0, high=1e6),
    "deadline": Input(24.0, "h", "Deadline", ASSUMED, **POSITIVE),
    "thousand": Input(1000.0, "", "Requests that a price is quoted for", "chosen", **COUNT),
    "one_hour": Input(1.0, "h", "Time that is billed once started", "chosen", **POSITIVE),
    "tried_draft": Input(3.0, "tok", "Draft length that is tried", "chosen: one of the table", low=1.0, high=4.0, whole=True),
}


def only(values: dict[int, float]) -> list[float | None]:
    """A column that is blank but in some rows."""
    return [values.get(i) for i in range(1, 12)]


LEVERS = {
    "shared_prefix_hit_share": only({1: 0.99, 2: 0.60}),
    "price_multiplier": only({3: 0.5}),
    "preemption_rate": only({3: 0.05}),
    "prompt_trim": only({4: 0.4}),
    "phase_overlap": only({5: 0.5}),
    "bytes_per_kv": only({6: 1.0, 8: 1.0}),
    "output_scale": only({7: 0.75}),
    "bytes_per_weight": only({8: 0.5625}),
    "peak_compute": only({8: 9e15}),
    "bandwidth": only({8: 8e12}),
    "hbm": only({8: 180e9}),
    "gpu_hour_price": only({8: 5.0}),
    "gpus_per_replica": only({8: 2.0, 9: 2.0}),
    "mfu": only({9: 0.55}),
    "draft_length": only({10: 3.0}),
    "deadline": only({11: 72.0}),
}
LEVER_NAMES = [
    "Prefix cache, sorted by prefix (99% hit)",
    "Prefix cache, order of arrival (60% hit)",
    "Spot at half price, one preemption in 20 h",
    "Prompt 20% shorter",
    "Half of decode hidden under prefill",
    "KV cache in FP8",
    "Output 25% shorter",
    "FP4 weights on two B200 (quality gate)",
    "Two GPUs a replica, MFU 0.55",
    "Speculation, three drafted tokens",
    "Deadline 72 h instead of 24 h",
]
LEVER_KINDS = [
    "prefix cache",
    "prefix cache",
    "price",
    "prompt",
    "overlap",
    "hardware and precision",
    "output",
    "hardware and precision",
    "hardware and precision",
    "speculation",
    "deadline",
]
INPUTS = REPLICA | {n: i for n, i in TIME.items() if n == "seconds_per_hour"} | OFFLINE | JOB
PLACES = [float(i) for i in range(1, 12)]
STACKED = {f"stacked_{n}": offline_levers.stacked(n, INPUTS[n].label, INPUTS[n].unit) for n in LEVERS}

STUDY = Study(
    name="offline_batch",
    title="Offline batch: a job with a deadline",
    purpose="The smallest fleet that finishes a job in time, what its bill is, and which levers are worth how much.",
    functions=quantities(offline_memory, offline_job, offline_levers, attention_share) | ARITHMETIC | CACHE | STACKED,
    inputs=INPUTS,
    grids=[
        Grid(
            "levers",
            "Levers, each alone",
            rows={"lever": Input(PLACES, "", "Number", "order of the table", **COUNT)},
            typed={
                "lever_name": Input(LEVER_NAMES, "", "Lever", SPEC),
                "lever_kind": Input(LEVER_KINDS, "", "Changes", "chosen: levers of one kind are alternatives"),
                "lever_may_stack": Input([1.0] * 9 + [0.0, 1.0], "", "May be stacked (1 = yes)", "chosen: speculation never", **FLAG),
            }
            | LEVERS,
            show=["lever_saving", "offline_cost", "offline_batch", "offline_replicas", "offline_gpus", "offline_prefill_share"],
        ),
        Grid(
            "stack",
            "Levers, ranked and stacked",
            rows={"place": Input(PLACES, "", "Rank", "order of the table", **COUNT)},
            typed={n: f"stacked_{n}" for n in LEVERS},
            show=[
                "ranked_name",
                "ranked_saving",
                "waterfall_bill",
                "stacked_saving",
                "offline_cost",
                "offline_batch",
                "offline_gpus",
                "offline_request",
            ],
        ),
        Grid(
            "knobs",
            "The knobs of a chat fleet, turned one after the other",
            rows={"knob": Input(PLACES[:6], "", "Knob", "order of the table", **COUNT)},
            typed={
                "knob_name": Input(["As in chat", "Utilization", "Batch", "Price type", "Deadline", "Speculation"], "", "Knob", SPEC),
                "knob_chat": Input(
                    ["", "65%, for the tail", "64, for TPOT", "on demand", "none: people wait", "on, for TPOT"], "", "In chat", SPEC
                ),
                "knob_offline": Input(["", "95%", "all that fits", "spot", "as long as allowed", "by its sign"], "", "Offline", SPEC),
                "offline_utilization": [0.65, None, None, None, None, None],
                "max_batch": [64.0, 64.0, None, None, None, None],
                "price_multiplier": [None, None, None, 0.5, 0.5, 0.5],
                "preemption_rate": [None, None, None, 0.05, 0.05, 0.05],
                "deadline": [None, None, None, None, 72.0, 72.0],
                "draft_length": [None, None, None, None, None, 3.0],
            },
            show=["offline_cost", "offline_replicas", "knob_saving"],
        ),
        Grid(
            "speculation",
            "Bill by draft length and overlap",
            rows={"draft_length": [0.0, 1.0, 2.0, 3.0, 4.0]},
            columns={"phase_overlap": [0.0, 0.25, 0.5, 0.75, 1.0]},
            show=["offline_cost"],
        ),
        Grid(
            "deadlines",
            "The deadline sets the fleet, not the bill",
            rows={"deadline": [6.0, 12.0, 24.0, 48.0, 72.0, 168.0]},
            show=["offline_replicas", "offline_finish", "offline_cost_by_hour"],
        ),
    ],
    claims=[
        Claim("offline_batch", 156, SPEC),
        Claim("prefill_request_time", 0.14259727134916625, SPEC),
        Claim("offline_decode", 0.04597573106610537, SPEC),
        Claim("offline_request", 0.1885730024152716, SPEC),
        Claim("offline_step", 0.02801646111840796, SPEC),
        Claim("offline_prefill_share", 0.7561913398140708, SPEC),
        Claim("offline_replica_hours", 551.3830479978702, SPEC),
        Claim("offline_replicas", 23, SPEC),
        Claim("offline_gpus", 92, SPEC),
        Claim("offline_finish", 23.9731759999074, SPEC),
        Claim("offline_cost", 5513.830479978702, SPEC),
        Claim("cost_per_thousand", 0.5513830479978702, SPEC),
        Claim("chat_knob_cost", 8766.357593651916, SPEC),
        Claim("chat_knob_replicas", 37, SPEC),
        Claim("chat_knob_excess", 3252.5271136732135, SPEC),
        Claim("serial_speculation_saving", 733.9889605098506, SPEC),
        Claim("hidden_speculation_saving", -217.75612017553613, SPEC),
        Claim("speculation_turning_overlap", 0.7712033142123289, SPEC),
        Claim("best_lever_saving", 3199.6293686175363, SPEC),
        Claim("stacked_cost", 371.36059255770317, SPEC),
        Claim("offline_replicas", 8, SPEC, changes={"deadline": 72.0}),
    ],
    sayings={
        "claim": Saying(("", "The job costs {offline_cost}, and its levers together bring it down to {stacked_cost}")),
        "decision": Saying(
            (
                "",
                "Run it on {offline_gpus} GPUs for {offline_cost} ({cost_per_thousand} per 1,000 requests), done after "
                "{offline_finish}. Pull {best_lever_name} first: it saves {best_lever_saving} alone. The whole stack leaves "
                "{stacked_cost}.",
            ),
        ),
        "heading": Saying(("", "The deadline sets the fleet, not the bill")),
        "bill": Saying(
            ("", "Prefill is {offline_prefill_share} of the work. A longer deadline needs fewer replicas for the same GPU-hours."),
        ),
        "knobs": Saying(
            (
                "",
                "The knobs point the other way than in chat: with the batch and utilization of a chat fleet the same job costs "
                "{chat_knob_cost} on {chat_knob_replicas} replicas, {chat_knob_excess} more.",
            ),
        ),
        "stack": Saying(
            (
                "",
                "Savings do not add: alone the stacked levers promise {sum_of_single_savings}, together they save "
                "{stack_total_saving}. They are stacked from the largest, each changes one thing once, and two levers of one kind "
                "(two hit shares of the same cache, say) are the same saving and count once.",
            ),
        ),
        "speculation": Saying(
            (
                "speculation_turns",
                "Speculation is decided by its sign, not by habit: it saves {serial_speculation_saving} with phases one after the "
                "other and {hidden_speculation_saving} once decode hides under prefill; the sign turns at an overlap of "
                "{speculation_turning_overlap}, and a saving below zero is a loss. It is never stacked.",
            ),
            ("speculation_saves", "Speculation saves {speculation_saving_here} here, whatever the overlap. It is never stacked."),
            ("", "Speculation does not save here: its saving is {speculation_saving_here}. It is never stacked."),
        ),
        "waterfall": Saying(
            ("", "Stacked without counting anything twice, the levers bring the bill from {offline_cost} to {stacked_cost}"),
        ),
        "ranked": Saying(("", "Alone, {best_lever_name} saves most: {best_lever_saving}")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("offline_cost", "cost_per_thousand", "offline_gpus", "offline_finish", "stacked_cost"),
        argument=("heading", "bill", "knobs", "stack", "speculation"),
        derivation=(
            "offline_batch",
            "prefill_request_time",
            "offline_request",
            "offline_replica_hours",
            "offline_replicas",
            "offline_cost",
        ),
        not_counted=(
            "Sequences longer than their mean context, which lower the batch.",
            "Stragglers of the last wave.",
            "Attention arithmetic, unless it is switched on.",
            "The figures and prices of B200 are illustrative.",
        ),
    ),
    charts=[
        Chart("ranked", "bars", title="ranked", x="ranked_name", ys=("ranked_saving",), y_label="saved alone, $"),
        Chart(
            "waterfall",
            "waterfall",
            title="waterfall",
            x="ranked_name",
            ys=("stacked_saving",),
            marks=("offline_cost", "stacked_cost"),
            y_label="bill of the job, and what each lever saves on top of those above it, $",
        ),
    ],
    links=links(INPUTS),
    core=("offline_cost", "offline_gpus", "offline_finish", "offline_prefill_share", "stacked_cost"),
)
