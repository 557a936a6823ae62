"""Collectives taken apart: what an all-reduce costs empty, and what each token adds (kernel level, alpha-beta).

Source: ring all-reduce of n GPUs, 6 µs to start and 0.5 µs for each further GPU, 2 (n − 1)/n of the message over 85 % of NVLink
(calculators B, section 0). Where these are added, the compute share must leave communication out: it is `gemm_mfu`, not `mfu`.
"""

from sheetcalc.model import quantity
from sheetcalc.operations import if_


@quantity("All-reduces in a step", "")
def all_reduces_per_step(reduces_per_layer, layers):
    """One after attention and one after the feed-forward block of each layer."""
    return reduces_per_layer * layers


@quantity("One all-reduce of an empty message", "µs")
def all_reduce_start(gpus_per_replica, all_reduce_base, all_reduce_hop):
    """Seconds; nothing on one GPU."""
    return if_(gpus_per_replica > 1, all_reduce_base + all_reduce_hop * (gpus_per_replica - 1), 0)


@quantity("All-reduces of a step that no batch changes", "ms")
def all_reduce_slab(all_reduces_per_step, all_reduce_start):
    """Seconds per step."""
    return all_reduces_per_step * all_reduce_start


@quantity("All-reduces of a step, each sequence more", "µs")
def all_reduce_per_sequence(transfer_per_token, link_share, link_bandwidth):
    """Seconds per step and sequence."""
    return transfer_per_token / (link_share * link_bandwidth)
