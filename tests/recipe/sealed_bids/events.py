"""What happens in a match, and who may know it."""

from typing import Annotated

from games.kernel import Event, Public, known_to


class LotDrawn(Event, frozen=True):
    """A lot is up for sale."""

    lot: Public[int]


class BidSubmitted(Event, frozen=True):
    """A seat has sealed its bid; `coins` is None where it is secret."""

    seat: Public[int]
    coins: Annotated[int | None, known_to("seat")]


class BidsOpened(Event, frozen=True):
    """Both bids are open, in seat order."""

    bids: Public[tuple[int, ...]]


class TieBroken(Event, frozen=True):
    """The bids were equal, and chance has chosen a seat."""

    seat: Public[int]


class LotSold(Event, frozen=True):
    """A seat has taken the lot and paid its bid."""

    seat: Public[int]
    lot: Public[int]
    coins: Public[int]
