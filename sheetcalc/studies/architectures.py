"""Bytes and arithmetic of other architectures: attention kinds, and a mixture of experts. Source: calculators B (h), general roofline.

| symbol | name | symbol | name |
|---|---|---|---|
| L, nkv, hd, b | kv_layers, kv_heads, head_size, bytes_per_kv | ctx, w | decode_context, window |
| kv_lora + rope | head_size of MLA, one head, one tensor | Ls, Lf | window_layers, kv_layers |
| Ll, heads, dk, dv | linear_layers, linear_heads, linear_key_size, linear_value_size | T | step_tokens |
| E, k | experts, experts_per_token | c | wanted_coverage |
| ridge | ridge_intensity | total, active | moe_total_params, moe_active_params |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, POSITIVE, SHARE, Grid, Input, quantities, some
from sheetcalc.quantities import architecture_choice, attention_kinds, expert_reads, memory, moe_model
from sheetcalc.studies.moe_inputs import MOE
from sheetcalc.studies.worked_inputs import PRICE
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators B (h), general roofline"
B200 = "quoted: NVIDIA B200 in the round figures of the worked example"
CARDS = "quoted: configurations of Llama 3.3 70B, Llama 3.1 405B, Kimi K2, Gemma 3 27B and Qwen3-Next 80B"
KINDS = [
    "MHA, 70B shape",
    "GQA, Llama 70B",
    "GQA, Llama 405B",
    "MLA, 61 layers of 576",
    "Sliding window, 5 to 1 of 1,024",
    "Hybrid, 3 to 1 linear",
]
TOKENS = [2.0**n for n in range(9)]

GEOMETRY = {
    "kv_layers": Input([80.0, 80.0, 126.0, 61.0, 10.0, 12.0], "", "Layers with full attention", CARDS, **COUNT),
    "window_layers": Input([0.0, 0.0, 0.0, 0.0, 52.0, 0.0], "", "Layers with a window", CARDS, **AT_LEAST_0),
    "window": Input([0.0, 0.0, 0.0, 0.0, 1024.0, 0.0], "tok", "Window", CARDS, **AT_LEAST_0),
    "kv_tensors": Input([2.0, 2.0, 2.0, 1.0, 2.0, 2.0], "", "Tensors kept of a token", "defined: keys and values, or one latent", **COUNT),
    "kv_heads": Input([64.0, 8.0, 8.0, 1.0, 16.0, 2.0], "", "KV heads", f"{CARDS}; MHA has as many as query heads", **COUNT),
    "head_size": Input([128.0, 128.0, 128.0, 576.0, 128.0, 256.0], "", "Elements of a head", CARDS, **COUNT),
    "linear_layers": Input([0.0, 0.0, 0.0, 0.0, 0.0, 36.0], "", "Linear layers", CARDS, **AT_LEAST_0),
    "linear_heads": Input([0.0, 0.0, 0.0, 0.0, 0.0, 32.0], "", "Heads of a linear layer", CARDS, **AT_LEAST_0),
    "linear_key_size": Input([0.0, 0.0, 0.0, 0.0, 0.0, 128.0], "", "Key of a linear head", CARDS, **AT_LEAST_0),
    "linear_value_size": Input([0.0, 0.0, 0.0, 0.0, 0.0, 128.0], "", "Value of a linear head", CARDS, **AT_LEAST_0),
}

INPUTS = (
    {n: i for n, i in MOE.items() if n not in ("table_weight_bytes",)}
    | PRICE
    | {
        "bytes_per_kv": Input(1.0, "B", "Bytes of a KV element", "chosen: FP8", **POSITIVE),
        "state_bytes": Input(4.0, "B", "Bytes of an element of a linear state", "defined: FP32", **POSITIVE),
        "decode_context": Input(32768.0, "tok", "Context of a sequence", "chosen: worked example", **POSITIVE),
        "held_sequences": Input(1000.0, "", "Sequences to hold", "assumed", **POSITIVE),
        "chosen_attention": Input(KINDS[1], "", "Attention to compare with", "chosen", choices=tuple(KINDS)),
        "hbm": Input(180e9, "GB", "Memory of a GPU", B200, **POSITIVE),
        "bandwidth": Input(8e12, "TB/s", "Memory bandwidth of a GPU", B200, **POSITIVE),
        "peak_compute": Input(4500e12, "TFLOP/s", "FP8 peak, dense", B200, **POSITIVE),
        "mfu": Input(0.50, "%", "Share of peak compute reached", "assumed: house figure of the worked examples", **SHARE),
        "mbu": Input(0.75, "%", "Share of bandwidth reached", "assumed: house figure of the worked examples", **SHARE),
        "gpu_hour_price": Input(5.00, "$/h", "Price of a GPU", "assumed: illustrative", **AT_LEAST_0),
        "wanted_coverage": Input(0.90, "%", "Share of the experts asked about", "chosen: worked example", low=0.0, high=0.9999, above=True),
    }
)

STUDY = Study(
    name="architectures",
    title="Architectures: what they keep and what they read",
    purpose="What a sequence costs in memory by kind of attention, and whether a mixture of experts is paid by memory or by compute.",
    functions=quantities(attention_kinds, expert_reads, architecture_choice)
    | some(memory, "kv_per_token_layer", "kv_per_token", "kv_per_window_token", "kv_per_sequence")
    | some(
        moe_model,
        "routing_possible",
        "moe_layers_exist",
        "expert_size",
        "moe_expert_params",
        "shared_expert_params",
        "latent_attention_params",
        "dense_layer_params",
        "embedding_params",
        "router_params",
        "backbone_params",
        "moe_total_params",
        "moe_active_params",
    ),
    inputs=INPUTS,
    grids=[
        Grid(
            "kinds",
            "Attention by what it keeps",
            rows={},
            columns={"attention": Input(KINDS, "", "Attention", "chosen")},
            typed=GEOMETRY,
            show=["kv_per_token", "kv_per_sequence", "linear_state", "sequence_memory", "sequence_gpus", "sequence_cost"],
        ),
        Grid(
            "steps",
            "A mixture of experts by tokens in the step",
            rows={"step_tokens": Input(TOKENS, "", "Tokens in the step", "chosen", **COUNT)},
            show=[
                "token_coverage",
                "distinct_experts",
                "step_weight_bytes",
                "token_weight_bytes",
                "tokens_per_expert",
                "step_intensity",
                "token_memory_cost",
            ],
        ),
    ],
    claims=[
        Claim("moe_total_params", 1026407202816.0, SPEC),
        Claim("moe_active_params", 31686066176.0, SPEC),
        Claim("ridge_intensity", 375.0, SPEC),
        Claim("dense_ridge_batch", 187.5, SPEC),
        Claim("moe_ridge_batch", 6073.6902289804775, SPEC),
        Claim("coverage_tokens", 109.3687521748789, SPEC),
        Claim("total_over_active", 32.39301455456255, SPEC),
    ],
    sayings={
        "headline": Saying(
            ("", "Holding {held_sequences:0} sequences costs from {leanest_cost} to {widest_cost}: the attention sets the price of memory")
        ),
        "decision": Saying(
            (
                "ridge_in_table",
                "Budget the mixture of experts by compute: at {largest_step:0} tokens in a step compute "
                "has taken over; and "
                "choose the attention by {leanest_cost} against {chosen_attention_cost} for "
                "{held_sequences:0} sequences.",
            ),
            (
                "",
                "Budget a mixture of experts by memory, {full_step_memory_cost} at {largest_step:0} tokens in a step "
                "against a compute bill of "
                "{token_compute_cost}, until "
                "{moe_ridge_batch:0} tokens share a step; and choose the attention by {leanest_cost} against "
                "{chosen_attention_cost} for {held_sequences:0} sequences of {decode_context:0}.",
            ),
        ),
        "attention": Saying(
            (
                "",
                "Of these kinds {leanest_attention} keeps least and {widest_attention} most: shared KV heads, a latent, "
                "windows "
                "and linear layers all cut what a sequence keeps.",
            )
        ),
        "coverage": Saying(
            (
                "",
                "{coverage_tokens:0} tokens in a step already reach {wanted_coverage:0} of the experts, so that nearly all "
                "{moe_total_params:0} are read while a token works with {moe_active_params:0}.",
            )
        ),
        "ridge": Saying(
            (
                "",
                "Compute takes over at {dense_ridge_batch:0} tokens in a dense model and at {moe_ridge_batch:0} here, "
                "{total_over_active:0} as many.",
            )
        ),
        "bills": Saying(("", "The memory bill of a token falls only when many share a step")),
    },
    story=Story(
        claim="headline",
        decision="decision",
        figures=("leanest_cost", "chosen_attention_cost", "widest_cost", "full_step_memory_cost", "moe_ridge_batch"),
        argument=("attention", "coverage", "ridge"),
        derivation=(
            "moe_expert_params",
            "moe_total_params",
            "moe_active_params",
            "total_over_active",
            "ridge_intensity",
            "dense_ridge_batch",
            "moe_ridge_batch",
            "coverage_tokens",
            "token_compute_cost",
        ),
        not_counted=(
            "Experts that are visited more than others, and the exchange of tokens between GPUs.",
            "A latent is copied to every GPU under tensor parallelism; what is kept is then multiplied by the GPUs.",
        ),
    ),
    charts=[
        Chart("kept", "bars", title="headline", x="attention", ys=("sequence_memory",), y_label="memory of a sequence, GB"),
        Chart(
            "bills",
            "line",
            title="bills",
            x="step_tokens",
            ys=("token_memory_cost", "token_compute_cost"),
            x_label="tokens in a step",
            y_label="$ per million tokens",
            log_x=True,
            log_y=True,
        ),
    ],
    links={
        n: n
        for n in ("decode_context", "bytes_per_kv", "hbm", "bandwidth", "peak_compute", "mfu", "mbu", "gpu_hour_price", "hours_per_month")
    },
    core=("leanest_cost", "widest_cost", "full_step_memory_cost", "moe_ridge_batch"),
)
