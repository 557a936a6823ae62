"""A pool that prefills and a pool that decodes, on two generations of GPUs: sizes, cost, roles and what the network carries.

Roles follow comparative advantage: the old generation prefills when its cost against the new one is worse for decoded tokens than for
prompt tokens. The new generation may be cheaper at both. Source: calculators B (d).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, ceil, given, highest_at, if_


@quantity("Prefill work", "replica·s/s")
def pool_prefill_work(request_rate, prompt_tokens, moe_prefill_time):
    """Instance-seconds a second."""
    return request_rate * prompt_tokens * moe_prefill_time


@quantity("Prefill instances", "")
def pool_prefill_instances(pool_prefill_work, prefill_cap):
    return ceil(pool_prefill_work / prefill_cap)


@quantity("Prefill GPUs", "")
def pool_prefill_gpus(pool_prefill_instances, instance_gpus):
    return pool_prefill_instances * instance_gpus


@quantity("Prefill pool", "$/h")
def pool_prefill_cost(pool_prefill_gpus, gpu_hour_price):
    """Dollars per hour."""
    return pool_prefill_gpus * gpu_hour_price


@quantity("Decode work", "replica·s/s")
def pool_decode_work(request_rate, output_tokens, instance_rate):
    """Instance-seconds a second."""
    return request_rate * output_tokens / instance_rate


@quantity("Decode instances", "")
def pool_decode_instances(pool_decode_work, decode_cap):
    return ceil(pool_decode_work / decode_cap)


@quantity("Decode GPUs", "")
def pool_decode_gpus(pool_decode_instances, instance_gpus):
    return pool_decode_instances * instance_gpus


@quantity("Decode pool", "$/h")
def pool_decode_cost(pool_decode_gpus, gpu_hour_price):
    """Dollars per hour."""
    return pool_decode_gpus * gpu_hour_price


@quantity("Prompt tokens, everything busy", "$/M tok")
def prompt_token_cost(moe_prefill_time, instance_gpus, gpu_hour_price, seconds_per_hour):
    """Dollars per token."""
    return moe_prefill_time * instance_gpus * gpu_hour_price / seconds_per_hour


@quantity("Output tokens, everything busy", "$/M tok")
def output_token_cost(instance_gpus, gpu_hour_price, seconds_per_hour, instance_rate):
    """Dollars per token."""
    return instance_gpus * gpu_hour_price / seconds_per_hour / instance_rate


@quantity("Cost of a prompt token, old over new generation", "x")
def prefill_cost_ratio(prompt_token_cost, build, old_build, new_build):
    return at(prompt_token_cost, build, old_build) / at(prompt_token_cost, build, new_build)


@quantity("Cost of an output token, old over new generation", "x")
def decode_cost_ratio(output_token_cost, build, old_build, new_build):
    return at(output_token_cost, build, old_build) / at(output_token_cost, build, new_build)


@check("Both builds fit", "{old_build} or {new_build} fits no node count of the table with a sequence of {longest_context:0} on each GPU")
def builds_fit(fitting_layouts, build, old_build, new_build):
    return both(at(fitting_layouts, build, old_build) > 0, at(fitting_layouts, build, new_build) > 0)


@check(
    "The new generation decodes at the target",
    "{new_build} cannot decode at {tpot_target:0}: one sequence on each GPU already takes longer",
)
def new_can_decode(serving_batches, build, new_build):
    return at(serving_batches, build, new_build) > 0


@check("The old generation decodes at the target", "{old_build} cannot decode at {tpot_target:0}", "alert")
def old_can_decode(serving_batches, build, old_build):
    return at(serving_batches, build, old_build) > 0


@check("Narrow experts are narrower", "the experts of {narrow_build} are wider than those of {new_build}; enter fewer bytes for them")
def narrow_is_narrower(expert_weight_bytes, build, narrow_build, new_build):
    return at(expert_weight_bytes, build, narrow_build) <= at(expert_weight_bytes, build, new_build)


@quantity("Peak arithmetic for a dollar, old over new generation", "x")
def compute_per_dollar_ratio(peak_compute, gpu_hour_price, build, old_build, new_build):
    return (
        at(peak_compute, build, old_build)
        / at(gpu_hour_price, build, old_build)
        / (at(peak_compute, build, new_build) / at(gpu_hour_price, build, new_build))
    )


@quantity("Bandwidth for a dollar, old over new generation", "x")
def bandwidth_per_dollar_ratio(bandwidth, gpu_hour_price, build, old_build, new_build):
    return (
        at(bandwidth, build, old_build)
        / at(gpu_hour_price, build, old_build)
        / (at(bandwidth, build, new_build) / at(gpu_hour_price, build, new_build))
    )


@quantity("Memory for a dollar, old over new generation", "x")
def memory_per_dollar_ratio(hbm, gpu_hour_price, build, old_build, new_build):
    return (
        at(hbm, build, old_build)
        / at(gpu_hour_price, build, old_build)
        / (at(hbm, build, new_build) / at(gpu_hour_price, build, new_build))
    )


@quantity("The old generation prefills", "")
def old_prefills(decode_cost_ratio, prefill_cost_ratio):
    """1 when it does: also when it cannot decode at the target at all."""
    return given(if_(decode_cost_ratio > prefill_cost_ratio, 1, 0), 1)


@quantity("Price below which the old generation prefills as cheaply", "$/h")
def old_breakeven_price(gpu_hour_price, build, old_build, prefill_cost_ratio):
    """Dollars per GPU-hour, before whole instances are counted."""
    return at(gpu_hour_price, build, old_build) / prefill_cost_ratio


@quantity("Cost of the plan", "$/h")
def option_cost(pool_prefill_cost, build, prefill_build, pool_decode_cost, decode_build):
    """Dollars per hour."""
    return at(pool_prefill_cost, build, prefill_build) + at(pool_decode_cost, build, decode_build)


@quantity("Hours of the plan for a dollar", "h/$")
def option_hours_per_dollar(option_cost):
    """0 where a pool cannot be built."""
    return given(1 / option_cost, 0)


@quantity("Cheapest plan", "")
def cheapest_option(option_hours_per_dollar, option):
    """The first of those that cost the same."""
    return highest_at(option_hours_per_dollar, option)


@quantity("Cost of the cheapest plan", "$/h")
def cheapest_option_cost(option_cost, option, cheapest_option):
    """Dollars per hour."""
    return at(option_cost, option, cheapest_option)


@quantity("One format on both generations", "$/h")
def roles_cost(option_cost, option, roles_option):
    """Dollars per hour."""
    return at(option_cost, option, roles_option)


@quantity("Narrow experts on the decoders only", "$/h")
def mixed_cost(option_cost, option, mixed_option):
    """Dollars per hour."""
    return at(option_cost, option, mixed_option)


@quantity("Narrow experts on both", "$/h")
def agreed_cost(option_cost, option, agreed_option):
    """Dollars per hour; expanding the experts in the old generation's kernels is not counted."""
    return at(option_cost, option, agreed_option)


@quantity("What different weights save", "$/h")
def mixed_saving(roles_cost, mixed_cost, quality_cost):
    """Dollars per hour, after what the loss of quality costs."""
    return roles_cost - mixed_cost - quality_cost


@quantity("What the same narrow experts on both save", "$/month")
def agreed_saving_month(roles_cost, agreed_cost, hours_per_month):
    """Dollars per month."""
    return (roles_cost - agreed_cost) * hours_per_month


@quantity("Output tokens of the plan in one format", "$/M tok")
def roles_output_cost(roles_cost, request_rate, output_tokens, seconds_per_hour):
    """Dollars per token at the request rate."""
    return roles_cost / (request_rate * output_tokens * seconds_per_hour)


@quantity("Output tokens of the plan with mixed weights", "$/M tok")
def mixed_output_cost(mixed_cost, request_rate, output_tokens, seconds_per_hour):
    """Dollars per token at the request rate."""
    return mixed_cost / (request_rate * output_tokens * seconds_per_hour)


@quantity("Context that the other weights wrote", "%")
def foreign_context_share(prompt_tokens, output_tokens):
    """Fraction of the mean context while decoding."""
    return prompt_tokens / (prompt_tokens + output_tokens / 2)


@quantity("Replies prefilled again when the cache is keyed by weights", "$/h")
def reply_prefill_cost(request_rate, output_tokens, prompt_token_cost, build, old_build, prefill_cap, seconds_per_hour):
    """Dollars per hour."""
    return request_rate * output_tokens * at(prompt_token_cost, build, old_build) / prefill_cap * seconds_per_hour


@quantity("GPUs that prefill", "")
def roles_prefill_gpus(pool_prefill_gpus, build, old_build):
    return at(pool_prefill_gpus, build, old_build)


@quantity("GPUs that decode", "")
def roles_decode_gpus(pool_decode_gpus, build, new_build):
    return at(pool_decode_gpus, build, new_build)


@quantity("GPUs that decode with narrow experts", "")
def mixed_decode_gpus(pool_decode_gpus, build, narrow_build):
    return at(pool_decode_gpus, build, narrow_build)


@quantity("KV cache over the network", "GB/s")
def pool_kv_rate(request_rate, prompt_tokens, latent_kv_per_token):
    """Bytes per second."""
    return request_rate * prompt_tokens * latent_kv_per_token


@quantity("Use of the prefill pool's network links", "%")
def prefill_link_use(pool_kv_rate, roles_prefill_gpus, nic_bandwidth, exchange_nic_share):
    """Fraction."""
    return pool_kv_rate / (roles_prefill_gpus * nic_bandwidth * exchange_nic_share)


@quantity("Use of the decode pool's network links", "%")
def decode_link_use(pool_kv_rate, roles_decode_gpus, nic_bandwidth, exchange_nic_share):
    """Fraction."""
    return pool_kv_rate / (roles_decode_gpus * nic_bandwidth * exchange_nic_share)


@check(
    "The network carries the KV cache",
    "the prefill pool's network links would be used {prefill_link_use}; add links or keep both phases together",
)
def network_carries(prefill_link_use):
    return prefill_link_use <= 1


@quantity("Hand-over of a request's KV cache, one link", "ms")
def pool_handover_time(prompt_tokens, latent_kv_per_token, nic_bandwidth, exchange_nic_share):
    """Seconds."""
    return prompt_tokens * latent_kv_per_token / (nic_bandwidth * exchange_nic_share)


@quantity("Prefill of a request", "ms")
def pool_prefill_request_time(prompt_tokens, moe_prefill_time, build, old_build):
    """Seconds on an instance of the old generation."""
    return prompt_tokens * at(moe_prefill_time, build, old_build)


@quantity("Share of the hand-over in the first token", "%")
def pool_handover_share(pool_handover_time, pool_prefill_request_time):
    """Fraction of prefill and hand-over."""
    return pool_handover_time / (pool_prefill_request_time + pool_handover_time)
