"""What a sequence keeps in memory, by the kind of attention of its model. Source: calculators B (h), general roofline."""

from sheetcalc.model import quantity
from sheetcalc.operations import at, highest, highest_at, lowest, lowest_at


@quantity("State of linear layers", "MB")
def linear_state(linear_layers, linear_heads, linear_key_size, linear_value_size, state_bytes):
    """Bytes of a sequence; the same at every context."""
    return linear_layers * linear_heads * linear_key_size * linear_value_size * state_bytes


@quantity("Memory of a sequence", "GB")
def sequence_memory(kv_per_sequence, linear_state):
    """Bytes: KV cache and state."""
    return kv_per_sequence + linear_state


@quantity("GPUs whose whole memory the sequences take", "")
def sequence_gpus(held_sequences, sequence_memory, hbm):
    """Weights aside, and before whole GPUs are counted."""
    return held_sequences * sequence_memory / hbm


@quantity("Holding the sequences", "$/month")
def sequence_cost(sequence_gpus, gpu_hour_price, hours_per_month):
    """Dollars per month of the GPUs whose memory they take."""
    return sequence_gpus * gpu_hour_price * hours_per_month


@quantity("Attention that keeps least", "")
def leanest_attention(sequence_memory, attention):
    return lowest_at(sequence_memory, attention)


@quantity("Attention that keeps most", "")
def widest_attention(sequence_memory, attention):
    return highest_at(sequence_memory, attention)


@quantity("Holding the sequences, attention that keeps least", "$/month")
def leanest_cost(sequence_cost, attention):
    """Dollars per month."""
    return lowest(sequence_cost, attention)


@quantity("Holding the sequences, attention that keeps most", "$/month")
def widest_cost(sequence_cost, attention):
    """Dollars per month."""
    return highest(sequence_cost, attention)


@quantity("Holding the sequences, chosen attention", "$/month")
def chosen_attention_cost(sequence_cost, attention, chosen_attention):
    """Dollars per month."""
    return at(sequence_cost, attention, chosen_attention)
