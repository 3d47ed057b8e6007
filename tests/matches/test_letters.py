"""Letters, through a mail server of the test's own: verified first, ended by one press, good for a new password."""

import re
from collections.abc import Iterator
from datetime import UTC, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from config.deployment import mail
from events import store
from matches.accounts import erasure
from matches.models import AccessEntry, Account, Call, MailAddress
from matches.notifications import call_delivery, calls, mail_addresses
from matches.notifications.calls import Cause
from tests.api.guests import PASSWORD, Guest
from tests.pages import as_read
from tests.table_setting import new_account, new_token

HOUSE = "https://croupier.example"
ADDRESS = "Ann@post.example"


class Mailbox:
    """A mail server that keeps what it takes, and refuses with the answers given first."""

    def __init__(self) -> None:
        self.letters: list[tuple[list[str], EmailMessage]] = []
        self.answers: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.answers:
            return self.answers.pop(0)
        self.letters.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        return "250 Taken"

    def last(self) -> EmailMessage:
        return self.letters[-1][1]

    def link(self) -> str:
        """The address in the last letter's text, without the house's own."""
        return re.search(re.escape(HOUSE) + r"(\S+)", words(self.last()))[1]


class AnyPort(Controller):
    """A mail server at whichever port is free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def words(letter: EmailMessage, form: str = "plain") -> str:
    return letter.get_body((form,)).get_content().replace("\r\n", "\n")


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    Call.objects.all().delete()
    box = Mailbox()
    server = AnyPort(box, hostname="127.0.0.1", port=0)
    server.start()
    port = server.port
    backend = "django.core.mail.backends.smtp.EmailBackend"
    with override_settings(PUBLIC_URL=HOUSE, EMAIL_BACKEND=backend, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port):
        yield box
    server.stop()
    Call.objects.all().delete()


def member() -> Guest:
    """Somebody who knows their password."""
    me = new_account(PASSWORD)
    return Guest(new_token(me), me)


def reader() -> Guest:
    """Somebody who has set an address."""
    me = member()
    response = me.ask(
        "PUT", "/me/email", b'{"address": "%s", "password": "%s"}' % (ADDRESS.encode(), PASSWORD.encode())
    )
    assert response.status == 200, response.body
    return me


def verified(mailbox: Mailbox) -> Guest:
    me = reader()
    call_delivery.send_pending()
    token = mailbox.link().rpartition("/")[2]
    assert me.ask("POST", "/me/email/verification", b'{"token": "%s"}' % token.encode()).status == 204
    Call.objects.all().delete()
    mailbox.letters.clear()
    return me


def account(me: Guest) -> Account:
    return Account.objects.get(id=me.id)


def browser(me: Guest | None = None) -> Client:
    client = Client(SERVER_NAME="localhost", raise_request_exception=False, enforce_csrf_checks=False)
    if me:
        client.force_login(account(me))
    return client


def tell(me: Guest, kind: str = "result", times: int = 1) -> None:
    calls.queue([Cause(account(me).id, kind, f"{kind} {number}") for number in range(times)])


def test_unverified_address_gets_only_the_verification_letter(mailbox: Mailbox) -> None:
    me = reader()
    tell(me)
    call_delivery.send_pending()
    ((to, letter),) = mailbox.letters
    assert to == [ADDRESS] and "Is this your address?" in letter["Subject"]
    assert me.get("/me/email").json["verified_at"] is None
    page = browser(me)
    assert "It is mine" in page.get(mailbox.link()).content.decode(), "a program that opens links verifies nothing"
    assert me.get("/me/email").json["verified_at"] is None
    assert browser(reader()).post(mailbox.link()).status_code == 422, "nor does somebody else"
    assert page.post(mailbox.link()).status_code == 302
    assert page.post(mailbox.link()).status_code == 422, "a link is good once"
    tell(me, "answer")
    Call.objects.filter(way="letter").delete()
    mailbox.letters.clear()
    assert call_delivery.send_pending() == 1
    assert mailbox.letters[0][0] == [ADDRESS]


def test_verification_link_ends_after_a_day_or_with_the_next_one(mailbox: Mailbox) -> None:
    me = account(reader())
    first, second = mail_addresses.new_token(me), mail_addresses.new_token(me)
    for token in (first, "", "x" * 43):
        with pytest.raises(mail_addresses.TokenRefused):
            mail_addresses.verify(me, token)
    MailAddress.objects.filter(account=me).update(token_until=store.clock())
    with pytest.raises(mail_addresses.TokenRefused):
        mail_addresses.verify(me, second)
    assert second.encode() not in bytes(MailAddress.objects.get(account=me).token_digest)


def test_letter_of_notices_is_text_and_html_and_unsubscribes_in_one_click(mailbox: Mailbox) -> None:
    me = verified(mailbox)
    tell(me, "result")
    tell(me, "answer")
    assert call_delivery.send_pending() == 2
    (letter,) = [it for _, it in mailbox.letters]
    assert letter["Subject"] == "Croupier: 2 things for you"
    for form in ("plain", "html"):
        assert "A match of yours is over." in words(letter, form) and "There is an answer that concerns you." in words(
            letter, form
        )
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    leave = letter["List-Unsubscribe"].strip(" <>").removeprefix(HOUSE)
    tell(me, "invitation")
    # As a mail program does: a POST without cookie, token or page before it.
    programme = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    assert programme.get(leave).status_code == 200
    assert me.get("/me/email").json["unsubscribed_at"] is None, "to look at it ends nothing"
    assert programme.post(leave, {"List-Unsubscribe": "One-Click"}).status_code == 200
    tell(me, "correction")
    assert call_delivery.send_pending() == 0
    assert me.ask("PATCH", "/me/email", b'{"subscribed": true}').json["unsubscribed_at"] is None
    assert programme.post("/unsubscribe/forged").status_code == 422


@pytest.mark.parametrize("purpose", ["calls", "verify", "reset"])
def test_letter_has_the_headers_that_mail_servers_expect(mailbox: Mailbox, purpose: str) -> None:
    me = reader() if purpose == "verify" else verified(mailbox)
    if purpose == "calls":
        tell(me)
    elif purpose == "reset":
        browser().post("/forgotten", {"name": account(me).username})
    with override_settings(MAIL_FROM="Croupier <play@croupier.example>"):
        assert call_delivery.send_pending() == 1
    letter = mailbox.last()
    assert letter["From"] == "Croupier <play@croupier.example>" and letter["To"] == ADDRESS
    assert re.fullmatch(r"<[0-9a-f-]{36}@croupier\.example>", letter["Message-ID"])
    assert abs(letter["Date"].datetime.replace(tzinfo=UTC) - store.clock()) < timedelta(hours=1)
    assert (letter["Auto-Submitted"], letter["X-Auto-Response-Suppress"]) == ("auto-generated", "All")
    assert letter["MIME-Version"] == "1.0" and letter.get_content_type() == "multipart/alternative"
    assert [it.get_content_type() for it in letter.iter_parts()] == ["text/plain", "text/html"]
    # Only what nobody asked for can be ended.
    for name in ("List-Unsubscribe", "List-Unsubscribe-Post", "Precedence"):
        assert (letter[name] is not None) == (purpose == "calls")
    assert all(len(line) <= 998 for line in letter.as_bytes().splitlines())


def test_one_click_unsubscription_is_offered_over_https_only(mailbox: Mailbox) -> None:
    me = verified(mailbox)
    tell(me)
    with override_settings(PUBLIC_URL="http://croupier.example"):
        assert call_delivery.send_pending() == 1
    assert mailbox.last()["List-Unsubscribe"].strip().startswith("<http://")
    assert mailbox.last()["List-Unsubscribe-Post"] is None


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("play@house.example", "Croupier <play@house.example>"),
        ("The House <play@house.example>", "The House <play@house.example>"),
        ("Ha, us <x@y>", None), ("nobody", None), ("a@", None), ("A <a@b>\r\nBcc: c@d", None), ("a@b, c@d", None),
    ],
)  # fmt: skip
def test_letters_are_from_one_address_with_a_display_name(address: str, sender: str | None) -> None:
    if sender:
        assert mail.sender(address) == sender
        return
    with pytest.raises(ImproperlyConfigured, match="CROUPIER_MAIL_FROM"):
        mail.sender(address)


def test_letter_refused_by_the_server_is_sent_again_under_the_same_id(mailbox: Mailbox) -> None:
    me = verified(mailbox)
    tell(me)
    mailbox.answers = ["451 Later"]
    assert call_delivery.send_pending() == 0
    failed = Call.objects.get(account=account(me), way="email")
    assert failed.state == "waiting" and "SMTPDataError" in failed.last_failure
    Call.objects.filter(id=failed.id).update(next_try_at=store.clock())
    assert call_delivery.send_pending() == 1
    assert mailbox.last()["Message-ID"].startswith(f"<{failed.id}@")


def test_letter_is_retried_while_the_mail_server_is_away(mailbox: Mailbox) -> None:
    me = verified(mailbox)
    tell(me)
    with override_settings(EMAIL_PORT=1):
        assert call_delivery.send_pending() == 0
    assert "ConnectionRefusedError" in Call.objects.get(account=account(me), way="email").last_failure


def test_password_reset_by_letter_ends_every_session_and_is_logged(mailbox: Mailbox) -> None:
    me = verified(mailbox)
    page = browser()
    page.post("/forgotten", {"name": account(me).username})
    assert call_delivery.send_pending() == 1
    link = mailbox.link()
    assert page.post(link, {"password": "12345678"}).status_code == 422
    answer = page.post(link, {"password": "nine green kettles"})
    assert answer.headers["Location"] == "/sign-in"
    assert account(me).check_password("nine green kettles")
    assert me.get("/me").status == 401, "its tokens end"
    assert page.get(link).status_code == 422, "a link is good once"
    assert AccessEntry.objects.filter(account=me.id, kind="password_reset_by_letter").count() == 1


@pytest.mark.parametrize("how", ["by address", "unverified", "nobody"])
def test_reset_form_does_not_reveal_who_has_an_address(mailbox: Mailbox, how: str) -> None:
    me = verified(mailbox) if how == "by address" else reader()
    Call.objects.all().delete()
    name = {"by address": ADDRESS.upper(), "unverified": account(me).username, "nobody": "nobody at all"}[how]
    MailAddress.objects.exclude(account=account(me)).delete()
    answer = browser().post("/forgotten", {"name": name})
    assert answer.status_code == 200 and "If there is such an account" in as_read(answer)
    assert Guest().post("/password-resets", {"name": name}).status == 204
    assert call_delivery.send_pending() == (how == "by address")


def test_reset_link_ends_with_the_address_the_password_or_after_an_hour(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = account(verified(mailbox))
    token = mail_addresses.reset_token(me)
    assert mail_addresses.account_of_reset_token(token) == me
    with monkeypatch.context() as later, pytest.raises(mail_addresses.TokenRefused):
        later.setattr(mail_addresses, "RESET_WITHIN", timedelta(seconds=-1))
        mail_addresses.account_of_reset_token(token)
    mail_addresses.remove(me)
    with pytest.raises(mail_addresses.TokenRefused):
        mail_addresses.account_of_reset_token(token)


@pytest.mark.parametrize("address", ["none", "a@b", "a@post.example\r\nBcc: all@post.example", "ä@post.example"])
def test_invalid_address_is_refused_in_words(mailbox: Mailbox, address: str) -> None:
    me = member()
    response = browser(me).post("/account/email", {"address": address, "password": PASSWORD})
    assert response.status_code == 422 and 'class="fault"' in response.content.decode()
    assert not MailAddress.objects.filter(account=me.id).exists()


def test_setting_an_address_requires_the_password(mailbox: Mailbox) -> None:
    me = member()
    response = browser(me).post("/account/email", {"address": ADDRESS, "password": "wrong"})
    assert response.status_code == 422 and "your current password" in as_read(response)
    assert not MailAddress.objects.filter(account=me.id).exists()


def test_stored_address_is_encrypted_and_deleted_by_erasure(mailbox: Mailbox) -> None:
    me = account(verified(mailbox))
    row = MailAddress.objects.get(account=me)
    assert b"post.example" not in bytes(row.sealed) + bytes(row.digest)
    erasure.erase(me.id)
    assert not MailAddress.objects.filter(account=me).exists()


def test_server_without_a_sender_address_sends_no_letters() -> None:
    me = member()
    body = b'{"address": "ann@post.example", "password": "%s"}' % PASSWORD.encode()
    assert me.ask("PUT", "/me/email", body).refusal == (409, "no_mail")
    assert "sends no letters" in as_read(browser(me).get("/account/calls"))
    assert new_account().calls.count() == 0
