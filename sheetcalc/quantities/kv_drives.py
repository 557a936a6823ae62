"""How long a drive lives under KV cache, and the admission rule as its depreciation schedule. Source: calculators A (b), wear."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, given, highest, least, lowest, most, negate, when


@quantity("KV cache that a replica makes", "GB/s")
def kv_made(replica_tokens, kv_per_token):
    """Prompt and output tokens."""
    return replica_tokens * kv_per_token


@quantity("KV cache to write", "GB/s")
def write_wanted(kv_made, write_share):
    return kv_made * write_share


@quantity("KV cache written", "GB/s")
def write_rate(write_wanted, drives, drive_write_bandwidth):
    """No more than the drives take in."""
    return least(write_wanted, drives * drive_write_bandwidth)


@check("Something is written", "nothing is written: no drive wears out", kind="sensitivity")
def something_written(write_wanted):
    return write_wanted > 0


@quantity("Share of writes that the drives cannot take", "%")
def write_dropped(something_written, write_rate, write_wanted):
    return when(something_written, 1 - write_rate / write_wanted)


@quantity("Written a day", "TB/day")
def written_per_day(write_rate, seconds_per_day):
    return write_rate * seconds_per_day


@quantity("Bytes that a drive may be written", "TB")
def drive_endurance(drive_endurance_rated, drive_capacity, drive_writes_per_day, days_per_year, drive_years):
    """TBW, or capacity × drive writes a day × days × years."""
    return given(drive_endurance_rated, drive_capacity * drive_writes_per_day * days_per_year * drive_years)


@quantity("Life of the drives", "day")
def drive_life(something_written, drives, drive_endurance, write_rate, write_amplification, seconds_per_day):
    return when(something_written, drives * drive_endurance / (write_rate * write_amplification * seconds_per_day))


@quantity("Life if the drives took in everything", "day")
def drive_life_unlimited(something_written, drives, drive_endurance, write_wanted, write_amplification, seconds_per_day):
    return when(something_written, drives * drive_endurance / (write_wanted * write_amplification * seconds_per_day))


@quantity("Drive writes a day that the load asks for", "1/day")
def needed_writes_per_day(written_per_day, drives, drive_capacity):
    return written_per_day / (drives * drive_capacity)


@quantity("Share of writes that lasts the asset life", "%")
def lasting_write_share(drives, drive_endurance, asset_years, days_per_year, seconds_per_day, kv_made, write_amplification):
    """All of them where the drives outlive their asset life anyhow."""
    return least(1, drives * drive_endurance / (asset_years * days_per_year * seconds_per_day * kv_made * write_amplification))


@quantity("Drives that last the asset life", "")
def lasting_drives(write_rate, write_amplification, seconds_per_day, days_per_year, asset_years, drive_endurance):
    return ceil(write_rate * write_amplification * seconds_per_day * days_per_year * asset_years / drive_endurance)


@quantity("Drives worn out", "$/year")
def wear_cost(write_rate, write_amplification, seconds_per_day, days_per_year, drive_endurance, drive_price):
    return write_rate * write_amplification * seconds_per_day * days_per_year / drive_endurance * drive_price


@quantity("Drives replaced by age", "$/year")
def ageing_cost(drives, drive_price, asset_years):
    return drives * drive_price / asset_years


@quantity("Time won per token hit on the drive", "µs")
def drive_net(tier_net, tier, drive_tier):
    return at(tier_net, tier, drive_tier)


@check(
    "A fetch from the drive is faster than recomputing",
    "recomputing is faster than fetching from {drive_tier}: no hit share pays for the drives",
    kind="alert",
)
def drive_pays(drive_net):
    return drive_net > 0


@quantity("Value of a hit share of one", "$/year")
def full_hit_value(replica_prompt_tokens, drive_net, utilization_cap, gpus_per_replica, gpu_hour_price, hours_per_year):
    """A saved second counts 1/cap, since the fleet is sized at its cap."""
    return replica_prompt_tokens * drive_net / utilization_cap * gpus_per_replica * gpu_hour_price * hours_per_year


@quantity("Value of the hits on the drive", "$/year")
def drive_value(full_hit_value, drive_hit_share):
    return full_hit_value * drive_hit_share


@quantity("Result of the drives of a replica", "$/year")
def drive_result(drive_value, wear_cost, ageing_cost):
    """Drives are replaced when they are worn or old, whichever comes first."""
    return drive_value - most(wear_cost, ageing_cost)


@quantity("Result with writes that last the asset life", "$/year")
def lasting_result(drive_value, ageing_cost):
    """At that share of writes wear and age cost the same."""
    return drive_value - ageing_cost


@quantity("Hit share at which the drives pay", "%")
def breakeven_hit_share(drive_pays, wear_cost, ageing_cost, full_hit_value):
    return when(drive_pays, most(wear_cost, ageing_cost) / full_hit_value)


@quantity("Nothing is written to the drives", "")
def drives_idle(something_written):
    return negate(something_written)


@quantity("The drives earn more than they cost", "")
def drives_earn(drive_result):
    return drive_result > 0


@quantity("Shortest life in the table", "day")
def shortest_life(cases_drive_life, drive_case):
    return lowest(cases_drive_life, drive_case)


@quantity("Longest life in the table", "day")
def longest_life(cases_drive_life, drive_case):
    return highest(cases_drive_life, drive_case)


@quantity("The drives earn more than they cost with writes that last", "")
def rule_earns(lasting_result):
    return lasting_result > 0


@quantity("Some hit share pays for the drives", "")
def hits_can_pay(full_hit_value, wear_cost, ageing_cost):
    return full_hit_value >= most(wear_cost, ageing_cost)
