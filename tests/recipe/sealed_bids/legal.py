"""The legal commands of a seat, from what it knows: all of them, or one at random."""

from collections.abc import Iterator
from random import Random

from games.kernel import Command
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.rules import due
from tests.recipe.sealed_bids.state import State, coins_of


def legal(state: State, seat: int) -> Iterator[Command]:
    """Every bid that the purse can pay, to begin with or instead of the one that is sealed."""
    if due(state).commands_of(seat):
        yield from map(Bid, range(coins_of(state, seat) + 1))


def sample(state: State, seat: int, rng: Random) -> Command:
    """Any of them."""
    return Bid(rng.choice(range(coins_of(state, seat) + 1)))
