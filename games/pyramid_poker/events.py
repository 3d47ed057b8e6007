"""The events and who may see them. They are recorded permanently."""

from typing import Annotated

from msgspec import Struct

from games.kernel import Event, Public, known_to
from games.pyramid_poker.pieces import Category


class HandResult(Struct, frozen=True):
    """The comparison of one pair of hands: each seat's category, and the winner, None for a tie."""

    hand: int
    categories: tuple[Category, ...]
    winner: int | None


class FirstChosen(Event, frozen=True):
    """`seat` starts, in construction and in deconstruction."""

    seat: Public[int]


class BrickDealt(Event, frozen=True):
    """A seat has been handed a brick from the bag."""

    seat: Public[int]
    brick: Annotated[str | None, known_to("seat")]


class BrickPlaced(Event, frozen=True):
    """A seat has put its brick on the pyramid."""

    seat: Public[int]
    cell: Public[str]


class ConstructionFinished(Event, frozen=True):
    """The pyramid has all thirty bricks; the others stay in the bag."""


class BrickDrawn(Event, frozen=True):
    """A seat has taken a brick off the pyramid and shown it."""

    seat: Public[int]
    cell: Public[str]
    brick: Public[str]


class BrickAssigned(Event, frozen=True):
    """A seat has put the brick it drew into one of its hands."""

    seat: Public[int]
    hand: Public[int]


class HandsCompared(Event, frozen=True):
    """All hands are full and compared; `wins` counts the hands won by seat."""

    hands: Public[tuple[HandResult, ...]]
    wins: Public[tuple[int, ...]]
