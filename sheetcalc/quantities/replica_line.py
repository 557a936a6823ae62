"""One replica as a line: what a step costs without a sequence and what each sequence adds. Source: calculators A, section 0 (α and β).

The kernel's step while memory sets the pace, taken apart; Little's law, the queue and the autoscaler need the two coefficients.
"""

from sheetcalc.model import quantity
from sheetcalc.operations import if_


@quantity("Requests that a replica gets", "req/s")
def replica_rate(request_rate, replicas):
    """The peak dealt out evenly."""
    return request_rate / replicas


@quantity("Communication of a step without a sequence", "ms")
def communication_floor(all_reduce_on, all_reduce_latency, tp_cost_on, gpus_per_replica, tp_layer_cost, reduces_per_layer, layers):
    return (all_reduce_on * all_reduce_latency + tp_cost_on * if_(gpus_per_replica > 1, tp_layer_cost, 0)) * reduces_per_layer * layers


@quantity("Communication of a step, each sequence more", "µs")
def communication_rise(all_reduce_on, transfer_per_token, all_reduce_bandwidth, gpus_per_replica, transfer_time):
    return all_reduce_on * transfer_per_token / all_reduce_bandwidth + if_(gpus_per_replica > 1, transfer_time, 0)


@quantity("Step before the first sequence", "ms")
def step_floor(weight_read_time, communication_floor, step_overhead, layer_overhead, experts, moe_layer_overhead, layers):
    """Weights read once (of a mixture those that the planned batch visits), communication, launch."""
    return weight_read_time + communication_floor + step_overhead + (layer_overhead + if_(experts > 0, moe_layer_overhead, 0)) * layers


@quantity("Step, each sequence more", "µs")
def step_rise(kv_per_sequence_gpu, reached_bandwidth, step_overlap, sequence_compute_time, communication_rise, sequence_overhead):
    """Its KV cache, its arithmetic where that is not hidden behind memory, communication and overhead."""
    return kv_per_sequence_gpu / reached_bandwidth + (1 - step_overlap) * sequence_compute_time + communication_rise + sequence_overhead


@quantity("Replica time of a request", "s")
def replica_seconds_per_request(total_demand, request_rate):
    """Prefill and its share of decode steps at the planned batch."""
    return total_demand / request_rate


@quantity("Prompt and output tokens of a replica", "tok/s")
def replica_tokens(prompt_load, output_load, replicas):
    return (prompt_load + output_load) / replicas


@quantity("Prompt tokens of a replica", "tok/s")
def replica_prompt_tokens(prompt_load, replicas):
    return prompt_load / replicas
