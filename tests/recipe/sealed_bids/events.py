"""The events of a match, and who may see their fields."""

from typing import Annotated

from games.kernel import Event, Public, known_to


class LotDrawn(Event, frozen=True):
    """A lot is up for sale."""

    lot: Public[int]


class BidSubmitted(Event, frozen=True):
    """A seat has bid. `coins` is None for witnesses who may not see it."""

    seat: Public[int]
    coins: Annotated[int | None, known_to("seat")]


class BidsOpened(Event, frozen=True):
    """Both bids are revealed, in the order of the seats."""

    bids: Public[tuple[int, ...]]


class TieBroken(Event, frozen=True):
    """The bids were equal, so chance has chosen a seat."""

    seat: Public[int]


class LotSold(Event, frozen=True):
    """A seat has taken the lot and paid its bid."""

    seat: Public[int]
    lot: Public[int]
    coins: Public[int]
