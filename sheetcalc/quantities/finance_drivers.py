"""What moves the result: each input at its low and its high end (tornado), and the value of an input at which the bills are equal.

`low_direct_advantage` and `high_direct_advantage` are the direct advantage with one input moved in each row; the study makes them.
The advantage is linear in prices, shares and staff, so two points give the exact threshold (calculators C, i.4).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, given, highest, if_, least, most, nth_highest, same, total, when

LINEAR = {  # input -> (label, unit, highest valid value or "")
    "api_output_price": ("API price, output", "$/M tok", ""),
    "api_input_price": ("API price, input", "$/M tok", ""),
    "api_cached_input_price": ("API price, cached input", "$/M tok", ""),
    "api_fixed": ("Fixed cost beside the API", "$/month", ""),
    "api_cached_share": ("Share of prompt tokens in the cache", "%", "share"),
    "batch_share": ("Share sent as batch", "%", "share"),
    "prompt_ratio": ("Prompt tokens per output token", "x", ""),
    "staff_fixed": ("People for the nodes", "", ""),
    "staff_cost": ("Cost of a person a year", "$/year", ""),
    "licence_price": ("Licence per GPU a year", "$/year", ""),
    "node_extras": ("Network and extras per node", "$/month", ""),
    "setup_cost": ("Setup", "$", ""),
    "node_price": ("Price of a node", "$", ""),
    "colocation_price": ("Floor space", "$/kW/month", ""),
    "electricity_price": ("Electricity", "$/kWh", ""),
}
STEPPED = {
    "start_volume": ("Output tokens a day at the start", "Mtok/day", ""),
    "growth": ("Growth a month", "%", ""),
    "api_price_decline": ("Decline of API prices a year", "%", "decline"),
    "node_rate": ("Output tokens a node gives", "tok/s", ""),
    "utilization_cap": ("Utilization cap", "%", "share"),
    "peak_factor": ("Peak over mean", "x", "above 1"),
    "discount_rate": ("Discount rate a year", "%", ""),
    "reserved_price_three_years": ("GPU reserved for three years", "$/h", ""),
}
DRIVERS = STEPPED | LINEAR


def _quantity(fn, label, unit, needs):
    """A quantity made for one input: what it reads stands beside it."""
    made = quantity(label, unit)(fn)
    made.needs = needs
    return made


def _kept(name):
    """The bound that keeps a moved input valid: a function of the value and of what it reads, and the names of that."""
    bound = DRIVERS[name][2]
    if bound == "decline":
        return lambda value, highest: least(highest, value), ("highest_decline",)
    return {"share": lambda value: least(1, value), "above 1": lambda value: most(1, value)}.get(bound, lambda value: value), ()


def moved(name: str, end: str):
    """The input in the row that moves it, at its low or high end; as it is in the other rows."""
    label, unit, _ = DRIVERS[name]
    keep, reads = _kept(name)

    def fn(driver, value, factor, *rest):
        return if_(same(driver, label), keep(value * factor, *rest), value)

    def licence(driver, value, factor, step):
        return if_(same(driver, label), value * factor + step, value)

    free = name == "licence_price" and end == "high"  # a price of 0 needs a second point
    return _quantity(
        licence if free else fn,
        f"{label}, {end} in its row",
        unit,
        ("driver", name, f"driver_{end}_factor", *(("licence_step",) if free else reads)),
    )


def paired(name: str):
    """The input in the two-way table: times the factor of the row, of the column, or as it is."""
    label, unit, _ = DRIVERS[name]
    keep, reads = _kept(name)

    def fn(value, across_row, row_factor, across_column, column_factor, *rest):
        return keep(value * if_(same(across_row, label), row_factor, 1) * if_(same(across_column, label), column_factor, 1), *rest)

    return _quantity(fn, f"{label}, in the two-way table", unit, (name, "table_row", "row_factor", "table_column", "column_factor", *reads))


def threshold(name: str):
    """The value at which the advantage is zero, on the line through the low and the high end."""
    label, unit, _ = LINEAR[name]

    def fn(value, low, high, threshold_move, driver):
        return value + at(threshold_move, driver, label) * (at(high, driver, label) - at(low, driver, label))

    return _quantity(fn, f"{label} at which both cost the same", unit, (name, f"low_{name}", f"high_{name}", "threshold_move", "driver"))


def decides(name: str):
    """Whether the threshold lies in the valid range of the input."""
    label, _, bound = LINEAR[name]

    def fn(value):
        return given(if_(both(value >= 0, value <= 1) if bound == "share" else value >= 0, 1, 0), 0)

    return _quantity(fn, f"{label} can turn the cheaper side alone", "", (f"threshold_{name}",))


@check("The input moves the result", "it does not move the result", "sensitivity")
def driver_moves(driver_change):
    return driver_change * driver_change > 0


@quantity("Advantage at the high end less that at the low end", "$")
def driver_change(high_direct_advantage, low_direct_advantage):
    """Negative where more of the input speaks for the API."""
    return high_direct_advantage - low_direct_advantage


@quantity("Swing", "$")
def driver_swing(driver_change):
    """Length of the bar in the tornado (calculators C, i.4)."""
    return most(driver_change, 0 - driver_change)


@quantity("Move to equal cost, of the way from low to high", "%")
def threshold_move(driver_moves, direct_advantage, driver_change):
    """On the line through both ends; exact where the advantage is linear in the input (calculators C, i.4)."""
    return when(driver_moves, 0 - direct_advantage / driver_change)


@quantity("Swing, for the order", "$")
def driver_key(driver_swing, driver_place, tolerance, npv_api, npv_build):
    """Swings that differ by no more than rounding stand in the order of the table."""
    return driver_swing - driver_place * tolerance * (npv_api + npv_build)


@quantity("The same, largest first", "$")
def ranked_key(driver_key, driver, swing_rank):
    """For the chart."""
    return nth_highest(driver_key, driver, swing_rank)


@quantity("Swing, largest first", "$")
def ranked_swing(driver_swing, driver_key, ranked_key):
    """Length of the bar."""
    return at(driver_swing, driver_key, ranked_key)


@quantity("Input with that swing", "")
def ranked_driver(driver, driver_key, ranked_key):
    """What to find out first comes first."""
    return at(driver, driver_key, ranked_key)


@quantity("Advantage at its low end", "$")
def ranked_low(low_direct_advantage, driver_key, ranked_key):
    """One end of the bar."""
    return at(low_direct_advantage, driver_key, ranked_key)


@quantity("Advantage at its high end", "$")
def ranked_high(high_direct_advantage, driver_key, ranked_key):
    """The other end of the bar."""
    return at(high_direct_advantage, driver_key, ranked_key)


@quantity("Input that moves the result most", "")
def first_driver(ranked_driver, swing_rank):
    """Measure this first (decision 20)."""
    return at(ranked_driver, swing_rank, 1)


@quantity("Swing of that input", "$")
def first_swing(ranked_swing, swing_rank):
    """Between its low and its high end."""
    return at(ranked_swing, swing_rank, 1)


@quantity("Way to equal cost, of that swing", "%")
def first_distance(direct_advantage, first_swing):
    """No input is nearer to where both cost the same, measured by its own range: the advantage over the largest swing (decision 20)."""
    return most(direct_advantage, 0 - direct_advantage) / first_swing


@quantity("The cheaper side turns between its ends", "")
def driver_turns(low_direct_advantage, high_direct_advantage):
    """1 when one end speaks for building and the other for the API."""
    return if_(low_direct_advantage * high_direct_advantage < 0, 1, 0)


@quantity("Inputs that can turn the cheaper side alone, within their ranges", "")
def turning_drivers(driver_turns, driver):
    """Bars of the tornado that pass zero."""
    return total(driver_turns, driver)


@quantity("Inputs of the tornado", "")
def driver_count(driver_place, driver):
    """Rows."""
    return highest(driver_place, driver)


@quantity("Some input can turn the cheaper side alone", "")
def drivers_turn(turning_drivers):
    """1 when one can within its range."""
    return if_(turning_drivers > 0, 1, 0)
