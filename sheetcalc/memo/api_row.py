"""Which API was compared: the price row by name, whether it serves the plan's model, and what rules an API out."""

from sheetcalc.catalogue import NO_CLASS
from sheetcalc.memo.phrase import Name, phrase

MOST_ROWS = 2  # that are named
OWN_PRICES = ("api_input_price", "api_output_price")


def own_prices(reader):
    """Whether the scenario gives API prices of its own, so that no row of the price list is meant."""
    return any(reader.result.changes.get(name) is not None for name in OWN_PRICES)


def named(reader):
    """The row that was priced, or whose prices they are."""
    return phrase("prices of this scenario" if own_prices(reader) else Name(str(reader.value("api_price_row"))))


def serves(reader):
    """Whether the row is for the plan's model; prices that the scenario gives are taken at their word."""
    return own_prices(reader) or reader.value("api_comparable") == 1


def caution(reader):
    """A sentence where the row is for another model, with the rows that the price list has for this one; None where it serves."""
    if serves(reader) or not reader.has("api_cost_per_month"):
        return None
    model, known = str(reader.value("model")), str(reader.value("price_class_here") or "")
    said = phrase(Name(str(reader.value("api_price_row"))), " is not ", Name(model))
    said += phrase(": it serves ", Name(known)) if known not in ("", NO_CLASS) else phrase(", but a model of its own")
    said += phrase(". Compare its answers before its price")
    rows = same_model(reader)[:MOST_ROWS]
    return said + (phrase("; the price list has ", Name(" and ".join(rows)), " for this model.") if rows else phrase("."))


def same_model(reader):
    """The rows of the price list that serve the plan's model."""
    wanted = reader.value("model_class_here")
    return [row for row, serves in zip(reader.value("price_name"), reader.value("price_class")) if wanted and serves == wanted]


def obligation(reader):
    """Why no API may be used, as a clause; empty where one may."""
    reasons = {"data_must_stay": "the data must stay", "no_equivalent_api": "no API serves an equivalent of this model"}
    return " and ".join(words for name, words in reasons.items() if reader.value(name) == "yes")
