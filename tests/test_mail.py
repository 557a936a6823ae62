"""Mail: drafts, and sending against a real SMTP server on loopback with STARTTLS."""

import email
import email.policy
import hashlib
import json
import socket
import ssl
import subprocess
import sys
from types import SimpleNamespace

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from sheetcalc.commands import mail as command
from sheetcalc.errors import InputError
from sheetcalc.mail import drafts
from sheetcalc.mail.addresses import read_addresses
from sheetcalc.mail.letters import letters
from sheetcalc.mail.message import SIZE_LIMIT, Letter, ascii_name, compose, one_line
from sheetcalc.mail.send import MailError, Server, connect, send
from sheetcalc.mail.sentlog import SentLog


def pdf_of(words):
    return b"%PDF-1.7\nmemo of " + words.encode("utf-8", "replace") + b"\n%%EOF\n"


def letter(row="Helpdesk", to=("anna@example.com",), **changed):
    values = {"subject": f"{row}: Build", "summary": "Build.\n", "file_name": f"{row}.pdf", "pdf": pdf_of(row)} | changed
    return Letter(row, to, **values)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of our own for localhost, as the server's and as the only authority that the client trusts."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            str(key),
            "-out",
            str(cert),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Box:
    """A mailbox that may refuse."""

    def __init__(self):
        self.got, self.refuse, self.answers = [], set(), []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refuse:
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.answers:
            answer = self.answers.pop(0)
            if answer:
                return answer
        self.got.append((tuple(envelope.rcpt_tos), email.message_from_bytes(envelope.content, policy=email.policy.default)))
        return "250 OK"


@pytest.fixture
def post(certificate):
    cert, key = certificate
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(cert, key)
    client_side = ssl.create_default_context(cafile=str(cert))
    box = Box()

    class Protected(Controller):
        def factory(self):
            return SMTP(self.handler, tls_context=server_side, require_starttls=True)

    port = free_port()
    controller = Protected(box, hostname="127.0.0.1", port=port)
    controller.start()
    yield SimpleNamespace(box=box, server=Server("localhost", port), context=client_side)
    controller.stop()


def sent(post, log, *found):
    return list(send(list(found), post.server, log, "planner@example.com", post.context, wait=0.0, clock=lambda: 0.0))


def test_a_draft_opens_ready_to_send_with_the_verdict_and_the_memo(tmp_path):
    [path] = drafts.write([letter(summary="Build: 16 GPUs.\n\nKey figures:\n- gpus: 16")], tmp_path)
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert message["X-Unsent"] == "1" and message["To"] == "anna@example.com" and message["Date"] is None
    assert "Build: 16 GPUs." in message.get_body().get_content()
    [attached] = message.iter_attachments()
    assert attached.get_content() == pdf_of("Helpdesk") and attached.get_filename() == "Helpdesk.pdf"
    assert attached.get_content_type() == "application/pdf"


def test_drafts_have_the_same_bytes_each_time(tmp_path):
    [one], [two] = drafts.write([letter()], tmp_path / "a"), drafts.write([letter()], tmp_path / "b")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "a\r\nBcc: thief@example.com",
        "a\nSubject: other",
        "a\u2028Bcc: x",
        "a\x00b",
        "a\x0bb",
        "\u202egnp",
        "x" * 900,
        "=?utf-8?b?QmNjOg==?=",
        "日本 📈",
        "a\r\n\r\nbody",
    ],
)
def test_no_header_can_be_injected(tmp_path, name):
    [path] = drafts.write([letter(row=name, file_name="memo.pdf", summary=name, subject=f"{name}: Build")], tmp_path)
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert sorted(message.keys()) == ["Content-Type", "MIME-Version", "Message-ID", "Subject", "To", "X-Unsent"]
    assert message["To"] == "anna@example.com" and len(message["Subject"]) <= 210
    assert len(list(message.iter_attachments())) == 1


@pytest.mark.parametrize(
    "text",
    [
        "not-an-address",
        "a@b",
        "a@@b.com",
        "<a@b.com>",
        "a b@c.com x",
        '"a b"@c.com',
        "a@b.com\r\nBcc",
        "a@[127.0.0.1]",
        "a@b.com;nobody",
        "é@b.com",
    ],
)
def test_what_is_no_address_is_refused_in_words(text):
    with pytest.raises(InputError, match=r"is not an e-mail address; write name@company\.com"):
        read_addresses(text, "row 3")


def test_addresses_are_read_with_commas_semicolons_and_blanks_and_none_is_dropped():
    assert read_addresses(" a@b.com;c.d@e-f.org, A@B.com g+h@i.co.uk ") == ("a@b.com", "c.d@e-f.org", "g+h@i.co.uk")


def test_names_of_files_are_plain():
    assert (
        ascii_name("../../x.pdf") == "x.pdf"
        and ascii_name("Müller & Söhne.pdf") == "Muller-Sohne.pdf"
        and ascii_name("日本.pdf") == "memo.pdf"
    )
    assert one_line("a\tb\x00 c\u200fd") == "a b cd"


def test_what_cannot_be_mailed_says_why():
    for wrong, words in (
        (letter(to=()), "no recipient"),
        (letter(pdf=b"half"), "is not a PDF"),
        (letter(pdf=pdf_of("x" * SIZE_LIMIT)), "mail takes at most"),
    ):
        with pytest.raises(InputError, match=words):
            compose(wrong, "")


def test_memos_are_sent_once_protected_and_to_their_own_people(post, tmp_path):
    log = SentLog(tmp_path / "sent.jsonl")
    all_letters = [letter(row=f"Plan {n}", to=(f"p{n}@example.com",)) for n in range(5)]
    assert [outcome.state for outcome in sent(post, log, *all_letters)] == ["sent"] * 5
    for to, message in post.box.got:
        [attached] = message.iter_attachments()
        number = to[0][1]
        assert attached.get_content() == pdf_of(f"Plan {number}") and message["Subject"].startswith(f"Plan {number}")
        assert message["X-Unsent"] is None and message["Date"] is not None
    again = SentLog(tmp_path / "sent.jsonl")
    assert [outcome.state for outcome in sent(post, again, *all_letters)] == ["already sent"] * 5
    assert len(post.box.got) == 5


def test_a_memo_that_changed_is_sent_again(post, tmp_path):
    log = SentLog(tmp_path / "sent.jsonl")
    sent(post, log, letter())
    assert [o.state for o in sent(post, log, letter(pdf=pdf_of("new figures")))] == ["sent"]
    assert len(post.box.got) == 2


def test_a_run_that_was_cut_off_while_sending_leaves_the_letter_in_doubt(post, tmp_path):
    log = SentLog(tmp_path / "sent.jsonl")
    log.note(letter(), "trying")
    with open(log.path, "a") as file:
        file.write('{"letter": "half a li')
    [outcome] = sent(post, SentLog(log.path), letter())
    assert outcome.state == "in doubt" and "cut off" in outcome.why and post.box.got == []
    assert [o.state for o in sent(post, SentLog(log.path), letter(row="Other"))] == ["sent"]
    assert SentLog(log.path).state(letter(row="Other")) == "sent"


def test_refusals_are_told_and_only_passing_ones_are_tried_again(post, tmp_path):
    log = SentLog(tmp_path / "sent.jsonl")
    post.box.refuse = {"gone@example.com"}
    [outcome] = sent(post, log, letter(to=("gone@example.com",)))
    assert outcome.state == "refused" and "550" in outcome.why
    [outcome] = sent(post, log, letter(row="Both", to=("gone@example.com", "anna@example.com")))
    assert outcome.state == "sent" and "not to gone@example.com" in outcome.why
    post.box.answers = ["451 come back later", ""]
    assert [o.state for o in sent(post, log, letter(row="Later"))] == ["sent"]
    post.box.answers = ["552 too large"]
    [outcome] = sent(post, log, letter(row="Large"))
    assert outcome.state == "refused" and "552" in outcome.why


def test_nothing_goes_out_unprotected(tmp_path, certificate):
    port = free_port()
    controller = Controller(Box(), hostname="127.0.0.1", port=port)
    controller.start()
    with pytest.raises(MailError, match="offers no STARTTLS"):
        connect(Server("127.0.0.1", port))
    controller.stop()
    with pytest.raises(MailError, match="does not answer"):
        connect(Server("127.0.0.1", port), timeout=3)


def test_a_foreign_certificate_is_refused(post):
    with pytest.raises(MailError, match="certificate"):
        connect(post.server)


def run_folder(folder, scenarios):
    lines = [{"run": "head"}]
    for name, to in scenarios:
        pdf = pdf_of(name)
        (folder / f"{name}.pdf").write_bytes(pdf)
        lines.append(
            {
                "row": len(lines),
                "scenario": name,
                "status": "done",
                "problems": [],
                "recipients": to,
                "files": [{"name": f"{name}.pdf", "sha256": hashlib.sha256(pdf).hexdigest(), "bytes": len(pdf)}],
                "summary": {
                    "weights_per_gpu [GB]": 17.6,
                    "replicas": 4.0,
                    "gpus": 16.0,
                    "cost_per_hour [$/h]": 40.0,
                    "build_cost_per_month [$/month]": 34864.8,
                    "api_cost_per_month [$/month]": 62323.4,
                    "decision": "build",
                    "verdict": "Build: 16 GPUs",
                },
            }
        )
    lines.append(
        {"row": 9, "scenario": "broken", "status": "refused", "problems": ["no load"], "files": [], "recipients": "", "summary": {}}
    )
    (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def options(folder, **changed):
    return SimpleNamespace(
        **({"folder": str(folder), "to": [], "sender": None, "out": None, "send": False, "smtp": None, "dry_run": False} | changed)
    )


def test_the_command_writes_a_draft_for_each_memo_of_a_run(tmp_path, capsys):
    run_folder(tmp_path, [("alpha", "own@example.com"), ("beta", "")])
    assert command.command(options(tmp_path, to=["all@example.com, more@example.com"])) == 1
    told = capsys.readouterr()
    assert "2 drafts" in told.out and "nothing was sent" in told.out and "broken: refused" in told.err
    beta = email.message_from_bytes((tmp_path / "mail" / "beta.eml").read_bytes(), policy=email.policy.default)
    alpha = email.message_from_bytes((tmp_path / "mail" / "alpha.eml").read_bytes(), policy=email.policy.default)
    assert beta["To"] == "all@example.com, more@example.com" and alpha["To"] == "own@example.com"
    assert alpha["Subject"] == "alpha: Build: 16 GPUs" and "- $40 an hour" in alpha.get_body().get_content()


def body(folder, **changed):
    run_folder(folder, [("alpha", "own@example.com")])
    head, line, *rest = (folder / "manifest.jsonl").read_text().splitlines()
    entry = json.loads(line)
    entry = entry | {"problems": changed.pop("problems", [])} | {"summary": entry["summary"] | changed}
    (folder / "manifest.jsonl").write_text("\n".join([head, json.dumps(entry), *rest]) + "\n")
    return letters(folder)[0][0].summary


def test_the_body_says_verdict_then_money_then_fleet(tmp_path):
    assert body(tmp_path).splitlines() == [
        "alpha",
        "",
        "Build: 16 GPUs.",
        "",
        "Money, a month:",
        "- Self-hosting: $34,865 (chosen)",
        "- API: $62,323",
        "",
        "Fleet:",
        "- 16 GPUs in 4 replicas",
        "- $40 an hour",
        "",
        "The memo is attached (alpha.pdf); the workbook and the inputs are inside it.",
    ]
    assert "- look again at 844 million output tokens a day" in body(tmp_path, revisit_at=843972847.8, decision="api").splitlines()


def test_the_body_of_a_plan_that_cannot_work_shows_no_fleet(tmp_path):
    told = body(tmp_path, problems=["weights do not fit: 203 GB a GPU on 71.6 GB"], decision="none", verdict="No option holds")
    assert "- weights do not fit" in told and "GPUs in" not in told and "$" not in told
    told = body(tmp_path, problems=["weights do not fit"], decision="api", verdict="Use the API")
    assert "- API: $62,323 (chosen)" in told and "Self-hosting" not in told


def test_a_memo_that_is_not_the_runs_own_goes_to_nobody(tmp_path):
    run_folder(tmp_path, [("alpha", "own@example.com"), ("beta", "b@example.com")])
    (tmp_path / "alpha.pdf").write_bytes((tmp_path / "beta.pdf").read_bytes())
    found, left = letters(tmp_path)
    assert [one.row for one in found] == ["beta"] and "nobody gets another's memo" in left[0]


def test_a_dry_run_says_what_would_be_sent(tmp_path, capsys):
    run_folder(tmp_path, [("alpha", "own@example.com"), ("Käufer", "b@example.com")])
    assert command.command(options(tmp_path, send=True, dry_run=True)) == 1
    told = capsys.readouterr().out
    assert "b@example.com: Käufer: " in told
    assert "2 of 2 memos are to be sent, to 2 recipients" in told and "own@example.com: alpha: Build: 16 GPUs (alpha.pdf)" in told
    assert not (tmp_path / "sent.jsonl").exists()


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"send": True}, "add --from ADDRESS"),
        ({"send": True, "sender": "a@b.com", "smtp": "mail:x"}, "write HOST:PORT"),
        ({"to": ["nobody"]}, "--to: 'nobody' is not"),
        ({"folder": "/nowhere"}, "name the folder"),
    ],
)
def test_the_command_refuses_in_words(tmp_path, changed, words):
    run_folder(tmp_path, [("alpha", "own@example.com")])
    with pytest.raises(InputError, match=words):
        command.command(options(changed.pop("folder", tmp_path), **changed))


def test_importing_the_mail_part_brings_no_renderer():
    code = "import sys, sheetcalc.commands.mail; print(any(name in sys.modules for name in ('weasyprint', 'matplotlib', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
