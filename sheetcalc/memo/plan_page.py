"""The plan's memo: recommendation, bills, capacity, options, what would change it, asks, assumptions; two to four pages."""

from sheetcalc.memo import api_row, bills, charts, finance_part, infeasible, sensitivity, shortfall, standing
from sheetcalc.memo.clean import clean
from sheetcalc.memo.page import Column, Picture, Row
from sheetcalc.memo.phrase import Name, phrase
from sheetcalc.memo.reading import Reader
from sheetcalc.memo.study_page import DERIVATION, checks, closing, derivation, figures, frame, not_counted

TEMPLATE = "plan.html.j2"
OPTIONS = (
    Column("Option", "66mm"),
    Column("A month", "27mm", number=True),
    Column("Why", "", quiet=True),
)
COMPARED = ("api_over_build", "build_cost_per_month")  # what the chart of effects is drawn for
TARGETS = (*COMPARED, "api_cost_per_month", "tpot_promised", "ttft", "kv_per_sequence_gpu", "weights_per_gpu", "output_tokens_per_day")
MOST_ASSUMPTIONS, FEWER, FEWEST = 10, 3, 0  # rows of defaults; the rest is small print
# Published measurements against the textbook constants; the measured profile tells its own band instead.
TEXTBOOK = "These constants are optimistic: published measurements are one and a half to three times slower. Benchmark before buying."


def fits(result):
    """Whether a result is a plan: it chooses between build and API."""
    return "choice_by_cost" in result.model.steps


def view(result, brand, details, finance=None):
    """Everything that the plan's template shows; money over time where the finance study stands beside a plan that holds."""
    reader, story = Reader(result), result.study.story
    money = finance_part.view(reader, Reader(finance)) if finance is not None and not result.problems and not finance.problems else {}
    names = standing.needed(reader.model, [*story.derivation, *story.figures])
    results = [name for name in TARGETS if reader.has(name)]
    moved = sensitivity.effects(result, results, names)
    instead = infeasible.view(reader) if result.problems else money
    decision = instead.get("decision") or reader.says(story.decision)
    shown = {
        **frame(reader, brand, details, claim(reader, finance and Reader(finance)), decision, phrase("Capacity decision memo")),
        "has": reader.has,
        "absent": reader.absent,
        "value": reader.value,
        "decision": decision,
        "problems": reader.problems(),
        "figures": figures(reader, story.figures, {"api_cost_per_month": phrase(", ", api_row.named(reader))}),
        "bills": None if result.problems else bills.picture(reader),
        "cost_claim": cost_claim(reader),
        "cost_text": cost_text(reader),
        "remedy_claim": None,
        "to_sign": True,
        "capacity_claim": capacity_claim(reader),
        "side_notes": side_notes(reader, not_counted(reader)),
        "trust": trust(reader),
        "trust_claim": trust_claim(reader),
        "derivation": derivation(reader, [n for n in story.derivation if reader.has(n)]),
        "derivation_columns": DERIVATION,
        "derivation_caption": "How the fleet was sized, line by line",
        "pictures": pictures(reader),
        "options": options(reader),
        "option_columns": OPTIONS,
        "options_claim": options_claim(reader),
        "reversals": [told for told in reversals(reader) if told],
        "asks": [told for told in asks(reader) if told],
        "checks": checks(reader, named=False),
        "time_claim": None,
        "turns": [],
        "turn_columns": (),
        "steady": None,
        "notes": [phrase(Name(clean(line))) for line in details.notes.splitlines() if line.strip()],
        "ranges": ranges(reader, moved),
        "range_rows": finance_part.side_by_side(reader, reader),
        "range_columns": finance_part.RANGE_COLUMNS,
        "assumptions": standing.gather(reader, names, sensitivity.felt(moved), FEWEST if money else FEWER if instead else MOST_ASSUMPTIONS),
        "assumption_columns": standing.COLUMNS,
        "closing": closing(details),
        "reader": reader,
    }
    if money:
        notes = {"first_api_bill": phrase(", ", api_row.named(reader))}
        instead |= {"assumptions": finance_part.assumptions(shown["assumptions"], Reader(finance))}
        instead |= {
            "figures": figures(Reader(finance), finance_part.FIGURES, notes),
            "cost_text": [said for said in (*money["cost_text"], api_row.caution(reader)) if said],
            "side_notes": [("Not counted.", left_out)] if (left_out := not_counted(Reader(finance))) else [],
        }
    return shown | instead


def claim(reader, finance=None):
    """The title: by present value where money is told over time, what fails where the plan does not hold, else by monthly bills."""
    if finance and not reader.result.problems and not finance.result.problems:
        return finance.says(finance.result.study.story.claim)
    if not fits(reader.result):
        return reader.says(reader.result.study.story.claim)
    if reader.result.problems and (found := shortfall.gaps(reader)):
        return infeasible.claim(reader, found)
    if reader.value("must_build_here") == 1:
        return reader.tell("Build: {gpus} GPUs in {replicas} replicas, because ") + phrase(api_row.obligation(reader))
    return reader.says(reader.result.study.story.claim)


def side_notes(reader, left_out):
    """Notes in the margin of the first page: title and words."""
    notes = (("Another model.", api_row.caution(reader)), ("Not counted.", left_out))
    return [(title, words) for title, words in notes if words]


def trust_claim(reader):
    if reader.value("profile") == "textbook" or not reader.has("measurements"):
        return phrase("The estimate uses textbook constants and is optimistic")
    if reader.value("measurements") == 0 and not reader.result.study.inputs["mfu"].source.startswith("calibrated"):
        return phrase("No measurement of this GPU stands behind the estimate")
    if reader.has("gpus_if_slow"):
        spread = reader.value("gpus_if_fast") != reader.value("gpus_if_slow")
        return reader.tell(
            "Measurements put the fleet between {gpus_if_fast} and {gpus_if_slow} GPUs"
            if spread
            else "The spread of measurements leaves the fleet at {gpus} GPUs"
        )
    return phrase("How far the estimate can be trusted")


def trust(reader):
    """Which profile, how many measurements stand behind it, the band in money, what to measure first."""
    if reader.value("profile") == "textbook" or not reader.has("measurements"):
        return phrase(TEXTBOOK)
    cited = reader.result.study.inputs["mfu"].source
    if cited.startswith("calibrated"):
        said = phrase("The constants are ", Name(cited), ". ")
    elif reader.value("measurements") == 0:
        said = phrase("The constants are those of its kin, with the widest band. ")
    else:
        said = reader.tell("{measurements:0} published measurements of this GPU in this format stand behind the constants. ")
    if reader.has("gpus_if_slow") and not reader.result.problems:
        said += reader.tell(
            "As fast as the fastest tenth of them the fleet costs {cost_per_hour_if_fast}, as slow as the slowest {cost_per_hour_if_slow}. "
        )
    return (
        said + "Measure first: time per output token at the planned batch, prefill of real prompts, the share of prompts served from cache."
    )


def choice(reader):
    return reader.value("choice_by_cost")


def cost_claim(reader):
    if reader.value("must_build") == 1:
        return phrase("The obligation decides; the bill is its price")
    if reader.has("api_over_build") and choice(reader) == "build":
        return reader.tell("The API would cost {api_over_build:1} our own fleet")
    if reader.has("api_over_build") and reader.has("breakeven_volume"):
        return reader.tell("The API is cheaper until output passes {breakeven_volume}")
    if reader.has("api_cost_per_month"):
        return phrase("A replica costs more than it saves, even when full")
    return phrase("There is no API bill to compare with")


def cost_text(reader):
    """Both bills in words: what is in ours, which API was priced and whether it is one for this model, what a token costs."""
    own = "A fleet of {gpus} GPUs at {gpu_hour_price} costs {build_cost_per_month}"
    if reader.has("fixed_cost_per_month") and reader.value("fixed_cost_per_month") > 0:
        own += ", of which {fixed_cost_per_month} are staff, licences and other fixed cost"
    said = [reader.tell(own + ". It is the same whoever is typing.")]
    if reader.has("api_cost_per_month"):
        said.append(
            phrase(
                "The API bill follows use: at the prices of " if not api_row.own_prices(reader) else "The API bill follows use: at the ",
                api_row.named(reader),
                reader.tell(
                    ", {output_tokens_per_day} of output, each token with its share of the prompt at {api_price_per_output}, "
                    "come to {api_cost_per_month}."
                ),
            )
        )
    else:
        said.append(phrase("There is no API bill to compare with: ", reader.absent("api_cost_per_month"), "."))
    if ruled_out := api_row.obligation(reader):
        said.append(phrase(f"An API is ruled out at any price: {ruled_out}."))
    said.append(
        reader.tell(
            "As used, our own GPUs cost {cost_per_million_output_used} of output; at the rated load it would be {cost_per_million_output}."
        )
    )
    return [phrase(*(piece for part in said if part for piece in (part, " ")))]


def capacity_claim(reader):
    if not reader.has("replicas"):
        return phrase("The fleet cannot be built as asked")
    if reader.value("prefill_share") > 1 / 2:
        return reader.tell("Reading prompts sizes the fleet: {prefill_share} of its work")
    return reader.tell("Writing answers sizes the fleet: prefill is only {prefill_share} of its work")


def pictures(reader):
    """Memory of a GPU and the two targets, side by side."""
    return [picture for picture in (memory(reader), targets(reader)) if picture]


def memory(reader):
    if not all(map(reader.has, ("weights_per_gpu", "kv_budget", "hbm"))):
        return unfit(reader)
    value = reader.value
    rest = value("hbm") - value("weights_per_gpu") - value("kv_budget")
    parts = (
        charts.Part(phrase("Weights"), value("weights_per_gpu"), reader.figure("weights_per_gpu")),
        charts.Part(phrase("KV cache"), value("kv_budget"), reader.figure("kv_budget"), "third"),
        charts.Part(phrase("Engine"), rest, phrase(""), "quiet"),
    )
    says = phrase("Weights leave ", reader.figure("kv_budget"), " of each GPU for KV cache")
    measure = phrase("Memory of one ", Name(str(value("gpu"))), ", ", reader.figure("hbm"))
    return Picture(says, measure, charts.Stack(f"{says}.", parts))


def unfit(reader):
    """Weights beside the memory that they do not fit into."""
    if not all(map(reader.has, ("weights_per_gpu", "usable_memory"))):
        return None
    bars = (
        charts.Bar(phrase("Weights"), reader.value("weights_per_gpu"), reader.figure("weights_per_gpu"), "buy"),
        charts.Bar(phrase("Room"), reader.value("usable_memory"), reader.figure("usable_memory")),
    )
    says = phrase("The weights of one GPU are larger than its room")
    return Picture(says, phrase("Memory of one ", Name(str(reader.value("gpu")))), charts.Bars(f"{says}.", bars))


def targets(reader):
    if not all(map(reader.has, ("tpot_promised", "tpot_target", "ttft", "ttft_target"))):
        return None
    rows = []
    for label, name, target in (("TPOT", "tpot_promised", "tpot_target"), ("TTFT", "ttft", "ttft_target")):
        share = reader.value(name) / reader.value(target)
        rows.append(
            charts.Bar(phrase(label), share, phrase(reader.figure(name), " of ", reader.figure(target)), "own" if share <= 1 else "buy")
        )
    met = all(bar.value <= 1 for bar in rows)
    says = phrase("Both latency targets are met" if met else "A latency target is missed")
    line = charts.Mark(1.0, 0.0, (phrase("target"),))
    return Picture(says, phrase("Estimate as a share of its target"), charts.Bars(f"{says}.", tuple(rows), line))


def ranges(reader, moved):
    """Which inputs move the answer most, as a chart."""
    target = next((name for name in COMPARED if name in moved), None)
    if target is None:
        return None
    effects = moved[target]
    doubted = set(sensitivity.movable(reader.result, [effect.name for effect in effects]))
    effects = [effect for effect in effects if effect.name in doubted]
    ratio = target == "api_over_build"
    measure = phrase(
        "API bill over our own bill" if ratio else "Our own bill a month",
        ", with each input a quarter lower and a quarter higher and the others held; the dot is the plan",
    )
    says = (
        phrase(Name(_sentence(str(reader.label(effects[0].name)))), f" moves {'the comparison' if ratio else 'the bill'} most")
        if effects
        else phrase("")
    )
    chart = sensitivity.tornado(reader, effects, target, f"{says}. {measure}.", 1.0 if ratio else None)
    return chart and Picture(says, measure, chart)


def _sentence(text):
    return text[:1].upper() + text[1:]


def options(reader):
    """Each option with its bill and why it is taken or rejected."""
    rows = []
    picked = choice(reader)
    told = reader.has("api_cost_per_month") and (not reader.result.problems or (picked == "api" and api_row.serves(reader)))
    if told:
        why = _why_api(reader, picked)
        rows.append(Row((phrase("Buy from an API: ", api_row.named(reader)), reader.bare("api_cost_per_month"), why), picked == "api"))
    else:
        rows.append(Row((phrase("Buy from an API"), phrase("no bill"), _no_api(reader))))
    if reader.has("build_cost_per_month"):
        why = _why_build(reader, picked)
        rows.append(
            Row((reader.tell("Build {gpus} GPUs in {replicas} replicas"), reader.bare("build_cost_per_month"), why), picked == "build")
        )
    else:
        rows.append(Row((phrase("Build as asked"), phrase("no bill"), phrase("Rejected: ", reader.absent("build_cost_per_month")))))
    return rows


def _no_api(reader):
    """Why there is no API bill in the table."""
    if ruled_out := api_row.obligation(reader):
        return phrase(f"Ruled out: {ruled_out}")
    if reader.has("api_cost_per_month"):
        return phrase("Not compared: ", api_row.named(reader), " is another model than ", Name(str(reader.value("model"))))
    return phrase("Not compared: ", reader.absent("api_cost_per_month"))


def _why_api(reader, picked):
    if ruled_out := api_row.obligation(reader):
        return phrase(f"Rejected at any price: {ruled_out}")
    if picked == "api":
        return phrase("Pays only for use; no machines to run")
    return reader.tell("Rejected: costs {api_over_build:1} our own fleet")


def _why_build(reader, picked):
    if picked == "build":
        return reader.tell("Busy {utilization} of the time at the peak")
    if reader.has("breakeven_volume") and reader.value("breakeven_volume") > reader.value("output_tokens_per_day"):
        return reader.tell("Rejected at this volume: cheaper for good only from {breakeven_volume}")
    return phrase("Rejected: does not save enough at this volume")


def options_claim(reader):
    return {
        "build": phrase("The options, and why we build"),
        "api": phrase("The options, and why we buy"),
    }.get(choice(reader), phrase("The options, and why none holds"))


def reversals(reader):
    """What would turn the answer, with its threshold where the plan has one."""
    found = []
    if reader.value("must_build") == 1:
        found.append(phrase("An API that may hold the data, or an equivalent model behind one, would put the price question first again."))
    elif reader.has("breakeven_volume"):
        ahead = reader.value("breakeven_volume") > reader.value("output_tokens_per_day")
        found.append(
            reader.tell(
                "Volume: above {breakeven_volume} of output, self-hosting stays cheaper; the plan has {output_tokens_per_day}."
                if ahead
                else "Volume: below {breakeven_volume} of output the API would be cheaper again; the plan has {output_tokens_per_day}."
            )
        )
    elif reader.has("api_cost_per_replica"):
        found.append(
            reader.tell(
                "Price: a full replica costs {replica_cost_per_month} and saves {api_cost_per_replica} at the API; "
                "only other prices change that."
            )
        )
    if reader.value("must_build") != 1:
        found.append(phrase("Data residency, an air gap or a fine-tuned model without an equivalent would rule the API out at any price."))
    found.append(phrase("Steady overnight work would fill idle hours and lower the cost of a token of our own."))
    return found


def asks(reader):
    """What the committee is asked to decide."""
    picked = choice(reader)
    if picked == "build":
        return [
            reader.tell("Approve {gpus} GPUs at {gpu_hour_price}, {build_cost_per_month}."),
            phrase("Benchmark one replica on real prompts before the order is final."),
        ]
    if picked == "api":
        found = [phrase("Approve API spend of ", reader.tell("{api_cost_per_month}"), " with ", api_row.named(reader), ".")]
        if not api_row.serves(reader):
            words = phrase("Before that, decide whether ", api_row.named(reader), " can do the work of ")
            found.insert(0, words + phrase(Name(str(reader.value("model"))), "."))
        if reader.has("breakeven_volume") and reader.value("breakeven_volume") > reader.value("output_tokens_per_day"):
            found.append(reader.tell("Return to this committee when output passes {breakeven_volume}."))
        return found
    return []
