"""Many models that are mostly idle: who keeps a fleet of its own, who shares one, who goes to an API. Source: calculators C, section e."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, ceil, either, floor, given, if_, most, same, total, when


@quantity("Weight in the split", "")
def popularity(served_model, model_zipf):
    """Zipf: the work of number n is as 1 / n^s."""
    return 1 / served_model**model_zipf


@quantity("Sum of the weights", "")
def popularity_total(popularity, served_model):
    """What the weights are shares of."""
    return total(popularity, served_model)


@quantity("Work of the model, if it follows the split", "replica·s/s")
def split_work(all_models_work, popularity, popularity_total):
    """Replica-seconds per second."""
    return all_models_work * popularity / popularity_total


@quantity("Work of the model", "replica·s/s")
def model_work(own_model_work, split_work):
    """Replica-seconds per second: typed, else by the split."""
    return given(own_model_work, split_work)


@quantity("Work of all models", "replica·s/s")
def served_work(model_work, served_model):
    """Replica-seconds per second."""
    return total(model_work, served_model)


@quantity("Replicas of its own", "")
def dedicated_replicas(replicas_each, model_work, utilization_cap):
    """As today: each model by itself."""
    return most(replicas_each, ceil(model_work / utilization_cap))


@quantity("Replicas, each model by itself", "")
def separate_fleet(dedicated_replicas, served_model):
    """The fleet today."""
    return total(dedicated_replicas, served_model)


@quantity("Share of today's fleet in use", "%")
def separate_use(served_work, separate_fleet):
    """Work over replicas."""
    return served_work / separate_fleet


@quantity("Share of today's fleet that idles", "%")
def separate_idle(separate_use):
    """The rest."""
    return 1 - separate_use


@quantity("Use of its own fleet", "%")
def model_use(model_work, dedicated_replicas, utilization_cap):
    """Of what the cap allows."""
    return model_work / (dedicated_replicas * utilization_cap)


@quantity("Models whose weights fit a replica", "")
def models_per_replica(gpus_per_replica, hbm, memory_fraction, memory_reserve, pool_kv_memory, model_weights):
    """Whole models beside the KV cache that the pool needs; all models alike in size."""
    return floor((gpus_per_replica * (hbm * memory_fraction - memory_reserve) - pool_kv_memory) / model_weights)


@check("One model fits beside the KV cache", "weights do not fit: {model_weights} beside {pool_kv_memory} of KV cache")
def pool_fits(models_per_replica):
    """At least one model."""
    return models_per_replica >= 1


@quantity("A replica for a month", "$/month")
def replica_month(gpus_per_replica, gpu_hour_price, hours_per_month):
    """Every hour of the month."""
    return gpus_per_replica * gpu_hour_price * hours_per_month


@quantity("Output in a month", "Mtok/month")
def model_month_tokens(model_work, full_replica_rate, seconds_per_hour, hours_per_month):
    """Tokens at the mean work."""
    return model_work * full_replica_rate * seconds_per_hour * hours_per_month


@quantity("At an API", "$/month")
def model_api_cost(model_month_tokens, api_output_price):
    """Tokens times price."""
    return model_month_tokens * api_output_price


@quantity("In a shared fleet", "$/month")
def model_shared_cost(pool_fits, replica_month, model_has_adapter, model_work, adapter_tax, pool_cap, available_copies, models_per_replica):
    """Its share of the pool: by work, and for a model with weights of its own at least its place in memory."""
    return when(
        pool_fits,
        replica_month
        * if_(
            same(model_has_adapter, 1),
            model_work * (1 + adapter_tax) / pool_cap,
            most(model_work / pool_cap, available_copies / models_per_replica),
        ),
    )


@quantity("By itself", "$/month")
def model_dedicated_cost(dedicated_replicas, replica_month):
    """Its own replicas."""
    return dedicated_replicas * replica_month


@quantity("Keeps its own fleet", "")
def in_tier_own(model_revenue_rank, revenue_ranks_kept, model_use, least_own_use):
    """1 for the models that earn most and for those that fill a fleet."""
    return if_(either(model_revenue_rank <= revenue_ranks_kept, model_use >= least_own_use), 1, 0)


@quantity("Goes to an API", "")
def in_tier_api(in_tier_own, model_has_api, model_api_cost, model_shared_cost):
    """1 where an equivalent exists and costs less than a share of the pool."""
    return if_(both(same(in_tier_own, 0), same(model_has_api, 1), model_api_cost < model_shared_cost), 1, 0)


@quantity("Shares a base model", "")
def in_tier_adapters(in_tier_own, in_tier_api, model_has_adapter):
    """1 for the adapters (LoRA) of one base model that are left."""
    return if_(both(same(in_tier_own, 0), same(in_tier_api, 0), same(model_has_adapter, 1)), 1, 0)


@quantity("Shares memory", "")
def in_tier_weights(in_tier_own, in_tier_api, in_tier_adapters):
    """1 for the rest: whole weights beside others."""
    return 1 - in_tier_own - in_tier_api - in_tier_adapters


@quantity("Tier", "")
def model_tier(in_tier_own, in_tier_api, in_tier_adapters):
    """Name of the tier."""
    return if_(
        same(in_tier_own, 1), "own fleet", if_(same(in_tier_api, 1), "API", if_(same(in_tier_adapters, 1), "shared base", "shared memory"))
    )


@quantity("Models with their own fleet", "")
def own_models(in_tier_own, served_model):
    """Count."""
    return total(in_tier_own, served_model)


@quantity("Models at an API", "")
def api_models(in_tier_api, served_model):
    """Count."""
    return total(in_tier_api, served_model)


@quantity("Models on a shared base", "")
def adapter_models(in_tier_adapters, served_model):
    """Count."""
    return total(in_tier_adapters, served_model)


@quantity("Models in shared memory", "")
def weight_models(in_tier_weights, served_model):
    """Count."""
    return total(in_tier_weights, served_model)


@quantity("Work on a shared base", "replica·s/s")
def adapter_work(in_tier_adapters, model_work, served_model):
    """Without the tax of the adapters."""
    return total(in_tier_adapters * model_work, served_model)


@quantity("Work in shared memory", "replica·s/s")
def weight_work(in_tier_weights, model_work, served_model):
    """Replica-seconds per second."""
    return total(in_tier_weights * model_work, served_model)


@quantity("Replicas of models with their own fleet", "")
def own_replicas(in_tier_own, dedicated_replicas, served_model):
    """As today."""
    return total(in_tier_own * dedicated_replicas, served_model)


@quantity("Replicas of the shared base", "")
def adapter_replicas(adapter_models, available_copies, adapter_work, adapter_tax, pool_cap):
    """By work with the adapters' tax; none where the tier is empty."""
    return if_(adapter_models > 0, most(available_copies, ceil(adapter_work * (1 + adapter_tax) / pool_cap)), 0)


@quantity("Replicas of the shared memory", "")
def weight_replicas(pool_fits, weight_models, available_copies, weight_work, pool_cap, models_per_replica):
    """By work and by memory; none where the tier is empty. Exact for weights of equal size."""
    return when(
        pool_fits,
        if_(
            weight_models > 0,
            most(available_copies, ceil(weight_work / pool_cap), ceil(available_copies * weight_models / models_per_replica)),
            0,
        ),
    )


@quantity("Replicas after sharing", "")
def tiered_fleet(own_replicas, adapter_replicas, weight_replicas):
    """All tiers."""
    return own_replicas + adapter_replicas + weight_replicas


@quantity("GPUs after sharing", "")
def tiered_gpus(tiered_fleet, gpus_per_replica):
    """All tiers."""
    return tiered_fleet * gpus_per_replica


@quantity("GPUs today", "")
def separate_gpus(separate_fleet, gpus_per_replica):
    """Each model by itself."""
    return separate_fleet * gpus_per_replica


@quantity("Work that went to an API", "replica·s/s")
def api_work(in_tier_api, model_work, served_model):
    """Replica-seconds per second."""
    return total(in_tier_api * model_work, served_model)


@quantity("Share of the fleet in use after sharing", "%")
def tiered_use(served_work, api_work, tiered_fleet):
    """Work that stays, over replicas."""
    return (served_work - api_work) / tiered_fleet


@quantity("Work from which a model fills its own fleet", "replica·s/s")
def own_fleet_threshold(least_own_use, replicas_each, utilization_cap):
    """Replica-seconds per second."""
    return least_own_use * replicas_each * utilization_cap


@quantity("Volume at which its own fleet equals the API", "Mtok/day")
def own_fleet_breakeven(replicas_each, replica_month, api_output_price, days_per_month):
    """Output tokens a day at the cost of the smallest fleet of its own."""
    return replicas_each * replica_month / api_output_price / days_per_month


@check("Sharing saves", "sharing saves nothing here: every model keeps its own fleet or costs as much shared", "alert")
def sharing_saves(tiered_month_cost, separate_month_cost):
    """The bill goes down."""
    return tiered_month_cost < separate_month_cost


@quantity("Bill today", "$/month")
def separate_month_cost(separate_fleet, replica_month):
    """Each model by itself."""
    return separate_fleet * replica_month


@quantity("API bill", "$/month")
def tier_api_cost(in_tier_api, model_api_cost, served_model):
    """Of the models that leave."""
    return total(in_tier_api * model_api_cost, served_model)


@quantity("Bill after sharing", "$/month")
def tiered_month_cost(tiered_fleet, replica_month, tier_api_cost):
    """Replicas and API."""
    return tiered_fleet * replica_month + tier_api_cost
