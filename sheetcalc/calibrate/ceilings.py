"""How much of a GPU's data sheet isolated kernels reach: no fitted constant may claim more (decision 11)."""

from __future__ import annotations

from sheetcalc import catalogue

# Matrix products of 4,096 rows and more: kernel tables of the package aiconfigurator-core 0.12.0 (Apache-2.0).
HOPPER = {"BF16": 0.80, "FP8": 0.63, "FP4": 0.42}
BLACKWELL = {"BF16": 0.70, "FP8": 0.55, "FP4": 0.42}
MBU = 0.92


def mfu(gpu: str, compute_format: str) -> float:
    """Highest MFU of isolated matrix products: Blackwell from its own table, all others as Hopper."""
    blackwell = catalogue.read("gpus").rows[gpu]["architecture"].startswith("Blackwell")
    return (BLACKWELL if blackwell else HOPPER)[compute_format]
