"""The control room in a browser: under its policy, in light and dark, by hand and by keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from matches.domain.clocks import ClockTimes
from matches.services import appealing, hosting
from tests.panel.office import hosted_match, room, types_of, version_of
from tests.table_setting import new_account, play_on
from tests.web.layout import misplaced
from tests.web.site import Visitors
from tests.web.soundness import SCHEMES, refused

CLOCK = {"turn": ClockTimes(base=600, reserve=60, increment=10)}
OWN = ".house"
"""The panel's own part of a page; the frame is its framework's."""


def test_a_host_runs_a_match_from_the_room(visitors: Visitors) -> None:
    match, host = hosted_match(moves=6, clocks=CLOCK)
    page, before = visitors.page(host), version_of(match)
    page.goto(room(match))
    expect(page.get_by_role("group", name=re.compile(r"^Pyramid Poker\."))).to_be_visible()
    expect(page.locator(".face .clock").first).to_have_text("10:00")
    for scheme in SCHEMES:
        assert refused(page, scheme, OWN) == []

    page.get_by_role("button", name="Rule", exact=True).click()
    page.get_by_label("Ruling").fill("A tie goes to the seat with priority.")
    page.locator("#act-rule .strong").click()
    expect(page.get_by_text("Rule: done, and in the record.")).to_be_visible()
    expect(page.locator(".timeline li").first).to_contain_text("A tie goes to the seat with priority.")

    play_on(match, 1)
    expect(page.locator("#room")).to_have_attribute("data-version", str(version_of(match)))

    page.get_by_role("button", name="Look at everything").click()
    expect(page.get_by_text("when you looked")).to_be_visible()
    page.goto(room(match, "rewind/"))
    assert refused(page, "dark", OWN) == []
    kinds = types_of(match.id, before)
    assert kinds[0] == "ruling_posted" and kinds[-1] == "truth_viewed"


@pytest.mark.slow
def test_room_says_when_its_buttons_are_outdated(visitors: Visitors) -> None:
    match, host = hosted_match(moves=2)
    page, line = visitors.page(host), "What you can do here has changed."
    page.goto(room(match))
    assert page.get_by_role("button", name="Resume").count() == 0
    hosting.pause(match_id=match.id, by=host.id, reason="Tea.")
    expect(page.get_by_text(line)).to_be_visible()
    page.get_by_role("link", name="Show it").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.get_by_text(line)).to_be_hidden()


def test_organiser_sees_pending_work_on_the_dashboard(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=3, clocks={"turn": ClockTimes(base=40, reserve=0, increment=1)})
    page = visitors.page(new_account(is_organiser=True))
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Low clocks")).to_be_visible()
    assert refused(page, "light", OWN) == []
    assert misplaced(page, (1280, 390)) == []
    late, _ = hosted_match(moves=1)
    expect(page.get_by_role("link", name=late.code)).to_be_visible(timeout=20_000)
    page.get_by_role("link", name=match.code).first.click()
    expect(page.get_by_role("group", name=re.compile(r"^Pyramid Poker\."))).to_be_visible()
    find_the_way_on(
        page, f"/admin/matches/match/{match.id}/change/", "/admin/log/", "/admin/access-log/",
        "/admin/hosting/",
    )  # fmt: skip


@pytest.mark.slow
def test_dispute_is_examined_on_a_printable_page(visitors: Visitors) -> None:
    match, host = hosted_match(moves=6)
    player = match.seats.get(number=0).account
    appealing.appeal(match_id=match.id, player=player.id, kind="clock", text="My clock ran on.")
    page = visitors.page(host, narrow=True)
    page.goto(room(match))
    page.get_by_role("link", name="The dispute on a page").click()
    page.get_by_role("button", name="Show what is sealed").click()
    expect(page.get_by_text("your last look on record")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    assert refused(page, "light", OWN) == []
    assert refused(page, "dark", OWN) == []
    page.emulate_media(media="print")
    for control in (
        page.get_by_role("button", name="Print"),
        page.locator("#nav-sidebar"),
        page.get_by_label("to", exact=True),
    ):
        expect(control).to_be_hidden()
    table = page.get_by_role("region", name="When each was told")
    assert table.evaluate("it => getComputedStyle(it).overflowX") == "visible", "Nothing is cut off on paper."


@pytest.mark.slow
def test_player_sees_their_own_desks_and_matches(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=2)
    page = visitors.page(match.seats.get(number=0).account, narrow=True)
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Your desks")).to_be_visible()
    assert refused(page, "light", OWN) == []
    page.get_by_role("link", name=match.code).click()
    page.wait_for_url(f"**/m/{match.code}/")


@pytest.mark.slow
def test_refreshed_dashboard_keeps_the_focus(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=1)
    page = visitors.page(new_account(is_organiser=True))
    page.goto("/admin/")
    way = page.get_by_role("link", name=match.code)
    way.focus()
    late, _ = hosted_match(moves=1)
    expect(page.get_by_role("link", name=late.code)).to_be_visible(timeout=20_000)
    expect(way).to_be_focused()
    page.context.clear_cookies(name="sessionid")
    page.wait_for_url("**/sign-in?next=/admin/")


def test_the_menu_of_a_narrow_panel_opens_and_closes_by_keyboard(visitors: Visitors) -> None:
    page = visitors.page(new_account(is_organiser=True), narrow=True)
    page.goto("/admin/")
    opens = page.get_by_role("button", name="Menu", exact=True)
    closes = page.get_by_role("button", name="Close the menu")
    way = page.locator("#nav-sidebar").get_by_role("link", name="Access log")
    expect(opens).to_have_attribute("aria-expanded", "false")
    for key in ("Enter", "Escape"):
        opens.press("Enter")
        expect(way).to_be_visible()
        expect(opens).to_have_attribute("aria-expanded", "true")
        expect(closes).to_be_focused()
        page.keyboard.press(key)
        expect(way).to_be_hidden()
        expect(opens).to_be_focused()


@pytest.mark.slow
def test_lists_and_accounts_keep_the_policy_too(visitors: Visitors) -> None:
    match, _ = hosted_match(moves=1)
    account = f"/admin/matches/account/{match.opened_by_id}"
    page = visitors.page(new_account(is_organiser=True))
    find_the_way_on(page, "/admin/matches/match/", f"{account}/change/", f"{account}/reset/")


def find_the_way_on(page: Page, *addresses: str) -> None:
    """Each of these pages of the panel opens, with what leads to the others beside it."""
    for address in addresses:
        page.goto(address)
        expect(page.locator("#nav-sidebar")).to_contain_text("Access log")
