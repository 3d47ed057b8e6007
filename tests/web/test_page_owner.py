"""Tabs that stay open after a logout: none shows what was private to anybody but the account that is logged in."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from matches.storage import repository
from tests.cases import some_slow
from tests.panel.office import room
from tests.table_setting import ROOT, play_on, running_match, waits_for_seat
from tests.web.hands import opened
from tests.web.site import PASSWORD, Visitors, member, session_of

SOON_MS = 10_000
LONG_WALK = "another long walk home"
TEXT = "The clock stood still."
NOBODY = "You have been signed out."
OTHER = "Another account is signed in now."
DEAF = """window.EventSource = class extends EventTarget { close() {} };
Object.defineProperty(window, "localStorage", {});"""
"""The page learns neither by a stream nor from other tabs."""
STAYING = ("/", "/matches", "/account", "/account/calls", "/m/{code}/replay/3/", "/admin/", "/admin/matches/match/")
PUBLIC = ("api/", "mail/")
"""Templates that show nothing private, or are no pages."""
SOCKETLESS = re.compile("/ws/")


@pytest.fixture
def player() -> Account:
    return member(is_organiser=True, is_staff=True, is_superuser=True)


@pytest.fixture
def rival() -> Account:
    return member()


@pytest.fixture
def match(player: Account, rival: Account) -> Match:
    match = running_match("pyramid_poker", player, rival, opener=rival)
    while repository.load(match.id).state.phase != "construction" or not waits_for_seat(match, 0):
        play_on(match, 1)
    return match


def hand_of(page: Page, match: Match) -> str:
    """Open the match's page; return the line that names the card in the seat's hand."""
    line = opened(page, match).get_by_text(re.compile("Place the .+ of")).first
    expect(line).to_be_visible()
    return line.inner_text().strip()


def another_tab(page: Page, address: str = "/account") -> Page:
    tab = page.context.new_page()
    tab.goto(address)
    return tab


def sign_out(tab: Page) -> None:
    tab.get_by_role("button", name="Sign out").click()


def sign_in(tab: Page, account: Account, password: str = PASSWORD) -> None:
    tab.get_by_label("Name").fill(account.username)
    tab.get_by_label("Password").fill(password)
    tab.get_by_role("button", name="Sign in").click()


def log_out(tab: Page, player: Account, rival: Account) -> str:
    sign_out(tab)
    return NOBODY


def log_in_as_another(tab: Page, player: Account, rival: Account) -> str:
    """In one step, as another tab may still have the form of a guest or an ended login open."""
    form = {"username": rival.username, "password": PASSWORD}
    token = next(it["value"] for it in tab.context.cookies() if it["name"] == "csrftoken")
    answer = tab.request.post("/sign-in", form=form | {"csrfmiddlewaretoken": token}, headers={"Referer": tab.url})
    assert answer.ok
    return OTHER


def fill_new_password(tab: Page) -> None:
    tab.get_by_label("Current password").fill(PASSWORD)
    tab.get_by_label("New password").fill(LONG_WALK)


def change_password_on_another_device(visitors: Visitors, player: Account) -> None:
    device = visitors.page(player)
    device.goto("/account")
    fill_new_password(device)
    device.get_by_role("button", name="Change password").click()


@pytest.mark.parametrize("end", [log_out, log_in_as_another])
def test_hand_is_hidden_in_other_tab_when_login_ends(
    visitors: Visitors, match: Match, player: Account, rival: Account, end: Callable[[Page, Account, Account], str]
) -> None:
    page = visitors.page(player)
    hand = hand_of(page, match)
    reason = end(another_tab(page), player, rival)
    expect(page.get_by_text(hand)).to_be_hidden(timeout=SOON_MS)
    expect(page.locator("#owner-left")).to_contain_text(reason)


def test_hand_is_hidden_when_password_changes_on_another_device(
    visitors: Visitors, match: Match, player: Account
) -> None:
    page = visitors.page(player)
    hand = hand_of(page, match)
    change_password_on_another_device(visitors, player)
    expect(page.get_by_text(hand)).to_be_hidden(timeout=SOON_MS)
    notice = page.locator("#owner-left")
    expect(notice).to_contain_text(NOBODY)
    notice.get_by_role("link", name="Sign in").click()
    sign_in(page, player, LONG_WALK)
    expect(page.get_by_text(hand)).to_be_visible()


@pytest.mark.parametrize("address", some_slow(STAYING, always=("/", "/m/{code}/replay/3/", "/admin/")))
def test_every_page_is_left_when_password_changes_on_another_device(
    visitors: Visitors, match: Match, player: Account, address: str
) -> None:
    page = visitors.page(player)
    with page.expect_response("**/session"):
        page.goto(address.format(code=match.code))
    mine = page.locator(f"meta[name=account][content={player.username}]")
    expect(mine).to_have_count(1)
    change_password_on_another_device(visitors, player)
    expect(mine).to_have_count(0, timeout=SOON_MS)
    expect(page.locator("#owner-left")).to_contain_text(NOBODY)


@pytest.mark.slow
def test_control_room_is_left_when_its_host_signs_out_elsewhere(
    visitors: Visitors, match: Match, rival: Account
) -> None:
    page = visitors.page(rival)
    page.goto(room(match))
    sign_out(another_tab(page))
    expect(page).to_have_url(re.compile("/sign-in"), timeout=SOON_MS)
    expect(page.locator("#owner-left")).to_contain_text(NOBODY)


def test_answer_for_another_account_is_not_shown(
    visitors: Visitors, match: Match, player: Account, rival: Account
) -> None:
    page = visitors.page(player)
    page.add_init_script(DEAF)
    page.route_web_socket(SOCKETLESS, lambda socket: None)
    hand = hand_of(page, match)
    page.context.add_cookies([{"name": "sessionid", "value": session_of(rival), "url": visitors.site}])
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text(hand)).to_be_hidden(timeout=SOON_MS)
    expect(page.locator("#owner-left")).to_contain_text(OTHER)


def test_back_button_shows_no_hand_after_logout(visitors: Visitors, match: Match, player: Account) -> None:
    page = visitors.page(player)
    hand = hand_of(page, match)
    page.goto("/games")
    sign_out(page)
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile(match.code))
    expect(page.locator(".chip.name")).to_have_count(0)
    assert hand not in page.locator("body").inner_text()


@pytest.mark.slow
def test_page_restored_from_memory_is_hidden_after_logout(visitors: Visitors, match: Match, player: Account) -> None:
    page = visitors.page(player)
    page.add_init_script(DEAF)
    page.route_web_socket(SOCKETLESS, lambda socket: None)
    hand = hand_of(page, match)
    sign_out(another_tab(page))
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.get_by_text(hand)).to_be_hidden(timeout=SOON_MS)
    expect(page.locator("#owner-left")).to_contain_text(NOBODY)


@pytest.mark.slow
def test_page_without_connection_keeps_what_it_shows(visitors: Visitors, match: Match, player: Account) -> None:
    page = visitors.page(player)
    # Chromium keeps an open socket when it plays being offline.
    page.route_web_socket(SOCKETLESS, lambda socket: None)
    hand = hand_of(page, match)
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible(timeout=10_000)
    change_password_on_another_device(visitors, player)
    expect(page.get_by_text(hand)).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(hand)).to_be_hidden()
    expect(page.locator("#owner-left")).to_contain_text(NOBODY)


@pytest.mark.slow
def test_other_tab_stays_after_own_password_change(visitors: Visitors, match: Match, player: Account) -> None:
    page = visitors.page(player)
    hand = hand_of(page, match)
    page.evaluate("window.isSamePage = true")
    tab = another_tab(page)
    fill_new_password(tab)
    with page.expect_websocket():
        tab.get_by_role("button", name="Change password").click()
    expect(page.locator("#connection-text")).to_have_text("Live")
    expect(page.get_by_text(hand)).to_be_visible()
    assert page.evaluate("window.isSamePage")


@pytest.mark.slow
def test_unsent_form_is_back_after_signing_in_again(visitors: Visitors, match: Match, player: Account) -> None:
    page = visitors.page(player)
    opened(page, match, "more").locator(".appeal summary").click()
    page.locator("#appeal-text").fill(TEXT)
    tab = another_tab(page)
    sign_out(tab)
    expect(page.locator("#owner-left")).to_contain_text(NOBODY)
    assert TEXT not in page.locator("body").inner_text()
    tab.goto("/sign-in")
    sign_in(tab, player)
    expect(page.locator("#appeal-text")).to_have_value(TEXT)


def test_every_page_template_names_its_owner() -> None:
    roots = {path: path.read_text() for path in (ROOT / "matches").rglob("templates/**/*.html")}
    pages = {str(path).partition("/templates/")[2]: text for path, text in roots.items() if "<html" in text}
    assert "web/base.html" in pages
    nameless = [name for name, text in pages.items() if "web/owner.html" not in text and not name.startswith(PUBLIC)]
    assert nameless == []
    assert "web/owner.html" in (ROOT / "matches/panel/templates/admin/base_site.html").read_text()
