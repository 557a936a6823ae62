"""Options side by side in dollars per successful task. Source: calculators C, section g. The rows are illustrative, not measurements.

| specification | here |
|---|---|
| q, n, err | option_pass_rate, option_sample, option_error_rate |
| slo, headline, accept | option_slo_rate, option_headline_rate, option_accepted_share |
| ok, attempts, success | attempt_success, task_attempts, task_success |
| $/success | success_cost |
| Wilson, non-inferior | quality_bound, quality_gap_bound |
| M1 to M8 | flag_gpu_price … flag_infrastructure |
"""

from sheetcalc.model import AT_LEAST_0, COUNT, FRACTION, POSITIVE, SHARE, Grid, Input, quantities
from sheetcalc.quantities import ledger_flags, service_ledger
from sheetcalc.study import Chart, Claim, Saying, Story, Study

SPEC = "calculators C, section g"
ASSUMED = "assumed: illustrative, worked example of " + SPEC
OPTIONS = [
    "H100 baseline",
    "Cheaper GPU (A100)",
    "Faster decoder (spec)",
    "INT4 weights",
    "Big batch 256",
    "Prefix affinity",
    "Smaller model",
]


def numbers() -> list[float]:
    """Labels of an axis."""
    return [float(i) for i in range(1, len(OPTIONS) + 1)]


STUDY = Study(
    name="cost_ledger",
    title="Cost ledger: dollars per successful task",
    purpose="What each option really costs per task that succeeds, whether it may be rolled out, and which of its wins mislead.",
    functions=quantities(service_ledger, ledger_flags),
    inputs={
        "tasks_per_month": Input(30e6, "1/month", "Tasks a month", ASSUMED, **POSITIVE),
        "peak_factor": Input(3.0, "", "Peak over mean", ASSUMED, low=1.0),
        "utilization_cap": Input(0.65, "%", "Utilization cap", "assumed: worked fleet, file 000", **SHARE),
        "retries": Input(1.0, "", "Retries of a failed attempt", ASSUMED, low=0.0, high=10.0, whole=True),
        "available_copies": Input(2.0, "", "Fewest replicas", "chosen: one may fail", **COUNT),
        "spread_months": Input(12.0, "month", "Months over which one-off cost is spread", "chosen", **POSITIVE),
        "failed_task_cost": Input(0.15, "$", "Cost of a task that fails for good", ASSUMED, **AT_LEAST_0),
        "baseline_option": Input(OPTIONS[0], "", "Baseline", "chosen"),
        "quality_gate": Input(0.90, "%", "Gate: proven quality", "chosen", **SHARE),
        "quality_margin": Input(0.01, "%", "Gate: largest drop against the baseline", "chosen", low=0.0001, high=1.0),
        "ttft_gate": Input(1.0, "ms", "Gate: time to first token", "chosen", **POSITIVE),
        "tpot_gate": Input(0.050, "ms", "Gate: time per output token", "chosen", **POSITIVE),
        "error_gate": Input(0.005, "%", "Gate: error rate", "chosen", **FRACTION),
        "least_sample": Input(1000.0, "", "Smallest graded sample", "chosen", **COUNT),
        "confidence_z": Input(1.645, "", "Normal quantile of the confidence", "chosen: one-sided 95%", **POSITIVE),
        "power_z": Input(0.842, "", "Normal quantile of the power", "chosen: 80%", **POSITIVE),
        "canary_share": Input(0.05, "%", "Traffic of a canary arm", "chosen", **SHARE),
        "thousand": Input(1000.0, "", "Tasks that a price is quoted for", "chosen", **COUNT),
        "hours_per_month": Input(730.0, "h/month", "Hours in a month", "defined: 8,760 / 12", **POSITIVE),
        "days_per_month": Input(365 / 12, "day/month", "Days in a month", "defined: 365 / 12", **POSITIVE),
        "seconds_per_hour": Input(3600.0, "s/h", "Seconds in an hour", "defined", **POSITIVE),
    },
    grids=[
        Grid(
            "options",
            "Options",
            rows={"option": Input(numbers(), "", "Number", "order of the table", **COUNT)},
            typed={
                "option_name": Input(OPTIONS, "", "Option", ASSUMED),
                "option_gpu_price": Input([2.5, 1.2, 2.5, 2.5, 2.5, 2.5, 2.5], "$/h", "Price of a GPU-hour", ASSUMED, **POSITIVE),
                "option_replica_gpus": Input([4.0, 8.0, 4.0, 2.0, 4.0, 4.0, 1.0], "", "GPUs per replica", ASSUMED, **COUNT),
                "option_headline_rate": Input(
                    [4200.0, 2600.0, 9800.0, 3300.0, 5600.0, 4200.0, 6000.0], "tok/s", "Headline rate", ASSUMED, **POSITIVE
                ),
                "option_slo_rate": Input(
                    [1765.0, 720.0, 1490.0, 1350.0, 2300.0, 2660.0, 2500.0],
                    "tok/s",
                    "Accepted rate inside the targets",
                    ASSUMED,
                    **POSITIVE,
                ),
                "option_accepted_share": Input(
                    [1.0, 1.0, 0.55, 1.0, 1.0, 1.0, 1.0], "%", "Accepted share of the headline", ASSUMED, **SHARE
                ),
                "option_task_tokens": Input(
                    [300.0, 300.0, 300.0, 340.0, 300.0, 300.0, 420.0], "tok", "Output tokens a task", ASSUMED, **POSITIVE
                ),
                "option_pass_rate": Input([0.94, 0.94, 0.94, 0.88, 0.94, 0.94, 0.905], "%", "Pass rate", ASSUMED, **SHARE),
                "option_sample": Input([4000.0] * 6 + [400.0], "", "Graded sample", ASSUMED, **COUNT),
                "option_ttft": Input([0.62, 0.98, 0.84, 0.70, 1.50, 0.43, 0.30], "ms", "Time to first token", ASSUMED, **POSITIVE),
                "option_tpot": Input([0.046, 0.049, 0.029, 0.044, 0.071, 0.038, 0.022], "ms", "Time per output token", ASSUMED, **POSITIVE),
                "option_error_rate": Input(
                    [0.002, 0.002, 0.002, 0.003, 0.002, 0.002, 0.002], "%", "Error rate", ASSUMED, low=0.0, high=0.5
                ),
                "option_egress": Input([600.0] * 6 + [840.0], "$/month", "Egress", ASSUMED, **AT_LEAST_0),
                "option_staff": Input(
                    [20000.0, 20000.0, 23000.0, 20000.0, 20000.0, 20500.0, 20000.0], "$/month", "Staff", ASSUMED, **AT_LEAST_0
                ),
                "option_license": Input([0.0] * 7, "$/month", "Licenses", ASSUMED, **AT_LEAST_0),
                "option_one_off": Input(
                    [0.0, 30000.0, 20000.0, 15000.0, 0.0, 25000.0, 40000.0], "$", "One-off cost", ASSUMED, **AT_LEAST_0
                ),
            },
            show=["option_replicas", "option_total", "thousand_cost", "quality_bound", "passes_all", "option_flags", "efficient"],
        ),
        Grid(
            "rivals",
            "Options as rivals, and ranked",
            rows={"rival": Input(numbers(), "", "Rival", "order of the table", **COUNT)},
            show=["rival_success_cost", "ranked_option_name", "ranked_option_cost", "flagged_option_name", "flagged_option_flags"],
        ),
    ],
    claims=[
        Claim("chosen_name", "Prefix affinity", SPEC),
        Claim("naive_name", "Smaller model", SPEC),
        Claim("rollout_saving", 19316.66666666667, SPEC),
        Claim("rollout_payback", 1.1682242990654204, SPEC),
        Claim("canary_size", 6977, SPEC),
        Claim("canary_time", 0.1414780555555557, SPEC),
        Claim("chosen_success_cost", 0.003063449229940127, SPEC),
        Claim("baseline_success_cost", 0.003709813133085468, SPEC),
        Claim("naive_success_cost", 0.002849352842724152, SPEC),
        Claim("naive_quality", 0.8780892201014281, SPEC),
        Claim("passing_options", 4, SPEC),
    ],
    sayings={
        "claim": Saying(
            (
                "rollout_saves",
                "{chosen_name} saves {rollout_saving}: {chosen_thousand} per 1,000 successful tasks instead of {baseline_thousand}",
            ),
            ("some_option_passes", "Nothing that passes the gates beats {baseline_option}"),
            ("", "Hold: no option passes every gate"),
        ),
        "decision": Saying(
            (
                "rollout_saves",
                "Roll out {chosen_name}: the bill falls from {baseline_total} to {chosen_total}, and its one-off cost of "
                "{chosen_one_off} is back after {rollout_payback}. First a canary of {canary_size} tasks in each arm.",
            ),
            ("some_option_passes", "Stay with {baseline_option} at {baseline_total}."),
            ("", "Hold: no option passes every gate, so nothing may be rolled out."),
        ),
        "heading": Saying(("", "Dollars per successful task rank the options, and gates decide which may win")),
        "naive": Saying(
            ("naive_passes", "The cheapest success and the option that passes the gates are the same, so the gates cost nothing."),
            (
                "",
                "A ranking without gates would pick {naive_name} at {naive_thousand} per 1,000 successes, but its proven quality is "
                "{naive_quality} against a gate of {quality_gate}: test it again on a larger sample before its saving is counted.",
            ),
        ),
        "gates": Saying(
            (
                "",
                "{passing_options} options pass all five gates: proven quality, not worse than the baseline by more than "
                "{quality_margin}, first token within {ttft_gate}, others within {tpot_gate}, errors up to {error_gate:1}.",
            ),
        ),
        "flags": Saying(
            (
                "",
                "Eight flags mark wins that mislead: a cheaper GPU-hour, a faster headline, drafted tokens, a lower price per token, "
                "longer answers, a saving outside the gates, a small sample, a GPU bill that failures eat.",
            ),
        ),
        "once": Saying(
            (
                "",
                "The saving is the difference of two whole ledgers; savings of several options are alternatives and are never added. "
                "The accepted rate already holds the accepted share, so it is not multiplied in again.",
            ),
        ),
        "slope": Saying(("", "What looks cheap per token need not be cheap per success")),
        "misleading": Saying(("", "{most_flagged_name} misleads most: {most_flags} of the eight flags")),
        "ranked": Saying(
            ("naive_passes", "{chosen_name} is cheapest per success and passes every gate"),
            ("some_option_passes", "{naive_name} is cheapest per success and fails a gate; {chosen_name} is the cheapest that passes"),
            ("", "{naive_name} is cheapest per success, and no option passes every gate"),
        ),
    },
    story=Story(
        claim="claim",
        decision="decision",
        figures=("chosen_thousand", "baseline_thousand", "rollout_saving", "rollout_payback", "passing_options"),
        argument=("heading", "naive", "gates", "flags", "once"),
        derivation=("rollout_saving", "running_saving", "rollout_payback", "canary_size", "canary_time"),
        not_counted=(
            "Retries that fail for the same reason: failures are taken as independent, which is optimistic.",
            "The rows are illustrative until measurements replace them.",
        ),
    ),
    charts=[
        Chart("ranked", "bars", title="ranked", x="ranked_option_name", ys=("ranked_option_cost",), y_label="$ per 1,000 successful tasks"),
        Chart(
            "slope",
            "slope",
            title="slope",
            x="option_name",
            ys=("option_headline_cost", "thousand_cost"),
            marks=("baseline_headline_cost", "baseline_thousand", "passes_all"),
            y_label="both prices over those of the baseline; grey fails a gate",
        ),
        Chart(
            "misleading",
            "bars",
            title="misleading",
            x="flagged_option_name",
            ys=("flagged_option_flags",),
            y_label="flags of a misleading win, of eight",
        ),
    ],
    links={"utilization_cap": "utilization_cap"},
    core=("chosen_name", "chosen_success_cost", "rollout_saving", "rollout_payback"),
)
