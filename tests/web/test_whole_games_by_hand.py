"""Every game is played to its end at its page by one hand alone: dragging, touching, pressing keys, typing.

The other seat's moves are made for it. A game's driver is a module of `tests.web.hands` of its own, with the OPTIONS of
a match and a function for each of HANDS, which makes one move.
"""

from types import ModuleType

import pytest
from playwright.sync_api import Page

from matches import services
from matches.models import Match
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match
from tests.waiting import wait_until
from tests.web.hands import (
    caught_up,
    higher_or_lower,
    opened,
    peeling_the_banana,
    pentagram,
    pyramid_poker,
    reality_benders,
)
from tests.web.hands.alone import Hand
from tests.web.site import Visitors

GAMES: tuple[ModuleType, ...] = (higher_or_lower, peeling_the_banana, pentagram, pyramid_poker, reality_benders)
HANDS = ("by_dragging", "by_touch", "by_keys", "by_typing")
PHONE = {"narrow": True, "touch": True}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("driver", GAMES, ids=lambda driver: driver.__name__.rpartition(".")[2])
def test_a_game_is_played_to_its_end_by_one_hand_alone(visitors: Visitors, driver: ModuleType, hand: str) -> None:
    one = new_account()
    game = driver.__name__.rpartition(".")[2]
    match = running_match(game, one, new_account(), options=driver.OPTIONS)
    page = opened(visitors.page(one, **PHONE if hand == "by_touch" else {}), match)
    moves = played_through(match, page, getattr(driver, hand))
    assert moves > 0
    assert page.locator("#live").get_attribute("data-status") == "finished"
    assert "win" in page.locator("#result").inner_text()
    assert whole(page), "what decided the match is cut off"


def whole(page: Page) -> bool:
    """True if the end's picture fits its frame, and the page its window."""
    return bool(
        page.evaluate("""() => {
            const box = name => document.querySelector(name).getBoundingClientRect();
            const [frame, drawn] = [box("#board"), box("#board > svg")];
            const { scrollHeight, scrollWidth } = document.documentElement;
            return drawn.left > frame.left - 2 && drawn.right < frame.right + 2 && drawn.top > frame.top - 2
              && drawn.bottom < frame.bottom + 2 && scrollHeight <= innerHeight && scrollWidth <= innerWidth;
        }""")
    )


def played_through(match: Match, page: Page, hand: Hand) -> int:
    """Play to the end, the first seat at its page; gives how many moves it made there."""
    moves = 0
    while True:
        services.attend(match_id=match.id)
        state = repository.load(match.id, 0)
        if state.outcome:
            caught_up(page, state.version)
            return moves
        if 0 not in {prompt.seat for prompt in state.due.prompts}:
            play_on(match, 1)
            continue
        caught_up(page, state.version)
        hand(page, state, 0)
        wait_until(lambda before=state.version: repository.version_of(match.id) > before)
        moves += 1
