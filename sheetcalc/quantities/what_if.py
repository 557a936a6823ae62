"""What is asked after a plan: stress, a pool for long prompts, levers on memory (decision 20). Each quantity stands in for an
input in a table
of the plan. Source: what the worked answers are asked next (files 000 and 004); calculators A, f.1 and f.2.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import if_, when


@quantity("Requests per second in the case", "req/s")
def stress_rate(request_rate, stress_rate_factor):
    """The plan's rate times the case's factor: a bigger cohort, several calls an interaction."""
    return request_rate * stress_rate_factor


@quantity("Prompt tokens in the case", "tok")
def stress_prompt(prompt_tokens, stress_prompt_factor):
    """The plan's prompt times the case's factor: longer retrieval."""
    return prompt_tokens * stress_prompt_factor


@quantity("Long prompts' share of prompt tokens", "%")
def long_tokens_share(long_share, long_prompt, prompt_tokens):
    """Share of requests times their length over the mean."""
    return long_share * long_prompt / prompt_tokens


@check(
    "Long prompts fit in the mean",
    "long prompts alone would be {long_tokens_share} of all prompt tokens; lower long_share or long_prompt",
    "alert",
)
def long_tail_fits(long_tokens_share):
    return long_tokens_share < 1


@quantity("Prompt tokens of short requests", "tok")
def short_prompt(long_tail_fits, prompt_tokens, long_share, long_prompt):
    """What the mean leaves for the rest."""
    return when(long_tail_fits, (prompt_tokens - long_share * long_prompt) / (1 - long_share))


@quantity("Requests per second of the pool", "req/s")
def pool_rate_of(request_rate, pool_all, pool_long, long_share):
    """All requests, the long ones, or the short ones."""
    return request_rate * if_(pool_all > 0, 1, if_(pool_long > 0, long_share, 1 - long_share))


@quantity("Prompt tokens of the pool", "tok")
def pool_prompt_of(pool_all, prompt_tokens, pool_long, long_prompt, short_prompt):
    """The mean of those that the pool serves."""
    return if_(pool_all > 0, prompt_tokens, if_(pool_long > 0, long_prompt, short_prompt))


@quantity("Prompt tokens under the lever", "tok")
def lever_prompt(prompt_tokens, lever_prompt_factor):
    """A shorter context."""
    return prompt_tokens * lever_prompt_factor


@quantity("Memory of a GPU under the lever", "GB")
def lever_memory(hbm, host_memory, lever_host):
    """Offload: host memory beside GPU memory, for conversations that wait, not for those that run."""
    return hbm + host_memory * lever_host


@quantity("People active at the peak", "")
def active_people(request_rate, seconds_between_requests):
    """Little's law over the pause between two requests of a person."""
    return request_rate * seconds_between_requests
