"""`sheetcalc mail`: a draft for each memo of a run, or, when told so, sending them; nothing is sent twice."""

import os
import sys
from pathlib import Path

from sheetcalc.errors import InputError
from sheetcalc.mail import drafts
from sheetcalc.mail.addresses import read_addresses
from sheetcalc.mail.letters import letters
from sheetcalc.mail.send import Server, send
from sheetcalc.mail.sentlog import SentLog
from sheetcalc.numbers import quoted

LOG = "sent.jsonl"
SAMPLES = 3
SUBMISSION = 587  # message submission, RFC 6409


def command(args) -> int:
    sender = "".join(read_addresses(args.sender, "--from")[:1]) if args.sender else ""
    found, left = letters(args.folder, args.to)
    for sentence in left:
        print(sentence, file=sys.stderr)
    if not args.send and not args.dry_run:
        paths = drafts.write(found, args.out or Path(args.folder, "mail"), sender)
        print(f"{len(paths)} drafts in {args.out or Path(args.folder, 'mail')}; nothing was sent")
        return _status(paths, left)
    log = SentLog(Path(args.folder, LOG))
    waiting = [letter for letter in found if log.state(letter) not in ("sent", "trying")]
    _announce(found, waiting)
    if args.dry_run:
        return _status(found, left)
    if not sender:
        raise InputError("sending needs a sender; add --from ADDRESS", "--send")
    done = list(map(_told, send(found, _server(args.smtp), log, sender)))
    good = [outcome for outcome in done if outcome.state in ("sent", "already sent")]
    print(
        f"{sum(outcome.state == 'sent' for outcome in done)} sent, {sum(outcome.state == 'already sent' for outcome in done)} sent before, "
        f"{len(done) - len(good)} not sent"
    )
    return _status(good, [*left, *(outcome for outcome in done if outcome not in good)])


def _status(good, bad):
    return 0 if not bad else 1 if good else 2


def _announce(found, waiting):
    print(f"{len(waiting)} of {len(found)} memos are to be sent, to {sum(len(letter.to) for letter in waiting)} recipients, for example")
    for letter in waiting[:SAMPLES]:
        print(f"  {', '.join(letter.to)}: {quoted(letter.subject, 100)[1:-1]} ({letter.file_name})")


def _told(outcome):
    if outcome.why or outcome.state not in ("sent", "already sent"):
        print(f"{outcome.letter.row}: {outcome.state}: {outcome.why}", file=sys.stderr)
    return outcome


def _server(text):
    """HOST or HOST:PORT of --smtp. Raises InputError."""
    host, _, port = (text or "").partition(":")
    if not host or (port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536)):
        raise InputError(f"{text or ''!r} is not a mail server; write HOST:PORT, for example smtp.company.com:587", "--smtp")
    return Server(host, int(port or SUBMISSION), os.environ.get("SHEETCALC_SMTP_USER", ""), os.environ.get("SHEETCALC_SMTP_PASSWORD", ""))
