"""Higher or Lower by one hand alone: fifty cards laid into fifteen groups, boards chosen, cards turned and called."""

from typing import Any

from playwright.sync_api import Page

from games.higher_or_lower.commands import AssignGroup, ChooseBoard, ChooseColour, Flip, Guess, LockIn, Stop
from games.higher_or_lower.pieces import SIDE, space_name
from games.higher_or_lower.playing import NEIGHBOURS
from matches.domain.match_state import MatchState
from tests.web.hands import tab_to
from tests.web.hands.alone import (
    arrows_to,
    cell,
    confirm_by_keys,
    confirm_by_mouse,
    confirm_by_touch,
    drag,
    named,
    press_choice,
    touch_drag,
    type_move,
    wanted,
    written,
)

OPTIONS: dict[str, Any] = {}
_ARROW = {"north": "ArrowUp", "south": "ArrowDown", "east": "ArrowRight", "west": "ArrowLeft"}


def by_dragging(page: Page, state: MatchState, seat: int) -> None:
    """Card after card onto its group; a click for what has no way to go."""
    match wanted(state, seat):
        case AssignGroup(board=board, shape=shape, cards=cards):
            page.locator(named(f"board {board}")).click()
            for card in cards:
                drag(page, named(card), _tray(board, shape))
            return
        case LockIn():
            page.locator(named("lock")).click()
        case Flip(row=row, col=col):
            page.locator(cell(space_name(row, col))).click()
        case Guess(direction=direction, call=call):
            page.locator(cell(_aim(state, direction))).click()
            page.locator(named(call)).click()
        case Stop():
            page.locator(named("stop")).click()
        case command:
            _choose(page, state, command, "mouse")
    confirm_by_mouse(page, state.version)


def by_touch(page: Page, state: MatchState, seat: int) -> None:
    """Play by finger: scroll to a suit, then carry a card to its group or tap it for the chosen group."""
    match wanted(state, seat):
        case AssignGroup(board=board, shape=shape, cards=cards):
            page.locator(named(f"board {board}")).tap()
            tapped = state.version % 2 == 0
            if tapped:
                page.locator(named(f"{board} {shape}")).tap()
            for card in cards:
                if not page.locator(named(card)).is_visible():
                    page.locator(named(f"suit {card[0]}")).tap()
                if tapped:
                    page.locator(named(card)).tap()
                else:
                    touch_drag(page, named(card), _tray(board, shape))
            return
        case LockIn():
            page.locator(named("lock")).tap()
        case Flip(row=row, col=col):
            page.locator(cell(space_name(row, col))).tap()
        case Guess(direction=direction, call=call):
            page.locator(cell(_aim(state, direction)) if state.version % 2 else named(direction)).tap()
            page.locator(named(call)).tap()
        case Stop():
            page.locator(named("stop")).tap()
        case command:
            _choose(page, state, command, "touch")
    confirm_by_touch(page, state.version)


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """Letters turn to boards and call, digits choose groups, arrows lead to cards and ways."""
    match wanted(state, seat):
        case AssignGroup(board=board, shape=shape, cards=cards):
            page.keyboard.press(board.lower())
            trays = page.locator("#module .group-tray")
            names = [trays.nth(at).get_attribute("data-cell") for at in range(trays.count())]
            page.keyboard.press(str(names.index(f"{board} {shape}") + 1))
            for card in cards:
                _arrows_to_card(page, card)
                page.keyboard.press("Enter")
            return
        case LockIn():
            tab_to(page, named("lock"))
            page.keyboard.press("Enter")
        case Flip(row=row, col=col):
            arrows_to(page, space_name(row, col))
            page.keyboard.press("Enter")
        case Guess(direction=direction, call=call):
            page.keyboard.press(_ARROW[direction])
            page.keyboard.press(call[0])
        case Stop():
            page.keyboard.press("s")
        case command:
            _choose(page, state, command, "keys")
    confirm_by_keys(page, state.version)


def by_typing(page: Page, state: MatchState, seat: int) -> None:
    """The move as it is written."""
    type_move(page, written(state, wanted(state, seat)))


def _tray(board: str, shape: str) -> str:
    return f'#module .group-tray[data-cell="{board} {shape}"]'


def _aim(state: MatchState, direction: str) -> str:
    """The space that lies this way from the card last turned."""
    space = NEIGHBOURS[state.state.at][direction]
    return space_name(space // SIDE + 1, space % SIDE + 1)


def _arrows_to_card(page: Page, card: str) -> None:
    """Left and right lead through the hand, up and down to the next suit's."""
    here = "document.activeElement?.dataset?.name ?? ''"
    page.keyboard.press("ArrowRight")
    for _ in range(60):
        at = str(page.evaluate(here))
        if at == card:
            return
        if at[0] == card[0]:
            page.keyboard.press("ArrowRight" if int(at[1:]) < int(card[1:]) else "ArrowLeft")
        else:
            page.keyboard.press("ArrowDown" if at[0] < card[0] else "ArrowUp")
    raise AssertionError(f"Arrows never came to {card}.")


def _choose(page: Page, state: MatchState, command: Any, pointer: str) -> None:
    """A colour's button, or the board that is played next and who begins on it."""
    if isinstance(command, ChooseColour):
        press_choice(page, written(state, command), pointer)
        return
    assert isinstance(command, ChooseBoard)
    first = f'#picked .choice:has-text("go {command.order}")'
    if pointer == "keys":
        arrows_to(page, command.board)
        page.keyboard.press("Enter")
        page.locator(first).wait_for()
        tab_to(page, f"#picked .choice:nth-of-type({1 if command.order == 'first' else 2})")
        page.keyboard.press("Enter")
    elif pointer == "touch":
        page.locator(cell(command.board)).tap()
        page.locator(first).tap()
    else:
        page.locator(cell(command.board)).click()
        page.locator(first).click()
