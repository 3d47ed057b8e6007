"""Pentagram by one hand alone: the drawn card to its space, and in the sheet with a worker or without."""

from typing import Any

from playwright.sync_api import Page

from games.pentagram.commands import Place
from games.pentagram.pieces import LETTERS
from matches.domain.match_state import MatchState
from tests.web.hands import middle
from tests.web.hands.alone import arrows_to, cell, drag, touch_drag, type_move, wait_for_confirmation, wanted, written

OPTIONS: dict[str, Any] = {"start_coins": 5}
_WAYS = {True: "With a worker", False: "Place it alone"}


def by_dragging(page: Page, state: MatchState, seat: int) -> None:
    """The card onto its space, then the sheet's button."""
    place = _wanted(state, seat)
    drag(page, cell("card"), cell(_space(place)))
    assert wait_for_confirmation(page, state.version)
    page.locator("#picked > .choice", has_text=_WAYS[place.worker]).click()


def by_touch(page: Page, state: MatchState, seat: int) -> None:
    """Play by finger without scrolling; every other pair of moves by a tap on the space."""
    place = _wanted(state, seat)
    if state.state.turns % 4 < 2:
        touch_drag(page, cell("card"), cell(_space(place)))
    else:
        page.touchscreen.tap(*middle(page, cell(_space(place))))
    assert wait_for_confirmation(page, state.version)
    page.touchscreen.tap(*middle(page, f"#picked > .choice:has-text('{_WAYS[place.worker]}')"))


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """Arrows to the space, Enter, a letter for the way to place it."""
    place = _wanted(state, seat)
    arrows_to(page, _space(place))
    page.keyboard.press("Enter")
    assert wait_for_confirmation(page, state.version)
    page.keyboard.press("w" if place.worker else "p")


def by_typing(page: Page, state: MatchState, seat: int) -> None:
    """The move as it is written."""
    type_move(page, written(state, _wanted(state, seat)))


def _wanted(state: MatchState, seat: int) -> Place:
    command = wanted(state, seat)
    assert isinstance(command, Place)
    return command


def _space(place: Place) -> str:
    return f"{LETTERS[place.colour]}{place.space}"
