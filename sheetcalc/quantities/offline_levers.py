"""Levers on an offline job: each alone, ranked, and stacked without counting a saving twice. Source: calculators C, section a."""

from sheetcalc.model import About, check, quantity
from sheetcalc.operations import at, before, both, given, highest_so_far, if_, most, nth_highest, same, total, when


@quantity("Saved alone", "$")
def lever_saving(offline_cost, levers_offline_cost):
    """Against the job as it is, 0 where the job cannot run with the lever; savings of several levers do not add."""
    return given(offline_cost - levers_offline_cost, 0)


@quantity("Share saved alone", "%")
def lever_saving_share(lever_saving, offline_cost):
    """Of the job as it is."""
    return lever_saving / offline_cost


@quantity("Saving of the other lever", "$")
def other_saving(lever_saving, lever, place):
    """The same savings along the second list."""
    return at(lever_saving, lever, place)


@quantity("Rank", "")
def lever_rank(lever_saving, other_saving, lever, place):
    """1 saves most; equal savings in the order of the table."""
    return 1 + total((other_saving > lever_saving) + same(other_saving, lever_saving) * (place < lever), place)


@quantity("Kind of the other lever", "")
def other_kind(lever_kind, lever, place):
    """The same kinds along the second list."""
    return at(lever_kind, lever, place)


@quantity("Rank of the other lever", "")
def other_rank(lever_rank, lever, place):
    """The same ranks along the second list."""
    return at(lever_rank, lever, place)


@quantity("The other lever may be stacked", "")
def other_may_stack(lever_may_stack, lever, place):
    """The same flags along the second list."""
    return at(lever_may_stack, lever, place)


@quantity("Better levers of its kind", "")
def better_of_its_kind(other_kind, lever_kind, other_rank, lever_rank, other_may_stack, place):
    """They change the same thing, so only the best may count."""
    return total(same(other_kind, lever_kind) * (other_rank < lever_rank) * other_may_stack, place)


@quantity("In the stack", "")
def lever_stacks(lever_saving, lever_may_stack, better_of_its_kind):
    """1 when it saves alone, may be stacked and is the best of its kind."""
    return if_(both(lever_saving > 0, same(lever_may_stack, 1), better_of_its_kind < 1), 1, 0)


@quantity("Lever of the rank", "")
def ranked_lever(lever, lever_rank, place):
    """Number of the lever; one lever has each rank."""
    return total(same(lever_rank, place) * lever, lever)


@quantity("Lever", "")
def ranked_name(lever_name, lever, ranked_lever):
    """Its name."""
    return at(lever_name, lever, ranked_lever)


@quantity("Saved alone", "$")
def ranked_saving(lever_saving, lever, place):
    """From most to least."""
    return nth_highest(lever_saving, lever, place)


@quantity("Stacked", "")
def ranked_stacks(lever_stacks, lever, ranked_lever):
    """1 when this lever is in the stack."""
    return at(lever_stacks, lever, ranked_lever)


@quantity("Still saves on top of the others", "")
def step_saves(stack_offline_cost, place, offline_cost):
    """1 unless the bill rises, or the job cannot run with all of them."""
    return given(if_(stack_offline_cost <= before(stack_offline_cost, place, offline_cost), 1, 0), 0)


@quantity("Counts", "")
def step_counts(step_stops, place):
    """1 up to the first lever that no longer saves."""
    return 1 - highest_so_far(step_stops, place)


@quantity("Stops here", "")
def step_stops(step_saves):
    """1 where the bill rises."""
    return 1 - step_saves


@quantity("Last place that counts", "")
def last_counting_place(step_counts, place):
    """0 when the first lever already raises the bill."""
    return total(step_counts, place)


@quantity("Bill with the whole stack", "$")
def stacked_cost(last_counting_place, stack_offline_cost, place, offline_cost):
    """The last bill that counts."""
    return if_(last_counting_place < 1, offline_cost, at(stack_offline_cost, place, most(last_counting_place, 1)))


@quantity("Bill so far", "$")
def stacked_bill(step_counts, stack_offline_cost, stacked_cost):
    """After this lever and all above it."""
    return if_(step_counts > 0, stack_offline_cost, stacked_cost)


@check("The lever is in the stack", "it does not save on top of the others, or a better lever of its kind does", "alert")
def counts_in_stack(ranked_stacks, step_counts):
    return ranked_stacks * step_counts >= 1


@quantity("Bill after each stacked lever", "$")
def waterfall_bill(counts_in_stack, stacked_bill):
    """Only where a lever is in the stack."""
    return when(counts_in_stack, stacked_bill)


@quantity("Saved on top of the others", "$")
def stacked_saving(stacked_bill, place, offline_cost):
    """These add up; the savings alone do not."""
    return before(stacked_bill, place, offline_cost) - stacked_bill


@quantity("Saved by the whole stack", "$")
def stack_total_saving(offline_cost, stacked_cost):
    """Less than the sum of the savings alone."""
    return offline_cost - stacked_cost


@quantity("Sum of the savings alone", "$")
def sum_of_single_savings(lever_stacks, lever_saving, lever):
    """Shown to be wrong: it counts the same work several times."""
    return total(lever_stacks * lever_saving, lever)


@quantity("Best lever", "")
def best_lever_name(ranked_name, place):
    """Its name."""
    return at(ranked_name, place, 1)


@quantity("Saved by the best lever", "$")
def best_lever_saving(ranked_saving, place):
    """Alone."""
    return at(ranked_saving, place, 1)


@quantity("Saved by turning the knob", "$")
def knob_saving(knobs_offline_cost, knob, chat_knob_cost):
    """Bill of the row above less this one."""
    return before(knobs_offline_cost, knob, chat_knob_cost) - knobs_offline_cost


@quantity("Bill with the knobs of a chat fleet", "$")
def chat_knob_cost(knobs_offline_cost, knob):
    """The first row."""
    return at(knobs_offline_cost, knob, 1)


@quantity("Replicas with the knobs of a chat fleet", "")
def chat_knob_replicas(knobs_offline_replicas, knob):
    """The first row."""
    return at(knobs_offline_replicas, knob, 1)


@quantity("What chat knobs would cost more", "$")
def chat_knob_excess(chat_knob_cost, offline_cost):
    """Against the job as it is."""
    return chat_knob_cost - offline_cost


@quantity("Bill, phases one after the other", "$")
def serial_speculation_cost(speculation_offline_cost, speculation_phase_overlap):
    """By draft length, nothing hidden."""
    return at(speculation_offline_cost, speculation_phase_overlap, 0)


@quantity("Bill, decode hidden under prefill", "$")
def hidden_speculation_cost(speculation_offline_cost, speculation_phase_overlap):
    """By draft length, everything hidden that can be."""
    return at(speculation_offline_cost, speculation_phase_overlap, 1)


@quantity("Saved by speculation, phases one after the other", "$")
def serial_speculation_saving(serial_speculation_cost, speculation_draft_length, tried_draft):
    """Plain less drafted."""
    return at(serial_speculation_cost, speculation_draft_length, 0) - at(serial_speculation_cost, speculation_draft_length, tried_draft)


@quantity("Saved by speculation, decode hidden under prefill", "$")
def hidden_speculation_saving(hidden_speculation_cost, speculation_draft_length, tried_draft):
    """Plain less drafted; negative means that it costs."""
    return at(hidden_speculation_cost, speculation_draft_length, 0) - at(hidden_speculation_cost, speculation_draft_length, tried_draft)


@check(
    "Speculation changes sign",
    "speculation does not change sign with the overlap: it saves {serial_speculation_saving} with phases "
    "one after the other and "
    "{hidden_speculation_saving} with decode hidden",
    "alert",
)
def speculation_turns(serial_speculation_saving, hidden_speculation_saving):
    return both(serial_speculation_saving > 0, hidden_speculation_saving < 0)


@quantity("Overlap at which speculation stops saving", "%")
def speculation_turning_overlap(speculation_turns, serial_speculation_saving, hidden_speculation_saving):
    """The saving is linear in the overlap."""
    return when(speculation_turns, serial_speculation_saving / (serial_speculation_saving - hidden_speculation_saving))


@quantity("Saved by speculation here", "$")
def speculation_saving_here(serial_speculation_saving, hidden_speculation_saving, phase_overlap):
    """At the overlap of the job; negative means that it costs."""
    return serial_speculation_saving + phase_overlap * (hidden_speculation_saving - serial_speculation_saving)


@check("Speculation saves here", "speculation costs money here: it changes the bill by {speculation_saving_here}", "alert")
def speculation_saves(speculation_saving_here):
    return speculation_saving_here > 0


def stacked(name: str, label: str, unit: str):
    """The value of an input when every stacked lever down to this place is pulled; an input is changed by one of them at most."""

    def value(own, swept, lever_stacks, lever_rank, place, lever):
        return own + total(lever_stacks * (lever_rank <= place) * (swept - own), lever)

    value.about, value.needs = About(label, unit), (name, f"levers_{name}", "lever_stacks", "lever_rank", "place", "lever")
    return value
