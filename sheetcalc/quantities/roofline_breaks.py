"""Sixteen tests that say which numbers of a roofline may not be used in a plan, each with what to measure. Source: calculators A (a).

Nothing here feeds the step coefficients, so that no reference is circular. Thresholds are inputs.
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import beta_share, given, if_, ln, most, when


@quantity("B01 host time, share of a step", "%")
def host_share(overhead, line_step):
    return overhead / (line_step + overhead)


@check(
    "B01 host time is small (gaps between kernels in a trace)",
    "B01 host time takes {host_share} of a step, above {host_share_limit}: measure TPOT at batch 1 less the weight read, or gaps "
    "between kernels",
    kind="alert",
)
def host_small(host_share, host_share_limit):
    return host_share <= host_share_limit


@quantity("B01 host time in a step", "x")
def host_factor(line_step, overhead):
    return 1 + overhead / line_step


@quantity("B02 all-reduces, share of a step", "%")
def reduce_share(all_reduce_time, line_step):
    return all_reduce_time / (line_step + all_reduce_time)


@check(
    "B02 all-reduces are small (collective time in a trace)",
    "B02 all-reduces take {reduce_share} of a step, above {reduce_share_limit}: measure collective time in a trace, and TPOT at two, "
    "four and eight GPUs",
    kind="alert",
)
def reduce_small(reduce_share, reduce_share_limit):
    return reduce_share <= reduce_share_limit


@quantity("B02 all-reduces in a step", "x")
def reduce_factor(line_step, all_reduce_time):
    return 1 + all_reduce_time / line_step


@quantity("All-reduces of a prompt token", "µs")
def prefill_reduce_time(transfer_per_token, all_reduce_bandwidth):
    return transfer_per_token / all_reduce_bandwidth


@quantity("B03 all-reduces, share of prefill", "%")
def prefill_reduce_share(prefill_reduce_time, ttft_compute, uncached_tokens):
    return prefill_reduce_time / (ttft_compute / uncached_tokens)


@check(
    "B03 all-reduces are a small part of prefill (prefill rate at 1, 2, 4, 8 GPUs)",
    "B03 all-reduces take {prefill_reduce_share} of prefill, above {prefill_reduce_limit}: measure prefill tokens a second at one, "
    "two, four and eight GPUs",
    kind="alert",
)
def prefill_reduce_small(prefill_reduce_share, prefill_reduce_limit):
    return prefill_reduce_share <= prefill_reduce_limit


@check(
    "Prefill is longer than its transfers",
    "mfu is too high: transfers between GPUs alone take as long as the whole prefill that it implies",
    kind="alert",
)
def prefill_above_transfers(prefill_time, prefill_reduce_time):
    return prefill_time > prefill_reduce_time


@quantity("B04 utilization of the matrix products that mfu implies", "%")
def implied_gemm_mfu(prefill_above_transfers, token_flops, gpus_per_replica, peak_compute, prefill_time, prefill_reduce_time):
    return when(prefill_above_transfers, token_flops / (gpus_per_replica * peak_compute) / (prefill_time - prefill_reduce_time))


@check(
    "B04 matrix products reach what mfu implies (microbenchmark)",
    "B04 mfu implies {implied_gemm_mfu} inside the matrix products, above {implied_gemm_limit}: compare prefill tokens a second with a "
    "matrix benchmark",
    kind="alert",
)
def gemm_credible(implied_gemm_mfu, implied_gemm_limit):
    return implied_gemm_mfu <= implied_gemm_limit


@quantity("B05 attention over the matrix products of a prompt", "%")
def attention_part(prefill_attention_time, prefill_linear_time):
    return prefill_attention_time / prefill_linear_time


@check(
    "B05 attention is a small part of a prompt (prefill at 1K to 64K)",
    "B05 attention adds {attention_part} to a prompt, above {attention_part_limit}: measure prefill at 1K, 4K, 16K and 64K and fit a n "
    "+ b n²",
    kind="alert",
)
def attention_small(attention_part, attention_part_limit):
    return attention_part <= attention_part_limit


@quantity("B05 attention in a prompt", "x")
def attention_factor(attention_part):
    return 1 + attention_part


@quantity("Prompt at which attention reaches its limit", "tok")
def attention_limit_prompt(attention_part_limit, prefill_time, attention_curve):
    return attention_part_limit * prefill_time / attention_curve


@quantity("B06 chunk over the chunk from which arithmetic binds", "x")
def chunk_ratio(chunk, ridge_chunk):
    return chunk / ridge_chunk


@check(
    "B06 chunks are long enough (prefill rate against chunk size)",
    "B06 a chunk is {chunk_ratio:1} the length at which arithmetic binds, below {chunk_ratio_limit:1}: measure prefill tokens a second "
    "against chunk size",
    kind="alert",
)
def chunk_long(chunk_ratio, chunk_ratio_limit):
    return chunk_ratio >= chunk_ratio_limit


@quantity("B07 batch over the batch from which arithmetic binds", "x")
def ridge_use(batch, ridge_batch):
    """0 where arithmetic never binds."""
    return given(batch / ridge_batch, 0)


@check(
    "B07 memory binds at this batch (slope of TPOT against batch)",
    "B07 the batch is {ridge_use:2} the batch from which arithmetic binds, above {ridge_use_limit:2}: look for the change of slope of "
    "TPOT against batch",
    kind="alert",
)
def memory_binds(ridge_use, ridge_use_limit):
    return ridge_use <= ridge_use_limit


@quantity("Share of a replica's time on prompts", "%")
def line_prompt_share(replica_rate, ttft_compute):
    return replica_rate * ttft_compute


@check(
    "The replica has a steady state", "no steady state: prompts and KV reads ask for more than all of a replica's time at {replica_rate:2}"
)
def line_steady(line_prompt_share, replica_rate, output_tokens, kv_read_time):
    return line_prompt_share + replica_rate * output_tokens * kv_read_time < 1


@quantity("B08 stretch of decode by prompts", "x")
def interference(line_steady, line_prompt_share):
    return when(line_steady, 1 / (1 - line_prompt_share))


@check(
    "B08 prompts hardly stretch decode (inter-token latency with and without prefill)",
    "B08 prompts stretch decode {interference:2}, above {interference_limit:2}: measure inter-token latency with and without prompts",
    kind="alert",
)
def interference_small(interference, interference_limit):
    return interference <= interference_limit


@quantity("Batch that really runs", "")
def line_running_batch(line_steady, replica_rate, output_tokens, weight_read_time, line_prompt_share, kv_read_time):
    """x α / (1 − φ − x β), attention counted in φ; see Little's law."""
    return when(
        line_steady, replica_rate * output_tokens * weight_read_time / (1 - line_prompt_share - replica_rate * output_tokens * kv_read_time)
    )


@quantity("B09 planned batch over the batch that runs", "x")
def batch_ratio(batch, line_running_batch):
    return batch / line_running_batch


@check(
    "B09 the planned batch runs (running requests, mean over time)",
    "B09 the planned batch is {batch_ratio:2} what runs, above {batch_ratio_limit:2}: measure the running requests, averaged over time",
    kind="alert",
)
def batch_real(batch_ratio, batch_ratio_limit):
    return batch_ratio <= batch_ratio_limit


@quantity("B10 context of the residents over the mean context", "x")
def context_bias(prompt_tokens, output_tokens, output_cv):
    """(s + (o/2)(1 + C²o)) / (s + o/2): long answers stay longer."""
    return (prompt_tokens + output_tokens / 2 * (1 + output_cv * output_cv)) / (prompt_tokens + output_tokens / 2)


@check(
    "B10 residents are no longer than the mean (KV tokens in use over running sequences)",
    "B10 residents hold {context_bias:2} the mean context, above {context_bias_limit:2}: measure KV tokens in use over running "
    "sequences, sampled over time",
    kind="alert",
)
def context_fair(context_bias, context_bias_limit):
    return context_bias <= context_bias_limit


@quantity("B11 KV cache lost in half-filled blocks", "%")
def block_waste(block, decode_context):
    return (block - 1) / 2 / decode_context


@check(
    "B11 blocks waste little (blocks × block size over live tokens)",
    "B11 half-filled blocks waste {block_waste} of the KV cache, above {block_waste_limit}: measure blocks × block size over live tokens",
    kind="alert",
)
def blocks_tight(block_waste, block_waste_limit):
    return block_waste <= block_waste_limit


@quantity("B11 half-filled blocks", "x")
def block_factor(block_waste):
    return 1 + block_waste


@quantity("B12 chance that more run than fit", "%")
def overflow_chance(line_steady, replica_rate, output_tokens, kv_read_time, line_prompt_share, weight_read_time, resident_sequences):
    """1 − BETADIST(1 − b, α/β + 1, N + 1); see Little's law."""
    return when(
        line_steady,
        1
        - beta_share(
            1 - replica_rate * output_tokens * kv_read_time / (1 - line_prompt_share),
            weight_read_time / kv_read_time + 1,
            resident_sequences + 1,
        ),
    )


@check(
    "B12 preemptions are rare (preemption counter, p99 of KV use)",
    "B12 in {overflow_chance:2} of the time more sequences run than fit, above {overflow_chance_limit:2}: watch the preemption counter",
    kind="alert",
)
def overflow_rare(overflow_chance, overflow_chance_limit):
    return overflow_chance <= overflow_chance_limit


@quantity("Load of a replica by the roofline", "%")
def line_load(replica_rate, line_work):
    return replica_rate * line_work


@check("The replica keeps up", "the replica is asked for {line_load} of its time; use more replicas")
def line_keeps_up(line_load):
    return line_load < 1


@quantity("B13 wait at the percentile, in prefill times", "")
def wait_ratio(line_keeps_up, arrival_cv, prompt_cv, line_load, late_share):
    """(C²a + C²s) / (2 (1 − ρ)) · ln(ρ / q); see the queue ceiling."""
    return when(
        line_keeps_up,
        (arrival_cv * arrival_cv + prompt_cv * prompt_cv) / (2 * (1 - line_load)) * ln(most(line_load, late_share) / late_share),
    )


@check(
    "B13 the queue's tail is short (queue time against load)",
    "B13 the slow tail waits {wait_ratio:1} prefill times, above {wait_ratio_limit:1}: look at the histogram of queue time against load",
    kind="alert",
)
def wait_short(wait_ratio, wait_ratio_limit):
    return wait_ratio <= wait_ratio_limit


@quantity("B14 expert weights read over those of one token", "x")
def expert_excess(experts, expert_coverage, experts_per_token):
    """(1 − (1 − k/E)^B) / (k/E); 1 in a dense model."""
    return if_(experts > 0, expert_coverage * most(experts, 1) / most(experts_per_token, 1), 1)


@check(
    "B14 a step reads few more experts than a token (TPOT at batch 1 and 32)",
    "B14 a step reads {expert_excess:2} the experts of one token, above {expert_excess_limit:2}: measure TPOT at batch 1 and 32",
    kind="alert",
)
def experts_few(expert_excess, expert_excess_limit):
    return expert_excess <= expert_excess_limit


@check(
    "B15 the clock holds (clocks and throttle reasons over 30 minutes)",
    "B15 the sustained clock is {clock_ratio} of the boost clock, below {clock_ratio_limit}: record clocks and throttle reasons over 30 "
    "minutes",
    kind="alert",
)
def clock_holds(clock_ratio, clock_ratio_limit):
    return clock_ratio >= clock_ratio_limit


@quantity("B16 GPUs over KV heads", "x")
def kv_copies(gpus_per_replica, kv_heads):
    return gpus_per_replica / kv_heads


@check(
    "B16 no KV head is kept twice (KV blocks reported at start-up)",
    "B16 each KV head is kept {kv_copies:1}, above {kv_copies_limit:1}: compare the KV blocks reported at start-up with the budget",
    kind="alert",
)
def kv_single(kv_copies, kv_copies_limit):
    return kv_copies <= kv_copies_limit


@quantity("B04 broken", "")
def gemm_broken(gemm_credible):
    """1 also where transfers leave no time for arithmetic, so that no utilization can be implied."""
    return given(if_(gemm_credible, 0, 1), 1)


@quantity("Checks broken", "")
def broken_checks(
    host_small,
    reduce_small,
    prefill_reduce_small,
    gemm_broken,
    attention_small,
    chunk_long,
    memory_binds,
    interference_small,
    batch_real,
    context_fair,
    blocks_tight,
    overflow_rare,
    wait_short,
    experts_few,
    clock_holds,
    kv_single,
):
    """Of sixteen."""
    return (
        if_(host_small, 0, 1)
        + if_(reduce_small, 0, 1)
        + if_(prefill_reduce_small, 0, 1)
        + gemm_broken
        + if_(attention_small, 0, 1)
        + if_(chunk_long, 0, 1)
        + if_(memory_binds, 0, 1)
        + if_(interference_small, 0, 1)
        + if_(batch_real, 0, 1)
        + if_(context_fair, 0, 1)
        + if_(blocks_tight, 0, 1)
        + if_(overflow_rare, 0, 1)
        + if_(wait_short, 0, 1)
        + if_(experts_few, 0, 1)
        + if_(clock_holds, 0, 1)
        + if_(kv_single, 0, 1)
    )
