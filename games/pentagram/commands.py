"""The commands of a seat."""

from games.kernel import Command
from games.pentagram.pieces import Colour


class Place(Command, frozen=True):
    """Put the drawn card on an empty space, with or without a worker on it."""

    colour: Colour
    space: int
    worker: bool = False
