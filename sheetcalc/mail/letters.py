"""The letters of a run: each finished scenario of the manifest with its memo, its people and its verdict in plain text."""

import hashlib
import json
from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.mail.addresses import read_addresses
from sheetcalc.mail.message import Letter

MANIFEST = "manifest.jsonl"
MOST_FIGURES = 12


def letters(folder, to=()):
    """Letters in the order of the table, and the sentences for scenarios that get none.

    The scenario's own recipients come before `to`. Raises InputError when the folder holds no run.
    """
    folder = Path(folder)
    try:
        lines = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise InputError(f"{folder}: holds no {MANIFEST}; name the folder that `sheetcalc run -o` wrote") from None
    common = tuple(address for text in to for address in read_addresses(text, "--to"))
    found, left = [], []
    for entry in map(json.loads, lines):
        if "scenario" not in entry or entry.get("status") != "done":
            if entry.get("scenario"):
                left.append(f"{entry['scenario']}: {entry.get('status')}, so there is no memo to send")
            continue
        try:
            found.append(_letter(folder, entry, common))
        except InputError as error:
            left.append(str(error))
    return found, left


def _letter(folder, entry, common):
    name = entry["scenario"]
    memo = next((item for item in entry["files"] if item["name"].endswith(".pdf")), None)
    if memo is None or Path(memo["name"]).name != memo["name"]:
        raise InputError(f"{name}: has no memo in the manifest; run the scenarios again")
    try:
        pdf = (folder / memo["name"]).read_bytes()
    except OSError:
        raise InputError(f"{name}: {memo['name']} is missing; run the scenarios again with --resume") from None
    if hashlib.sha256(pdf).hexdigest() != memo["sha256"]:
        raise InputError(f"{name}: {memo['name']} is not the file that the run wrote; run it again, so that nobody gets another's memo")
    to = read_addresses(entry.get("recipients") or "", f"{name}, recipients") or common
    if not to:
        raise InputError(f"{name}: has no recipient; add --to ADDRESS or a column recipients")
    verdict = entry["summary"].get("verdict") or entry["summary"].get("decision") or "no option holds"
    return Letter(name, to, f"{name}: {verdict}", _summary(name, verdict, entry), memo["name"], pdf)


def _summary(name, verdict, entry):
    """The body: verdict, what does not hold, the core figures, where to read on."""
    lines = [name, "", f"{verdict}.", ""]
    if entry["problems"]:
        lines += ["What does not hold:", *(f"- {problem}" for problem in entry["problems"]), ""]
    figures = [
        (heading, value) for heading, value in entry["summary"].items() if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]
    if figures:
        lines += ["Key figures:", *(f"- {_heading(heading)}: {value:,.6g}" for heading, value in figures[:MOST_FIGURES]), ""]
    return "\n".join([*lines, f"The memo is attached ({entry['files'][0]['name']}); the workbook and the inputs are inside it."])


def _heading(heading):
    """'cost_per_hour [$/h]' as 'cost per hour [$/h]'."""
    name, mark, unit = heading.partition(" [")
    return name.replace("_", " ") + mark + unit
