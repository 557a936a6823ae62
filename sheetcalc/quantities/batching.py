"""The batch that a replica is planned for, where nobody names one."""

from sheetcalc.model import quantity
from sheetcalc.operations import floor, given, if_, least, most


@quantity("Step time before any sequence", "ms")
def empty_step_time(
    weights_per_gpu,
    reached_bandwidth,
    all_reduce_on,
    reduces_per_layer,
    layers,
    all_reduce_latency,
    tp_cost_on,
    gpus_per_replica,
    tp_layer_cost,
    step_overhead,
    layer_overhead,
    experts,
    moe_layer_overhead,
):
    """All weights read once, and what does not grow with the batch."""
    return (
        weights_per_gpu / reached_bandwidth
        + all_reduce_on * reduces_per_layer * layers * all_reduce_latency
        + if_(gpus_per_replica > 1, tp_cost_on * reduces_per_layer * layers * tp_layer_cost, 0)
        + step_overhead
        + (layer_overhead + if_(experts > 0, moe_layer_overhead, 0)) * layers
    )


@quantity("Step time that each sequence adds, nothing hidden", "µs")
def sequence_step_time(
    kv_per_sequence_gpu,
    reached_bandwidth,
    sequence_compute_time,
    all_reduce_on,
    transfer_per_token,
    all_reduce_bandwidth,
    transfer_time,
    sequence_overhead,
):
    """Its KV cache, its arithmetic, its transfers and its overhead, added (the safe side)."""
    return (
        kv_per_sequence_gpu / reached_bandwidth
        + sequence_compute_time
        + all_reduce_on * transfer_per_token / all_reduce_bandwidth
        + transfer_time
        + sequence_overhead
    )


@quantity("Largest batch within the TPOT target", "")
def batch_within_tpot(tpot_target, tpot_tail, own_prefill, output_tokens, prefill_request_time, empty_step_time, sequence_step_time):
    """Solves the worst case of TPOT for the batch, with nothing hidden: (target/tail + own·p/o − empty)/(sequence + p/o)."""
    return (tpot_target / tpot_tail + own_prefill / output_tokens * prefill_request_time - empty_step_time) / (
        sequence_step_time + prefill_request_time / output_tokens
    )


@quantity("Largest batch that memory and TPOT allow", "")
def suggested_batch(resident_sequences, max_batch, batch_within_tpot):
    """Whole sequences, at least one."""
    return most(1, floor(least(resident_sequences, given(max_batch, resident_sequences), batch_within_tpot)))
