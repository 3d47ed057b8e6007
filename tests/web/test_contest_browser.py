"""A contest in a browser: a form that is filled in while the match goes on, a ranking by keyboard, and the reveal."""

import json
import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from matches.reads import feed
from tests.table_setting import new_account, play_on
from tests.web.contest_setting import content_of, contest
from tests.web.site import Visitors
from tests.web.test_contest_tray import post, submitted
from tests.web.test_frames import long_named

INSIDE = """() => [...document.querySelectorAll('.envelope, .score, .mark')]
  .every(it => it.getBoundingClientRect().right <= innerWidth)"""


def sit(visitors: Visitors, match: Match, player: Account | None, **how: bool) -> Page:
    """Open the match's page and wait for its scripts and its socket."""
    page = visitors.page(player, **how)
    page.goto(f"/m/{match.code}/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


@pytest.fixture
def players() -> list[Account]:
    return [new_account() for _ in range(5)]


def test_form_keeps_what_is_filled_in_across_live_updates_and_reloads(
    visitors: Visitors, players: list[Account]
) -> None:
    match = contest(content_of("camp", "bid", "target", "shares", "order", "card", "word"), *players)
    hand = feed.visible_state(match.id, 0).state.cards_of(0, "goods")
    page = sit(visitors, match, players[0], narrow=True, touch=True)
    page.get_by_text("west", exact=True).tap()
    for _ in range(3):
        page.locator(".of-number [data-step='1']").tap()
    page.locator(".of-player .tile").first.tap()
    page.get_by_role("button", name="One more for left").tap()
    page.get_by_role("button", name="Move wine up").tap()
    page.locator(".of-cards .tile").nth(1).tap()
    page.locator(".of-text textarea").fill("half a wo")
    before = page.locator("#live").get_attribute("data-version")
    # Another player submits, and a gift changes what this form may cost.
    post(match, players[1], {"give-to": "0", "give-balance": "gold", "give-amount": "3"}, act="give")
    expect(page.locator(".of-number input")).to_have_attribute("max", "15")
    assert page.locator("#live").get_attribute("data-version") != before
    check_filled_in(page, hand[1])
    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    check_filled_in(page, hand[1])
    page.locator(".of-text textarea").fill("word")
    for _ in range(9):
        page.get_by_role("button", name="One more for right: here").tap()
    page.get_by_role("button", name="Submit", exact=True).tap()
    expect(page.locator(".sent")).to_contain_text("Camp: west, Bid: 2")
    assert submitted(match, 0) == {
        "camp": "west", "bid": 2, "target": 1, "shares": {"left": 1, "right: here": 9},
        "order": ("fish", "wine", "bread"), "card": (hand[1],), "word": "word",
    }  # fmt: skip


def check_filled_in(page: Page, card: str) -> None:
    """The form has what was filled in before."""
    assert page.locator("input[value=west]").is_checked()
    assert page.locator(".of-number input").input_value() == "2"
    assert page.locator(".of-player .tile input").first.is_checked()
    assert page.locator(".of-split .count").inner_text() == "9 left"
    assert page.locator(".of-ranking bdi").all_inner_texts() == ["fish", "wine", "bread"]
    assert page.locator(".of-cards :checked").input_value() == card
    assert page.locator(".of-text textarea").input_value() == "half a wo"
    assert page.locator(".of-text .count").inner_text() == "9 of 20"


def test_fault_of_a_form_is_shown_at_its_field_which_gets_the_focus(visitors: Visitors, players: list[Account]) -> None:
    match = contest(content_of("camp", "bid"), *players)
    page = sit(visitors, match, players[0])
    page.get_by_text("west", exact=True).click()
    page.locator(".of-number input").fill("13")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator(".of-number .fault")).to_have_text("Bid is a number from 0 to 12.")
    expect(page.locator(".of-number input")).to_be_focused()
    expect(page.locator(".of-number input")).to_have_attribute("aria-invalid", "true")
    assert page.locator("input[value=west]").is_checked() and page.locator(".toast").count() == 0
    page.keyboard.press("ArrowDown")
    expect(page.locator(".of-number .fault")).to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator(".sent")).to_contain_text("Camp: west, Bid: 12")


def test_ranking_is_ordered_by_keyboard_alone(visitors: Visitors, players: list[Account]) -> None:
    match = contest(content_of("order"), *players)
    page = sit(visitors, match, players[0])
    page.get_by_role("button", name="Move wine up").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Move wine up")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("wine: 1 of 3")
    page.get_by_role("button", name="Move fish down").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Submit", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".sent")).to_contain_text("wine, bread, fish")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".sent")).to_have_count(0)
    assert submitted(match, 0) is None


def test_submission_in_turn_is_asked_about_first(visitors: Visitors, players: list[Account]) -> None:
    match = contest(content_of("camp", who="in_turn"), *players)
    page = sit(visitors, match, players[0])
    page.get_by_text("west", exact=True).click()
    page.get_by_role("button", name="Submit", exact=True).click()
    sheet = page.locator("#picked")
    expect(sheet).to_contain_text("you can't change it")
    assert submitted(match, 0) is None
    sheet.get_by_role("button", name="Submit").click()
    expect(page.locator(".mark.in")).to_have_count(1)


@pytest.mark.parametrize("reduced_motion", ["reduce", "no-preference"])
def test_reveal_opens_envelopes_and_grows_bars_unless_motion_is_reduced(
    visitors: Visitors, reduced_motion: str
) -> None:
    players = [new_account() for _ in range(13)]
    match = contest(content_of("camp"), *players)
    play_on(match, 12, Random(1))
    page = visitors.page(None)
    page.emulate_media(reduced_motion=reduced_motion)
    page.goto(f"/m/{match.code}/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.evaluate(
        """() => {
          window.moved = []
          const animate = Element.prototype.animate
          Element.prototype.animate = function (frames, how) {
            window.moved.push(this.getAttribute('class'))
            return animate.call(this, frames, how)
          }
        }"""
    )
    play_on(match, 1, Random(1))
    expect(page.locator(".envelope")).to_have_count(13)
    expect(page.locator("#announcer")).to_contain_text(re.compile("The submissions:|Round 2"))
    if reduced_motion == "reduce":
        assert page.evaluate("window.moved") == []
    else:
        page.wait_for_function("() => window.moved.filter(it => it === 'letter').length === 13")
        assert page.evaluate("window.moved.filter(it => it === 'bar').length") == 3
    expect(page.locator(".letter").first).to_be_visible()
    assert json.loads(page.locator("#motion-data").text_content() or "")


def test_contest_page_fits_narrow_screens_with_thirty_long_names(visitors: Visitors) -> None:
    fields = ("camp", "days", "bid", "target", "shares", "order", "card", "word")
    match = contest(content_of(*fields), *(long_named("W") for _ in range(30)))
    play_on(match, 30, Random(1))
    page = sit(visitors, match, None, narrow=True)
    for width in (360, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(INSIDE)


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844)])
def test_replay_shows_board_and_film_bar_on_a_phone(visitors: Visitors, width: int, height: int) -> None:
    match = contest(content_of("camp"), *(new_account() for _ in range(13)))
    play_on(match, 13, Random(1))
    page = visitors.page(None, touch=True)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/m/{match.code}/replay/?round=1")
    page.locator("body[data-ready]").wait_for()
    board, bar = (page.locator(it).bounding_box() for it in (".board.pages", "#scrubber"))
    assert board and board["width"] > 350
    assert bar and bar["y"] + bar["height"] <= height
