"""The legal commands of a seat, computed from its view: all of them, or a random one."""

from collections.abc import Iterator
from random import Random

from games.kernel import Command
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.rules import due
from tests.recipe.sealed_bids.state import State, coins_of


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every bid that the purse can pay, as a first bid or as a replacement."""
    if due(state).commands_of(seat):
        yield from map(Bid, range(coins_of(state, seat) + 1))


def sample(state: State, seat: int, rng: Random) -> Command:
    """Return a random legal bid."""
    return Bid(rng.choice(range(coins_of(state, seat) + 1)))
