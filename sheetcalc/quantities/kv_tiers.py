"""What a cached token is worth in each tier: recomputing it, less fetching it. Source: calculators A (b)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import count, if_, most, sqrt, total, when


@quantity("Attention time of a prompt, per token squared", "µs")
def attention_curve(flops_per_pair, kv_layers, query_heads, query_head_size, replica_attention_compute):
    """b = 2·L·Hq·dh / (g·F·mfu): a prompt of n tokens takes a n + b n²."""
    return flops_per_pair * kv_layers * query_heads * query_head_size / (2 * replica_attention_compute)


@quantity("Recomputing a cached token", "µs")
def recompute_per_token(prefill_time, attention_curve, prefix_tokens):
    """a + b n, mean over a prefix of n tokens."""
    return prefill_time + attention_curve * prefix_tokens


@quantity("Cost of a second of a replica", "$/s")
def replica_second_cost(gpus_per_replica, gpu_hour_price, seconds_per_hour):
    return gpus_per_replica * gpu_hour_price / seconds_per_hour


@quantity("Cost of recomputing", "$/M tok")
def recompute_cost(recompute_per_token, replica_second_cost):
    return recompute_per_token * replica_second_cost


@quantity("KV cache per token and GPU", "kB")
def kv_per_token_gpu(kv_per_token, kv_shards):
    return kv_per_token / kv_shards


@quantity("Break-even bandwidth of a tier, per GPU", "GB/s")
def breakeven_bandwidth(kv_per_token_gpu, prefill_time):
    """(κ/g) / a: below it a fetch is slower than recomputing. It is also the rate at which a GPU flat out makes KV cache."""
    return kv_per_token_gpu / prefill_time


@quantity("Fetching a token", "µs")
def tier_fetch(tier_on_gpu, kv_per_token_gpu, tier_bandwidth):
    """Nothing from GPU memory, where the cache is read in place."""
    return (1 - tier_on_gpu) * kv_per_token_gpu / tier_bandwidth


@quantity("Time won per cached token", "µs")
def tier_net(recompute_per_token, stall_share, tier_fetch, tier_latency, prefix_tokens):
    """Recomputing less the share of the fetch that the GPU waits for."""
    return recompute_per_token - stall_share * (tier_fetch + tier_latency / prefix_tokens)


@quantity("Time won per cached token, attention and latency left out", "µs")
def tier_net_linear(prefill_time, stall_share, tier_fetch):
    return prefill_time - stall_share * tier_fetch


@quantity("TTFT saved by a hit", "ms")
def tier_ttft_saved(tier_net, prefix_tokens):
    return tier_net * prefix_tokens


@quantity("Shortest prefix that is worth a fetch", "tok")
def tier_minimum_prefix(prefill_time, stall_share, tier_fetch, attention_curve, tier_latency):
    """[−(a − f) + √((a − f)² + 4 b t0)] / 2b: attention rescues a slow tier for long contexts only."""
    return most(
        0,
        (
            stall_share * tier_fetch
            - prefill_time
            + sqrt(
                (prefill_time - stall_share * tier_fetch) * (prefill_time - stall_share * tier_fetch)
                + 4 * attention_curve * stall_share * tier_latency
            )
        )
        / (2 * attention_curve),
    )


@quantity("Value of cached tokens that are hit", "$/M tok")
def tier_value(tier_net, replica_second_cost):
    return tier_net * replica_second_cost


@quantity("Price of holding", "$/GB/month")
def tier_holding_price(tier_on_gpu, gpu_hour_price, hours_per_month, hbm, tier_price):
    """GPU memory is priced at its GPU."""
    return if_(tier_on_gpu > 0, gpu_hour_price * hours_per_month / hbm, tier_price)


@quantity("Cost of holding for an hour", "$/M tok/h")
def tier_hold(kv_per_token, tier_holding_price, hours_per_month):
    return kv_per_token * tier_holding_price / hours_per_month


@quantity("Drive worn by writing", "$/M tok")
def tier_write(tier_is_drive, kv_per_token, drive_price, tier_endurance):
    return tier_is_drive * kv_per_token * drive_price / tier_endurance


@quantity("Hits that pay for one write", "")
def tier_hits_per_write(tier_pays, tier_write, tier_value):
    return when(tier_pays, tier_write / tier_value)


@quantity("Longest idle time before one hit", "h")
def tier_idle_limit(tier_value, tier_write, tier_hold):
    return most(0, tier_value - tier_write) / tier_hold


@check("The tier pays", "fetching takes longer than recomputing: the tier should not exist", kind="sensitivity")
def tier_pays(tier_net):
    return tier_net > 0


@quantity("Verdict", "")
def tier_verdict(tier_pays):
    return if_(tier_pays, "pays", "should not exist")


@quantity("Tiers that should not exist", "")
def losing_tiers(tier_net, tier):
    return count(tier_net <= 0, tier)


@quantity("Models of the table with a tier that should not exist", "")
def losing_models(models_losing_tiers, model_case):
    return count(models_losing_tiers > 0, model_case)


@quantity("Some tier should not exist", "")
def some_tier_loses(losing_tiers):
    return losing_tiers > 0


@quantity("Share of prompt tokens that hit a tier", "%")
def hit_share_total(tier_hit_share, tier):
    return total(tier_hit_share, tier)


@check("Hit shares are parts of a whole", "the hit shares of the tiers add up to {hit_share_total}, more than all prompt tokens")
def hit_shares_fit(hit_share_total):
    return hit_share_total <= 1


@quantity("Work saved by the tier", "replica·s/s")
def tier_saved(hit_shares_fit, prompt_load, tier_hit_share, tier_net):
    return when(hit_shares_fit, prompt_load * tier_hit_share * tier_net)


@quantity("GPUs saved by the tier", "")
def tier_gpus_saved(tier_saved, utilization_cap, gpus_per_replica):
    """The fleet is sized at its cap, so a saved second is worth more than a second."""
    return tier_saved / utilization_cap * gpus_per_replica


@quantity("Money saved by the tier", "$/h")
def tier_money_saved(tier_gpus_saved, gpu_hour_price):
    return tier_gpus_saved * gpu_hour_price


@quantity("Work saved by all tiers", "replica·s/s")
def portfolio_saved(tier_saved, tier):
    return total(tier_saved, tier)


@quantity("GPUs saved by all tiers", "")
def portfolio_gpus(tier_gpus_saved, tier):
    return total(tier_gpus_saved, tier)


@quantity("Money saved by all tiers", "$/h")
def portfolio_money(portfolio_gpus, gpu_hour_price):
    return portfolio_gpus * gpu_hour_price


@quantity("Money saved by all tiers, a month", "$/month")
def portfolio_money_per_month(portfolio_money, hours_per_month):
    return portfolio_money * hours_per_month
