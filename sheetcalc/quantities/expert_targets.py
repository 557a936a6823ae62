"""Which build decodes most cheaply at each TPOT target. Source: calculators B (d)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, given, highest_so_far, if_, last, total, when


@quantity("Batches that meet the target", "")
def target_batches(moe_step, target, gpu_batch, gpu_batch_room):
    """Steps grow with the batch, so this is also the place of the largest that does."""
    return total((moe_step <= target) * (gpu_batch <= gpu_batch_room), gpu_batch)


@check("The build meets the target", "cannot meet this target: one sequence on each GPU takes longer", "alert")
def target_met(target_batches):
    return target_batches > 0


@quantity("Output tokens, everything busy", "$/M tok")
def target_cost(target_met, gpu_hour_price, seconds_per_hour, moe_step, batch_place, target_batches, gpu_batch):
    """Dollars per token at the largest batch that meets the target."""
    return when(
        target_met,
        gpu_hour_price / seconds_per_hour * at(moe_step, batch_place, target_batches) / at(gpu_batch, batch_place, target_batches),
    )


@quantity("Old generation", "$/M tok")
def old_target_cost(target_cost, build, old_build):
    """Dollars per token."""
    return at(target_cost, build, old_build)


@quantity("New generation", "$/M tok")
def new_target_cost(target_cost, build, new_build):
    """Dollars per token."""
    return at(target_cost, build, new_build)


@quantity("New generation, narrow experts", "$/M tok")
def narrow_target_cost(target_cost, build, narrow_build):
    """Dollars per token."""
    return at(target_cost, build, narrow_build)


@quantity("The old generation decodes, one format", "")
def old_decodes(old_target_cost, new_target_cost, prefill_cost_ratio):
    """1 when comparative advantage says so; 0 also when it cannot meet the target."""
    return given(if_(old_target_cost / new_target_cost > prefill_cost_ratio, 0, 1), 0)


@quantity("The old generation decodes, narrow experts on the new", "")
def old_decodes_narrow(old_target_cost, narrow_target_cost, prefill_cost_ratio):
    """1 when comparative advantage says so; 0 also when it cannot meet the target."""
    return given(if_(old_target_cost / narrow_target_cost > prefill_cost_ratio, 0, 1), 0)


@quantity("Loosest target of the table at which the old generation does not decode", "ms")
def roles_hold_to(target_new_decodes, target):
    """Seconds: the targets from the tightest on up to the first at which the roles turn."""
    return last(target_new_decodes, target)


@quantity("The new generation decodes at this target and every tighter one", "")
def target_new_decodes(old_decodes, target):
    return highest_so_far(old_decodes, target) < 1
