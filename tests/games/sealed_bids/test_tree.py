"""The number of lines of play; it changes with the rules."""

from tests.recipe.sealed_bids import GAME
from tests.tree import count


def test_r3_the_ways_to_bid_for_the_first_two_lots() -> None:
    """With one coin each there are two bids a seat. Of the four pairs one leaves both purses full, as the lot goes for
    nothing; in the others one purse is empty, and its seat has one bid left."""
    opening = GAME.open({"coins": 1}, 2, 0)
    assert [count(GAME, opening, depth) for depth in (1, 2, 4)] == [2, 4, 1 * 4 + 3 * 2]


def test_r3_a_fuller_purse_has_more_of_them() -> None:
    assert count(GAME, GAME.open({"coins": 9}, 2, 0), 2) == 10 * 10
