"""What a promised TPOT costs in replicas: the rate that a replica may take under its three limits. Source: calculators A (c), caps."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, highest, known, least, lowest, when


@check(
    "A step is shorter than the TPOT target",
    "no number of replicas gives a TPOT of {tpot_target}: a step without any sequence takes {step_floor}",
)
def step_below_target(step_floor, tpot_target):
    return step_floor < tpot_target


@quantity("Rate at the TPOT target", "req/s")
def target_rate(step_below_target, step_floor, tpot_target, request_work):
    """(1 − α / SLO) / (s r + o β)."""
    return when(step_below_target, (1 - step_floor / tpot_target) / request_work)


@quantity("Most that a replica may take", "req/s")
def replica_rate_limit(saturation_rate, memory_rate, target_rate):
    return least(saturation_rate, memory_rate, target_rate)


@quantity("Replicas that the limits need, exact", "")
def limit_replicas_exact(request_rate, replica_rate_limit):
    return request_rate / replica_rate_limit


@quantity("Replicas that the limits need", "")
def limit_replicas(limit_replicas_exact):
    """Before queueing and failure reserve."""
    return ceil(limit_replicas_exact)


@quantity("Replicas that the TPOT target needs, exact", "")
def tpot_replicas_exact(request_rate, target_rate):
    return request_rate / target_rate


@quantity("Replicas that the TPOT target needs", "")
def tpot_replicas(tpot_replicas_exact):
    return ceil(tpot_replicas_exact)


@quantity("Cost a month of the replicas for the TPOT target", "$/month")
def tpot_cost_per_month(tpot_replicas, gpus_per_replica, gpu_hour_price, hours_per_month):
    return tpot_replicas * gpus_per_replica * gpu_hour_price * hours_per_month


@quantity("Tightest target of the table", "ms")
def tightest_target(targets_tpot_target):
    return lowest(targets_tpot_target, targets_tpot_target)


@quantity("Replicas at the tightest target", "")
def tightest_replicas(targets_tpot_replicas, targets_tpot_target):
    return highest(targets_tpot_replicas, targets_tpot_target)


@quantity("Cost a month at the tightest target", "$/month")
def tightest_cost(targets_tpot_cost_per_month, targets_tpot_target):
    return highest(targets_tpot_cost_per_month, targets_tpot_target)


@quantity("The tightest target of the table can be met", "")
def tightest_known(tightest_replicas):
    return known(tightest_replicas)
