"""The first minute of somebody without an account, at a real browser."""

import re
import time

from playwright.sync_api import expect

from matches.models import Account, Match
from matches.storage import repository
from tests.waiting import wait_until
from tests.web.site import PASSWORD, Visitors, fresh_name

_SOON = 10
"""Seconds from the front page to the first move: a minute's promise, on a machine that does much else meanwhile."""


def test_guest_moves_after_two_clicks_and_keeps_the_match_by_signing_up(visitors: Visitors) -> None:
    page = visitors.page(narrow=True)
    page.goto("/")
    began = time.monotonic()
    page.get_by_role("button", name="Play the bot now").click()
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))
    match = Match.objects.get(code=page.url.rstrip("/").rpartition("/")[2])
    before = repository.version_of(match.id)
    page.get_by_role("button", name="I start").click()
    wait_until(lambda: repository.version_of(match.id) > before, _SOON)
    assert time.monotonic() - began < _SOON
    guest = match.seats.get(number=0).account
    assert guest.is_guest
    # when they sign up, then the match is theirs under the new name
    page.goto("/")
    page.get_by_role("banner").get_by_role("link", name="Sign up").click()
    expect(page.get_by_text(f"You play as {guest.username}")).to_be_visible()
    name = fresh_name()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Your turn in a match", level=1)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(match.code).first).to_be_visible()
    assert Account.objects.get(username=name).id == guest.id
