"""Reality Benders by one hand alone: rules drawn between spells, spells cast at their targets, offered and taken."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from games.reality_benders.commands import Bend, Cast, Offer, Pick
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
    touch_drag,
    type_move,
    wanted,
    written,
)

OPTIONS: dict[str, Any] = {"max_bouts": 1}
Carry = Callable[[Page, str, str], None]
Press = Callable[[Page, str], None]


def by_dragging(page: Page, state: MatchState, seat: int) -> None:
    """Rules from spell to spell, a spell from the hand onto what it aims at."""
    _pointed(page, state, seat, drag, lambda page, place: page.locator(place).click())
    confirm_by_mouse(page, state.version)


def by_touch(page: Page, state: MatchState, seat: int) -> None:
    """Play by finger; every other move by taps."""
    press: Press = lambda page, place: page.locator(place).tap()  # noqa: E731
    if state.version % 2:
        _pointed(page, state, seat, touch_drag, press)
    else:
        _pressed(page, state, seat, press)
    confirm_by_touch(page, state.version)


def by_keys(page: Page, state: MatchState, seat: int) -> None:
    """Letters name spells, Tab leads to the items, Enter locks in."""
    command = wanted(state, seat)
    if isinstance(command, Pick):
        arrows_to(page, command.spell)
        page.keyboard.press("Enter")
    else:
        _pressed(page, state, seat, _press_key)
    confirm_by_keys(page, state.version)


def by_typing(page: Page, state: MatchState, seat: int) -> None:
    """The move as it is written."""
    type_move(page, written(state, wanted(state, seat)))


def _pointed(page: Page, state: MatchState, seat: int, carry: Carry, press: Press) -> None:
    """Carry the things that can be carried, and press the others."""
    match wanted(state, seat):
        case Bend() as bend:
            for item, rule in _drawn(bend):
                if item:
                    press(page, named(item))
                carry(page, cell(rule[0]), cell(rule[2]))
            press(page, named("lock"))
        case Cast(spell=spell, targets=targets, bonus=bonus):
            carry(page, cell(f"hand {spell}"), cell(targets[0]) if targets else "#board")
            if len(targets) == 2:
                carry(page, cell(targets[0]), cell(targets[1]))
            if bonus:
                press(page, named("bonus"))
            press(page, named("lock"))
        case _:
            _pressed(page, state, seat, press)


def _pressed(page: Page, state: MatchState, seat: int, press: Press) -> None:
    """One spell after the other, and the items between them."""
    match wanted(state, seat):
        case Bend() as bend:
            for item, rule in _drawn(bend):
                if item:
                    press(page, named(item))
                press(page, cell(rule[0]))
                press(page, cell(rule[2]))
        case Cast(spell=spell, targets=targets, bonus=bonus):
            press(page, cell(f"hand {spell}"))
            for target in targets:
                press(page, cell(target))
            if bonus:
                press(page, named("bonus"))
        case Offer(spells=spells):
            for spell in spells:
                press(page, cell(spell))
        case Pick(spell=spell):
            press(page, cell(spell))
            return
    press(page, named("lock"))


def _press_key(page: Page, place: str) -> None:
    """A spell's letter; whatever else there is, by Tab and Enter."""
    if place.startswith("#module"):
        tab_to(page, place)
        page.keyboard.press("Enter")
    else:
        page.keyboard.press(place.removesuffix('"]')[-1].lower())


def _drawn(bend: Bend) -> list[tuple[str, str]]:
    """Each rule of a bend, after the item that it takes."""
    items = (("bridge", bend.bridge), ("break", bend.break_))
    return [*(("", rule) for rule in bend.rules), *((item, rule) for item, rule in items if rule)]
