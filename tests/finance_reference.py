"""The finance plan worked out plainly from its definitions (calculators C, section i): loops and counting, nothing of sheetcalc.

Keys are the symbols of the specification, volumes in M tokens a day, as in data/golden_finance.json.
"""

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden_finance.json").read_text(encoding="utf-8"))
RESULTS, CURVE = GOLDEN["results"], np.array(GOLDEN["day_curve"])
LINEAR = {  # symbol of the specification -> input on which the advantage depends in a straight line
    "p_out": "api_output_price",
    "p_in": "api_input_price",
    "p_cache": "api_cached_input_price",
    "fte": "staff_fixed",
    "fte_cost": "staff_cost",
    "setup": "setup_cost",
    "kwh": "electricity_price",
    "colo_kw": "colocation_price",
    "capex": "node_price",
    "lic_gpu_yr": "licence_price",
    "cache_share": "api_cached_share",
    "batch_share": "batch_share",
    "kappa": "prompt_ratio",
    "api_fixed": "api_fixed",
    "net_node": "node_extras",
}
DEFAULT = RESULTS["i"]["inputs"]
NAMES = {  # symbol -> (input of the study, base units in one of the symbol's units)
    "V0": ("start_volume", 1e6),
    "g": ("growth", 1),
    "months": ("horizon", 1),
    "dpm": ("days_per_month", 1),
    "hours": ("hours_per_month", 1),
    "r": ("discount_rate", 1),
    "kappa": ("prompt_ratio", 1),
    "cache_share": ("api_cached_share", 1),
    "batch_share": ("batch_share", 1),
    "act_h": ("active_hours", 1),
    "pf": ("peak_factor", 1),
    "p_out": ("api_output_price", 1e-6),
    "p_in": ("api_input_price", 1e-6),
    "p_cache": ("api_cached_input_price", 1e-6),
    "batch_disc": ("api_batch_discount", 1),
    "api_decline": ("api_price_decline", 1),
    "commit": ("api_commit", 1),
    "commit_disc": ("api_commit_discount", 1),
    "api_fixed": ("api_fixed", 1),
    "T": ("node_rate", 1),
    "rho": ("utilization_cap", 1),
    "G": ("gpus_per_node", 1),
    "spare": ("spare_nodes", 1),
    "n_min": ("min_nodes", 1),
    "p_od": ("gpu_hour_price", 1),
    "p_r1": ("reserved_price_one_year", 1),
    "p_r3": ("reserved_price_three_years", 1),
    "capex": ("node_price", 1),
    "capex_nw": ("network_share", 1),
    "life": ("node_life", 1),
    "resid36": ("residual_share", 1),
    "kw": ("node_power", 1e3),
    "load": ("power_load", 1),
    "pue": ("pue", 1),
    "kwh": ("electricity_price", 1e-3),
    "colo_kw": ("colocation_price", 1e-3),
    "maint": ("maintenance_share", 1),
    "fte": ("staff_fixed", 1),
    "fte_node": ("staff_per_node", 1),
    "fte_cost": ("staff_cost", 1),
    "lic_gpu_yr": ("licence_price", 1),
    "net_node": ("node_extras", 1),
    "stor": ("storage_cost", 1),
    "setup": ("setup_cost", 1),
    "mat": ("materiality", 1),
    "p_win": ("least_probability", 1),
    "reach": ("reach", 1),
    "hyb_fixed": ("hybrid_fixed", 1),
}
MODES = {"ondemand": "on demand", "reserved1": "reserved 1 year", "reserved3": "reserved 3 years", "owned": "owned"}


def changes(p: dict) -> dict:
    """The same case as changes of the study's inputs."""
    out = {name: float(p[symbol]) * factor for symbol, (name, factor) in NAMES.items()}
    return out | {
        "build_mode": MODES[p["mode"]],
        "data_must_stay": "yes" if p["residency"] else "no",
        "no_equivalent_api": "yes" if p["no_api_equiv"] else "no",
        "hybrid_allowed": "yes" if p["allow_hybrid"] else "no",
    }


def up(x):
    return np.ceil(np.round(x, 9))


def unit_price(p):
    """$ per M output tokens."""
    k, c, b = p["kappa"], p["cache_share"], p["batch_share"]
    live = p["p_out"] + k * ((1 - c) * p["p_in"] + c * p["p_cache"])
    return (1 - b) * live + b * (1 - p["batch_disc"]) * (p["p_out"] + k * p["p_in"])


def per_node(p):
    """M tokens a day."""
    return p["T"] * p["rho"] * p["act_h"] * 3600 / p["pf"] / 1e6


def volumes(p):
    return p["V0"] * (1 + p["g"]) ** np.arange(p["months"])


def decline(p):
    return (1 - p["api_decline"]) ** (np.arange(p["months"]) / 12)


def api_bills(p):
    usage = volumes(p) * p["dpm"] * unit_price(p) * decline(p)
    return (np.maximum(usage, p["commit"]) * (1 - p["commit_disc"]) if p["commit"] else usage) + p["api_fixed"]


def nodes(p):
    return np.maximum(p["n_min"], up(volumes(p) / per_node(p)) + p["spare"])


def reserved(needed, term, ratio):
    """For each term, the number of nodes that are needed in at least that share of its months."""
    out = np.zeros(len(needed))
    for start in range(0, len(needed), term):
        block = needed[start : start + term]
        out[start : start + term] = sum(np.count_nonzero(block >= j) / len(block) >= ratio - 1e-12 for j in range(1, int(block.max()) + 1))
    return out


def build_flows(p):
    """Cash at the end of month 0, 1, …; what the nodes are worth comes back at the end."""
    needed, last = nodes(p), p["months"]
    flows = np.zeros(last + 1)
    flows[0] = p["setup"]
    flows[1:] += (
        (p["fte"] + p["fte_node"] * needed) * p["fte_cost"] / 12
        + p["lic_gpu_yr"] * p["G"] * needed / 12
        + p["net_node"] * needed
        + p["stor"]
    )
    if p["mode"] == "owned":
        held = 0
        for month in range(1, last + 1):
            bought = max(0, needed[month - 1] - held)
            held += bought
            paid = bought * p["capex"] * (1 + p["capex_nw"])
            flows[month - 1] += paid
            flows[last] -= paid * max(0.0, 1 - (1 - p["resid36"]) * (last - month + 1) / 36)
            flows[month] += held * p["capex"] * p["maint"] / 12
        flows[1:] += needed * p["kw"] * (p["load"] * p["pue"] * p["kwh"] * p["hours"] + p["colo_kw"])
        return flows
    price, term = {"ondemand": (p["p_od"], 1), "reserved1": (p["p_r1"], 12), "reserved3": (p["p_r3"], 36)}[p["mode"]]
    kept = np.zeros(last) if p["mode"] == "ondemand" else reserved(needed, term, price / p["p_od"])
    flows[1:] += p["hours"] * p["G"] * (price * kept + p["p_od"] * np.maximum(0, needed - kept))
    return flows


def present(p, flows):
    return float(sum(flow / (1 + p["r"]) ** (month / 12) for month, flow in enumerate(flows)))


def npv_api(p):
    return present(p, [0.0, *api_bills(p)])


def npv_build(p):
    return present(p, build_flows(p))


def advantage(p):
    return npv_api(p) - npv_build(p)


def node_month(p):
    price = {"ondemand": p["p_od"], "reserved1": p["p_r1"], "reserved3": p["p_r3"], "owned": 0.0}[p["mode"]]
    if p["mode"].startswith("reserved") and price > p["p_od"]:
        price = p["p_od"]
    cost = price * p["hours"] * p["G"] + p["fte_node"] * p["fte_cost"] / 12 + p["net_node"] + p["lic_gpu_yr"] * p["G"] / 12
    if p["mode"] == "owned":
        cost += p["capex"] * (1 + p["capex_nw"]) / p["life"] + p["capex"] * p["maint"] / 12
        cost += p["kw"] * (p["load"] * p["pue"] * p["kwh"] * p["hours"] + p["colo_kw"])
    return cost


def fixed_month(p):
    return p["fte"] * p["fte_cost"] / 12 + p["stor"]


def hybrid_months(p, most_nodes=60):
    """Nodes and bill of each month: every number of nodes is tried."""
    share, hour = CURVE / CURVE.sum(), p["T"] * p["rho"] * 3600 / 1e6
    counts = np.arange(most_nodes + 1)
    chosen, bills = [], []
    for volume, fall in zip(volumes(p), decline(p), strict=False):
        price = unit_price(p) * p["dpm"] * fall
        served = np.minimum(volume * share[:, None], counts * hour).sum(0)
        cost = node_month(p) * counts + price * (volume - served) + p["api_fixed"] + np.where(counts, fixed_month(p) + p["hyb_fixed"], 0.0)
        best = int(np.argmin(cost))
        chosen.append(best)
        bills.append(cost[best])
    return chosen, bills


def npv_hybrid(p):
    chosen, bills = hybrid_months(p)
    return present(p, [p["setup"] if any(chosen) else 0.0, *bills])


def draw_cases(p, count):
    """The case once for each draw."""
    alphas = RESULTS["i"]["mc"]["alphas"]
    for i in range(1, count + 1):
        u = [(0.5 + i * alpha) % 1 for alpha in alphas]
        factor = triangular(u[2], 0.6, 1.0, 1.2)
        yield p | {
            "V0": p["V0"] * math.exp(0.35 * NormalDist().inv_cdf(u[0])),
            "g": p["g"] * triangular(u[1], 0.0, 1.0, 2.0),
            "p_out": p["p_out"] * factor,
            "p_in": p["p_in"] * factor,
            "p_cache": p["p_cache"] * factor,
            "api_decline": min(0.95, p["api_decline"] * triangular(u[3], 0.25, 1.0, 2.25)),
            "T": p["T"] * triangular(u[4], 3500 / 5500, 1.0, 7000 / 5500),
            "fte": p["fte"] * triangular(u[5], 0.5, 1.0, 2.0),
        }


def triangular(u, low, peak, high):
    if u < (peak - low) / (high - low):
        return low + math.sqrt(u * (high - low) * (peak - low))
    return high - math.sqrt((1 - u) * (high - low) * (high - peak))


def random_case(rng, **fixed):
    """A valid case near the worked one."""

    def between(low, high):
        return float(rng.uniform(low, high))

    p = dict(DEFAULT) | {
        "V0": 10 ** between(0.5, 2.9),
        "g": between(-0.03, 0.08),
        "months": int(rng.integers(6, 61)),
        "r": between(0, 0.2),
        "kappa": between(0, 10),
        "cache_share": between(0, 0.9),
        "batch_share": between(0, 0.5),
        "pf": between(1, 5),
        "p_out": 10 ** between(-0.5, 1.3),
        "p_in": 10 ** between(-1, 0.6),
        "p_cache": 10 ** between(-1.5, 0),
        "api_decline": between(0, 0.4),
        "api_fixed": between(0, 5000),
        "T": between(1500, 12000),
        "rho": between(0.3, 0.9),
        "spare": int(rng.integers(0, 3)),
        "n_min": int(rng.integers(0, 5)),
        "mode": str(rng.choice(list(MODES))),
        "p_od": between(1.5, 4),
        "p_r1": between(1.2, 3),
        "p_r3": between(0.8, 2.5),
        "fte": between(0, 3),
        "lic_gpu_yr": float(rng.choice([0.0, 4500.0])),
        "setup": between(0, 2e5),
        "hyb_fixed": between(0, 20000),
        "mat": between(0, 0.15),
        "p_win": between(0.3, 0.8),
        "reach": between(2, 12),
        "allow_hybrid": bool(rng.random() < 0.6),
        "residency": bool(rng.random() < 0.1),
        "no_api_equiv": bool(rng.random() < 0.05),
    }
    p["n_min"] = max(p["n_min"], 1)
    return p | fixed
