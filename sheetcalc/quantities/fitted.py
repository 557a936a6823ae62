"""What published measurements say: constants by GPU, compute format and engine, and how far off they have been."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, ceil, if_, same


@quantity("Compute utilization, fitted", "%")
def fitted_mfu(compute_format, gpu_mfu_fp8, gpu_mfu_fp4, gpu_mfu_bf16, gpu_name, gpu):
    """By GPU and compute format; below what isolated matrix products reach (decision 11)."""
    return if_(
        same(compute_format, "FP8"),
        at(gpu_mfu_fp8, gpu_name, gpu),
        if_(same(compute_format, "FP4"), at(gpu_mfu_fp4, gpu_name, gpu), at(gpu_mfu_bf16, gpu_name, gpu)),
    )


@quantity("Bandwidth utilization, fitted", "%")
def fitted_mbu(compute_format, gpu_mbu_fp8, gpu_mbu_fp4, gpu_mbu_bf16, gpu_name, gpu):
    """By GPU and compute format, at most 92 % (decision 11)."""
    return if_(
        same(compute_format, "FP8"),
        at(gpu_mbu_fp8, gpu_name, gpu),
        if_(same(compute_format, "FP4"), at(gpu_mbu_fp4, gpu_name, gpu), at(gpu_mbu_bf16, gpu_name, gpu)),
    )


@quantity("Compute utilization of experts over that of dense layers, fitted", "x")
def fitted_moe_mfu_factor(experts, expert_mfu_share):
    """Grouped products of small experts reach less; 1 in a dense model."""
    return if_(experts > 0, expert_mfu_share, 1)


@quantity("Overhead per layer in a step, fitted", "µs")
def fitted_layer_overhead(engine_layer_overhead, engine_name, engine):
    """By engine: what a step costs per layer that no batch hides."""
    return at(engine_layer_overhead, engine_name, engine)


@quantity("Time to first token per layer, fitted", "ms")
def fitted_ttft_layer_overhead(engine_ttft_layer_overhead, engine_name, engine):
    """By engine: prefill is launched layer by layer."""
    return at(engine_ttft_layer_overhead, engine_name, engine)


@quantity("Prefill time to first token over its compute time, fitted", "x")
def fitted_ttft_prefill_factor(engine_ttft_prefill_factor, engine_name, engine):
    """By engine."""
    return at(engine_ttft_prefill_factor, engine_name, engine)


@quantity("Growth of TTFT per running sequence, fitted", "")
def fitted_ttft_queue_slope(engine_ttft_queue_slope, engine_name, engine):
    """By engine: how many of the others' prompts a prompt waits for."""
    return at(engine_ttft_queue_slope, engine_name, engine)


@quantity("Published measurements behind the constants", "")
def measurements(compute_format, gpu_rows_fp8, gpu_rows_fp4, gpu_rows_bf16, gpu_name, gpu):
    """Rows on this GPU in this compute format; 0: the constants are a mean of its kin."""
    return if_(
        same(compute_format, "FP8"),
        at(gpu_rows_fp8, gpu_name, gpu),
        if_(same(compute_format, "FP4"), at(gpu_rows_fp4, gpu_name, gpu), at(gpu_rows_bf16, gpu_name, gpu)),
    )


@quantity("Measured over predicted speed, 10th percentile", "x")
def fitted_speed_low(compute_format, gpu_speed_low_fp8, gpu_speed_low_fp4, gpu_speed_low_bf16, gpu_name, gpu):
    """Out of fold, on this GPU in this compute format; the widest where there are too few rows."""
    return if_(
        same(compute_format, "FP8"),
        at(gpu_speed_low_fp8, gpu_name, gpu),
        if_(same(compute_format, "FP4"), at(gpu_speed_low_fp4, gpu_name, gpu), at(gpu_speed_low_bf16, gpu_name, gpu)),
    )


@quantity("Measured over predicted speed, 90th percentile", "x")
def fitted_speed_high(compute_format, gpu_speed_high_fp8, gpu_speed_high_fp4, gpu_speed_high_bf16, gpu_name, gpu):
    """Out of fold, on this GPU in this compute format; the widest where there are too few rows."""
    return if_(
        same(compute_format, "FP8"),
        at(gpu_speed_high_fp8, gpu_name, gpu),
        if_(same(compute_format, "FP4"), at(gpu_speed_high_fp4, gpu_name, gpu), at(gpu_speed_high_bf16, gpu_name, gpu)),
    )


@quantity("GPUs if the machines are as slow as the slowest tenth of measurements", "")
def gpus_if_slow(replicas_exact, speed_low, failure_reserve, gpus_per_replica):
    """Upper end of the fleet's error band."""
    return (ceil(replicas_exact / speed_low) + failure_reserve) * gpus_per_replica


@quantity("GPUs if the machines are as fast as the fastest tenth of measurements", "")
def gpus_if_fast(replicas_exact, speed_high, failure_reserve, gpus_per_replica):
    """Lower end of the fleet's error band."""
    return (ceil(replicas_exact / speed_high) + failure_reserve) * gpus_per_replica


@quantity("Cost per hour if the machines are slow", "$/h")
def cost_per_hour_if_slow(gpus_if_slow, gpu_hour_price):
    """Upper end of the error band in money."""
    return gpus_if_slow * gpu_hour_price


@quantity("Cost per hour if the machines are fast", "$/h")
def cost_per_hour_if_fast(gpus_if_fast, gpu_hour_price):
    """Lower end of the error band in money."""
    return gpus_if_fast * gpu_hour_price


@check(
    "Measurements stand behind the constants",
    "no published measurement of this GPU in this format; its constants are those of its kin: measure it before you buy",
    kind="alert",
)
def constants_measured(measurements):
    return measurements > 0
