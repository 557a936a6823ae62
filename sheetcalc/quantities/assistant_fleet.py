"""Both pools together, against a fleet in which every prompt is cold. Source: calculators B (e)."""

from sheetcalc.model import quantity
from sheetcalc.operations import ceil, given, if_, most


@quantity("GPUs for cold prompts", "")
def cold_gpus(cold_replicas, gpus_per_replica):
    return cold_replicas * gpus_per_replica


@quantity("GPUs for warm turns and decode", "")
def warm_gpus(warm_replicas, gpus_per_replica):
    return warm_replicas * gpus_per_replica


@quantity("GPUs", "")
def assistant_gpus(cold_gpus, warm_gpus):
    return cold_gpus + warm_gpus


@quantity("GPUs if every prompt were cold", "")
def all_cold_gpus(all_cold_replicas, turn_decode_work, utilization_cap, gpus_per_replica):
    """No session is held then, so memory asks for nothing."""
    return (all_cold_replicas + ceil(turn_decode_work / utilization_cap)) * gpus_per_replica


@quantity("Cost", "$/h")
def assistant_cost(assistant_gpus, gpu_hour_price):
    """Dollars per hour."""
    return assistant_gpus * gpu_hour_price


@quantity("Cost if every prompt were cold", "$/h")
def all_cold_cost(all_cold_gpus, gpu_hour_price):
    """Dollars per hour."""
    return all_cold_gpus * gpu_hour_price


@quantity("What warm prompts save", "$/month")
def warm_saving_month(all_cold_cost, assistant_cost, hours_per_month):
    """Dollars per month."""
    return (all_cold_cost - assistant_cost) * hours_per_month


@quantity("Cold prompts would cost less", "")
def warm_loses(warm_saving_month):
    return given(if_(warm_saving_month <= 0, 1, 0), 0)


@quantity("No pool of the table takes every prompt cold", "")
def all_cold_unserved(all_cold_gpus):
    return given(if_(all_cold_gpus > 0, 0, 0), 1)


@quantity("Value of one point of hit rate", "$/h")
def hit_point_value(request_rate, cold_time, hit_point, gpus_per_replica, gpu_hour_price, utilization_cap):
    """Dollars per hour: the cold prefill that a point less would add."""
    return request_rate * cold_time * hit_point * gpus_per_replica * gpu_hour_price / utilization_cap


@quantity("Value of one point of hit rate in a month", "$/month")
def hit_point_value_month(hit_point_value, hours_per_month):
    """Dollars per month."""
    return hit_point_value * hours_per_month


@quantity("GPUs that host memory saves", "")
def host_memory_gpus(warm_replicas_no_host, warm_replicas_work, warm_replicas, gpus_per_replica):
    """Without it the sessions would have to stay in GPU memory."""
    return (most(warm_replicas_no_host, warm_replicas_work) - warm_replicas) * gpus_per_replica


@quantity("What host memory saves", "$/month")
def host_memory_saving(host_memory_gpus, gpu_hour_price, hours_per_month):
    """Dollars per month, before the memory itself is paid."""
    return host_memory_gpus * gpu_hour_price * hours_per_month
