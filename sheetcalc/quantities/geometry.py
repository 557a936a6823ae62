"""What the model is: looked up in the catalogue by its name."""

from sheetcalc.model import quantity
from sheetcalc.operations import at


@quantity("Parameters", "Gparam")
def params_catalogue(model_params, model_name, model):
    """All parameters, as published."""
    return at(model_params, model_name, model)


@quantity("Active parameters per token", "Gparam")
def active_params_catalogue(model_active_params, model_name, model):
    """Parameters that one token passes through (all of them in a dense model)."""
    return at(model_active_params, model_name, model)


@quantity("Expert parameters", "Gparam")
def expert_params_catalogue(model_expert_params, model_name, model):
    """Parameters that live in experts (0 in a dense model)."""
    return at(model_expert_params, model_name, model)


@quantity("Experts", "")
def experts_catalogue(model_experts, model_name, model):
    """Routed experts per layer (0 in a dense model)."""
    return at(model_experts, model_name, model)


@quantity("Experts per token", "")
def experts_per_token_catalogue(model_experts_per_token, model_name, model):
    """Experts that one token visits (0 in a dense model)."""
    return at(model_experts_per_token, model_name, model)


@quantity("Layers", "")
def layers_catalogue(model_layers, model_name, model):
    """Transformer layers."""
    return at(model_layers, model_name, model)


@quantity("Layers that keep the whole context", "")
def kv_layers_catalogue(model_kv_layers, model_name, model):
    """Layers with full attention."""
    return at(model_kv_layers, model_name, model)


@quantity("Layers that keep a window", "")
def window_layers_catalogue(model_window_layers, model_name, model):
    """Layers with sliding-window attention."""
    return at(model_window_layers, model_name, model)


@quantity("Window", "tok")
def window_catalogue(model_window, model_name, model):
    """Tokens that a sliding-window layer keeps."""
    return at(model_window, model_name, model)


@quantity("KV heads", "")
def kv_heads_catalogue(model_kv_heads, model_name, model):
    """Key and value heads (1 for the latent of MLA, which every tensor-parallel GPU copies)."""
    return at(model_kv_heads, model_name, model)


@quantity("Query heads", "")
def query_heads_catalogue(model_query_heads, model_name, model):
    """Query heads."""
    return at(model_query_heads, model_name, model)


@quantity("Size of a head", "")
def head_size_catalogue(model_head_dim, model_name, model):
    """Elements of a head (MLA: latent and rope part)."""
    return at(model_head_dim, model_name, model)


@quantity("Size of a query head", "")
def query_head_size_catalogue(model_query_head_dim, model_name, model):
    """Elements of a query head, for the arithmetic of attention."""
    return at(model_query_head_dim, model_name, model)


@quantity("Tensors kept per token", "")
def kv_tensors_catalogue(model_kv_tensors, model_name, model):
    """2 for keys and values, 1 for the shared latent of MLA."""
    return at(model_kv_tensors, model_name, model)


@quantity("Width of the model", "")
def hidden_catalogue(model_hidden, model_name, model):
    """Hidden size."""
    return at(model_hidden, model_name, model)
