"""What a reader is told of a source: the names of working papers that only the authors have are put in words."""

import re

WORKING_PAPERS = (
    (r"(worked fleet, )?file 000(, assumed there)?", "worked fleet example"),
    (r"file 004(, printed there)?", "worked example of 2,000 staff"),
    (r"worked example of calculators", "calculators"),
    (r"\(calculators? [A-C], \w+\)", "(worked example)"),
    (r"calculators? [A-C](,? (section [\w.]*\w|\(\w\)|[fi]\.\d))?", "worked example"),
    (r"decision of the product", "planning convention"),
    (r" ?\(decisions? \d+\w?\)|decisions? \d+\w?[:;] ", ""),
)


def readable(source: str) -> str:
    """A source, or a docstring that names one, as it is shown."""
    for pattern, words in WORKING_PAPERS:
        source = re.sub(pattern, words, source)
    return source
