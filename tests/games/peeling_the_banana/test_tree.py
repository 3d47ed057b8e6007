"""The number of lines of play; it changes with the rules."""

from collections import Counter
from typing import Any

import pytest

from games.peeling_the_banana import GAME
from tests.games.peeling_the_banana.staged import staged
from tests.tree import count, lines


@pytest.mark.parametrize(
    ("deck", "options", "number"),
    [
        ("domino#1 domino#2", {}, 507),
        ("domino#1 domino#2", {"board": ["###", "#.."]}, 27),
        ("line3#1 corner3#1 ell4#1", {}, 1017),
        ("seconds#1 coins2#1 bite#1", {"board": ["##"]}, 28),
        ("slip#1 regrow#1 tumble#1", {}, 9),
        ("coins2#1 coins3#1", {"shop": {"domino": 2, "reach": 3, "haggle": 1}}, 1296),
        ("domino#1 domino#2", {"board": ["###", "#.."], "reshuffle": "short"}, 36),
        ("slip#1 regrow#1 tumble#1", {"reshuffle": "short"}, 15),
    ],
    ids=str,
)
def test_the_lines_of_one_turn_each(deck: str, options: dict[str, Any], number: int) -> None:
    table = staged(deck, **{"turns": 1, "shop": {}, **options})
    assert count(GAME, table.state) == number


def test_r14_the_winners_at_the_end_of_every_line() -> None:
    """Seat 0 wins all 15 lines of its domino and all 4 of its bite; seat 1 all 8 of seat 0's coins."""
    table = staged("domino#1 bite#1 coins2#1", turns=1, shop={}, board=["###", "#.."])
    outcomes = [GAME.outcome(state) for state in lines(GAME, table.state)]
    assert Counter(outcome.winners for outcome in outcomes if outcome) == {(0,): 19, (1,): 8}
