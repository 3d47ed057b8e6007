"""The match page under the hands: the sheet that asks once more, Enter and Escape, where the focus goes."""

import pytest
from playwright.sync_api import Locator, Page, expect

from matches import feed, services, table
from matches.models import Account, Match
from tests.table_setting import new_account, play_on, running_match
from tests.web.hands import caught_up, opened
from tests.web.match_setting import building, send
from tests.web.site import Visitors


def asked_to_resign(page: Page) -> Locator:
    """Press Resign; gives the sheet that asks."""
    page.locator("#leave summary").click()
    page.get_by_role("button", name="Resign").click()
    return page.locator("#picked")


def news(page: Page, match: Match) -> None:
    """Wait until the page shows all that has happened."""
    caught_up(page, table.version_of(match.id))


def test_a_seat_resigns_while_the_other_is_to_move(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(two), match)
    sheet = asked_to_resign(page)
    expect(sheet).to_contain_text("You lose the match.")
    sheet.get_by_role("button", name="Resign").click()
    expect(page.locator("#turn-bar")).to_contain_text(f"{one.username} wins by resignation")


def test_a_question_stands_while_the_turn_passes_and_can_be_put_away(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(one), match)
    sheet = asked_to_resign(page)
    send(match, 0, one, "A1")
    news(page, match)
    expect(sheet).to_contain_text("You lose the match.")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    send(match, 1, two, "A2")
    news(page, match)
    expect(sheet).to_be_hidden()


def test_a_question_that_a_pause_has_closed_takes_no_keys(visitors: Visitors) -> None:
    match = running_match("reality_benders", one := new_account(), new_account())
    page = opened(visitors.page(one), match)
    asked_to_resign(page)
    services.pause(match_id=match.id, by=match.opened_by_id, reason="Dinner is ready.")
    news(page, match)
    services.resume(match_id=match.id, by=match.opened_by_id, reason="Dinner is over.")
    news(page, match)
    page.keyboard.press("a")
    expect(page.locator("#module .verdict")).to_contain_text("From A")


def test_the_focus_goes_back_to_the_button_that_a_question_came_from(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match)
    sheet = asked_to_resign(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator("#leave button")).to_be_focused()
    page.keyboard.press("Enter")
    sheet.get_by_role("button", name="Cancel").click()
    expect(page.locator("#leave button")).to_be_focused()


def bending(visitors: Visitors) -> tuple[Match, Page, Account]:
    """Reality Benders, the page of seat 0, which is to bend the rules, and who sits at seat 1."""
    match = running_match("reality_benders", one := new_account(), two := new_account())
    return match, opened(visitors.page(one), match), two


def letters_of(match: Match) -> str:
    """The spells of a legal choice of rules, as they are chosen one by one."""
    known = table.load(match.id, 0)
    return "".join(next(iter(known.game.legal(known.state, 0))).rules).replace(">", "")


def marked(page: Page) -> set[str]:
    """The spells that the board shows as chosen."""
    return set(page.locator("#board .chosen").evaluate_all("them => them.map((it) => it.dataset.cell)"))


def test_what_is_chosen_stays_marked_through_a_question_and_news(visitors: Visitors) -> None:
    match, page, two = bending(visitors)
    letters = letters_of(match)
    for letter in letters:
        page.locator(f"#cell-{letter}").click()
    assert marked(page) == set(letters)
    page.locator("#module [data-name=lock]").click()
    expect(page.locator("#picked")).to_be_visible()
    assert marked(page) == set(letters)
    page.keyboard.press("Escape")
    assert marked(page) == set(letters)
    send(match, 1, two, next(iter(feed.legal(match.id, 1).text)))
    news(page, match)
    assert marked(page) == set(letters)


def drawing(visitors: Visitors) -> tuple[Match, Page, Account]:
    """Pyramid Poker when bricks are taken away again, and the page and the account of the seat that is to move."""
    match, one, _ = building()
    play_on(match, 30)
    return match, opened(visitors.page(one), match), one


def test_the_digit_on_a_hands_button_puts_the_brick_into_that_hand(visitors: Visitors) -> None:
    match, page, one = drawing(visitors)
    send(match, 0, one, next(iter(feed.legal(match.id, 0).text)))
    news(page, match)
    page.keyboard.press("2")
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
    assert len(table.load(match.id).state.hands[0][1]) == 1


def hold(page: Page, key: str) -> None:
    """Hold a key down for so long that it repeats itself once, and let it go."""
    page.keyboard.down(key)
    page.keyboard.down(key)
    page.keyboard.up(key)


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_key_that_is_held_down_does_not_answer_the_question_it_opens(visitors: Visitors, key: str) -> None:
    _, page, _ = drawing(visitors)
    page.locator("#board .cell.target").first.focus()
    hold(page, key)
    expect(page.locator("#picked")).to_contain_text("Everybody will see its value.")
    page.keyboard.press("Escape")
    page.locator("#leave summary").click()
    page.locator("#leave button").focus()
    hold(page, key)
    expect(page.locator("#picked")).to_contain_text("You lose the match.")
    page.keyboard.press(key)
    expect(page.locator("#turn-bar")).to_contain_text("by resignation")


def test_a_letter_that_is_held_down_does_not_answer_the_question_it_opens(visitors: Visitors) -> None:
    match, page, one = drawing(visitors)
    page.get_by_label("Always").check()
    page.evaluate("document.activeElement.blur()")
    send(match, 0, one, next(iter(feed.legal(match.id, 0).text)))
    news(page, match)
    hold(page, "2")
    expect(page.locator("#picked")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
