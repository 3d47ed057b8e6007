"""Journeys at a real browser: by mouse, by keyboard, with everything that moves by itself."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from matches.models import Account, Match
from tests.table_setting import new_account, waiting_match
from tests.web.site import PASSWORD, Visitors, fresh_name


def test_a_newcomer_is_at_the_table_two_clicks_after_signing_up(visitors: Visitors) -> None:
    page = visitors.page(timezone_id="Asia/Tokyo")
    answer = page.goto("/")
    assert answer is not None and answer.ok, page.content()[:2000]
    page.get_by_role("banner").get_by_role("link", name="Sign up").click()
    name = fresh_name()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Nothing waits for you", level=1)).to_be_visible()
    assert Account.objects.get(username=name).time_zone == "Asia/Tokyo"
    expect(page.get_by_text("You are at no table.")).to_be_visible()
    page.get_by_role("button", name="Play the bot, Pyramid Poker").click()
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))
    expect(page.get_by_role("heading", name="Pyramid Poker")).to_be_visible()


@pytest.mark.slow
def test_the_same_by_keyboard_alone(visitors: Visitors) -> None:
    page = visitors.page()
    page.goto("/sign-up")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page's content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type(fresh_name())
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing waits for you", level=1)).to_be_visible()
    button = page.get_by_role("button", name="Play the bot, Reality Benders")
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("(it) => it === document.activeElement"):
            break
    expect(button).to_be_focused()
    assert button.evaluate("(it) => getComputedStyle(it).outlineWidth") == "4px"
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))


@pytest.mark.slow
def test_two_friends_meet_by_an_invitation(visitors: Visitors) -> None:
    host, guest = new_account(), new_account()
    page = visitors.page(host)
    page.goto("/open/pyramid_poker")
    page.get_by_role("button", name="Open match").click()
    expect(page.get_by_role("button", name="Start match")).to_be_disabled()
    link = page.get_by_role("textbox", name="Invitation to seat B").input_value()
    assert link.startswith(f"{visitors.site}/j/")
    # when the guest follows the link
    other = visitors.page(guest)
    other.goto(link)
    other.get_by_role("button", name="Take the seat").click()
    expect(other.get_by_text("Waiting for the host to start.")).to_be_visible()
    # then the host's page sees them without being asked, and the guest's page goes on with the start
    expect(page.get_by_role("link", name=guest.username)).to_be_visible()
    page.get_by_role("button", name="Start match").click()
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))
    expect(other).to_have_url(page.url)


@pytest.mark.slow
def test_the_lobby_keeps_itself_fresh_and_counts_in_its_title(visitors: Visitors) -> None:
    me = new_account()
    match = waiting_match("pyramid_poker", me, new_account(), opener=me)
    page = visitors.page(me)
    page.goto("/")
    expect(page.locator("#mine + .cards").get_by_role("link")).to_have_attribute("href", f"/m/{match.code}/seats")
    Match.objects.filter(id=match.id).update(status="running", needs=[me.id])
    page.locator("#standing").dispatch_event("refresh")
    expect(page.get_by_role("heading", name="Needs you")).to_be_visible()
    page.reload()
    expect(page).to_have_title(re.compile(r"^\(1\) "))


def test_options_are_checked_while_they_are_typed(visitors: Visitors) -> None:
    page = visitors.page(new_account())
    page.goto("/open/pyramid_poker")
    page.get_by_role("textbox", name="Base").fill("7")
    expect(page.locator("#fault-option-base")).to_have_text("base is 8 to 12 spaces, not 7.")
    page.get_by_role("textbox", name="Base").fill("9")
    expect(page.locator("#fault-option-base")).to_have_text("")
    expect(page.locator("#verdict")).to_have_text("This table can be set.")
    assert page.get_by_role("textbox", name="Base").input_value() == "9"


def test_irrelevant_fields_are_hidden_until_needed(visitors: Visitors) -> None:
    page = visitors.page(new_account())
    page.goto("/open/pyramid_poker")
    name = page.get_by_label("Name of the player at seat B")
    expect(name).to_be_hidden()
    page.get_by_label("Who sits at seat B").select_option("player")
    expect(name).to_be_visible()
    expect(page.get_by_text("Turn, in seconds")).to_be_hidden()
    page.get_by_label("My own times").check()
    expect(page.get_by_text("Turn, in seconds")).to_be_visible()


def test_a_form_works_without_scripts(visitors: Visitors) -> None:
    friend = new_account()
    page = visitors.page(new_account(), java_script_enabled=False)
    page.goto("/open/pyramid_poker")
    page.get_by_label("Who sits at seat B").select_option("player")
    page.get_by_label("Name of the player at seat B").fill(friend.username)
    page.get_by_role("button", name="Open match").click()
    expect(page.get_by_role("link", name=friend.username)).to_be_visible()
    page.get_by_role("button", name="Start match").click()
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))


def test_a_button_pressed_twice_opens_one_match(visitors: Visitors) -> None:
    me = new_account()
    page = visitors.page(me)
    page.goto("/games")
    page.get_by_role("button", name="Play the bot, Pentagram 2").dblclick()
    expect(page).to_have_url(re.compile(r"/m/[A-Z0-9]{8}/$"))
    assert Match.objects.filter(opened_by=me).count() == 1


@pytest.mark.slow
def test_chosen_theme_overrides_the_browsers(visitors: Visitors) -> None:
    me = new_account(theme="dark")
    page = visitors.page(me)
    page.goto("/")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 17, 19)"


@pytest.mark.slow
def test_refusal_of_a_background_request_is_shown_in_words(visitors: Visitors) -> None:
    page = visitors.page(new_account())
    page.goto("/")
    page.locator("#standing").evaluate("(it, to) => it.setAttribute('hx-get', to)", f"/m/{uuid4().hex[:8]}/seats")
    page.locator("#standing").dispatch_event("refresh")
    expect(page.locator("#toasts")).to_contain_text("There is no match with this id or code.")
