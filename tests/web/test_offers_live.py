"""An offer comes and goes while both look on: nothing under their hands moves, and no page is lost over it."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services import offering
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.web.hands import caught_up, opened
from tests.web.site import Visitors

PLACES = "['#board', '#tray', '#tabs'].map((it) => JSON.stringify(document.querySelector(it)?.getBoundingClientRect()))"


def offered(match: Match, page: Page) -> str:
    """The first seat offers to take its last move back, which the second one sees on this page."""
    match_state = repository.load(match.id)
    offering.make_offer(match_id=match.id, player=match_state.lifecycle.players[0] or "", kind="takeback")
    number = repository.load(match.id).lifecycle.offers.made
    caught_up(page, repository.version_of(match.id))
    return f"#offer-{number}"


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.slow
def test_offer_shifts_nothing_on_the_page_and_is_answered_in_place(visitors: Visitors, size: tuple[int, int]) -> None:
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two)
    play_on(match, 6, Random(1))
    page = visitors.page(two)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    opened(page, match)
    before = page.evaluate(PLACES)
    offer = page.locator(offered(match, page))
    expect(offer).to_contain_text("offers to take their last move back")
    assert page.evaluate(PLACES) == before
    offer.get_by_role("button", name="Decline").click()
    expect(offer).to_have_count(0)
    again = page.locator(offered(match, page))
    again.get_by_role("button", name="Accept").focus()
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    caught_up(page, repository.version_of(match.id))
    assert repository.load(match.id).lifecycle.rewinds == 1


@pytest.mark.slow
def test_withdrawn_offer_with_the_focus_leaves_the_page_usable(visitors: Visitors) -> None:
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two)
    play_on(match, 6, Random(1))
    page = opened(visitors.page(two), match)
    offer = page.locator(offered(match, page))
    offer.get_by_role("button", name="Accept").focus()
    offering.accept_offer(match_id=match.id, player=two.id, number=1)
    caught_up(page, repository.version_of(match.id))
    expect(offer).to_have_count(0)
