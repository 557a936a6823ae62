"""Dollars per successful task of each option, and the gates it must pass. Source: calculators C, section g; Wilson's interval."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, count, highest_at, if_, lowest_at, most, same, sqrt, when


@quantity("Success of one attempt", "%")
def attempt_success(option_pass_rate, option_error_rate):
    """Right and without error."""
    return option_pass_rate * (1 - option_error_rate)


@quantity("Success of a task", "%")
def task_success(attempt_success, retries):
    """Any attempt; failures are taken as independent, which is optimistic."""
    return 1 - (1 - attempt_success) ** (retries + 1)


@quantity("Attempts for a task", "")
def task_attempts(task_success, attempt_success):
    """Mean number, retries stop at the first success."""
    return task_success / attempt_success


@quantity("Peak output", "tok/s")
def option_peak_rate(tasks_per_month, task_attempts, option_task_tokens, hours_per_month, seconds_per_hour, peak_factor):
    """Tokens per second at the peak, failed attempts included."""
    return tasks_per_month * task_attempts * option_task_tokens / (hours_per_month * seconds_per_hour) * peak_factor


@quantity("Replicas", "")
def option_replicas(available_copies, option_peak_rate, option_slo_rate, utilization_cap):
    """By tokens that are accepted inside the targets: they are not multiplied by the accepted share again."""
    return most(available_copies, ceil(option_peak_rate / (option_slo_rate * utilization_cap)))


@quantity("GPUs", "")
def option_gpus(option_replicas, option_replica_gpus):
    """GPUs of the option."""
    return option_replicas * option_replica_gpus


@quantity("GPUs for a month", "$/month")
def option_infrastructure(option_gpus, option_gpu_price, hours_per_month):
    """Every hour of the month."""
    return option_gpus * option_gpu_price * hours_per_month


@quantity("Tasks that fail for good", "$/month")
def option_failures(tasks_per_month, task_success, failed_task_cost):
    """What they cost somebody else."""
    return tasks_per_month * (1 - task_success) * failed_task_cost


@quantity("One-off cost, spread", "$/month")
def option_spread(option_one_off, spread_months):
    """Over the horizon."""
    return option_one_off / spread_months


@quantity("Total", "$/month")
def option_total(option_infrastructure, option_egress, task_attempts, option_staff, option_license, option_spread, option_failures):
    """The whole ledger; egress grows with the attempts."""
    return option_infrastructure + option_egress * task_attempts + option_staff + option_license + option_spread + option_failures


@quantity("Per successful task", "$")
def success_cost(option_total, tasks_per_month, task_success):
    """The only figure that ranks."""
    return option_total / (tasks_per_month * task_success)


@quantity("Per 1,000 successful tasks", "$")
def thousand_cost(success_cost, thousand):
    """The same, easier to read."""
    return success_cost * thousand


@quantity("Headline price", "$/M tok")
def option_headline_cost(option_replica_gpus, option_gpu_price, option_headline_rate, seconds_per_hour):
    """What a benchmark page would quote."""
    return option_replica_gpus * option_gpu_price / (option_headline_rate * seconds_per_hour)


@quantity("Price inside the targets", "$/M tok")
def option_slo_cost(option_replica_gpus, option_gpu_price, option_slo_rate, seconds_per_hour):
    """The same on accepted tokens inside the targets."""
    return option_replica_gpus * option_gpu_price / (option_slo_rate * seconds_per_hour)


@quantity("Share of the fleet that idles", "%")
def option_idle(option_peak_rate, peak_factor, option_replicas, option_slo_rate):
    """Mean output over what the replicas could give."""
    return 1 - option_peak_rate / peak_factor / (option_replicas * option_slo_rate)


@quantity("Quality, lower bound", "%")
def quality_bound(option_pass_rate, option_sample, confidence_z):
    """Wilson's bound, one-sided."""
    return (
        option_pass_rate
        + confidence_z**2 / (2 * option_sample)
        - confidence_z * sqrt(option_pass_rate * (1 - option_pass_rate) / option_sample + confidence_z**2 / (4 * option_sample**2))
    ) / (1 + confidence_z**2 / option_sample)


@quantity("Pass rate of the baseline", "%")
def baseline_pass_rate(option_pass_rate, option_name, baseline_option):
    """The option that all others are measured against."""
    return at(option_pass_rate, option_name, baseline_option)


@quantity("Sample of the baseline", "")
def baseline_sample(option_sample, option_name, baseline_option):
    """Graded answers."""
    return at(option_sample, option_name, baseline_option)


@quantity("Quality against the baseline, lower bound", "%")
def quality_gap_bound(option_name, baseline_option, option_pass_rate, baseline_pass_rate, confidence_z, option_sample, baseline_sample):
    """Difference of two shares, one-sided; the baseline does not differ from itself."""
    return if_(
        same(option_name, baseline_option),
        0,
        option_pass_rate
        - baseline_pass_rate
        - confidence_z
        * sqrt(option_pass_rate * (1 - option_pass_rate) / option_sample + baseline_pass_rate * (1 - baseline_pass_rate) / baseline_sample),
    )


@quantity("Quality gate", "")
def passes_quality(quality_bound, quality_gate):
    """1 when the lower bound clears the gate."""
    return if_(quality_bound >= quality_gate, 1, 0)


@quantity("Not worse than the baseline", "")
def passes_gap(quality_gap_bound, quality_margin):
    """1 when the lower bound of the difference stays inside the margin."""
    return if_(quality_gap_bound >= -quality_margin, 1, 0)


@quantity("TTFT gate", "")
def passes_ttft(option_ttft, ttft_gate):
    """1 when the first token comes in time."""
    return if_(option_ttft <= ttft_gate, 1, 0)


@quantity("TPOT gate", "")
def passes_tpot(option_tpot, tpot_gate):
    """1 when the others do."""
    return if_(option_tpot <= tpot_gate, 1, 0)


@quantity("Error gate", "")
def passes_errors(option_error_rate, error_gate):
    """1 when few enough requests fail."""
    return if_(option_error_rate <= error_gate, 1, 0)


@quantity("Passes all gates", "")
def passes_all(passes_quality, passes_gap, passes_ttft, passes_tpot, passes_errors):
    """1 when all five hold."""
    return passes_quality * passes_gap * passes_ttft * passes_tpot * passes_errors


@quantity("Options that pass", "")
def passing_options(passes_all, option):
    """Count."""
    return count(passes_all > 0, option)


@check("An option passes every gate", "hold: no option passes all gates, so none may be rolled out")
def some_option_passes(passing_options):
    """At least one."""
    return passing_options > 0


@quantity("Successful tasks per dollar, behind the gates", "1/$")
def gated_value(passes_all, success_cost):
    """0 for what may not be rolled out."""
    return passes_all / success_cost


@quantity("Option to roll out", "")
def chosen_option(some_option_passes, gated_value, option):
    """Number of the cheapest success among those that pass."""
    return when(some_option_passes, highest_at(gated_value, option))


@quantity("Name of the option to roll out", "")
def chosen_name(option_name, option, chosen_option):
    """Name of that option."""
    return at(option_name, option, chosen_option)


@quantity("Cheapest option without gates", "")
def naive_option(success_cost, option):
    """Number of the option that a ranking alone would pick."""
    return lowest_at(success_cost, option)


@quantity("Name of the cheapest option without gates", "")
def naive_name(option_name, option, naive_option):
    """Name of that option."""
    return at(option_name, option, naive_option)


@quantity("Number of the baseline", "")
def baseline_number(option, option_name, baseline_option):
    """Its row."""
    return at(option, option_name, baseline_option)
