"""A player whose turn has come is called as they have set it in their browser: by a sound, by a notification."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.storage import repository
from tests.table_setting import play_on
from tests.waiting import wait_until
from tests.web.hands import caught_up, opened
from tests.web.match_setting import building, send
from tests.web.site import Visitors

LISTENING = """
    window.rung = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.rung += 1; return start.apply(this, when); };
    window.told = [];
    window.Notification = class extends EventTarget {
        static permission = "default";
        static async requestPermission() { return (this.permission = window.answer ?? "granted"); }
        constructor(title, { body, tag }) { super(); window.told.push([title, body, tag]); }
    };
    Object.defineProperty(document, "hidden", { get: () => window.away === true });
"""
"""Puts ears where the loudspeaker would be, and a person who is asked for leave; the page is `away` when told so."""


@pytest.fixture
def waiting(visitors: Visitors) -> tuple[Match, Any, Page]:
    """A match at which the other seat is to move, and the page of the one who waits."""
    match, one, two = building()
    page = visitors.page(two)
    page.add_init_script(LISTENING)
    return match, one, opened(page, match)


def turn_comes(match: Match, other: Any, page: Page) -> None:
    """The other moves; if it isn't their turn, this page's seat has moved first."""
    if repository.load(match.id).due.prompts[0].seat == 1:
        play_on(match, 1)
        caught_up(page, repository.version_of(match.id))
    cell = next(iter(sorted({f"A{n}" for n in range(1, 9)} - set(repository.load(match.id).state.spaces))))
    send(match, 0, other, cell)
    caught_up(page, repository.version_of(match.id))
    expect(page.locator("#turn-bar")).to_contain_text("Your turn")


def test_page_makes_no_sound_and_no_notification_by_default(waiting: tuple[Match, Any, Page]) -> None:
    match, one, page = waiting
    page.locator("#turn-bar").click()
    page.evaluate("window.away = true")
    turn_comes(match, one, page)
    assert page.evaluate("[window.rung, window.told.length]") == [0, 0]


@pytest.mark.slow
def test_sound_is_played_once_a_turn_and_after_a_reload(waiting: tuple[Match, Any, Page]) -> None:
    match, one, page = waiting
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Play a sound").check()
    wait_until(lambda: page.evaluate("window.rung") == 2)
    turn_comes(match, one, page)
    wait_until(lambda: page.evaluate("window.rung") >= 4)
    page.reload()
    page.locator("body[data-ready]").wait_for()
    expect(page.get_by_label("Play a sound")).to_be_checked()
    page.locator("#turn-bar").click()
    turn_comes(match, one, page)
    wait_until(lambda: page.evaluate("window.rung") >= 2)
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Play a sound").uncheck()
    rung = page.evaluate("window.rung")
    turn_comes(match, one, page)
    assert page.evaluate("window.rung") == rung


def test_notification_is_shown_while_the_page_is_hidden(waiting: tuple[Match, Any, Page]) -> None:
    match, one, page = waiting
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Show a notification").check()
    wait_until(lambda: page.evaluate("Notification.permission") == "granted")
    turn_comes(match, one, page)
    assert page.evaluate("window.told") == []
    page.evaluate("window.away = true")
    turn_comes(match, one, page)
    ((title, body, tag),) = page.evaluate("window.told")
    assert (title, tag) == ("(1) Your turn · Pyramid Poker", str(match.id))
    assert body.startswith("Your turn")


@pytest.mark.slow
def test_browser_that_denies_notifications_is_reported(waiting: tuple[Match, Any, Page]) -> None:
    _, _, page = waiting
    page.evaluate("window.answer = 'denied'")
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Show a notification").click()
    expect(page.locator(".toast")).to_contain_text("doesn't let this page notify you")
    expect(page.get_by_label("Show a notification")).not_to_be_checked()
    page.reload()
    expect(page.get_by_label("Show a notification")).not_to_be_checked()
