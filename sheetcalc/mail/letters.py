"""The letters of a run: each finished scenario of the manifest with its memo, its people and its verdict in plain text."""

import hashlib
import json
from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.mail.addresses import read_addresses
from sheetcalc.mail.message import Letter
from sheetcalc.show import number, shown

MANIFEST = "manifest.jsonl"
MILLION = 1e6
OPTIONS = (("build", "Self-hosting"), ("api", "API"), ("hybrid", "Own nodes and API together"))
COSTS = (("cost_per_hour [$/h]", "an hour"), ("cost_per_million_output [$/M tok]", "per million output tokens at the rated load"))


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
    """The body: verdict, what does not hold, money, the fleet, where to read on."""
    lines = [name, "", f"{verdict}.", ""]
    if entry["problems"]:
        lines += ["What does not hold:", *(f"- {problem}" for problem in entry["problems"]), ""]
    for heading, told in (("Money, a month:", _money(entry)), ("Fleet:", _fleet(entry))):
        lines += [heading, *(f"- {line}" for line in told), ""] if told else []
    return "\n".join([*lines, f"The memo is attached ({entry['files'][0]['name']}); the workbook and the inputs are inside it."])


def _money(entry):
    """The bill of each option, the chosen one first, and when to look again."""
    cells, chosen = entry["summary"], entry["summary"].get("decision")
    bills = [(option, label, cells.get(f"{option}_cost_per_month [$/month]")) for option, label in OPTIONS]
    told = [
        f"{label}: {shown(bill, '$')}{' (chosen)' if option == chosen else ''}"
        for option, label, bill in sorted(bills, key=lambda item: item[0] != chosen)
        if bill is not None and (not entry["problems"] or option == chosen)
    ]
    if cells.get("revisit_at"):
        told.append(f"look again at {number(cells['revisit_at'] / MILLION)} million output tokens a day")
    return told


def _fleet(entry):
    """What would be built; nothing where it cannot be."""
    cells = entry["summary"]
    if entry["problems"] or cells.get("gpus") is None:
        return []
    told = [f"{counted(cells['gpus'], 'GPU')} in {counted(cells['replicas'], 'replica')}"] if cells.get("replicas") else []
    for heading, words in COSTS:
        if cells.get(heading) is not None:
            told.append(f"{shown(cells[heading], '$')} {words}")
    return told


def counted(count, word):
    """'1 replica', '8 replicas'."""
    return f"{number(count)} {word}{'' if count == 1 else 's'}"
