"""Prefixes that many requests share, and where they are cached: anywhere, or at home on one replica. Source: calculators C, section b."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, count, first, floor, highest, if_, least, ln, most, same, total, when


def _mass(n, head, zipf, zipf_power, tail_start, correction):
    """Sum of k^−s for k up to n: nine terms and the rest by Euler and Maclaurin (off by less than 9e-7), as one formula."""
    return (
        head
        + if_(same(zipf, 1), ln(n / tail_start), (n**zipf_power - tail_start**zipf_power) / zipf_power)
        + (tail_start**-zipf + n**-zipf) / 2
        + zipf / correction * (tail_start ** (-zipf - 1) - n ** (-zipf - 1))
    )


@quantity("Weight of a popular prefix", "")
def head_weight(head_rank, prefix_zipf):
    """Zipf: 1 / k^s."""
    return 1 / head_rank**prefix_zipf


@quantity("Weight of the most popular prefixes", "")
def head_mass(head_weight, head_rank):
    """The terms that are summed one by one."""
    return total(head_weight, head_rank)


@quantity("One less the steepness", "")
def zipf_power(prefix_zipf):
    """1 where it would be 0: the logarithm serves there."""
    return if_(same(prefix_zipf, 1), 1, 1 - prefix_zipf)


@quantity("Weight of all prefixes", "")
def prefix_mass(prefixes, head_mass, prefix_zipf, zipf_power, tail_start, euler_maclaurin):
    """Sum over the whole catalogue, ten prefixes or more."""
    return _mass(prefixes, head_mass, prefix_zipf, zipf_power, tail_start, euler_maclaurin)


@check(
    "The shared prefix is part of the prompt of a request",
    "the shared prefix of {shared_prefix_tokens} is longer than the prompt of {prompt_tokens}; enter fewer",
)
def prefix_in_prompt(shared_prefix_tokens, prompt_tokens):
    return shared_prefix_tokens <= prompt_tokens


@quantity("Prefixes that fit a replica", "")
def prefix_slots(prefix_in_prompt, kv_room, batch, kv_per_token, decode_context, shared_prefix_tokens):
    """Whole prefixes beside the running sequences, which hold only what is theirs."""
    return when(
        prefix_in_prompt,
        floor((kv_room - batch * kv_per_token * (decode_context - shared_prefix_tokens)) / (shared_prefix_tokens * kv_per_token)),
    )


@check("A prefix fits beside the batch", "no prefix fits beside a batch of {batch}: lower it, or use more GPUs a replica")
def prefix_fits(prefix_slots):
    return prefix_slots >= 1


@quantity("Prefixes held by so many replicas", "")
def prefixes_held(prefix_fits, tried_replicas, prefix_slots, prefixes):
    """Each prefix in one place."""
    return when(prefix_fits, least(prefixes, tried_replicas * prefix_slots))


@quantity("Weight of the fewest prefixes", "")
def small_mass(head_rank, prefixes_held, head_weight):
    """Of at most nine prefixes: the plain sum."""
    return total((head_rank <= prefixes_held) * head_weight, head_rank)


@quantity("Weight of the prefixes held", "")
def held_mass(prefixes_held, tail_start, small_mass, head_mass, prefix_zipf, zipf_power, euler_maclaurin):
    """The plain sum below ten, else the closed form."""
    return if_(
        prefixes_held < tail_start,
        small_mass,
        _mass(most(prefixes_held, tail_start), head_mass, prefix_zipf, zipf_power, tail_start, euler_maclaurin),
    )


@quantity("Hit share with affinity", "%")
def tried_hit_share(held_mass, prefix_mass):
    """Each replica caches its own prefixes."""
    return held_mass / prefix_mass


@quantity("Prefixes held by one replica", "")
def local_prefixes(prefix_fits, prefix_slots, prefixes):
    """All of them if they fit."""
    return when(prefix_fits, least(prefixes, prefix_slots))


@quantity("Weight of the fewest prefixes, one replica", "")
def local_small_mass(head_rank, local_prefixes, head_weight):
    """Of at most nine prefixes: the plain sum."""
    return total((head_rank <= local_prefixes) * head_weight, head_rank)


@quantity("Hit share with random routing", "%")
def random_hit_share(local_prefixes, tail_start, local_small_mass, head_mass, prefix_zipf, zipf_power, euler_maclaurin, prefix_mass):
    """Each replica sees all prefixes and keeps the most popular: a perfect cache; a real one hits less."""
    return (
        if_(
            local_prefixes < tail_start,
            local_small_mass,
            _mass(most(local_prefixes, tail_start), head_mass, prefix_zipf, zipf_power, tail_start, euler_maclaurin),
        )
        / prefix_mass
    )


@quantity("Shared part of the prompt", "%")
def shared_part(shared_prefix_tokens, prompt_tokens):
    """Tokens that a hit saves, of all."""
    return shared_prefix_tokens / prompt_tokens


@quantity("Replicas needed", "")
def tried_need(prefill_demand, tried_hit_share, shared_part, decode_demand, utilization_cap):
    """With the hit share that so many replicas give, not rounded."""
    return (prefill_demand * (1 - tried_hit_share * shared_part) + decode_demand) / utilization_cap


@quantity("Enough", "")
def tried_is_enough(tried_need, tried_replicas):
    """True when so many replicas carry the load."""
    return tried_need <= tried_replicas


@quantity("Replicas without cache", "")
def uncached_fleet(carrying_replicas):
    """Every prompt is worked out in full."""
    return carrying_replicas


@quantity("Replicas with random routing", "")
def random_fleet(prefill_demand, random_hit_share, shared_part, decode_demand, utilization_cap):
    """Every replica caches what it sees."""
    return ceil((prefill_demand * (1 - random_hit_share * shared_part) + decode_demand) / utilization_cap)


@quantity("Largest fleet of the table", "")
def largest_tried(tried_replicas):
    return highest(tried_replicas, tried_replicas)


@quantity("Fleets of the table that are enough", "")
def enough_fleets(tried_is_enough, tried_replicas):
    return count(tried_is_enough, tried_replicas)


@check(
    "The table of fleets reaches far enough",
    "no fleet of up to {largest_tried} replicas carries the load; plan several fleets, each with prefixes of its own",
)
def table_reaches(enough_fleets):
    return enough_fleets >= 1


@quantity("Replicas with affinity", "")
def affinity_fleet(table_reaches, tried_is_enough, tried_replicas):
    """The fewest that carry the load with the hits they give."""
    return when(table_reaches, first(tried_is_enough, tried_replicas))


@quantity("Hit share with affinity", "%")
def affinity_hit_share(tried_hit_share, tried_replicas, affinity_fleet):
    """At that fleet."""
    return at(tried_hit_share, tried_replicas, affinity_fleet)


@quantity("Spill threshold, uncached tokens ahead", "tok")
def spill_tokens(shared_prefix_tokens):
    """Send home while the queue there is longer by no more than the prefix itself, whatever the GPU."""
    return shared_prefix_tokens


@quantity("Spill threshold in GPU time", "ms")
def spill_gpu_time(shared_prefix_tokens, prefill_time):
    """Time to work out the prefix once."""
    return shared_prefix_tokens * prefill_time


@quantity("Spill threshold on the clock", "ms")
def spill_wall_time(spill_gpu_time, decode_demand, affinity_fleet):
    """Prefill gets the time that decode leaves."""
    return spill_gpu_time / (1 - decode_demand / affinity_fleet)


@quantity("Steepest popularity of the table", "")
def steepest(popularity_prefix_zipf):
    """Of the sweep."""
    return highest(popularity_prefix_zipf, popularity_prefix_zipf)


@quantity("Random hit share there", "%")
def steep_hit_share(popularity_random_hit_share, popularity_prefix_zipf, steepest):
    """Few prefixes take most of the traffic."""
    return at(popularity_random_hit_share, popularity_prefix_zipf, steepest)


@quantity("Random fleet there", "")
def steep_fleet(popularity_random_fleet, popularity_prefix_zipf, steepest):
    """What a router could still save against."""
    return at(popularity_random_fleet, popularity_prefix_zipf, steepest)
