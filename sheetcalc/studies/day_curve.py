"""The load of an office day by the hour, over its highest hour: the illustrative curve of the worked examples (calculators C, 0.1)."""

# fmt: off
OFFICE_DAY = [
    0.12, 0.09, 0.07, 0.06, 0.06, 0.08, 0.14, 0.25, 0.42, 0.60, 0.75, 0.86,
    0.90, 0.94, 1.00, 0.98, 0.90, 0.76, 0.60, 0.46, 0.36, 0.28, 0.21, 0.16,
]
# fmt: on
