# ruff: noqa: E501  (the table of the docstring)
"""Worked plan: 200 requests per second of 2,000-token prompts on H100 (file 000), in the textbook profile.

Rows of table f.1 of calculators A and the names under which they come out (the sweep's rows are batch 64, 128, 192):

| row | name | row | name |
|---|---|---|---|
| prompt_rate, output_rate | prompt_load, output_load | in_out_ratio | prompt_over_output |
| weights, weights_per_gpu | weights, weights_per_gpu | kv_budget_gpu | kv_budget |
| avg_decode_context | decode_context | kv_per_token, kv_per_seq, kv_per_seq_gpu | kv_per_token, kv_per_sequence, kv_per_sequence_gpu |
| resident_seqs | resident_sequences_exact | prefill_per_token, …_exact_params | prefill_time, prefill_time_exact |
| prefill_demand, ttft_compute | the same | bytes_step_gpu_b128, step_b128 | step_bytes, step_time |
| replica_tput_b128, decode_demand | decode_rate, decode_demand | total_demand, replicas_raw, replicas | total_demand, replicas_exact, replicas |
| gpus, nodes, cost_hour | gpus, nodes, cost_per_hour | usd_per_M_out, usd_per_M_total | cost_per_million_output, cost_per_million_total |
| out_vs_total_factor, prefill_share | total_over_output, prefill_share | step_b64 … usd_per_M_out_b192 | sweep_step_time, sweep_replicas_exact, sweep_replicas, sweep_gpus, sweep_cost_per_million_output |
| prefill_wall_share, …_34 | prefill_wall, prefill_wall_whole | decode_wall_share, …_b192 | decode_wall, sweep_decode_wall |
| tpot_worst_b128, …_b192 | tpot_worst, sweep_tpot_worst | replicas_prefix50_raw, gpus_prefix50_* | prefix_replicas_exact, prefix_gpus_exact, prefix_gpus |
| disagg_* | apart_prefill_gpus, apart_decode_gpus, apart_gpus | dau_* | crowd_requests … crowd_price (work_text: crowd_work_printed) |
| double_load_*, burst_factor_covered | doubled_demand, doubled_utilization, doubled_shed, growth_absorbed | p99_16k_* | long_over_mean, long_over_mean_attention, long_linear_prefill |

Where the printed figure does not follow from its inputs the claim's note says why.
"""

from sheetcalc.model import POSITIVE, SHARE, Grid, Input, quantities
from sheetcalc.quantities import fleet_questions
from sheetcalc.studies.plan import STUDY as PLAN
from sheetcalc.study import Chart, Claim, Saying, Story

TEXT = "file 000"
SOURCE = "file 000; calculators A, f.1"


def _claims(values, **more):
    return [Claim(name, value, SOURCE, 1e-12, **more) for name, value in values.items()]


CLAIMS = [
    *_claims(
        {
            "prompt_load": 400000.0,
            "output_load": 60000.0,
            "prompt_over_output": 6.666666666666667,
            "weights": 70550000000.0,
            "weights_per_gpu": 17637500000.0,
            "kv_budget": 52962500000.0,
            "decode_context": 2150.0,
            "kv_per_token": 327680.0,
            "kv_per_sequence_gpu": 176128000.0,
            "prefill_demand": 14.259727134916625,
            "ttft_compute": 0.07129863567458312,
            "step_bytes": 40181884000.0,
            "step_time": 0.015992789651741293,
            "decode_rate": 8003.606799521895,
            "decode_demand": 7.496620149253731,
            "total_demand": 21.756347284170356,
            "replicas_exact": 33.47130351410824,
            "replicas": 34.0,
            "gpus": 136.0,
            "nodes": 17.0,
            "cost_per_hour": 340.0,
            "cost_per_million_output": 1.5740740740740742e-6,
            "cost_per_million_total": 0.20531400966183574e-6,
            "total_over_output": 7.666666666666667,
            "prefill_share": 0.6554283652794889,
            "tpot_worst": 0.046413540872896765,
            "apart_prefill_gpus": 88.0,
            "apart_decode_gpus": 48.0,
            "apart_gpus": 136.0,
            "crowd_requests": 10000000.0,
            "crowd_mean_rate": 115.74074074074075,
            "crowd_peak_rate": 462.962962962963,
            "crowd_prompt_load": 925925.925925926,
            "crowd_output_load": 138888.8888888889,
            "crowd_replicas": 78.0,
            "crowd_gpus": 312.0,
            "crowd_cost": 780.0,
            "crowd_output_hour": 500.00000000000006e6,
            "crowd_price": 1.5599999999999998e-6,
            "doubled_demand": 43.51269456834071,
            "growth_absorbed": 1.5627623311904921,
            "doubled_shed": 0.21861883440475394,
            "long_over_mean": 8.0,
            "long_linear_prefill": 0.570389085396665,
        }
    ),
    Claim("kv_per_sequence", 704512000.0, SOURCE, 1e-12, note="printed 704 MB, cut off; rounding gives 705"),
    Claim("resident_sequences_exact", 300.7046011991279, SOURCE, 1e-12, note="printed 'about 300'"),
    Claim("prefill_time", 3.5649317837291564e-05, SOURCE, 1e-12, note="printed 35.7 µs, which the exact parameter count gives"),
    Claim("prefill_time_exact", 3.565119075088429e-05, SOURCE, 1e-12),
    Claim("prefill_wall", 0.4260284374316678, SOURCE, 1e-12, note="divides by 33.47 replicas; with 34 it is 41.9%"),
    Claim("prefill_wall_whole", 0.41940373926225366, SOURCE, 1e-12),
    Claim("decode_wall", 0.22397156256833217, SOURCE, 1e-12),
    Claim("prefix_replicas_exact", 22.50228264109545, SOURCE, 1e-12),
    Claim("prefix_gpus_exact", 90.0091305643818, SOURCE, 1e-12, note="printed 'about 90': only before whole replicas"),
    Claim("prefix_gpus", 92.0, SOURCE, 1e-12, note="the text's own rule of whole replicas"),
    Claim("crowd_work_printed", 50.46296296296297, SOURCE, 1e-12, note="the text scales the rounded 21.8"),
    Claim("crowd_work", 50.3619150096536, SOURCE, 1e-12, note="full precision; the same 78 replicas"),
    Claim("doubled_utilization", 1.279785134362962, SOURCE, 1e-12, note="the 35% headroom covers 1.56 times, not twice"),
    Claim("long_over_mean_attention", 9.021424778376838, SOURCE, 1e-12, note="printed 8: the linear part"),
]

STUDY = PLAN.worked(
    "fleet_200_rps",
    "Fleet for 200 requests per second",
    "How many H100 carry 200 requests per second of 2,000 prompt and 300 output tokens.",
    {
        "profile": ("textbook", TEXT),
        "request_rate": (200.0, TEXT),
        "prompt_tokens": (2000.0, TEXT),
        "output_tokens": (300.0, TEXT),
        "model": ("Llama 3.3 70B", TEXT),
        "gpu": ("H100 SXM", TEXT),
        "gpus_per_replica": (4.0, TEXT),
        "weight_format": ("FP8", TEXT),
        "kv_format": ("BF16", f"{TEXT}, not stated there: 2 bytes a KV element"),
        "batch": (128.0, TEXT),
        "utilization_cap": (0.65, TEXT),
        "tpot_target": (0.050, TEXT),
        "gpu_hour_price": (2.50, f"{TEXT}, illustrative"),
        "params": (70.55e9, TEXT),
    },
    inputs={
        "exact_params": Input(
            70_553_706_496.0, "Gparam", "Parameters, exact count", "model configuration; calculators A, section 0", low=1e6, high=1e14
        ),
        "shared_share": Input(0.5, "%", "Share of each prompt that is a shared prefix", TEXT, **SHARE),
        "crowd": Input(1e6, "", "Daily users in the follow-up", TEXT, **POSITIVE),
        "crowd_requests_each": Input(10.0, "req/day", "Generations per user and day", TEXT, **POSITIVE),
        "crowd_peak": Input(4.0, "x", "Peak over the daily mean", TEXT, low=1.0, high=100.0),
        "printed_demand": Input(21.8, "replica·s/s", "Total demand as printed", TEXT, **POSITIVE),
        "long_tokens": Input(16000.0, "tok", "Prompt tokens at the 99th percentile", TEXT, **POSITIVE),
    },
    functions=quantities(fleet_questions),
    claims=CLAIMS,
    grids=[
        Grid(
            "sweep",
            "What the batch does",
            rows={"batch": [64.0, 128.0, 192.0]},
            show=["step_time", "replicas_exact", "replicas", "gpus", "cost_per_million_output", "tpot_worst", "decode_wall"],
        )
        if g.name == "sweep"
        else g
        for g in PLAN.grids
        if g.name != "by_profile"
    ],  # its constants are typed, so another profile would be half of each
    sayings=PLAN.sayings
    | {
        "fleet": Saying(
            ("plan_holds", "{gpus} GPUs in {replicas} replicas carry {request_rate:0} for {cost_per_hour}"),
            ("", "No fleet meets what is asked"),
        ),
        "money": Saying(
            (
                "",
                "{cost_per_million_output} of output at the rated load, and {cost_per_million_total} with prompts counted. "
                "A shared prefix of half each prompt takes the fleet to {prefix_gpus} GPUs.",
            )
        ),
        "work": Saying(("", "Prefill is {prefill_share:1} of the work, so prompts decide the fleet before decode does.")),
        "double": Saying(
            (
                "",
                "When traffic doubles the fleet is asked for {doubled_utilization:0} of its time; {doubled_shed:0} must wait, be "
                "shed or go elsewhere.",
            )
        ),
        "pools": Saying(("", "Separate pools take {apart_gpus} GPUs, as many as the shared fleet: a latency decision, not a cost one.")),
        "by_batch": Saying(("", "Larger batches cost less per token until the TPOT target stops them")),
    },
    story=Story(
        claim="fleet",
        decision="money",
        figures=("gpus", "cost_per_hour", "cost_per_million_output", "tpot_worst", "prefill_share"),
        argument=("work", "double", "pools"),
        derivation=PLAN.story.derivation[:18],
        not_counted=("attention arithmetic, all-reduces and overhead",),
    ),
    charts=[
        Chart(
            "batch",
            "line",
            title="by_batch",
            x="sweep_batch",
            ys=("sweep_cost_per_million_output",),
            x_label="decode batch",
            y_label="$ per million output tokens",
        )
    ],
)
