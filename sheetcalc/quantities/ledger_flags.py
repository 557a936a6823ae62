"""Eight ways in which an option looks better than it is, the efficient ones, and the rollout. Source: calculators C, section g."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, ceil, count, highest, highest_at, if_, same, total, when


@check(
    "The baseline is one of the options",
    "the baseline {baseline_option} is not one of the options; write the name of one of them as baseline_option",
    "input",
)
def baseline_known(option_name, baseline_option, option):
    """Everything is compared with it."""
    return count(same(option_name, baseline_option), option) > 0


@quantity("GPU price of the baseline", "$/h")
def baseline_gpu_price(option_gpu_price, option_name, baseline_option):
    """Per GPU."""
    return at(option_gpu_price, option_name, baseline_option)


@quantity("Success cost of the baseline", "$")
def baseline_success_cost(success_cost, option_name, baseline_option):
    """Per successful task."""
    return at(success_cost, option_name, baseline_option)


@quantity("Headline rate per GPU", "tok/s")
def headline_per_gpu(option_headline_rate, option_replica_gpus):
    """What a benchmark page would quote."""
    return option_headline_rate / option_replica_gpus


@quantity("Rate inside the targets per GPU", "tok/s")
def slo_per_gpu(option_slo_rate, option_replica_gpus):
    """Accepted tokens."""
    return option_slo_rate / option_replica_gpus


@quantity("Headline rate per GPU of the baseline", "tok/s")
def baseline_headline_per_gpu(headline_per_gpu, option_name, baseline_option):
    """What the others are compared with."""
    return at(headline_per_gpu, option_name, baseline_option)


@quantity("Rate inside the targets per GPU of the baseline", "tok/s")
def baseline_slo_per_gpu(slo_per_gpu, option_name, baseline_option):
    """What the others are compared with."""
    return at(slo_per_gpu, option_name, baseline_option)


@quantity("Headline price of the baseline", "$/M tok")
def baseline_headline_cost(option_headline_cost, option_name, baseline_option):
    """What the others are compared with."""
    return at(option_headline_cost, option_name, baseline_option)


@quantity("Price inside the targets of the baseline", "$/M tok")
def baseline_slo_cost(option_slo_cost, option_name, baseline_option):
    """What the others are compared with."""
    return at(option_slo_cost, option_name, baseline_option)


@quantity("Tokens per task of the baseline", "tok")
def baseline_task_tokens(option_task_tokens, option_name, baseline_option):
    """What the others are compared with."""
    return at(option_task_tokens, option_name, baseline_option)


@quantity("GPU bill of the baseline", "$/month")
def baseline_infrastructure(option_infrastructure, option_name, baseline_option):
    """What the others are compared with."""
    return at(option_infrastructure, option_name, baseline_option)


@quantity("M1 cheaper GPU-hour, dearer success", "")
def flag_gpu_price(option_gpu_price, baseline_gpu_price, success_cost, baseline_success_cost):
    """1 when the GPU is cheaper and the success is not."""
    return if_(both(option_gpu_price < baseline_gpu_price, success_cost >= baseline_success_cost), 1, 0)


@quantity("M2 headline up, inside the targets down", "")
def flag_headline_rate(headline_per_gpu, baseline_headline_per_gpu, slo_per_gpu, baseline_slo_per_gpu):
    """1 when the benchmark goes up and the useful rate goes down."""
    return if_(both(headline_per_gpu > baseline_headline_per_gpu, slo_per_gpu < baseline_slo_per_gpu), 1, 0)


@quantity("M3 headline counts drafted tokens", "")
def flag_drafted(option_accepted_share):
    """1 when not all counted tokens are accepted."""
    return if_(option_accepted_share < 1, 1, 0)


@quantity("M4 headline price down, success dearer", "")
def flag_headline_cost(option_headline_cost, baseline_headline_cost, success_cost, baseline_success_cost):
    """1 when the quoted price falls and the success does not."""
    return if_(both(option_headline_cost < baseline_headline_cost, success_cost >= baseline_success_cost), 1, 0)


@quantity("M5 more tokens per task", "")
def flag_verbose(option_task_tokens, baseline_task_tokens):
    """1 when a price per token flatters it."""
    return if_(option_task_tokens > baseline_task_tokens, 1, 0)


@quantity("M6 saving only outside the gates", "")
def flag_ungated(option_slo_cost, baseline_slo_cost, passes_all):
    """1 when it is cheaper inside the targets and fails a gate."""
    return if_(both(option_slo_cost < baseline_slo_cost, passes_all < 1), 1, 0)


@quantity("M7 quality sample too small", "")
def flag_small_sample(option_sample, least_sample):
    """1 when too few answers are graded to prove the gate."""
    return if_(option_sample < least_sample, 1, 0)


@quantity("M8 GPU bill down, success dearer", "")
def flag_infrastructure(option_infrastructure, baseline_infrastructure, success_cost, baseline_success_cost):
    """1 when failures and staff eat the saving."""
    return if_(both(option_infrastructure < baseline_infrastructure, success_cost >= baseline_success_cost), 1, 0)


@quantity("Flags", "")
def option_flags(
    flag_gpu_price, flag_headline_rate, flag_drafted, flag_headline_cost, flag_verbose, flag_ungated, flag_small_sample, flag_infrastructure
):
    """How many of the eight."""
    return (
        flag_gpu_price
        + flag_headline_rate
        + flag_drafted
        + flag_headline_cost
        + flag_verbose
        + flag_ungated
        + flag_small_sample
        + flag_infrastructure
    )


@quantity("Rival passes", "")
def rival_passes(passes_all, option, rival):
    """The gates along the second list of options."""
    return at(passes_all, option, rival)


@quantity("Rival's success cost", "$")
def rival_success_cost(success_cost, option, rival):
    """The costs along the second list of options."""
    return at(success_cost, option, rival)


@quantity("Rival's quality", "%")
def rival_quality(quality_bound, option, rival):
    """The bounds along the second list of options."""
    return at(quality_bound, option, rival)


@quantity("Rival's TPOT", "ms")
def rival_tpot(option_tpot, option, rival):
    """The times along the second list of options."""
    return at(option_tpot, option, rival)


@quantity("As good in everything", "")
def rivals_as_good(rival_passes, rival_success_cost, success_cost, rival_quality, quality_bound, rival_tpot, option_tpot, rival):
    """Passing options, itself included, that are no worse in cost, quality and TPOT."""
    return total(
        rival_passes * (rival_success_cost <= success_cost) * (rival_quality >= quality_bound) * (rival_tpot <= option_tpot), rival
    )


@quantity("The same in everything", "")
def rivals_alike(rival_passes, rival_success_cost, success_cost, rival_quality, quality_bound, rival_tpot, option_tpot, rival):
    """Passing options, itself included, that do not differ."""
    return total(
        rival_passes
        * (rival_success_cost >= success_cost)
        * (rival_success_cost <= success_cost)
        * (rival_quality >= quality_bound)
        * (rival_quality <= quality_bound)
        * (rival_tpot >= option_tpot)
        * (rival_tpot <= option_tpot),
        rival,
    )


@quantity("Place", "")
def option_place(rival_success_cost, success_cost, rival, option):
    """1 is cheapest per success; equal costs in the order of the table."""
    return 1 + total((rival_success_cost < success_cost) + same(rival_success_cost, success_cost) * (rival < option), rival)


@quantity("Option of the place", "")
def ranked_option(option_place, rival, option):
    """Number of the option."""
    return total(same(option_place, rival) * option, option)


@quantity("Option", "")
def ranked_option_name(option_name, option, ranked_option):
    """Its name."""
    return at(option_name, option, ranked_option)


@quantity("Per 1,000 successful tasks", "$")
def ranked_option_cost(thousand_cost, option, ranked_option):
    """From the cheapest on, gates or not."""
    return at(thousand_cost, option, ranked_option)


@quantity("Flags of the rival", "")
def rival_flags(option_flags, option, rival):
    """The same flags along the second list."""
    return at(option_flags, option, rival)


@quantity("Place by flags", "")
def flag_place(rival_flags, option_flags, rival, option):
    """1 has most; equal counts in the order of the table."""
    return 1 + total((rival_flags > option_flags) + same(rival_flags, option_flags) * (rival < option), rival)


@quantity("Option of the place by flags", "")
def flagged_option(flag_place, rival, option):
    """Number of the option."""
    return total(same(flag_place, rival) * option, option)


@quantity("Option, by flags", "")
def flagged_option_name(option_name, option, flagged_option):
    """Its name."""
    return at(option_name, option, flagged_option)


@quantity("Flags of a misleading win", "")
def flagged_option_flags(option_flags, option, flagged_option):
    """From most to fewest."""
    return at(option_flags, option, flagged_option)


@quantity("Option with most flags", "")
def most_flagged_name(option_name, option, option_flags):
    """The win that misleads most."""
    return at(option_name, option, highest_at(option_flags, option))


@quantity("Most flags on one option", "")
def most_flags(option_flags, option):
    """Of eight."""
    return highest(option_flags, option)


@quantity("Nothing beats it", "")
def efficient(passes_all, rivals_as_good, rivals_alike):
    """1 when it passes and none that passes is at least as good in all three and better in one (Pareto)."""
    return if_(both(passes_all > 0, rivals_as_good <= rivals_alike), 1, 0)


@quantity("Baseline bill", "$/month")
def baseline_total(option_total, option_name, baseline_option):
    """The whole ledger."""
    return at(option_total, option_name, baseline_option)


@quantity("Bill after rollout", "$/month")
def chosen_total(option_total, option, chosen_option):
    """The whole ledger."""
    return at(option_total, option, chosen_option)


@quantity("Saving", "$/month")
def rollout_saving(baseline_total, chosen_total):
    """After the one-off cost is spread."""
    return baseline_total - chosen_total


@quantity("One-off cost of the rollout", "$")
def chosen_one_off(option_one_off, option, chosen_option):
    """Paid once."""
    return at(option_one_off, option, chosen_option)


@quantity("One-off cost of the rollout, spread", "$/month")
def chosen_spread(option_spread, option, chosen_option):
    """Of the option to roll out."""
    return at(option_spread, option, chosen_option)


@quantity("Saving before the one-off cost", "$/month")
def running_saving(rollout_saving, chosen_spread):
    """What pays it back."""
    return rollout_saving + chosen_spread


@check("The rollout saves", "stay with {baseline_option}: nothing that passes the gates costs less per success", "alert")
def rollout_saves(rollout_saving, baseline_option):
    """The whole ledger falls, one-off cost included; the baseline against itself saves nothing."""
    return rollout_saving > 0


@quantity("Payback", "month")
def rollout_payback(rollout_saves, chosen_one_off, running_saving):
    """One-off cost over the monthly saving."""
    return when(rollout_saves, chosen_one_off / running_saving)


@quantity("Success cost after rollout", "$")
def chosen_success_cost(success_cost, option, chosen_option):
    """Per successful task."""
    return at(success_cost, option, chosen_option)


@quantity("Success cost without gates", "$")
def naive_success_cost(success_cost, option, naive_option):
    """Per successful task."""
    return at(success_cost, option, naive_option)


@quantity("Per 1,000 successful tasks, after rollout", "$")
def chosen_thousand(thousand_cost, option, chosen_option):
    """Easier to read."""
    return at(thousand_cost, option, chosen_option)


@quantity("Per 1,000 successful tasks, baseline", "$")
def baseline_thousand(thousand_cost, option_name, baseline_option):
    """Easier to read."""
    return at(thousand_cost, option_name, baseline_option)


@quantity("Per 1,000 successful tasks, cheapest without gates", "$")
def naive_thousand(thousand_cost, option, naive_option):
    """Easier to read."""
    return at(thousand_cost, option, naive_option)


@quantity("Its lower bound of quality", "%")
def naive_quality(quality_bound, option, naive_option):
    """Wilson's bound of the option that a ranking alone would pick."""
    return at(quality_bound, option, naive_option)


@check(
    "The cheapest option passes",
    "{naive_name} would be cheapest, but its proven quality is {naive_quality} against a gate of {quality_gate}, or it misses a target",
    "alert",
)
def naive_passes(chosen_option, naive_option):
    """A ranking without gates would pick the same."""
    return same(chosen_option, naive_option)


@quantity("Canary tasks in each arm", "")
def canary_size(confidence_z, power_z, baseline_pass_rate, quality_margin):
    """Two shares, one-sided, to see a drop of the margin."""
    return ceil((confidence_z + power_z) ** 2 * 2 * baseline_pass_rate * (1 - baseline_pass_rate) / quality_margin**2)


@quantity("Canary time", "day")
def canary_time(canary_size, tasks_per_month, days_per_month, canary_share):
    """Until an arm with that share of the traffic is full."""
    return canary_size / (tasks_per_month / days_per_month * canary_share)
