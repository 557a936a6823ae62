"""Sending through SMTP with STARTTLS: each letter once, trouble in words, never in plain text over the network."""

import smtplib
import ssl
import time
from dataclasses import dataclass
from email.utils import formatdate

from sheetcalc.errors import SheetcalcError
from sheetcalc.mail.message import compose

TRIES = 3
WAIT = 2.0  # seconds before the second try, twice that before the third


class MailError(SheetcalcError):
    """The mail server cannot be used; the sentence says what to change."""


@dataclass(frozen=True)
class Server:
    host: str
    port: int = 587  # message submission, RFC 6409
    user: str = ""
    password: str = ""
    tls: bool = True


@dataclass(frozen=True)
class Outcome:
    letter: object
    state: str  # sent, already sent, in doubt, refused
    why: str = ""


def connect(server, context=None, timeout=30):
    """An open session. Raises MailError in words."""
    where = f"{server.host}:{server.port}"
    try:
        session = smtplib.SMTP(server.host, server.port, timeout=timeout)
        if server.tls:
            session.starttls(context=context or ssl.create_default_context())
        if server.user:
            session.login(server.user, server.password)
        return session
    except smtplib.SMTPNotSupportedError:
        raise MailError(f"{where} offers no STARTTLS (or no login): mail is not sent unprotected; ask for the submission port") from None
    except smtplib.SMTPAuthenticationError:
        raise MailError(f"{where} refused the user or password: check SHEETCALC_SMTP_USER and SHEETCALC_SMTP_PASSWORD") from None
    except ssl.SSLError as error:
        raise MailError(f"{where}: the certificate does not hold ({error.reason or error}); check the host name") from None
    except (OSError, smtplib.SMTPException) as error:
        raise MailError(f"{where} does not answer as a mail server: {error}; check --smtp HOST:PORT") from None


def send(letters, server, log, sender, context=None, wait=WAIT, clock=time.time):
    """Send each letter once and yield its outcome. Raises MailError when the server cannot be used at all.

    A letter whose earlier try was cut off is in doubt: it may have arrived, so it is not sent again.
    """
    session = None
    try:
        for letter in letters:
            before = log.state(letter)
            if before == "sent":
                yield Outcome(letter, "already sent")
                continue
            if before == "trying":
                yield Outcome(
                    letter, "in doubt", "an earlier run was cut off while sending it; ask the recipient, then remove its line from the log"
                )
                continue
            message = compose(letter, sender, draft=False)
            message["Date"] = formatdate(clock(), localtime=False)
            session = session or connect(server, context)
            state, why = _try(session, message, letter, log, wait)
            if state == "lost":
                session = None
                state = "in doubt"
            yield Outcome(letter, state, why)
    finally:
        if session is not None:
            try:
                session.quit()
            except (OSError, smtplib.SMTPException):
                session.close()


def _try(session, message, letter, log, wait):
    why = ""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(wait * attempt)
        log.note(letter, "trying")
        try:
            refused = session.send_message(message, to_addrs=list(letter.to))
        except smtplib.SMTPServerDisconnected as error:
            return "lost", f"the connection was lost: {error}"
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
            code, why = _reason(error)
            log.note(letter, "refused", why)
            if not 400 <= code < 500:  # only a temporary refusal is worth another try, RFC 5321 section 4.2.1
                return "refused", why
            continue
        except OSError as error:
            return "lost", f"the connection was lost: {error}"
        log.note(letter, "sent", _some_refused(refused))
        return "sent", _some_refused(refused)
    return "refused", why


def _reason(error):
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        address, (code, words) = next(iter(error.recipients.items()))
        return code, f"{address}: {code} {_text(words)}"
    return error.smtp_code, f"{error.smtp_code} {_text(error.smtp_error)}"


def _some_refused(refused):
    return "; ".join(f"not to {address}: {code} {_text(words)}" for address, (code, words) in sorted(refused.items()))


def _text(words):
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    return " ".join(text.split())[:200]
