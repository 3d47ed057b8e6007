"""The commands of a seat."""

from games.kernel import Command


class ChooseFirst(Command, frozen=True):
    """The priority seat names the seat that starts."""

    seat: int


class Place(Command, frozen=True):
    """Put the brick in hand on a space of the pyramid."""

    cell: str


class Draw(Command, frozen=True):
    """Take an exposed brick off the pyramid."""

    cell: str


class Assign(Command, frozen=True):
    """Put the drawn brick into one's poker hand 1, 2 or 3."""

    hand: int
