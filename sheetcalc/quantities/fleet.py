"""From replica-seconds to replicas, GPUs and nodes, and the floors that no fleet may break."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, most


@quantity("Total demand", "replica·s/s")
def total_demand(prefill_demand, decode_demand):
    """Replica-seconds of work that arrive each second."""
    return prefill_demand + decode_demand


@quantity("Prefill share of the work", "%")
def prefill_share(prefill_demand, total_demand):
    """Prefill over total demand (66% in file 000)."""
    return prefill_demand / total_demand


@quantity("Replicas before rounding", "")
def replicas_exact(total_demand, utilization_cap):
    """Demand over the share of time that a replica may be busy (33.47 in file 000)."""
    return total_demand / utilization_cap


@quantity("Replicas that carry the load", "")
def carrying_replicas(replicas_exact):
    """Whole replicas."""
    return ceil(replicas_exact)


@quantity("Replicas", "")
def replicas(min_replicas, carrying_replicas, failure_reserve):
    """Those that carry the load, and those that stand by for a failure (decision 20); no fewer than are run in any case."""
    return most(min_replicas, carrying_replicas + failure_reserve)


@quantity("GPUs", "")
def gpus(replicas, gpus_per_replica):
    """Replicas times GPUs a replica."""
    return replicas * gpus_per_replica


@quantity("Nodes", "")
def nodes(gpus, gpus_per_node):
    """Whole machines."""
    return ceil(gpus / gpus_per_node)


@quantity("Utilization at the peak", "%")
def utilization(total_demand, replicas):
    """Share of time that the replicas are busy at the peak."""
    return total_demand / replicas


@quantity("Arithmetic needed", "TFLOP/s")
def flops_needed(request_rate, flops_per_param, active_params, uncached_tokens, output_tokens):
    """2 × active parameters for each token that is worked out; no plan may need more than its fleet has."""
    return request_rate * flops_per_param * active_params * (uncached_tokens + output_tokens)


@quantity("Arithmetic needed, of the fleet's peak", "%")
def flop_floor_use(flops_needed, gpus, peak_compute):
    """Must be below 100% (architecture, section 6)."""
    return flops_needed / (gpus * peak_compute)


@quantity("Bytes that decode must read", "TB/s")
def bytes_needed(output_load, batch, weights_read, kv_per_sequence_gpu, gpus_per_replica):
    """For each output token its share of the weights, and its own KV cache."""
    return output_load * (weights_read / batch + kv_per_sequence_gpu) * gpus_per_replica


@quantity("Bytes needed, of the fleet's bandwidth", "%")
def byte_floor_use(bytes_needed, gpus, bandwidth):
    """Must be below 100% (architecture, section 6)."""
    return bytes_needed / (gpus * bandwidth)


@check("The fleet has the arithmetic", "the plan needs {flop_floor_use} of the fleet's peak arithmetic; lower mfu or the utilization cap")
def flop_floor_clear(flop_floor_use):
    return flop_floor_use < 1


@check("The fleet has the bandwidth", "the plan needs {byte_floor_use} of the fleet's bandwidth; lower mbu or the utilization cap")
def byte_floor_clear(byte_floor_use):
    return byte_floor_use < 1


@quantity("Sequences running at the peak", "")
def concurrent_sequences(output_load, tpot_worst):
    """Little's law at the worst case of TPOT: how many people wait for tokens at once (decision 20)."""
    return output_load * tpot_worst


@quantity("Sequences that the fleet can hold", "")
def fleet_residents(replicas, resident_sequences):
    """Resident sequences of all replicas."""
    return replicas * resident_sequences
