"""The state of a match for one witness, and the reducer."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, evolve_kernel
from games.kernel import State as KernelState
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold
from tests.recipe.sealed_bids.options import Options

SealedBid = int | Literal["hidden"] | None


class Sale(Struct, frozen=True):
    """A sale: the lot, the seat that bought it, and the bids of both seats."""

    lot: int
    seat: int
    bids: tuple[int, ...]


class State(KernelState, frozen=True, kw_only=True):
    """The state of a match.

    lot: the lot for sale, None if the dealer must draw one.
    bids: the bid of each seat for this lot: None before the seat has bid, "hidden" if this witness may not see it.
    sales: the earlier sales, in order.
    """

    options: Options
    lot: int | None = None
    bids: tuple[SealedBid, ...] = (None, None)
    sales: tuple[Sale, ...] = ()


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state at the start: both purses are full."""
    return State(seats=seats, priority=priority, options=options)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, whose secret fields are None if this witness may not see them."""
    match event:
        case LotDrawn(lot=lot):
            return replace(state, lot=lot)
        case BidSubmitted(seat=seat, coins=coins):
            return replace(state, bids=with_bid(state, seat, "hidden" if coins is None else coins))
        case BidsOpened(bids=bids):
            return replace(state, bids=bids)
        case LotSold(seat=seat, lot=lot):
            bids = tuple(bid for bid in state.bids if isinstance(bid, int))
            return replace(state, lot=None, bids=(None, None), sales=(*state.sales, Sale(lot, seat, bids)))
        case _:
            return evolve_kernel(state, event)


def with_bid(state: State, seat: int, bid: SealedBid) -> tuple[SealedBid, ...]:
    """Return the bids, with one seat's bid replaced."""
    return tuple(bid if at == seat else other for at, other in enumerate(state.bids))


def coins_of(state: State, seat: int) -> int:
    """Return the coins left in a seat's purse. R4"""
    return state.options.coins - sum(sale.bids[seat] for sale in state.sales if sale.seat == seat)


def points_of(state: State, seat: int) -> int:
    """Return the points of a seat's lots."""
    return sum(sale.lot for sale in state.sales if sale.seat == seat)
