"""A job of many requests with a deadline and no reader: time of a request, fleet, bill. Source: calculators C, sections a and f."""

from sheetcalc.model import quantity
from sheetcalc.operations import ceil, most


@quantity("Tokens for a verification", "")
def expected_tokens(acceptance, draft_length):
    """Geometric series: 1 without a draft."""
    return (1 - acceptance ** (draft_length + 1)) / (1 - acceptance)


@quantity("Step with its drafts over a plain step", "x")
def draft_burden(draft_length, draft_cost):
    """Each drafted token costs a share of a step."""
    return 1 + draft_length * draft_cost


@quantity("Decode of a request, memory", "ms")
def offline_decode_memory(output_tokens, offline_step, draft_burden, expected_tokens, offline_batch):
    """Seconds of a replica: its share of every step."""
    return output_tokens * offline_step * draft_burden / (expected_tokens * offline_batch)


@quantity("Decode of a request, arithmetic", "ms")
def offline_decode_compute(output_tokens, draft_length, expected_tokens, sequence_compute_time, draft_burden):
    """Seconds of a replica: every drafted token is verified."""
    return output_tokens * (draft_length + 1) / expected_tokens * sequence_compute_time * draft_burden


@quantity("Decode of a request", "ms")
def offline_decode(offline_decode_compute, offline_decode_memory):
    """The longer of the two."""
    return most(offline_decode_compute, offline_decode_memory)


@quantity("Time of a request", "ms")
def offline_request(phase_overlap, prefill_request_time, offline_decode, offline_decode_compute, offline_decode_memory):
    """Replica-seconds: phases one after the other, or the memory of one hidden under the arithmetic of the other."""
    return (1 - phase_overlap) * (prefill_request_time + offline_decode) + phase_overlap * most(
        prefill_request_time + offline_decode_compute, offline_decode_memory
    )


@quantity("Prefill share of the work", "%")
def offline_prefill_share(prefill_request_time, offline_decode):
    """Of a request, phases one after the other."""
    return prefill_request_time / (prefill_request_time + offline_decode)


@quantity("Work lost to preemption", "%")
def preemption_loss(preemption_rate, restart_time, lost_work):
    """Restart and repeated work over useful work."""
    return preemption_rate * (restart_time + lost_work)


@quantity("Requests", "")
def offline_requests(items, duplicate_share):
    """Without duplicates."""
    return items * (1 - duplicate_share)


@quantity("Replica-hours", "h")
def offline_replica_hours(offline_requests, offline_request, preemption_loss, seconds_per_hour, offline_utilization):
    """Hours of one replica."""
    return offline_requests * offline_request * (1 + preemption_loss) / seconds_per_hour / offline_utilization


@quantity("GPU-hours", "h")
def offline_gpu_hours(offline_replica_hours, gpus_per_replica):
    """Hours of one GPU."""
    return offline_replica_hours * gpus_per_replica


@quantity("Prefill, GPU-hours", "h")
def prefill_gpu_hours(offline_requests, prefill_request_time, preemption_loss, gpus_per_replica, seconds_per_hour, offline_utilization):
    """Phases one after the other."""
    return offline_requests * prefill_request_time * (1 + preemption_loss) * gpus_per_replica / seconds_per_hour / offline_utilization


@quantity("Decode, GPU-hours", "h")
def decode_gpu_hours(offline_requests, offline_decode, preemption_loss, gpus_per_replica, seconds_per_hour, offline_utilization):
    """Phases one after the other."""
    return offline_requests * offline_decode * (1 + preemption_loss) * gpus_per_replica / seconds_per_hour / offline_utilization


@quantity("Bill", "$")
def offline_cost(offline_gpu_hours, gpu_hour_price, price_multiplier):
    """The job is released when it ends: neither the fleet nor the deadline enters."""
    return offline_gpu_hours * gpu_hour_price * price_multiplier


@quantity("Replicas for the deadline", "")
def offline_replicas(offline_replica_hours, deadline):
    """Whole replicas."""
    return ceil(offline_replica_hours / deadline)


@quantity("GPUs for the deadline", "")
def offline_gpus(offline_replicas, gpus_per_replica):
    """All replicas."""
    return offline_replicas * gpus_per_replica


@quantity("Finishes after", "h")
def offline_finish(offline_replica_hours, offline_replicas):
    """On whole replicas; the last wave adds about an output's worth of steps."""
    return offline_replica_hours / offline_replicas


@quantity("Bill if started hours are charged", "$")
def offline_cost_by_hour(offline_gpus, offline_finish, one_hour, gpu_hour_price, price_multiplier):
    """Every GPU to the end of its last hour."""
    return offline_gpus * ceil(offline_finish / one_hour) * one_hour * gpu_hour_price * price_multiplier


@quantity("Prefill's part of the bill", "$")
def offline_prefill_cost(prefill_gpu_hours, gpu_hour_price, price_multiplier):
    """Phases one after the other."""
    return prefill_gpu_hours * gpu_hour_price * price_multiplier


@quantity("Per 1,000 requests", "$")
def cost_per_thousand(offline_cost, items, thousand):
    """Of the requests that were sent, duplicates included."""
    return offline_cost / items * thousand
