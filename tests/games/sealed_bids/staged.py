"""Tables of Sealed Bids on which something has happened."""

from games.kernel import Chance, Event, Table
from tests.recipe.sealed_bids import GAME
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold, TieBroken


def after(*events: Event, coins: int = 20, priority: int = 0, seed: bytes = b"sealed") -> Table:
    """A table on which this has happened."""
    table = Table(GAME, {"coins": coins}, 2, priority, Chance(seed=seed))
    for event in events:
        table.record(event)
    return table


def sold(lot: int, bids: tuple[int, int], seat: int | None = None) -> tuple[Event, ...]:
    """A lot from its draw to its sale; `seat` has the luck where the bids are equal."""
    winner = seat if seat is not None else int(bids[1] > bids[0])
    tie = () if seat is None else (TieBroken(seat),)
    sealed = (BidSubmitted(at, bid) for at, bid in enumerate(bids))
    return (LotDrawn(lot), *sealed, BidsOpened(bids), *tie, LotSold(winner, lot, bids[winner]))


def all_sold(*sales: tuple[int, tuple[int, int]], priority: int = 0) -> Table:
    """A table after these sales."""
    return after(*(event for lot, bids in sales for event in sold(lot, bids)), priority=priority)
