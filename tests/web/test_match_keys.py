"""The match page under the hands: the sheet that asks once more, Enter and Escape, where the focus goes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from games.reality_benders.pieces import NAMES
from matches.models import Account, Match
from matches.reads import feed
from matches.services import hosting
from matches.storage import repository
from tests.cases import some_slow
from tests.table_setting import new_account, play_on, running_match
from tests.web.hands import caught_up, opened, reach, version_shown
from tests.web.match_setting import building, send
from tests.web.site import Visitors


def asked_to_resign(page: Page) -> Locator:
    """Press Resign; gives the sheet that asks."""
    page.locator("#leave summary").click()
    page.get_by_role("button", name="Resign").click()
    return page.locator("#picked")


def news(page: Page, match: Match) -> None:
    """Wait until the page shows all that has happened."""
    caught_up(page, repository.version_of(match.id))


@pytest.mark.slow
def test_a_seat_resigns_while_the_other_is_to_move(visitors: Visitors) -> None:
    match, one, two = building()
    page = opened(visitors.page(two), match)
    sheet = asked_to_resign(page)
    expect(sheet).to_contain_text("You lose the match.")
    sheet.get_by_role("button", name="Resign").click()
    expect(page.locator("#result")).to_have_text(f"{one.username} wins by resignation")


@pytest.mark.slow
def test_question_stays_while_the_turn_passes_and_can_be_dismissed(visitors: Visitors) -> None:
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


@pytest.mark.slow
def test_question_closed_by_a_pause_takes_no_keys(visitors: Visitors) -> None:
    match = running_match("reality_benders", one := new_account(), new_account())
    page = opened(visitors.page(one), match)
    asked_to_resign(page)
    hosting.pause(match_id=match.id, by=match.opened_by_id, reason="Dinner is ready.")
    news(page, match)
    hosting.resume(match_id=match.id, by=match.opened_by_id, reason="Dinner is over.")
    news(page, match)
    page.keyboard.press("a")
    expect(page.locator("#module .verdict")).to_contain_text("From A")


def test_focus_returns_to_the_button_that_opened_a_question(visitors: Visitors) -> None:
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
    match = running_match("reality_benders", one := new_account(), two := new_account(), options={"rules_each": 2})
    return match, opened(visitors.page(one), match), two


def letters_of(match: Match) -> str:
    """The spells of a legal choice of rules, as they are chosen one by one."""
    state = repository.load(match.id, 0)
    return "".join(next(iter(state.game.legal(state.state, 0))).rules).replace(">", "")


def marked(page: Page) -> set[str]:
    """The spells that the board shows as chosen."""
    return set(page.locator("#board .chosen").evaluate_all("them => them.map((it) => it.dataset.cell)"))


@pytest.mark.slow
def test_selection_stays_marked_through_a_question_and_news(visitors: Visitors) -> None:
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


@pytest.mark.slow
def test_digit_of_a_hand_puts_the_brick_into_it(visitors: Visitors) -> None:
    match, page, one = drawing(visitors)
    send(match, 0, one, next(iter(feed.legal(match.id, 0).text)))
    news(page, match)
    page.keyboard.press("2")
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")
    assert len(repository.load(match.id).state.hands[0][1]) == 1


def hold(page: Page, key: str) -> None:
    """Hold a key down for so long that it repeats itself once, and let it go."""
    page.keyboard.down(key)
    page.keyboard.down(key)
    page.keyboard.up(key)


@pytest.mark.parametrize("key", some_slow(["Enter", " "], always=("Enter",)))
@pytest.mark.slow
def test_held_key_does_not_answer_the_question_it_opens(visitors: Visitors, key: str) -> None:
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
    expect(page.locator("#result")).to_contain_text("by resignation")


@pytest.mark.slow
def test_held_letter_does_not_answer_the_question_it_opens(visitors: Visitors) -> None:
    match, page, one = drawing(visitors)
    page.locator("#tabs [value=more]").check()
    page.get_by_label("Always").check()
    page.evaluate("document.activeElement.blur()")
    send(match, 0, one, next(iter(feed.legal(match.id, 0).text)))
    news(page, match)
    hold(page, "2")
    expect(page.locator("#picked")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("#turn-bar")).to_contain_text("Waiting for")


Choosing = Callable[[Page, str], None]


def with_a_piece(visitors: Visitors) -> tuple[Match, Page, str]:
    """Peeling the Banana, the page of seat 0, which is to play, and the first piece that it may lay."""
    match = running_match("peeling_the_banana", one := new_account(), new_account())
    page = opened(visitors.page(one), match)
    while not reach(page, "piece"):
        play_on(match, 1)
        news(page, match)
    return match, page, reach(page, "piece")[0]


def by_click(page: Page, card: str) -> None:
    page.locator(f'.part [data-cell="{card}"]').click()


def by_enter(page: Page, card: str) -> None:
    page.locator(f'.part [data-cell="{card}"]').focus()
    page.keyboard.press("Enter")


def by_arrows(page: Page, card: str) -> None:
    wanted = page.locator(f'.part [data-cell="{card}"]')
    page.keyboard.press("ArrowRight")
    for _ in range(len(reach(page))):
        if wanted.evaluate("(it) => it === document.activeElement"):
            break
        page.keyboard.press("ArrowRight")
    expect(wanted).to_be_focused()
    page.keyboard.press("Enter")


def by_its_digit(page: Page, card: str) -> None:
    page.keyboard.press(str(1 + reach(page).index(card)))


CHOOSING = [by_click, by_enter, by_arrows, by_its_digit]


def ghost(page: Page) -> set[str]:
    """The empty spaces that the piece would fill."""
    return set(page.locator("#board .ghost-new").evaluate_all("them => them.map((it) => it.dataset.cell)"))


def lead_elsewhere(page: Page) -> set[str]:
    """Lead the piece by the arrows to another place where it may lie; gives the spaces that it would fill there."""
    begun, place = ghost(page), page.locator("#module [data-name=place]")
    for step in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"):
        page.keyboard.press(step)
        if place.is_enabled() and ghost(page) != begun:
            return ghost(page)
    raise AssertionError("The piece has one place only.")


def filled(match: Match) -> set[str]:
    """The filled spaces of seat 0's board."""
    board = repository.load(match.id).state.boards[0]
    return {
        f"{chr(97 + col)}{row}" for row, line in enumerate(board, 1) for col, mark in enumerate(line) if mark == "o"
    }


@pytest.mark.parametrize("choose", some_slow(CHOOSING, always=(by_arrows,)))
def test_enter_places_the_piece_at_the_cell_chosen_by_arrows(visitors: Visitors, choose: Choosing) -> None:
    match, page, card = with_a_piece(visitors)
    version = version_shown(page)
    choose(page, card)
    wanted = filled(match) | lead_elsewhere(page)
    page.keyboard.press("Enter")
    caught_up(page, version + 1)
    assert filled(match) == wanted


@pytest.mark.parametrize("undo", some_slow(["click", "Escape"], always=("Escape",)))
@pytest.mark.slow
def test_a_card_is_put_back_by_another_click_or_escape_and_the_focus_is_on_it(visitors: Visitors, undo: str) -> None:
    match, page, card = with_a_piece(visitors)
    version = version_shown(page)
    by_click(page, card)
    page.keyboard.press("r")
    page.keyboard.press("f")
    expect(page.locator("#module [data-name=place]")).to_be_focused()
    expect(page.locator(".part .chosen")).to_have_count(1)
    if undo == "click":
        by_click(page, card)
    else:
        page.keyboard.press("Escape")
    expect(page.locator(f'.part [data-cell="{card}"]')).to_be_focused()
    expect(page.locator(".part .chosen, #ghost")).to_have_count(0)
    assert repository.version_of(match.id) == version


@pytest.mark.slow
def test_enter_locks_in_the_rules_chosen_by_mouse(visitors: Visitors) -> None:
    match, page, _ = bending(visitors)
    letters = letters_of(match)
    for letter in letters:
        page.locator(f"#cell-{letter}").click()
    steps = [f"{NAMES[start]} to {NAMES[goal]}" for start, goal in zip(letters[::2], letters[1::2], strict=True)]
    page.keyboard.press("Enter")
    expect(page.locator("#picked")).to_contain_text(f"{', '.join(steps)}.")
    page.keyboard.press("Enter")
    expect(page.locator("#tray-note")).to_contain_text(f"Locked in: {' and '.join(steps)}.")


@pytest.mark.slow
def test_half_a_rule_is_not_locked_in(visitors: Visitors) -> None:
    match, page, _ = bending(visitors)
    for letter in letters_of(match):
        page.keyboard.press(letter)
    lock = page.locator("#module [data-name=lock]")
    expect(lock).to_be_focused()
    page.keyboard.press("i")
    expect(lock).to_be_disabled()
    page.keyboard.press("Enter")
    expect(page.locator("#picked")).to_be_hidden()


def test_cell_of_an_open_question_is_marked(visitors: Visitors) -> None:
    _, page, _ = drawing(visitors)
    cell = page.locator("#board .cell.target").first
    cell.click()
    question = page.locator("#board .asked")
    expect(question).to_have_attribute("data-cell", str(cell.get_attribute("data-cell")))
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
