"""What a step of a mixture of experts reads, by the tokens in it, and when compute overtakes. Source: calculators B (h), general
roofline."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ln, when


@quantity("Share of the experts that the tokens reach", "%")
def token_coverage(routing_possible, experts_per_token, experts, step_tokens):
    """Fraction of distinct experts under uniform routing."""
    return when(routing_possible, 1 - (1 - experts_per_token / experts) ** step_tokens)


@quantity("Distinct experts", "")
def distinct_experts(experts, token_coverage):
    """In each layer."""
    return experts * token_coverage


@quantity("Weights outside the routed experts", "GB")
def unrouted_bytes(moe_active_params, experts_per_token, experts, moe_expert_params, bytes_per_weight):
    """Bytes that every step reads."""
    return (moe_active_params - experts_per_token / experts * moe_expert_params) * bytes_per_weight


@quantity("Weights that a step reads", "GB")
def step_weight_bytes(token_coverage, moe_expert_params, bytes_per_weight, unrouted_bytes):
    """Bytes."""
    return token_coverage * moe_expert_params * bytes_per_weight + unrouted_bytes


@quantity("Weights read for a token", "GB")
def token_weight_bytes(step_weight_bytes, step_tokens):
    """Bytes."""
    return step_weight_bytes / step_tokens


@quantity("Tokens of a distinct expert", "")
def tokens_per_expert(step_tokens, experts_per_token, distinct_experts):
    return step_tokens * experts_per_token / distinct_experts


@quantity("Arithmetic for each byte read", "FLOP/B")
def step_intensity(flops_per_param, moe_active_params, token_weight_bytes):
    return flops_per_param * moe_active_params / token_weight_bytes


@quantity("Arithmetic for each byte at which compute takes over", "FLOP/B")
def ridge_intensity(peak_compute, mfu, bandwidth, mbu):
    """What the GPU reaches of both."""
    return peak_compute * mfu / (bandwidth * mbu)


@quantity("Tokens in a step at which compute takes over, dense model", "")
def dense_ridge_batch(ridge_intensity, bytes_per_weight, flops_per_param):
    return ridge_intensity * bytes_per_weight / flops_per_param


@quantity("All over active parameters", "x")
def total_over_active(moe_total_params, moe_active_params):
    return moe_total_params / moe_active_params


@quantity("Tokens in a step at which compute takes over, every expert read", "")
def moe_ridge_batch(dense_ridge_batch, total_over_active):
    return dense_ridge_batch * total_over_active


@check("The token visits some experts and not all", "a token visits every expert: the model is dense", "alert")
def routes_tokens(experts_per_token, experts):
    return experts_per_token < experts


@quantity("Tokens in a step that reach this share of the experts", "")
def coverage_tokens(routes_tokens, wanted_coverage, experts_per_token, experts):
    return when(routes_tokens, ln(1 - wanted_coverage) / ln(1 - experts_per_token / experts))


@quantity("Memory bill", "$/M tok")
def token_memory_cost(token_weight_bytes, bandwidth, mbu, gpu_hour_price, seconds_per_hour):
    """Dollars per output token for reading weights, cache aside."""
    return token_weight_bytes / (bandwidth * mbu) * gpu_hour_price / seconds_per_hour


@quantity("Compute bill", "$/M tok")
def token_compute_cost(flops_per_param, moe_active_params, peak_compute, mfu, gpu_hour_price, seconds_per_hour):
    """Dollars per output token for matrix work."""
    return flops_per_param * moe_active_params / (peak_compute * mfu) * gpu_hour_price / seconds_per_hour
