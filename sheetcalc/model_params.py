"""How many parameters a layer has, from the fields of its configuration. `read` is a `model_reader.Reader`."""

from __future__ import annotations

MATRICES = {"relu2": 2.0, "gelu": 2.0, "relu": 2.0}  # of a feed-forward part; gated ones have 3
GATED = 3.0


def matrices(read) -> float:
    """Matrices of a feed-forward part."""
    return MATRICES.get(str(read.get("mlp_hidden_act")), GATED) if read.type == "nemotron_h" else GATED


def attention(read, kind: str, hidden: float, heads: float, kv_heads: float, size: float, value: float, mla: bool) -> float:
    """Parameters of a layer's attention (or what stands in its place)."""
    if kind in ("experts", "dense"):
        return 0.0
    if kind == "mamba":
        inner, state = (
            read.number("mamba_num_heads") * read.number("mamba_head_dim"),
            read.number("n_groups") * read.number("ssm_state_size"),
        )
        return hidden * (2 * inner + 2 * state + read.number("mamba_num_heads")) + inner * hidden
    if kind == "linear":
        keys = read.number("linear_num_key_heads") * read.number("linear_key_head_dim")
        values = read.number("linear_num_value_heads") * read.number("linear_value_head_dim")
        return hidden * (2 * keys + 2 * values + 2 * read.number("linear_num_value_heads")) + values * hidden
    if mla:
        nope, rope, latent, low = (
            read.number(n, default=d)
            for n, d in (("qk_nope_head_dim", None), ("qk_rope_head_dim", None), ("kv_lora_rank", None), ("q_lora_rank", 0.0))
        )
        query = low * (hidden + heads * (nope + rope)) if low else hidden * heads * (nope + rope)
        index = read.number("index_n_heads", default=0.0), read.number("index_head_dim", default=0.0)
        return (
            query
            + hidden * (latent + rope)
            + latent * heads * (nope + value)
            + heads * value * hidden
            + index[0] * index[1] * low
            + hidden * (index[1] + index[0]) * bool(index[0])
        )
    gate = 2 if read.get("attn_output_gate", default=read.type == "qwen3_next") else 1
    return hidden * heads * size * gate + hidden * kv_heads * (size + value) + heads * value * hidden


def feed_forward(read, kind: str, is_moe: bool, hidden: float, experts: float) -> float:
    """Parameters of a layer's feed-forward part that every token uses: the dense one, or router and shared experts."""
    if read.type == "nemotron_h":
        if not is_moe:
            return matrices(read) * hidden * read.number("intermediate_size") if kind == "dense" else 0.0
        latent = read.number("moe_latent_size", default=0.0)
        return (
            2 * hidden * latent
            + hidden * experts
            + read.number("n_shared_experts", default=0.0) * matrices(read) * hidden * read.number("moe_shared_expert_intermediate_size")
        )
    if not is_moe:
        return GATED * hidden * read.number("intermediate_size_mlp", "intermediate_size")
    if read.type.startswith("llama4"):
        return hidden * experts + GATED * hidden * read.number("intermediate_size")
    shared = read.number("shared_expert_intermediate_size", default=0.0) or (
        read.number("n_shared_experts", "num_shared_experts", default=0.0) * read.number("moe_intermediate_size", "intermediate_size")
    )
    return hidden * experts + GATED * hidden * shared
