"""Geometry of the one-trillion-parameter mixture of experts that two studies of calculators B share."""

from sheetcalc.model import COUNT, POSITIVE, Input

GEOMETRY = "quoted: configuration of Kimi K2"
MOE = {
    "layers": Input(61.0, "", "Layers", GEOMETRY, **COUNT),
    "moe_layers": Input(60.0, "", "Layers with experts", GEOMETRY, **COUNT),
    "hidden": Input(7168.0, "", "Width of the model", GEOMETRY, **COUNT),
    "query_heads": Input(64.0, "", "Query heads", GEOMETRY, **COUNT),
    "experts": Input(384.0, "", "Experts in a layer", GEOMETRY, **COUNT),
    "experts_per_token": Input(8.0, "", "Experts that a token visits", GEOMETRY, **COUNT),
    "shared_experts": Input(1.0, "", "Experts that every token visits", GEOMETRY, low=0.0, whole=True),
    "expert_width": Input(2048.0, "", "Width of an expert", GEOMETRY, **COUNT),
    "expert_matrices": Input(3.0, "", "Matrices of an expert", "defined: gate, up and down", **COUNT),
    "ffn_width": Input(18432.0, "", "Width of the dense layers' block", GEOMETRY, **COUNT),
    "vocabulary": Input(163840.0, "", "Vocabulary", GEOMETRY, **COUNT),
    "query_rank": Input(1536.0, "", "Rank of the query projection", GEOMETRY, **COUNT),
    "latent_rank": Input(512.0, "", "Rank of the KV latent", GEOMETRY, **COUNT),
    "rotary_size": Input(64.0, "", "Rotary part of a head", GEOMETRY, **COUNT),
    "plain_head_size": Input(128.0, "", "Other part of a head", GEOMETRY, **COUNT),
    "value_head_size": Input(128.0, "", "Value head", GEOMETRY, **COUNT),
    "bytes_per_kv": Input(2.0, "B", "Bytes of a latent element", "chosen: BF16", **POSITIVE),
    "bytes_per_weight": Input(1.0, "B", "Bytes of a weight outside experts and tables", "chosen: FP8", **POSITIVE),
    "table_weight_bytes": Input(2.0, "B", "Bytes of a weight of tables and routers", "defined: BF16", **POSITIVE),
    "flops_per_param": Input(2.0, "FLOP", "Work of a parameter and token", "defined: one multiplication and one addition", **POSITIVE),
}
