"""What a replica holds when nobody waits: the largest batch, a prefix shared in memory. Source: calculators C, sections 0.1 and a."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import floor, if_, least, when


@quantity("Memory for KV cache of a replica", "GB")
def kv_room(kv_budget, kv_shards):
    """Of all GPUs that share a sequence's cache."""
    return kv_budget * kv_shards


@quantity("Decode time per token of context", "µs")
def context_decode_time(kv_per_token, kv_shards, reached_bandwidth, weights_per_gpu, kv_budget):
    """With a full KV pool: the cache of the token, and its share of the weights. The constant that governs offline work."""
    return kv_per_token / (kv_shards * reached_bandwidth) * (1 + weights_per_gpu / kv_budget)


@quantity("Prompt tokens", "tok")
def prompt_tokens(sent_prompt_tokens, prompt_trim, shared_prefix_tokens):
    """What is left after trimming the part that is not shared."""
    return sent_prompt_tokens - prompt_trim * (sent_prompt_tokens - shared_prefix_tokens)


@check(
    "The shared prefix is part of the prompt",
    "the shared prefix of {shared_prefix_tokens} is longer than the prompt of {sent_prompt_tokens}",
)
def prefix_is_part(shared_prefix_tokens, sent_prompt_tokens):
    return shared_prefix_tokens <= sent_prompt_tokens


@quantity("Output tokens", "tok")
def output_tokens(answer_tokens, output_scale):
    """Tokens an item: an answer, times how many or how much of it."""
    return answer_tokens * output_scale


@quantity("Cached share of the prompt", "%")
def prefix_hit_share(prefix_is_part, shared_prefix_hit_share, shared_prefix_tokens, prompt_tokens):
    """Share of all prompt tokens that the cache serves."""
    return when(prefix_is_part, shared_prefix_hit_share * shared_prefix_tokens / prompt_tokens)


@quantity("A prefix stands in memory", "")
def prefix_in_memory(shared_prefix_hit_share, prefix_kv_shared):
    """1 when prefixes are cached and sequences share their copy."""
    return if_(shared_prefix_hit_share > 0, prefix_kv_shared, 0)


@quantity("KV cache of the prefixes", "GB")
def prefix_kv(prefix_in_memory, resident_prefixes, shared_prefix_tokens, kv_per_token):
    """Each prefix once."""
    return prefix_in_memory * resident_prefixes * shared_prefix_tokens * kv_per_token


@quantity("Context that a sequence holds for itself", "tok")
def private_context(prompt_tokens, prefix_in_memory, shared_prefix_hit_share, shared_prefix_tokens, output_tokens):
    """Prompt without the shared part, and half the output."""
    return prompt_tokens - prefix_in_memory * shared_prefix_hit_share * shared_prefix_tokens + output_tokens / 2


@quantity("KV cache that a sequence holds for itself", "MB")
def private_kv(kv_per_token, private_context, kv_per_window_token, window):
    """At its mean context; window layers keep no more than their window."""
    return kv_per_token * private_context + kv_per_window_token * least(private_context, window)


@quantity("Sequences that fit beside the prefixes", "")
def offline_sequences(kv_room, prefix_kv, private_kv):
    """Whole sequences."""
    return floor((kv_room - prefix_kv) / private_kv)


@check(
    "One sequence fits",
    "not one sequence fits: {private_kv} of KV cache each on {kv_room}; use more GPUs a replica or a narrower KV format",
)
def offline_fits(offline_sequences):
    return offline_sequences >= 1


@quantity("Batch", "")
def offline_batch(offline_fits, max_batch, offline_sequences):
    """As many as memory and engine allow: nobody waits for a token."""
    return when(offline_fits, least(max_batch, offline_sequences))


@quantity("Step, memory", "ms")
def offline_step(weights_per_gpu, offline_batch, kv_per_sequence_gpu, reached_bandwidth):
    """Weights once and the whole cache, a shared prefix once for every sequence."""
    return (weights_per_gpu + offline_batch * kv_per_sequence_gpu) / reached_bandwidth
