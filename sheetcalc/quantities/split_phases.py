"""Prefill and decode on the same replicas or in two pools, without attention, all-reduces or overhead. Source: calculators B (h), file
000's model.

Together wins or loses in closed form: a decode replica may be loaded up to 1 − a / TPOT, a prefill replica up to its cap, and together
everything is held to the lower of the two. Longer prompts enlarge the difference and do not turn its sign.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, floor, given, if_, least, when


@quantity("Prefill of a request, matrix work", "ms")
def request_gemm_time(uncached_tokens, prompt_gemm_time):
    """Seconds."""
    return uncached_tokens * prompt_gemm_time


@quantity("Step, memory alone", "ms")
def memory_step(weight_read_time, batch, kv_read_time):
    """Seconds: weights once, the KV cache of the batch."""
    return weight_read_time + batch * kv_read_time


@quantity("Memory for KV cache on a GPU", "GB")
def split_kv_room(usable_memory, weights_per_gpu):
    """Bytes."""
    return usable_memory - weights_per_gpu


@quantity("Sequences that fit", "")
def split_residents(split_kv_room, kv_shards, decode_context, kv_per_token):
    """Whole sequences."""
    return floor(split_kv_room * kv_shards / (decode_context * kv_per_token))


@check("The batch fits in memory", "a batch of {batch:0} does not fit: {split_residents:0} sequences at most")
def split_batch_fits(batch, split_residents):
    return batch <= split_residents


@quantity("Prefill work", "replica·s/s")
def split_prefill_work(request_rate, request_gemm_time):
    return request_rate * request_gemm_time


@quantity("Decode work", "replica·s/s")
def split_decode_work(request_rate, output_tokens, memory_step, batch):
    return request_rate * output_tokens * memory_step / batch


@quantity("Share of prefill in the work", "%")
def prefill_work_share(split_prefill_work, split_decode_work):
    """Fraction."""
    return split_prefill_work / (split_prefill_work + split_decode_work)


@quantity("Replicas together", "")
def together_replicas(split_prefill_work, split_decode_work, utilization_cap):
    return ceil((split_prefill_work + split_decode_work) / utilization_cap)


@quantity("GPUs together", "")
def together_gpus(together_replicas, gpus_per_replica):
    return together_replicas * gpus_per_replica


@quantity("GPUs that prefill", "")
def split_prefill_gpus(split_prefill_work, prefill_cap, gpus_per_replica):
    """Whole replicas."""
    return ceil(split_prefill_work / prefill_cap) * gpus_per_replica


@quantity("GPUs that decode", "")
def split_decode_gpus(split_decode_work, utilization_cap, gpus_per_replica):
    """Whole replicas."""
    return ceil(split_decode_work / utilization_cap) * gpus_per_replica


@quantity("GPUs in two pools", "")
def split_gpus(split_prefill_gpus, split_decode_gpus):
    return split_prefill_gpus + split_decode_gpus


@quantity("Cost together", "$/h")
def together_cost(together_gpus, gpu_hour_price):
    """Dollars per hour."""
    return together_gpus * gpu_hour_price


@quantity("Cost together in a month", "$/month")
def together_cost_month(together_cost, hours_per_month):
    """Dollars per month."""
    return together_cost * hours_per_month


@quantity("Cost in two pools", "$/h")
def split_cost(split_gpus, gpu_hour_price):
    """Dollars per hour."""
    return split_gpus * gpu_hour_price


@quantity("Cost of output tokens together, at the rated load", "$/M tok")
def together_output_cost(together_cost, request_rate, output_tokens, seconds_per_hour):
    """Dollars per token."""
    return together_cost / (request_rate * output_tokens * seconds_per_hour)


@quantity("Cost of all tokens together, at the rated load", "$/M tok")
def together_token_cost(together_cost, request_rate, prompt_tokens, output_tokens, seconds_per_hour):
    """Dollars per token, prompt and answer."""
    return together_cost / (request_rate * (prompt_tokens + output_tokens) * seconds_per_hour)


@quantity("Worst TPOT together", "ms")
def together_tpot_worst(memory_step, split_prefill_work, split_decode_work):
    """Seconds, at full load; the number of replicas does not change it."""
    return memory_step * (split_prefill_work + split_decode_work) / split_decode_work


@check(
    "The worst TPOT together meets the target", "at full load a token takes {together_tpot_worst:1}, the target is {tpot_target:0}", "alert"
)
def together_meets_target(together_tpot_worst, tpot_target):
    return together_tpot_worst <= tpot_target


@check("Some batch meets the TPOT target", "no batch meets this TPOT on either layout: an empty step takes {weight_read_time:1}")
def tpot_reachable(tpot_target, weight_read_time):
    return tpot_target > weight_read_time


@quantity("Load that TPOT and cap allow", "%")
def decode_load_allowed(tpot_reachable, utilization_cap, weight_read_time, tpot_target):
    """Fraction of a replica's time: the rest of a step is the read of the weights."""
    return when(tpot_reachable, least(utilization_cap, 1 - weight_read_time / tpot_target))


@quantity("Decode work of a request at a large batch", "ms")
def sequence_decode_work(kv_read_time, output_tokens):
    """Replica-seconds: its own KV reads."""
    return kv_read_time * output_tokens


@quantity("Replicas together, exact", "")
def together_exact(request_rate, request_gemm_time, sequence_decode_work, decode_load_allowed):
    """At the batch that the load itself makes."""
    return request_rate * (request_gemm_time + sequence_decode_work) / decode_load_allowed


@quantity("Replicas in two pools, exact", "")
def split_exact(request_rate, request_gemm_time, prefill_cap, sequence_decode_work, decode_load_allowed):
    """At the batch that the load itself makes."""
    return request_rate * (request_gemm_time / prefill_cap + sequence_decode_work / decode_load_allowed)


@check("Two pools take fewer GPUs", "together takes no more GPUs at this TPOT", "alert")
def split_wins(decode_load_allowed, prefill_cap):
    return decode_load_allowed < prefill_cap


@quantity("What two pools save, before whole replicas are counted", "$/month")
def split_saving(request_rate, request_gemm_time, decode_load_allowed, prefill_cap, gpus_per_replica, gpu_hour_price, hours_per_month):
    """Dollars per month, prefill at its own cap instead of the lower of the two; negative when two pools cost more."""
    return (
        request_rate * request_gemm_time * (1 / decode_load_allowed - 1 / prefill_cap) * gpus_per_replica * gpu_hour_price * hours_per_month
    )


@check("The caps leave a reversal", "two pools win at every TPOT: the cap together is below the cap of prefill", "alert")
def reversal_exists(utilization_cap, prefill_cap):
    return utilization_cap >= prefill_cap


@quantity("TPOT below which two pools take fewer GPUs", "ms")
def reversal_tpot(reversal_exists, weight_read_time, prefill_cap):
    """Seconds."""
    return when(reversal_exists, weight_read_time / (1 - prefill_cap))


@check("Some batch meets the tight target", "no batch meets a TPOT of {tight_target:1} on either layout", "alert")
def tight_reachable(tight_target, weight_read_time):
    return tight_target > weight_read_time


@quantity("Two pools save at the tight target", "")
def tight_pays(tight_saving):
    return given(if_(tight_saving > 0, 1, 0), 0)


@quantity("What two pools save at the tight target", "$/month")
def tight_saving(
    tight_reachable,
    request_rate,
    request_gemm_time,
    utilization_cap,
    weight_read_time,
    tight_target,
    prefill_cap,
    gpus_per_replica,
    gpu_hour_price,
    hours_per_month,
):
    """Dollars per month, before whole replicas are counted."""
    return when(
        tight_reachable,
        request_rate
        * request_gemm_time
        * (1 / least(utilization_cap, 1 - weight_read_time / tight_target) - 1 / prefill_cap)
        * gpus_per_replica
        * gpu_hour_price
        * hours_per_month,
    )


@quantity("Share of a replica's time that grows with its load", "%")
def together_saturation(request_rate, together_replicas, request_gemm_time, sequence_decode_work):
    """Fraction."""
    return request_rate / together_replicas * (request_gemm_time + sequence_decode_work)


@quantity("TPOT at the batch that the load makes", "ms")
def together_tpot(weight_read_time, together_saturation):
    """Seconds."""
    return weight_read_time / (1 - together_saturation)


@quantity("Sequences running in a replica", "")
def together_batch(request_rate, together_replicas, output_tokens, together_tpot):
    """Little's law."""
    return request_rate / together_replicas * output_tokens * together_tpot


@quantity("KV cache of a prompt", "MB")
def prompt_kv(prompt_tokens, kv_per_token):
    """Bytes."""
    return prompt_tokens * kv_per_token


@quantity("KV cache from pool to pool", "GB/s")
def split_kv_rate(request_rate, prompt_kv):
    """Bytes per second."""
    return request_rate * prompt_kv


@quantity("Use of the prefill pool's network links", "%")
def split_link_use(split_kv_rate, split_prefill_gpus, nic_bandwidth, nic_share):
    """Fraction."""
    return split_kv_rate / (split_prefill_gpus * nic_bandwidth * nic_share)


@check(
    "The network carries the KV cache from pool to pool",
    "the prefill pool's network links would be used {split_link_use:0}; keep both phases together",
)
def split_network_carries(split_link_use):
    return split_link_use <= 1


@quantity("Hand-over of a request", "ms")
def split_handover(prompt_kv, gpus_per_replica, nic_bandwidth, nic_share):
    """Seconds over the links of a replica."""
    return prompt_kv / (gpus_per_replica * nic_bandwidth * nic_share)
