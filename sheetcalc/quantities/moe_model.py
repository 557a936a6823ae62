"""Parameters of a mixture of experts with latent attention, counted from its geometry, and how many experts a step reaches.

Source: published layer geometry of a one-trillion-parameter model (DeepSeek-style layers); coverage is that of uniform routing.
"""

from sheetcalc.model import check, quantity


@check("A token visits experts that exist", "a token cannot visit {experts_per_token:0} of {experts:0} experts; enter fewer")
def routing_possible(experts_per_token, experts):
    return experts_per_token <= experts


@check("Layers with experts are among the layers", "{moe_layers:0} layers with experts are more than the {layers:0} layers; enter fewer")
def moe_layers_exist(moe_layers, layers):
    return moe_layers <= layers


@quantity("Parameters of one expert", "Mparam")
def expert_size(expert_matrices, hidden, expert_width):
    """Gate, up and down."""
    return expert_matrices * hidden * expert_width


@quantity("Parameters of all experts", "Gparam")
def moe_expert_params(moe_layers, experts, expert_size):
    return moe_layers * experts * expert_size


@quantity("Parameters of the shared experts", "Gparam")
def shared_expert_params(moe_layers, shared_experts, expert_size):
    return moe_layers * shared_experts * expert_size


@quantity("Parameters of latent attention", "Gparam")
def latent_attention_params(layers, hidden, query_rank, query_heads, plain_head_size, rotary_size, latent_rank, value_head_size):
    """Down- and up-projections of queries, of the latent, and the output projection."""
    return layers * (
        hidden * query_rank
        + query_rank * query_heads * (plain_head_size + rotary_size)
        + hidden * (latent_rank + rotary_size)
        + latent_rank * query_heads * (plain_head_size + value_head_size)
        + query_heads * value_head_size * hidden
    )


@quantity("Parameters of the dense layers", "Gparam")
def dense_layer_params(layers, moe_layers, expert_matrices, hidden, ffn_width):
    return (layers - moe_layers) * expert_matrices * hidden * ffn_width


@quantity("Parameters of one embedding table", "Gparam")
def embedding_params(vocabulary, hidden):
    return vocabulary * hidden


@quantity("Parameters of the routers", "Gparam")
def router_params(moe_layers, hidden, experts):
    return moe_layers * hidden * experts


@quantity("Parameters outside experts and tables", "Gparam")
def backbone_params(shared_expert_params, latent_attention_params, dense_layer_params):
    return shared_expert_params + latent_attention_params + dense_layer_params


@quantity("Parameters", "Gparam")
def moe_total_params(moe_expert_params, backbone_params, embedding_params, router_params):
    """Input and output tables both count."""
    return moe_expert_params + backbone_params + 2 * embedding_params + router_params


@quantity("Active parameters of a token", "Gparam")
def moe_active_params(moe_layers, experts_per_token, expert_size, backbone_params, embedding_params, router_params):
    """The output table works on every token, the input table only looks one row up."""
    return moe_layers * experts_per_token * expert_size + backbone_params + embedding_params + router_params


@quantity("Latent cache of a token", "kB")
def latent_kv_per_token(layers, latent_rank, rotary_size, bytes_per_kv):
    """Bytes: one latent for all heads."""
    return layers * (latent_rank + rotary_size) * bytes_per_kv


@quantity("Experts shared out over the GPUs", "GB")
def expert_bytes(moe_expert_params, expert_weight_bytes):
    """Bytes."""
    return moe_expert_params * expert_weight_bytes


@quantity("Copied to every GPU", "GB")
def replicated_bytes(backbone_params, bytes_per_weight, embedding_params, router_params, table_weight_bytes):
    """Bytes: attention runs data parallel; tables and routers keep a wider format."""
    return backbone_params * bytes_per_weight + (2 * embedding_params + router_params) * table_weight_bytes


@quantity("Weights of the build", "GB")
def moe_weight_bytes(expert_bytes, replicated_bytes):
    """Bytes, each weight once."""
    return expert_bytes + replicated_bytes
