"""What the finance study says: sentences with numbers, the memo's order, the charts."""

from sheetcalc.study import Chart, Saying, Story

SAYINGS = {
    "headline": Saying(
        ("rule_override", "Build {first_nodes} nodes: the data or the model leave no choice, and the premium is {mandate_premium}"),
        ("rule_build", "Build: {decision_saving} less than the API over {horizon} months"),
        ("rule_hybrid", "Run own nodes and the API together: {decision_saving} less than the API alone over {horizon} months"),
        ("rule_revisit", "Use the API now, and look again at {revisit_at} of output"),
        ("", "Use the API: no volume within reach makes own nodes cheaper"),
    ),
    "decision": Saying(
        (
            "rule_override",
            "In present value building costs {npv_build}, the API would cost {npv_api}; the obligation decides, not the price.",
        ),
        (
            "rule_revisit",
            "In present value over {horizon} months the API costs {npv_api}, building {npv_build}, a hybrid {npv_hybrid}; the answer "
            "turns at "
            "{revisit_at}, against {start_volume} today.",
        ),
        ("", "In present value over {horizon} months building costs {npv_build}, the API {npv_api}, a hybrid {npv_hybrid}."),
    ),
    "rule_override": Saying(
        ("", "Data may not leave, or no API offers an equivalent model: build, nodes {chosen_mode}, at a premium of {mandate_premium}.")
    ),
    "rule_build": Saying(
        (
            "",
            "Building costs {npv_build} against {npv_api} through the API, which is more than the {materiality:0} that counts as a "
            "saving, and "
            "it is cheaper in {build_probability:1} of the draws; {least_probability:0} are asked for.",
        )
    ),
    "rule_hybrid": Saying(
        (
            "",
            "A hybrid costs {npv_hybrid}, less than building ({npv_build}) and at least {materiality} less than the API ({npv_api}): "
            "base load "
            "on own nodes, peaks and failures on the API.",
        )
    ),
    "rule_revisit": Saying(
        (
            "volume_reaches",
            "The API is cheaper at {start_volume}; a plan that starts at {revisit_at} would decide otherwise. At today's growth that is "
            "{turning_month:1} months away; decide again then, at that day's prices.",
        ),
        (
            "",
            "The API is cheaper at {start_volume}; a plan that starts at {revisit_at} would decide otherwise. The volume does not grow "
            "towards it.",
        ),
    ),
    "rule_buy": Saying(("", "No start volume up to {reach_volume} makes own nodes cheaper than the API by {materiality}.")),
    "payback": Saying(
        (
            "payback_undone",
            "Building has paid back in month {first_payback_month} and loses it again: there is no durable payback within {horizon} "
            "months.",
        ),
        ("durable_payback_found", "Building stays paid back from month {durable_payback_month} on."),
        ("", "Building does not pay back within {horizon} months."),
    ),
    "return": Saying(
        (
            "irr_not_alone",
            "The rate of return of building against the API is {build_irr:0} a year, and the only one between {rate_from:0} and "
            "{rate_to:0}; the cash changes sign {cash_turns} times, so go by the present value.",
        ),
        ("irr_found", "The rate of return of building against the API is {build_irr:0} a year."),
        (
            "rates_several",
            "The cash changes sign {cash_turns} times and has {rate_passings} rates of return between {rate_from:0} and {rate_to:0} a "
            "year: none of them is the return of building; go by the present value.",
        ),
        (
            "rates_all_pay",
            "Building has no rate of return: at every rate between {rate_from:0} and {rate_to:0} a year its savings are worth more than "
            "the outlay.",
        ),
        (
            "rates_none_pay",
            "Building has no rate of return: at no rate between {rate_from:0} and {rate_to:0} a year are its savings worth the outlay.",
        ),
        (
            "",
            "Building has no rate of return: it saves first and pays later, so that only a rate above the one where both are equal makes "
            "it worth while; go by the present value.",
        ),
    ),
    "crossings": Saying(
        ("breakeven_single", "The bills of a steady month are equal at {breakeven_lasting} of output, once and for good."),
        (
            "breakeven_found",
            "The bills of a steady month first meet at {breakeven_first}; further nodes turn the answer back, and it is for good only from "
            "{breakeven_lasting} on.",
        ),
        ("", "A node costs {node_cost} and carries at most {full_node_value} of API usage: no volume makes building cheaper for good."),
    ),
    "busy": Saying(
        (
            "",
            "{first_nodes} nodes would run at {build_utilization:1} of what they can give over the day; the bills are equal at "
            "{breakeven_utilization:1}.",
        )
    ),
    "probability": Saying(
        (
            "build_never_wins",
            "Building is cheaper than the API in none of {draws} draws: its advantage is below {advantage_low} in one draw of ten and "
            "above {advantage_high} in another. What drives the spread most: {spread_driver}, {spread_driver_share:0} of it.",
        ),
        (
            "",
            "Building is cheaper than the API in {build_probability:1} of {draws} draws; its advantage is below {advantage_low} in one "
            "draw of ten and above {advantage_high} in another. What drives the spread most: {spread_driver}, {spread_driver_share:0} of "
            "it.",
        ),
    ),
    "odds": Saying(
        ("build_never_wins", "Building is cheaper in none of {draws} draws"),
        ("", "Building is cheaper in {build_probability:1} of {draws} draws"),
    ),
    "instrument": Saying(
        (
            "drivers_turn",
            "Find out first: {first_driver}. Between its low and its high end the advantage of building moves by {first_swing}, the most "
            "of all inputs, and {first_distance:0} of that way turns the cheaper side. Inputs that can turn it alone within their ranges: "
            "{turning_drivers} of {driver_count}.",
        ),
        (
            "",
            "Find out first: {first_driver}. Between its low and its high end the advantage of building moves by {first_swing}, the most "
            "of all inputs; none of {driver_count} inputs turns the cheaper side alone within its range.",
        ),
    ),
    "swing": Saying(
        ("drivers_turn", "{first_driver} moves the result most; {turning_drivers} of {driver_count} inputs can turn it alone"),
        ("", "{first_driver} moves the result most; no input turns it alone within its range"),
    ),
    "output_price": Saying(
        (
            "decides_api_output_price",
            "At an API output price of {threshold_api_output_price} instead of {api_output_price} both cost the same.",
        ),
        ("", "The API's output price cannot turn the cheaper side alone."),
    ),
    "people": Saying(
        ("decides_staff_fixed", "With {threshold_staff_fixed:2} people for the nodes instead of {staff_fixed:2} both cost the same."),
        ("", "The number of people cannot turn the cheaper side alone."),
    ),
    "gpu_price": Saying(
        ("gpu_price_found", "Building costs no more than the API up to {highest_gpu_price:2} for a GPU; it is paid {steady_price:2}."),
        ("", "No price of a GPU is low enough: what goes with the nodes already costs more than the API."),
    ),
    "providers": Saying(
        ("class_unnamed", "No class of models is named, so no other price of the catalogue is compared; write it as compared_class."),
        ("nothing_compared", "The catalogue has no price for {compared_class} that can still be had."),
        (
            "verdict_split",
            "Building wins against {compared_wins} of {compared_prices} catalogue prices for {compared_class} and not against the others: "
            "name the provider with the answer.",
        ),
        ("all_compared_won", "Building wins against all {compared_prices} catalogue prices for {compared_class}."),
        ("", "Building wins against none of {compared_prices} catalogue prices for {compared_class}."),
    ),
    "withdrawn": Saying(
        (
            "prices_left_out",
            "Prices are judged as of {price_day}: {withdrawn_prices} of the class are left out because their service has ended, and of "
            "those that compare {ending_prices} have an announced end.",
        ),
        (
            "",
            "Prices are judged as of {price_day}: none of the class is withdrawn, and {ending_prices} of them have an announced end of "
            "service.",
        ),
    ),
    "structure": Saying(
        (
            "hybrid_uncommitted",
            "The hybrid is worked out without a commitment: what it leaves to the API is billed at list price, without the {api_commit} "
            "and its {api_commit_discount} off. A commitment on what is left could make it cheaper. It has no spare node, since the API "
            "is the spare.",
        ),
        (
            "hybrid_possible",
            "A hybrid has no spare node, since the API is the spare; it is cheaper than building unless running both costs more than "
            "that node.",
        ),
        ("", "A hybrid is not allowed; it would cost {npv_hybrid}."),
    ),
    "steps": Saying(
        (
            "hybrid_possible",
            "Start volumes for a hybrid are tried in steps of {trial_step}: a shorter stretch in which it pays, and then no longer, is "
            "not seen.",
        ),
        ("", "A hybrid is not allowed, and none was looked for."),
    ),
    "throughput": Saying(
        ("node_rate_own", "A node gives {node_rate:0}, your own figure; the plan's is {kernel_node_rate:0}."),
        ("", "A node gives {node_rate:0}, as the plan works it out."),
    ),
    "local": Saying(
        (
            "local_shown",
            "At {exchange_rate} {currency} for a dollar: API {local_npv_api}, building {local_npv_build}, hybrid {local_npv_hybrid}.",
        ),
        ("", "Figures are in US dollars."),
    ),
}
STORY = Story(
    claim="headline",
    decision="decision",
    figures=("npv_api", "npv_build", "npv_hybrid", "breakeven_lasting", "build_probability"),
    argument=(
        "payback",
        "return",
        "crossings",
        "busy",
        "probability",
        "instrument",
        "output_price",
        "people",
        "gpu_price",
        "providers",
        "withdrawn",
        "structure",
        "steps",
        "throughput",
    ),
    derivation=(
        "api_unit_price",
        "node_volume",
        "start_nodes",
        "first_nodes",
        "node_cost",
        "build_fixed_cost",
        "api_slope",
        "full_node_value",
        "build_utilization",
        "breakeven_utilization",
        "first_outlay",
        "npv_api",
        "npv_build",
        "build_advantage",
        "npv_hybrid",
        "turning_volume",
        "turning_month",
    ),
    not_counted=(
        "tax",
        "inflation",
        "service credits",
        "exchange rates that move",
        "a second region",
        "differences in quality between the model and the API",
    ),
)
CHARTS = [
    Chart(
        "staircase",
        "line",
        title="crossings",
        x="view_volume",
        ys=("view_build_cost", "view_api_cost"),
        marks=("breakeven_first", "breakeven_lasting"),
        x_label="output tokens a day, millions",
        y_label="bill of a steady month, $",
    ),
    Chart(
        "cash",
        "line",
        title="payback",
        x="shown_month",
        ys=("cumulative_saving", "cumulative_discounted"),
        marks=("durable_payback_month",),
        x_label="month",
        y_label="cumulative saving by building, $",
    ),
    Chart(
        "tornado",
        "ranges",
        title="swing",
        x="ranked_driver",
        ys=("ranked_low", "ranked_high"),
        marks=("build_advantage",),
        y_label="advantage of building, $",
    ),
    Chart(
        "distribution",
        "line",
        title="odds",
        x="share_of_draws",
        ys=("advantage_at_share",),
        x_label="share of draws below",
        y_label="advantage of building, $",
    ),
]
