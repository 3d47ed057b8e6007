"""The commands of a seat."""

from games.higher_or_lower.pieces import Call, Colour, Direction, Order, Shape
from games.kernel import Command


class ChooseColour(Command, frozen=True):
    """Take cyan or pink."""

    colour: Colour


class AssignGroup(Command, frozen=True):
    """Assign cards to a group, in place of any assigned before."""

    board: str
    shape: Shape
    cards: tuple[str, ...]


class WithdrawGroup(Command, frozen=True):
    """Take a group's cards back."""

    board: str
    shape: Shape


class LockIn(Command, frozen=True):
    """Declare the whole assignment final."""


class ChooseBoard(Command, frozen=True):
    """Choose the round's board, and whether to go first or second on it."""

    board: str
    order: Order


class Flip(Command, frozen=True):
    """Turn up a grey card; rows count from the north, columns from the west, both from 1."""

    row: int
    col: int


class Guess(Command, frozen=True):
    """Call the neighbour of the card last turned up: higher or lower."""

    direction: Direction
    call: Call


class Stop(Command, frozen=True):
    """End the turn after a correct call."""
