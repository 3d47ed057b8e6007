"""Pyramid Poker by one hand alone: bricks are laid, drawn off the pyramid, and put into hands."""

from typing import Any

from playwright.sync_api import Page

from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from matches.domain.match_state import MatchState
from tests.web.hands.alone import (
    arrows_to,
    cell,
    confirm_by_keys,
    confirm_by_mouse,
    confirm_by_touch,
    drag,
    press_choice,
    touch_drag,
    type_move,
    wanted,
    written,
)

OPTIONS: dict[str, Any] = {}
_OFF = (0.0, -90.0)
"""Offset by which a brick is dragged off its place to draw it from the pyramid."""


def by_dragging(page: Page, state: MatchState, seat: int) -> None:
    """The brick in hand onto its space or its hand; a brick of the pyramid off it."""
    _carried(page, state, seat, "mouse")
    confirm_by_mouse(page, state.version)


def by_touch(page: Page, state: MatchState, seat: int) -> None:
    """Play by finger; every other move by taps."""
    if state.version % 2:
        _carried(page, state, seat, "touch")
    else:
        _tapped(page, state, seat)
    confirm_by_touch(page, state.version)


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """Arrows to the space, a digit for the hand."""
    command = wanted(state, seat)
    match command:
        case Place(cell=space) | Draw(cell=space):
            arrows_to(page, space)
            page.keyboard.press("Enter")
        case Assign(hand=hand) if state.version % 2:
            arrows_to(page, f"hand {hand}")
            page.keyboard.press("Enter")
        case Assign(hand=hand):
            page.keyboard.press(str(hand))
        case _:
            press_choice(page, written(state, command), "keys")
    confirm_by_keys(page, state.version)


def by_typing(page: Page, state: MatchState, seat: int) -> None:
    """The move as it is written."""
    type_move(page, written(state, wanted(state, seat)))


def _carried(page: Page, state: MatchState, seat: int, pointer: str) -> None:
    carry = touch_drag if pointer == "touch" else drag
    command = wanted(state, seat)
    match command:
        case Place(cell=space):
            carry(page, cell("held"), cell(space))
        case Draw(cell=space):
            carry(page, cell(space), cell(space), _OFF)
        case Assign(hand=hand):
            carry(page, cell("held"), cell(f"hand {hand}"))
        case ChooseFirst():
            press_choice(page, written(state, command), pointer)


def _tapped(page: Page, state: MatchState, seat: int) -> None:
    command = wanted(state, seat)
    match command:
        case Place(cell=space) | Draw(cell=space):
            page.locator(cell(space)).tap()
        case Assign(hand=hand):
            page.locator(cell(f"hand {hand}")).tap()
        case ChooseFirst():
            press_choice(page, written(state, command), "touch")
