"""Long prompts, cold and warm: what each costs to prefill, and how often a prompt is cold. Source: calculators B (e)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import most, when


@quantity("Tokens of a cold prompt", "tok")
def cold_tokens(prefix_within_prompt, prompt_tokens, shared_prefix_tokens):
    """Those that no cache of any session holds."""
    return when(prefix_within_prompt, prompt_tokens - shared_prefix_tokens)


@quantity("Cold prompt, matrix work", "s")
def cold_gemm(cold_tokens, prompt_gemm_time):
    """Seconds; doubles with the prompt."""
    return cold_tokens * prompt_gemm_time


@quantity("Cold prompt, attention", "s")
def cold_attention(cold_tokens, shared_prefix_tokens, prompt_pair_time):
    """Seconds; quadruples with the prompt."""
    return cold_tokens * (shared_prefix_tokens + cold_tokens / 2) * prompt_pair_time


@quantity("Cold prompt, compute", "s")
def cold_compute(cold_gemm, cold_attention):
    """Seconds."""
    return cold_gemm + cold_attention


@quantity("Cold prompt, all-reduces if nothing hides them", "s")
def cold_reduces(all_reduce_slab, cold_tokens, all_reduce_per_sequence):
    """Seconds."""
    return all_reduce_slab + cold_tokens * all_reduce_per_sequence


@quantity("Cold prompt", "s")
def cold_time(cold_compute, exposed_reduce_share, cold_reduces):
    """Seconds."""
    return cold_compute + exposed_reduce_share * cold_reduces


@quantity("Cold prompts that a replica can take", "req/s")
def cold_rate_of_replica(cold_time):
    """1/s, always busy."""
    return 1 / cold_time


@quantity("Warm prompt", "ms")
def warm_time(
    turn_tokens,
    prompt_gemm_time,
    prompt_tokens,
    prompt_pair_time,
    exposed_reduce_share,
    all_reduce_slab,
    all_reduce_per_sequence,
    weight_read_time,
    turn_within_prompt,
):
    """Seconds: the new tokens of a turn over the whole context, and at least one read of the weights."""
    return when(
        turn_within_prompt,
        most(
            turn_tokens * prompt_gemm_time
            + turn_tokens * (prompt_tokens - turn_tokens / 2) * prompt_pair_time
            + exposed_reduce_share * (all_reduce_slab + turn_tokens * all_reduce_per_sequence),
            weight_read_time,
        ),
    )


@quantity("Cold over warm", "x")
def cold_over_warm(cold_time, warm_time):
    return cold_time / warm_time


@check("A turn is no longer than its prompt", "a turn adds {turn_tokens:0} to a prompt of {prompt_tokens:0}; enter fewer")
def turn_within_prompt(turn_tokens, prompt_tokens):
    return turn_tokens <= prompt_tokens


@check(
    "The shared prefix is shorter than the prompt",
    "the shared prefix of {shared_prefix_tokens:0} is not shorter than the prompt; enter fewer",
)
def prefix_within_prompt(shared_prefix_tokens, prompt_tokens):
    return shared_prefix_tokens < prompt_tokens


@quantity("KV cache of a session", "GB")
def session_kv(prompt_tokens, kv_per_token):
    """Bytes."""
    return prompt_tokens * kv_per_token


@quantity("Hand-over of its KV cache to another replica", "ms")
def session_handover(session_kv, gpus_per_replica, nic_bandwidth, nic_share):
    """Seconds over the network links of all GPUs."""
    return session_kv / (gpus_per_replica * nic_bandwidth * nic_share)


@quantity("Fetch of its KV cache from host memory", "ms")
def session_fetch(session_kv, gpus_per_replica, host_bandwidth):
    """Seconds over the PCIe links of all GPUs."""
    return session_kv / (gpus_per_replica * host_bandwidth)


@quantity("Share of cold prompts", "%")
def cold_share(turns_per_session, routing_hit_share, residency_share):
    """Fraction: the first turn of each session, and later turns that miss the replica or its memory."""
    return 1 / turns_per_session + (1 - 1 / turns_per_session) * (1 - routing_hit_share * residency_share)


@quantity("Share of warm prompts", "%")
def warm_share(cold_share):
    """Fraction."""
    return 1 - cold_share


@quantity("Cold prompts", "req/s")
def cold_rate(request_rate, cold_share):
    """1/s."""
    return request_rate * cold_share


@quantity("Prefill work if every prompt were cold", "replica·s/s")
def all_cold_work(request_rate, cold_time):
    return request_rate * cold_time


@quantity("Prefill work of the cold prompts", "replica·s/s")
def cold_work(cold_rate, cold_time):
    return cold_rate * cold_time
