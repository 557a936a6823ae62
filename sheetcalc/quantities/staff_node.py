"""One node for a company's staff: memory, conversations, steps, throughput. Source: calculators A, f.2 (file 004)."""

from sheetcalc.model import quantity
from sheetcalc.operations import floor, if_


@quantity("KV cache of a conversation", "GiB")
def conversation_kv(kv_per_token, conversation_context):
    """2.5 GiB at 8,192 tokens."""
    return kv_per_token * conversation_context


@quantity("Weights of the model", "GiB")
def staff_weights(staff_params, staff_weight_bytes):
    """130.4 GiB with 70e9 parameters at 2 bytes."""
    return staff_params * staff_weight_bytes


@quantity("Memory of a node", "GiB")
def node_memory(node_cards, card_memory):
    """Cards times memory of a card."""
    return node_cards * card_memory


@quantity("Memory left for KV cache", "GiB")
def staff_kv_room(node_memory, staff_weights, node_overhead):
    """Node memory less weights and overhead: 169.6 GiB, printed about 170."""
    return node_memory - staff_weights - node_overhead


@quantity("Conversations, by the printed room", "")
def conversations_by_print(printed_room, conversation_kv):
    """170 / 2.5 is 68; the text says 64."""
    return printed_room / conversation_kv


@quantity("Conversations, cards of 80e9 bytes", "")
def conversations_decimal(node_cards, card_memory_decimal, staff_weights, node_overhead, conversation_kv):
    """59 where a card's 80 GB are decimal."""
    return floor((node_cards * card_memory_decimal - staff_weights - node_overhead) / conversation_kv)


@quantity("Memory left on two cards", "GiB")
def two_cards_room(card_memory, printed_weights, node_overhead):
    """Ten GiB with the printed weights: four conversations."""
    return 2 * card_memory - printed_weights - node_overhead


@quantity("Weights per card", "GiB")
def card_weights(staff_weights, node_cards):
    """32.6 GiB, cut to 32 in the text."""
    return staff_weights / node_cards


@quantity("Decode step, KV reads left out", "ms")
def staff_step(staff_weights, node_cards, card_bandwidth):
    """Weights per card over bandwidth: 10.4 ms."""
    return staff_weights / node_cards / card_bandwidth


@quantity("Steps per second", "1/s")
def staff_passes(staff_step):
    """95.7; printed 96."""
    return 1 / staff_step


@quantity("Tokens per second of a user, from the printed steps", "tok/s")
def user_speed_printed(printed_passes, node_efficiency):
    """96 times 0.6."""
    return printed_passes * node_efficiency


@quantity("Tokens per second of a user", "tok/s")
def user_speed(staff_passes, node_efficiency):
    """Steps that the node reaches."""
    return staff_passes * node_efficiency


@quantity("Output tokens per second of a node", "tok/s")
def staff_node_rate(user_speed, conversations):
    """3,675; the text goes on with 3,600."""
    return user_speed * conversations


@quantity("Decode step with KV reads", "ms")
def staff_step_kv(staff_weights, conversations, conversation_kv, context_fill, node_cards, card_bandwidth, kv_reads_on):
    """Weights and, switched by `kv_reads_on`, the KV cache of every conversation at its mean fill."""
    return (staff_weights + if_(kv_reads_on > 0, conversations * conversation_kv * context_fill, 0)) / node_cards / card_bandwidth


@quantity("Output tokens per second of a node with KV reads", "tok/s")
def staff_node_rate_kv(node_efficiency, conversations, staff_step_kv):
    """1,650 with full contexts: below the peak of 1,667."""
    return node_efficiency * conversations / staff_step_kv


@quantity("KV cache of a conversation at the short context", "GiB")
def short_conversation_kv(kv_per_token, short_context):
    """1.25 GiB at 4,096 tokens."""
    return kv_per_token * short_context


@quantity("Conversations at the short context", "")
def short_conversations(printed_room, short_conversation_kv):
    """136 by the text's own budget; printed 128."""
    return printed_room / short_conversation_kv


@quantity("Conversations with FP8 KV cache", "")
def conversations_narrow_kv(printed_room, conversation_kv):
    """Half the bytes: 136."""
    return printed_room / (conversation_kv / 2)


@quantity("Conversations with FP8 weights", "")
def conversations_narrow_weights(node_memory, staff_weights, node_overhead, conversation_kv):
    """Half the weights: 93.9."""
    return (node_memory - staff_weights / 2 - node_overhead) / conversation_kv


@quantity("Conversations running at the peak if KV reads were free", "")
def running_free(staff_peak_rate, user_speed):
    """29: the trap of a duration taken at batch 1."""
    return staff_peak_rate / user_speed


@quantity("Step before the first conversation, as reached", "ms")
def reached_step(staff_step, node_efficiency):
    """α = 17.4 ms."""
    return staff_step / node_efficiency


@quantity("Step that each conversation adds, as reached", "ms")
def reached_rise(conversation_kv, context_fill, node_cards, card_bandwidth, node_efficiency):
    """β: the KV cache of one conversation over the node's reached bandwidth."""
    return conversation_kv * context_fill / node_cards / card_bandwidth / node_efficiency


@quantity("Conversations running at the peak", "")
def running_at_peak(staff_peak_rate, reached_step, reached_rise):
    """x α / (1 − x β): 65.4 with full contexts (more than the 64 that fit), 40.2 with half-full ones."""
    return staff_peak_rate * reached_step / (1 - staff_peak_rate * reached_rise)


@quantity("Tokens per second of a user at the peak", "tok/s")
def user_speed_at_peak(staff_peak_rate, reached_rise, reached_step):
    """(1 − x β) / α."""
    return (1 - staff_peak_rate * reached_rise) / reached_step
