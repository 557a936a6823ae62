"""sheetcalc: LLM capacity and cost, where every number shows its formula, its unit and its source."""

__version__ = "0.1.0"
