"""Letters that somebody asks for are counted by the mailbox, over all accounts and networks, and no answer tells."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client, override_settings

from events import store
from matches.domain.mailboxes import mailbox_of, spelled
from matches.http import rate_windows
from matches.models import Account, Call, MailAddress
from matches.notifications import mail_addresses, webhooks
from tests.api.guests import PASSWORD
from tests.table_setting import new_account

RATES = {**settings.LIMIT_RATES, "letters": "50/minute", "logins": "50/minute", "mailboxes": "3/hour"}


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_windows, "of_entries", rate_windows.Counter(30))
    with override_settings(LIMITS=True, LIMIT_RATES=RATES, PUBLIC_URL="https://croupier.example"):
        yield


def anywhere() -> Client:
    """A client from an address that nobody has asked from."""
    address = ".".join(str(byte) for byte in uuid4().bytes[:3])
    return Client(headers={"host": "localhost"}, REMOTE_ADDR=f"10.{address}")


def fresh_address(local: str = "ann") -> str:
    return f"{local}@{uuid4().hex}.example"


def owner(address: str) -> Account:
    """An account with this address, verified."""
    account = new_account()
    digest = mail_addresses.digest_of(address)
    MailAddress.objects.create(
        account=account, sealed=webhooks.sealed(address), digest=digest, verified_at=store.clock()
    )
    return account


def letters(accounts: list[Account], kind: str) -> int:
    return Call.objects.filter(account__in=accounts, way="letter", kind=kind).count()


def verify_from_a_new_account(address: str) -> tuple[Account, tuple[int, str | None]]:
    account, client = new_account(PASSWORD), anywhere()
    client.force_login(account)
    answer = client.post("/account/email", {"address": address, "password": PASSWORD})
    return account, (answer.status_code, answer.headers.get("Location"))


def test_verification_letters_to_one_mailbox_stop_at_its_limit() -> None:
    domain = f"{uuid4().hex}.example"
    spellings = [f"Ann@{domain}", f"ann@{domain.upper()}", f"ann+1@{domain}", f"ANN+two@{domain}", f"ann@{domain}"]
    answers = [verify_from_a_new_account(address) for address in spellings]
    assert letters([account for account, _ in answers], mail_addresses.VERIFIES) == 3
    assert {answer for _, answer in answers} == {(302, "/account/calls")}
    other, _ = verify_from_a_new_account(f"ben@{domain}")
    assert letters([other], mail_addresses.VERIFIES) == 1


def test_reset_links_of_all_accounts_of_a_mailbox_share_its_limit() -> None:
    address = fresh_address()
    accounts = [owner(address) for _ in range(2)]
    names = [address, *(account.username for account in accounts), address.upper()]
    answers = [anywhere().post("/forgotten", {"name": name}) for name in names]
    assert letters(accounts, mail_addresses.RESETS) == 3
    unknown = anywhere().post("/forgotten", {"name": fresh_address()})
    assert {(it.status_code, it.content) for it in [*answers, unknown]} == {(200, unknown.content)}
    assert len({it.headers["RateLimit-Remaining"] for it in (answers[0], unknown)}) == 1


def test_verification_letters_leave_the_reset_limit_of_a_mailbox_untouched() -> None:
    address = fresh_address()
    account = owner(address)
    for _ in range(4):
        verify_from_a_new_account(address)
    anywhere().post("/forgotten", {"name": account.username})
    assert letters([account], mail_addresses.RESETS) == 1


def test_mailbox_gets_nothing_while_counters_are_away_and_the_response_is_equal() -> None:
    account = owner(fresh_address())
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        answers = {anywhere().post("/forgotten", {"name": name}).status_code for name in (account.username, "nobody")}
    assert len(answers) == 1 and letters([account], mail_addresses.RESETS) == 0


@pytest.mark.parametrize(
    ("address", "spelling", "mailbox"),
    [
        ("Ann@Post.Example", "ann@post.example", "ann@post.example"),
        (" ann+news@post.example ", "ann+news@post.example", "ann@post.example"),
        ("ann@Bücher.example", "ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"),
        ("a.nn@post.example", "a.nn@post.example", "a.nn@post.example"),
        ("+x@post.example", "+x@post.example", "+x@post.example"),
        (f"ann@{'x' * 64}.example", f"ann@{'x' * 64}.example", f"ann@{'x' * 64}.example"),
        ("nobody", "nobody", "nobody"),
    ],
)
def test_every_spelling_of_an_address_has_one_mailbox(address: str, spelling: str, mailbox: str) -> None:
    assert (spelled(address), mailbox_of(address)) == (spelling, mailbox)
