"""What the finance study adds to the plan's memo: present values, payback, thresholds, uncertainty, the rules that fired."""

from dataclasses import replace

from sheetcalc.memo import charts, plots
from sheetcalc.memo.page import Column, Picture, Row
from sheetcalc.memo.phrase import Name, phrase, sentence
from sheetcalc.memo.reading import amount
from sheetcalc.memo.standing import gather, joined, lower, paired
from sheetcalc.memo.study_page import checks, derivation

FIGURES = ("start_volume", "first_build_bill", "first_api_bill", "breakeven_lasting", "build_probability")
OPTION_COLUMNS = (
    Column("Option", "46mm"),
    Column("First month", "25mm", number=True),
    Column("Present value", "29mm", number=True),
    Column("Why", "", quiet=True),
)
RANGE_COLUMNS = (
    Column("What", "66mm"),
    Column("Low", "32mm", number=True),
    Column("Base", "32mm", number=True),
    Column("High", "32mm", number=True),
)
TURN_COLUMNS = (
    Column("Input, by itself", "72mm"),
    Column("In the plan", "32mm", number=True),
    Column("Both cost the same at", "34mm", number=True),
    Column("Away by", "18mm", number=True),
)
RULES = ("rule_override", "rule_build", "rule_hybrid", "rule_revisit", "rule_buy")
MOST_TURNS = 5
FAR = 10.0  # times its value: a threshold beyond that turns nothing
BY_MONTH = ("cost_per_hour", "cost_per_million_output_used", "api_price_per_output", "api_cost_per_month", "breakeven_volume")
WORDS = {"build": "building", "hybrid": "own nodes and the API together", "api": "the API"}
MOST_MONEY = 7  # rows of defaults of the money; the rest is small print
MONEY = (
    "growth",
    "horizon",
    "discount_rate",
    "api_price_decline",
    "spare_nodes",
    "build_mode",
    "staff_fixed",
    "staff_cost",
    "setup_cost",
    "hybrid_fixed",
)
OWNED = ("node_price", "residual_share", "electricity_price", "colocation_price")
HALF_HEIGHT = 88


def view(plan, finance):
    """The parts of the page that come from the finance study; `plan` and `finance` are readers."""
    return {
        "decision": finance.says("decision"),
        "bills": staircase(finance),
        "cost_claim": sentence(finance.says("crossings")),
        "cost_text": [finance.says(name) for name in ("busy", "throughput")],
        "time_claim": finance.tell("Over {horizon:0} months the API costs {npv_api} and building {npv_build}"),
        "time_text": [*(finance.says(rule) for rule in RULES if finance.value(rule) == 1), *verdicts(plan, finance), *beside(finance)],
        "derivation": derivation(plan, [n for n in plan.result.study.story.derivation if plan.has(n) and n not in BY_MONTH]),
        "time_pictures": over_time(finance),
        "options": options(plan, finance),
        "option_columns": OPTION_COLUMNS,
        "ranges": tornado(finance),
        "range_rows": side_by_side(plan, finance),
        "range_columns": RANGE_COLUMNS,
        "turns": turns(finance),
        "turn_columns": TURN_COLUMNS,
        "steady": unable(finance),
        "reversals": [*(finance.says(name) for name in reasons(finance)), *exceptions(finance)],
        "checks": checked(plan, finance),
        "pictures": [],  # of memory and latency: the plan's own memo has them
        "asks": [told for told in asks(plan, finance) if told],
        "options_claim": options_claim(finance),
    }


def verdicts(plan, finance):
    """One sentence where the bills of a month and the present values choose differently: the title follows the present values."""
    month, years = plan.value("choice_by_cost"), finance.value("decision")
    if month == years or month not in WORDS:
        return []
    said = phrase("By the bills of one month the plan alone would choose ", WORDS[month], ". ")
    if years == "hybrid":
        why = "That compares building with the API only; here both together is an option too, and every month counts at its prices"
    else:
        why = "One month knows no growth, no falling price, no whole nodes and nothing that is paid once; the present values count them"
    return [said + phrase(f"{why}, so this memo recommends {WORDS[years]}.")]


def beside(finance):
    """The rate of return, and what the figure of the hybrid leaves out."""
    found = [finance.says("return")] if finance.value("irr_found") == 1 or finance.value("rates_several") == 1 else []
    if finance.value("hybrid_uncommitted") == 1:
        found.append(finance.says("structure"))
    if finance.value("decision") == "api" and finance.value("hybrid_possible") == 1:
        found.append(finance.says("steps"))
    return found


def reasons(finance):
    """Sayings of what would change the decision; prices that have ended or will are named where there are some."""
    ended = finance.value("withdrawn_prices") + finance.value("ending_prices") > 0
    return ("instrument", "gpu_price", "providers", *(("withdrawn",) if ended else ()))


def checked(plan, finance):
    """The plan's checks, and what the finance study warns of."""
    found = checks(plan, named=False)
    alerts = [c for c in finance.result.checks if c["ok"] is False and c["kind"] == "alert"]
    return found | {"broken": [*found["broken"], *map(finance.verdict, alerts)]}


def assumptions(of_plan, finance):
    """The plan's assumptions with those of the money, which come first."""
    paid = {"reserved 1 year": ("reserved_price_one_year",), "spot": ("spot_price", "spot_lost_share"), "owned": OWNED}
    mode = paid.get(finance.value("chosen_mode"), ("reserved_price_three_years",))
    ours = gather(finance, (*MONEY, *mode), most=MOST_MONEY)
    every = [*(a for a, _ in of_plan.given), *(b for _, b in of_plan.given), *(a for a, _ in ours.given), *(b for _, b in ours.given)]
    rows, further = [*ours.rows, *of_plan.rows], joined([said for said in (ours.further, of_plan.further) if said])
    return replace(of_plan, given=paired([item for item in every if item]), rows=rows, further=further, catalogue=phrase(""))


def declared(finance, name):
    return next(chart for chart in finance.result.study.charts if chart.name == name)


def picture(finance, name, width=charts.WIDTH, height=None, marks=()):
    """A chart that the finance study declares, perhaps narrower, with further marks."""
    chart = declared(finance, name)
    chart = chart._replace(marks=(*chart.marks, *marks))
    drawn = plots.plot(finance, chart, width)
    if drawn is None:
        return None
    if height:
        drawn = replace(drawn, height=height)
    return Picture(sentence(finance.says(chart.title)), plots.measure(finance, chart), drawn)


def staircase(finance):
    found = picture(finance, "staircase", height=135, marks=("start_volume",))
    if found is None:
        return None
    if finance.has("breakeven_lasting"):
        ahead = finance.value("breakeven_lasting") > finance.value("start_volume")
        says = finance.tell(
            "Own nodes stay cheaper only from {breakeven_lasting}; the plan has {start_volume}"
            if ahead
            else "Own nodes are cheaper from {breakeven_lasting} on; the plan has {start_volume}"
        )
    else:
        says = phrase("No volume makes own nodes cheaper for good")
    return replace(found, says=says, chart=replace(found.chart, alt=f"{says}."))


def over_time(finance):
    return [
        found
        for found in (picture(finance, "cash", charts.HALF, HALF_HEIGHT), picture(finance, "distribution", charts.HALF, HALF_HEIGHT))
        if found
    ]


def tornado(finance):
    return picture(finance, "tornado")


def options(plan, finance):
    """The options with bill and present value; why each is taken or not."""
    picked = finance.value("decision")
    why = {
        "api": phrase("Pays only for use; no machines to run"),
        "build": finance.tell("{first_nodes} nodes, {build_utilization} busy over the day"),
        "hybrid": finance.tell("{first_hybrid_nodes} own nodes for the base load, peaks and failures on the API"),
    }
    if finance.value("must_build") == 1:
        why["api"] = why["hybrid"] = phrase("Rejected: data that must stay, or a model without an equivalent, rule it out")
    elif finance.value("hybrid_possible") != 1:
        why["hybrid"] = phrase("Not allowed by the plan")
    elif finance.value("most_hybrid_nodes") == 0:
        why["hybrid"] = phrase("Not worth a node: all would go to the API")
    rows = []
    for name, label in (("api", "Buy from an API"), ("build", "Build"), ("hybrid", "Both together")):
        words = (
            why[name]
            if name == picked or str(why[name]).startswith(("Rejected", "Not"))
            else phrase("Rejected: ", _against(finance, name, picked))
        )
        rows.append(Row((phrase(label), finance.bare(f"first_{name}_bill"), finance.figure(f"npv_{name}"), words), name == picked))
    return rows


def _against(finance, name, picked):
    """Why an option lost: its present value against the chosen one's, or the rule that keeps the simpler one."""
    if finance.value(f"npv_{name}") > finance.value(f"npv_{picked}"):
        return phrase("costs more than what is chosen")
    if name == "build" and finance.value("build_probability") < finance.value("least_probability"):
        return finance.tell("cheaper in only {build_probability} of the draws, {least_probability} are asked for")
    return finance.tell("saves less than the {materiality} that counts")


def options_claim(finance):
    return phrase(
        {
            "build": "The options, and why we build",
            "hybrid": "The options, and why we run both",
            "api": "The options, and why we buy",
        }[finance.value("decision")]
    )


def side_by_side(plan, finance):
    """Low, base and high: the fleet by the spread of measurements, the advantage by the draws."""
    rows = []
    for label, names, reader in (
        ("GPUs, if machines are as fast or as slow as measured tenths", ("gpus_if_fast", "gpus", "gpus_if_slow"), plan),
        ("Cost per hour of that fleet", ("cost_per_hour_if_fast", "cost_per_hour", "cost_per_hour_if_slow"), plan),
        (
            "Advantage of building, by the draws: one in ten, half, nine in ten lie below",
            ("advantage_low", "advantage_middle", "advantage_high"),
            finance,
        ),
    ):
        if all(map(reader.has, names)) and len({reader.value(name) for name in names}) > 1:
            rows.append(Row((phrase(label), *(reader.figure(name) for name in names))))
    return rows


def turns(finance):
    """Inputs that can turn the cheaper side alone, with their exact threshold, nearest first."""
    rows = []
    for name in finance.model.steps:
        kind, found, key = name.partition("threshold_")
        if not found or kind not in ("", "first_") or not finance.has(name) or key not in finance.model.typed:
            continue
        if not kind and finance.value(f"decides_{key}") != 1:
            continue
        value, at = finance.value(key), finance.value(name)
        away = abs(at - value) / abs(value) if value else float("inf")
        share = amount(away, "%") if value else phrase("")
        rows.append((away, key, Row((phrase(finance.label(key)), finance.figure(key), finance.figure(name), share))))
    rows.sort(key=lambda item: item[:2])
    near = [row for away, _, row in rows if away <= FAR]
    return near[:MOST_TURNS] or [row for _, _, row in rows[:1]]


def unable(finance):
    """The inputs that cannot turn the cheaper side alone, by name."""
    names = [name.removeprefix("decides_") for name in finance.model.steps if name.startswith("decides_") and finance.value(name) != 1]
    return phrase(Name("; ".join(lower(finance.result.label(name)) for name in names if name in finance.model.typed)))


def exceptions(finance):
    """What decides whatever the price."""
    if finance.value("must_build") == 1:
        return [phrase("An API that may hold the data, or an equivalent model behind one, would put the price question first again.")]
    return [
        phrase(
            "Data residency, an air gap or a fine-tuned model without an equivalent would rule the API out; "
            "steady overnight work would fill idle nodes."
        )
    ]


def asks(plan, finance):
    """What the committee is asked to decide."""
    picked = finance.value("decision")
    if picked == "api":
        found = [finance.tell("Approve API spend of {first_api_bill} in the first month.")]
        if finance.has("revisit_at") and finance.value("rule_revisit") == 1:
            found.append(finance.tell("Return to this committee when output passes {revisit_at}."))
    elif picked == "hybrid":
        found = [
            finance.tell(
                "Approve {first_hybrid_nodes} nodes beside the API: {setup_cost} before the first month, then {first_hybrid_bill}."
            )
            if finance.value("first_hybrid_nodes") > 0
            else finance.tell("Approve API spend of {first_hybrid_bill} in the first month; own nodes follow, up to {most_hybrid_nodes}."),
        ]
    else:
        found = [finance.tell("Approve {first_nodes} nodes: {first_outlay} before the first month, then {first_build_bill}.")]
    if picked != "api":
        found.append(plan.tell("Benchmark one replica of {gpus_per_replica} GPUs on real prompts before the order is final."))
    return found
