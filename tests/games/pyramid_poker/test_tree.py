"""The number of lines of play; it changes with the rules."""

from collections import Counter

from games.pyramid_poker import GAME
from tests.games.pyramid_poker.built import built, taken_down
from tests.games.pyramid_poker.test_end import ONE_ONE
from tests.tree import count, lines


def test_r5_the_ways_to_begin_a_pyramid() -> None:
    opening = GAME.open({}, 2, 0)
    assert [count(GAME, opening, depth) for depth in (1, 2, 3, 4)] == [2, 2 * 8, 2 * 8 * 7, 2 * (8 * 7 * 6 + 14)]


def test_r5_a_wider_pyramid_has_more_of_them() -> None:
    opening = GAME.open({"base": 12}, 2, 0)
    assert [count(GAME, opening, depth) for depth in (1, 2, 3, 4)] == [2, 2 * 12, 2 * 12 * 11, 2 * (12 * 11 * 10 + 22)]


def test_r9_the_ways_to_begin_to_take_it_down() -> None:
    standing = built().state
    assert [count(GAME, standing, depth) for depth in (1, 2, 3, 4)] == [4, 4 * 3, 3 * (3 + 3 + 3 + 4 + 1), 9 * 14]


def test_r11_the_ways_to_draw_the_last_three_bricks() -> None:
    """Seat 0 gets one of 10C and 10S for a tie that is its by priority, or 8D for the lower pair."""
    last = taken_down(*ONE_ONE, left_over=3).state
    winners = Counter(GAME.outcome(state).winners for state in lines(GAME, last, 6))
    assert winners == {(0,): 4, (1,): 2}
