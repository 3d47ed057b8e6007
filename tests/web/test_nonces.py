"""The match page promises and shows its seat's nonce by itself."""

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from matches.services import opening
from matches.storage import repository
from tests.matches.hosted_match import types
from tests.table_setting import new_account, waiting_match
from tests.waiting import wait_until
from tests.web.hands import opened
from tests.web.match_setting import client_of
from tests.web.site import Visitors

GIVEN = ["nonce_committed", "nonce_committed", "nonce_revealed", "nonce_revealed"]


@pytest.fixture
def seated() -> tuple[Match, Account, Account]:
    """A match of two that waits for its start."""
    one, two = new_account(), new_account()
    return waiting_match("pyramid_poker", one, two, opener=one), one, two


def nonces_of(match: Match) -> list[str]:
    """Return the types of the match's events about nonces."""
    return [it for it in types(match) if it.startswith("nonce")]


@pytest.mark.slow
def test_two_open_pages_promise_and_show_without_a_press(
    seated: tuple[Match, Account, Account], visitors: Visitors
) -> None:
    match, one, two = seated
    first = opened(visitors.page(one), match)
    wait_until(lambda: nonces_of(match) == ["nonce_committed"])
    again = first.context.new_page()
    opened(again, match)
    opened(visitors.page(two), match)
    wait_until(lambda: nonces_of(match) == GIVEN)
    first.click("#start")
    expect(first.locator("#live")).to_have_attribute("data-status", "running")
    assert first.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('croupier.nonce'))") == []
    first.click("#fairness summary")
    expect(first.locator("#fairness p")).to_contain_text("Nonces promised before any was shown")


@pytest.mark.slow
def test_open_page_reveals_its_nonce_when_the_start_is_called(
    seated: tuple[Match, Account, Account], visitors: Visitors
) -> None:
    match, one, _ = seated
    page = opened(visitors.page(one), match)
    wait_until(lambda: nonces_of(match) == ["nonce_committed"])
    opening.start(match_id=match.id, by=one.id, reason="Now.")
    expect(page.locator("#live")).to_have_attribute("data-status", "running")
    assert (nonces_of(match), repository.load(match.id).lifecycle.left_out) == (
        ["nonce_committed", "nonces_called", "nonce_revealed"], ()
    )  # fmt: skip


def test_browser_with_cleared_storage_does_not_reveal_its_nonce(
    seated: tuple[Match, Account, Account], visitors: Visitors
) -> None:
    match, one, _ = seated
    page: Page = opened(visitors.page(one), match)
    wait_until(lambda: nonces_of(match) == ["nonce_committed"])
    page.evaluate("localStorage.clear()")
    opening.start(match_id=match.id, by=one.id, reason="Now.")
    expect(page.locator("#turn-bar")).to_contain_text("The start is called")
    assert nonces_of(match) == ["nonce_committed", "nonces_called"]


def test_only_a_seat_may_give_a_nonce(seated: tuple[Match, Account, Account]) -> None:
    match, one, _ = seated
    sent = {"commitment": "0a" * 32}
    assert client_of(new_account()).post(f"/m/{match.code}/nonce", sent).status_code == 403
    assert Client(SERVER_NAME="localhost").post(f"/m/{match.code}/nonce", sent).status_code == 302
    script_request = {"headers": {"accept": "application/json"}}
    answer = client_of(one).post(f"/m/{match.code}/nonce", {"commitment": "nothing"}, **script_request)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert nonces_of(match) == []
    assert client_of(one).post(f"/m/{match.code}/nonce", sent).json()["v"] == 1
    assert nonces_of(match) == ["nonce_committed"]
