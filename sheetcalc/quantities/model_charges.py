"""What sharing saves by tier, what each model is charged, and what it does to the wait. Source: calculators C, section e; Erlang C."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, first, highest_at, if_, poisson_at_most, poisson_exactly, total, when


def _waiting(slots, load, at_most, exactly):
    """Erlang C from the Poisson chances of `slots` and at most `slots` at mean `load`."""
    return if_(load >= slots, 1, exactly / at_most / (1 - load / slots * (1 - exactly / at_most)))


@quantity("Saving", "$/month")
def sharing_saving(separate_month_cost, tiered_month_cost):
    """Bill today less bill after sharing."""
    return separate_month_cost - tiered_month_cost


@quantity("Replicas saved", "")
def replicas_saved(separate_fleet, tiered_fleet):
    """Fewer replicas."""
    return separate_fleet - tiered_fleet


@quantity("Saved by the shared base", "$/month")
def adapter_saving(in_tier_adapters, dedicated_replicas, served_model, adapter_replicas, replica_month):
    """Replicas of their own less the tier's."""
    return (total(in_tier_adapters * dedicated_replicas, served_model) - adapter_replicas) * replica_month


@quantity("Saved by shared memory", "$/month")
def weight_saving(in_tier_weights, dedicated_replicas, served_model, weight_replicas, replica_month):
    """Replicas of their own less the tier's."""
    return (total(in_tier_weights * dedicated_replicas, served_model) - weight_replicas) * replica_month


@quantity("Saved by the API", "$/month")
def api_saving(in_tier_api, dedicated_replicas, served_model, replica_month, tier_api_cost):
    """Replicas of their own less the API bill."""
    return total(in_tier_api * dedicated_replicas, served_model) * replica_month - tier_api_cost


@quantity("Charge", "$/month")
def model_charge(in_tier_own, in_tier_api, model_dedicated_cost, model_api_cost, model_shared_cost):
    """Own fleet: its replicas; API: its bill; shared: its share of the pool."""
    return if_(in_tier_own > 0, model_dedicated_cost, if_(in_tier_api > 0, model_api_cost, model_shared_cost))


@quantity("Charged to the models", "$/month")
def charged_total(model_charge, served_model):
    """All charges."""
    return total(model_charge, served_model)


@quantity("Not charged to any model", "$/month")
def uncharged(tiered_month_cost, charged_total):
    """Whole replicas and spare copies that no share covers; negative if the shares bring more than the bill."""
    return tiered_month_cost - charged_total


@check("The charges cover the bill", "the charges leave {uncharged} uncovered: whole replicas that no share pays for", "sensitivity")
def charges_cover(uncharged):
    """Nothing is left over."""
    return uncharged <= 0


@quantity("Busiest model", "")
def busiest_model(model_work, served_model):
    """Number of the model."""
    return highest_at(model_work, served_model)


@quantity("Name of the busiest model", "")
def busiest_model_name(model_name, served_model, busiest_model):
    """Name of that model."""
    return at(model_name, served_model, busiest_model)


@quantity("Slots of the busiest model", "")
def busiest_slots(dedicated_replicas, served_model, busiest_model, slots_per_replica):
    """Sequences at once on its own fleet."""
    return at(dedicated_replicas, served_model, busiest_model) * slots_per_replica


@quantity("Sequences of the busiest model", "")
def busiest_load(model_work, served_model, busiest_model, slots_per_replica):
    """Offered load in slots."""
    return at(model_work, served_model, busiest_model) * slots_per_replica


@quantity("Chance to wait, busiest model", "%")
def busiest_wait(busiest_slots, busiest_load):
    """Erlang C on its own fleet."""
    return _waiting(busiest_slots, busiest_load, poisson_at_most(busiest_slots, busiest_load), poisson_exactly(busiest_slots, busiest_load))


@quantity("Chance to wait, busiest model, after sharing", "%")
def busiest_wait_after(in_tier_own, served_model, busiest_model, busiest_wait, adapter_wait):
    """The same where it keeps its fleet; else that of the shared base."""
    return if_(at(in_tier_own, served_model, busiest_model) > 0, busiest_wait, adapter_wait)


@quantity("Sequences on the shared base", "")
def adapter_load(adapter_work, adapter_tax, slots_per_replica):
    """Offered load in slots, with the adapters' tax."""
    return adapter_work * (1 + adapter_tax) * slots_per_replica


@quantity("Chance to wait, shared base", "%")
def adapter_wait(tier_has_adapters, adapter_replicas, slots_per_replica, adapter_load):
    """Erlang C on the pool."""
    return when(
        tier_has_adapters,
        _waiting(
            adapter_replicas * slots_per_replica,
            adapter_load,
            poisson_at_most(adapter_replicas * slots_per_replica, adapter_load),
            poisson_exactly(adapter_replicas * slots_per_replica, adapter_load),
        ),
    )


@check("There are adapters to share a base", "no model is on a shared base, so nobody waits there", "alert")
def tier_has_adapters(adapter_models):
    """At least one model."""
    return adapter_models > 0


@check("There are models to share memory", "no model shares memory, so nobody waits there", "alert")
def tier_has_weights(weight_models):
    """At least one model."""
    return weight_models > 0


@quantity("Sequences in shared memory", "")
def weight_load(weight_work, slots_per_replica):
    """Offered load in slots."""
    return weight_work * slots_per_replica


@quantity("Chance to wait, shared memory", "%")
def weight_wait(tier_has_weights, weight_replicas, slots_per_replica, weight_load):
    """Erlang C on the pool."""
    return when(
        tier_has_weights,
        _waiting(
            weight_replicas * slots_per_replica,
            weight_load,
            poisson_at_most(weight_replicas * slots_per_replica, weight_load),
            poisson_exactly(weight_replicas * slots_per_replica, weight_load),
        ),
    )


@quantity("Models without their own fleet", "")
def tail_models(in_tier_own, served_model):
    """The tail: all tiers but the first."""
    return total(1 - in_tier_own, served_model)


@quantity("Work of the tail", "replica·s/s")
def tail_work(in_tier_own, model_work, served_model):
    """Without tax."""
    return total((1 - in_tier_own) * model_work, served_model)


@quantity("Chance to wait, the model by itself", "%")
def separate_wait(tried_pool, model_work, slots_per_replica):
    """Erlang C on so many replicas of its own."""
    return _waiting(
        tried_pool * slots_per_replica,
        model_work * slots_per_replica,
        poisson_at_most(tried_pool * slots_per_replica, model_work * slots_per_replica),
        poisson_exactly(tried_pool * slots_per_replica, model_work * slots_per_replica),
    )


@quantity("Few enough wait, the model by itself", "")
def separate_is_enough(separate_wait, waiting_target):
    """True when the target is met."""
    return separate_wait <= waiting_target


@quantity("Replicas for the target, by itself", "")
def separate_replicas_for_wait(separate_is_enough, tried_pool):
    """The fewest that meet it."""
    return first(separate_is_enough, tried_pool)


@quantity("Replicas of the tail for the target, each by itself", "")
def tail_separate(in_tier_own, separate_replicas_for_wait, served_model):
    """Sum over the tail."""
    return total((1 - in_tier_own) * separate_replicas_for_wait, served_model)


@quantity("Chance to wait, the tail pooled", "%")
def tail_wait(tried_pool, tail_work, slots_per_replica):
    """Erlang C on so many replicas for the whole tail."""
    return _waiting(
        tried_pool * slots_per_replica,
        tail_work * slots_per_replica,
        poisson_at_most(tried_pool * slots_per_replica, tail_work * slots_per_replica),
        poisson_exactly(tried_pool * slots_per_replica, tail_work * slots_per_replica),
    )


@quantity("Few enough wait, the tail pooled", "")
def tail_is_enough(tail_wait, waiting_target):
    """True when the target is met."""
    return tail_wait <= waiting_target


@quantity("Replicas of the tail for the target, pooled", "")
def tail_pooled(tail_is_enough, tried_pool):
    """The fewest that meet it."""
    return first(tail_is_enough, tried_pool)
