"""A corpus, two passes. Source: calculators C, section f.

| specification | here |
|---|---|
| N, S, Sp, O | items, sent_prompt_tokens, shared_prefix_tokens, answer_tokens |
| t_dc / t_pf | output_to_input |
| kappa, O* | context_decode_time, equal_output |
| GPUh_prefill, GPUh_decode | prefill_gpu_hours, decode_gpu_hours |
| e, e* | escalated_share, cascade_limit |
| dup, trim, k labels | duplicate_share, prompt_trim, labels |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, Grid, Input, quantities, some
from sheetcalc.quantities import attention_share, corpus, offline_job, offline_memory
from sheetcalc.studies.worked_replica import ARITHMETIC, CACHE, FLAG, OFFLINE, REPLICA, TIME, links
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section f"
ASSUMED = "assumed: worked example of " + SPEC
JOB = {
    "items": Input(50e6, "", "Documents", ASSUMED, **POSITIVE),
    "sent_prompt_tokens": Input(1200.0, "tok", "Prompt tokens of a document, instructions included", ASSUMED, low=1.0, high=1e7),
    "shared_prefix_tokens": Input(200.0, "tok", "Instructions among them", ASSUMED, **AT_LEAST_0),
    "answer_tokens": Input(60.0, "tok", "Output tokens of a document", ASSUMED, low=1.0, high=1e6),
    "chat_batch": Input(16.0, "", "Batch of a chat fleet, for comparison", "chosen: one of the table", **COUNT),
    "labels": Input(4.0, "", "Labels wanted of each document", ASSUMED, low=1.0, high=8.0, whole=True),
    "escalated_share": Input(0.20, "%", "Documents that the small model passes on", ASSUMED, **FRACTION),
    "kept_accuracy": Input(0.97, "%", "Accuracy of what the small model keeps", ASSUMED, **FRACTION),
    "large_accuracy": Input(0.95, "%", "Accuracy of the large model", ASSUMED, **FRACTION),
    "batch_input_price": Input(0.30e-6, "$/M tok", "Batch API, input", ASSUMED, **AT_LEAST_0),
    "batch_output_price": Input(0.60e-6, "$/M tok", "Batch API, output", ASSUMED, **AT_LEAST_0),
}
COPIES = {"prefix_kv_shared": OFFLINE["prefix_kv_shared"]._replace(value=0.0, source="chosen: each sequence keeps its own, the safe side")}
INPUTS = REPLICA | {"seconds_per_hour": TIME["seconds_per_hour"]} | OFFLINE | COPIES | JOB
INPUTS["attention_on"] = INPUTS["attention_on"]._replace(source="chosen: calculators C, section 0.1, left out")
PLACES = [float(i) for i in range(1, 7)]

STUDY = Study(
    name="corpus_passes",
    title="Corpus passes: which of the two is the bill",
    purpose="What it costs to read a corpus with a model, which of the two passes is the bill, what cuts it, and whether to buy it "
    "instead.",
    functions=(
        quantities(offline_memory, corpus, attention_share)
        | ARITHMETIC
        | CACHE
        | some(
            offline_job,
            "expected_tokens",
            "draft_burden",
            "offline_decode_memory",
            "offline_decode_compute",
            "offline_decode",
            "offline_request",
            "offline_prefill_share",
            "preemption_loss",
            "offline_requests",
            "offline_replica_hours",
            "offline_gpu_hours",
            "prefill_gpu_hours",
            "decode_gpu_hours",
            "offline_cost",
        )
    ),
    inputs=INPUTS,
    grids=[
        Grid(
            "cuts",
            "Cuts, each alone",
            rows={"cut": Input(PLACES, "", "Number", "order of the table", **COUNT)},
            typed={
                "cut_name": Input(
                    [
                        "Small model before the large one",
                        "Documents 25% shorter",
                        "Instructions cached",
                        "Duplicates dropped (8%)",
                        "Half the output",
                        "KV cache in FP8",
                    ],
                    "",
                    "Cut",
                    SPEC,
                ),
                "cut_is_cascade": Input([1.0] + [0.0] * 5, "", "Is the cascade (1 = yes)", "defined", **FLAG),
                "prompt_trim": [None, 0.25, None, None, None, None],
                "shared_prefix_hit_share": [None, None, 1.0, None, None, None],
                "duplicate_share": [None, None, None, 0.08, None, None],
                "output_scale": [None, None, None, None, 0.5, None],
                "bytes_per_kv": [None, None, None, None, None, 1.0],
            },
            show=["cut_cost", "cut_saving", "offline_cost"],
        ),
        Grid(
            "ranking",
            "Cuts, ranked",
            rows={"cut_place": Input(PLACES, "", "Rank", "order of the table", **COUNT)},
            show=["ranked_cut_name", "ranked_cut_saving"],
        ),
        Grid(
            "sizes",
            "Large and small model",
            rows={},
            columns={"model_size": Input([1.0, 2.0], "", "Number", "order of the table", **COUNT)},
            typed={
                "model_size_name": Input(["Large", "Small (Llama 3.1 8B)"], "", "Model", "Llama 3.1 8B configuration"),
                "params": [None, 8.03e9],
                "active_params": [None, 8.03e9],
                "layers": [None, 32.0],
                "kv_layers": [None, 32.0],
                "gpus_per_replica": [None, 1.0],
                "query_heads": [None, 32.0],
                "hidden": [None, 4096.0],
            },
            show=["offline_cost", "offline_batch", "output_to_input", "prefill_gpu_hours", "decode_gpu_hours"],
        ),
        Grid(
            "batches",
            "What an output token costs by batch",
            rows={"max_batch": [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0]},
            show=["output_to_input", "offline_cost", "offline_prefill_share", "decode_gpu_hours"],
        ),
        Grid("labels", "Labels in one pass", rows={"output_scale": [float(i) for i in range(1, 9)]}, show=["offline_cost"]),
        Grid(
            "outputs",
            "Both passes by output",
            rows={"answer_tokens": [15.0, 30.0, 60.0, 120.0, 240.0, 480.0, 646.0, 800.0, 1000.0, 1200.0]},
            show=["decode_gpu_hours"],
        ),
    ],
    claims=[
        Claim("offline_batch", 525, SPEC),
        Claim("output_to_input", 1.500038757822376, SPEC),
        Claim("chat_ratio", 13.432175692198117, SPEC),
        Claim("prefill_gpu_hours", 2501.7065148976535, SPEC),
        Claim("decode_gpu_hours", 187.63283665216107, SPEC),
        Claim("offline_prefill_share", 0.9302308812221739, SPEC),
        Claim("offline_cost", 6723.348378874536, SPEC),
        Claim("chat_batch_cost", 10454.686467046875, SPEC),
        Claim("equal_output", 646.2208693899897, SPEC),
        Claim("equal_output_limit", 820.2214577379707, SPEC),
        Claim("small_model_cost", 870.6406662534325, SPEC),
        Claim("cascade_limit", 0.8705049006549956, SPEC),
        Claim("cascade_accuracy", 0.966, SPEC),
        Claim("best_cut_saving", 4508.0380368461965, SPEC),
        Claim("separate_labels_cost", 26893.393515498145, SPEC),
        Claim("one_pass_cost", 8268.097582102671, SPEC),
        Claim("one_pass_share", 0.6925602721970388, SPEC),
        Claim("batch_api_cost", 19800.0, SPEC),
        Claim("make_saving", 13076.651621125464, SPEC),
    ],
    sayings={
        "claim": Saying(
            ("make_pays", "Reading the corpus costs {offline_cost} on own GPUs against {batch_api_cost} at the batch API"),
            ("", "Reading the corpus costs {batch_api_cost} at the batch API, {buy_saving} less than on own GPUs"),
        ),
        "decision": Saying(
            (
                "make_pays",
                "Run it on own GPUs and budget {offline_cost}, {make_saving} below the batch API. First cut: {best_cut_name}, which "
                "saves {best_cut_saving}.",
            ),
            ("", "Buy it at the batch API for {batch_api_cost}; on own GPUs it would take {offline_cost}."),
        ),
        "heading": Saying(("", "Offline, an output token costs {output_to_input:2} an input token")),
        "passes": Saying(
            (
                "prefill_is_the_bill",
                "Prefill is the bill: {prefill_gpu_hours:0} of GPU time against {decode_gpu_hours:0} of decode, "
                "{offline_prefill_share} of it. Below {equal_output:0} of output it stays so.",
            ),
            (
                "",
                "Decode is the bill: {decode_gpu_hours:0} of GPU time against {prefill_gpu_hours:0} of prefill; below "
                "{equal_output:0} of output it would be prefill.",
            ),
        ),
        "ratio": Saying(
            (
                "",
                "At the batch of a chat fleet an output token costs {chat_ratio:2} an input token, and the job would cost "
                "{chat_batch_cost}.",
            ),
        ),
        "cascade": Saying(
            (
                "cascade_pays",
                "A small model first costs {cascade_cost} and pays up to {cascade_limit} escalated; its accuracy is {cascade_accuracy} "
                "against {large_accuracy} for the large model alone.",
            ),
            ("", "A small model first does not pay: {escalated_share} are escalated, and it pays up to {cascade_limit}."),
        ),
        "labels": Saying(
            ("", "{labels} labels asked in one pass cost {one_pass_cost} instead of {separate_labels_cost}: the prompt is read once."),
        ),
        "once": Saying(
            ("", "The cuts are compared one at a time; their savings are not added, for most of them save the same prefill."),
        ),
        "crossing": Saying(("", "Both passes cost the same at {equal_output:0} of output")),
        "ranked": Saying(("", "Alone, this cut saves most: {best_cut_name}, {best_cut_saving}")),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("offline_cost", "batch_api_cost", "offline_prefill_share", "output_to_input", "equal_output"),
        argument=("heading", "passes", "ratio", "cascade", "labels", "once"),
        derivation=(
            "offline_batch",
            "prefill_gpu_hours",
            "decode_gpu_hours",
            "offline_cost",
            "equal_output_memory",
            "cascade_limit",
            "batch_api_cost",
        ),
        not_counted=(
            "Errors that the small model keeps are not priced; the accuracies are to be measured.",
            "The output at which both passes meet takes a batch that need not be whole.",
        ),
    ),
    charts=[
        Chart(
            "crossing",
            "line",
            title="crossing",
            x="outputs_answer_tokens",
            ys=("prefill_gpu_hours", "outputs_decode_gpu_hours"),
            marks=("equal_output",),
            x_label="Output tokens of a document",
            y_label="GPU-hours",
        ),
        Chart("ranked", "bars", title="ranked", x="ranked_cut_name", ys=("ranked_cut_saving",), y_label="saved alone, $"),
    ],
    links=links(INPUTS),
    core=("offline_cost", "batch_api_cost", "offline_prefill_share", "equal_output", "one_pass_cost"),
)
