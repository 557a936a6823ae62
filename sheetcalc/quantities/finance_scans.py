"""Thresholds of inputs that act in steps or in powers: 101 values each, every change of sign between two of them, interpolated.

Whole nodes make the advantage jump, so a change of sign may be a jump, and two of them between neighboring values are missed (calculators
C,
i.4). The bisected root is in `sheetcalc.thresholds`.
"""

from sheetcalc.model import quantity
from sheetcalc.operations import at, before, count, first, if_, last, negate, same

SCANNED = {  # input -> (label, unit)
    "growth": ("Growth a month", "%"),
    "api_price_decline": ("Decline of API prices a year", "%"),
    "node_rate": ("Output tokens a node gives", "tok/s"),
    "utilization_cap": ("Utilization cap", "%"),
    "peak_factor": ("Peak over mean", "x"),
    "discount_rate": ("Discount rate a year", "%"),
    "reserved_price_three_years": ("GPU reserved for three years", "$/h"),
}


def scanned_value(name: str):
    """The input in the column that scans it, at the value of the row; as it is in the other columns."""
    label, unit = SCANNED[name]

    def fn(scanned, value, scan_from, scan_to, scan_step, scan_steps):
        return if_(same(scanned, label), scan_from + (scan_to - scan_from) * scan_step / scan_steps, value)

    return _quantity(
        fn, f"{label}, scanned in its column", unit, ("scanned", name, f"{name}_from", f"{name}_to", "scan_step", "scan_steps")
    )


def _quantity(fn, label, unit, needs):
    made = quantity(label, unit)(fn)
    made.needs = needs
    return made


def crossing_at(name: str, which: str):
    """The input where the advantage changes sign for the first or last time in its range."""
    label, unit = SCANNED[name]

    def fn(scan_from, scan_to, place, scanned, scan_steps):
        return scan_from + (scan_to - scan_from) * at(place, scanned, label) / scan_steps

    return _quantity(
        fn,
        f"{label} at which both cost the same, {which} in its range",
        unit,
        (f"{name}_from", f"{name}_to", f"{which}_place", "scanned", "scan_steps"),
    )


@quantity("Building is cheaper", "")
def scan_wins(scan_direct_advantage):
    """1 when the advantage is above 0, else 0."""
    return if_(scan_direct_advantage > 0, 1, 0)


@quantity("Building is cheaper in the first row", "")
def scan_wins_first(scan_wins, scan_step):
    """Nothing can turn before it."""
    return at(scan_wins, scan_step, 0)


@quantity("Building was cheaper in the row above", "")
def scan_won_before(scan_wins, scan_step, scan_wins_first):
    """The first row stands for itself."""
    return before(scan_wins, scan_step, scan_wins_first)


@quantity("Advantage in the row above", "$")
def scan_advantage_before(scan_direct_advantage, scan_step):
    """0 above the first row, where nothing turns."""
    return before(scan_direct_advantage, scan_step, 0)


@quantity("The answer turns between the row above and this one", "")
def scan_turns(scan_wins, scan_won_before):
    """A root, or a jump by a whole node."""
    return negate(same(scan_wins, scan_won_before))


@quantity("Row at which both cost the same, interpolated", "")
def scan_place(scan_turns, scan_step, scan_direct_advantage, scan_advantage_before):
    """On the line between the two rows; 0 where nothing turns."""
    return if_(scan_turns, scan_step - scan_direct_advantage / (scan_direct_advantage - scan_advantage_before), 0)


@quantity("How often the answer turns in the range", "")
def scan_turn_count(scan_turns, scan_step):
    """0: this input cannot change the cheaper side alone."""
    return count(scan_turns, scan_step)


@quantity("First row in which the answer turns", "")
def first_turn(scan_turns, scan_step):
    """Missing where it never does."""
    return first(scan_turns, scan_step)


@quantity("Last row in which the answer turns", "")
def last_turn(scan_turns, scan_step):
    """Missing where it never does."""
    return last(scan_turns, scan_step)


@quantity("First place where both cost the same", "")
def first_place(scan_place, scan_step, first_turn):
    """In rows."""
    return at(scan_place, scan_step, first_turn)


@quantity("Last place where both cost the same", "")
def last_place(scan_place, scan_step, last_turn):
    """In rows."""
    return at(scan_place, scan_step, last_turn)
