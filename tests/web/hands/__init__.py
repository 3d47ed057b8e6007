"""Two seats at their browsers: one moves by mouse alone, the other by keys alone."""

from collections.abc import Callable
from random import Random

from playwright.sync_api import Page

from games.higher_or_lower.commands import AssignGroup
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services import playing
from matches.storage import repository
from tests.table_setting import play_on
from tests.waiting import wait_until

Hand = Callable[[Page, MatchState, int], None]
_TABS = 60
_TARGET = ":is(#board, .part) .cell.target"
_ABOVE_FINGER = 44


def version_shown(page: Page) -> int:
    """The version that the page shows."""
    return int(page.locator("#live").get_attribute("data-version") or 0)


def caught_up(page: Page, version: int) -> None:
    """Wait until the page shows this version or a later one."""
    wait_until(lambda: version_shown(page) >= version)


def opened(page: Page, match: Match, tab: str = "") -> Page:
    """The match's page, its scripts at work; what lies under a `tab` is in sight where one is named."""
    page.goto(f"/m/{match.code}/")
    page.locator("body[data-ready]").wait_for()
    if tab:
        page.locator(f"#tabs [value={tab}]").check()
    return page


def play(
    match: Match, pages: dict[int, Page], hands: dict[int, Hand], most: int, until: Callable[[MatchState], bool]
) -> int:
    """Let the seats move at their pages until something holds, or so many moves are made; gives how many were."""
    moves = 0
    while moves < most:
        playing.attend(match_id=match.id)
        match_state = repository.load(match.id)
        if match_state.outcome or until(match_state):
            break
        seat = match_state.due.prompts[0].seat
        caught_up(pages[seat], match_state.version)
        hands[seat](pages[seat], repository.load(match.id, seat), seat)
        wait_until(lambda before=match_state.version: repository.version_of(match.id) > before)
        moves += 1
    return moves


def skip(match: Match, until: Callable[[MatchState], bool], most: int = 400) -> None:
    """Let the bots play both seats until something holds."""
    for _ in range(most):
        playing.attend(match_id=match.id)
        match_state = repository.load(match.id)
        if match_state.outcome or until(match_state):
            return
        play_on(match, 1)
    raise AssertionError("It never came to that.")


def by_mouse(page: Page, state: MatchState, seat: int) -> None:
    """A move by clicks: a target on the board or a button, then whatever the sheet asks."""
    module = page.evaluate("document.body.dataset.module")
    if module in _MOUSE:
        _MOUSE[module](page, state, seat)
    elif page.locator(_TARGET).count():
        page.locator(_TARGET).last.click()
    else:
        page.locator("#choices .choice").first.click()
    _confirm_by_mouse(page, state.version)


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """A move by keys: arrows to a target and Enter, a letter or digit, or Tab to a button and Enter."""
    module = page.evaluate("document.body.dataset.module")
    if module in _KEYS:
        _KEYS[module](page, state, seat)
    elif page.locator(_TARGET).count():
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    else:
        tab_to(page, "#choices .choice")
        page.keyboard.press("Enter")
    _confirm_by_keys(page, state.version)


def _asked_or_moved(page: Page, version: int) -> bool:
    """Wait until the sheet asks, or the move has gone through; tells whether the sheet asks."""
    sheet = page.locator("#picked")

    def settled() -> str:
        if sheet.count() and sheet.is_visible():
            return "asked"
        return "moved" if version_shown(page) > version else ""

    return bool(wait_until(settled) == "asked")


def _confirm_by_mouse(page: Page, version: int) -> None:
    if _asked_or_moved(page, version):
        page.locator("#picked .choice").first.click()


def _confirm_by_keys(page: Page, version: int) -> None:
    if _asked_or_moved(page, version):
        page.keyboard.press("Enter")


def tab_to(page: Page, selector: str) -> None:
    """Lead the focus to something by Tab."""
    for _ in range(_TABS):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {selector}.")


_PLACE, _SHEET, _TARGETS = "#module [data-name=place]:not([aria-disabled])", "#picked", "#module .aims .choice"
"""Selectors of a card's next question: a place on the board, a confirmation, or another card."""


def reach(page: Page, how: str = "") -> list[str]:
    """The cards that the page offers to play, those of pieces alone if `how` says so."""
    cards = page.evaluate("JSON.parse(document.getElementById('tray-data')?.textContent ?? '{}').data?.cards ?? []")
    return [card["card"] for card in cards if how in ("", card["how"])]


def _asked_by_card(page: Page) -> str:
    """Wait until the card that was chosen has asked; gives which of the three."""
    return str(wait_until(lambda: next(filter(page.is_visible, (_PLACE, _SHEET, _TARGETS)), "")))


def banana_by_mouse(page: Page, state: MatchState, seat: int) -> None:
    """The first card, where it lies best or else where it may, or on the first card that it asks for."""
    card = page.locator(f'.part [data-cell="{reach(page)[0]}"]')
    card.click()
    question = _asked_by_card(page)
    if question == _PLACE:
        board = state.state.boards[seat]
        row, col = next((r, c) for r, line in enumerate(board) for c, mark in enumerate(line) if mark != ".")
        page.locator(f"#board [data-cell={chr(97 + col)}{row + 1}]").click()
        if not page.locator(_PLACE).count():
            card.click()
            card.click()
        page.locator(_PLACE).click()
    elif question == _TARGETS:
        page.locator(_TARGETS).first.click()


def _banana_by_keys(page: Page, state: MatchState, seat: int) -> None:
    page.keyboard.press("1")
    question = _asked_by_card(page)
    if question == _PLACE:
        for key in ("r", "r", "f", "f", "r", "r", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
        if not page.locator(_PLACE).count():
            page.keyboard.press("1")
            page.keyboard.press("1")
        page.keyboard.press("Enter")
    elif question == _TARGETS:
        tab_to(page, _TARGETS)
        page.keyboard.press("Enter")


Point = tuple[float, float]


def middle(page: Page, selector: str) -> Point:
    """The middle of what is shown there."""
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry_by_mouse(page: Page, start: Point, end: Point) -> None:
    """Drag by mouse, and hold it there."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 9, start[1] + 9)
    page.mouse.move(*end, steps=4)


def drag_by_finger(page: Page, start: Point, end: Point) -> None:
    """Drag by touch, so that the thing, which hangs above the finger, comes to the end, and let go."""
    wire = page.context.new_cdp_session(page)

    def touch(kind: str, *at: Point) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    goal = (end[0], end[1] + _ABOVE_FINGER)
    touch("touchStart", start)
    for part in (0.1, 0.3, 0.6, 1.0):
        touch("touchMove", (start[0] + part * (goal[0] - start[0]), start[1] + part * (goal[1] - start[1])))
    touch("touchEnd")


def _spells_of(state: MatchState, seat: int) -> list[str]:
    """The letters that a legal choice of this stage is made of, in the order in which they are named."""
    command = next(iter(state.game.legal(state.state, seat)))
    match state.state.stage:
        case "bend":
            return [letter for rule in command.rules for letter in (rule[0], rule[2])]
        case "cast":
            return [command.spell, *command.targets]
        case _:
            return list(command.spells)


def _benders_by_mouse(page: Page, state: MatchState, seat: int) -> None:
    for letter in _spells_of(state, seat):
        page.locator(f"#cell-{letter}").click()
    page.locator("#module [data-name=lock]").click()


def _benders_by_keys(page: Page, state: MatchState, seat: int) -> None:
    for letter in _spells_of(state, seat):
        page.keyboard.press(letter.lower())
    page.keyboard.press("Enter")


def _cards_for_a_group(state: MatchState, seat: int) -> tuple[str, list[str]]:
    """A group that lies open, and cards that it takes."""
    command = state.game.sample(state.state, seat, Random(1))
    assert isinstance(command, AssignGroup)
    return f"{command.board} {command.shape}", list(command.cards)


def group_by_mouse(page: Page, state: MatchState, seat: int) -> None:
    """A whole group, by clicks: its board, the group, then card after card."""
    group, cards = _cards_for_a_group(state, seat)
    page.locator(f'#module [data-name="board {group[0]}"]').click()
    page.locator(f'#module [data-name="{group}"]').click()
    for card in cards:
        page.locator(f'#module [data-name="{card}"]').click()


def group_by_keys(page: Page, state: MatchState, seat: int) -> None:
    """A whole group, by keys: letters turn to the board, digits choose the group, arrows and Enter the cards."""
    group, cards = _cards_for_a_group(state, seat)
    page.keyboard.press(group[0].lower())
    trays = page.locator("#module .group-tray")
    names = [trays.nth(at).get_attribute("data-cell") for at in range(trays.count())]
    page.keyboard.press(str(names.index(group) + 1))
    for card in cards:
        page.locator(f'#module [data-name="{card[0]}1"]').focus()
        for _ in range(int(card[1:]) - 1):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")


def _call_by_mouse(page: Page, state: MatchState, seat: int) -> None:
    page.locator("#board .cell.target").last.click()
    page.locator("#module [data-name=higher]").click()


def _call_by_keys(page: Page, state: MatchState, seat: int) -> None:
    for arrow in ("ArrowUp", "ArrowLeft"):
        page.keyboard.press(arrow)
    page.keyboard.press("l")


_MOUSE: dict[str, Hand] = {
    "banana": banana_by_mouse,
    "benders": _benders_by_mouse,
    "assigning": group_by_mouse,
    "guessing": _call_by_mouse,
}
_KEYS: dict[str, Hand] = {
    "banana": _banana_by_keys,
    "benders": _benders_by_keys,
    "assigning": group_by_keys,
    "guessing": _call_by_keys,
}
