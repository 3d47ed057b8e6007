"""Single actions at a match's page, of which drivers consist: drag by mouse or touch, press keys, type."""

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Page

from matches.domain.match_state import MatchState
from tests.waiting import wait_until
from tests.web.hands import carry_by_mouse, drag_by_finger, middle, tab_to, version_shown

Hand = Callable[[Page, MatchState, int], None]
"""Makes one move: the seat's page, what the seat knows, the seat. It may give back before the move has gone through."""

_PRESSES = 60
_ARROWS = ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp")
_FOCUS = "document.activeElement.id"
_HERE = "document.activeElement?.dataset?.cell ?? ''"


def wanted(state: MatchState, seat: int) -> Any:
    """The command that the game's bot would choose, the same whenever it is asked at this version."""
    return state.game.bot(state.state, seat, Random(state.version))


def written(state: MatchState, command: Any) -> str:
    """A command in the game's notation."""
    return str(state.game.notation.form(command))


def cell(name: str) -> str:
    """The cell of this name, on the board or beside it."""
    return f':is(#board, .part) [data-cell="{name}"]'


def named(name: str) -> str:
    """The control of this name that the game's own script made."""
    return f'#module [data-name="{name}"]'


def drag(page: Page, start: str, goal: str, off: tuple[float, float] = (0, 0)) -> None:
    """Drag one thing onto another by mouse, or so far off its middle."""
    x, y = middle(page, goal)
    carry_by_mouse(page, middle(page, start), (x + off[0], y + off[1]))
    page.mouse.up()


def touch_drag(page: Page, start: str, goal: str, off: tuple[float, float] = (0, 0)) -> None:
    """Drag by finger with real touches, which the browser may take for scrolling."""
    x, y = middle(page, goal)
    drag_by_finger(page, middle(page, start), (x + off[0], y + off[1]))


def wait_for_confirmation(page: Page, version: int) -> bool:
    """Wait until the sheet asks for confirmation or the move is made; return True if the sheet asks."""
    sheet = page.locator("#picked")

    def settled() -> str:
        if sheet.count() and sheet.is_visible():
            return "asked"
        return "moved" if version_shown(page) > version else ""

    return bool(wait_until(settled) == "asked")


def confirm_by_mouse(page: Page, version: int) -> None:
    """Say yes by a click where the sheet asks."""
    if wait_for_confirmation(page, version):
        page.locator("#picked .choice").first.click()


def confirm_by_touch(page: Page, version: int) -> None:
    """Say yes by a tap where the sheet asks."""
    if wait_for_confirmation(page, version):
        page.locator("#picked .choice").first.tap()


def confirm_by_keys(page: Page, version: int) -> None:
    """Say yes by Enter where the sheet asks."""
    if wait_for_confirmation(page, version):
        page.keyboard.press("Enter")


def arrows_to(page: Page, name: str) -> None:
    """Lead the focus to a target by arrow keys."""
    page.keyboard.press("ArrowDown")
    goal = middle(page, cell(name))
    been: list[tuple[str, str]] = []
    for _ in range(_PRESSES):
        here = str(page.evaluate(_HERE))
        if here == name:
            return
        x, y = middle(page, cell(here))
        dx, dy = goal[0] - x, goal[1] - y
        across, along = "ArrowRight" if dx > 0 else "ArrowLeft", "ArrowDown" if dy > 0 else "ArrowUp"
        first = [across, along] if abs(dx) > abs(dy) else [along, across]
        ways = [*first, *(way for way in _ARROWS if way not in first)]
        way = next((way for way in ways if (here, way) not in been), "")
        assert way, f"Arrows lead to {sorted({at for at, _ in been})}, and never to {name}."
        been.append((here, way))
        page.keyboard.press(way)
    raise AssertionError(f"Arrows never came to {name}.")


def press_choice(page: Page, text: str, pressing: str) -> None:
    """The listed button that sends this command: by `mouse`, by `touch`, or by `keys`."""
    button = f'#choices .choice[value="{text}"]'
    if pressing == "keys":
        tab_to(page, button)
        page.keyboard.press("Enter")
    elif pressing == "touch":
        page.locator(button).tap()
    else:
        page.locator(button).click()


def type_move(page: Page, text: str) -> None:
    """A move as it is written, with nothing but a keyboard: a slash leads to the box, which keeps the focus."""
    if page.evaluate(_FOCUS) != "command-box":
        page.keyboard.press("/")
    assert page.evaluate(_FOCUS) == "command-box"
    page.keyboard.type(text)
    page.keyboard.press("Enter")
