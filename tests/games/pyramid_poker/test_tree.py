"""How many lines of play there are: a change of the rules shows itself here."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce

from games.kernel import Chance
from games.pyramid_poker import GAME
from games.pyramid_poker.state import State
from tests.games.pyramid_poker.built import built, taken_down
from tests.games.pyramid_poker.test_end import ONE_ONE


def lines(state: State, depth: int) -> Iterator[State]:
    """The state at the end of each line of this many commands, or fewer where the match ends."""
    if depth == 0 or GAME.outcome(state):
        yield state
        return
    (prompt,) = GAME.due(state).prompts
    for command in GAME.legal(state, prompt.seat):
        events = GAME.decide(state, prompt.seat, command, Chance(seed=b"tree"))
        yield from lines(reduce(GAME.evolve, events, state), depth - 1)


def count(state: State, depth: int) -> int:
    """How many lines of this many commands there are."""
    return sum(1 for _ in lines(state, depth))


def test_r5_the_ways_to_begin_a_pyramid() -> None:
    opening = GAME.open({}, 2, 0)
    assert [count(opening, depth) for depth in (1, 2, 3, 4)] == [2, 2 * 8, 2 * 8 * 7, 2 * (8 * 7 * 6 + 14)]


def test_r5_a_wider_pyramid_has_more_of_them() -> None:
    opening = GAME.open({"base": 12}, 2, 0)
    assert [count(opening, depth) for depth in (1, 2, 3, 4)] == [2, 2 * 12, 2 * 12 * 11, 2 * (12 * 11 * 10 + 22)]


def test_r9_the_ways_to_begin_to_take_it_down() -> None:
    standing = built().state
    assert [count(standing, depth) for depth in (1, 2, 3, 4)] == [4, 4 * 3, 3 * (3 + 3 + 3 + 4 + 1), 9 * 14]


def test_r11_the_ways_to_draw_the_last_three_bricks() -> None:
    """Seat 0 gets one of 10C and 10S for a tie that is its by priority, or 8D for the lower pair."""
    last = taken_down(*ONE_ONE, left_over=3).state
    winners = Counter(GAME.outcome(state).winners for state in lines(last, 6))
    assert winners == {(0,): 4, (1,): 2}
