"""Whoever guesses at an account's password is slowed, at every door; its owner comes in all the same."""

import re
import time
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings

from matches.http import rate_windows
from matches.http.devices import device_of
from matches.models import Account
from tests.panel.office import Desk
from tests.table_setting import new_account, new_token

PASSWORD = "seven blue lanterns"
RATES = {
    "commands": "1000/second", "reads": "1000/second", "signups": "1000/second",
    "logins": "10/hour", "logins_address": "30/hour", "logins_name": "30/hour",
}  # fmt: skip

Door = Callable[..., int]


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Limits on; the counter has met no outage yet."""
    monkeypatch.setattr(rate_windows, "of_entries", rate_windows.Counter(30))
    with override_settings(LIMITS=True, LIMIT_RATES=RATES):
        yield


def address() -> str:
    """An address that nobody has asked from."""
    return f"10.{'.'.join(str(byte) for byte in uuid4().bytes[:3])}"


def browser() -> Client:
    return Client(headers={"host": "localhost"})


def by_page(name: str, password: str, client: Client | None = None, at: str = "") -> int:
    form = {"username": name, "password": password}
    return (client or browser()).post("/sign-in", form, REMOTE_ADDR=at or address()).status_code


def by_token(name: str, password: str, client: Client | None = None, at: str = "", **headers: str) -> int:
    body = {"username": name, "password": password}
    answer: HttpResponse = (client or browser()).post(
        "/api/v1/tokens", body, content_type="application/json", REMOTE_ADDR=at or address(), headers=headers
    )
    return answer.status_code


DOORS = {"page": by_page, "token": by_token}
LET_IN = (201, 302)
each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@pytest.fixture
def owner() -> Account:
    """Somebody whom every door lets in."""
    return new_account(PASSWORD, is_organiser=True)


def known_to(owner: Account) -> Client:
    """The owner's browser, which they have signed in with and out again."""
    mine = browser()
    assert by_page(owner.username, PASSWORD, mine) == 302
    assert mine.post("/sign-out").status_code == 302
    return mine


def guess_from_everywhere(owner: Account) -> None:
    """Send so many wrong passwords that the limit of the name is reached."""
    statuses = [by_token(owner.username, "wrong") for _ in range(31)]
    assert statuses == [401] * 30 + [429]


@pytest.mark.parametrize(("door", "tries"), [(by_page, 30), (by_token, 300)])
def test_wrong_passwords_from_one_address_block_only_that_address(owner: Account, door: Door, tries: int) -> None:
    elsewhere = address()
    statuses = [door(owner.username, "wrong", at=elsewhere) for _ in range(tries)]
    assert statuses == [401] * 10 + [429] * (tries - 10)
    assert door(owner.username, PASSWORD, at=elsewhere) == 429, "Nor is a right guess let in there."
    assert door(owner.username, PASSWORD) in LET_IN


@each_door
def test_guesses_from_many_addresses_are_slowed_except_in_the_owners_browser(owner: Account, door: Door) -> None:
    mine = known_to(owner)
    guess_from_everywhere(owner)
    assert by_page(owner.username, "wrong") == 429
    assert door(owner.username, PASSWORD) == 429, "A browser that nobody knows waits."
    assert door(owner.username, PASSWORD, mine) in LET_IN


def test_owner_on_a_new_device_waits_no_longer_than_the_slow_limit(owner: Account) -> None:
    with override_settings(LIMIT_RATES=RATES | {"logins_name": "3/second"}):
        form = {"username": owner.username, "password": "wrong"}
        while (refused := browser().post("/sign-in", form, REMOTE_ADDR=address())).status_code == 401:
            pass
        assert refused.status_code == 429 and "tries to sign in; try again in" in refused.content.decode()
        time.sleep(int(refused.headers["Retry-After"]))
        assert by_page(owner.username, PASSWORD) == 302


def test_valid_token_of_the_account_makes_another_one_despite_guesses(owner: Account) -> None:
    token = {"authorization": f"Bearer {new_token(owner)}"}
    other = {"authorization": f"Bearer {new_token(new_account())}"}
    guess_from_everywhere(owner)
    assert by_token(owner.username, PASSWORD) == 429
    assert by_token(owner.username, PASSWORD, **other) == 429, "Another account's token says nothing."
    assert by_token(owner.username, PASSWORD, authorization="Bearer crp_made_up") == 429
    assert by_token(owner.username, PASSWORD, **token) == 201


def test_a_known_device_may_guess_no_more_than_an_address(owner: Account) -> None:
    mine = known_to(owner)
    statuses = [by_page(owner.username, "wrong", mine) for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert by_page(owner.username, PASSWORD) == 302, "Its tries are its own."


def test_right_passwords_use_nothing_up_but_at_their_address(owner: Account) -> None:
    here = address()
    assert [by_token(owner.username, PASSWORD) for _ in range(40)] == [201] * 40
    assert [by_token(owner.username, PASSWORD, at=here) for _ in range(31)] == [201] * 30 + [429]


def test_an_address_guesses_at_so_many_names_and_no_more() -> None:
    here = address()
    statuses = [by_token(uuid4().hex, "wrong", at=here) for _ in range(31)]
    assert statuses == [401] * 30 + [429]


def test_a_network_of_ipv6_is_one_address(owner: Account) -> None:
    network = f"2001:db8:{uuid4().hex[:4]}:{uuid4().hex[:4]}"
    statuses = [by_page(owner.username, "wrong", at=f"{network}::{number}") for number in range(11)]
    assert statuses == [401] * 10 + [429]


def test_known_browser_is_forgotten_when_the_password_changes_elsewhere(owner: Account) -> None:
    stolen = known_to(owner)
    changing = browser()
    by_page(owner.username, PASSWORD, changing)
    changed = changing.post("/account/password", {"current": PASSWORD, "new": "nine green lanterns"})
    assert changed.status_code == 302 and changing.post("/sign-out").status_code == 302
    guess_from_everywhere(owner)
    assert by_page(owner.username, "nine green lanterns", stolen) == 429
    assert by_page(owner.username, "nine green lanterns", changing) == 302


def test_owner_with_a_reset_password_signs_in_despite_guesses(owner: Account) -> None:
    guess_from_everywhere(owner)
    reset_page = Desk(new_account(is_organiser=True)).post(f"/admin/matches/account/{owner.id}/reset/")
    link = re.search(r"/admin/password/[^<\s]+", reset_page.content.decode())
    assert link is not None
    mine = browser()
    form = mine.get(link[0], follow=True)
    new = {"new_password1": "nine green lanterns", "new_password2": "nine green lanterns"}
    assert mine.post(form.redirect_chain[-1][0], new).status_code == 302
    assert by_page(owner.username, "nine green lanterns", mine) == 302


def test_signed_in_browser_without_a_device_cookie_is_known_to_its_account_only(owner: Account) -> None:
    request = RequestFactory().get("/")
    request.user, request.session = owner, SessionStore()
    request.session.create()
    assert str(device_of(request, owner.username)).startswith("session:")
    assert device_of(request, new_account().username) is None


def test_forged_or_foreign_device_cookie_is_ignored(owner: Account) -> None:
    forged, others = browser(), known_to(new_account(PASSWORD))
    value = known_to(owner).cookies[settings.DEVICE_COOKIE_NAME].value
    forged.cookies[settings.DEVICE_COOKIE_NAME] = value[:-1] + ("A" if value[-1] != "A" else "B")
    guess_from_everywhere(owner)
    assert by_page(owner.username, PASSWORD, forged) == by_page(owner.username, PASSWORD, others) == 429


def test_a_browser_is_known_to_several_accounts_and_no_script_reads_its_cookie(owner: Account) -> None:
    mine, other = known_to(owner), new_account(PASSWORD)
    assert by_page(other.username, PASSWORD, mine) == 302
    cookie = mine.cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and int(cookie["max-age"]) > 300 * 24 * 3600
    mine.post("/sign-out")
    guess_from_everywhere(owner)
    assert by_page(owner.username, PASSWORD, mine) == 302
