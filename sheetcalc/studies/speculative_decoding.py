"""Speculative decoding on 8 H100s, FP8 weights and KV cache. Source: calculators B (a).

| symbol | name | symbol | name |
|---|---|---|---|
| alpha | acceptance | T0 | plain_step |
| d | acceptance_kept | Tk | draft_step |
| k | draft | E(k) | tokens_per_verification |
| k0, kmax | fixed_draft, the last of draft | D | drafter_pass |
| B, Bpk | bucket, peak_batch | G(B, k) | draft_gain |
| ctx | decode_context | B* | compute_bound_batch |
| Pd, Ld, wd | drafter_params, drafter_layers, drafter_weight_bytes | ctx* | compute_free_context |
| od | drafter_launch | phi | step_overlap |
| tp | gpus_per_replica | tw, tkv | weight_read_time, kv_token_read_time |
| | | cl, ca | token_gemm_time, context_attention_time |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import collectives, decode, memory, prefill, speculation, speculation_cases, step_model
from sheetcalc.studies.worked_inputs import FP8_CACHE, OVERLAP, PLAN_KNOWS, PRICE, STEP_INPUTS
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (a)"
BATCHES = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]
CONTEXTS = [1024.0, 2150.0, 8192.0, 32768.0]
DRAFTS = [float(k) for k in range(9)]

INPUTS = (
    STEP_INPUTS
    | OVERLAP
    | FP8_CACHE
    | PRICE
    | {
        "acceptance": Input(
            0.80, "%", "Chance that a drafted token is accepted", "assumed: measure it with the engine's counters", **FRACTION
        ),
        "acceptance_kept": Input(
            1.0, "%", "Acceptance kept from one position to the next", "assumed: independent acceptances, which is optimistic", **SHARE
        ),
        "fixed_draft": Input(5.0, "tok", "Draft length that is left on all day", "chosen: worked example", low=0.0, high=8.0, whole=True),
        "decode_context": Input(1024.0, "tok", "Context of a running sequence", "assumed: worked example", **POSITIVE),
        "peak_batch": Input(512.0, "", "Batch at the peak", "assumed: worked example", **COUNT),
        "lone_batch": Input(1.0, "", "Batch of the quiet hours", "assumed: worked example", **COUNT),
        "peak_work": Input(10.0, "replica·s/s", "Decode work of the peak without a draft", "assumed: ten busy replicas", **POSITIVE),
        "drafter_params": Input(1.4e9, "Gparam", "Parameters of the drafter", "assumed: worked example", **POSITIVE),
        "drafter_layers": Input(1.0, "", "Layers of the drafter", "assumed: worked example", **COUNT),
        "drafter_weight_bytes": Input(2.0, "B", "Bytes of a drafter weight", "assumed: worked example, BF16", **POSITIVE),
        "drafter_launch": Input(1e-4, "µs", "Launch of a drafter pass", "assumed: worked example", **AT_LEAST_0),
        "gpus_per_replica": Input(8.0, "", "GPUs per replica", "chosen: worked example", low=1.0, high=16.0, whole=True),
    }
)

STUDY = Study(
    name="speculative_decoding",
    title="Speculative decoding: draft length by batch",
    purpose="How long a draft pays at each batch and context, and what it costs to leave one length on all day.",
    functions=quantities(collectives, speculation, speculation_cases)
    | some(prefill, "transfer_per_token")
    | some(memory, "usable_memory", "weights", "weights_per_gpu", "weights_fit", "kv_per_token_layer", "kv_per_token", "kv_shards")
    | some(decode, "reached_bandwidth", "weights_read", "weight_read_time")
    | some(step_model, "kv_read_time", "token_gemm_time", "context_attention_time", "token_compute_time"),
    inputs=INPUTS,
    grids=[
        Grid(
            "drafts",
            "What a draft of each length does",
            rows={"draft": Input(DRAFTS, "tok", "Draft length", "chosen")},
            typed={
                "measured_survival": Input(
                    [None] * 9,
                    "%",
                    "Measured share of drafts accepted to here",
                    "measured: blank, or accepted ÷ drafted by position from the engine's counters; 1 at length 0",
                    **FRACTION,
                )
            },
            show=["draft_survival", "tokens_per_verification", "compute_bound_gain", "compute_bound_batch", "compute_free_context"],
        ),
        Grid(
            "batches",
            "Draft length by batch",
            rows={"bucket": Input(BATCHES, "", "Batch", "chosen", **COUNT)},
            columns="draft",
            typed={"bucket_place": Input([float(n + 1) for n in range(10)], "", "Place in the table", "defined", **COUNT)},
            show=["best_draft", "best_gain", "fixed_gain", "plain_step", "best_draft_tpot", "best_draft_rate", "plain_rate"],
        ),
        Grid(
            "cases",
            "Every batch at every context",
            rows={"case": Input([float(n + 1) for n in range(40)], "", "Case", "defined")},
            columns="draft",
            typed={"bucket": BATCHES * 4, "decode_context": [c for c in CONTEXTS for _ in BATCHES]},
            show=["best_draft", "best_gain", "fixed_gain", "plain_step", "best_draft_tpot", "best_draft_rate"],
        ),
        Grid(
            "map",
            "Batch against context",
            rows={"map_context": Input(CONTEXTS, "tok", "Context", "the contexts of the cases", **POSITIVE)},
            columns="bucket",
            typed={"cases_before": Input([0.0, 10.0, 20.0, 30.0], "", "Cases before this context", "defined")},
            show=["best_draft_map", "best_gain_map", "fixed_gain_map"],
        ),
    ],
    claims=[
        Claim("tokens_per_verification_fixed", 3.68928, SPEC),
        Claim("draft_kv_room", 491450000000.0, SPEC),
        Claim("lone_gain", 2.9663098804528336, SPEC),
        Claim("peak_ratio", 0.660363656903179, SPEC),
        Claim("peak_loss", 0.339636343096821, SPEC),
        Claim("peak_extra_share", 0.5143171335163554, SPEC),
        Claim("compute_bound_gain_fixed", 0.61488, SPEC),
        Claim("turning_batch_plain", 345.5921067645075, SPEC),
        Claim("turning_batch_fixed", 34.18591927994422, SPEC),
        Claim("free_context_plain", 2380.2408561588495, SPEC),
        Claim("free_context_fixed", 25614.13551408524, SPEC),
        Claim(
            "lone_gain",
            3.21,
            SPEC,
            rel=2e-3,
            changes={"bytes_per_weight": 2.0, "bytes_per_kv": 2.0, "peak_compute": 989e12},
            note="BF16 weights and cache, printed to two decimals",
        ),
        Claim(
            "peak_loss",
            0.356,
            SPEC,
            rel=2e-3,
            changes={"bytes_per_weight": 2.0, "bytes_per_kv": 2.0, "peak_compute": 989e12},
            note="BF16 weights and cache, printed to three digits",
        ),
        Claim("peak_loss", 0.243, SPEC, rel=3e-3, changes={"bytes_per_kv": 2.0}, note="FP8 weights, BF16 cache, printed to three digits"),
        Claim("peak_loss", 0.126, SPEC, rel=5e-3, changes={"step_overlap": 0.0}, note="nothing hidden, printed to three digits"),
        Claim("peak_loss", 0.474, SPEC, rel=2e-3, changes={"acceptance": 0.7}, note="printed to three digits"),
    ],
    sayings={
        "headline": Saying(
            ("fixed_pays_at_peak", "A draft of {fixed_draft:0} gains at the peak too: {peak_ratio:0} of the throughput without one"),
            ("", "Set the draft by batch and save {draft_saving_month}: a fixed {fixed_draft:0} costs {peak_loss:0} of the peak"),
        ),
        "decision": Saying(
            (
                "fixed_pays_at_peak",
                "Leave a draft of {fixed_draft:0} on: at a peak batch of {peak_bucket:0} it gives {peak_ratio:0} of the throughput without "
                "one. A controller that sets the length by batch would save {draft_saving_month} more.",
            ),
            (
                "",
                "Pay for a controller that sets the draft length by batch: {peak_replicas_aware} replicas carry the peak instead of "
                "{peak_replicas_fixed}, {draft_gpus_saved} GPUs or {draft_saving_month} less than a fixed draft of {fixed_draft:0}.",
            ),
        ),
        "turn": Saying(
            (
                "plain_turns",
                "With a draft of {fixed_draft:0} compute sets the pace from a batch of {turning_batch_fixed:0} on, without one from "
                "{turning_batch_plain:0} on; there a draft of {fixed_draft:0} delivers at best {compute_bound_gain_fixed:0} of what none "
                "would.",
            ),
            (
                "fixed_turns",
                "With a draft of {fixed_draft:0} compute sets the pace from a batch of {turning_batch_fixed:0} on, and without one never "
                "at a "
                "context of {decode_context:0}.",
            ),
            ("", "At a context of {decode_context:0} compute never sets the pace, with a draft of {fixed_draft:0} or without one."),
        ),
        "context": Saying(
            (
                "",
                "Long contexts move the turn: above {free_context_fixed:0} of context compute never sets the pace with this draft, "
                "because all drafted tokens share one read of the KV cache.",
            )
        ),
        "left_on": Saying(
            ("fixed_pays_at_peak", "Left on all day, the fixed length takes no more GPUs at the peak than no draft."),
            ("", "Left on all day, the fixed length needs {peak_extra_share:0} more GPUs at the peak than no draft."),
        ),
        "gains": Saying(("", "A draft of {fixed_draft:0} makes quiet hours {lone_gain:2} as fast and leaves {peak_ratio:0} of the peak")),
        "lengths": Saying(("", "The best draft shrinks as the batch grows")),
        "measure": Saying(
            (
                "",
                "How much memory and compute hide behind each other ({step_overlap:0} here) moves the loss at the peak most: measure "
                "it first.",
            )
        ),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("draft_saving_month", "draft_gpus_saved", "lone_gain", "peak_loss", "turning_batch_fixed"),
        argument=("turn", "context", "left_on", "measure"),
        derivation=(
            "token_compute_time",
            "kv_read_time",
            "tokens_per_verification_fixed",
            "peak_ratio",
            "peak_replicas_fixed",
            "peak_replicas_aware",
            "draft_saving_month",
        ),
        not_counted=(
            "Acceptances are taken as independent; with a twentieth lost at each position the best length in quiet hours is shorter.",
            "What the controller itself costs to run.",
        ),
    ),
    charts=[
        Chart(
            "gain_by_batch",
            "line",
            title="gains",
            x="bucket",
            ys=("best_gain", "fixed_gain"),
            x_label="batch",
            y_label="gain over no draft, ×",
            log_x=True,
            marks=("turning_batch_fixed",),
        ),
        Chart(
            "length_by_batch", "bars", title="lengths", x="bucket", ys=("best_draft",), x_label="batch", y_label="best draft length, tokens"
        ),
    ],
    links={n: n for n in PLAN_KNOWS if n in INPUTS}
    | {"decode_context": "decode_context", "peak_work": "decode_demand", "peak_batch": "batch"},
    core=("draft_saving", "lone_gain", "peak_loss", "draft_gpus_saved"),
)
