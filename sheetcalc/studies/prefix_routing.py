"""Requests that share prefixes, routed home or anywhere. Source: calculators C, section b.

| specification | here |
|---|---|
| lambda, S, Sp, O | request_rate, prompt_tokens, shared_prefix_tokens, output_tokens |
| G, s, p, cv² | prefixes, prefix_zipf, hot_share, service_variability |
| K, H | prefix_slots, held_mass |
| h_rand, h_aff | random_hit_share, affinity_hit_share |
| theta | spill_tokens, spill_gpu_time, spill_wall_time |
| p*, a_hot, homes | home_share, hot_load, hot_homes |
| P, h_eff, R_final | everyday_spill, settled_hit_share, settled_fleet |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, Grid, Input, quantities, some
from sheetcalc.quantities import attention_share, offline_memory, prefix_homes, prefix_spill
from sheetcalc.studies.worked_replica import CHAT, REPLICA, SERVING, TIME, links, needed
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section b"
ASSUMED = "assumed: worked example of " + SPEC
LOAD = {
    "request_rate": Input(200.0, "req/s", "Requests per second at the peak", ASSUMED, **POSITIVE),
    "prompt_tokens": Input(2500.0, "tok", "Prompt tokens of a request", ASSUMED, low=1.0, high=1e7),
    "shared_prefix_tokens": Input(2000.0, "tok", "Tokens of it that requests of one kind share", ASSUMED, low=1.0, high=1e7),
    "output_tokens": Input(300.0, "tok", "Output tokens of a request", ASSUMED, low=1.0, high=1e6),
    "prefix_hit_share": Input(0.0, "%", "Share of the prompt that another cache serves", "chosen: none", **FRACTION),
    "prefixes": Input(4000.0, "", "Different prefixes", ASSUMED, low=10.0, high=1e9, whole=True),
    "prefix_zipf": Input(0.3, "", "Steepness of their popularity (Zipf)", ASSUMED, low=0.0, high=2.0),
    "hot_share": Input(0.25, "%", "Requests with the prefix of the largest customer", ASSUMED, **FRACTION),
    "service_variability": Input(1.0, "", "Squared coefficient of variation of the service", "assumed: exponential", **AT_LEAST_0),
    "tail_start": Input(10.0, "", "Prefix from which the closed form counts", f"{SPEC}: nine terms one by one", **COUNT),
    "euler_maclaurin": Input(12.0, "", "Divisor of the first correction", "Euler-Maclaurin formula: B2 / 2! = 1/12", **POSITIVE),
}
FUNCTIONS = quantities(prefix_homes, prefix_spill, attention_share) | CHAT | some(offline_memory, "kv_room")
INPUTS = needed(FUNCTIONS, SERVING, REPLICA, TIME, LOAD)

STUDY = Study(
    name="prefix_routing",
    title="Prefix routing: home or anywhere",
    purpose="How many replicas a router saves that sends each prefix home, when it should spill, and how many homes a hot prefix needs.",
    functions=FUNCTIONS,
    inputs=INPUTS,
    grids=[
        Grid(
            "head",
            "Most popular prefixes",
            rows={"head_rank": Input([float(i) for i in range(1, 10)], "", "Place", "order of popularity", **COUNT)},
            show=["head_weight"],
        ),
        Grid(
            "tried",
            "Replicas tried",
            rows={"tried_replicas": Input([float(i) for i in range(1, 201)], "", "Replicas", "table", **COUNT)},
            show=["prefixes_held", "tried_hit_share", "tried_need"],
        ),
        Grid(
            "popularity",
            "Random routing by steepness",
            rows={"prefix_zipf": [0.0, 0.3, 0.6, 0.9, 1.0, 1.2, 1.5, 2.0]},
            show=["random_hit_share", "random_fleet"],
        ),
        Grid("popularity_head", "Most popular prefixes by steepness", rows="head_rank", columns="popularity_prefix_zipf"),
        Grid(
            "queues",
            "Stay or spill",
            rows={"queue_ahead": Input([i / 100 for i in range(0, 31, 2)], "ms", "Queue at home, beyond the other", "table", **AT_LEAST_0)},
            show=["stay_pays"],
        ),
    ],
    claims=[
        Claim("prefix_slots", 281, SPEC),
        Claim("random_hit_share", 0.15439943435391676, SPEC, rel=1e-6, note="closed form of the sum: off by less than 9e-7"),
        Claim("affinity_hit_share", 1.0, SPEC),
        Claim("carrying_replicas", 41, SPEC),
        Claim("random_fleet", 38, SPEC),
        Claim("affinity_fleet", 19, SPEC),
        Claim("settled_fleet", 20, SPEC),
        Claim("everyday_spill", 0.024045278542945754, SPEC),
        Claim("spill_tokens", 2000, SPEC),
        Claim("spill_gpu_time", 0.07129863567458312, SPEC),
        Claim("spill_wall_time", 0.12870730625144503, SPEC),
        Claim("home_share", 0.05398805085937455, SPEC),
        Claim("hot_load", 3.0099252966785577, SPEC),
        Claim("hot_homes", 5, SPEC),
        Claim("first_spill", 0.06403586564343286, SPEC),
        Claim("hot_spilled", 0.7840477965625018, SPEC),
        Claim("worst_fleet", 24, SPEC),
        Claim("hot_copies", 3.2768e9, SPEC),
        Claim("router_saving", 131400.0, SPEC),
        Claim("affinity_ratio", 0.5263157894736842, SPEC),
    ],
    sayings={
        "claim": Saying(
            ("affinity_saves", "Sending each prefix home saves {router_saving}: {settled_fleet} replicas instead of {random_fleet}"),
            ("", "Sending each prefix home saves nothing here: random routing already hits {random_hit_share}"),
        ),
        "decision": Saying(
            (
                "affinity_saves",
                "Build the router: it is worth {router_saving} at this load. Spill a request once {spill_tokens:0} of uncached prompt "
                "wait at home, and give the largest customer {hot_homes} homes.",
            ),
            (
                "",
                "Do not build the router for its saving: random routing needs {random_fleet} replicas and affinity with spill "
                "{settled_fleet}.",
            ),
        ),
        "fleets": Saying(
            ("", "{carrying_replicas} replicas without cache, {random_fleet} with random routing, {settled_fleet} with prefixes at home"),
        ),
        "heading": Saying(("", "What a router saves depends on how even the prefixes are")),
        "why": Saying(
            (
                "",
                "A replica holds {prefix_slots} of {prefixes} prefixes. Routed anywhere it hits {random_hit_share}; routed home the "
                "fleet hits {affinity_hit_share}. Without cache {carrying_replicas} replicas are needed, with random routing "
                "{random_fleet}, with affinity {affinity_fleet}, with everyday spill {settled_fleet}.",
            ),
        ),
        "spill": Saying(
            (
                "",
                "The threshold is the prefix itself: a queue of {spill_tokens:0} of uncached prompt, {spill_gpu_time} of GPU time or "
                "{spill_wall_time} on the clock. Beyond it, working out the prefix elsewhere is quicker than waiting.",
            ),
        ),
        "hot": Saying(
            ("home_holds_hot", "The largest customer fits one home, which carries up to {home_share} of all requests."),
            (
                "",
                "The largest customer sends {hot_share} of all requests and one home carries {home_share}: it needs {hot_homes} homes "
                "({hot_copies} of copies). With one, {hot_spilled} of its traffic would spill; if every such spill missed, "
                "{worst_fleet} replicas.",
            ),
        ),
        "fails": Saying(
            (
                "",
                "The claim depends on many prefixes of even popularity and a long shared part. With a steep popularity random routing "
                "already hits ({steep_hit_share} at a steepness of {steepest}), needs {steep_fleet} replicas, and the saving shrinks. "
                "The random hit share is that of a perfect cache, so the saving is on the safe side.",
            ),
        ),
        "once": Saying(
            ("", "The saving is prefill that is not repeated. A prefix cache in another study saves the same prefill: count it once."),
        ),
        "crossing": Saying(("", "Waiting at home is quicker up to a queue of {spill_wall_time}")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("router_saving", "random_fleet", "settled_fleet", "spill_wall_time", "hot_homes"),
        argument=("heading", "why", "spill", "hot", "fails", "once"),
        derivation=(
            "prefix_slots",
            "random_fleet",
            "spill_gpu_time",
            "spill_wall_time",
            "hot_load",
            "hot_homes",
            "settled_fleet",
            "router_saving",
        ),
        not_counted=(
            "The chance to spill is exact for exponential service only.",
            "A spilled copy stays warm, which helps.",
            "A spill also loads the other replica, which the threshold leaves out.",
        ),
    ),
    charts=[
        Chart(
            "fleets",
            "bars",
            title="fleets",
            ys=("uncached_fleet", "random_fleet", "affinity_fleet", "settled_fleet", "worst_fleet"),
            y_label="Replicas",
        ),
        Chart(
            "crossing",
            "line",
            title="crossing",
            x="queue_ahead",
            ys=("queue_ahead", "spill_wall_time"),
            marks=("spill_wall_time",),
            x_label="Queue at home beyond the other",
            y_label="Added wait, at home and when spilled",
        ),
    ],
    links=links(INPUTS) | {n: n for n in ("request_rate", "prompt_tokens", "output_tokens")},
    core=("router_saving", "random_fleet", "settled_fleet", "spill_wall_time", "hot_homes"),
)
