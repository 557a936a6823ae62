"""What is asked after a fleet is sized: prefix hits, separate pools, a million users, a doubling, long prompts. Source:
calculators A, f.1 (file 000)."""

from sheetcalc.model import quantity
from sheetcalc.operations import ceil


@quantity("Prompt tokens per output token", "x")
def prompt_over_output(prompt_load, output_load):
    """6.7 to 1."""
    return prompt_load / output_load


@quantity("All tokens per output token", "x")
def total_over_output(prompt_load, output_load):
    """How far a price per output token and a price per token lie apart."""
    return (prompt_load + output_load) / output_load


@quantity("Prefill time per prompt token, exact parameter count", "µs")
def prefill_time_exact(flops_per_param, exact_params, replica_compute):
    """The printed 35.7 µs follows from the exact count, not from 70.55e9."""
    return flops_per_param * exact_params / replica_compute


@quantity("Bytes of a step per GPU", "GB")
def step_bytes(weights_read, batch, kv_per_sequence_gpu):
    """Weights once and the KV cache of every running sequence."""
    return weights_read + batch * kv_per_sequence_gpu


@quantity("Prefill share of wall time, unrounded replicas", "%")
def prefill_wall(prefill_demand, replicas_exact):
    """As the text divides."""
    return prefill_demand / replicas_exact


@quantity("Prefill share of wall time, whole replicas", "%")
def prefill_wall_whole(prefill_demand, replicas):
    """As the fleet runs."""
    return prefill_demand / replicas


@quantity("Decode share of wall time, unrounded replicas", "%")
def decode_wall(decode_demand, replicas_exact):
    """As the text divides."""
    return decode_demand / replicas_exact


@quantity("Replicas before rounding, with a shared prefix in cache", "")
def prefix_replicas_exact(prefill_demand, shared_share, decode_demand, utilization_cap):
    """Prefill of what is not shared, and all of decode."""
    return (prefill_demand * (1 - shared_share) + decode_demand) / utilization_cap


@quantity("GPUs with a shared prefix, before whole replicas", "")
def prefix_gpus_exact(prefix_replicas_exact, gpus_per_replica):
    """The text's 'about 90'."""
    return prefix_replicas_exact * gpus_per_replica


@quantity("GPUs with a shared prefix", "")
def prefix_gpus(prefix_replicas_exact, gpus_per_replica):
    """By the text's own rule of whole replicas: 92."""
    return ceil(prefix_replicas_exact) * gpus_per_replica


@quantity("GPUs of a prefill pool", "")
def apart_prefill_gpus(prefill_demand, utilization_cap, gpus_per_replica):
    """Whole replicas under the same cap."""
    return ceil(prefill_demand / utilization_cap) * gpus_per_replica


@quantity("GPUs of a decode pool", "")
def apart_decode_gpus(decode_demand, utilization_cap, gpus_per_replica):
    """Whole replicas under the same cap."""
    return ceil(decode_demand / utilization_cap) * gpus_per_replica


@quantity("GPUs of both pools", "")
def apart_gpus(apart_prefill_gpus, apart_decode_gpus):
    """As many as the shared fleet: separating is not a cost decision here."""
    return apart_prefill_gpus + apart_decode_gpus


@quantity("Requests per day of a million users", "req/day")
def crowd_requests(crowd, crowd_requests_each):
    """Users times generations a day."""
    return crowd * crowd_requests_each


@quantity("Mean rate of a million users", "req/s")
def crowd_mean_rate(crowd_requests, hours_per_day, seconds_per_hour):
    """Spread over the day."""
    return crowd_requests / (hours_per_day * seconds_per_hour)


@quantity("Peak rate of a million users", "req/s")
def crowd_peak_rate(crowd_peak, crowd_mean_rate):
    """Mean times peak factor."""
    return crowd_peak * crowd_mean_rate


@quantity("Prompt tokens of a million users", "tok/s")
def crowd_prompt_load(crowd_peak_rate, prompt_tokens):
    """At the peak."""
    return crowd_peak_rate * prompt_tokens


@quantity("Output tokens of a million users", "tok/s")
def crowd_output_load(crowd_peak_rate, output_tokens):
    """At the peak."""
    return crowd_peak_rate * output_tokens


@quantity("Work of a million users, from the rounded demand", "replica·s/s")
def crowd_work_printed(printed_demand, crowd_peak_rate, request_rate):
    """The text scales its printed 21.8."""
    return printed_demand * (crowd_peak_rate / request_rate)


@quantity("Work of a million users", "replica·s/s")
def crowd_work(total_demand, crowd_peak_rate, request_rate):
    """At full precision; the same 78 replicas."""
    return total_demand * (crowd_peak_rate / request_rate)


@quantity("Replicas for a million users", "")
def crowd_replicas(crowd_work, utilization_cap):
    """Whole replicas."""
    return ceil(crowd_work / utilization_cap)


@quantity("GPUs for a million users", "")
def crowd_gpus(crowd_replicas, gpus_per_replica):
    """Replicas times GPUs a replica."""
    return crowd_replicas * gpus_per_replica


@quantity("Cost per hour for a million users", "$/h")
def crowd_cost(crowd_gpus, gpu_hour_price):
    """At the peak fleet."""
    return crowd_gpus * gpu_hour_price


@quantity("Output tokens per hour of a million users", "Mtok/h")
def crowd_output_hour(crowd_output_load, seconds_per_hour):
    """The peak held for an hour."""
    return crowd_output_load * seconds_per_hour


@quantity("Cost per million output tokens for a million users", "$/M tok")
def crowd_price(crowd_cost, crowd_output_hour):
    """$1.56 against $1.57: whole replicas, not economies of scale."""
    return crowd_cost / crowd_output_hour


@quantity("Work when traffic doubles", "replica·s/s")
def doubled_demand(total_demand):
    """Twice the demand."""
    return 2 * total_demand


@quantity("Utilization when traffic doubles", "%")
def doubled_utilization(doubled_demand, replicas):
    """Above 100%: the headroom cannot absorb it."""
    return doubled_demand / replicas


@quantity("Growth that the fleet absorbs", "x")
def growth_absorbed(replicas, total_demand):
    """All replicas busy."""
    return replicas / total_demand


@quantity("Share to shed when traffic doubles", "%")
def doubled_shed(replicas, doubled_demand):
    """What is above the fleet's capacity."""
    return 1 - replicas / doubled_demand


@quantity("Prefill of a long prompt over a mean one, linear part", "x")
def long_over_mean(long_tokens, prompt_tokens):
    """By length."""
    return long_tokens / prompt_tokens


@quantity("Arithmetic of a mean prompt, attention counted", "TFLOP")
def mean_prompt_flops(flops_per_param, params, prompt_tokens, flops_per_pair, kv_layers, query_heads, query_head_size):
    """2·P·n + 2·L·Hq·dh·n²."""
    return flops_per_param * params * prompt_tokens + flops_per_pair / 2 * kv_layers * query_heads * query_head_size * prompt_tokens**2


@quantity("Arithmetic of a long prompt, attention counted", "TFLOP")
def long_prompt_flops(flops_per_param, params, long_tokens, flops_per_pair, kv_layers, query_heads, query_head_size):
    """2·P·n + 2·L·Hq·dh·n²."""
    return flops_per_param * params * long_tokens + flops_per_pair / 2 * kv_layers * query_heads * query_head_size * long_tokens**2


@quantity("Prefill of a long prompt over a mean one, attention counted", "x")
def long_over_mean_attention(long_prompt_flops, mean_prompt_flops):
    """9.0, not 8."""
    return long_prompt_flops / mean_prompt_flops


@quantity("Prefill time of a long prompt, linear part", "ms")
def long_linear_prefill(long_tokens, prefill_time):
    """Tokens times time per token."""
    return long_tokens * prefill_time
