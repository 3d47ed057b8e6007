"""The events and who may see them; only the deck's order is secret."""

from typing import Annotated

from games.kernel import HOST, Event, Public, known_to
from games.pentagram.pieces import Card, Colour


class DeckShuffled(Event, frozen=True):
    """The deck was shuffled; `order` has the top card first."""

    order: Annotated[tuple[Card, ...] | None, known_to(HOST)]


class ZeroDealt(Event, frozen=True):
    """Each row began with a card from the deck on its space 0; nothing pays."""

    cards: Public[dict[Colour, Card]]


class CardDrawn(Event, frozen=True):
    """A seat's turn began with the deck's top card, open to all."""

    seat: Public[int]
    card: Public[Card]


class CardPlaced(Event, frozen=True):
    """The drawn card was put on a space."""

    seat: Public[int]
    colour: Public[Colour]
    space: Public[int]


class WorkerPlaced(Event, frozen=True):
    """A seat paid the space's price in its colour and put a worker on the card just placed."""

    seat: Public[int]
    colour: Public[Colour]
    space: Public[int]
    price: Public[int]


class SpacePaid(Event, frozen=True):
    """A space paid: its card is discarded, its workers go one space right.

    `coins` holds, for each seat with a worker there, its coins of the card's second colour before and after.
    """

    colour: Public[Colour]
    space: Public[int]
    card: Public[Card]
    coins: Public[dict[int, tuple[int, int]]]


class WorkersReturned(Event, frozen=True):
    """Workers walked off space 0 into their owners' hands; `seats` has one entry for each worker."""

    colour: Public[Colour]
    seats: Public[tuple[int, ...]]
