"""The queue that an LLM engine really has: a prompt shares its step with the running batch. Source: calculators A (d), correction 1."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import ln, most, when


@quantity("Step at the running batch", "ms")
def running_step(step_floor, resident_rise, running_batch):
    return step_floor + resident_rise * running_batch


@quantity("Time a prompt holds the engine", "ms")
def engine_service(prefill_request_time, running_step):
    """S' = s r + α + β B: every prompt shares its step with one decode step of the running batch."""
    return prefill_request_time + running_step


@quantity("Load that the queue sees", "%")
def engine_load(replica_rate, chance_over_memory, engine_service):
    """λ (1 + p) S': a preempted request is prefilled again."""
    return replica_rate * (1 + chance_over_memory) * engine_service


@check("The engine keeps up", "prompts arrive faster than the engine takes them in: {engine_load} of its time is asked for")
def engine_keeps_up(engine_load):
    return engine_load < 1


@quantity("Mean wait before the first chunk", "ms")
def ttft_wait_mean(engine_keeps_up, engine_load, engine_service, queue_spread):
    return when(engine_keeps_up, engine_load * engine_service * queue_spread / (2 * (1 - engine_load)))


@quantity("Wait before the first chunk, at the percentile", "ms")
def ttft_wait(engine_keeps_up, engine_load, engine_service, queue_spread, late_share):
    """The exponential tail with S' and ρ'. The prompts' spread is taken for the whole service time, which is on the careful side."""
    return when(engine_keeps_up, engine_service * queue_spread / (2 * (1 - engine_load)) * ln(most(engine_load, late_share) / late_share))


@quantity("Mean TTFT of the engine", "ms")
def engine_ttft_mean(engine_service, ttft_wait_mean):
    return engine_service + ttft_wait_mean


@quantity("TTFT of the engine at the percentile", "ms")
def engine_ttft(engine_service, ttft_wait):
    """Formula against a step-level simulation at 5.88, 8 and 9 req/s: 0.373/0.343, 0.598/0.617, 0.922/1.041 s."""
    return engine_service + ttft_wait
