"""What leaving attention arithmetic out is worth, and from which prompt on it is too much to leave out."""

from sheetcalc.model import check, quantity


@quantity("Attention over the other arithmetic of a prompt", "%")
def attention_share(flops_per_pair, kv_layers, query_heads, query_head_size, prompt_tokens, flops_per_param, active_params):
    """2·L·Hq·dh·S / (2·P): 3.7% at 4,000 tokens and 30% at 32,000 (calculators C, section 0.1)."""
    return flops_per_pair * kv_layers * query_heads * query_head_size * prompt_tokens / 2 / (flops_per_param * active_params)


@check(
    "Attention may be left out",
    "at {prompt_tokens:0} of prompt attention adds {attention_share} to the prefill; count it with attention_on = 1",
    "sensitivity",
)
def attention_negligible(prompt_tokens, long_prompt, attention_on):
    """It is counted, or the prompt is short enough."""
    return prompt_tokens * (1 - attention_on) <= long_prompt
