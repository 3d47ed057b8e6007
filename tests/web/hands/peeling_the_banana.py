"""Peeling the Banana by one hand alone: a card of the reach onto the sheet or another card, then the shop."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from games.peeling_the_banana.commands import Buy, EndTurn, PlayCard
from games.peeling_the_banana.pieces import SHAPES, Placement, Space, kind_of, space_name, turned
from games.peeling_the_banana.state import reach
from matches.domain.match_state import MatchState
from tests.web.hands import carry_by_mouse, drag_by_finger, middle
from tests.web.hands.alone import (
    arrows_to,
    cell,
    confirm_by_keys,
    confirm_by_mouse,
    confirm_by_touch,
    named,
    press_choice,
    type_move,
    wanted,
    written,
)

OPTIONS: dict[str, Any] = {"turns": 8}
_OFF = -90.0
"""Offset to the left by which an item of the shop is dragged off its shelf."""
_HELD = re.compile(r" on ([a-z])(\d+)")
Point = tuple[float, float]


def by_dragging(page: Page, state: MatchState, seat: int) -> None:
    """A card onto the sheet or another card, a good off its shelf; what is turned is turned by its buttons."""
    _carried(page, state, seat, _drag, lambda where: page.locator(where).first.click())
    confirm_by_mouse(page, state.version)


def by_touch(page: Page, state: MatchState, seat: int) -> None:
    """Play by finger without scrolling; cards that aim at another one are played by taps."""

    def tap(where: str) -> None:
        page.touchscreen.tap(*middle(page, where))

    command = wanted(state, seat)
    if isinstance(command, PlayCard) and isinstance(command.target, str):
        tap(cell(command.card))
        tap(_aim(page, command.target))
    elif isinstance(command, Buy) and state.version % 2:
        tap(cell(command.item))
    else:
        _carried(page, state, seat, drag_by_finger, tap)
    confirm_by_touch(page, state.version)


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """A digit for the card, R and F and arrows for a piece, Enter; arrows to a good of the shop."""
    command = wanted(state, seat)
    match command:
        case PlayCard(card=card):
            page.keyboard.press(str(1 + reach(state.state, seat).index(card)))
            _placed_by_keys(page, command)
        case Buy(item=item):
            arrows_to(page, item)
            page.keyboard.press("Enter")
        case EndTurn():
            page.keyboard.press("e")
        case _:
            press_choice(page, written(state, command), "keys")
    confirm_by_keys(page, state.version)


def by_typing(page: Page, state: MatchState, seat: int) -> None:
    """The move as it is written."""
    type_move(page, written(state, wanted(state, seat)))


def _carried(
    page: Page, state: MatchState, seat: int, carry: Callable[[Page, Point, Point], None], press: Callable[[str], None]
) -> None:
    command = wanted(state, seat)
    match command:
        case PlayCard(card=card, placement=Placement(row=row, col=col, rotation=rotation, flip=flip)):
            press(cell(card))
            for _ in range(rotation // 90):
                press(named("rotate"))
            if flip:
                press(named("flip"))
            carry(
                page, middle(page, cell(card)), _middle(page, turned(SHAPES[kind_of(card)], rotation, flip), row, col)
            )
        case PlayCard(card=card, target=Space(row=row, col=col)):
            carry(page, middle(page, cell(card)), middle(page, cell(space_name(row, col))))
        case PlayCard(card=card, target=str() as target):
            carry(page, middle(page, cell(card)), middle(page, cell(target)))
        case PlayCard(card=card):
            carry(page, middle(page, cell(card)), middle(page, "#board"))
        case Buy(item=item):
            x, y = middle(page, cell(item))
            carry(page, (x, y), (x + _OFF, y))
        case EndTurn():
            press('#choices [value="end"]')
        case _:
            press(f'#choices [value="{written(state, command)}"]')


def _drag(page: Page, start: Point, end: Point) -> None:
    carry_by_mouse(page, start, end)
    page.mouse.up()


def _middle(page: Page, lie: tuple[tuple[int, int], ...], row: int, col: int) -> Point:
    """The middle of a piece as it lies: of all of it, whichever of its squares there is to look at."""
    down, right = lie[0]
    x, y = middle(page, cell(space_name(row + down, col + right)))
    box = page.locator(cell(space_name(row + down, col + right))).locator("rect").first.bounding_box()
    assert box
    high, wide = (max(offset[axis] for offset in lie) for axis in (0, 1))
    return x + (wide / 2 - right) * box["width"], y + (high / 2 - down) * box["height"]


def _aim(page: Page, target: str) -> str:
    """Return the selector of a card's target: the target itself if it is visible, otherwise its button."""
    return cell(target) if page.locator(cell(target)).is_visible() else named(target)


def _placed_by_keys(page: Page, command: PlayCard) -> None:
    match command:
        case PlayCard(placement=Placement(row=row, col=col, rotation=rotation, flip=flip)):
            for key in ("r",) * (rotation // 90) + ("f",) * flip:
                page.keyboard.press(key)
            _moved_to(page, row, col)
        case PlayCard(target=Space(row=row, col=col)):
            _moved_to(page, row, col)
        case PlayCard(target=str() as target):
            for _ in range(80):
                if page.evaluate("document.activeElement.dataset.name") == target:
                    break
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")


def _moved_to(page: Page, row: int, col: int) -> None:
    """Arrows lead the held piece to a space, and Enter lays it there."""
    held = _HELD.search(page.locator("#turn-bar .held").inner_text())
    assert held
    down, right = row - int(held[2]), col - (ord(held[1]) - 96)
    for key, times in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(times):
            page.keyboard.press(key)
    page.keyboard.press("Enter")
