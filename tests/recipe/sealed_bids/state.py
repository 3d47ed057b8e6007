"""The match as one witness knows it, and the reducer."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, evolve_kernel
from games.kernel import State as KernelState
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold
from tests.recipe.sealed_bids.options import Options

SealedBid = int | Literal["hidden"] | None


class Sale(Struct, frozen=True):
    """A lot that `seat` has taken, and the bids of both seats."""

    lot: int
    seat: int
    bids: tuple[int, ...]


class State(KernelState, frozen=True, kw_only=True):
    """`lot` is up for sale, None where one is to be drawn; `sales` are those before it.

    `bids` are for the lot, by seat: None is no bid yet, "hidden" one that this witness doesn't know.
    """

    options: Options
    lot: int | None = None
    bids: tuple[SealedBid, ...] = (None, None)
    sales: tuple[Sale, ...] = ()


def opening(options: Options, seats: int, priority: int) -> State:
    """Two full purses."""
    return State(seats=seats, priority=priority, options=options)


def evolve(state: State, event: Event) -> State:
    """The state after an event, as this witness was told it."""
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
    """The bids with that of a seat as given."""
    return tuple(bid if at == seat else other for at, other in enumerate(state.bids))


def coins_of(state: State, seat: int) -> int:
    """What is left in a seat's purse. R4"""
    return state.options.coins - sum(sale.bids[seat] for sale in state.sales if sale.seat == seat)


def points_of(state: State, seat: int) -> int:
    """What a seat's lots are worth."""
    return sum(sale.lot for sale in state.sales if sale.seat == seat)
