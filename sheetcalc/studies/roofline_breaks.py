"""The roofline in twenty lines, and the sixteen places where it breaks. Source: calculators A (a).

| symbol | name | symbol | name |
|---|---|---|---|
| t_pre | ttft_compute | w | line_work |
| α, β, γ | weight_read_time, kv_read_time, sequence_compute_time | B* | ridge_batch |
| step(B) | line_step | φ | line_prompt_share |
| h, a | overhead, all_reduce_time | N_mem | resident_sequences |

Host time, all-reduce latency and bus rate are placeholders to be measured; that is the point of the list. Utilizations stay the textbook's
when the plan is linked: fitted ones have these losses inside, and counting them here again would be twice.
"""

from sheetcalc.model import AT_LEAST_0, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import decode, kv_tiers, memory, prefill, queueing, roofline, roofline_backtest, roofline_breaks, step_model
from sheetcalc.studies import published_rows
from sheetcalc.studies.worked_replica import ARITHMETIC, CACHE, REPLICA
from sheetcalc.study import Chart, Claim, Listing, Saying, Story, Study

SPEC = "calculators A (a)"
WORKED = "quoted: worked fleet answer (200 req/s, 70B on 4 H100)"
PLACEHOLDER = f"assumed: {SPEC}, placeholder to be measured"
LIMIT = f"chosen: {SPEC}, threshold"
KERNEL = (
    ARITHMETIC
    | CACHE
    | some(memory, "resident_context", "kv_held_per_sequence", "resident_sequences_exact", "resident_sequences", "batch_fits")
    | some(prefill, "ttft_compute")
    | some(decode, "expert_coverage", "weights_read", "weight_read_time", "memory_time", "compute_time", "all_reduce_time", "overhead")
    | some(step_model, "kv_read_time")
    | some(kv_tiers, "attention_curve")
    | some(queueing, "late_share")
)


def _limit(value, unit, label):
    return Input(value, unit, f"{label}: threshold", LIMIT, **AT_LEAST_0)


LIMITS = {
    "host_share_limit": _limit(0.10, "%", "B01 host time"),
    "reduce_share_limit": _limit(0.10, "%", "B02 all-reduces in a step"),
    "prefill_reduce_limit": _limit(0.25, "%", "B03 all-reduces in prefill"),
    "implied_gemm_limit": _limit(0.75, "%", "B04 implied utilization"),
    "attention_part_limit": _limit(0.10, "%", "B05 attention"),
    "chunk_ratio_limit": _limit(2.0, "x", "B06 chunk"),
    "ridge_use_limit": _limit(1.0, "x", "B07 batch against the ridge"),
    "interference_limit": _limit(1.25, "x", "B08 stretch of decode"),
    "batch_ratio_limit": _limit(1.5, "x", "B09 planned batch"),
    "context_bias_limit": _limit(1.05, "x", "B10 context"),
    "block_waste_limit": _limit(0.04, "%", "B11 blocks"),
    "overflow_chance_limit": _limit(0.001, "%", "B12 preemption"),
    "wait_ratio_limit": _limit(3.0, "", "B13 wait, in prefill times"),
    "expert_excess_limit": _limit(1.05, "x", "B14 experts"),
    "clock_ratio_limit": _limit(0.95, "%", "B15 clock"),
    "kv_copies_limit": _limit(1.0, "x", "B16 KV heads"),
}
INPUTS = (
    {name: given for name, given in REPLICA.items() if name not in ("attention_peak", "attention_on", "long_prompt")}
    | {
        "attention_peak": Input(
            1979e12, "TFLOP/s", "Peak compute in the attention format", f"quoted: {SPEC} takes the FP8 peak for attention too", **POSITIVE
        ),
        "attention_on": Input(1.0, "", "Count attention arithmetic (1) or not (0)", f"quoted: {SPEC}", low=0.0, high=1.0, whole=True),
        "expert_params": Input(0.0, "Gparam", "Parameters in experts", "quoted: dense model", **AT_LEAST_0),
        "experts_per_token": Input(0.0, "", "Experts per token", "quoted: dense model", low=0.0, whole=True),
        "kv_allocator": Input(
            "exact",
            "",
            "Pages of window layers: exact (no more than the window) or uniform pages",
            "quoted: dense model",
            choices=("exact", "uniform pages"),
        ),
        "residency_rule": Input(
            "mean",
            "",
            "Residency: mean (prompt and half the output) or reserved (prompt and all of it)",
            f"quoted: {SPEC}",
            choices=("mean", "reserved"),
        ),
        "request_rate": Input(200.0, "req/s", "Requests at the peak", WORKED, **POSITIVE),
        "replica_rate": Input(200 / 34, "req/s", "Requests that a replica gets", f"{WORKED}, 200 over 34 replicas", **POSITIVE),
        "prompt_tokens": Input(2000.0, "tok", "Prompt", WORKED, **POSITIVE),
        "output_tokens": Input(300.0, "tok", "Answer", WORKED, **POSITIVE),
        "prefix_hit_share": Input(0.0, "%", "Share of the prompt served from cache", "chosen: none", low=0.0, high=0.99),
        "batch": Input(128.0, "", "Planned batch", WORKED, low=1.0),
        "utilization_cap": Input(0.65, "%", "Utilization cap", WORKED, **SHARE),
        "all_reduce_on": Input(1.0, "", "Count all-reduces in the corrected step (1) or not (0)", "chosen", low=0.0, high=1.0, whole=True),
        "all_reduce_latency": Input(8e-6, "µs", "Latency of an all-reduce", PLACEHOLDER, **AT_LEAST_0),
        "all_reduce_bandwidth": Input(350e9, "GB/s", "Bus rate of an all-reduce", PLACEHOLDER, **POSITIVE),
        "step_overhead": Input(1e-3, "ms", "Host time of a step", PLACEHOLDER, **AT_LEAST_0),
        "sequence_overhead": Input(5e-6, "µs", "Host time of a step, each sequence", PLACEHOLDER, **AT_LEAST_0),
        "layer_overhead": Input(0.0, "µs", "Host time of a step, each layer", "chosen: none", **AT_LEAST_0),
        "moe_layer_overhead": Input(0.0, "µs", "Routing to experts, each layer", "chosen: dense model", **AT_LEAST_0),
        "chunk": Input(2048.0, "tok", "Chunk of a prompt", PLACEHOLDER, low=1.0),
        "block": Input(16.0, "tok", "Block of the KV cache", PLACEHOLDER, low=1.0),
        "output_cv": Input(1.0, "", "Spread of answer lengths (standard deviation over mean)", PLACEHOLDER, **AT_LEAST_0),
        "prompt_cv": Input(1.0, "", "Spread of prompt lengths (standard deviation over mean)", PLACEHOLDER, **AT_LEAST_0),
        "arrival_cv": Input(1.0, "", "Spread of the gaps between arrivals", "quoted: 1, random arrivals", **POSITIVE),
        "ttft_percentile": Input(0.99, "%", "Percentile of the wait", f"quoted: {SPEC}", low=0.5, high=0.9999),
        "clock_ratio": Input(1.0, "%", "Sustained over boost clock", PLACEHOLDER, **SHARE),
        "saturated_fill": Input(0.95, "%", "Share of the KV memory that a saturated run fills", f"quoted: {SPEC}", **SHARE),
        "saturated_most": Input(2048.0, "", "Sequences at most in a saturated run", f"quoted: {SPEC}", low=1.0),
        "backtest_band": Input(0.30, "%", "Band around published rows", f"chosen: {SPEC}", **SHARE),
        "seconds_per_hour": Input(3600.0, "s/h", "Seconds an hour", "defined", **POSITIVE),
        "hours_per_month": Input(730.0, "h/month", "Hours a month", "defined: 8,760 / 12", **POSITIVE),
    }
    | LIMITS
)
OWN = ("mfu", "mbu", "moe_mfu_factor", "tp_cost_on", "link_share", "flops_per_param", "flops_per_pair")
KNOWN = [n for n in INPUTS if n in REPLICA and n not in OWN and n != "attention_on"] + [
    "attention_peak",
    "expert_params",
    "experts_per_token",
    "residency_rule",
    "request_rate",
    "replica_rate",
    "prompt_tokens",
    "output_tokens",
    "prefix_hit_share",
    "batch",
    "utilization_cap",
    "hours_per_month",
]

BREAKS = (
    ("B01 host time in a step", "host_share", "host_share_limit", "host_small", "host_factor", "gaps between kernels in a trace"),
    ("B02 all-reduces in a step", "reduce_share", "reduce_share_limit", "reduce_small", "reduce_factor", "collective time in a trace"),
    (
        "B03 all-reduces in prefill",
        "prefill_reduce_share",
        "prefill_reduce_limit",
        "prefill_reduce_small",
        "",
        "prefill tok/s at one, two, four and eight GPUs",
    ),
    ("B04 utilization that mfu implies", "implied_gemm_mfu", "implied_gemm_limit", "gemm_credible", "", "a matrix microbenchmark"),
    (
        "B05 attention in a prompt",
        "attention_part",
        "attention_part_limit",
        "attention_small",
        "attention_factor",
        "prefill by prompt length",
    ),
    ("B06 chunk over the binding chunk, at least", "chunk_ratio", "chunk_ratio_limit", "chunk_long", "", "prefill tok/s by chunk size"),
    ("B07 batch over the ridge", "ridge_use", "ridge_use_limit", "memory_binds", "", "slope of TPOT against batch"),
    (
        "B08 prompts stretch decode",
        "interference",
        "interference_limit",
        "interference_small",
        "interference",
        "inter-token latency with and without prompts",
    ),
    ("B09 planned over running batch", "batch_ratio", "batch_ratio_limit", "batch_real", "", "running requests, mean over time"),
    (
        "B10 context of the residents",
        "context_bias",
        "context_bias_limit",
        "context_fair",
        "context_bias",
        "KV tokens in use over running sequences",
    ),
    ("B11 half-filled blocks", "block_waste", "block_waste_limit", "blocks_tight", "block_factor", "blocks × block size over live tokens"),
    ("B12 more run than fit", "overflow_chance", "overflow_chance_limit", "overflow_rare", "", "the preemption counter"),
    ("B13 wait at p99, in prefill times", "wait_ratio", "wait_ratio_limit", "wait_short", "", "queue time against load"),
    ("B14 experts of a step over a token", "expert_excess", "expert_excess_limit", "experts_few", "", "TPOT at a small and a larger batch"),
    ("B15 sustained clock, at least", "clock_ratio", "clock_ratio_limit", "clock_holds", "", "clocks over half an hour"),
    ("B16 GPUs over KV heads", "kv_copies", "kv_copies_limit", "kv_single", "", "KV blocks reported at start-up"),
)

STUDY = Study(
    name="roofline_breaks",
    title="Roofline breaks: what a data sheet leaves out",
    purpose="What a data sheet promises, which of its numbers may not be used in a plan, and how much money to hold in reserve until they "
    "are measured.",
    functions=KERNEL | quantities(roofline, roofline_breaks, roofline_backtest),
    inputs=INPUTS,
    grids=[
        Grid(
            "batches",
            "Promise and correction by batch",
            rows={"batch": [1.0, 8.0, 16.0, 32.0, 64.0, 96.0, 128.0, 192.0, 256.0, 300.0]},
            show=["line_step", "corrected_step", "line_work", "corrected_work", "optimism", "line_cost"],
        ),
        published_rows.GRID,
    ],
    claims=[
        Claim("line_step", 0.015992789651741293, SPEC),
        Claim("line_rate", 8003.606799521895, SPEC),
        Claim("line_work", 0.11010636502115495, SPEC),
        Claim(
            "line_work",
            0.10878173642085178,
            SPEC,
            changes={"attention_on": 0.0},
            note="without attention, as the worked fleet answer has it",
        ),
        Claim("line_cost", 1.0195033798255089e-6, SPEC),
        Claim("ridge_chunk", 196.91542288557213, SPEC),
        Claim("host_share", 0.09300853877299245, SPEC),
        Claim("reduce_share", 0.14526592925014767, SPEC),
        Claim("prefill_reduce_share", 0.30939790353180036, SPEC),
        Claim("implied_gemm_mfu", 0.7300827040052456, SPEC),
        Claim("attention_part", 0.01857859673990078, SPEC),
        Claim("chunk_ratio", 10.400404244567964, SPEC),
        Claim("interference", 1.7457968654843352, SPEC),
        Claim("batch_ratio", 4.64031051437686, SPEC),
        Claim("context_bias", 1.069767441860465, SPEC),
        Claim("block_waste", 0.0034883720930232558, SPEC),
        Claim("wait_ratio", 11.838305733757398, SPEC),
        Claim("broken_checks", 6.0, SPEC),
        Claim("corrected_step", 0.020976852259843637, SPEC),
        Claim("corrected_work", 0.12178776175889483, SPEC),
        Claim("optimism", 1.106091929703569, SPEC),
        Claim("line_replicas", 34.0, SPEC),
        Claim("corrected_replicas", 38.0, SPEC),
        Claim("contingency_per_month", 29200.0, SPEC),
        Claim("backtest_rows_near", 30.0, SPEC, note="of forty published rows, within 30%"),
        Claim("backtest_rows_double", 40.0, SPEC, note="of forty published rows, within a factor of two"),
        Claim("backtest_rows_near_corrected", 32.0, SPEC, note="of forty published rows, within 30%, host time and all-reduces counted"),
    ],
    sayings={
        "headline": Saying(
            ("", "Hold {contingency_gpus} GPUs, {contingency_per_month}, in reserve: {broken_checks} of sixteen checks are broken")
        ),
        "decision": Saying(
            (
                "",
                "Fund {contingency_share:1} above the data sheet as a named reserve of {contingency_per_month}, and release it "
                "when "
                "all-reduces, the stretch of decode and the residents' context are measured.",
            )
        ),
        "fleet": Saying(
            (
                "",
                "The roofline says {line_replicas} replicas; with host time, all-reduces and the context that residents hold it "
                "is "
                "{corrected_replicas}.",
            )
        ),
        "tpot": Saying(
            ("", "Prompts stretch decode {interference:2}: a token takes {corrected_tpot:1}, not {line_step:1}, without being more work.")
        ),
        "batch": Saying(("", "Of the planned batch of {batch}, {line_running_batch:0} run at this load.")),
        "factors": Saying(
            ("", "Prompts and all-reduces are what a data sheet leaves out: {interference:2} in TPOT, {reduce_factor:2} in a step")
        ),
        "backtest": Saying(
            (
                "",
                "The roofline is within {backtest_band:0} on {backtest_rows_near} of {backtest_rows} published rows, at "
                "{backtest_mean:2} the measured rate on average",
            )
        ),
        "backtest_corrected": Saying(
            (
                "",
                "With host time and all-reduces the roofline is within {backtest_band:0} on {backtest_rows_near_corrected} of "
                "{backtest_rows} published rows, at {backtest_mean_corrected:2} the measured rate on average; alone it is within a "
                "factor of two on {backtest_rows_double}, and highest, {backtest_highest:2}, for {backtest_worst}.",
            )
        ),
        "steps": Saying(("", "At a batch of {batch} the real step is {corrected_step:1}, the roofline's {line_step:1}.")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("contingency_per_month", "optimism", "line_replicas", "corrected_replicas", "broken_checks"),
        argument=("fleet", "steps", "tpot", "batch", "backtest_corrected"),
        derivation=(
            "ttft_compute",
            "weight_read_time",
            "line_step",
            "line_work",
            "overhead",
            "all_reduce_time",
            "corrected_step",
            "corrected_work",
            "optimism",
            "contingency_per_month",
        ),
        not_counted=(
            "Host time, all-reduce latency and bus rate are placeholders: each check names the measurement that replaces them.",
            "Waiting, failures and the margin of the utilization cap.",
        ),
    ),
    charts=[
        Chart(
            "backtest",
            "scatter",
            title="backtest",
            x="backtest_published",
            ys=("backtest_predicted", "backtest_band_high", "backtest_published", "backtest_band_low"),
            x_label="published output, tok/s a GPU",
            y_label="predicted output, tok/s a GPU",
            log_x=True,
            log_y=True,
        ),
        Chart(
            "factors",
            "bars",
            title="factors",
            ys=("interference", "reduce_factor", "host_factor", "context_bias", "attention_factor", "block_factor"),
        ),
    ],
    listings=(
        Listing(
            "breaks",
            "Sixteen places where the roofline breaks",
            ("Break", "Is", "Limit", "Verdict", "Correct by", "What reveals it"),
            BREAKS,
        ),
    ),
    links={name: name for name in KNOWN},
    core=("optimism", "contingency_gpus", "contingency_per_month", "broken_checks", "corrected_replicas"),
)
