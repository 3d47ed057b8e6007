"""The events and who may see them. They are recorded permanently."""

from typing import Annotated

from games.higher_or_lower.pieces import Call, Colour, Group, Order, Reason, Rows, Shape
from games.kernel import HOST, Event, Public, known_to


class ColourChosen(Event, frozen=True):
    """A seat took a colour; the other seat has the other one."""

    seat: Public[int]
    colour: Public[Colour]


class GroupAssigned(Event, frozen=True):
    """A seat assigned cards to one of its groups, replacing earlier ones."""

    seat: Public[int]
    board: Annotated[str | None, known_to("seat")]
    shape: Annotated[Shape | None, known_to("seat")]
    cards: Annotated[tuple[str, ...] | None, known_to("seat")]
    completable: Annotated[bool | None, known_to("seat")]


class GroupWithdrawn(Event, frozen=True):
    """A group's cards went back to the seat's hand, by its own wish or the dealer's."""

    seat: Public[int]
    board: Annotated[str | None, known_to("seat")]
    shape: Annotated[Shape | None, known_to("seat")]


class LockedIn(Event, frozen=True):
    """A seat declared its assignment final."""

    seat: Public[int]


class GroupsFilled(Event, frozen=True):
    """The dealer assigned a flagged seat's missing groups."""

    seat: Public[int]
    groups: Annotated[tuple[Group, ...] | None, known_to(HOST)]


class BoardDealt(Event, frozen=True):
    """The cards of a board were dealt face down on their spaces."""

    board: Public[str]
    cards: Annotated[Rows | None, known_to(HOST)]


class BoardChosen(Event, frozen=True):
    """The chooser named the round's board, and its own place in the turn order."""

    seat: Public[int]
    board: Public[str]
    order: Public[Order]


class CardFlipped(Event, frozen=True):
    """A grey card was turned up to begin a turn."""

    seat: Public[int]
    row: Public[int]
    col: Public[int]
    card: Public[str]


class CardGuessed(Event, frozen=True):
    """A neighbouring card was turned up after a call."""

    seat: Public[int]
    row: Public[int]
    col: Public[int]
    call: Public[Call]
    card: Public[str]
    correct: Public[bool]


class TurnEnded(Event, frozen=True):
    """A turn is over: a wrong call, the limit of cards, no neighbour left, a stop, or the flag."""

    seat: Public[int]
    reason: Public[Reason]


class RoundFinished(Event, frozen=True):
    """A board is over; the points of both seats, and who won it."""

    board: Public[str]
    points: Public[tuple[int, ...]]
    winner: Public[int]
