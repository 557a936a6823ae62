"""Which bill an architecture sends: memory or compute. Source: calculators B (h), general roofline."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, highest


@quantity("Memory bill at the largest step of the table", "$/M tok")
def full_step_memory_cost(token_memory_cost, step_tokens, largest_step):
    """Dollars per token."""
    return at(token_memory_cost, step_tokens, largest_step)


@quantity("Largest step of the table", "")
def largest_step(step_tokens):
    return highest(step_tokens, step_tokens)


@check(
    "Compute takes over within the table",
    "compute takes over at {moe_ridge_batch:0} tokens in a step, the table ends at {largest_step:0}",
    "alert",
)
def ridge_in_table(moe_ridge_batch, largest_step):
    return moe_ridge_batch <= largest_step
