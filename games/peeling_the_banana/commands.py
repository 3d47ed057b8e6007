"""The commands of a seat."""

from typing import Literal

from games.kernel import Command
from games.peeling_the_banana.pieces import Placement, Space


class ChooseFirst(Command, frozen=True):
    """Name the seat that takes the first turn."""

    seat: Literal[0, 1]


class PlayCard(Command, frozen=True):
    """Play a card of the reach: a piece with its placement, a special with its target."""

    card: str
    placement: Placement | None = None
    target: Space | str | None = None


class Buy(Command, frozen=True):
    """Buy a card or an upgrade."""

    item: str


class EndTurn(Command, frozen=True):
    """Leave the shop."""
