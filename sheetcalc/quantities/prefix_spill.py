"""One customer's hot prefix, and the everyday spill: homes, first spill, what a spill costs. Source: calculators C, section b."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ceil, exp, if_, most, when


@quantity("Work of a request that hits", "ms")
def hit_work(prompt_tokens, shared_prefix_tokens, prefill_time, output_tokens, decode_rate):
    """Replica-seconds: its own part of the prompt, and its output."""
    return (prompt_tokens - shared_prefix_tokens) * prefill_time + output_tokens / decode_rate


@quantity("Largest share that one home carries", "%")
def home_share(utilization_cap, request_rate, hit_work):
    """Of all requests."""
    return utilization_cap / (request_rate * hit_work)


@quantity("Load of the hot prefix", "replica·s/s")
def hot_load(hot_share, request_rate, hit_work):
    """In replicas."""
    return hot_share * request_rate * hit_work


@quantity("Homes for the hot prefix", "")
def hot_homes(hot_load, utilization_cap):
    """Whole replicas."""
    return most(1, ceil(hot_load / utilization_cap))


@quantity("Memory of its copies", "GB")
def hot_copies(hot_homes, shared_prefix_tokens, kv_per_token):
    """One in each home."""
    return hot_homes * shared_prefix_tokens * kv_per_token


@check("One home overflows", "one home carries the hot prefix: nothing is ever spilled", "alert")
def home_overflows(hot_load):
    return hot_load > 1


@quantity("Time to the first spill, one home", "ms")
def first_spill(home_overflows, spill_wall_time, hot_load):
    """The queue grows by the load beyond one replica."""
    return when(home_overflows, spill_wall_time / (hot_load - 1))


@quantity("Hot traffic that would be spilled, one home", "%")
def hot_spilled(utilization_cap, hot_load):
    """What one home cannot carry at the cap."""
    return most(0, 1 - utilization_cap / hot_load)


@quantity("Service time of a prompt", "ms")
def everyday_service(prompt_tokens, affinity_hit_share, shared_prefix_tokens, prefill_time, decode_demand, affinity_fleet):
    """On the clock: prefill gets the time that decode leaves; an engine works out one token of a cached prompt at least."""
    return most(prompt_tokens - affinity_hit_share * shared_prefix_tokens, 1) * prefill_time / (1 - decode_demand / affinity_fleet)


@quantity("Prefill load of a replica", "%")
def everyday_load(request_rate, affinity_fleet, everyday_service):
    """Share of the time that decode leaves."""
    return request_rate / affinity_fleet * everyday_service


@quantity("Everyday spill", "%")
def everyday_spill(everyday_load, spill_wall_time, everyday_service, service_variability):
    """Chance that the queue at home is longer than the threshold: exact for M/M/1, an approximation otherwise."""
    return if_(
        everyday_load >= 1,
        1,
        everyday_load * exp(-spill_wall_time * (1 - everyday_load) / (everyday_service * (1 + service_variability) / 2)),
    )


@quantity("Hit share after everyday spill", "%")
def settled_hit_share(affinity_hit_share, everyday_spill):
    """Every spill is taken as a miss."""
    return affinity_hit_share * (1 - everyday_spill)


@quantity("Replicas with affinity and everyday spill", "")
def settled_fleet(prefill_demand, settled_hit_share, shared_part, decode_demand, utilization_cap):
    """The fleet to buy."""
    return ceil((prefill_demand * (1 - settled_hit_share * shared_part) + decode_demand) / utilization_cap)


@quantity("Affinity fleet over random fleet", "%")
def affinity_ratio(settled_fleet, random_fleet):
    """Half is the claim; it fails with a steep popularity or a short prefix."""
    return settled_fleet / random_fleet


@quantity("Hit share if every spill of the hot prefix misses", "%")
def worst_hit_share(settled_hit_share, hot_share, hot_spilled):
    """One home only, and no copy stays warm."""
    return settled_hit_share * (1 - hot_share * hot_spilled)


@quantity("Replicas if every spill of the hot prefix misses", "")
def worst_fleet(prefill_demand, worst_hit_share, shared_part, decode_demand, utilization_cap):
    """What homes save."""
    return ceil((prefill_demand * (1 - worst_hit_share * shared_part) + decode_demand) / utilization_cap)


@quantity("Replicas with homes of its own for the hot prefix", "")
def isolated_fleet(hot_homes, prefill_demand, affinity_hit_share, shared_part, decode_demand, hot_share, utilization_cap):
    """Homes, and a fleet for the rest."""
    return hot_homes + ceil((prefill_demand * (1 - affinity_hit_share * shared_part) + decode_demand) * (1 - hot_share) / utilization_cap)


@check("Affinity saves", "affinity saves nothing: random routing already hits {random_hit_share}", "alert")
def affinity_saves(settled_fleet, random_fleet):
    return settled_fleet < random_fleet


@quantity("Saved by the router", "$/month")
def router_saving(random_fleet, settled_fleet, gpus_per_replica, gpu_hour_price, hours_per_month):
    """Random fleet less settled fleet; it is the same prefill as a cache saves and is counted once."""
    return (random_fleet - settled_fleet) * gpus_per_replica * gpu_hour_price * hours_per_month


@check(
    "No customer outgrows a home",
    "one customer sends {hot_share} of all requests and a home carries {home_share}: give its prefix {hot_homes} homes",
    "sensitivity",
)
def home_holds_hot(hot_share, home_share):
    return hot_share <= home_share


@quantity("Home is quicker", "")
def stay_pays(queue_ahead, spill_wall_time):
    """1 while the queue at home is below the threshold."""
    return if_(queue_ahead <= spill_wall_time, 1, 0)
