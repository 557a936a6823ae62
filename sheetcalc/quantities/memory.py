"""What fits: weights, KV cache, resident sequences."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import floor, if_, least, same, when


@quantity("Weights", "GB")
def weights(params, bytes_per_weight):
    """All parameters in their format."""
    return params * bytes_per_weight


@quantity("Weights per GPU", "GB")
def weights_per_gpu(weights, gpus_per_replica):
    """Weights cut evenly over the GPUs of a replica (file 000)."""
    return weights / gpus_per_replica


@quantity("Memory for weights and KV cache, per GPU", "GB")
def usable_memory(hbm, memory_fraction, memory_reserve):
    """What the engine may use, less a reserve for activations and graphs (file 000: 0.92 and 3 GB)."""
    return hbm * memory_fraction - memory_reserve


@check("The weights fit", "weights do not fit: {weights_per_gpu} a GPU on {usable_memory}; use more GPUs a replica or a narrower format")
def weights_fit(weights_per_gpu, usable_memory):
    return weights_per_gpu < usable_memory


@quantity("Memory left for KV cache, per GPU", "GB")
def kv_budget(weights_fit, usable_memory, weights_per_gpu):
    """Usable memory less weights."""
    return when(weights_fit, usable_memory - weights_per_gpu)


@quantity("KV cache per token and layer", "B")
def kv_per_token_layer(kv_tensors, kv_heads, head_size, bytes_per_kv):
    """Keys and values of one token in one layer (MLA: one shared latent)."""
    return kv_tensors * kv_heads * head_size * bytes_per_kv


@quantity("KV cache per token", "kB")
def kv_per_token(kv_per_token_layer, kv_layers):
    """Layers with full attention times what one of them keeps: 2 × layers × KV heads × head size × bytes (file 000)."""
    return kv_per_token_layer * kv_layers


@quantity("KV cache per token in window layers", "kB")
def kv_per_window_token(kv_per_token_layer, window_layers):
    """What sliding-window layers keep per token inside their window."""
    return kv_per_token_layer * window_layers


@quantity("Context of a running sequence", "tok")
def decode_context(prompt_tokens, output_tokens):
    """Prompt and, on average, half of the output (file 000)."""
    return prompt_tokens + output_tokens / 2


@quantity("Context that a resident sequence holds", "tok")
def resident_context(prompt_tokens, output_tokens, residency_rule):
    """mean: prompt and half the output; reserved: prompt and all of the output (decision 7)."""
    return prompt_tokens + if_(same(residency_rule, "reserved"), output_tokens, output_tokens / 2)


@quantity("GPUs that share a sequence's KV cache", "")
def kv_shards(attention_parallelism, gpus_per_replica, kv_heads):
    """tensor: KV heads are dealt out and copied beyond their number (decision 5); data: each sequence lives once (decision 9)."""
    return if_(same(attention_parallelism, "data"), gpus_per_replica, least(gpus_per_replica, kv_heads))


@quantity("KV cache per sequence", "MB")
def kv_per_sequence(kv_per_token, decode_context, kv_per_window_token, window):
    """KV cache of a running sequence at its mean context; window layers keep no more than their window."""
    return kv_per_token * decode_context + kv_per_window_token * least(decode_context, window)


@quantity("KV cache per sequence and GPU", "MB")
def kv_per_sequence_gpu(kv_per_sequence, kv_shards):
    """What a GPU reads for one running sequence in a step."""
    return kv_per_sequence / kv_shards


@quantity("KV cache held per resident sequence and GPU", "MB")
def kv_held_per_sequence(kv_per_token, resident_context, kv_per_window_token, kv_allocator, window, kv_shards):
    """What a GPU must hold for one resident sequence under the residency rule; uniform pages reserve for window layers what they
    reserve for
    the others (alvarobartt/hf-mem issues 60 and 70: vLLM on gpt-oss)."""
    return (
        kv_per_token * resident_context
        + kv_per_window_token * if_(same(kv_allocator, "uniform pages"), resident_context, least(resident_context, window))
    ) / kv_shards


@quantity("Sequences that fit, exactly", "")
def resident_sequences_exact(kv_budget, kv_held_per_sequence):
    """KV budget over KV per sequence, before whole sequences are counted (300.70 in file 000)."""
    return kv_budget / kv_held_per_sequence


@quantity("Sequences that a replica can hold", "")
def resident_sequences(resident_sequences_exact):
    """Whole resident sequences."""
    return floor(resident_sequences_exact)


@check(
    "One sequence fits",
    "not one sequence fits: {kv_held_per_sequence} a GPU on {kv_budget}; use more GPUs a replica, a narrower KV format or a shorter "
    "context",
)
def one_sequence_fits(resident_sequences):
    return resident_sequences >= 1


@check(
    "The batch fits in memory",
    "a batch of {batch} does not fit: {resident_sequences} sequences at most; lower batch or use more GPUs a replica",
)
def batch_fits(batch, resident_sequences):
    return batch <= resident_sequences
