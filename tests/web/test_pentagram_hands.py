"""Pentagram under the hands: the card goes to its space by drag, tap or keys, and the sheet tells what it brings."""

import pytest
from playwright.sync_api import Page, expect

from matches.models import Account, Match
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.waiting import wait_until
from tests.web.hands import caught_up, opened
from tests.web.match_setting import send
from tests.web.site import Visitors


def begun() -> tuple[Match, Account, Account]:
    """A match whose first card lies open, the first account to place it."""
    one, two = new_account(), new_account()
    match = running_match("pentagram", one, two, options={"start_coins": 40})
    play_on(match, 0)
    return match, one, two


def drag(page: Page, goal: str, *, drop: bool = True) -> None:
    """Carry the drawn card over a space, and let it go there."""
    card, space = page.locator("#cell-card").bounding_box(), page.locator(f"#cell-{goal}").bounding_box()
    assert card and space
    page.mouse.move(card["x"] + 30, card["y"] + 30)
    page.mouse.down()
    page.mouse.move(space["x"] + space["width"] / 2, space["y"] + space["height"] / 2, steps=4)
    if drop:
        page.mouse.up()


def at(match: Match, row: int, space: int) -> tuple[bool, tuple[int, ...]]:
    """Return whether a card lies on a space, and the seats of its workers."""
    state = repository.load(match.id).state
    return state.cards[row][space] is not None, state.workers[row][space]


@pytest.mark.slow
def test_dragged_card_shows_its_price_and_stays_where_dropped(
    visitors: Visitors,
) -> None:
    match, one, _ = begun()
    page = opened(visitors.page(one), match)
    drag(page, "K0", drop=False)
    expect(page.locator("#bubble")).to_have_text("Black 0: one space pays; a worker is free")
    expect(page.locator("#board .preview text")).to_have_text("1")
    page.mouse.up()
    sheet, ghost = page.locator("#picked"), page.locator("#board .preview svg")
    expect(sheet).to_contain_text("on black 0?")
    expect(sheet).to_contain_text("Nothing is played until you place it.")
    expect(ghost).to_have_count(1)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(ghost).to_have_count(0)
    drag(page, "P3")
    sheet.get_by_role("button", name="Place it alone").click()
    wait_until(lambda: at(match, 3, 3) == (True, ()))


@pytest.mark.slow
def test_sheet_lists_each_placement_and_a_tap_adds_a_worker(visitors: Visitors) -> None:
    match, one, _ = begun()
    page = opened(visitors.page(one, narrow=True, touch=True), match)
    page.locator("#cell-O0").tap()
    sheet = page.locator("#picked")
    expect(sheet.locator(".pays .change")).to_have_count(0)
    sheet.locator(".sum", has_text="With a worker").tap()
    expect(sheet.locator(".pays .change")).to_contain_text("You")
    page.locator("#cell-O4").tap()
    expect(sheet).to_contain_text("The worker costs 4 orange; you have 40 and keep 36.")
    sheet.get_by_role("button", name="With a worker").last.tap()
    wait_until(lambda: at(match, 0, 4) == (True, (0,)))


@pytest.mark.slow
def test_keys_choose_a_space_and_add_a_worker(visitors: Visitors) -> None:
    match, one, _ = begun()
    page = opened(visitors.page(one), match)
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#picked")).to_contain_text("on yellow 3?")
    page.keyboard.press("w")
    wait_until(lambda: at(match, 1, 3) == (True, (0,)))


@pytest.mark.slow
def test_taken_space_says_what_is_on_it(visitors: Visitors) -> None:
    match, one, two = begun()
    send(match, 0, one, "B3 w")
    page = opened(visitors.page(two), match)
    drag(page, "B3")
    expect(page.locator("#bubble")).to_contain_text("Blue 3 is taken:")
    expect(page.locator("#board .preview")).to_have_count(0)


@pytest.mark.slow
def test_coins_count_up_to_their_new_value(visitors: Visitors) -> None:
    match, one, two = begun()
    quiet = (f"{row}{space}" for space in (4, 3, 2) for row in "OYPB")
    while (state := repository.load(match.id).state).card.endswith("-"):
        send(match, state.turn, (one, two)[state.turn], next(quiet))
    target = state.card[:-1].split(">")[1]
    page = opened(visitors.page((one, two)[state.turn]), match)
    page.emulate_media(reduced_motion="no-preference")
    place = page.locator(f"[data-place='{state.turn} {target}'] text")
    place.evaluate(
        "it => { window.seen = []; new MutationObserver(() => window.seen.push(Number(it.textContent)))"
        ".observe(it, { characterData: true, childList: true, subtree: true }) }"
    )
    send(match, state.turn, (one, two)[state.turn], "K0 w")
    caught_up(page, repository.version_of(match.id))
    wait_until(lambda: page.evaluate("window.seen.filter(it => it > 40 && it < 80).length"))
    wait_until(lambda: place.text_content() == "80")
    assert page.evaluate("window.seen.includes(40)")
