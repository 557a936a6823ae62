"""The closed form held against published measurements: rows, fit of the constants, errors out of fold, report.

`python -m sheetcalc.backtest` prints the table; `--write` also refits the committed constants of the catalogue.
"""
