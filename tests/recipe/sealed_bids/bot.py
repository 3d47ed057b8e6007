"""The bot: bids in proportion to the value of the lot among the unsold lots, plus or minus one coin."""

from random import Random

from games.kernel import Command
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.pieces import LOTS
from tests.recipe.sealed_bids.state import State, coins_of


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return a bid, computed only from what the seat can see."""
    held = coins_of(state, seat)
    left = sum(LOTS) - sum(sale.lot for sale in state.sales)
    share = 3 * held * (state.lot or 0) // (2 * left)
    return Bid(max(0, min(held, share + rng.choice((-1, 0, 1)))))
