"""What the columns of the catalogues mean: label, which source column covers them, and whether a study's grid carries them.

Units stand in the header of each file (`hbm [GB]`); a column without one holds a count or a text.
"""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One column. `source` and `date` name the columns that say where its values came from and when."""

    label: str
    source: str = ""
    date: str = ""
    text: bool = False
    carried: bool = True  # a typed column of the grid; low and high ends and remarks are only listed


class Kind(NamedTuple):
    """One catalogue: the file, the word before each name in a grid, and its columns."""

    file: str
    prefix: str
    label: str
    columns: dict[str, Column]


def _spec(label: str, carried: bool = True, text: bool = False) -> Column:
    return Column(label, "spec_source", "spec_date", text, carried)


def _price(label: str) -> Column:
    return Column(label, "price_source", "price_date")


def _tco(label: str) -> Column:
    return Column(label, "tco_source", "tco_date")


def _fact(label: str, carried: bool = True, text: bool = False) -> Column:
    return Column(label, "source", "date", text, carried)


def _remark(label: str) -> Column:
    return Column(label, text=True, carried=False)


GPUS = Kind(
    "gpus.csv",
    "gpu",
    "GPU catalogue",
    {
        "vendor": _spec("Vendor", carried=False, text=True),
        "architecture": _spec("Architecture", text=True),
        "hbm": _spec("GPU memory"),
        "hbm_low": _spec("GPU memory, lowest source", carried=False),
        "hbm_high": _spec("GPU memory, highest source", carried=False),
        "bandwidth": _spec("Memory bandwidth"),
        "bandwidth_low": _spec("Memory bandwidth, lowest source", carried=False),
        "bandwidth_high": _spec("Memory bandwidth, highest source", carried=False),
        "peak_bf16": _spec("Peak dense BF16"),
        "peak_bf16_low": _spec("Peak dense BF16, lowest source", carried=False),
        "peak_bf16_high": _spec("Peak dense BF16, highest source", carried=False),
        "peak_fp8": _spec("Peak dense FP8"),
        "peak_fp4": _spec("Peak dense FP4"),
        "peak_fp4_low": _spec("Peak dense FP4, lowest source", carried=False),
        "peak_fp4_high": _spec("Peak dense FP4, highest source", carried=False),
        "link": _spec("Link between GPUs, one direction"),
        "link_name": _spec("Kind of link", carried=False, text=True),
        "domain": _spec("GPUs that the link joins"),
        "power": _spec("Board power"),
        "price_low": _price("Cloud price, lowest found"),
        "price_high": _price("Cloud price, highest found"),
        "tco_hyperscaler": _tco("Cost of ownership, hyperscaler"),
        "tco_neocloud": _tco("Cost of ownership, neocloud"),
        "rental_3yr": _tco("Rental price on a three-year contract"),
        "all_in_power": _tco("Power with server and cooling"),
        "spec_source": _remark("Source of the data sheet figures"),
        "spec_date": _remark("Date of the data sheet figures"),
        "price_source": _remark("Source of the cloud prices"),
        "price_date": _remark("Date of the cloud prices"),
        "tco_source": _remark("Source of the cost of ownership"),
        "tco_date": _remark("Date of the cost of ownership"),
        "note": _remark("Note"),
    },
)

MODELS = Kind(
    "models.csv",
    "model",
    "Model catalogue",
    {
        "class": _fact("Comparable for prices with", text=True),
        "attention": _fact("Kind of attention", carried=False, text=True),
        "params": _fact("Parameters"),
        "params_low": _fact("Parameters, lowest source", carried=False),
        "params_high": _fact("Parameters, highest source", carried=False),
        "active_params": _fact("Parameters that a token uses"),
        "active_params_low": _fact("Parameters that a token uses, lowest source", carried=False),
        "active_params_high": _fact("Parameters that a token uses, highest source", carried=False),
        "layers": _fact("Layers"),
        "hidden": _fact("Hidden size"),
        "query_heads": _fact("Query heads"),
        "query_head_dim": _fact("Attention head size, mean of key and value"),
        "kv_layers": _fact("Layers that keep the whole context"),
        "window_layers": _fact("Layers that keep a window"),
        "window": _fact("Window"),
        "kv_heads": _fact("KV heads (MLA: the one latent)"),
        "head_dim": _fact("Size of a cached head (MLA: latent and rope)"),
        "kv_tensors": _fact("Cached tensors: K and V, or one latent"),
        "experts": _fact("Routed experts in a layer (0: dense)"),
        "experts_per_token": _fact("Routed experts that a token uses"),
        "expert_params": _fact("Parameters in routed experts"),
        "context": _fact("Longest context"),
        "native_format": _fact("Format it ships in", text=True),
        "published_kv": _fact("KV bytes for each token as published, BF16", carried=False),
        "published_window_kv": _fact("KV bytes for each token inside the window as published, BF16", carried=False),
        "source": _remark("Source"),
        "date": _remark("Date"),
        "note": _remark("Note"),
    },
)

PRICES = Kind(
    "prices.csv",
    "price",
    "API price catalogue",
    {
        "provider": _fact("Provider", text=True),
        "class": _fact("Comparable with the open model", text=True),
        "input": _fact("Input price"),
        "cached_input": _fact("Input price, read from cache"),
        "cache_write": _fact("Input price, written to cache"),
        "output": _fact("Output price"),
        "input_batch": _fact("Input price, batch"),
        "output_batch": _fact("Output price, batch"),
        "input_long": _fact("Input price, long context"),
        "output_long": _fact("Output price, long context"),
        "context": _fact("Longest input"),
        "max_output": _fact("Longest output"),
        "retires": _fact("Announced end of service", text=True),
        "litellm_key": _fact("Name in the price list of litellm", carried=False, text=True),
        "source": _remark("Source"),
        "date": Column("Day on which the price was noted", text=True),
    },
)

FORMATS = Kind(
    "formats.csv",
    "format",
    "Number formats",
    {
        "bytes_per_weight": _fact("Bytes for each parameter, with scales"),
        "bytes_per_kv": _fact("Bytes for each cached element"),
        "compute": _fact("Arithmetic it runs in", text=True),
        "source": _remark("Source"),
        "date": _remark("Date"),
        "note": _remark("Note"),
    },
)

KINDS = {"gpus": GPUS, "models": MODELS, "prices": PRICES, "formats": FORMATS}
